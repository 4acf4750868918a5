"""The event log in one SQLite file: the library's recorder on connections that flush every commit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Event
from typing import Any
from uuid import UUID

import eventsourcing.sqlite
from eventsourcing.persistence import ConnectionUnavailableError, Notification, OperationalError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment

from daybook.domain import tombstone
from daybook.services.store.compression import shipped_dictionaries
from daybook.services.store.disk import CannotWriteError, why_unwritten
from daybook.services.store.log import LAYOUT, LogBusyError, LogRecorder, LogState, count_entries
from daybook.services.store.log_signals import NewEntriesSignal
from daybook.services.store.sqlite import LOCK_TIMEOUT_SECONDS, connect, inode_of, is_busy, sqlite, weaknesses
from daybook.services.store.writer_turns import WriterTurns

# The library translates errors by their class. Without this line a version that is written twice raises the IntegrityError
# of `pysqlite3`, which `append` would not recognise as a conflict.
vars(eventsourcing.sqlite)["sqlite3"] = sqlite

POLL_SECONDS = 0.010  # PRAGMA data_version costs 2 us; 100 looks a second are about 1 % of a core
IDLE_LOOKS = 500  # without anything new; from then on a laptop at rest is looked at a fifth as often
HEX = re.compile("[0-9a-f]{32}")
POOLED_CONNECTIONS = 5  # more are opened under load and closed again
MAX_READERS = 65  # threads of the web server

IS_TOMBSTONE = f"topic IN {tombstone.TOPICS}"  # in SQL: ('game_erased', 'club_erased')
NEVER_REMOVED = f"""CREATE TRIGGER IF NOT EXISTS games_events_never_removed BEFORE DELETE ON games_events
       WHEN NOT EXISTS (SELECT 1 FROM games_events
                        WHERE originator_id = OLD.originator_id AND originator_version > OLD.originator_version
                          AND {IS_TOMBSTONE})
       BEGIN SELECT RAISE(ABORT, 'nothing is removed from the log but the lines of an erased record'); END"""
TABLES = (
    # The library's columns. The position is declared, under the name by which the library reads it, because SQLite would
    # use a position again after its row was erased.
    """CREATE TABLE IF NOT EXISTS games_events (
        rowid INTEGER PRIMARY KEY AUTOINCREMENT,
        originator_id TEXT NOT NULL,
        originator_version INTEGER NOT NULL CHECK (originator_version >= 1),
        topic TEXT NOT NULL,
        state BLOB NOT NULL,
        UNIQUE (originator_id, originator_version)
    ) STRICT""",
    """CREATE INDEX IF NOT EXISTS games_opened ON games_events (rowid, originator_id)
       WHERE originator_version = 1""",
    f"CREATE INDEX IF NOT EXISTS games_erased ON games_events (rowid, originator_id) WHERE {IS_TOMBSTONE}",
    """CREATE TRIGGER IF NOT EXISTS games_events_never_changed BEFORE UPDATE ON games_events
       BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END""",
    NEVER_REMOVED,
    # INSERT OR REPLACE removes rows without the trigger above.
    """CREATE TRIGGER IF NOT EXISTS games_events_never_replaced BEFORE INSERT ON games_events
       WHEN EXISTS (SELECT 1 FROM games_events WHERE rowid = NEW.rowid)
         OR EXISTS (SELECT 1 FROM games_events
                    WHERE originator_id = NEW.originator_id AND originator_version = NEW.originator_version)
       BEGIN SELECT RAISE(ABORT, 'this version is written already'); END""",
    f"""CREATE TRIGGER IF NOT EXISTS games_events_without_gaps BEFORE INSERT ON games_events
       WHEN NEW.originator_version > 1 AND NOT EXISTS (
         SELECT 1 FROM games_events
         WHERE originator_id = NEW.originator_id AND originator_version = NEW.originator_version - 1
           AND NOT {IS_TOMBSTONE})
       BEGIN SELECT RAISE(ABORT, 'the version before this one is missing, or the record was erased'); END""",
    """CREATE TRIGGER IF NOT EXISTS games_events_never_opened_again BEFORE INSERT ON games_events
       WHEN NEW.originator_version = 1
         AND EXISTS (SELECT 1 FROM games_events WHERE originator_id = NEW.originator_id)
       BEGIN SELECT RAISE(ABORT, 'this record is written already, or was erased'); END""",
    """CREATE TABLE IF NOT EXISTS dictionaries (
        number INTEGER PRIMARY KEY,
        content BLOB NOT NULL
    ) STRICT""",
    """CREATE TRIGGER IF NOT EXISTS dictionaries_never_changed BEFORE UPDATE ON dictionaries
       BEGIN SELECT RAISE(ABORT, 'a dictionary is never changed'); END""",
    """CREATE TRIGGER IF NOT EXISTS dictionaries_never_removed BEFORE DELETE ON dictionaries
       BEGIN SELECT RAISE(ABORT, 'entries are read with it permanently'); END""",
    # as above
    """CREATE TRIGGER IF NOT EXISTS dictionaries_never_replaced BEFORE INSERT ON dictionaries
       WHEN EXISTS (SELECT 1 FROM dictionaries WHERE number = NEW.number)
       BEGIN SELECT RAISE(ABORT, 'this number is taken'); END""",
    """CREATE TABLE IF NOT EXISTS log_state (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        history TEXT NOT NULL,
        kept_notes INTEGER NOT NULL,
        beat_at TEXT NOT NULL
    ) STRICT""",
)


class DurablePool(SQLiteConnectionPool):
    """Connections that flush every commit. Raises NotDurableError instead of a connection that does not."""

    def __init__(self, file: Path, create: bool, size: int, overflow: int) -> None:
        super().__init__(db_name=str(file), pool_size=size, max_overflow=overflow, pool_timeout=LOCK_TIMEOUT_SECONDS)
        self.file = file
        self.create = create
        self.inode: int | None = None  # of the file that the newest connection has open

    def _create_connection(self) -> SQLiteConnection:
        connection = connect(self.file, "FULL", self.create)
        self.inode = inode_of(self.file)
        connection.row_factory = sqlite.Row
        return SQLiteConnection(connection, max_age=None)


class LogDatastore(SQLiteDatastore):
    """A pool for the one writing connection, and one for reading: in the library's, readers queue behind writers.

    Several processes may write, in turns (`writer_turns`). No writes are grouped: with 8 threads the library's insert takes
    480 to 700 entries a second with p99 below 135 ms, and recording needs 300.
    """

    pool: DurablePool

    def __init__(self, file: Path, create: bool) -> None:
        super().__init__(str(file))
        self.file = file
        self.pool = DurablePool(file, create, size=1, overflow=0)
        self.reading = DurablePool(file, create, size=POOLED_CONNECTIONS, overflow=MAX_READERS - POOLED_CONNECTIONS)
        self.turns = WriterTurns(file)

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        pool = self.pool if commit else self.reading
        connection = pool.get_connection(is_writer=commit)
        try:
            with self.turns.turn() if commit else nullcontext():
                try:
                    yield connection
                finally:
                    connection.rollback()  # a commit that failed, as on a full disk, may have left its transaction open
        finally:
            pool.put_connection(connection)

    def refuse_replaced_file(self) -> None:
        """Raise OperationalError if the file was removed or replaced: commits to the old one would be lost."""
        if self.pool.inode not in (None, inode_of(self.file)):
            raise OperationalError(f"{self.file} was removed or replaced: bring it back, and start Daybook again")

    def close(self) -> None:
        super().close()
        self.reading.close()


class SQLiteLogRecorder(SQLiteApplicationRecorder, LogRecorder):
    """The library's recorder on our tables."""

    datastore: LogDatastore

    def __init__(self, datastore: LogDatastore) -> None:
        super().__init__(datastore, "games_events")
        self.insert_events_statement = (  # the library names no columns, and our table has one more
            "INSERT INTO games_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"
        )

    # --- the tables ---

    def construct_create_table_statements(self) -> list[str]:
        """Return our tables with their triggers instead of the library's table.

        The first statement writes: one that only looked for a table could not write after another process has.
        """
        return [f"PRAGMA user_version = {LAYOUT}", *TABLES]

    def create_table(self) -> None:
        """Leave tables of another layout alone, and store new dictionaries."""
        if self.layout() not in (0, LAYOUT):
            return
        super().create_table()
        missing = shipped_dictionaries().keys() - {*self.dictionary_numbers()}
        with self.datastore.transaction(commit=True) as c:
            for number in missing:
                statement = "INSERT INTO dictionaries SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM dictionaries WHERE number = ?)"
                c.execute(statement, (number, shipped_dictionaries()[number], number))

    def layout(self) -> int:
        return int(self._rows("PRAGMA user_version")[0][0])

    def dictionary_numbers(self) -> list[int]:
        return [number for (number,) in self._rows("SELECT number FROM dictionaries")]

    def dictionary(self, number: int) -> bytes | None:
        rows = self._rows("SELECT content FROM dictionaries WHERE number = ?", number)
        return rows[0][0] if rows else None

    # --- writing ---

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Insert as the library does; translate errors of the disk."""
        count_entries(stored_events)
        with _translate_refusal():
            self.datastore.refuse_replaced_file()
            return super().insert_events(stored_events, **kwargs)

    def remove_lines(self, originator_id: UUID) -> None:
        """Delete the lines before a tombstone, and overwrite them in the file."""
        self._delete(
            "DELETE FROM games_events WHERE originator_id = ? AND originator_version <"
            f" (SELECT originator_version FROM games_events WHERE originator_id = ? AND {IS_TOMBSTONE})",
            (originator_id.hex, originator_id.hex),
        )

    def remove(self, game_id: UUID) -> None:
        """Remove the record of a game permanently, and overwrite it in the file. Only for a device."""
        self._delete("DELETE FROM games_events WHERE originator_id = ?", (game_id.hex,), without_trigger=True)

    def _delete(self, statement: str, values: Sequence[Any], *, without_trigger: bool = False) -> None:
        with _translate_refusal(), self.datastore.transaction(commit=True) as c:
            if without_trigger:
                c.execute("DROP TRIGGER games_events_never_removed")
            c.execute(statement, values)
            if without_trigger:
                c.execute(NEVER_REMOVED)
        with self.datastore.get_connection(commit=True) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # --- reading ---

    def select_recorded(
        self,
        originator_id: UUID,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[Notification]:
        return self._notifications(
            "originator_id = ? AND originator_version > ? AND originator_version <= ?"
            f" ORDER BY originator_version {'DESC' if desc else 'ASC'} LIMIT ?",
            originator_id.hex,
            -1 if gt is None else gt,
            2**62 if lte is None else lte,
            -1 if limit is None else limit,
        )

    def select_positions(self, originator_id: UUID) -> list[int]:
        rows = self._rows(
            "SELECT rowid FROM games_events WHERE originator_id = ? ORDER BY originator_version", originator_id.hex
        )
        return [position for (position,) in rows]

    def select_tombstones(self) -> Sequence[Notification]:
        return self._notifications(f"{IS_TOMBSTONE} ORDER BY rowid")

    def select_largest(self, limit: int) -> list[tuple[UUID, int, int]]:
        rows = self._rows(
            "SELECT originator_id, count(*), sum(length(state)) AS size FROM games_events"
            " GROUP BY originator_id ORDER BY size DESC LIMIT ?",
            limit,
        )
        return [(UUID(originator_id), entries, size) for originator_id, entries, size in rows]

    def select_ids(self, first_topic: str = "") -> list[UUID]:
        rows = (
            self._rows(
                "SELECT originator_id FROM games_events WHERE originator_version = 1 AND topic = ? ORDER BY rowid",
                first_topic,
            )
            if first_topic
            else self._rows("SELECT originator_id FROM games_events GROUP BY originator_id ORDER BY min(rowid)")
        )
        return [
            UUID(originator_id) for (originator_id,) in rows if HEX.fullmatch(str(originator_id))
        ]  # a damaged id shows as a gap in its record

    def _notifications(self, condition: str, *values: Any) -> list[Notification]:
        rows = self._rows(
            f"SELECT rowid, originator_id, originator_version, topic, state FROM games_events WHERE {condition}",
            *values,
        )
        return [
            Notification(UUID(originator_id), version, topic, state, position)
            for position, originator_id, version, topic, state in rows
        ]

    def _rows(self, statement: str, *values: Any) -> list[Any]:
        with self.datastore.transaction(commit=False) as cursor:
            plain = cursor.sqlite_cursor
            plain.row_factory = None  # tuples
            return plain.execute(statement, values).fetchall()

    # --- the log as a whole ---

    def state(self) -> LogState | None:
        rows = self._rows("SELECT history, kept_notes, beat_at FROM log_state")
        return LogState(*rows[0]) if rows else None

    def begin_history(self, history: str) -> None:
        self._execute("INSERT INTO log_state VALUES (1, ?, 0, '') ON CONFLICT DO NOTHING", history)

    def note_kept(self, notes: int) -> None:
        self._execute("UPDATE log_state SET kept_notes = ?", notes)

    def beat(self, at: str) -> None:
        self._execute("UPDATE log_state SET beat_at = ?", at)

    def _execute(self, statement: str, *values: Any) -> None:
        with _translate_refusal():
            self.datastore.refuse_replaced_file()
            with self.datastore.transaction(commit=True) as c:
                c.execute(statement, values)

    def weaknesses(self) -> list[str]:
        with self.datastore.get_connection(commit=True) as connection:
            return weaknesses(connection.cursor().sqlite_cursor)

    # --- following ---

    def probe(self) -> int:
        return self.max_notification_id() or 0

    def listen(self, signal: NewEntriesSignal, stopped: Event) -> None:
        """Poll `PRAGMA data_version`, which changes when any other connection of any process has committed.

        The library's recorder for SQLite has no subscription.
        """
        connection = connect(self.datastore.file, "NORMAL")
        try:
            seen, idle_looks = -1, 0
            while not stopped.is_set():
                if signal.has_waiters.wait(POLL_SECONDS * 20):
                    version = connection.execute("PRAGMA data_version").fetchone()[0]
                    idle_looks += 1
                    if version != seen:
                        seen, idle_looks = version, 0
                        signal.notify()
                    stopped.wait(POLL_SECONDS if idle_looks < IDLE_LOOKS else POLL_SECONDS * 5)
        finally:
            connection.close()


@contextmanager
def _translate_refusal() -> Iterator[None]:
    """Raise LogBusyError or CannotWriteError for the errors of SQLite and of the queue before it."""
    try:
        yield
    except ConnectionUnavailableError as wrong:
        raise LogBusyError("other threads have been writing for too long") from wrong
    except OperationalError as wrong:
        if isinstance(wrong.__cause__, sqlite.Error) and is_busy(wrong.__cause__):
            raise LogBusyError("other processes have been writing for too long") from wrong
        if (why := why_unwritten(wrong)) is not None:
            raise CannotWriteError(why) from wrong
        raise


class LogFactory(SQLiteFactory):
    """The library's factory with our recorder and datastore."""

    application_recorder_class: type[SQLiteApplicationRecorder] = SQLiteLogRecorder

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        self.datastore = LogDatastore(Path(self.env[self.SQLITE_DBNAME]), self.env_create_table())
