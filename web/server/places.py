"""Places for work, taken in turns: whoever asks comes after one request of each other who waits, not after all of them.

Used in an event loop, where waiting costs nothing but a little memory.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Generic, TypeVar


class Full(Exception):
    """So many wait already, in all or of this one; nothing was done."""


T = TypeVar("T")


class HolderQueue(Generic[T]):
    """What waits of one address: one of each holder in turn, so that no phone of a club waits behind all of another."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[T]] = OrderedDict()  # the next holder first

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def count(self, holder: str) -> int:
        return len(self._lines.get(holder, ()))

    def append(self, holder: str, item: T) -> None:
        self._lines.setdefault(holder, deque()).append(item)

    def popleft(self) -> T:
        holder, line = next(iter(self._lines.items()))
        item = line.popleft()
        self._lines.move_to_end(holder)
        if not line:
            del self._lines[holder]
        return item

    def pop_of_longest(self) -> T:
        """Remove what came last of the holder of whom most waits."""
        holder = max(self._lines, key=self.count)
        item = self._lines[holder].pop()
        if not self._lines[holder]:
            del self._lines[holder]
        return item

    def longest(self) -> int:
        return max(map(len, self._lines.values()), default=0)

    def remove(self, holder: str, item: T) -> None:
        """Remove an item, if it is there."""
        line = self._lines.get(holder)
        if line is not None and item in line:
            line.remove(item)
            if not line:
                del self._lines[holder]


class Places:
    """So many at once in all, and of one address; so many that wait, in all and of one holder there."""

    def __init__(self, places: int, of_one: int, waiting: int, waiting_of_one: int) -> None:
        self.free = places
        self.of_one = of_one
        self.waiting = waiting
        self.waiting_of_one = waiting_of_one
        self._busy: Counter[str] = Counter()
        self._lines: OrderedDict[str, HolderQueue[asyncio.Future[None]]] = OrderedDict()  # who is next stands first

    @asynccontextmanager
    async def place(self, who: str, holder: str = "") -> AsyncIterator[None]:
        """Hold a place inside the block, once it is the turn of an address and of a holder there. Raises Full."""
        await self._take(who, holder)
        try:
            yield
        finally:
            self._release(who)

    def count_waiting(self) -> int:
        return sum(map(len, self._lines.values()))

    async def _take(self, who: str, holder: str) -> None:
        if self._may_begin(who):
            self._begin(who)
            return
        line = self._lines.get(who) or HolderQueue()
        if line.count(holder) >= self.waiting_of_one:
            raise Full
        if self.count_waiting() >= self.waiting:
            self._refuse_another(who, holder)
        turn = asyncio.get_running_loop().create_future()
        self._lines.setdefault(who, line).append(holder, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._leave(who, holder, turn)
            else:  # the place was given while the client disconnected
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
        line = self._lines[who]
        while line:
            turn = line.popleft()
            if not turn.done():
                self._begin(who)
                turn.set_result(None)
                break
        self._lines.move_to_end(who)
        if not line:
            del self._lines[who]

    def _leave(self, who: str, holder: str, turn: asyncio.Future[None]) -> None:
        line = self._lines.get(who)
        if line is not None:
            line.remove(holder, turn)
            if not line:
                del self._lines[who]

    def _refuse_another(self, who: str, holder: str) -> None:
        """Refuse what came last of the address of which most waits; raises Full if no one has more than the newcomer."""
        largest = max(self._lines, key=lambda one: len(self._lines[one]))
        line = self._lines[largest]
        own = self._lines.get(who)
        if largest == who:
            has_less = line.count(holder) + 1 < line.longest()
        else:
            has_less = (len(own) if own else 0) + 1 < len(line)
        if not has_less:
            raise Full
        line.pop_of_longest().set_exception(Full())
        if not line:
            del self._lines[largest]
