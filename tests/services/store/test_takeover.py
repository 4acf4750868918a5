"""A follower that lost its turn moves nothing on, whatever it still holds; and a cut session frees its locks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread

import psycopg
import pytest
import sqlalchemy as sa
from psycopg.conninfo import conninfo_to_dict

from daybook.services.following import projections
from daybook.services.following.projections import (
    BatchProjector,
    PositionedEntry,
    Projection,
    games_projection,
    period_end_rows,
)
from daybook.services.settings import Settings
from daybook.services.store import locks, postgres, read_models
from daybook.services.store.away import UnavailableError
from daybook.services.store.daybook import Daybook, open_daybook, with_long_timeouts
from daybook.services.store.log_postgres import CONNECT_SECONDS, LogDatastore
from daybook.services.store.tracking import LockLostError, ProjectionTracking
from tests.played import open_table_of, play_game
from tests.rows import all_rows
from tests.servers import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.slow


class Gated:
    """A projection of periods that stands still inside a batch until it is let go."""

    def __init__(self) -> None:
        self.inside, self.go = Event(), Event()
        self.projection = Projection(projections.SCORES, self._fold)

    def _fold(self, events: Sequence[PositionedEntry]) -> read_models.Rows:
        self.inside.set()
        assert self.go.wait(PATIENCE_SECONDS)
        return {read_models.unscored_period: period_end_rows(events)}


@contextmanager
def running(book: Daybook, gated: Gated) -> Iterator[None]:
    stop = Event()
    thread = Thread(target=projections.follow_log, args=(book, gated.projection, stop))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        gated.go.set()
        thread.join()


def test_who_lost_its_turn_inside_a_batch_writes_nothing_of_it(postgres_daybook, tmp_path, monkeypatch, caplog):
    """The other one stands at the same position: only the mark tells them apart."""
    monkeypatch.setattr(locks, "LOCK_POLL_SECONDS", 0.02)
    settings = Settings(data=tmp_path, database_url=postgres_daybook)
    book, other = open_daybook(settings), open_daybook(settings)
    try:
        play_game(book, 5)
        old, new = Gated(), Gated()
        with running(book, old):
            assert old.inside.wait(PATIENCE_SECONDS)
            with psycopg.connect(postgres_daybook) as connection:  # what the server does once it misses the other side
                connection.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
            with running(other, new):
                assert new.inside.wait(PATIENCE_SECONDS)
                old.go.set()
                wait_until(lambda: "another process has taken over scores" in caplog.text, "the old one")
                assert read_models.position_of(book.views, projections.SCORES) == 0
                assert all_rows(book.views, [read_models.unscored_period])["unscored_period"] == []
                new.go.set()
                wait_until(
                    lambda: read_models.position_of(book.views, projections.SCORES) == book.log.newest(), "the new one"
                )
        assert all_rows(book.views, [read_models.unscored_period])["unscored_period"]
    finally:
        book.close()
        other.close()


def test_a_position_moves_for_the_mark_of_the_last_taker_alone(book):
    open_table_of(book)
    first = BatchProjector(
        book, games_projection(book), token=ProjectionTracking(book.views, projections.GAMES).take_over()
    )
    assert first.process_batch() == 1
    second = BatchProjector(
        book, games_projection(book), token=ProjectionTracking(book.views, projections.GAMES).take_over()
    )
    open_table_of(book)
    stood = first.position
    with pytest.raises(LockLostError, match="another process has taken over games"):
        first.process_batch()
    with pytest.raises(LockLostError):
        BatchProjector(book, games_projection(book)).process_batch()  # nor for one that never took a turn
    assert first.position == stood
    assert second.process_batch() == 1


def test_an_old_holder_does_not_speak_for_the_new_one(book):
    old = locks.Heartbeat(locks.make_lock(book.settings, "p"), ProjectionTracking(book.views, "p").take_over())
    ProjectionTracking(book.views, "p").take_over()
    read_models.write_health(book.views, "p", "running", 7)
    locks._write_health(book, "p", old, "waiting", UnavailableError("gone"))
    assert [health.state for health in read_models.projection_health(book.views)] == ["running"]


def test_both_sides_of_every_session_check_the_other():
    said = conninfo_to_dict(postgres.address_with_defaults("postgresql://anna@db.example.org/daybook"))
    assert {name: said[name] for name in ("connect_timeout", "keepalives_idle", "tcp_user_timeout")} == {
        "connect_timeout": "2",
        "keepalives_idle": "4",
        "tcp_user_timeout": "10000",
    }
    own = conninfo_to_dict(postgres.address_with_defaults("postgresql://db/daybook?connect_timeout=9"))
    assert own["connect_timeout"] == "9", "what an address says stands"


@pytest.mark.parametrize(
    ("url", "seconds"),
    [
        ("postgresql://db/daybook", "10"),
        ("postgresql:///daybook?host=a,b", "10"),
        ("postgresql://db/?connect_timeout=9", "9"),
    ],
)
def test_who_answers_nobody_waits_longer_to_be_let_in(tmp_path, url, seconds):
    settings = with_long_timeouts(Settings(data=tmp_path, database_url=url))
    assert settings.database_url is not None
    said = conninfo_to_dict(postgres.address_with_defaults(settings.database_url))
    assert said["connect_timeout"] == seconds and said["host"] == conninfo_to_dict(url)["host"]
    assert with_long_timeouts(Settings(data=tmp_path)) == Settings(data=tmp_path)
    pool = LogDatastore(settings.database_url).pool
    assert (pool.timeout, pool.reconnect_timeout) == (float(seconds), float(seconds)), (
        "what reads the log waits as long"
    )
    assert LogDatastore("postgresql://db/daybook?connect_timeout=0").pool.timeout == CONNECT_SECONDS


def test_every_session_asks_its_server_to_notice(postgres_daybook, tmp_path):
    settings = Settings(data=tmp_path, database_url=postgres_daybook)
    book = open_daybook(settings)
    try:
        with book.views.connect() as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, psycopg.Connection)
            sources = {
                row[0]
                for row in raw.execute(
                    "SELECT source FROM pg_settings WHERE name IN ('tcp_keepalives_idle', 'tcp_user_timeout')"
                )
            }
            assert sources == {"session"}
        with book.kept.engine.connect() as connection:
            connection.execute(sa.text("SELECT 1"))
    finally:
        book.close()
