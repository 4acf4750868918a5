"""Connections to PostgreSQL that notice when the other side has gone.

A host that loses its network does not close its connections: its sessions and their locks would stay for hours. So both
sides send keepalives, and give up without an answer. Settings in the address (`?connect_timeout=10`) win.

An address may name several hosts (`postgresql://user@one,two/daybook`): the one that accepts writes is used. A frozen
host still acknowledges packets, and a former primary waits for a standby that has left it. So after some seconds without
an answer, another connection checks the server (`Session.wait`).

A former primary may accept writes, too. No session is used on an older timeline than any part has seen
(`services.store.timelines`), and with several hosts none before a second witness has answered.
"""

from __future__ import annotations

import logging
import select
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import tuple_row

from daybook.services.settings import PREFIX, BadSettingError, Settings
from daybook.services.store import timelines
from daybook.services.store.away import UnavailableError
from daybook.services.store.timelines import Guard, Server, guard_of

CONNECT_SECONDS = 2  # the minimum of libpq
LONG_CONNECT_SECONDS = 10  # for processes that answer no requests: a busy server takes seconds to accept
IDLE_SECONDS, INTERVAL_SECONDS, PROBES = 4, 2, 3  # a silent peer is given up after 10 seconds
UNANSWERED_SECONDS = 10  # for packets without acknowledgement
CHECK_AFTER_SECONDS = 4.0  # without an answer, before the server is checked
INTERRUPT_POLL_SECONDS = 0.1  # in which the library checks for interrupts

CLIENT_KEEPALIVES: dict[str, Any] = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": IDLE_SECONDS,
    "keepalives_interval": INTERVAL_SECONDS,
    "keepalives_count": PROBES,
    "tcp_user_timeout": UNANSWERED_SECONDS * 1000,
}
SERVER_KEEPALIVES = {
    "tcp_keepalives_idle": IDLE_SECONDS,
    "tcp_keepalives_interval": INTERVAL_SECONDS,
    "tcp_keepalives_count": PROBES,
    "tcp_user_timeout": UNANSWERED_SECONDS * 1000,
}
# The server's cost of a random page, as on solid-state disks and in memory. With its default of 4, it reads all rows of a
# measure to join those of a few games.
RANDOM_PAGE_COST = 1.1

PRIMARY_ONLY = {"target_session_attrs": "read-write"}  # of several hosts

WORKS_QUERY = (
    "SELECT coalesce(bool_and(wait_event IS DISTINCT FROM 'SyncRep'), true) FROM pg_stat_activity WHERE pid = %s"
)


# The timeline of a standby is that of what it has replayed.
SERVER_QUERY = """SELECT system_identifier::text, CASE WHEN pg_is_in_recovery()
    THEN greatest(timeline_id, min_recovery_end_timeline)
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END, NOT pg_is_in_recovery()
    FROM pg_control_system(), pg_control_checkpoint(), pg_control_recovery()"""
WITNESS_PAUSE_SECONDS = 0.2
UNKNOWN = Server("", 0, True)
Host = tuple[str, str]  # a name or an address, and a port
_stuck: dict[tuple[Host, ...], Host] = {}  # by the hosts of an address: the one that left a statement last

logger = logging.getLogger(__name__)


class FormerPrimaryError(psycopg.OperationalError):
    """The server was the primary before another one."""


class NoWitnessError(psycopg.OperationalError):
    """Nothing besides the server itself can say that it is not a former primary."""


