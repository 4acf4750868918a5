"""The queue's server dies in the middle of scoring, and sentinels have another take over: each period is scored once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from daybook.services.following import projections
from daybook.services.operation import doctor
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.workers import queue_server
from tests.queue_servers import WatchedServers, watched_servers
from tests.servers import wait_until
from tests.workers.test_kills import KillableService, check, recording

pytestmark = [pytest.mark.slow, pytest.mark.sqlite_suffices]


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WatchedServers]:
    try:
        queue_server.binary()
    except queue_server.NoQueueServerError as none:
        pytest.skip(str(none))
    with watched_servers(tmp_path_factory.mktemp("queue")) as found:
        yield found


def findings(settings: Settings) -> str:
    return "\n".join(item.says for item in doctor.run_checks(settings) if item.about in ("sentinels", "queue"))


@pytest.mark.drill
def test_sentinel_failover_while_scoring_loses_nothing(settings, servers):
    """It freezes, and wakes when the other one is used. `python -m tests.bench.drill queue` kills it too, often."""
    there = replace(settings, redis_url=servers.url)
    book = open_daybook(there, create=True)
    projections.prepare_read_models(book)
    service = KillableService(there, servers)
    try:
        with recording(book) as games:
            wait_until(lambda: len(games) > 1, "a game")
            with servers.without_first("freeze"):
                before = len(games)
                wait_until(lambda: len(games) > before, "a game recorded meanwhile")
        check(service, book)
        assert "3 of 3 know the queue's server" in findings(there)
    finally:
        service.stop()
        book.close()


def test_doctor_reports_absent_or_mistaken_sentinels(tmp_path, servers):
    here = Settings(data=tmp_path, redis_url=servers.url)
    assert "knows no 'elsewhere'" in findings(replace(here, redis_url=servers.url.replace("/daybook", "/elsewhere")))
    one, *others = [f"127.0.0.1:{sentinel.port}" for sentinel in servers.sentinels]
    away = servers.url.replace(others[0], "127.0.0.1:1")
    assert "127.0.0.1:1 does not answer" in findings(replace(here, redis_url=away))
    assert "2 of 3 know the queue's server" in findings(replace(here, redis_url=away))
    alone = away.replace(others[1], "127.0.0.1:2")
    assert "too few know the queue's server" in findings(replace(here, redis_url=alone))
    nobody = findings(replace(here, redis_url=alone.replace(one, "127.0.0.1:3")))
    assert "no server answers: no sentinel names a server for 'daybook' now" in nobody.splitlines()
