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

from daybook.domain.kernel.events import DeviceKind
from daybook.domain.kernel.frozen import Frozen
from daybook.services.operation import network, unnamed_proxy
from daybook.services.settings import Network, Settings
from daybook.web.request.access import book, link_ids, session_token

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger(__name__)

REFUSED = frozenset({401, 403, 421, 429})
IPV6_CLIENT_BITS = 64  # a client controls all addresses of its /64
INVALID_HOST = "the Host header is not a name or an address with an optional port, as in example.org:8000"
MAX_HOST_LENGTH = 253
MAX_LABEL_LENGTH = 63  # characters of a host name between two dots


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


def client_address() -> str:
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
    at = client = _parse_address(peer)
    if at is None:
        return ""
    hops = [hop for header in forwarded for hop in header.split(",")]
    while hops and client is not None and _is_in(client, proxies):
        client = _parse_address(hops.pop())
    if client is None or _is_in(client, proxies):
        client = at  # the proxy does not name its client
    return _address_name(client)


def is_named_proxy(peer: str, proxies: Sequence[Network]) -> bool:
    """Check if a peer is a proxy that the settings name."""
    at = _parse_address(peer)
    return at is not None and _is_in(at, proxies)


READ_FROM_PROXIES = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO")


def is_forwarded_header(name: str) -> bool:
    """Check if a WSGI variable is a header in which a proxy names its client or the requested host."""
    return name.startswith("HTTP_X_FORWARDED") or name in ("HTTP_FORWARDED", "HTTP_X_REAL_IP")


class ForwardedHeaders:
    """WSGI middleware that removes forwarded headers, unless they come from a named proxy and are used."""

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
    at = _parse_address(peer)
    return at is not None and at.is_loopback


def holder_of(app: Flask, environ: Mapping[str, Any]) -> str:
    """Return the session token or link id that separates a caller from others at its address; "" for neither.

    Both are signed; the database is not consulted.
    """
    with app.request_context({**environ, "wsgi.input": io.BytesIO()}):
        links = link_ids()
        return session_token() or (links[0] if links else "")


def log_refusal(response: Response) -> Response:
    """Log a refused request without keys and form data."""
    if response.status_code in REFUSED:
        here = g.get("signed_in") or g.get("key_of_person")
        who = here.person if here else "nobody"
        logger.warning(
            "refused with %s: %s %s, for %s, from %s",
            response.status_code,
            request.method,
            quote(request.path),
            who,
            client_address() or "this device",
        )
        if (metrics := current_app.extensions["metrics"]) is not None:
            metrics.refused_rights.inc()
    return response


def own_address(preferred: str = "") -> str:
    """Return the address of this Daybook for links, without a final slash.

    By default the address of the request, with https if a trusted proxy says so. A loopback address is replaced by one
    that phones reach, if allowed.

    Args:
        preferred: address to use if several are possible.
    """
    settings = book().settings
    if settings.base_url is not None:
        return settings.base_url
    requested = request.url_root.rstrip("/")
    if is_https():
        requested = urlsplit(requested)._replace(scheme="https").geturl()
    is_local = network.is_loopback_url(requested)
    reached = network.served_urls(settings.host, settings.port, settings.scheme) if preferred or is_local else []
    if preferred in reached:
        return preferred
    return reached[0] if is_local and reached else requested


def is_https() -> bool:
    """Check if browsers reach this Daybook over https, by its public address or this request."""
    settings = book().settings
    if settings.base_url is not None:
        return settings.base_url.startswith("https:")
    return (
        request.scheme == "https"
        or settings.scheme == "https"
        or (request.headers.get("X-Forwarded-Proto") == "https" and _comes_by_our_proxy())
    )


def isolate_windows(response: Response) -> Response:
    """Set the header that isolates our windows from other sites, where browsers accept it."""
    try:
        heeded = is_https() or network.is_loopback_url(request.host_url)
    except ValueError:  # the requested host is invalid
        heeded = False
    if heeded:
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    return response


def _comes_by_our_proxy() -> bool:
    return is_named_proxy(request.remote_addr or "", book().settings.trusted_proxies)


def refuse_other_hosts() -> None:
    """Refuse requests for other host names with 421, against DNS rebinding.

    A foreign name that resolves to this machine could otherwise read what only this machine may, and would appear in
    links. Without a public address, a trusted proxy may use any name. Health checks may use any name.
    """
    host = _requested_host()
    own_hosts: set[str] = current_app.extensions["own_hosts"]
    if host in own_hosts or request.path == "/api/v1/health":
        return
    if book().settings.base_url is None and _comes_by_our_proxy():
        return
    if network.is_loopback_url(f"//[{host}]" if ":" in host else f"//{host}"):
        return  # not cached: such names are unlimited, as x.localhost or 127.1.2.3
    if not network.is_of_this_machine(host):
        abort(421, "host")
    own_hosts.add(host)


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


def _requested_host() -> str:
    if (given := request.headers.get("Host")) and not is_valid_host(given):
        abort(Response(f"{INVALID_HOST}\n", 400, mimetype="text/plain"))  # no page: its links would need the host
    return (urlsplit(f"//{request.host}").hostname or "").rstrip(".")


class LinkReach(Frozen):
    """Devices that can open a page's links.

    Args:
        address: start of the links.
        here_alone: only this device can open them.
        served: the local network can, if there is one.
        others: other addresses of this machine.
    """

    address: str
    here_alone: bool
    served: bool
    others: list[str]


def kind_of_device() -> DeviceKind:
    """Return the kind of device that sent the request, as its browser says."""
    agent = request.user_agent.string
    if "iPad" in agent or "Tablet" in agent or ("Android" in agent and "Mobile" not in agent):
        return "tablet"
    return "phone" if "Mobile" in agent or "iPhone" in agent else "computer"


def link_reach(preferred: str = "") -> LinkReach:
    """Return which devices can open a page's links.

    Args:
        preferred: as in `own_address`.
    """
    settings, address = book().settings, own_address(preferred)
    others = (
        []
        if settings.base_url is not None
        else [url for url in network.served_urls(settings.host, settings.port, settings.scheme) if url != address]
    )
    return LinkReach(address, network.is_loopback_url(address), settings.host == network.ALL_ADDRESSES, others)


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Parse 192.0.2.7, 192.0.2.7:4711, 2001:db8::7 or [2001:db8::7]:4711; None if invalid."""
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
    return str(IPv6Network((at, IPV6_CLIENT_BITS), strict=False)) if isinstance(at, IPv6Address) else str(at)
