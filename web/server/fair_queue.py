"""Fair admission of work: slots go to the clients that used the least CPU time, and round-robin among equals."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from daybook.services.cpu_debts import CpuDebts, Visitor


class QueueFullError(Exception):
    """The queue, or this client's share of it, is full; nothing was done."""


Item = TypeVar("Item")


class HolderQueue(Generic[Item]):
    """Waiting items of one address. The holder with the least debt comes first, then the one served longest ago."""

    def __init__(self, address: str, debts: CpuDebts) -> None:
        self._address = address
        self._debts = debts
        self._queues: OrderedDict[str, deque[Item]] = OrderedDict()  # served longest ago first

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def count(self, holder: str) -> int:
        return len(self._queues.get(holder, ()))

    def append(self, holder: str, item: Item) -> None:
        self._queues.setdefault(holder, deque()).append(item)

    def pop_next(self) -> tuple[str, Item]:
        holder = min(self._queues, key=lambda holder: self._debts.of_visitor(Visitor(self._address, holder)))
        queue = self._queues[holder]
        item = queue.popleft()
        self._queues.move_to_end(holder)
        if not queue:
            del self._queues[holder]
        return holder, item

    def pop_of_longest(self) -> Item:
        """Remove the newest item of the holder with the most items."""
        holder = max(self._queues, key=self.count)
        item = self._queues[holder].pop()
        if not self._queues[holder]:
            del self._queues[holder]
        return item

    def longest(self) -> int:
        return max(map(len, self._queues.values()), default=0)

    def remove(self, holder: str, item: Item) -> None:
        """Remove an item if it still waits."""
        queue = self._queues.get(holder)
        if queue is not None and item in queue:
            queue.remove(item)
            if not queue:
                del self._queues[holder]


class FairQueue:
    """Limit concurrent and waiting work, in total and per client.

    Args:
        slots: concurrent jobs in total. Addresses with a large debt leave one of several to all others.
        slots_per_address: concurrent jobs of one address.
        queue_limit: waiting jobs in total.
        queue_limit_per_holder: waiting jobs of one holder at an address.
    """

    def __init__(
        self,
        slots: int,
        slots_per_address: int,
        queue_limit: int,
        queue_limit_per_holder: int,
        debts: CpuDebts | None = None,
    ) -> None:
        self.debts = debts or CpuDebts()
        self.free_slots = slots
        self.slots_of_heavy = max(slots - 1, 1)
        self.slots_per_address = slots_per_address
        self.queue_limit = queue_limit
        self.queue_limit_per_holder = queue_limit_per_holder
        self._running = Counter[str]()
        self._queues: OrderedDict[str, HolderQueue[asyncio.Future[None]]] = OrderedDict()  # served longest ago first

    @asynccontextmanager
    async def slot(self, visitor: Visitor) -> AsyncIterator[None]:
        """Hold a slot inside the block; wait for it if necessary. Raises QueueFullError, TooMuchDebtError."""
        self.debts.refuse_debtor(visitor)
        await self._acquire(visitor)
        try:
            yield
        finally:
            self._release(visitor.address)

    def queue_length(self) -> int:
        return sum(map(len, self._queues.values()))

    async def _acquire(self, visitor: Visitor) -> None:
        address, holder = visitor
        if self._can_begin(address):
            self._begin(address)
            return
        queue = self._queues.get(address) or HolderQueue(address, self.debts)
        if queue.count(holder) >= self.queue_limit_per_holder:
            raise QueueFullError
        if self.queue_length() >= self.queue_limit:
            self._refuse_another(visitor)
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(address, queue).append(holder, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._remove(visitor, turn)
            else:  # the slot was granted while the client disconnected
                self._release(address)
            raise

    def _can_begin(self, address: str) -> bool:
        if self.free_slots <= 0 or self._running[address] >= self.slots_per_address:
            return False
        if not self.debts.is_heavy(address):
            return True
        running = sum(count for waiting_address, count in self._running.items() if self.debts.is_heavy(waiting_address))
        return running < self.slots_of_heavy

    def _begin(self, address: str) -> None:
        self.free_slots -= 1
        self._running[address] += 1

    def _release(self, address: str) -> None:
        self.free_slots += 1
        self._running[address] -= 1
        if not self._running[address]:
            del self._running[address]
        for waiting_address in sorted(self._queues, key=self.debts.of_address):
            if self._can_begin(waiting_address):
                self._grant(waiting_address)

    def _grant(self, address: str) -> None:
        """Give a slot to the next job of an address."""
        queue = self._queues[address]
        while queue:
            _, turn = queue.pop_next()
            if not turn.done():
                self._begin(address)
                turn.set_result(None)
                break
        self._queues.move_to_end(address)
        if not queue:
            del self._queues[address]

    def _remove(self, visitor: Visitor, turn: asyncio.Future[None]) -> None:
        queue = self._queues.get(visitor.address)
        if queue is not None:
            queue.remove(visitor.holder, turn)
            if not queue:
                del self._queues[visitor.address]

    def _refuse_another(self, visitor: Visitor) -> None:
        """Refuse the newest job of the address with the longest queue; raise QueueFullError if none has more waiting."""
        largest = max(self._queues, key=lambda address: len(self._queues[address]))
        queue = self._queues[largest]
        own = self._queues.get(visitor.address)
        if largest == visitor.address:
            has_less = queue.count(visitor.holder) + 1 < queue.longest()
        else:
            has_less = (len(own) if own else 0) + 1 < len(queue)
        if not has_less:
            raise QueueFullError
        queue.pop_of_longest().set_exception(QueueFullError())
        if not queue:
            del self._queues[largest]
