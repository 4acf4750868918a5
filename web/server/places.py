"""Places for work, taken in turns: whoever asks comes after one request of each other who waits, not after all of them.

Used in an event loop, where waiting costs nothing but a little memory.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Full(Exception):
    """So many wait already, in all or of this one; nothing was done."""


class Places:
    """So many at once in all, and of one who asks; so many that wait, in all and of one."""

    def __init__(self, places: int, of_one: int, waiting: int, waiting_of_one: int) -> None:
        self.free = places
        self.of_one = of_one
        self.waiting = waiting
        self.waiting_of_one = waiting_of_one
        self._busy: Counter[str] = Counter()
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # who is next stands first

    @asynccontextmanager
    async def place(self, who: str) -> AsyncIterator[None]:
        """A place for who asks, once it is their turn. Raises Full."""
        await self._take(who)
        try:
            yield
        finally:
            self._release(who)

    def count_waiting(self) -> int:
        return sum(map(len, self._lines.values()))

    async def _take(self, who: str) -> None:
        if self._may_begin(who):
            self._begin(who)
            return
        if self.count_waiting() >= self.waiting or len(self._lines.get(who, ())) >= self.waiting_of_one:
            raise Full
        turn = asyncio.get_running_loop().create_future()
        self._lines.setdefault(who, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._leave(who, turn)
            else:  # it was this one's turn just then
                self._release(who)
            raise

    def _may_begin(self, who: str) -> bool:
        return self.free > 0 and self._busy[who] < self.of_one

    def _begin(self, who: str) -> None:
        self.free -= 1
        self._busy[who] += 1

    def _release(self, who: str) -> None:
        self.free += 1
        self._busy[who] -= 1
        if not self._busy[who]:
            del self._busy[who]
        for next_one in [*self._lines]:
            if self._may_begin(next_one):
                self._call(next_one)

    def _call(self, who: str) -> None:
        """The first in somebody's line may begin; the next of theirs comes after all others."""
        turn = next((turn for turn in self._lines[who] if not turn.done()), None)
        if turn is not None:
            self._begin(who)
            turn.set_result(None)
            self._leave(who, turn)
            if who in self._lines:
                self._lines.move_to_end(who)

    def _leave(self, who: str, turn: asyncio.Future[None]) -> None:
        line = self._lines.get(who, deque())
        if turn in line:
            line.remove(turn)
        if who in self._lines and not line:
            del self._lines[who]
