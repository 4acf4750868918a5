"""A server that takes what it is sent and does not get on with it is given up; one that takes long is not."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import psycopg
import pytest

from daybook.services.operation import doctor
from daybook.services.settings import Settings
from daybook.services.store import postgres
from daybook.services.store.daybook import open_daybook
from tests import servers

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def alone() -> Iterator[str]:
    """Yield the address of a server that no other test uses."""
    with servers.postgres() as url:
        yield url


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "CHECK_AFTER_SECONDS", 0.3)


def test_what_takes_long_is_waited_for(alone):
    with postgres.connect(alone) as session:
        assert session.execute("SELECT 7 FROM pg_sleep(1)").fetchone() == (7,)


def test_a_server_that_takes_no_more_sessions_is_there(alone, monkeypatch):
    with postgres.connect(alone) as session:
        session.execute("ALTER ROLE postgres IN DATABASE postgres SET session_preload_libraries = 'nowhere'")
        try:
            assert session.execute("SELECT 7 FROM pg_sleep(1)").fetchone() == (7,)
        finally:
            session.execute("ALTER ROLE postgres IN DATABASE postgres RESET session_preload_libraries")


def test_a_frozen_server_is_given_up(alone):
    with psycopg.connect(alone, autocommit=True) as looking:
        pids = [pid for (pid,) in looking.execute("SELECT pid FROM pg_stat_activity")]
        (file,) = looking.execute("SHOW data_directory").fetchone() or ("",)
    with open(f"{file}/postmaster.pid") as written:
        pids.append(int(written.readline()))
    session = postgres.connect(alone)
    pids.append(session.info.backend_pid)
    there = [pid for pid in pids if os.path.exists(f"/proc/{pid}")]
    for pid in there:
        os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(psycopg.OperationalError, match="does not get on"):
            session.execute("SELECT 1")
        assert session.closed
    finally:
        for pid in there:
            os.kill(pid, signal.SIGCONT)


def test_a_primary_whose_standby_has_gone_is_given_up():
    replicated = {"wal_level": "replica", "max_wal_senders": "2", "synchronous_standby_names": "another"}
    with servers.postgres({**replicated, "synchronous_commit": "on"}) as url:
        session = postgres.connect(url)
        with pytest.raises(psycopg.OperationalError, match="does not get on"):
            session.execute("CREATE TABLE kept (word text)")
        assert session.closed


@pytest.mark.parametrize(
    ("url", "attributes"),
    [
        ("postgresql://a@one,two/daybook", "read-write"),
        ("postgresql://a@one,two/daybook?target_session_attrs=any", "any"),
        ("postgresql://a@one/daybook", None),
    ],
)
def test_of_several_hosts_the_one_that_takes_writes_is_meant(url, attributes):
    said = psycopg.conninfo.conninfo_to_dict(postgres.address_with_defaults(url))
    assert said.get("target_session_attrs") == attributes


def test_one_of_several_hosts_may_be_away_doctor_checks_standby(alone, tmp_path):
    several = alone.replace("host=", "host=%2Fnowhere,")
    settings = Settings(data=tmp_path, database_url=several, allow_unconfirmed_primary=True)
    book = open_daybook(settings, create=True)
    assert book.log.newest() == 0
    book.close()
    (found,) = [check for check in doctor.run_checks(settings) if check.about == "standby"]
    assert found.state == "bad"
    assert "synchronous_standby_names is empty" in found.says