class Session(psycopg.Connection[Any]):
    """A session that gives up a server which accepts a statement and does not work on it.

    No former primary is used: it lacks newer data, and writes to it will be lost. A primary that left a statement may not
    know yet that it is a former one, so it is tried last.
    """

    hosts: tuple[Host, ...] = ()
    server = UNKNOWN

    @classmethod
    def connect(cls, conninfo: str = "", **how: Any) -> Session:
        """Connect to the primary that another host confirms; refuse a former primary."""
        address = conninfo_to_dict(conninfo)
        hosts = hosts_in(address)
        if len(hosts) > 1 and address.get("target_session_attrs") != "read-write":
            return super().connect(conninfo, **how)
        guard = guard_of(hosts)
        guard.begin()
        try:
            session = cls._connect_confirmed(address, hosts, guard, how)
        except (FormerPrimaryError, NoWitnessError) as no:
            guard.refuse(str(no))
            raise
        except psycopg.OperationalError:
            guard.confirmed = False
            raise
        guard.refusal = ""
        guard.confirm(session.server)
        guard.watch(partial(_watch_hosts, address, hosts, {}))
        return session

    @classmethod
    def _connect_confirmed(
        cls, address: Mapping[str, Any], hosts: tuple[Host, ...], guard: Guard, how: Mapping[str, Any]
    ) -> Session:
        """Connect to the newest primary, once a second witness has answered. Raises OperationalError."""
        while True:
            before = guard.marks.copy()
            others = _ask_all(address, hosts) if len(hosts) > 1 and not guard.confirmed else []
            session = cls._connect_newest(address, hosts, guard, how)
            server = session.server
            newer = [other for other in others if other.system == server.system and other.timeline > server.timeline]
            for other in newer:
                guard.meet(other)
            is_promoted = server.system in before and server.timeline > before[server.system].timeline
            has_witness = len(hosts) < 2 or guard.confirmed or is_promoted or guard.has_witness(server, others)
            if guard.is_former(server):  # a witness knows a newer timeline
                session.close()
            elif has_witness:
                return session
            else:
                where = _name(session.at)
                session.close()
                if not guard.may_wait():
                    raise NoWitnessError(
                        f"{where} accepts writes, but no second witness says that it is not a former primary: start "
                        "another host of DAYBOOK_DATABASE_URL or the queue of DAYBOOK_REDIS_URL, or allow it with "
                        f"{timelines.VARIABLE}=yes"
                    )
                time.sleep(WITNESS_PAUSE_SECONDS)

    @classmethod
    def _connect_newest(
        cls, address: Mapping[str, Any], hosts: tuple[Host, ...], guard: Guard, how: Mapping[str, Any]
    ) -> Session:
        remaining = sorted(hosts, key=lambda host: host == _stuck.get(hosts))
        former = ""
        while remaining:
            only = _with_hosts(address, remaining) if len(hosts) > 1 else address
            try:
                session = super().connect(make_conninfo("", **only), **how)
            except psycopg.OperationalError as away:
                raise FormerPrimaryError(former) if former else away from None
            try:
                session.hosts, session.server = hosts, _server_of(session)
            except psycopg.OperationalError:
                session.close()
                raise
            if not guard.is_former(session.server):
                return session
            at = session.at
            former = _former_message(at, session.server, guard)
            session.close()
            if len(hosts) < 2:
                break
            remaining.remove(at)
        raise FormerPrimaryError(former)

    @property
    def at(self) -> Host:
        """Host and port of the connected server."""
        return self.info.host, str(self.info.port)

    def require_newest(self) -> None:
        """Close the session and raise FormerPrimaryError if its server is a former primary."""
        guard = guard_of(self.hosts)
        if guard.is_former(self.server):
            why = _former_message(self.at, self.server, guard)
            self.close()
            raise FormerPrimaryError(why)
        guard.refusal = ""

    def wait(self, gen: Any, interval: float = INTERRUPT_POLL_SECONDS, timeout: float | None = None) -> Any:
        """Wait as the library does, without a timeout for as long as the server works on the statement.

        Raises OperationalError, as for a cut connection: it is unknown then if the statement was executed.
        """
        while True:
            try:
                return super().wait(gen, interval, CHECK_AFTER_SECONDS if timeout is None else timeout)
            except psycopg.errors._WaitTimeout:
                if timeout is not None:
                    raise
                if not self._is_working():
                    _stuck[self.hosts] = self.at
                    self.pgconn.finish()
                    raise psycopg.OperationalError("the server does not get on with what it was sent") from None

    def _is_working(self) -> bool:
        """Check if the server answers, and does not wait for a standby that may be gone."""
        info, address = self.info, conninfo_to_dict(self.info.dsn)
        address |= {"host": info.host, "hostaddr": self.pgconn.hostaddr.decode() or None, "port": info.port}
        address |= {"password": info.password, "target_session_attrs": "any"}
        try:
            with ShortSession.connect(make_conninfo("", **address)) as asking:
                found = asking.execute(WORKS_QUERY, [info.backend_pid]).fetchone()
        except psycopg.OperationalError as no:
            return "FATAL:" in str(no)  # the server has answered
        return found == (True,)


