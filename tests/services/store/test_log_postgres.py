"""The event log in PostgreSQL: the lock inside our function, lost replies, restarts, settings that lose data."""

from __future__ import annotations

import os
import select
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread, Timer
from urllib.parse import quote, urlsplit
from uuid import uuid4

import psycopg
import pytest
from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg.conninfo import conninfo_to_dict

from daybook.domain.kernel.events import Entry
from daybook.services.settings import Settings
from daybook.services.store.log import (
    AlreadyWrittenError,
    LogBusyError,
    NotDurableError,
    durability,
    open_log,
    require_durability,
)
from daybook.services.store.log_postgres import CREATION_LOCK, TABLES
from tests import servers
from tests.forked import running
from tests.services.log_processes import after, entries_played, opening, writes_a_game


@pytest.fixture
def settings(postgres_database: str, tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", database_url=postgres_database)


@pytest.fixture
def shell(postgres_database: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_database, autocommit=True) as shell:
        yield shell


def wait_until_one_waits(shell: psycopg.Connection) -> None:
    """Wait until a session of this database waits for another's lock."""
    waiting = (
        "SELECT count(*) FROM pg_locks JOIN pg_database ON database = pg_database.oid"
        " WHERE datname = current_database() AND NOT granted"
    )
    servers.wait_until(lambda: shell.execute(waiting).fetchone() == (1,), "somebody to wait for a lock")


class CuttingProxy:
    """Stands between clients and the server; once, it cuts the connection instead of returning the reply to `secret`.

    The server has carried out what was asked by then: it replies after it has committed.
    """

    def __init__(self, folder: Path, url: str, secret: bytes) -> None:
        self.server = f"{conninfo_to_dict(url)['host']}/.s.PGSQL.5432"
        self.url = urlsplit(url)._replace(query=f"host={quote(str(folder))}").geturl()
        self.secret = secret
        self.cuts = 0
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(str(folder / ".s.PGSQL.5432"))
        self.listening.listen()
        self.threads = [Thread(target=self.accept)]
        self.clients: list[socket.socket] = []

    def __enter__(self) -> CuttingProxy:
        self.threads[0].start()
        return self

    def __exit__(self, *wrong: object) -> None:
        self.listening.shutdown(socket.SHUT_RDWR)
        for client in self.clients:
            with suppress(OSError):  # closed already
                client.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        self.listening.close()

    def accept(self) -> None:
        while True:
            try:
                client = self.listening.accept()[0]
            except OSError:  # shut down
                return
            self.clients.append(client)
            self.threads.append(Thread(target=self.carry, args=[client]))
            self.threads[-1].start()

    def carry(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self.server)
            while True:
                speaking = select.select([client, server], [], [])[0][0]
                said = speaking.recv(1 << 20)
                if not said:
                    return
                (server if speaking is client else client).sendall(said)
                if speaking is client and self.secret in said and not self.cuts:
                    self.cuts += 1
                    server.recv(1 << 20)
                    return


# --- the lock ---------------------------------------------------------------------------------------------------


def test_the_function_that_inserts_takes_the_table_lock_first(settings, shell, monkeypatch):
    monkeypatch.setenv("POSTGRES_ENABLE_DB_FUNCTIONS", "y")
    log = open_log(settings, create=True)
    assert isinstance(log.recorder, PostgresApplicationRecorder)
    assert not log.recorder.datastore.enable_db_functions
    functions: dict[str, str] = dict(
        shell.execute("SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'daybook_log'::regnamespace").fetchall()
    )
    assert set(functions) == {"append", "beat", "refuse", "refuse_unless_erased"}  # nothing of the library's own
    assert 0 < functions["append"].index("IN EXCLUSIVE MODE") < functions["append"].index("INSERT INTO")
    log.close()


def test_an_entry_waits_for_the_one_before_it_to_be_visible(log, shell):
    """Unlocked, the second entry would be visible first, and a follower would skip the other's position."""
    first, second = opening(uuid4()), opening(uuid4())
    with psycopg.connect(log.env["DATABASE_URL"]) as slow:
        slow.execute("SELECT daybook_log.append(%s, 1, %s, %s)", [first.originator_id, [first.topic], [first.line]])
        other = Thread(target=log.append, args=[second])
        other.start()
        wait_until_one_waits(shell)
        assert log.since(0) == []
    other.join()
    assert [entry for _, entry in log.since(0)] == [first, second]


def test_a_writer_that_waits_too_long_is_told_to_try_again(log, shell):
    found = shell.execute("SELECT pg_get_functiondef('daybook_log.append'::regproc)").fetchone()
    assert found is not None and "lock_timeout = '10s'" in found[0]
    shell.execute(found[0].replace("'10s'", "'100ms'"))
    entry = opening(uuid4())
    with psycopg.connect(log.env["DATABASE_URL"]) as other:
        other.execute("LOCK TABLE daybook_log.games_events IN EXCLUSIVE MODE")
        with pytest.raises(LogBusyError):
            log.append(entry)
        assert log.newest() == 0
    log.append(entry)


def test_creating_the_log_waits_for_whoever_is_creating_it(settings):
    assert settings.database_url is not None
    with psycopg.connect(settings.database_url) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [CREATION_LOCK])
        other.execute(TABLES[0])  # not to be seen before it is committed
        creator = Thread(target=lambda: open_log(settings, create=True).close())
        creator.start()
        wait_until_one_waits(other)
        assert creator.is_alive()
    creator.join()
    open_log(settings).close()


