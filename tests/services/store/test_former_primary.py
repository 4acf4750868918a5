"""A primary that returns after a takeover is not used."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest

from daybook.services.store import postgres
from daybook.services.store.away import UnavailableError
from daybook.services.store.locks_postgres import AdvisoryLock
from daybook.services.store.log_postgres import LogDatastore, retry_briefly
from tests.bench.drill.hosts import pair
from tests.servers import wait_until

pytestmark = [pytest.mark.server, pytest.mark.drill]


# A program that begins only now, and has met neither.
BEGUN = "import sys; from daybook.services.store.postgres import connect; print(connect(sys.argv[1]).info.port)"


@retry_briefly
def port_of(pooled: LogDatastore) -> int:
    with pooled.get_connection() as connection:
        return connection.info.port


def test_frozen_primary_that_returns_is_not_asked():
    """It takes writes, too, and has forgotten, or never known, what was written since."""
    with tempfile.TemporaryDirectory() as folder, pair(Path(folder)) as (one, two):
        both = f"postgresql://postgres@127.0.0.1:{one.port},127.0.0.1:{two.port}/postgres"
        of_three = f"postgresql://postgres@127.0.0.1:{one.port},localhost:{one.port},127.0.0.1:{two.port}/postgres"
        waiting, turn, pooled = postgres.connect(both), AdvisoryLock(both, 1), LogDatastore(both)
        assert turn.take() and port_of(pooled) == waiting.info.port == one.port
        postgres.require_open(waiting)
        one.signal(signal.SIGSTOP)
        two.ask("SELECT pg_promote()")
        with postgres.connect(both) as session:
            assert session.info.port == two.port
            session.execute("CREATE TABLE written_since (n int)")
        postgres.connect(of_three).close()
        one.signal(signal.SIGCONT)
        wait_until(one.answers, "the former primary")
        with pytest.raises(psycopg.OperationalError, match="is a former primary"):
            postgres.require_open(waiting)
        assert waiting.closed, "a pool gives what is open again"
        with pytest.raises(UnavailableError, match="is a former primary"):
            turn.check()
        assert port_of(pooled) == two.port
        turn.release()
        pooled.close()
        for address in (both, of_three):
            with postgres.connect(address) as session:
                assert session.info.port == two.port
                session.execute("SELECT n FROM written_since")
        begun = [sys.executable, "-c", BEGUN, both]
        assert subprocess.run(begun, check=True, capture_output=True, text=True).stdout.strip() == str(two.port)
        two.stop(signal.SIGINT)
        for address in (both, of_three):
            with pytest.raises(psycopg.OperationalError, match=r"is a former primary|refused"):
                postgres.connect(address)


def test_briefly_frozen_primary_is_left_by_its_writers():
    """It still takes writes, and is the first of the address; only what waits for its standby tells."""
    with tempfile.TemporaryDirectory() as folder, pair(Path(folder)) as (one, two):
        both = f"postgresql://postgres@127.0.0.1:{one.port},127.0.0.1:{two.port}/postgres"
        with postgres.connect(both) as session:
            two.ask("SELECT pg_promote()")
            with pytest.raises(psycopg.OperationalError, match="does not get on"):
                session.execute("CREATE TABLE kept_nowhere_else (n int)")
        with postgres.connect(both) as session:
            assert session.info.port == two.port
        for host in (one, two):
            host.signal(signal.SIGSTOP)
        unmet = both.replace("@127.0.0.1", "@localhost")
        with pytest.raises(psycopg.OperationalError):
            postgres.connect(unmet)
        for host in (one, two):
            host.signal(signal.SIGCONT)
        wait_until(lambda: one.answers() and two.answers(), "both hosts")
        with postgres.connect(unmet) as session:
            assert session.info.port == two.port, "who met nobody at first asks all again"
