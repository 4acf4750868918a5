"""Address of the queue's server: as `redis` reads it, or of the sentinels that know the current server.

    redis+sentinel://user:password@one:26379,two:26379,three:26379/name/0?sentinel_password=...

The name is the servers' name at the sentinels; user and password are the servers'; `rediss+sentinel` uses TLS.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

SCHEMES = ("redis", "rediss", "unix")
BY_SENTINELS = ("redis+sentinel", "rediss+sentinel")
SENTINEL_PORT = 26379
AUTHORITY = re.compile("([^:/?#]*)://(?:([^/?#]*)@)?([^/?#]*)", re.DOTALL)  # with several hosts; urllib reads only one


class BadAddressError(ValueError):
    """Invalid address. The message does not repeat it, as it may contain a password."""


class Sentinels(NamedTuple):
    hosts: tuple[tuple[str, int], ...]
    name: str
    database: int
    username: str | None
    password: str | None
    tls: bool
    own_password: str | None  # of the sentinels themselves


def is_by_sentinels(url: str) -> bool:
    return url.partition("://")[0] in BY_SENTINELS


def read_sentinels(url: str) -> Sentinels:
    """Parse an address with sentinels. Raises BadAddressError."""
    begins = AUTHORITY.match(url)
    if begins is None:
        raise BadAddressError
    scheme, credentials, places = begins.groups("")
    try:
        parts = urlsplit(f"//hosts{url[begins.end() :]}")
        username, _, password = (unquote(word) for word in credentials.partition(":"))
        name, _, database = parts.path.strip("/").partition("/")
        parameters = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
        hosts = tuple(_parse_host(place) for place in places.split(","))
        number = int(database or 0)
    except ValueError:
        raise BadAddressError from None
    if not name or number < 0 or parts.fragment or parameters.keys() - {"sentinel_password"}:
        raise BadAddressError
    own = parameters.get("sentinel_password")
    return Sentinels(hosts, name, number, username or None, password or None, scheme == BY_SENTINELS[1], own)


def strip_credentials(url: str) -> str:
    """Return the address without the server's credentials."""
    return AUTHORITY.sub(r"\1://\3", url, count=1)


def hosts_of(url: str) -> list[str]:
    """Return the hosts of an address; none for a local socket."""
    if is_by_sentinels(url):
        return [host for host, _ in read_sentinels(url).hosts]
    host = urlsplit(url).hostname
    return [] if urlsplit(url).scheme == "unix" else [host or "localhost"]


def _parse_host(place: str) -> tuple[str, int]:
    """Parse a host with an optional port. Raises ValueError."""
    parts = urlsplit(f"//{place}")
    if not parts.hostname or parts.path or parts.username is not None:
        raise ValueError("no host")
    return parts.hostname, parts.port or SENTINEL_PORT
