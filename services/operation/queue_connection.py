"""Ownership of the queue by one Daybook."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from redis.exceptions import RedisError

from daybook.services.queue_client import connect_queue_once
from daybook.services.store.history import LostDataError

CLAIM_SECONDS = 2.0
OWNER_KEY = "daybook:history"  # at the queue's server: the history that the jobs belong to


def claim_queue(url: str, history: str | None, *, take_over: bool = False) -> None:
    """Note at the queue's server which history its jobs belong to. Raises LostDataError if they belong to another.

    history: None before it has begun. take_over: have the queue be this one's from now on. A server that does not
    answer is asked at the next start.
    """
    with suppress(RedisError), connect_queue_once(url, CLAIM_SECONDS) as queue:
        if history is not None:
            queue.set(OWNER_KEY, history, nx=not take_over)
        owner: Any = queue.get(OWNER_KEY)
        if owner is not None and bytes(owner).decode() != history:
            raise LostDataError(
                "the queue's server has the jobs of another Daybook, or of an earlier history of this one",
                "name the right database, or a queue of its own in DAYBOOK_REDIS_URL (another number at its end); "
                "or have it forget them with `daybook init --accept-loss`",
            )
