"""The client's network address, and at which names this Daybook answers.

Forwarded headers count only from a proxy that DAYBOOK_TRUSTED_PROXIES names. From any other peer they are removed
before a view sees the request, and the peer's own address is used.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterable, Mapping, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from flask import Flask, Response, abort, current_app, g, request
from werkzeug.sansio.utils import host_is_trusted

from daybook.domain.kernel.frozen import Frozen
from daybook.services.operation import network, unnamed_proxy
from daybook.services.settings import Network, Settings
from daybook.web.request.access import book, link_ids, session_token

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger(__name__)

REFUSED = frozenset({401, 403, 421, 429})
IPV6_NETWORK = 64  # bits: whoever has one address of it has all
INVALID_HOST = "the Host header is not a name or an address with an optional port, as in example.org:8000"
MAX_HOST_LENGTH = 253
MAX_LABEL_LENGTH = 63  # of a host's name, between two dots


def begin_hosts(app: Flask) -> None:
    """Note at which hosts this Daybook answers."""
    settings = app.extensions["daybook"].settings
    app.extensions["own_hosts"] = {
        "",
        "localhost",
        settings.host.lower(),
        urlsplit(settings.base_url or "").hostname or "",
        *settings.allowed_hosts,
    }


def origin() -> str:
    """Return the client's network address; empty on a device, which has no network."""
    forwarded = request.headers.getlist("X-Forwarded-For")
    return origin_of(request.remote_addr or "", forwarded, book().settings.trusted_proxies)


def origin_of(peer: str, forwarded: Sequence[str], proxies: Sequence[Network]) -> str:
    """Return the client's address behind a connection; IPv6 by its network.

    Args:
        peer: the other end of the connection.
        forwarded: the headers X-Forwarded-For. From a named proxy the hops that named proxies added count, from the
            last to the first. From any other peer none counts.
        proxies: the named proxies.
    """
    at = client = _address(peer)
    if at is None:
        return ""
    hops = [hop for header in forwarded for hop in header.split(",")]
    while hops and client is not None and _is_in(client, proxies):
        client = _address(hops.pop())
    if client is None or _is_in(client, proxies):
        client = at  # the proxy does not say for whom it speaks
    return _address_name(client)


def is_named_proxy(peer: str, proxies: Sequence[Network]) -> bool:
    """Check if a peer is a proxy that the settings name."""
    at = _address(peer)
    return at is not None and _is_in(at, proxies)


READ_FROM_PROXIES = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO")


def is_forwarded_header(name: str) -> bool:
    """Check if a WSGI variable is a header by which a proxy says for whom it speaks, or as what it was requested."""
    return name.startswith("HTTP_X_FORWARDED") or name in ("HTTP_FORWARDED", "HTTP_X_REAL_IP")


