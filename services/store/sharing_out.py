"""Work on many independent games in parallel processes of this machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import TypeVar
from uuid import UUID

from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook, with_long_timeouts

GAMES_PER_PIECE = 16  # a piece of work writes its rows in one transaction

T = TypeVar("T")
Work = Callable[[Daybook, Sequence[UUID]], T]  # on a piece; for other processes a function of a module, or a partial


class ProcessLostError(Exception):
    """A worker process was killed: try again, with fewer workers if memory ran out."""

    def __init__(self) -> None:
        super().__init__("a process was ended from outside; if the machine lacked memory, use fewer workers")


def run_in_pieces(book: Daybook, work: Work[T], ids: Sequence[UUID], workers: int = 1) -> Iterator[tuple[int, T]]:
    """Do work on games in pieces; yield the number of games and the result of each piece, in any order.

    workers: number of processes; 1: this process. Raises what the work raises, and ProcessLostError.
    """
    pieces = [ids[start : start + GAMES_PER_PIECE] for start in range(0, len(ids), GAMES_PER_PIECE)]
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

    # Forked from a process that has imported the work and opened nothing: connections cannot be used after a fork.
    context = get_context("forkserver")
    context.set_forkserver_preload([getattr(work, "func", work).__module__])
    pool = ProcessPoolExecutor(workers, context, _begin, (settings,))
    under_way: set[Future[tuple[int, T]]] = set()
    try:
        for piece in pieces:
            under_way.add(pool.submit(_piece, work, piece))
            if len(under_way) >= 2 * workers:
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        yield from (future.result() for future in under_way)
    except BrokenProcessPool as lost:
        raise ProcessLostError from lost
    finally:
        pool.shutdown(cancel_futures=True)


_opened: Callable[[], Daybook]  # in a worker process


def _begin(settings: Settings) -> None:
    """Prepare a pool process: watch the parent, open the service at the first piece."""
    global _opened
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _opened = cache(partial(open_daybook, with_long_timeouts(settings)))


def _end_with_parent() -> None:
    """End with the parent process: a worker would wait for work permanently."""
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
        os._exit(1)


def _piece(work: Work[T], piece: Sequence[UUID]) -> tuple[int, T]:
    """Run the work on a piece of the ids; return its size and the answer."""
    return len(piece), work(_opened(), piece)  # an error of opening is one of the work
