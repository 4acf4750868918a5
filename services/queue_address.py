"""Where the queue's server is: an address as `redis` reads it, or that of the sentinels who know which server it is now.

    redis+sentinel://user:password@one:26379,two:26379,three:26379/name/0?sentinel_password=...

The name is what the sentinels call the servers; user and password are the servers', and `rediss+sentinel` asks for TLS.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

SCHEMES = ("redis", "rediss", "unix")
BY_SENTINELS = ("redis+sentinel", "rediss+sentinel")
SENTINEL_PORT = 26379
AUTHORITY = re.compile("([^:/?#]*)://(?:([^/?#]*)@)?([^/?#]*)", re.DOTALL)  # of several hosts: urllib reads one


class BadAddress(ValueError):
    """It cannot be read. It may hold a password, and so it is not repeated."""


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
    """Raises BadAddress."""
    begins = AUTHORITY.match(url)
    if begins is None:
        raise BadAddress
    scheme, said, places = begins.groups("")
    try:
        parts = urlsplit(f"//hosts{url[begins.end() :]}")
        username, _, password = (unquote(word) for word in said.partition(":"))
        name, _, database = parts.path.strip("/").partition("/")
        asked = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
        hosts = tuple(_host_and_port(place) for place in places.split(","))
        number = int(database or 0)
    except ValueError:
        raise BadAddress from None
    if not name or number < 0 or parts.fragment or asked.keys() - {"sentinel_password"}:
        raise BadAddress
    own = asked.get("sentinel_password")
    return Sentinels(hosts, name, number, username or None, password or None, scheme == BY_SENTINELS[1], own)


def without_password(url: str) -> str:
    """The address without who asks the server. The sentinels are told who asks even so."""
    return AUTHORITY.sub(r"\1://\3", url, count=1)


def hosts_of(url: str) -> list[str]:
    """The hosts that an address names; none: it is a socket of this machine."""
    if is_by_sentinels(url):
        return [host for host, _ in read_sentinels(url).hosts]
    host = urlsplit(url).hostname
    return [] if urlsplit(url).scheme == "unix" else [host or "localhost"]


def _host_and_port(place: str) -> tuple[str, int]:
    """Raises ValueError."""
    parts = urlsplit(f"//{place}")
    if not parts.hostname or parts.path or parts.username is not None:
        raise ValueError("no host")
    return parts.hostname, parts.port or SENTINEL_PORT
