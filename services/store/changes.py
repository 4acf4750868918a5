"""A cache of values read from a database, valid until the next commit of any process."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, cast

from cachetools import LRUCache

from daybook.services.store.sqlite import connect

CACHE_SIZE = 20_000  # answers

A = TypeVar("A")


class FileChanges:
    """A number that changes with every commit of any other connection to an SQLite file. Threads may share it.

    `PRAGMA data_version` takes two microseconds, on a connection of its own.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.lock = Lock()
        self._connection: Any = None

    @property
    def connection(self) -> Any:
        """The connection, opened at first use: the file may not exist yet."""
        if self._connection is None:
            self._connection = connect(self.file, "NORMAL")
        return self._connection

    def version(self) -> int:
        """Return the current number. Call it with the lock."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        with self.lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


class QueryCache:
    """Answers from a database, valid until any process writes to it. Threads may share it.

    changes: of its file; None: nothing tells of them, so every answer is read again.
    """

    def __init__(self, changes: FileChanges | None) -> None:
        self.changes = changes
        self._version = -1
        self._answers: LRUCache[Hashable, Any] = LRUCache(CACHE_SIZE)

    def get(self, question: Hashable, read: Callable[[], A]) -> A:
        """Return the answer to a question, which `read` reads from the database. Do not change it."""
        if self.changes is None:
            return read()
        with self.changes.lock:
            version = self.changes.version()
            if version != self._version:
                self._answers.clear()
                self._version = version
            elif question in self._answers:
                return cast(A, self._answers[question])
        answer = read()  # may be newer than the version: then the next question finds another version
        with self.changes.lock:
            if self._version == version:
                self._answers[question] = answer
        return answer

    def close(self) -> None:
        if self.changes is not None:
            self.changes.close()
