"""Reading from a standby of PostgreSQL's: the same answers as the primary's, by another machine.

A standby is behind by what is on its way to it. So when a request comes in, the primary says up to where it has
committed, and each connection to the standby has to have come as far before anything is read on it. Whatever was
acknowledged to anybody before the request came is in the answer: a decision, a name, a role that was taken away. What
is kept beside the log (links, sessions, keys, what is public) is asked of the primary even so.

A standby that is behind, does not answer, was promoted or follows another primary answers nothing: what it would have
answered the primary does, and from then on all, until a look finds the standby as it should be.
"""

from __future__ import annotations

import logging
import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

import psycopg
import sqlalchemy as sa
from psycopg.rows import tuple_row

from daybook.services.counted import counted
from daybook.services.store import postgres
from daybook.services.store.away import AWAY, Away
from daybook.services.store.postgres import A_STANDBY, INTERVAL, Session

BEHIND_SECONDS = 0.1  # for a standby to come as far as the primary; then the primary is asked
QUESTION_SECONDS = 0.5  # for an answer where the standby stands
FIRST_PAUSE_SECONDS = 0.001  # between two such questions, then ever longer
AGAIN_SECONDS = 1.0  # until a standby that was found unfit is looked at again

OF = "SELECT (SELECT system_identifier::text FROM pg_control_system()) || '/' || current_database()"
AT_THE_PRIMARY = f"""{OF}, ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int,
    (pg_current_wal_flush_lsn() - '0/0')::bigint"""
AT_THE_STANDBY = f"""{OF}, coalesce((SELECT received_tli FROM pg_stat_wal_receiver),
    (SELECT timeline_id FROM pg_control_checkpoint())), (pg_last_wal_replay_lsn() - '0/0')::bigint, pg_is_in_recovery()"""

LOST: tuple[type[Exception], ...] = (*AWAY, psycopg.Error, sa.exc.SQLAlchemyError)  # also where a role may not ask

logger = logging.getLogger(__name__)


class Unfit(Away):
    """The standby cannot answer for the primary now; the message says why."""


class Position(NamedTuple):
    """of: which database of which installation; timeline: it has another number after each promotion; at: in bytes."""

    of: str
    timeline: int
    at: int


@dataclass(slots=True)
class Wanted:
    """What one request wants of whatever standby it reads. at: raised where one is found to be further."""

    of: Position
    at: int


_wanted: ContextVar[Wanted | None] = ContextVar("wanted", default=None)


class Reading(Session):
    """A session at a standby. limit: how long it waits for an answer; None: as any. caught_up: for whom it was asked
    last, and how far it was."""

    limit: float | None = None
    caught_up: tuple[Wanted, int] | None = None

    def wait(self, gen: Any, interval: float = INTERVAL, timeout: float | None = None) -> Any:
        return super().wait(gen, interval, self.limit if timeout is None else timeout)


def position_of_primary(primary: sa.Engine) -> Position:
    """Up to where everything is committed. Raises one of AWAY."""
    with primary.connect() as connection:
        return Position(*connection.exec_driver_sql(AT_THE_PRIMARY).one())


def want(position: Position) -> None:
    """From now on nothing is read from a standby in this thread, or this request, that is not as far."""
    _wanted.set(Wanted(position, position.at))


def require_caught_up(connection: psycopg.Connection[Any]) -> None:
    """Wait until a standby has what is wanted of it. Raises Unfit."""
    wanted = _wanted.get()
    if wanted is None:
        raise Unfit("nobody said how far the primary is")
    assert isinstance(connection, Reading)
    if connection.caught_up is not None and connection.caught_up[0] is wanted and connection.caught_up[1] >= wanted.at:
        return
    pause, end = FIRST_PAUSE_SECONDS, time.monotonic() + BEHIND_SECONDS
    while (at := _position(connection, wanted.of)) < wanted.at:
        if time.monotonic() + pause > end:
            raise Unfit(f"it is {counted(wanted.at - at, 'byte')} behind the primary")
        time.sleep(pause)
        pause *= 2
    wanted.at = at  # another connection may lead to another standby
    connection.caught_up = wanted, at


