"""Threads that answer requests, with a share of them for each address: what it asks beyond that waits in a line of its own.

A thread that has answered takes the next request itself: to have the event loop hand it over would cost more than most
answers do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Generic, TypeVar

from daybook.web.server.places import Full, HolderQueue

Answer = TypeVar("Answer")


class Shares(Generic[Answer]):
    """of_one: threads that work for an address at once, a single one while more than `long` of its requests wait;
    waiting: how many of one holder there may wait."""

    def __init__(self, threads: ThreadPoolExecutor, of_one: int, long: int, waiting: int) -> None:
        self.threads = threads
        self.of_one = of_one
        self.long = long
        self.waiting = waiting
        self._busy = Counter[str]()
        self._lines: dict[str, HolderQueue[tuple[Future[Answer], Callable[[], Answer]]]] = {}
        self._lock = Lock()

    def submit(self, who: str, work: Callable[[], Answer], holder: Callable[[], str] = str) -> Future[Answer]:
        """Have work done for an address. Raises Full.

        holder: tells requests of one address apart; called only if they wait, which they do in turns.
        """
        whose = holder() if self._busy.get(who, 0) >= self.of_one else ""
        with self._lock:
            if self._busy[who] >= self.of_one:
                line = self._lines.setdefault(who, HolderQueue())
                if line.count(whose) >= self.waiting:
                    raise Full
                turn: Future[Answer] = Future()
                line.append(whose, (turn, work))
                return turn
            self._busy[who] += 1
        return self._begin(who, work)

    def close(self) -> None:
        """Finish what has begun; nobody waits for the rest any more."""
        with self._lock:
            self._lines.clear()
        self.threads.shutdown()

    def _begin(self, who: str, work: Callable[[], Answer]) -> Future[Answer]:
        begun = self.threads.submit(work)
        begun.add_done_callback(lambda _: self._go_on(who))
        return begun

    def _go_on(self, who: str) -> None:
        """The next in line of an address, after whatever else waits for a thread."""
        begun = []
        with self._lock:
            line = self._lines.get(who) or HolderQueue()
            self._busy[who] -= 1
            while line and self._busy[who] < (1 if len(line) > self.long else self.of_one):
                begun.append(line.popleft())
                self._busy[who] += 1
            if not line:
                self._lines.pop(who, None)
            if not self._busy[who]:
                del self._busy[who]
        for turn, work in begun:
            self._begin(who, work).add_done_callback(partial(_pass_on, turn=turn))


def _pass_on(done: Future[Answer], turn: Future[Answer]) -> None:
    """What came of work, to who waited for their turn; they may have gone."""
    if not turn.set_running_or_notify_cancel():
        return
    if wrong := done.exception():
        turn.set_exception(wrong)
    else:
        turn.set_result(done.result())
