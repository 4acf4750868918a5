"""Threads that answer requests: each address has a share of them, and addresses with a large debt a share in total.

Requests that only read get some of the threads: recording waits for at most these, however many watch.

A thread that has answered takes the next request itself: the event loop would take longer to hand it over than most
answers take.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from daybook.services.cpu_debts import CpuDebts, Visitor
from daybook.web.server.fair_queue import HolderQueue, QueueFullError

Answer = TypeVar("Answer")

CHARGED_SECONDS = 0.005  # of CPU time; what takes less is charged to the address only


class Work(NamedTuple, Generic[Answer]):
    address: str
    call: Callable[[], Answer]
    holder: Callable[[], str]
    is_read: bool


class Shares(Generic[Answer]):
    """Run work in threads, with a share for each address.

    Args:
        threads_per_address: threads for one address at once; one while more than `long_queue` of its requests wait.
        queue_limit_per_holder: waiting requests of one holder at an address.
        threads_of_heavy: threads for all addresses with a large debt together.
        threads_of_reads: threads for all requests that only read.
    """

    def __init__(
        self,
        threads: ThreadPoolExecutor,
        threads_per_address: int,
        long_queue: int,
        queue_limit_per_holder: int,
        threads_of_heavy: int,
        threads_of_reads: int,
        debts: CpuDebts | None = None,
    ) -> None:
        self.threads = threads
        self.threads_per_address = threads_per_address
        self.long_queue = long_queue
        self.queue_limit_per_holder = queue_limit_per_holder
        self.threads_of_heavy = threads_of_heavy
        self.threads_of_reads = threads_of_reads
        self.debts = debts or CpuDebts()
        self._running = Counter[str]()
        self._running_heavy = 0
        self._running_reads = 0
        self._reads = deque[
            tuple[Future[Answer], Work[Answer], bool]
        ]()  # reads that wait for a thread of `threads_of_reads`
        self._queues: dict[str, HolderQueue[tuple[Future[Answer], Work[Answer]]]] = {}
        self._delayed = set[str]()  # addresses that wait for a thread of `threads_of_heavy`
        self._lock = Lock()

    def submit(
        self, address: str, call: Callable[[], Answer], holder: Callable[[], str] = str, is_read: bool = False
    ) -> Future[Answer]:
        """Run work for an address. Raises QueueFullError.

        holder: tells requests of one address apart; called only if they wait or take long.
        """
        work = Work(address, call, holder, is_read)
        waits = self._running.get(address, 0) >= self.threads_per_address or self.debts.is_heavy(address)
        name = holder() if waits else ""
        with self._lock:
            is_heavy = self.debts.is_heavy(address)
            if not self._can_begin(address, is_heavy):
                queue = self._queues.setdefault(address, HolderQueue(address, self.debts))
                if queue.count(name) >= self.queue_limit_per_holder:
                    raise QueueFullError
                turn: Future[Answer] = Future()
                queue.append(name, (turn, work))
                if is_heavy:
                    self._delayed.add(address)
                return turn
            self._count_start(address, is_heavy)
        return self._begin(work, is_heavy)

    def close(self) -> None:
        """Finish running work and forget the rest."""
        with self._lock:
            self._queues.clear()
            self._delayed.clear()
            self._reads.clear()
        self.threads.shutdown()

    def _can_begin(self, address: str, is_heavy: bool) -> bool:
        limit = 1 if len(self._queues.get(address, ())) > self.long_queue else self.threads_per_address
        return self._running[address] < limit and not (is_heavy and self._running_heavy >= self.threads_of_heavy)

    def _count_start(self, address: str, is_heavy: bool) -> None:
        self._running[address] += 1
        self._running_heavy += is_heavy

    def _begin(self, work: Work[Answer], is_heavy: bool) -> Future[Answer]:
        if work.is_read:
            with self._lock:
                if self._running_reads >= self.threads_of_reads:
                    turn: Future[Answer] = Future()
                    self._reads.append((turn, work, is_heavy))
                    return turn
                self._running_reads += 1
        return self._start(work, is_heavy)

    def _start(self, work: Work[Answer], is_heavy: bool) -> Future[Answer]:
        running = self.threads.submit(self._run, work)
        running.add_done_callback(lambda _: self._continue(work, is_heavy))
        return running

    def _run(self, work: Work[Answer]) -> Answer:
        began = time.thread_time()
        try:
            return work.call()
        finally:
            seconds = time.thread_time() - began
            holder = work.holder() if seconds > CHARGED_SECONDS else ""
            self.debts.charge(Visitor(work.address, holder), seconds)

    def _continue(self, done: Work[Answer], was_heavy: bool) -> None:
        """Begin what waits for the thread, after all that waits for any thread already."""
        begun, address, next_read = [], done.address, None
        with self._lock:
            if done.is_read:
                next_read = self._reads.popleft() if self._reads else None
                self._running_reads -= next_read is None
            self._running[address] -= 1
            self._running_heavy -= was_heavy
            for other in (address, *sorted(self._delayed - {address}, key=self.debts.of_address)):
                begun += self._take(other)
            if not self._running[address]:
                del self._running[address]
        if next_read is not None:
            turn, work, is_heavy = next_read
            self._start(work, is_heavy).add_done_callback(partial(_pass_on, turn=turn))
        for turn, work, is_heavy in begun:
            self._begin(work, is_heavy).add_done_callback(partial(_pass_on, turn=turn))

    def _take(self, address: str) -> list[tuple[Future[Answer], Work[Answer], bool]]:
        """Return what an address may begin now."""
        taken = []
        queue = self._queues.get(address)
        is_heavy = self.debts.is_heavy(address)
        while queue and self._can_begin(address, is_heavy):
            _, (turn, work) = queue.pop_next()
            self._count_start(address, is_heavy)
            taken.append((turn, work, is_heavy))
        if not queue:
            self._queues.pop(address, None)
            self._delayed.discard(address)
        elif is_heavy:
            self._delayed.add(address)
        return taken


def _pass_on(done: Future[Answer], turn: Future[Answer]) -> None:
    """Give the result of work to its waiter, unless that has disconnected."""
    if not turn.set_running_or_notify_cancel():
        return
    if error := done.exception():
        turn.set_exception(error)
    else:
        turn.set_result(done.result())
