"""The event log in one SQLite file: the library's recorder on connections that flush every commit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any
from uuid import UUID

import eventsourcing.sqlite
from eventsourcing.persistence import OperationalError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment

from daybook.domain import tombstone
from daybook.domain.league.club_events import TOPICS
from daybook.services.store.changes import Heads
from daybook.services.store.disk import CannotWrite, why_unwritten
from daybook.services.store.group_commit import GroupCommit, WaitedTooLong
from daybook.services.store.log import LAYOUT, NO_GAME, Bell, LogBusy, LogRecorder, LogState, Row
from daybook.services.store.packing import Dictionary, shipped_dictionaries
from daybook.services.store.sqlite import LOCK_TIMEOUT_SECONDS, connect, is_busy, sqlite, weaknesses

# The library translates errors by their class: they must be those of the SQLite that raises them.
vars(eventsourcing.sqlite)["sqlite3"] = sqlite

POLL_SECONDS = 0.010  # PRAGMA data_version costs 2 us; 100 looks a second are about 1 % of a core
STILL_LOOKS = 500  # without anything new; from then on a fifth as many are taken: a laptop at rest is to rest
HEX = re.compile("[0-9a-f]{32}")
READERS = 5  # connections kept for reading; more are opened under load and closed again

IS_TOMBSTONE = f"topic IN {tombstone.TOPICS}"  # as SQL has it: ('game_erased', 'club_erased')
NEVER_REMOVED = f"""CREATE TRIGGER games_events_never_removed BEFORE DELETE ON games_events
       WHEN NOT EXISTS (SELECT 1 FROM games_events
                        WHERE originator_id = OLD.originator_id AND originator_version > OLD.originator_version
                          AND {IS_TOMBSTONE})
       BEGIN SELECT RAISE(ABORT, 'nothing is removed from the log but the lines of an erased record'); END"""
TABLES = (
    """CREATE TABLE games_events (
        notification_id INTEGER PRIMARY KEY AUTOINCREMENT,
        originator_id TEXT NOT NULL,
        originator_version INTEGER NOT NULL CHECK (originator_version >= 1),
        topic TEXT NOT NULL,
        state BLOB NOT NULL,
        UNIQUE (originator_id, originator_version)
    ) STRICT""",
    "CREATE INDEX games_opened ON games_events (notification_id, originator_id) WHERE originator_version = 1",
    f"CREATE INDEX games_erased ON games_events (notification_id, originator_id) WHERE {IS_TOMBSTONE}",
    """CREATE TRIGGER games_events_never_changed BEFORE UPDATE ON games_events
       BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END""",
    NEVER_REMOVED,
    # INSERT OR REPLACE removes rows without asking the trigger above.
    """CREATE TRIGGER games_events_never_replaced BEFORE INSERT ON games_events
       WHEN EXISTS (SELECT 1 FROM games_events WHERE notification_id = NEW.notification_id)
         OR EXISTS (SELECT 1 FROM games_events
                    WHERE originator_id = NEW.originator_id AND originator_version = NEW.originator_version)
       BEGIN SELECT RAISE(ABORT, 'this version is written already'); END""",
    f"""CREATE TRIGGER games_events_without_gaps BEFORE INSERT ON games_events
       WHEN NEW.originator_version > 1 AND NOT EXISTS (
         SELECT 1 FROM games_events
         WHERE originator_id = NEW.originator_id AND originator_version = NEW.originator_version - 1
           AND NOT {IS_TOMBSTONE})
       BEGIN SELECT RAISE(ABORT, 'the version before this one is missing, or the record was erased'); END""",
    """CREATE TRIGGER games_events_never_opened_again BEFORE INSERT ON games_events
       WHEN NEW.originator_version = 1
         AND EXISTS (SELECT 1 FROM games_events WHERE originator_id = NEW.originator_id)
       BEGIN SELECT RAISE(ABORT, 'this record is written already, or was erased'); END""",
)
DICTIONARIES = (
    """CREATE TABLE dictionaries (
        number INTEGER PRIMARY KEY,
        ruleset TEXT NOT NULL,
        content BLOB NOT NULL
    )""",
    """CREATE TRIGGER dictionaries_never_changed BEFORE UPDATE ON dictionaries
       BEGIN SELECT RAISE(ABORT, 'a dictionary is never changed'); END""",
    """CREATE TRIGGER dictionaries_never_removed BEFORE DELETE ON dictionaries
       BEGIN SELECT RAISE(ABORT, 'entries are read with it for ever'); END""",
    # as above
    """CREATE TRIGGER dictionaries_never_replaced BEFORE INSERT ON dictionaries
       WHEN EXISTS (SELECT 1 FROM dictionaries WHERE number = NEW.number)
       BEGIN SELECT RAISE(ABORT, 'this number is taken'); END""",
)
STATE = """CREATE TABLE IF NOT EXISTS log_state (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        history TEXT NOT NULL,
        kept_notes INTEGER NOT NULL,
        beat_at TEXT NOT NULL
    ) STRICT"""
LAYOUTS = (TABLES, DICTIONARIES)  # what each added to the one before


class DurablePool(SQLiteConnectionPool):
    """Connections whose every commit is flushed. Raises NotDurable instead of handing out another."""

    def __init__(self, path: Path, create: bool, size: int, overflow: int) -> None:
        super().__init__(db_name=str(path), pool_size=size, max_overflow=overflow, pool_timeout=LOCK_TIMEOUT_SECONDS)
        self.path = path
        self.create = create

    def _create_connection(self) -> SQLiteConnection:
        connection = connect(self.path, "FULL", self.create)
        connection.row_factory = sqlite.Row
        return SQLiteConnection(connection, max_age=None)


class LogDatastore(SQLiteDatastore):
    """One connection that writes, one that makes tables, and a few that read, apart: none waits for the others."""

    def __init__(self, path: Path, create: bool) -> None:
        super().__init__(str(path))
        self.path = path
        self.pool = DurablePool(path, create, size=1, overflow=0)
        self.reading = DurablePool(path, create, size=READERS, overflow=60)
        self.writing = GroupCommit(path)
        self.heads = Heads(path)

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        pool = self.pool if commit else self.reading
        connection = pool.get_connection(is_writer=commit)
        try:
            yield connection
        finally:
            pool.put_connection(connection)

    def close(self) -> None:
        super().close()
        self.reading.close()
        self.writing.close()
        self.heads.close()


class SQLiteLogRecorder(SQLiteApplicationRecorder, LogRecorder):
    """The library's recorder on our tables."""

    datastore: LogDatastore

    def __init__(self, datastore: LogDatastore) -> None:
        super().__init__(datastore, "games_events")

    # --- the tables ---

    def layout(self) -> int:
        return int(self._rows("PRAGMA user_version")[0][0])

    def create(self, alone: bool = True) -> None:
        with self.datastore.get_connection(commit=True) as connection:
            cursor = connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")  # a plain BEGIN would let two processes both find nothing
            try:
                cursor.execute("PRAGMA user_version")
                found = cursor.fetchone()[0]
                for layout, statements in enumerate(LAYOUTS[found:], found + 1):
                    for statement in (*statements, f"PRAGMA user_version = {layout}"):
                        cursor.execute(statement)
                if found <= LAYOUT:
                    cursor.execute(STATE)
                    self._keep_dictionaries(cursor)
                connection.commit()
            except BaseException:
                connection.rollback()
                raise

    def _keep_dictionaries(self, cursor: Any) -> None:
        cursor.execute("SELECT number FROM dictionaries")
        there = {row[0] for row in cursor.fetchall()}
        for one in shipped_dictionaries().values():
            if one.number not in there:
                cursor.execute("INSERT INTO dictionaries VALUES (?,?,?)", (one.number, one.ruleset, one.content))

    def dictionaries(self) -> list[tuple[int, str]]:
        return self._rows("SELECT number, ruleset FROM dictionaries")

    def dictionary(self, number: int) -> Dictionary | None:
        if self.layout() < LAYOUT:
            return None
        found = self._rows("SELECT number, ruleset, content FROM dictionaries WHERE number = ?", number)
        return Dictionary(*found[0]) if found else None

    # --- writing ---

    def remove_lines(self, id: UUID) -> None:
        """Delete the lines before a tombstone, and overwrite them in the file."""
        before_tombstone = (
            "originator_id = ? AND originator_version <"
            f" (SELECT originator_version FROM games_events WHERE originator_id = ? AND {IS_TOMBSTONE})"
        )
        with self._deleting() as cursor:
            cursor.execute(f"DELETE FROM games_events WHERE {before_tombstone}", (id.hex, id.hex))

    def remove(self, game_id: UUID) -> None:
        """Remove the record of a game for good, and what it wrote from the file. For a device alone."""
        with self._deleting() as cursor:
            cursor.execute("DROP TRIGGER games_events_never_removed")
            cursor.execute("DELETE FROM games_events WHERE originator_id = ?", (game_id.hex,))
            cursor.execute(NEVER_REMOVED)
        self.datastore.heads.forget(game_id)

    @contextmanager
    def _deleting(self) -> Iterator[Any]:
        """Delete in one transaction, and overwrite what was deleted in the file."""
        with self.datastore.get_connection(commit=True) as connection:
            cursor = connection.cursor()
            cursor.execute("PRAGMA secure_delete = ON")
            cursor.execute("BEGIN IMMEDIATE")
            try:
                yield cursor
                connection.commit()
            except BaseException:
                connection.rollback()
                raise
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        with _translate_refusal():
            return self.datastore.writing.write(stored_events)

    # --- reading ---

    def tombstones(self, after: int) -> list[Row]:
        return self._typed_rows(
            "SELECT notification_id, originator_id, originator_version, state FROM games_events"
            f" WHERE {IS_TOMBSTONE} AND notification_id > ? ORDER BY notification_id",
            after,
        )

    def largest(self, limit: int) -> list[tuple[UUID, int, int]]:
        rows = self._rows(
            "SELECT originator_id, count(*), sum(length(state)) AS size FROM games_events"
            " GROUP BY originator_id ORDER BY size DESC LIMIT ?",
            limit,
        )
        return [(UUID(id), entries, size) for id, entries, size in rows]

    def last_row(self, id: UUID) -> Row | None:
        rows = self._typed_rows(
            "SELECT notification_id, originator_id, originator_version, state FROM games_events"
            " WHERE originator_id = ? ORDER BY originator_version DESC LIMIT 1",
            id.hex,
        )
        return rows[0] if rows else None

    def lines(self, game_id: UUID, after: int) -> list[bytes]:
        return self.datastore.heads.lines_after(
            game_id,
            after,
            lambda: [
                line
                for (line,) in self._rows(
                    "SELECT state FROM games_events WHERE originator_id = ? AND originator_version > ?"
                    " ORDER BY originator_version",
                    game_id.hex,
                    after,
                )
            ],
        )

    def lines_between(self, game_id: UUID, first: int, last: int) -> list[tuple[int, bytes]]:
        return self._rows(
            "SELECT notification_id, state FROM games_events"
            " WHERE originator_id = ? AND originator_version BETWEEN ? AND ? ORDER BY originator_version",
            game_id.hex,
            first,
            last,
        )

    def positions(self, game_id: UUID) -> list[int]:
        return [
            place
            for (place,) in self._rows(
                "SELECT notification_id FROM games_events WHERE originator_id = ? ORDER BY originator_version",
                game_id.hex,
            )
        ]

    def since(self, position: int, limit: int, topics: Sequence[str]) -> list[Row]:
        named = f"AND topic IN ({','.join('?' * len(topics))})" if topics else ""
        return self._typed_rows(
            "SELECT notification_id, originator_id, originator_version, state FROM games_events"
            f" WHERE notification_id > ? {named} ORDER BY notification_id LIMIT ?",
            position,
            *topics,
            limit,
        )

    def news(self, game_id: UUID, after: int, position: int) -> list[tuple[str, int, UUID, int, bytes]]:
        return self.datastore.heads.news_after(
            game_id, after, position, lambda: self._read_news(game_id, after, position)
        )

    def _read_news(self, game_id: UUID, after: int, position: int) -> list[tuple[str, int, UUID, int, bytes]]:
        columns = "notification_id, originator_id, originator_version, state FROM games_events"
        of_clubs = " OR ".join("topic LIKE ?" for _ in TOPICS)
        rows = self._rows(
            f"SELECT 'game', {columns} WHERE originator_id = ? AND originator_version > ?"
            f" UNION ALL SELECT 'club', {columns} WHERE notification_id > ? AND ({of_clubs})"
            " UNION ALL SELECT 'newest', max(notification_id), '', 0, x'' FROM games_events",
            game_id.hex,
            after,
            position,
            *(f"{topic}%" for topic in TOPICS),
        )
        return [(head, place, UUID(id) if id else NO_GAME, version, line) for head, place, id, version, line in rows]

    def ids_by_opening(self, topic: str) -> list[UUID]:
        return [
            UUID(game)
            for (game,) in self._rows(
                "SELECT originator_id FROM games_events WHERE originator_version = 1 AND topic = ?"
                " ORDER BY notification_id",
                topic,
            )
        ]

    def ids(self) -> list[UUID]:
        found = self._rows(
            "SELECT originator_id FROM games_events GROUP BY originator_id ORDER BY min(notification_id)"
        )
        return [UUID(id) for (id,) in found if HEX.fullmatch(str(id))]  # another shows as a gap in its record

    def stored(self, id: UUID) -> list[tuple[int, str, bytes]]:
        return self._rows(
            "SELECT originator_version, topic, state FROM games_events"
            " WHERE originator_id = ? ORDER BY originator_version",
            id.hex,
        )

    # --- the log as a whole ---

    def state(self) -> LogState | None:
        found = self._rows("SELECT history, kept_notes, beat_at FROM log_state")
        return LogState(*found[0]) if found else None

    def begin_history(self, id: str) -> None:
        self._execute("INSERT INTO log_state VALUES (1, ?, 0, '') ON CONFLICT DO NOTHING", id)

    def note_kept(self, notes: int) -> None:
        self._execute("UPDATE log_state SET kept_notes = ?", notes)

    def beat(self, at: str) -> None:
        self._execute("UPDATE log_state SET beat_at = ?", at)

    def _execute(self, statement: str, *values: Any) -> None:
        with _translate_refusal():
            self.datastore.writing.execute(statement, values)

    def weaknesses(self) -> list[str]:
        with self.datastore.get_connection(commit=True) as connection:
            return weaknesses(connection.cursor().sqlite_cursor)

    def _typed_rows(self, statement: str, *values: Any) -> list[Row]:
        rows = self._rows(statement, *values)
        games = {game: UUID(game) for game in {row[1] for row in rows}}
        return [(place, games[game], version, line) for place, game, version, line in rows]

    def _rows(self, statement: str, *values: Any) -> list[Any]:
        with self.datastore.transaction(commit=False) as cursor:
            plain = cursor.sqlite_cursor
            plain.row_factory = None  # tuples: the library's rows by name cost as much as the reading itself
            return plain.execute(statement, values).fetchall()

    # --- following ---

    def look(self) -> int:
        return self.max_notification_id() or 0

    def listen(self, bell: Bell, stopped: Event) -> None:
        """PRAGMA data_version changes when any other connection has committed, in whatever process."""
        connection = connect(self.datastore.path, "NORMAL")
        try:
            seen, still = -1, 0
            while not stopped.is_set():
                if bell.wanted.wait(POLL_SECONDS * 20):
                    version = connection.execute("PRAGMA data_version").fetchone()[0]
                    still += 1
                    if version != seen:
                        seen, still = version, 0
                        bell.ring()
                    stopped.wait(POLL_SECONDS if still < STILL_LOOKS else POLL_SECONDS * 5)
        finally:
            connection.close()


@contextmanager
def _translate_refusal() -> Iterator[None]:
    """Tell why nothing was written: raise LogBusy or CannotWrite for what SQLite and the queue before it raise."""
    try:
        yield
    except WaitedTooLong as wrong:
        raise LogBusy("other threads have been writing for too long") from wrong
    except OperationalError as wrong:
        if isinstance(wrong.__cause__, sqlite.Error) and is_busy(wrong.__cause__):
            raise LogBusy("other processes have been writing for too long") from wrong
        if (why := why_unwritten(wrong)) is not None:
            raise CannotWrite(why) from wrong
        raise


class LogFactory(SQLiteFactory):
    """What the library builds the log's recorder with."""

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        self.datastore = LogDatastore(Path(self.env[self.SQLITE_DBNAME]), self.env_create_table())

    def application_recorder(self) -> SQLiteLogRecorder:
        assert isinstance(self.datastore, LogDatastore)
        return SQLiteLogRecorder(self.datastore)
