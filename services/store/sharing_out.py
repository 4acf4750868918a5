"""Work on many games that are independent of one another, shared out among processes of this machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import TypeVar
from uuid import UUID

from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook, unhurried

GAMES_AT_ONCE = 16  # that are done in one piece, whose rows are written in one transaction

T = TypeVar("T")
Work = Callable[[Daybook, Sequence[UUID]], T]  # of one piece; for other processes a function of a module, or a partial


class ProcessLost(Exception):
    """A process that shared the work was ended from outside: try again, with fewer of them if memory ran out."""

    def __init__(self) -> None:
        super().__init__("a process was ended from outside; if the machine lacked memory, use fewer workers")


def share_out(book: Daybook, work: Work[T], ids: Sequence[UUID], workers: int = 1) -> Iterator[tuple[int, T]]:
    """Do work on games, a piece at a time: how many games a piece had, and what came of it, in any order.

    workers: processes to do it in; one: this. Raises what the work raises, and ProcessLost.
    """
    pieces = [ids[start : start + GAMES_AT_ONCE] for start in range(0, len(ids), GAMES_AT_ONCE)]
    if workers <= 1 or len(pieces) <= 1:
        for piece in pieces:
            yield len(piece), work(book, piece)
    else:
        yield from _in_processes(book.settings, work, pieces, workers)


def _in_processes(
    settings: Settings, work: Work[T], pieces: Sequence[Sequence[UUID]], workers: int
) -> Iterator[tuple[int, T]]:
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    # Forked from a process that has imported the work and opened nothing: connections that were opened before a fork
    # are of no use after it.
    context = get_context("forkserver")
    context.set_forkserver_preload([getattr(work, "func", work).__module__])
    pool = ProcessPoolExecutor(workers, context, _begin, (settings,))
    under_way: set[Future[tuple[int, T]]] = set()
    try:
        for piece in pieces:
            under_way.add(pool.submit(_piece, work, piece))
            if len(under_way) >= 2 * workers:
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                yield from (one.result() for one in done)
        yield from (one.result() for one in under_way)
    except BrokenProcessPool as lost:
        raise ProcessLost from lost
    finally:
        pool.shutdown(cancel_futures=True)


_opened: Callable[[], Daybook]  # of a process that others share work with


def _begin(settings: Settings) -> None:
    global _opened
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _opened = cache(partial(open_daybook, unhurried(settings)))


def _end_with_parent() -> None:
    """End when the process that started this one has: it would wait for work for ever."""
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
        os._exit(1)


def _piece(work: Work[T], piece: Sequence[UUID]) -> tuple[int, T]:
    return len(piece), work(_opened(), piece)  # what keeps it from being opened is told as what fails in the work
