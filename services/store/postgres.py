"""Connections to PostgreSQL that notice when the other side has gone.

A host that loses its network says no good-bye: without more its sessions, and the locks they hold, stay for hours. So
both sides ask from time to time whether the other is there, and give up what is not answered. What an address says
itself about any of this (`?connect_timeout=10`) stands.

An address may name several hosts (`postgresql://user@one,two/daybook`): whichever takes writes is the one. A host that
is frozen still acknowledges all it is sent, and one that was the primary waits for a standby that has left it: whatever
takes long is asked after on a connection of its own (`Session.wait`).
"""

from __future__ import annotations

import select
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import tuple_row

from daybook.services.settings import PREFIX, BadSetting
from daybook.services.store.away import Away

CONNECT_SECONDS = 2  # the least that libpq takes
UNHURRIED_SECONDS = 10  # where nobody waits for an answer: a machine that is busy takes seconds to let somebody in
IDLE_SECONDS, INTERVAL_SECONDS, PROBES = 4, 2, 3  # so a silent peer is given up after 10 seconds
UNANSWERED_SECONDS = 10  # for what was sent and is not acknowledged
LONG_SECONDS = 4.0  # for an answer, before it is asked after
INTERVAL = 0.1  # in which the library looks whether it was interrupted

OURS: dict[str, Any] = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": IDLE_SECONDS,
    "keepalives_interval": INTERVAL_SECONDS,
    "keepalives_count": PROBES,
    "tcp_user_timeout": UNANSWERED_SECONDS * 1000,
}
THEIRS = {
    "tcp_keepalives_idle": IDLE_SECONDS,
    "tcp_keepalives_interval": INTERVAL_SECONDS,
    "tcp_keepalives_count": PROBES,
    "tcp_user_timeout": UNANSWERED_SECONDS * 1000,
}
# What the server should think that a page costs which does not follow the one before: as on disks without heads and in
# memory. By its own 4, of heads, it reads all rows of a measure to join those of a few games.
PAGE_COST = 1.1

THE_PRIMARY = {"target_session_attrs": "read-write"}  # of several hosts

WORKS = "SELECT coalesce(bool_and(wait_event IS DISTINCT FROM 'SyncRep'), true) FROM pg_stat_activity WHERE pid = %s"


# Each time a standby takes over, a new line of history begins, which has the next number.
LINE = """SELECT CASE WHEN pg_is_in_recovery() THEN 0
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END"""
Host = tuple[str, str]  # a name or an address, and a port
# By the hosts of an address, what this process has seen: the newest line, and who last took a statement and left it.
_newest_lines: dict[tuple[Host, ...], int] = {}
_stuck: dict[tuple[Host, ...], Host] = {}


class Session(psycopg.Connection[Any]):
    """A session that gives up a server which takes what it is sent and does not get on with it.

    Of several hosts none is taken that was the primary before another which this process has met, or could have met as
    it began: it may come back, and knows nothing of what was written since. Nor does it know that it is no longer the
    primary, so whoever left a statement is asked last.
    """

    hosts: tuple[Host, ...] = ()
    line = 0

    @classmethod
    def connect(cls, conninfo: str = "", **how: Any) -> Session:
        said = conninfo_to_dict(conninfo)
        there = _each_host(said)
        if len(there) < 2 or said.get("target_session_attrs") != "read-write":
            return super().connect(conninfo, **how)
        if not _newest_lines.get(there):  # nobody was met yet: the first of them may be a former primary
            _newest_lines[there] = max(_line_at(said, host) for host in there)
        left = sorted(there, key=lambda one: one == _stuck.get(there))
        while left:
            session = super().connect(make_conninfo("", **_only(said, left)), **how)
            session.hosts = there
            session.line = _line_of(session)
            if not session.is_former:
                _newest_lines[there] = session.line
                return session
            left.remove(session.at)
            session.close()
        raise psycopg.OperationalError("each host that answers was the primary before another")

    @property
    def at(self) -> Host:
        """Whom it has reached."""
        return self.info.host, str(self.info.port)

    @property
    def is_former(self) -> bool:
        """Whether its server was the primary before another that this process has met."""
        return self.line < _newest_lines.get(self.hosts, 0)

    def require_newest(self) -> None:
        """Raises OperationalError, and closes it: a pool gives what is open again and again."""
        if self.is_former:
            self.close()
            raise psycopg.OperationalError("another host has taken over")

    def wait(self, gen: Any, interval: float = INTERVAL, timeout: float | None = None) -> Any:
        """As the library waits; without a limit of its own, as long as the server works on it. Raises OperationalError:
        whether what was sent is done is not known then, as where a connection is cut."""
        while True:
            try:
                return super().wait(gen, interval, LONG_SECONDS if timeout is None else timeout)
            except psycopg.errors._WaitTimeout:
                if timeout is not None:
                    raise
                if not self._is_worked_on():
                    _stuck[self.hosts] = self.at
                    self.pgconn.finish()
                    raise psycopg.OperationalError("the server does not get on with what it was sent") from None

    def _is_worked_on(self) -> bool:
        """False where the server answers nobody, or waits until a standby has it that may have gone."""
        info, address = self.info, conninfo_to_dict(self.info.dsn)
        address |= {"host": info.host, "hostaddr": self.pgconn.hostaddr.decode() or None, "port": info.port}
        address |= {"password": info.password, "target_session_attrs": "any"}
        try:
            with Question.connect(make_conninfo("", **address)) as asking:
                found = asking.execute(WORKS, [info.backend_pid]).fetchone()
        except psycopg.OperationalError as no:
            return "FATAL:" in str(no)  # it says no, so it is there
        return found == (True,)