def _name(host: Host) -> str:
    return f"{host[0]}:{host[1]}"


def _former_message(host: Host, server: Server, guard: Guard) -> str:
    return (
        f"{_name(host)} is a former primary: it is on timeline {server.timeline}, and timeline {guard.newest_of(server)} "
        "has begun. Another host has taken over. Make this one its standby, or accept the older timeline with `daybook "
        "init --accept-loss` while no part runs"
    )


def _server_of(session: psycopg.Connection[Any]) -> Server:
    """Return the identity and timeline of a server; UNKNOWN if it hides them."""
    try:
        with session.cursor(row_factory=tuple_row) as cursor:
            row = cursor.execute(SERVER_QUERY).fetchone()
    except psycopg.OperationalError:
        raise
    except psycopg.Error as wrong:  # a service that hides it, such as a pooler
        logger.debug("the server does not tell its timeline: %s", wrong)
        row = None
    if not session.autocommit:
        session.rollback()
    return UNKNOWN if row is None else Server(*row)


def _ask_all(address: Mapping[str, Any], hosts: Sequence[Host]) -> list[Server]:
    """Ask every host of an address at the same time; those that do not answer are left out."""

    def ask(host: Host) -> list[Server]:
        try:
            with _open_short_session(address, host) as session:
                return [_server_of(session)]
        except psycopg.OperationalError:
            return []

    with ThreadPoolExecutor(len(hosts), "hosts") as threads:
        return [server for answer in threads.map(ask, hosts) for server in answer]


def _watch_hosts(
    address: Mapping[str, Any], hosts: Sequence[Host], sessions: dict[Host, ShortSession]
) -> Iterable[Server]:
    """Ask every host of several again. sessions: those of the last time, since a standby keeps them when promoted."""
    for host in hosts if len(hosts) > 1 else ():
        try:
            if host not in sessions:
                sessions[host] = _open_short_session(address, host)
            yield _server_of(sessions[host])
        except psycopg.OperationalError:
            if host in sessions:
                sessions.pop(host).close()


def _open_short_session(address: Mapping[str, Any], host: Host) -> ShortSession:
    alone = {**_with_hosts(address, [host]), "target_session_attrs": "any"}
    return ShortSession.connect(make_conninfo("", **alone), autocommit=True)


def hosts_in(address: Mapping[str, Any]) -> tuple[Host, ...]:
    """Return the hosts of an address."""
    hosts = str(address.get("host", "")).split(",")
    ports = [port or "5432" for port in str(address.get("port", "")).split(",")]
    if len(ports) == 1:
        ports *= len(hosts)
    return tuple(zip(hosts, ports, strict=True)) if len(ports) == len(hosts) else ()  # the library says what is wrong


def _with_hosts(address: Mapping[str, Any], hosts: list[Host]) -> dict[str, Any]:
    """Return an address with only these hosts, in this order."""
    return {**address, "host": ",".join(host for host, _ in hosts), "port": ",".join(port for _, port in hosts)}


class ShortSession(psycopg.Connection[Any]):
    """A session for a short question."""

    def wait(self, gen: Any, interval: float = INTERRUPT_POLL_SECONDS, timeout: float | None = None) -> Any:
        return super().wait(gen, interval, CONNECT_SECONDS if timeout is None else timeout)


def fence(settings: Settings) -> None:
    """Have this process store which timelines it meets, and use no former primary that another part has met."""
    if settings.database_url is not None:
        _guard(settings.database_url).use(settings)


def refusal(settings: Settings) -> str:
    """Return why no session with the database is used now; "" if there is no reason."""
    return "" if settings.database_url is None else _guard(settings.database_url).refusal


def newest_timeline(url: str) -> int:
    """Return the newest timeline of all systems at an address; 0 before the first session."""
    return max((mark.timeline for mark in _guard(url).marks.copy().values()), default=0)


