"""Connections to the queue's server, or to whichever of several servers it is now."""

from __future__ import annotations

from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import MasterNotFoundError, Sentinel

from daybook.services.queue_address import Sentinels, is_by_sentinels, read_sentinels

SENTINEL_SECONDS = 0.5  # before the next sentinel is asked


class Asking(Sentinel):
    """The library's, which says in one line that nobody knows a server."""

    def discover_master(self, service_name: str) -> tuple[str, int]:
        """Raises MasterNotFoundError, which is a ConnectionError of the library."""
        try:
            found: tuple[str, int] = super().discover_master(service_name)  # type: ignore[no-untyped-call]
        except MasterNotFoundError:
            raise MasterNotFoundError(f"no sentinel names a server for {service_name!r} now") from None
        return found


def connect_queue(url: str, seconds: float, **options: Any) -> Redis:
    """A client for the queue's server; nothing is asked of it yet.

    seconds: before a server that does not answer is given up. Where sentinels know the server, each connection goes to
    the one that they name then, and one that has become a replica is left with its first refusal.
    """
    limits: dict[str, Any] = {"socket_timeout": seconds, "socket_connect_timeout": seconds, **options}
    if not is_by_sentinels(url):
        return Redis.from_url(url, **limits)
    at = read_sentinels(url)
    limits |= {"db": at.database, "username": at.username, "password": at.password, "ssl": at.tls}
    sentinels: Any = Asking((), **limits)  # type: ignore[no-untyped-call]
    sentinels.sentinels = [connect_sentinel(at, *place, min(seconds, SENTINEL_SECONDS)) for place in at.hosts]
    found: Redis = sentinels.master_for(at.name)
    return found


def connect_queue_once(url: str, seconds: float) -> Redis:
    """The same, and what is not answered is not asked again."""
    return connect_queue(url, seconds, retry=Retry(NoBackoff(), 0))


def connect_sentinel(at: Sentinels, host: str, port: int, seconds: float) -> Redis:
    """A client for one of the sentinels."""
    return Redis(
        host,
        port,
        password=at.own_password,
        ssl=at.tls,
        socket_timeout=seconds,
        socket_connect_timeout=seconds,
        retry=Retry(NoBackoff(), 0),
    )