def _line_of(session: psycopg.Connection[Any]) -> int:
    with session.cursor(row_factory=tuple_row) as cursor:
        (line,) = cursor.execute(LINE).fetchone() or (0,)
    if not session.autocommit:
        session.rollback()
    return int(line)


def _line_at(said: Mapping[str, Any], host: Host) -> int:
    """Of one host of an address; 0: it takes no writes, or does not answer."""
    alone = {**_only(said, [host]), "target_session_attrs": "any"}
    try:
        with Question.connect(make_conninfo("", **alone)) as asking:
            return _line_of(asking)
    except psycopg.OperationalError:
        return 0


def _each_host(said: Mapping[str, Any]) -> tuple[Host, ...]:
    """The hosts of an address."""
    hosts = str(said.get("host", "")).split(",")
    ports = [port or "5432" for port in str(said.get("port", "")).split(",")]
    if len(ports) == 1:
        ports *= len(hosts)
    return tuple(zip(hosts, ports, strict=True)) if len(ports) == len(hosts) else ()  # the library says what is wrong


def _only(said: Mapping[str, Any], hosts: list[Host]) -> dict[str, Any]:
    """An address with these hosts alone, in this order."""
    return {**said, "host": ",".join(host for host, _ in hosts), "port": ",".join(port for _, port in hosts)}


class Question(psycopg.Connection[Any]):
    """A session for a short question."""

    def wait(self, gen: Any, interval: float = INTERVAL, timeout: float | None = None) -> Any:
        return super().wait(gen, interval, CONNECT_SECONDS if timeout is None else timeout)


def names_several(url: str) -> bool:
    """Whether an address names several hosts."""
    return "," in str(conninfo_to_dict(url).get("host", ""))


def patient_address(url: str) -> str:
    """An address with what it does not say itself: how long to wait for the other side, and which of several hosts."""
    return make_conninfo(**{**OURS, **(THE_PRIMARY if names_several(url) else {}), **conninfo_to_dict(url)})


def unhurried(url: str) -> str:
    """The address for what answers nobody and would have to begin anew, as a rebuild."""
    if "connect_timeout" in conninfo_to_dict(url):
        return url
    return f"{url}{'&' if '?' in url else '?'}connect_timeout={UNHURRIED_SECONDS}"


def patience_of(url: str, ours: float) -> float:
    """For how many seconds whoever uses an address waits to be let in, where it does not say so itself: ours."""
    said = str(conninfo_to_dict(url).get("connect_timeout", ""))
    return float(said) if said.isdecimal() and int(said) else ours  # 0: the library waits without end; a pool does not


def connect(url: str, **settings: object) -> Session:
    """A session, in autocommit, whose server ends it and frees its locks soon after we can no longer be reached.

    settings: what else is set there. Raises BadSetting for a database that cannot hold every name.
    """
    connection = Session.connect(patient_address(url), autocommit=True)
    if (encoding := connection.info.parameter_status("server_encoding")) not in ("UTF8", None):
        connection.close()
        says = f"the database has the encoding {encoding}; make one with UTF8 (createdb -E UTF8 -T template0)"
        raise BadSetting(PREFIX + "DATABASE_URL", says)
    asked = (f"set_config('{name}', '{value}', false)" for name, value in {**THEIRS, **settings}.items())
    connection.execute(f"SELECT {', '.join(asked)}")  # on a socket in the file system the server leaves it at that
    return connection


def why_away(url: str) -> str:
    """Why no session can be had there now; "" where one can."""
    try:
        connect(url).close()
    except psycopg.OperationalError as gone:
        return str(gone).strip().partition("\n")[0]
    return ""


@contextmanager
def translate_outage() -> Iterator[None]:
    """A server that cannot be reached, or went, is told as `Away`."""
    try:
        yield
    except psycopg.OperationalError as gone:
        raise Away(str(gone)) from gone


def require_open(connection: psycopg.Connection[Any]) -> None:
    """Before a connection from a pool is used: where the server has cut it, there is something to be read that nobody
    asked for, which costs no question to see; and a former primary answers no more. Raises OperationalError."""
    if isinstance(connection, Session):
        connection.require_newest()
    came = select.poll()
    came.register(connection.fileno(), select.POLLIN)
    if came.poll(0):
        connection.execute("SELECT 1")


def connect_in(url: str, schema: str) -> Session:
    """A session on the tables of a schema, for SQLAlchemy. It reads, unless a transaction says that it writes."""
    return connect(url, search_path=schema, default_transaction_read_only="on", random_page_cost=PAGE_COST)


def begin(connection: sa.Connection) -> None:
    """Begin a transaction of SQLAlchemy's that writes, or read without one: each statement for itself sees what is
    committed, as it would in a transaction of ours."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, psycopg.Connection)
    writes = connection.get_execution_options().get("writes", False)
    raw.autocommit = not writes
    if writes:
        raw.read_only = False


def refuse_cut(raw: Any, record: object, proxy: object) -> None:
    """Have SQLAlchemy's pool give another connection for one that the server has cut."""
    try:
        require_open(raw)
    except psycopg.OperationalError as cut:
        raise sa.exc.DisconnectionError from cut