def accept_timeline(settings: Settings) -> None:
    """Accept the host that accepts writes as the newest primary, because the operator says so."""
    assert settings.database_url is not None
    guard = _guard(settings.database_url)
    address = conninfo_to_dict(address_with_defaults(settings.database_url))
    with translate_outage(), ShortSession.connect(make_conninfo("", **address), autocommit=True) as session:
        server = _server_of(session)
    if server.is_primary:
        guard.accept(server)


@lru_cache(64)
def _hosts_of(url: str) -> tuple[Host, ...]:
    return hosts_in(conninfo_to_dict(address_with_defaults(url)))


def _guard(url: str) -> Guard:
    return guard_of(_hosts_of(url))


def has_several_hosts(url: str) -> bool:
    """Check if an address names several hosts."""
    return "," in str(conninfo_to_dict(url).get("host", ""))


def address_with_defaults(url: str) -> str:
    """Return an address with our defaults: timeouts, and the primary of several hosts."""
    return make_conninfo(
        **{**CLIENT_KEEPALIVES, **(PRIMARY_ONLY if has_several_hosts(url) else {}), **conninfo_to_dict(url)}
    )


def with_long_timeouts(url: str) -> str:
    """Return an address with a longer connect timeout, for work that would have to restart, such as a rebuild."""
    if "connect_timeout" in conninfo_to_dict(url):
        return url
    return f"{url}{'&' if '?' in url else '?'}connect_timeout={LONG_CONNECT_SECONDS}"


def connect_timeout_of(url: str, default: float) -> float:
    """Return the connect timeout of an address in seconds, or a default."""
    timeout = str(conninfo_to_dict(url).get("connect_timeout", ""))
    return float(timeout) if timeout.isdecimal() and int(timeout) else default  # 0 means no timeout, which no pool has


def connect(url: str, **settings: object) -> Session:
    """Open a session in autocommit; if we can no longer be reached, its server soon ends it and frees its locks.

    settings: further settings of the session. Raises BadSettingError for a database that cannot store every name.
    """
    connection = Session.connect(address_with_defaults(url), autocommit=True)
    if (encoding := connection.info.parameter_status("server_encoding")) not in ("UTF8", None):
        connection.close()
        says = f"the database has the encoding {encoding}; make one with UTF8 (createdb -E UTF8 -T template0)"
        raise BadSettingError(PREFIX + "DATABASE_URL", says)
    calls = (f"set_config('{name}', '{value}', false)" for name, value in {**SERVER_KEEPALIVES, **settings}.items())
    connection.execute(f"SELECT {', '.join(calls)}")  # on a Unix socket the server ignores the TCP settings
    return connection


def why_away(url: str) -> str:
    """Return why no session can be opened now; "" if one can."""
    try:
        connect(url).close()
    except psycopg.OperationalError as gone:
        return str(gone).strip().partition("\n")[0]
    return ""


@contextmanager
def translate_outage() -> Iterator[None]:
    """Raise UnavailableError for a server that cannot be reached."""
    try:
        yield
    except psycopg.OperationalError as gone:
        raise UnavailableError(str(gone)) from gone


def require_open(connection: psycopg.Connection[Any]) -> None:
    """Check a connection of a pool before it is used, without a query. Raises OperationalError.

    A server that has cut a connection leaves unread data on it. A former primary is refused.
    """
    if isinstance(connection, Session):
        connection.require_newest()
    came = select.poll()
    came.register(connection.fileno(), select.POLLIN)
    if came.poll(0):
        connection.execute("SELECT 1")


def connect_in(url: str, schema: str) -> Session:
    """Open a session on a schema for SQLAlchemy; it is read-only unless a transaction writes."""
    return connect(url, search_path=schema, default_transaction_read_only="on", random_page_cost=RANDOM_PAGE_COST)


def begin(connection: sa.Connection) -> None:
    """Begin a transaction that writes, or read in autocommit: each statement sees the newest commits."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, psycopg.Connection)
    writes = connection.get_execution_options().get("writes", False)
    raw.autocommit = not writes
    if writes:
        raw.read_only = False


def refuse_cut(raw: Any, record: object, proxy: object) -> None:
    """Have SQLAlchemy's pool replace a connection that the server has cut."""
    try:
        require_open(raw)
    except psycopg.OperationalError as cut:
        raise sa.exc.DisconnectionError from cut
