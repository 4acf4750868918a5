"""Connections to the queue's server, or to whichever of several servers it is now."""

from __future__ import annotations

from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import MasterNotFoundError, Sentinel

from daybook.services.queue_address import Sentinels, is_by_sentinels, read_sentinels

SENTINEL_TIMEOUT_SECONDS = 0.5  # before trying the next sentinel


class QuietSentinel(Sentinel):
    """Sentinel client with a one-line error if it finds no server."""

    def discover_master(self, service_name: str) -> tuple[str, int]:
        """Return the current server. Raises MasterNotFoundError, a ConnectionError of the library."""
        try:
            found: tuple[str, int] = super().discover_master(service_name)  # type: ignore[no-untyped-call]
        except MasterNotFoundError:
            raise MasterNotFoundError(f"no sentinel names a server for {service_name!r} now") from None
        return found


def connect_queue(url: str, seconds: float, **options: Any) -> Redis:
    """Create a client for the queue's server; it connects on first use.

    Args:
        seconds: timeout.

    With sentinels, each connection goes to the current server and is dropped at its first refusal as a replica.
    """
    limits: dict[str, Any] = {"socket_timeout": seconds, "socket_connect_timeout": seconds, **options}
    if not is_by_sentinels(url):
        return Redis.from_url(url, **limits)
    at = read_sentinels(url)
    limits |= {"db": at.database, "username": at.username, "password": at.password, "ssl": at.tls}
    sentinels: Any = QuietSentinel((), **limits)  # type: ignore[no-untyped-call]
    sentinels.sentinels = [connect_sentinel(at, *place, min(seconds, SENTINEL_TIMEOUT_SECONDS)) for place in at.hosts]
    found: Redis = sentinels.master_for(at.name)
    return found


def connect_queue_once(url: str, seconds: float) -> Redis:
    """Create a queue client that does not retry."""
    return connect_queue(url, seconds, retry=Retry(NoBackoff(), 0))


def connect_sentinel(at: Sentinels, host: str, port: int, seconds: float) -> Redis:
    """Create a client for a sentinel."""
    return Redis(
        host,
        port,
        password=at.own_password,
        ssl=at.tls,
        socket_timeout=seconds,
        socket_connect_timeout=seconds,
        retry=Retry(NoBackoff(), 0),
    )
