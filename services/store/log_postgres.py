"""The event log in PostgreSQL: the library's recorder with our own insert function.

The function takes the table lock, so that positions become visible in the order in which they were given out: a
follower never passes over one that is filled in later. (The library's function of the same use takes no lock and
loses entries for followers; it is never installed here, whatever the environment says.)
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from threading import Event
from typing import Any, ParamSpec, TypeVar
from uuid import UUID

import psycopg
from eventsourcing.persistence import InterfaceError, OperationalError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment
from psycopg.rows import dict_row, tuple_row

from daybook.domain import tombstone
from daybook.domain.league.club_events import TOPICS
from daybook.services.store.disk import CannotWrite
from daybook.services.store.log import LAYOUT, NO_GAME, Bell, LogBusy, LogRecorder, LogState, NotDurable, Row
from daybook.services.store.packing import Dictionary, shipped_dictionaries
from daybook.services.store.postgres import (
    Session,
    connect,
    newest_timeline,
    patience_of,
    patient_address,
    require_open,
)

SCHEMA = "daybook_log"
CREATION_LOCK = 7_305_808_869_229_534_580  # any number that is ours
CONNECTIONS = 5
LOCK_TIMEOUT_SECONDS = 10
CONNECT_SECONDS = 1.0  # for a connection from the pool, where the address does not say it
PATIENCE_SECONDS = 1.5  # then PostgreSQL is taken to be away; a restart is over sooner
AGAIN_SECONDS = 0.2
NOTICE_SECONDS = 0.2  # how soon the listener sees that it is to stop
RECONNECT_SECONDS = 0.5
QUIET_SECONDS = 5.0  # of a listener, before it asks whether the server is still there

logger = logging.getLogger(__name__)

IS_TOMBSTONE = f"topic IN {tombstone.TOPICS}"  # as SQL has it: ('game_erased', 'club_erased')
TABLES = (
    f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}",
    f"CREATE TABLE {SCHEMA}.layout (number integer NOT NULL)",
    f"""CREATE TABLE {SCHEMA}.games_events (
        notification_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        originator_id uuid NOT NULL,
        originator_version bigint NOT NULL CHECK (originator_version >= 1),
        topic text NOT NULL,
        state bytea NOT NULL,
        UNIQUE (originator_id, originator_version)
    )""",
    f"""CREATE INDEX games_opened ON {SCHEMA}.games_events (notification_id, originator_id)
        WHERE originator_version = 1""",
    f"CREATE INDEX games_erased ON {SCHEMA}.games_events (notification_id, originator_id) WHERE {IS_TOMBSTONE}",
    f"""CREATE FUNCTION {SCHEMA}.append(game uuid, opening_version bigint, topics text[], states bytea[])
    RETURNS SETOF bigint LANGUAGE plpgsql AS $$
    BEGIN
        IF current_setting('synchronous_commit') = 'off' THEN
            RAISE EXCEPTION 'synchronous_commit is off: what is acknowledged would not be on disk';
        END IF;
        SET LOCAL lock_timeout = '{LOCK_TIMEOUT_SECONDS}s';
        LOCK TABLE {SCHEMA}.games_events IN EXCLUSIVE MODE;
        IF opening_version > 1 AND NOT EXISTS (
            SELECT FROM {SCHEMA}.games_events
            WHERE originator_id = game AND originator_version = opening_version - 1 AND NOT {IS_TOMBSTONE}
        ) THEN
            RAISE EXCEPTION 'the version before this one is missing, or the record was erased'
                USING ERRCODE = 'check_violation';
        END IF;
        IF opening_version = 1 AND EXISTS (SELECT FROM {SCHEMA}.games_events WHERE originator_id = game) THEN
            RAISE EXCEPTION 'this record is here, or was erased' USING ERRCODE = 'unique_violation';
        END IF;
        NOTIFY games_events;
        RETURN QUERY
            INSERT INTO {SCHEMA}.games_events AS written (originator_id, originator_version, topic, state)
            SELECT game, opening_version + place - 1, topic, state
            FROM unnest(topics, states) WITH ORDINALITY AS given (topic, state, place) ORDER BY place
            RETURNING written.notification_id;
    END $$""",
    f"""CREATE FUNCTION {SCHEMA}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the log only grows: % is refused', TG_OP;
    END $$""",
    f"""CREATE TRIGGER games_events_only_grow BEFORE UPDATE OR TRUNCATE ON {SCHEMA}.games_events
        FOR EACH STATEMENT EXECUTE FUNCTION {SCHEMA}.refuse()""",
    f"""CREATE FUNCTION {SCHEMA}.refuse_unless_erased() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM {SCHEMA}.games_events
            WHERE originator_id = OLD.originator_id AND originator_version > OLD.originator_version AND {IS_TOMBSTONE}
        ) THEN
            RAISE EXCEPTION 'the log only grows: DELETE is refused but for the lines of an erased record';
        END IF;
        RETURN OLD;
    END $$""",
    f"""CREATE TRIGGER games_events_never_removed BEFORE DELETE ON {SCHEMA}.games_events
        FOR EACH ROW EXECUTE FUNCTION {SCHEMA}.refuse_unless_erased()""",
)
DICTIONARIES = (
    f"CREATE TABLE {SCHEMA}.dictionaries (number integer PRIMARY KEY, ruleset text NOT NULL, content bytea NOT NULL)",
    f"""CREATE TRIGGER dictionaries_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON {SCHEMA}.dictionaries
        FOR EACH STATEMENT EXECUTE FUNCTION {SCHEMA}.refuse()""",
)
STATE = (
    f"""CREATE TABLE IF NOT EXISTS {SCHEMA}.log_state (
        only_row integer PRIMARY KEY CHECK (only_row = 1),
        history text NOT NULL,
        kept_notes bigint NOT NULL,
        beat_at text NOT NULL
    )""",
    # takes the lock that `append` takes: whoever keeps entries from being written keeps this from being written, too
    f"""CREATE OR REPLACE FUNCTION {SCHEMA}.beat(at text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        IF current_setting('synchronous_commit') = 'off' THEN
            RAISE EXCEPTION 'synchronous_commit is off: what is acknowledged would not be on disk';
        END IF;
        SET LOCAL lock_timeout = '{LOCK_TIMEOUT_SECONDS}s';
        LOCK TABLE {SCHEMA}.games_events IN EXCLUSIVE MODE;
        UPDATE {SCHEMA}.log_state SET beat_at = at;
    END $$""",
)
LAYOUTS = (TABLES, DICTIONARIES)  # what each added to the one before

P = ParamSpec("P")
R = TypeVar("R")


def patiently(statement: Callable[P, R]) -> Callable[P, R]:
    """A connection that a restart cut is replaced and asked again, while whoever waits has the patience."""

    @wraps(statement)
    def retrying(*args: P.args, **kwargs: P.kwargs) -> R:
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return statement(*args, **kwargs)
            except (InterfaceError, OperationalError):
                if time.monotonic() + AGAIN_SECONDS > end:
                    raise
                time.sleep(AGAIN_SECONDS)

    return retrying


class LogDatastore(PostgresDatastore):
    """The library's pool on any address that libpq understands."""

    def __init__(self, url: str) -> None:
        patience = patience_of(url, CONNECT_SECONDS)
        super().__init__(
            dbname="",
            host="",
            port="",
            user="",
            password="",
            schema=SCHEMA,
            pool_size=0,  # with one from the start, who is first asks for another while that is on its way
            max_overflow=CONNECTIONS,
            connect_timeout=patience,
            lock_timeout=LOCK_TIMEOUT_SECONDS,
            idle_in_transaction_session_timeout=60,
            pre_ping=True,
        )
        self.url = url
        self.pool.conninfo = patient_address(url)
        self.pool.connection_class = Session
        self.pool.kwargs = {"row_factory": dict_row}
        self.pool._check = require_open  # in place of a question to the server each time
        self.pool.reconnect_timeout = max(PATIENCE_SECONDS, patience)  # its own pauses grow; the next request asks anew

    def register_type_adapters(self) -> None:
        """Our function takes plain arrays: there are no types of our own to learn about."""


class PostgresLogRecorder(PostgresApplicationRecorder, LogRecorder):
    """The library's recorder on our tables and our insert function."""

    datastore: LogDatastore

    def __init__(self, datastore: LogDatastore) -> None:
        super().__init__(datastore, events_table_name="games_events")
        assert not datastore.enable_db_functions

    # --- the tables ---

    @patiently
    def layout(self) -> int:
        with self._cursor() as cursor:
            return self._layout(cursor)

    def _layout(self, cursor: psycopg.Cursor[tuple[Any, ...]]) -> int:
        if cursor.execute("SELECT to_regclass(%s)", [f"{SCHEMA}.layout"]).fetchone() == (None,):
            return 0
        found = cursor.execute(f"SELECT max(number) FROM {SCHEMA}.layout").fetchone()
        assert found is not None
        return int(found[0])

    def create(self, alone: bool = False) -> None:
        with self._cursor() as cursor, cursor.connection.transaction():
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CREATION_LOCK])
            found = self._layout(cursor)
            if found == 0 or alone:
                for layout, statements in enumerate(LAYOUTS[found:], found + 1):
                    for statement in (*statements, f"INSERT INTO {SCHEMA}.layout VALUES ({layout})"):
                        cursor.execute(statement, prepare=False)
            for statement in STATE:
                cursor.execute(statement, prepare=False)
            if self._layout(cursor) == LAYOUT:
                self._keep_dictionaries(cursor)

    def _keep_dictionaries(self, cursor: psycopg.Cursor[tuple[Any, ...]]) -> None:
        there = {number for (number,) in cursor.execute(f"SELECT number FROM {SCHEMA}.dictionaries")}
        for one in shipped_dictionaries().values():
            if one.number not in there:
                cursor.execute(
                    f"INSERT INTO {SCHEMA}.dictionaries VALUES (%s, %s, %s)", [one.number, one.ruleset, one.content]
                )

    @patiently
    def dictionaries(self) -> list[tuple[int, str]]:
        return self._rows(f"SELECT number, ruleset FROM {SCHEMA}.dictionaries")

    @patiently
    def dictionary(self, number: int) -> Dictionary | None:
        if self.layout() < LAYOUT:
            return None
        found = self._rows(f"SELECT number, ruleset, content FROM {SCHEMA}.dictionaries WHERE number = %s", number)
        return Dictionary(*found[0]) if found else None

    # --- writing ---

    @patiently
    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        first = stored_events[0]
        topics, states = [event.topic for event in stored_events], [event.state for event in stored_events]
        with self._cursor() as cursor, _translate_refusal():
            cursor.execute(
                f"SELECT * FROM {SCHEMA}.append(%b, %b, %b, %b)",
                [first.originator_id, first.originator_version, topics, states],
                prepare=True,
            )
            return [position for (position,) in cursor]

    @patiently
    def remove_lines(self, id: UUID) -> None:
        with self._cursor() as cursor:
            cursor.execute(
                f"DELETE FROM {SCHEMA}.games_events WHERE originator_id = %b AND originator_version <"
                f" (SELECT originator_version FROM {SCHEMA}.games_events WHERE originator_id = %b AND {IS_TOMBSTONE})",
                [id, id],
            )

    # --- reading ---

    @patiently
    def tombstones(self, after: int) -> list[Row]:
        return self._rows(
            f"SELECT notification_id, originator_id, originator_version, state FROM {SCHEMA}.games_events"
            f" WHERE {IS_TOMBSTONE} AND notification_id > %s ORDER BY notification_id",
            after,
        )

    @patiently
    def largest(self, limit: int) -> list[tuple[UUID, int, int]]:
        return self._rows(
            f"SELECT originator_id, count(*), sum(length(state))::bigint AS size FROM {SCHEMA}.games_events"
            " GROUP BY originator_id ORDER BY size DESC LIMIT %s",
            limit,
        )

    @patiently
    def last_row(self, id: UUID) -> Row | None:
        rows = self._rows(
            f"SELECT notification_id, originator_id, originator_version, state FROM {SCHEMA}.games_events"
            " WHERE originator_id = %s ORDER BY originator_version DESC LIMIT 1",
            id,
        )
        return rows[0] if rows else None

    @patiently
    def lines(self, game_id: UUID, after: int) -> list[bytes]:
        return [
            line
            for (line,) in self._rows(
                f"SELECT state FROM {SCHEMA}.games_events WHERE originator_id = %s AND originator_version > %s"
                " ORDER BY originator_version",
                game_id,
                after,
            )
        ]

    @patiently
    def lines_between(self, game_id: UUID, first: int, last: int) -> list[tuple[int, bytes]]:
        return self._rows(
            f"SELECT notification_id, state FROM {SCHEMA}.games_events"
            " WHERE originator_id = %s AND originator_version BETWEEN %s AND %s ORDER BY originator_version",
            game_id,
            first,
            last,
        )

    @patiently
    def positions(self, game_id: UUID) -> list[int]:
        return [
            place
            for (place,) in self._rows(
                f"SELECT notification_id FROM {SCHEMA}.games_events WHERE originator_id = %s ORDER BY originator_version",
                game_id,
            )
        ]

    @patiently
    def since(self, position: int, limit: int, topics: Sequence[str]) -> list[Row]:
        named, values = ("AND topic = ANY(%s)", [list(topics)]) if topics else ("", [])
        return self._rows(
            f"SELECT notification_id, originator_id, originator_version, state FROM {SCHEMA}.games_events"
            f" WHERE notification_id > %s {named} ORDER BY notification_id LIMIT %s",
            position,
            *values,
            limit,
        )

    @patiently
    def news(self, game_id: UUID, after: int, position: int) -> list[tuple[str, int, UUID, int, bytes]]:
        columns = f"notification_id, originator_id, originator_version, state FROM {SCHEMA}.games_events"
        return self._rows(
            f"SELECT 'game', {columns} WHERE originator_id = %s AND originator_version > %s"
            f" UNION ALL SELECT 'club', {columns} WHERE notification_id > %s AND topic LIKE ANY(%s)"
            f" UNION ALL SELECT 'newest', max(notification_id), %s, 0, ''::bytea FROM {SCHEMA}.games_events",
            game_id,
            after,
            position,
            [f"{topic}%" for topic in TOPICS],
            NO_GAME,
        )

    @patiently
    def max_notification_id(self) -> int | None:
        """As the library's, which tries ten times: a request would wait twelve seconds to be refused."""
        return self.look() or None

    @patiently
    def ids_by_opening(self, topic: str) -> list[UUID]:
        return [
            game
            for (game,) in self._rows(
                f"SELECT originator_id FROM {SCHEMA}.games_events WHERE originator_version = 1 AND topic = %s"
                " ORDER BY notification_id",
                topic,
            )
        ]

    @patiently
    def ids(self) -> list[UUID]:
        found = self._rows(
            f"SELECT originator_id FROM {SCHEMA}.games_events GROUP BY originator_id ORDER BY min(notification_id)"
        )
        return [id for (id,) in found]

    @patiently
    def stored(self, id: UUID) -> list[tuple[int, str, bytes]]:
        return self._rows(
            f"SELECT originator_version, topic, state FROM {SCHEMA}.games_events WHERE originator_id = %s"
            " ORDER BY originator_version",
            id,
        )

    # --- the log as a whole ---

    @patiently
    def state(self) -> LogState | None:
        found = self._rows(f"SELECT history, kept_notes, beat_at FROM {SCHEMA}.log_state")
        return LogState(*found[0]) if found else None

    @patiently
    def begin_history(self, id: str) -> None:
        self._execute(f"INSERT INTO {SCHEMA}.log_state VALUES (1, %s, 0, '') ON CONFLICT DO NOTHING", id)

    @patiently
    def note_kept(self, notes: int) -> None:
        self._execute(f"UPDATE {SCHEMA}.log_state SET kept_notes = %s", notes)

    def beat(self, at: str) -> None:
        """Not repeated patiently: how long it takes is what is measured."""
        self._execute(f"SELECT {SCHEMA}.beat(%s)", at)

    def _execute(self, statement: str, *values: Any) -> None:
        with self._cursor() as cursor, _translate_refusal():
            cursor.execute(statement, values, prepare=True)

    @patiently
    def weaknesses(self) -> list[str]:
        asked = {
            "fsync": "a commit may be acknowledged before it is on disk",
            "full_page_writes": "a power cut may tear pages that cannot be repaired",
            "synchronous_commit": "a commit may be acknowledged before it is on disk",
        }
        found = {name: self._rows("SELECT current_setting(%s)", name)[0][0] for name in asked}
        return [f"PostgreSQL runs with {name} off: {why}" for name, why in asked.items() if found[name] == "off"]

    def epoch(self) -> int:
        return newest_timeline(self.datastore.url)

    @contextmanager
    def _cursor(self) -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
        with (
            self.datastore.get_connection() as connection,
            connection.cursor(binary=True, row_factory=tuple_row) as cursor,
        ):
            yield cursor

    def _rows(self, statement: str, *values: Any) -> list[Any]:
        with self._cursor() as cursor:
            return cursor.execute(statement, values, prepare=True).fetchall()

    # --- following ---

    def look(self) -> int:
        return self._rows(f"SELECT max(notification_id) FROM {SCHEMA}.games_events")[0][0] or 0

    def listen(self, bell: Bell, stopped: Event) -> None:
        while not stopped.is_set():
            try:
                with connect(self.datastore.url) as connection:
                    connection.execute("LISTEN games_events")
                    bell.ring()  # what came before we listened
                    asked = time.monotonic()
                    while not stopped.is_set():
                        for _ in connection.notifies(timeout=NOTICE_SECONDS, stop_after=1):
                            bell.ring()
                        connection.require_newest()
                        if time.monotonic() > asked + QUIET_SECONDS:  # one that is frozen is quiet too
                            connection.execute("SELECT 1")
                            asked = time.monotonic()
            except psycopg.OperationalError as lost:
                logger.warning("not listening to PostgreSQL, trying again: %s", lost)
                stopped.wait(RECONNECT_SECONDS)


@contextmanager
def _translate_refusal() -> Iterator[None]:
    """Tell why nothing was written: raise LogBusy, CannotWrite or NotDurable for what PostgreSQL raises."""
    try:
        yield
    except psycopg.errors.LockNotAvailable as wrong:
        raise LogBusy("others have been writing for too long") from wrong
    except psycopg.errors.DiskFull as wrong:
        raise CannotWrite("full") from wrong
    except psycopg.errors.RaiseException as wrong:
        raise NotDurable([str(wrong.diag.message_primary)]) from wrong


class LogFactory(PostgresFactory):
    """What the library builds the log's recorder with."""

    def __init__(self, env: Environment) -> None:
        parts = (self.POSTGRES_DBNAME, self.POSTGRES_HOST, self.POSTGRES_USER, self.POSTGRES_PASSWORD)
        super().__init__(Environment(env.name, {**dict.fromkeys(parts, ""), **env}))  # the address says them all
        self.datastore = LogDatastore(self.env["DATABASE_URL"])

    def application_recorder(self) -> PostgresLogRecorder:
        assert isinstance(self.datastore, LogDatastore)
        return PostgresLogRecorder(self.datastore)