def _position(connection: Reading, wanted: Position) -> int:
    """How far a standby is. Raises Unfit."""
    connection.limit = QUESTION_SECONDS
    try:
        with connection.cursor(row_factory=tuple_row) as cursor:
            found = cursor.execute(AT_THE_STANDBY, prepare=True).fetchone()
    except psycopg.Error as gone:
        connection.close()  # whatever comes on it is no answer to what is asked next
        raise Unfit(f"it does not answer: {_first_line(gone)}") from gone
    finally:
        connection.limit = None
    assert found is not None
    of, timeline, at, follows = found
    if of != wanted.of:
        why = "it is no standby of this database"
    elif not follows:
        why = "it follows no primary: it was promoted, or it is the primary itself"
    elif timeline != wanted.timeline:
        why = "it follows another primary"
    else:
        return int(at or 0)
    connection.close()  # a pool would give it again: another of several hosts may be fit
    raise Unfit(why)


def connect(url: str) -> Reading:
    """A session at a standby; of several hosts at any that is one. Raises psycopg.OperationalError."""
    connection = postgres.connect(url, Reading, A_STANDBY)
    assert isinstance(connection, Reading)
    return connection


def bytes_behind(url: str, primary: sa.Engine) -> int:
    """How far a standby is behind the primary. Raises Unfit."""
    try:
        wanted = position_of_primary(primary)
        with connect(url) as connection:
            return max(0, wanted.at - _position(connection, wanted))
    except (psycopg.Error, sa.exc.SQLAlchemyError) as gone:
        raise Unfit(f"it does not answer: {_first_line(gone)}") from gone


def _first_line(wrong: Exception) -> str:
    return str(wrong).strip().partition("\n")[0]


def begin(connection: sa.Connection) -> None:
    """Begin to read at a standby with SQLAlchemy. Raises Unfit."""
    postgres.begin(connection)
    raw = connection.connection.driver_connection
    assert isinstance(raw, Reading)
    try:
        require_caught_up(raw)
    except Unfit:
        if raw.closed:
            connection.invalidate()
        raise


@dataclass(slots=True)
class Fitness:
    """Whether a standby may be asked: a thread looks, so that no request waits for one that is away."""

    url: str = field(repr=False)
    primary: sa.Engine
    _fit: Event = field(default_factory=Event)
    _stopped: Event = field(default_factory=Event)
    _told: str = ""
    _looking: Thread | None = None
    _starting: Lock = field(default_factory=Lock)

    def __bool__(self) -> bool:
        """The first to ask has it looked at."""
        if self._looking is None:
            with self._starting:
                if self._looking is None and not self._stopped.is_set():
                    self._looking = Thread(target=self._look_out, name="standby", daemon=True)
                    self._looking.start()
        return self._fit.is_set()

    def give_up(self, why: Exception) -> None:
        """What it was asked the primary has to answer: until it is seen to be fit again, nothing more is asked."""
        self._fit.clear()
        self._tell(_first_line(why))

    def wait(self, seconds: float) -> bool:
        """Until it may be asked; False if it may not by then."""
        return bool(self) or self._fit.wait(seconds)

    def close(self) -> None:
        self._stopped.set()
        with self._starting:
            if self._looking is not None:
                self._looking.join()

    def _look_out(self) -> None:
        while not self._stopped.is_set():
            if not self._fit.is_set():
                self._look()
            self._stopped.wait(AGAIN_SECONDS)

    def _look(self) -> None:
        try:
            want(position_of_primary(self.primary))
            with connect(self.url) as connection:
                require_caught_up(connection)
        except LOST as away:
            self._tell(_first_line(away))
        else:
            self._tell("")
            self._fit.set()

    def _tell(self, why: str) -> None:
        if why != self._told:
            self._told = why
            logger.warning("the standby is not read from: %s", why) if why else logger.info("the standby is read from")
