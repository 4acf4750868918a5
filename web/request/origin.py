"""Where a request comes from, as far as that can be known, and what becomes of those who cannot be told apart.

Behind a proxy everybody has its address. Which proxies are ours, and so may say whom they speak for, is a setting. Who
tries too often from an address of their own is locked out; those whose address is unknown are slowed down together and
never shut out, for the one who tries too often is not the one who comes next.
"""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Semaphore
from typing import Any
from urllib.parse import quote, urlsplit

from flask import Flask, Response, abort, current_app, g, request
from werkzeug.sansio.utils import host_is_trusted

from daybook.domain.kernel.frozen import Frozen
from daybook.services.operation import network
from daybook.services.people import sign_in_limits
from daybook.services.settings import Network
from daybook.services.store.away import AWAY
from daybook.web.request.access import book, person
from daybook.web.request.security import Tries

logger = logging.getLogger(__name__)

REFUSED = frozenset({401, 403, 421, 429})
IPV6_NETWORK = 64  # bits: whoever has one address of it has all
HURRIED = 30  # tries of unknown origin in a minute, of each kind, before they are slowed down
WAIT_SECONDS = 2.0
FILES_CHECKED = 60  # of one person or address in ten minutes: judging a file takes long
WAITING = 4  # at once: each keeps a thread of the server
MAX_HOST_LENGTH = 253
MAX_LABEL_LENGTH = 63  # of a host's name, between two dots


def begin_counting(app: Flask) -> None:
    """Nobody has tried anything."""
    app.extensions["unknown_origins"] = Unhurried()
    app.extensions["checked_files"] = Tries(FILES_CHECKED, seconds=600)
    settings = app.extensions["daybook"].settings
    app.extensions["own_hosts"] = {
        "",
        "localhost",
        settings.host.lower(),
        urlsplit(settings.base_url or "").hostname or "",
        *settings.allowed_hosts,
    }


def origin() -> str:
    """The network address that asks; empty where it cannot be told."""
    said = request.headers.getlist("X-Forwarded-For")
    return origin_of(request.remote_addr or "", said, book().settings.trusted_proxies)


def origin_of(peer: str, forwarded: Sequence[str], proxies: Sequence[Network]) -> str:
    """Whom a connection speaks for; empty: nobody knows. IPv6 by its network.

    peer: the other end of the connection. forwarded: the headers X-Forwarded-For. Only what our own proxies (`proxies`)
    have added counts, from the last to the first; the rest anybody can write. As long as no proxy is named, whoever
    sends the header may be one.
    """
    hops = [hop for header in forwarded for hop in header.split(",")]
    at = _address(peer)
    if at is not None and _is_in(at, proxies):
        while hops and at is not None and _is_in(at, proxies):
            at = _address(hops.pop())
        return "" if at is None or _is_in(at, proxies) else _address_name(at)
    return "" if at is None or (hops and not proxies) else _address_name(at)


def who_asks(app: Flask, environ: Mapping[str, Any]) -> str:
    """Whose share of what all have together a request takes: its address has one, however many sign in there; where the
    address cannot be told, each who is signed in, and all others together."""
    with app.request_context({**environ, "wsgi.input": io.BytesIO()}):
        if where := origin():
            return where
        try:
            return person() or ""
        except AWAY:  # whoever answers the request says so
            return ""


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
            origin() or "an unknown address",
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
    alone = network.is_here_alone(asked)
    reached = network.served_at(settings.host, settings.port, settings.scheme) if preferred or alone else []
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
    otherwise they tell an error."""
    try:
        heeded = asked_by_tls() or network.is_here_alone(request.host_url)
    except ValueError:  # what was asked for is no host
        heeded = False
    if heeded:
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    return response


def _comes_by_our_proxy() -> bool:
    peer = _address(request.remote_addr or "")
    return peer is not None and _is_in(peer, book().settings.trusted_proxies)


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
    if network.is_here_alone(f"//[{host}]" if ":" in host else f"//{host}"):
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
        abort(400)
    return (urlsplit(f"//{request.host}").hostname or "").rstrip(".")


class Reach(Frozen):
    """Who reaches the links that a page shows. address: as they begin; here_alone: this device alone does; served: the
    local network is, if there is one; others: the addresses of this machine that they could begin with as well."""

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
        else [one for one in network.served_at(settings.host, settings.port, settings.scheme) if one != address]
    )
    return Reach(address, network.is_here_alone(address), settings.host == network.EVERYWHERE, others)


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
    if at.is_loopback:  # a proxy on this machine that was not named, or whoever sits at it
        return ""
    return str(IPv6Network((at, IPV6_NETWORK), strict=False)) if isinstance(at, IPv6Address) else str(at)


# --- too many tries --------------------------------------------------------------------------------------------------


class Unhurried:
    """Makes those of unknown origin wait once they try something often; so many at once."""

    def __init__(self, pause: Callable[[float], object] = time.sleep) -> None:
        self._pause = pause
        self._tries = Tries(HURRIED, seconds=60)
        self._places = Semaphore(WAITING)

    def one_more(self, what: str) -> bool:
        """Counts a try, after a wait if there were many. False: so many wait already that this one has no place."""
        if self._tries.one_more(what):
            return True
        if not self._places.acquire(blocking=False):
            return False
        try:
            self._pause(WAIT_SECONDS)
        finally:
            self._places.release()
        return True


def slow_down(what: str) -> None:
    """Count a try of unknown origin: of many each waits a little. 503 while too many wait; nothing was done then."""
    unhurried: Unhurried = current_app.extensions["unknown_origins"]
    if not unhurried.one_more(what):
        abort(503, "many")


def wrong_key() -> None:
    """Count a key that opens nothing. 429 after too many from one address; the right one opens even then."""
    wrong: Tries = current_app.extensions["wrong_keys"]
    if not (where := origin()):
        slow_down("key")
    elif not wrong.one_more(where):
        abort(429)


def wrong_password() -> None:
    """A sign-in that failed, whose address `services.people.sign_in_limits` has counted if it is known."""
    if (metrics := current_app.extensions["metrics"]) is not None:
        metrics.refused_sign_ins.inc()
    if not origin():
        slow_down("password")


def new_account() -> None:
    """Count an account that is asked for. Raises LockedOut after too many from one address."""
    if where := origin():
        sign_in_limits.count_new_account(book(), where)
    else:
        slow_down("account")


def new_game() -> None:
    """Count a game that is opened here. Raises LockedOut after too many of one person or from one address."""
    who, where = person(), origin()
    if who is not None or where:
        sign_in_limits.count_new_game(book(), where, who)
    else:
        slow_down("game")


def checked_file() -> None:
    """Count a file that is checked. 429 after too many of one person or from one address."""
    checked: Tries = current_app.extensions["checked_files"]
    if not (who := person() or origin()):
        slow_down("check")
    elif not checked.one_more(who):
        abort(429)
