"""Writing to the SQLite log: who comes while another commits is written by the next commit, together with all who wait.

A commit waits for the disk. So many that wait for one another would each wait for all before them; together they wait
once. Each is written whole or not at all, and none is answered before it is on disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from eventsourcing.persistence import DatabaseError, IntegrityError, OperationalError, StoredEvent

from daybook.services.store.sqlite import LOCK_TIMEOUT_SECONDS, connect, inode_of, sqlite

INSERT = "INSERT INTO games_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"


class WaitedTooLong(Exception):
    """Other threads of this process have been writing for too long; nothing was written."""


class CommitResult:
    """What one thread writes: the positions it got, or why it was not written."""

    def __init__(self, events: Sequence[StoredEvent]) -> None:
        self.rows = [
            (event.originator_id.hex, event.originator_version, event.topic, event.state)  # type: ignore[union-attr]
            for event in events
        ]
        self.positions: list[int] = []
        self.wrong: Exception | None = None
        self.is_over = False


class GroupCommit:
    """The one connection of a process that writes entries, and the queue before it. Threads may share it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._waiting: list[CommitResult] = []
        self._queue = Lock()  # for the list
        self._turn = Lock()  # for the connection
        self._connection: Any = None
        self._inode: int | None = None  # of the file that it has open

    def write(self, events: Sequence[StoredEvent]) -> list[int]:
        """Write entries, all or none; their positions. On disk when this returns.

        Raises IntegrityError, OperationalError, NotDurable, WaitedTooLong.
        """
        mine = CommitResult(events)
        with self._queue:
            self._waiting.append(mine)
        with self._my_turn(mine):
            if not mine.is_over:
                self._write_waiting()
        if mine.wrong is not None:
            raise mine.wrong
        return mine.positions

    def execute(self, statement: str, values: Sequence[Any]) -> None:
        """Commit a statement that writes no entry. Raises as `write` does."""
        with self._my_turn(None), self._transaction() as cursor:
            cursor.execute(statement, values)

    @contextmanager
    def _my_turn(self, mine: CommitResult | None) -> Iterator[None]:
        """Until the connection is free. Raises WaitedTooLong, unless it is just being written."""
        while not self._turn.acquire(timeout=LOCK_TIMEOUT_SECONDS):
            if mine is None:
                raise WaitedTooLong
            with self._queue:
                if mine in self._waiting:
                    self._waiting.remove(mine)
                    raise WaitedTooLong
        try:
            yield
        finally:
            self._turn.release()

    def _write_waiting(self) -> None:
        with self._queue:
            together, self._waiting = self._waiting, []
        wrong: Exception | None = OperationalError("broken off")  # by what is no error: the process ends
        try:
            self._commit(together)
            wrong = None
        except Exception as failed:  # told to each of them
            wrong = failed
        finally:
            for one in together:
                one.wrong, one.is_over = one.wrong or wrong, True

    @property
    def connection(self) -> Any:
        """Opened when it is first wanted: the file may not be there yet. Raises NotDurable, OperationalError."""
        if self._connection is not None and inode_of(self.file) != self._inode:
            raise OperationalError(f"{self.file} was removed or replaced: bring it back, and start Daybook again")
        if self._connection is None:
            self._connection, self._inode = connect(self.file, "FULL"), inode_of(self.file)
        return self._connection

    def _commit(self, together: Sequence[CommitResult]) -> None:
        with self._transaction() as cursor:
            for one in together:
                self._insert(cursor, one, apart=len(together) > 1 or len(one.rows) > 1)

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        connection = self.connection
        cursor = connection.cursor()
        try:
            cursor.execute("BEGIN IMMEDIATE")
            yield cursor
            cursor.execute("COMMIT")
        except sqlite.OperationalError as wrong:
            raise OperationalError(wrong) from wrong
        except sqlite.DatabaseError as wrong:
            raise DatabaseError(wrong) from wrong
        finally:
            if connection.in_transaction:
                cursor.execute("ROLLBACK")

    def _insert(self, cursor: Any, one: CommitResult, apart: bool) -> None:
        """Insert one's rows. apart: where one of them is refused, the others go, and what is written with them stays."""
        if apart:
            cursor.execute("SAVEPOINT one")
        try:
            for row in one.rows:
                cursor.execute(INSERT, row)
                one.positions.append(cursor.lastrowid)
        except sqlite.IntegrityError as wrong:
            one.wrong = IntegrityError(wrong)
            if apart:
                cursor.execute("ROLLBACK TO one")
        if apart:
            cursor.execute("RELEASE one")

    def close(self) -> None:
        with self._turn:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
