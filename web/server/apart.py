"""Long requests of a server: handed to the pool, and what is answered until the answer is there.

A program waits, which costs no thread. A page says that it is coming and asks again by itself; meanwhile it is made,
and kept for who asked. Whoever asks for more than their share is told so, after a while: to ask at once again would
cost everybody something.
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

PAGE_SECONDS = 3.0  # for a page, before it says that it is coming
PATIENCE_SECONDS = 60.0  # for whoever waits for the answer itself
KEPT_SECONDS = 20.0  # for a page that is there or coming, since it was last asked for
KEPT_PAGES = 32
REFUSED_SECONDS = 2.0

ORIGIN = "daybook.origin"  # in a request's environ: the client's address

PageKey = tuple[str, ...]


class ClientDisconnectedError(Exception):
    """The client has disconnected."""


class EarlyResponseError(Exception):
    """What to answer instead: "coming", "many", "lost", "limit".

    seconds: until the client may try again, unless that is always the same.
    """

    def __init__(self, what: str, seconds: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.seconds = seconds


@dataclass(slots=True, eq=False)
class Coming:
    """A response in progress. ends: when no client waits for it any more."""

    visitor: Visitor
    work: asyncio.Task[LongAnswer]
    begun: asyncio.Event
    ends: asyncio.TimerHandle | None = None

    def leave(self) -> None:
        """Nobody wants it any more: what has not begun does not begin."""
        if not self.begun.is_set():
            self.work.cancel()


@dataclass(slots=True)
class Apart:
    """Long requests. views: what takes long; visitor_of: whose slot a request takes."""

    pool: Pool
    views: LongViews
    visitor_of: Callable[[Mapping[str, Any]], Awaitable[Visitor]]
    pages: dict[PageKey, Coming] = field(default_factory=dict)

    async def answer(
        self, view: LongView, environ: Mapping[str, Any], body: IO[bytes], gone: Awaitable[object]
    ) -> LongAnswer:
        """Return the answer of the pool; raise EarlyResponseError or ClientDisconnectedError.

        gone: done when the client has disconnected.
        """
        key = _page_key(environ) if view.alone else None
        coming = self.pages.get(key) if key else None
        if coming is None:
            coming = await self._begin(environ, BytesIO() if key else body)
        left = asyncio.ensure_future(gone)
        try:
            await asyncio.wait(
                {coming.work, left},
                timeout=PAGE_SECONDS if key else PATIENCE_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            left.cancel()
            if key:
                self._keep(key, coming)
            elif not coming.work.done():
                coming.leave()
        if left.done() and not left.cancelled() and not coming.work.done():
            raise ClientDisconnectedError
        if not coming.work.done():
            raise EarlyResponseError("coming" if key else "many")
        if key:
            self._forget(key, coming)
        return await self._result(coming)

    async def _begin(self, environ: Mapping[str, Any], body: IO[bytes]) -> Coming:
        begun = asyncio.Event()
        visitor = await self.visitor_of(environ)
        return Coming(visitor, asyncio.create_task(self.pool.answer(visitor, environ, body, begun)), begun)

    async def _result(self, coming: Coming) -> LongAnswer:
        try:
            return coming.work.result()
        except QueueFullError:
            await asyncio.sleep(REFUSED_SECONDS)
            raise EarlyResponseError("many") from None
        except TooMuchDebtError as debt:
            await asyncio.sleep(REFUSED_SECONDS)
            raise EarlyResponseError("many", debt.seconds) from None
        except OverLimitError:
            raise EarlyResponseError("limit") from None
        except (MemberLostError, asyncio.CancelledError):
            raise EarlyResponseError("lost") from None

    def _keep(self, key: PageKey, coming: Coming) -> None:
        """Until it is asked for again, or was not for long. Where there are many, one of who has most goes: the one that
        was kept longest."""
        self._forget(key, coming)
        while len(self.pages) >= KEPT_PAGES:
            [(most, _)] = Counter(coming.visitor for coming in self.pages.values()).most_common(1)
            self._drop(*next((key, other) for key, other in self.pages.items() if other.visitor == most))
        self.pages[key] = coming
        coming.ends = asyncio.get_running_loop().call_later(KEPT_SECONDS, self._drop, key, coming)

    def _drop(self, key: PageKey, coming: Coming) -> None:
        self._forget(key, coming)
        coming.leave()

    def _forget(self, key: PageKey, coming: Coming) -> None:
        if coming.ends is not None:
            coming.ends.cancel()
        if self.pages.get(key) is coming:
            del self.pages[key]


def _page_key(environ: Mapping[str, Any]) -> PageKey | None:
    """What tells a page from others, and who asks from others; None for what is no page that is looked at."""
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