class ForwardedHeaders:
    """WSGI middleware: remove every forwarded header that does not come from a named proxy, and those no one reads."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.application: WSGIApplication = app.wsgi_app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        sent = [name for name in environ if is_forwarded_header(name)]
        if sent:
            settings: Settings = self.app.extensions["daybook"].settings
            peer = environ.get("REMOTE_ADDR", "")
            accepted = READ_FROM_PROXIES if is_named_proxy(peer, settings.trusted_proxies) else ()
            if not settings.trusted_proxies and _is_loopback(peer):
                unnamed_proxy.note_sighting(settings)
            for name in sent:
                if name not in accepted:
                    del environ[name]
        return self.application(environ, start_response)


def _is_loopback(peer: str) -> bool:
    at = _address(peer)
    return at is not None and at.is_loopback


def holder_of(app: Flask, environ: Mapping[str, Any]) -> str:
    """Return by what a request's caller is told from others at the same address: a session or a link; empty: by none.

    Both are signed, and no database is asked whether they still work.
    """
    with app.request_context({**environ, "wsgi.input": io.BytesIO()}):
        links = link_ids()
        return session_token() or (links[0] if links else "")


def log_refusal(response: Response) -> Response:
    """A right that was refused is told as that, without a key and without what was sent."""
    if response.status_code in REFUSED:
        here = g.get("signed_in") or g.get("key_of_person")
        who = here.person if here else "nobody"
        logger.warning(
            "refused with %s: %s %s, for %s, from %s",
            response.status_code,
            request.method,
            quote(request.path),
            who,
            origin() or "this device",
        )
        if (metrics := current_app.extensions["metrics"]) is not None:
            metrics.refused_rights.inc()
    return response


def own_address(preferred: str = "") -> str:
    """The address that this Daybook is reached at, as links begin: without a slash at the end.

    Where none is set, it is the one that the page was asked for at. That TLS ends at a proxy, one of ours may say. What
    was asked for at an address that no other device reaches is told as phones reach it, where they may. preferred: the
    one to take of several at which they do.
    """
    settings = book().settings
    if settings.base_url is not None:
        return settings.base_url
    asked = request.url_root.rstrip("/")
    if asked_by_tls():
        asked = urlsplit(asked)._replace(scheme="https").geturl()
    alone = network.is_loopback_url(asked)
    reached = network.served_urls(settings.host, settings.port, settings.scheme) if preferred or alone else []
    if preferred in reached:
        return preferred
    return reached[0] if alone and reached else asked


def asked_by_tls() -> bool:
    """Whether browsers reach this Daybook over https: by its public address, or as this request came."""
    settings = book().settings
    if settings.base_url is not None:
        return settings.base_url.startswith("https:")
    return (
        request.scheme == "https"
        or settings.scheme == "https"
        or (request.headers.get("X-Forwarded-Proto") == "https" and _comes_by_our_proxy())
    )


def keep_windows_apart(response: Response) -> Response:
    """No other site reaches a window of ours. Browsers heed it over https and on this machine; of a page that comes
    otherwise they tell an error.
    """
    try:
        heeded = asked_by_tls() or network.is_loopback_url(request.host_url)
    except ValueError:  # what was asked for is no host
        heeded = False
    if heeded:
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    return response


def _comes_by_our_proxy() -> bool:
    return is_named_proxy(request.remote_addr or "", book().settings.trusted_proxies)


def refuse_other_hosts() -> None:
    """Answers where this Daybook is served, and nowhere else. 421.

    Whoever owns a name can let it lead here: a page of theirs would then read what this machine alone may, and links
    would begin with their name. Where no public address is set, our own proxy answers for the name it was asked by.
    Health is asked for by whatever name a watch has for this machine.
    """
    host = _asked_host()
    known: set[str] = current_app.extensions["own_hosts"]
    if host in known or request.path == "/api/v1/health":
        return
    if book().settings.base_url is None and _comes_by_our_proxy():
        return
    if network.is_loopback_url(f"//[{host}]" if ":" in host else f"//{host}"):
        return  # not remembered: there are as many such names as anybody likes, x.localhost or 127.1.2.3
    if not network.is_of_this_machine(host):
        abort(421, "host")
    known.add(host)


def is_valid_host(text: str) -> bool:
    """Check if a Host header is one name or address, with or without a port."""
    if not host_is_trusted(text):  # without a list of trusted hosts it judges the form alone
        return False
    if text.startswith("["):
        try:
            ip_address(text[1:].partition("]")[0])
        except ValueError:
            return False
        return True
    name = text.partition(":")[0].removesuffix(".")
    return len(name) <= MAX_HOST_LENGTH and all(0 < len(label) <= MAX_LABEL_LENGTH for label in name.split("."))


def _asked_host() -> str:
    if (given := request.headers.get("Host")) and not is_valid_host(given):
        abort(Response(f"{INVALID_HOST}\n", 400, mimetype="text/plain"))  # no page: its links would need the host
    return (urlsplit(f"//{request.host}").hostname or "").rstrip(".")


class Reach(Frozen):
    """Who reaches the links that a page shows. address: as they begin; here_alone: this device alone does; served: the
    local network is, if there is one; others: the addresses of this machine that they could begin with as well.
    """

    address: str
    here_alone: bool
    served: bool
    others: list[str]


def reach(preferred: str = "") -> Reach:
    """Who reaches the links of a page; preferred as of `own_address`."""
    settings, address = book().settings, own_address(preferred)
    others = (
        []
        if settings.base_url is not None
        else [one for one in network.served_urls(settings.host, settings.port, settings.scheme) if one != address]
    )
    return Reach(address, network.is_loopback_url(address), settings.host == network.ALL_ADDRESSES, others)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Out of 192.0.2.7, 192.0.2.7:4711, 2001:db8::7 or [2001:db8::7]:4711; None: it is none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def _is_in(at: IPv4Address | IPv6Address, networks: Sequence[Network]) -> bool:
    return any(at in network for network in networks)


def _address_name(at: IPv4Address | IPv6Address) -> str:
    return str(IPv6Network((at, IPV6_NETWORK), strict=False)) if isinstance(at, IPv6Address) else str(at)
