"""A command that starts while PostgreSQL is away says so in one sentence; a running part waits for it."""

from __future__ import annotations

import os
import re
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from daybook.workers.children import stop
from tests import servers
from tests.forked import Program
from tests.servers import PATIENCE_SECONDS, free_port, wait_until
from tests.web.request.test_outage import Database

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("made") / "data"


@pytest.fixture(scope="module")
def database(data: Path) -> Iterator[Database]:
    """A PostgreSQL with the tables of a new Daybook, stopped."""
    with servers.postgres({"fsync": "on", "full_page_writes": "on"}) as url:
        database = Database(url)
        data.parent.mkdir(exist_ok=True)
        code, said = run("init", url, data.parent, data)
        assert code == 0, said
        database.stop()
        yield database
        database.end()


def begin(command: str, url: str, data: Path, log: Path) -> Program:
    words = ["daybook", *command.split(), "--data", str(data)]
    code = f"import sys; from daybook.cli import main; sys.argv = {words}; main()"
    with log.open("wb") as file:
        return Program(code, os.environ | {"DAYBOOK_DATABASE_URL": url}, log=file)


def run(command: str, url: str, folder: Path, data: Path) -> tuple[int, str]:
    """Run a command; return its exit code and output."""
    ended = begin(command, url, data, folder / "log").wait(PATIENCE_SECONDS)
    return ended, (folder / "log").read_text()


@pytest.mark.parametrize("command", ["init", "web --create", "follow"])
def test_database_that_cannot_hold_every_name_is_refused(postgres_url, tmp_path, command):
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS plain")
        server.execute("CREATE DATABASE plain ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    code, said = run(command, urlsplit(postgres_url)._replace(path="/plain").geturl(), tmp_path, tmp_path / "data")
    assert code in (1, 2) and "Traceback" not in said
    assert "the database has the encoding SQL_ASCII; make one with UTF8" in said


@pytest.mark.parametrize("command", ["init", "rebuild", "doctor", "links 00000000-0000-0000-0000-000000000000"])
def test_a_command_says_so_in_a_sentence(database, data, tmp_path, command):
    code, said = run(command, database.url, tmp_path, data)
    assert code in (1, 2) and len([line for line in said.splitlines() if "connection to server" in line]) == 1
    assert "Traceback" not in said


def test_processes_wait_for_it_and_say_so_once(database, data, tmp_path):
    port = free_port()
    started = {}
    for command in ("follow", "work", "analyse", f"web --port {port}"):
        log = tmp_path / command.split()[0]
        started[log] = begin(command, database.url, data, log)
    try:
        for log, process in started.items():
            wait_until(lambda log=log: "waiting for it" in log.read_text(), log.name)
            assert process.poll() is None
        database.start()

        def answers() -> bool:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE_SECONDS) as answer:
                    return bool(answer.status == 200)
            except OSError:
                return False

        wait_until(answers, "the first page")
        for log, process in started.items():
            assert process.poll() is None, log.read_text()
            said = re.findall("the database cannot be reached.*", log.read_text())
            assert len(said) == len(set(said)), "once, and where the reason changed"
            assert log.read_text().count("the queue server") <= 1, "which is never there"
    finally:
        for process in started.values():
            stop(process, signal.SIGKILL)
