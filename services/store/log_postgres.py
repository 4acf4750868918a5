"""The event log in PostgreSQL: the library's recorder with our own insert function.

The function takes the table lock, so that positions become visible in the order in which they were given out: a
follower never passes over one that is filled in later. It takes half the time of the library's pipeline of statements.
The library's own function takes no lock and loses entries for followers; it is never installed here, whatever the
environment says.
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
from eventsourcing.persistence import InterfaceError, Notification, OperationalError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment
from psycopg.rows import dict_row, tuple_row
from psycopg.sql import SQL

from daybook.domain import tombstone
from daybook.services.store.compression import shipped_dictionaries
from daybook.services.store.disk import CannotWriteError
from daybook.services.store.log import LAYOUT, LogBusyError, LogRecorder, LogState, NotDurableError, count_entries
from daybook.services.store.log_signals import NewEntriesSignal
from daybook.services.store.postgres import (
    Session,
    address_with_defaults,
    connect,
    connect_timeout_of,
    newest_timeline,
    require_open,
)

SCHEMA = "daybook_log"
CREATION_LOCK = 7_305_808_869_229_534_580  # any number that is ours
CONNECTIONS = 5
LOCK_TIMEOUT_SECONDS = 10
CONNECT_SECONDS = 1.0  # for a connection from the pool, where the address does not say it
RETRY_TIMEOUT_SECONDS = 1.5  # then PostgreSQL counts as away; a restart is over sooner
RETRY_PAUSE_SECONDS = 0.2
STOP_POLL_SECONDS = 0.2  # how soon the listener sees that it has to stop
RECONNECT_SECONDS = 0.5
QUIET_SECONDS = 5.0  # without a notification, before the listener asks the server for a sign of life

logger = logging.getLogger(__name__)

IS_TOMBSTONE = f"topic IN {tombstone.TOPICS}"  # in SQL: ('game_erased', 'club_erased')
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
    f"CREATE TABLE {SCHEMA}.dictionaries (number integer PRIMARY KEY, content bytea NOT NULL)",
    f"""CREATE TRIGGER dictionaries_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON {SCHEMA}.dictionaries
        FOR EACH STATEMENT EXECUTE FUNCTION {SCHEMA}.refuse()""",
)
STATE = (
    f"""CREATE TABLE {SCHEMA}.log_state (
        only_row integer PRIMARY KEY CHECK (only_row = 1),
        history text NOT NULL,
        kept_notes bigint NOT NULL,
        beat_at text NOT NULL
    )""",
    # takes the lock of `append`: what keeps entries from being written also keeps heartbeats from being written
    f"""CREATE FUNCTION {SCHEMA}.beat(at text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        IF current_setting('synchronous_commit') = 'off' THEN
            RAISE EXCEPTION 'synchronous_commit is off: what is acknowledged would not be on disk';
        END IF;
        SET LOCAL lock_timeout = '{LOCK_TIMEOUT_SECONDS}s';
        LOCK TABLE {SCHEMA}.games_events IN EXCLUSIVE MODE;
        UPDATE {SCHEMA}.log_state SET beat_at = at;
    END $$""",
)

P = ParamSpec("P")
R = TypeVar("R")


def retry_briefly(statement: Callable[P, R]) -> Callable[P, R]:
    """Retry a statement after a restart cut its connection, for RETRY_TIMEOUT_SECONDS.

    The library tries ten times: a request would wait twelve seconds to be refused.
    """

    @wraps(statement)
    def retrying(*args: P.args, **kwargs: P.kwargs) -> R:
        end = time.monotonic() + RETRY_TIMEOUT_SECONDS
        while True:
            try:
                return statement(*args, **kwargs)
            except (InterfaceError, OperationalError):
                if time.monotonic() + RETRY_PAUSE_SECONDS > end:
                    raise
                time.sleep(RETRY_PAUSE_SECONDS)

    return retrying


class LogDatastore(PostgresDatastore):
    """The library's pool on any address that libpq understands."""

    def __init__(self, url: str) -> None:
        patience = connect_timeout_of(url, CONNECT_SECONDS)
        super().__init__(
            dbname="",
            host="",
            port="",
            user="",
            password="",
            schema=SCHEMA,
            pool_size=0,  # with one, the first request opens another while that is being opened
            max_overflow=CONNECTIONS,
            connect_timeout=patience,
            lock_timeout=LOCK_TIMEOUT_SECONDS,
            idle_in_transaction_session_timeout=60,
            pre_ping=True,
        )
        self.url = url
        self.pool.conninfo = address_with_defaults(url)
        self.pool.connection_class = Session
        self.pool.kwargs = {"row_factory": dict_row}
        self.pool._check = require_open  # instead of a query each time
        self.pool.reconnect_timeout = max(
            RETRY_TIMEOUT_SECONDS, patience
        )  # its own pauses grow; the next request tries again

    def register_type_adapters(self) -> None:
        """Do nothing: our function takes arrays, and the library would connect to look for its type."""


class PostgresLogRecorder(PostgresApplicationRecorder, LogRecorder):
    """The library's recorder on our tables and our insert function."""

    datastore: LogDatastore

    def __init__(self, datastore: LogDatastore, *, events_table_name: str) -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        assert not datastore.enable_db_functions
        statements = (*TABLES, *DICTIONARIES, *STATE, f"INSERT INTO {SCHEMA}.layout VALUES ({LAYOUT})")
        self.sql_create_statements = [SQL(statement).format() for statement in statements]  # instead of the library's

    # The library's methods, retried for as long as a request may wait.
    select_events = retry_briefly(PostgresApplicationRecorder.select_events.__wrapped__)
    select_notifications = retry_briefly(PostgresApplicationRecorder.select_notifications.__wrapped__)
    max_notification_id = retry_briefly(PostgresApplicationRecorder.max_notification_id.__wrapped__)

    # --- the tables ---

    def create_table(self) -> None:
        """Create the tables in one process at a time, leave those of another layout alone, store new dictionaries.

        The library's statements, in several processes at once, end with "tuple concurrently updated".
        """
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CREATION_LOCK])
            if self.layout() == 0:
                self._create_table(cursor)
            elif self.layout() != LAYOUT:
                return
            for number, content in shipped_dictionaries().items():
                cursor.execute(
                    f"INSERT INTO {SCHEMA}.dictionaries VALUES (%s, %s) ON CONFLICT DO NOTHING", [number, content]
                )

    @retry_briefly
    def layout(self) -> int:
        if self._rows("SELECT to_regclass(%s)", f"{SCHEMA}.layout") == [(None,)]:
            return 0
        return int(self._rows(f"SELECT max(number) FROM {SCHEMA}.layout")[0][0])

    @retry_briefly
    def dictionary_numbers(self) -> list[int]:
        return [number for (number,) in self._rows(f"SELECT number FROM {SCHEMA}.dictionaries")]

    @retry_briefly
    def dictionary(self, number: int) -> bytes | None:
        rows = self._rows(f"SELECT content FROM {SCHEMA}.dictionaries WHERE number = %s", number)
        return rows[0][0] if rows else None

    # --- writing ---

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Insert by our function, in one statement."""
        count_entries(stored_events)
        return self._append(stored_events)

    @retry_briefly
    def _append(self, stored_events: Sequence[StoredEvent]) -> Sequence[int]:
        first = stored_events[0]
        topics, states = [event.topic for event in stored_events], [event.state for event in stored_events]
        with self._cursor() as cursor, _translate_refusal():
            cursor.execute(
                f"SELECT * FROM {SCHEMA}.append(%b, %b, %b, %b)",
                [first.originator_id, first.originator_version, topics, states],
                prepare=True,
            )
            return [position for (position,) in cursor]

    @retry_briefly
    def remove_lines(self, originator_id: UUID) -> None:
        self._execute(
            f"DELETE FROM {SCHEMA}.games_events WHERE originator_id = %s AND originator_version <"
            f" (SELECT originator_version FROM {SCHEMA}.games_events WHERE originator_id = %s AND {IS_TOMBSTONE})",
            originator_id,
            originator_id,
        )

    # --- reading ---

    @retry_briefly
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
            "originator_id = %s AND originator_version > %s AND originator_version <= %s"
            f" ORDER BY originator_version {'DESC' if desc else 'ASC'} LIMIT %s",
            originator_id,
            -1 if gt is None else gt,
            2**62 if lte is None else lte,
            limit,
        )

    @retry_briefly
    def select_positions(self, originator_id: UUID) -> list[int]:
        rows = self._rows(
            f"SELECT notification_id FROM {SCHEMA}.games_events WHERE originator_id = %s ORDER BY originator_version",
            originator_id,
        )
        return [position for (position,) in rows]

    @retry_briefly
    def select_tombstones(self) -> Sequence[Notification]:
        return self._notifications(f"{IS_TOMBSTONE} ORDER BY notification_id")

    @retry_briefly
    def select_largest(self, limit: int) -> list[tuple[UUID, int, int]]:
        return self._rows(
            f"SELECT originator_id, count(*), sum(length(state))::bigint AS size FROM {SCHEMA}.games_events"
            " GROUP BY originator_id ORDER BY size DESC LIMIT %s",
            limit,
        )

    @retry_briefly
    def select_ids(self, first_topic: str = "") -> list[UUID]:
        rows = (
            self._rows(
                f"SELECT originator_id FROM {SCHEMA}.games_events WHERE originator_version = 1 AND topic = %s"
                " ORDER BY notification_id",
                first_topic,
            )
            if first_topic
            else self._rows(
                f"SELECT originator_id FROM {SCHEMA}.games_events GROUP BY originator_id ORDER BY min(notification_id)"
            )
        )
        return [originator_id for (originator_id,) in rows]

    def _notifications(self, condition: str, *values: Any) -> list[Notification]:
        rows = self._rows(
            "SELECT notification_id, originator_id, originator_version, topic, state"
            f" FROM {SCHEMA}.games_events WHERE {condition}",
            *values,
        )
        return [
            Notification(originator_id, version, topic, state, position)
            for position, originator_id, version, topic, state in rows
        ]

    # --- the log as a whole ---

    @retry_briefly
    def state(self) -> LogState | None:
        rows = self._rows(f"SELECT history, kept_notes, beat_at FROM {SCHEMA}.log_state")
        return LogState(*rows[0]) if rows else None

    @retry_briefly
    def begin_history(self, history: str) -> None:
        self._execute(f"INSERT INTO {SCHEMA}.log_state VALUES (1, %s, 0, '') ON CONFLICT DO NOTHING", history)

    @retry_briefly
    def note_kept(self, notes: int) -> None:
        self._execute(f"UPDATE {SCHEMA}.log_state SET kept_notes = %s", notes)

    def beat(self, at: str) -> None:
        """Commit a heartbeat without a retry: its time is what is measured."""
        self._execute(f"SELECT {SCHEMA}.beat(%s)", at)

    def _execute(self, statement: str, *values: Any) -> None:
        with self._cursor() as cursor, _translate_refusal():
            cursor.execute(statement, values, prepare=True)

    @retry_briefly
    def weaknesses(self) -> list[str]:
        reasons = {
            "fsync": "a commit may be acknowledged before it is on disk",
            "full_page_writes": "a power cut may tear pages that cannot be repaired",
            "synchronous_commit": "a commit may be acknowledged before it is on disk",
        }
        values = {name: self._rows("SELECT current_setting(%s)", name)[0][0] for name in reasons}
        return [f"PostgreSQL runs with {name} off: {why}" for name, why in reasons.items() if values[name] == "off"]

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

    def probe(self) -> int:
        return self._rows(f"SELECT max(notification_id) FROM {SCHEMA}.games_events")[0][0] or 0

    def listen(self, signal: NewEntriesSignal, stopped: Event) -> None:
        """Listen to PostgreSQL, and again after an error: the library's subscription ends with a restart."""
        while not stopped.is_set():
            try:
                with connect(self.datastore.url) as connection:
                    connection.execute("LISTEN games_events")
                    signal.notify()  # for entries that came before
                    checked_at = time.monotonic()
                    while not stopped.is_set():
                        for _ in connection.notifies(timeout=STOP_POLL_SECONDS, stop_after=1):
                            signal.notify()
                        connection.require_newest()
                        if time.monotonic() > checked_at + QUIET_SECONDS:  # a frozen server is quiet, too
                            connection.execute("SELECT 1")
                            checked_at = time.monotonic()
            except psycopg.OperationalError as lost:
                logger.warning("not listening to PostgreSQL, trying again: %s", lost)
                stopped.wait(RECONNECT_SECONDS)


@contextmanager
def _translate_refusal() -> Iterator[None]:
    """Raise LogBusyError, CannotWriteError or NotDurableError for the errors of PostgreSQL."""
    try:
        yield
    except psycopg.errors.LockNotAvailable as wrong:
        raise LogBusyError("others have been writing for too long") from wrong
    except psycopg.errors.DiskFull as wrong:
        raise CannotWriteError("full") from wrong
    except psycopg.errors.RaiseException as wrong:
        raise NotDurableError([str(wrong.diag.message_primary)]) from wrong


class LogFactory(PostgresFactory):
    """The library's factory with our recorder and datastore."""

    application_recorder_class: type[PostgresApplicationRecorder] = PostgresLogRecorder

    def __init__(self, env: Environment) -> None:
        parts = (self.POSTGRES_DBNAME, self.POSTGRES_HOST, self.POSTGRES_USER, self.POSTGRES_PASSWORD)
        super().__init__(Environment(env.name, {**dict.fromkeys(parts, ""), **env}))  # the address has all of them
        self.datastore = LogDatastore(self.env["DATABASE_URL"])