# --- a database shell -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE daybook_log.games_events",
        "DELETE FROM daybook_log.games_events",
        "INSERT INTO daybook_log.games_events (originator_id, originator_version, topic, state)"
        " SELECT originator_id, originator_version, 'note_added', '' FROM daybook_log.games_events"
        " ON CONFLICT (originator_id, originator_version) DO UPDATE SET topic = excluded.topic",
    ],
)
def test_a_database_shell_cannot_empty_or_overwrite_the_log(log, shell, statement):
    entry = opening(uuid4())
    log.append(entry)
    with pytest.raises(psycopg.Error, match="the log only grows"):
        shell.execute(statement)
    assert log.entries(entry.originator_id) == [entry]


# --- replies that are lost --------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 5])
def test_entry_with_a_lost_acknowledgement_is_written_once(log, settings, tmp_path, count):
    first, *rest = entries_played(uuid4(), 1 + count)
    log.append(first)
    assert settings.database_url is not None
    with CuttingProxy(tmp_path, settings.database_url, log.mapper.to_stored_event(rest[0]).state) as proxy:
        through = open_log(Settings(data=settings.data, database_url=proxy.url))
        position = through.append(*rest)
        through.close()
    assert proxy.cuts == 1
    assert log.entries(first.originator_id) == [first, *rest] and log.newest() == position


def test_lost_acknowledgement_does_not_hide_another_writer(log, settings, tmp_path):
    first = opening(uuid4())
    mine, other = after(first, "mine"), after(first, "other")
    log.append(first, other)
    assert settings.database_url is not None
    with CuttingProxy(tmp_path, settings.database_url, log.mapper.to_stored_event(mine).state) as proxy:
        through = open_log(Settings(data=settings.data, database_url=proxy.url))
        with pytest.raises(AlreadyWrittenError):
            through.append(mine)
        through.close()
    assert proxy.cuts == 1 and log.entries(first.originator_id) == [first, other]


# --- a restart --------------------------------------------------------------------------------------------------


@pytest.mark.server
def test_restart_of_postgresql_loses_no_entry(tmp_path):
    """A server process that dies makes PostgreSQL cut every connection and recover from its journal."""
    game, position, seen = uuid4(), 0, list[Entry]()
    with servers.postgres() as url, ExitStack() as stack:
        settings = Settings(data=tmp_path, database_url=url)
        log, follower = open_log(settings, create=True), open_log(settings)
        stack.callback(log.close)
        stack.callback(follower.close)
        victim = psycopg.connect(url)
        stack.enter_context(running(writes_a_game, settings, game, 400))
        while len(seen) < 400 and follower.wait(position, servers.PATIENCE_SECONDS):
            batch = follower.since(position, limit=50)
            position = batch[-1][0]
            seen += [entry for _, entry in batch]
            if len(seen) > 50 and not victim.closed:
                os.kill(victim.info.backend_pid, signal.SIGKILL)
                victim.close()
        assert victim.closed and seen == entries_played(game, 400) == log.entries(game)
        assert not follower.wait(position, 1)  # time to listen again
        other = Timer(0.2, log.append, [opening(uuid4())])
        other.start()
        assert follower.wait(position, servers.PATIENCE_SECONDS)
        other.join()


def test_waiting_for_an_absent_server_ends_in_time(tmp_path):
    with servers.postgres() as url:
        log = open_log(Settings(data=tmp_path, database_url=url), create=True)
        assert not log.wait(0, 0.1)
    assert not log.wait(0, 1)
    log.close()


def test_an_entry_that_nobody_announced_is_found_within_a_second(log, settings):
    """Between the first look and LISTEN, or while the listener's connection is cut, no notice comes."""
    assert settings.database_url is not None
    url, entry = settings.database_url, opening(uuid4())

    def write_silently() -> None:
        with psycopg.connect(url) as shell:
            shell.execute(
                "INSERT INTO daybook_log.games_events (originator_id, originator_version, topic, state)"
                " VALUES (%s, 1, %s, %s)",
                [entry.originator_id, entry.topic, entry.line],
            )

    writer = Timer(0.3, write_silently)
    writer.start()
    assert log.wait(0, servers.PATIENCE_SECONDS)
    writer.join()


# --- settings that lose data ------------------------------------------------------------------------------------


def test_a_server_that_does_not_flush_is_reported(log):
    findings = durability(log)  # the server for tests is one
    assert [finding.split(" off")[0] for finding in findings] == [
        "PostgreSQL runs with fsync",
        "PostgreSQL runs with full_page_writes",
    ]
    with pytest.raises(NotDurableError, match="fsync off"):
        require_durability(log)


def test_a_server_that_flushes_is_sound(tmp_path, monkeypatch):
    for name in ("fsync", "full_page_writes"):
        monkeypatch.setitem(servers.POSTGRES_OPTIONS, name, "on")
    with servers.postgres() as url:
        log = open_log(Settings(data=tmp_path, database_url=url), create=True)
        assert durability(log) == []
        require_durability(log)
        log.close()


def test_nothing_is_written_where_commits_are_not_flushed(settings, shell):
    shell.execute(f"ALTER DATABASE {shell.info.dbname} SET synchronous_commit = off")
    log = open_log(settings, create=True)
    assert any("synchronous_commit off" in finding for finding in durability(log))
    with pytest.raises(NotDurableError, match="synchronous_commit is off"):
        log.append(opening(uuid4()))
    assert log.newest() == 0
    log.close()


def test_many_opened_logs_hold_few_connections(log, shell):
    with ExitStack() as stack:
        for _ in range(5):
            other = open_log(Settings(data=Path("unused"), database_url=log.env["DATABASE_URL"]))
            stack.callback(other.close)
        found = shell.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()").fetchone()
    assert found is not None and found[0] <= 1 + 6 * 2
