"""Requests that take long: the pool answers them.

A program waits, which costs no thread. A page shows that it is coming and reloads itself; its response is cached for the
client meanwhile. A client that exceeds its share is refused after a delay, because an immediate retry costs everyone.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import IO, Any

from daybook.services.cpu_debts import TooMuchDebtError, Visitor
from daybook.web.request.long_work import LongView, LongViews
from daybook.web.server.fair_queue import QueueFullError
from daybook.web.server.pool import LongAnswer, MemberLostError, OverLimitError, Pool

PAGE_SECONDS = 3.0  # for a page, before it shows that it is coming
RESPONSE_SECONDS = 60.0  # for a client that waits for the response itself
CACHE_SECONDS = 20.0  # for a page that is ready or coming, since its last request
MAX_CACHED_PAGES = 32
REFUSAL_DELAY_SECONDS = 2.0

ORIGIN = "daybook.origin"  # in a request's environ: the client's address

PageKey = tuple[str, ...]


class ClientDisconnectedError(Exception):
    """The client has disconnected."""


class EarlyResponseError(Exception):
    """The response is not ready.

    Args:
        what: the reason: "coming", "many", "lost" or "limit".
        seconds: until the client may try again, if that varies.
    """

    def __init__(self, what: str, seconds: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.seconds = seconds


@dataclass(slots=True, eq=False)
class PendingResponse:
    """A response in progress."""

    visitor: Visitor
    work: asyncio.Task[LongAnswer]
    begun: asyncio.Event
    expiry: asyncio.TimerHandle | None = None  # when no client waits for it any more

    def cancel_unless_begun(self) -> None:
        if not self.begun.is_set():
            self.work.cancel()


@dataclass(slots=True)
class LongRequests:
    """Answers long requests through the pool."""

    pool: Pool
    views: LongViews  # the views that take long
    visitor_of: Callable[[Mapping[str, Any]], Awaitable[Visitor]]  # the visitor that a request is charged to
    pages: dict[PageKey, PendingResponse] = field(default_factory=dict)

    async def answer(
        self, view: LongView, environ: Mapping[str, Any], body: IO[bytes], gone: Awaitable[object]
    ) -> LongAnswer:
        """Return the answer of the pool; raise EarlyResponseError or ClientDisconnectedError.

        gone: done when the client has disconnected.
        """
        key = _page_key(environ) if view.alone else None
        pending = self.pages.get(key) if key else None
        if pending is None:
            pending = await self._begin(environ, BytesIO() if key else body)
        left = asyncio.ensure_future(gone)
        try:
            await asyncio.wait(
                {pending.work, left},
                timeout=PAGE_SECONDS if key else RESPONSE_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            left.cancel()
            if key:
                self._cache(key, pending)
            elif not pending.work.done():
                pending.cancel_unless_begun()
        if left.done() and not left.cancelled() and not pending.work.done():
            raise ClientDisconnectedError
        if not pending.work.done():
            raise EarlyResponseError("coming" if key else "many")
        if key:
            self._forget(key, pending)
        return await self._result(pending)

    async def _begin(self, environ: Mapping[str, Any], body: IO[bytes]) -> PendingResponse:
        begun = asyncio.Event()
        visitor = await self.visitor_of(environ)
        return PendingResponse(visitor, asyncio.create_task(self.pool.answer(visitor, environ, body, begun)), begun)

    async def _result(self, pending: PendingResponse) -> LongAnswer:
        try:
            return pending.work.result()
        except QueueFullError:
            await asyncio.sleep(REFUSAL_DELAY_SECONDS)
            raise EarlyResponseError("many") from None
        except TooMuchDebtError as debt:
            await asyncio.sleep(REFUSAL_DELAY_SECONDS)
            raise EarlyResponseError("many", debt.seconds) from None
        except OverLimitError:
            raise EarlyResponseError("limit") from None
        except (MemberLostError, asyncio.CancelledError):
            raise EarlyResponseError("lost") from None

    def _cache(self, key: PageKey, pending: PendingResponse) -> None:
        """Cache a page until its next request, or until it expires.

        If the cache is full, drop the oldest page of the visitor with the most pages.
        """
        self._forget(key, pending)
        while len(self.pages) >= MAX_CACHED_PAGES:
            [(most, _)] = Counter(pending.visitor for pending in self.pages.values()).most_common(1)
            self._drop(*next((key, cached) for key, cached in self.pages.items() if cached.visitor == most))
        self.pages[key] = pending
        pending.expiry = asyncio.get_running_loop().call_later(CACHE_SECONDS, self._drop, key, pending)

    def _drop(self, key: PageKey, pending: PendingResponse) -> None:
        self._forget(key, pending)
        pending.cancel_unless_begun()

    def _forget(self, key: PageKey, pending: PendingResponse) -> None:
        if pending.expiry is not None:
            pending.expiry.cancel()
        if self.pages.get(key) is pending:
            del self.pages[key]


def _page_key(environ: Mapping[str, Any]) -> PageKey | None:
    """Return a key of the page and the client; None if a browser does not show the response as a page."""
    if environ["REQUEST_METHOD"] != "GET" or "text/html" not in environ.get("HTTP_ACCEPT", ""):
        return None
    return tuple(
        environ.get(name, "")
        for name in (
            "PATH_INFO",
            "QUERY_STRING",
            "HTTP_HOST",
            "HTTP_COOKIE",
            "HTTP_AUTHORIZATION",
            "HTTP_ACCEPT_LANGUAGE",
            "HTTP_ACCEPT_ENCODING",
            "HTTP_IF_NONE_MATCH",
            ORIGIN,
        )
    )
