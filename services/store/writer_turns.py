"""Turns of the writers of an SQLite file, in all threads and processes.

SQLite makes a waiting writer sleep for up to 100 ms before it tries again. A process that writes without a pause could
keep the others waiting for seconds. With turns, a writer first locks the gate and then the file. After a write, the next
writer already holds the gate, so every process gets its turn. Turns only order the writers: SQLite's own lock protects the
file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock

from daybook.services.store import sqlite

if not sqlite.IN_BROWSER:
    import fcntl

POLL_SECONDS = 0.001  # between two attempts to lock a file that another process has locked


class WriterTurns:
    """Two lock files next to a database file: the gate for the next writer, the other for the present writer."""

    def __init__(self, database: Path) -> None:
        self._gate, self._turn = database.with_suffix(".next.lock"), database.with_suffix(".write.lock")
        self._threads = Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Run the block when it is this thread's turn, at the latest after LOCK_TIMEOUT_SECONDS."""
        deadline = time.monotonic() + sqlite.LOCK_TIMEOUT_SECONDS
        with ExitStack() as stack:
            if self._threads.acquire(timeout=sqlite.LOCK_TIMEOUT_SECONDS):
                stack.callback(self._threads.release)
                if not sqlite.IN_BROWSER:
                    self._take_turn(stack, deadline)
            yield

    def _take_turn(self, stack: ExitStack, deadline: float) -> None:
        """Lock the files until `stack` ends. Without a folder for them, take no turn.

        Each turn opens the files: a lock belongs to the open file, which a forked process would share.
        """
        try:
            gate, turn = _open(self._gate, stack), _open(self._turn, stack)
        except OSError:
            return
        _lock(gate, deadline)
        _lock(turn, deadline)
        fcntl.flock(gate, fcntl.LOCK_UN)


def _open(path: Path, stack: ExitStack) -> int:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    stack.callback(os.close, file)
    return file


def _lock(file: int, deadline: float) -> None:
    """Lock a file, or give up at the deadline."""
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return
            time.sleep(POLL_SECONDS)
        else:
            return
