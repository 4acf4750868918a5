"""Health says whether Daybook can do its job: a commit is acknowledged, and every part is heard of."""

from __future__ import annotations

import threading
import time
from contextlib import closing

import psycopg
import pytest
import sqlalchemy as sa

from daybook.services.operation import health
from daybook.services.operation.health import Pulse
from daybook.services.store import read_models
from daybook.services.store.sqlite import sqlite
from daybook.web.app import create_app
from tests.played import open_seats, update_games

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def short(monkeypatch):
    """Seconds are tenths of seconds."""
    monkeypatch.setattr(health, "ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(health, "MAX_COMMIT_SILENCE_SECONDS", 0.2)
    monkeypatch.setattr(health, "BEAT_SECONDS", 0.0)


@pytest.mark.both_databases
def test_commit_that_is_not_acknowledged_is_told(book, settings, short):
    """Everything can be read, and nothing written: another holds the lock, as a standby that froze does."""
    pulse = Pulse(book)
    assert pulse.check_reachability().records and pulse.check_reachability().unanswered == 0.0
    if settings.database_url is None:
        shell = sqlite.connect(settings.database_file("log"), isolation_level=None)
        shell.execute("BEGIN IMMEDIATE")
    else:
        shell = psycopg.connect(settings.database_url)
        shell.execute("LOCK TABLE daybook_log.games_events IN EXCLUSIVE MODE")
    with closing(shell):
        found = pulse.check_reachability()
        assert found.away == ("queue",) and found.disk is None
        assert not found.records and found.unanswered > 0.2
        assert [complaint.about for complaint in found.complaints()] == ["recording"]
        answer = create_app(book).test_client().get("/api/v1/health")
        assert answer.status_code == 503 and not answer.json["ok"]
        shell.rollback() if settings.database_url else shell.execute("ROLLBACK")
    while pulse.check_reachability().unanswered:
        pass
    assert pulse.check_reachability().records


def test_waiting_append_counts_without_a_heartbeat(book, settings, short, monkeypatch):
    """A player waits for an acknowledgement: that alone says so at the first look."""
    if settings.database_url is not None:
        return
    monkeypatch.setattr(health, "BEAT_SECONDS", 1e9)
    with closing(sqlite.connect(settings.database_file("log"), isolation_level=None)) as shell:
        shell.execute("BEGIN IMMEDIATE")
        player = threading.Thread(target=open_seats, args=(book,))
        player.start()
        end = time.monotonic() + 20
        while (found := Pulse(book).check_reachability()).records and time.monotonic() < end:
            pass
        assert not found.records
        shell.execute("ROLLBACK")
        player.join()
    assert Pulse(book).check_reachability().records


def test_one_entry_that_is_not_applied_grows_old(book, monkeypatch):
    """The age of missing entries matters in a club of one table, not their number."""
    pulse = Pulse(book)
    open_seats(book)
    assert 0 < pulse.check_reachability().behind["games"] < 60
    update_games(book)
    assert pulse.check_reachability().behind["games"] == 0.0
    pulse = Pulse(book, _begun="2020-01-01T00:00:00.000Z")
    pulse._seen["position of results"] = "0", time.monotonic() - 500
    found = pulse.check_reachability()
    assert found.behind["results"] >= 500
    assert "projection results" in [complaint.about for complaint in found.complaints()]


@pytest.mark.both_databases
def test_silent_follower_is_reported_though_the_clock_went_back(book):
    read_models.write_health(book.views, "games", "running", 0)
    pulse = Pulse(book)
    assert pulse.check_reachability().silent["follow"] < 60
    book.views.write(sa.text("UPDATE health SET beat_at = '2099-01-01T00:00:00.000Z'"))
    pulse.check_reachability()
    pulse._seen["games"] = pulse._seen["games"][0], time.monotonic() - 300
    assert pulse.check_reachability().silent["follow"] >= 300
    book.views.write(sa.text("UPDATE health SET beat_at = '2020-01-01T00:00:00.000Z', state = 'stopped'"))
    assert pulse.check_reachability().silent["follow"] > 1e6
    assert [complaint.about for complaint in pulse.check_reachability().complaints()] == [
        "follower games",
        "silent follow",
    ]
