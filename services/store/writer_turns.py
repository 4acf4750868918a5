"""Turns of the writers of an SQLite file, in all threads and processes.

SQLite lets a writer sleep for up to 100 ms between attempts, so a process that writes without a pause can starve others for
seconds. Here a writer first locks the gate, then the file, and then frees the gate. The next writer holds the gate while
the present one writes, so no process is passed over. This lock only orders the writers; SQLite's own lock protects the file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from daybook.services.store.sqlite import IN_BROWSER, LOCK_TIMEOUT_SECONDS

if not IN_BROWSER:
    import fcntl

LOCK_RETRY_SECONDS = 0.001


class WriterTurns:
    """Two lock files next to a database file: the gate for the next writer, and one for the present writer."""

    def __init__(self, database: Path) -> None:
        self._paths = database.with_suffix(".next.lock"), database.with_suffix(".write.lock")
        self._files: tuple[int, int] | None = None
        self._threads = Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the writers' lock inside the block. After LOCK_TIMEOUT_SECONDS the block runs without it."""
        deadline = time.monotonic() + LOCK_TIMEOUT_SECONDS
        is_first = self._threads.acquire(timeout=LOCK_TIMEOUT_SECONDS)
        try:
            files = self._open() if is_first else None
            if files is None:
                yield
                return
            gate, file = files
            try:
                _lock(gate, deadline)
                _lock(file, deadline)
                fcntl.flock(gate, fcntl.LOCK_UN)
                yield
            finally:
                for lock_file in files:
                    fcntl.flock(lock_file, fcntl.LOCK_UN)
        finally:
            if is_first:
                self._threads.release()

    def close(self) -> None:
        files, self._files = self._files, None
        for file in files or ():
            os.close(file)

    def _open(self) -> tuple[int, int] | None:
        """Open the lock files. Return None if that fails, as in a missing folder."""
        if self._files is None and not IN_BROWSER:
            with suppress(OSError):
                gate, file = (os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600) for path in self._paths)
                self._files = gate, file
        return self._files


def _lock(file: int, deadline: float) -> None:
    """Lock a file, or give up at the deadline."""
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return
            time.sleep(LOCK_RETRY_SECONDS)
        else:
            return
