"""Kill -9 at any moment: every period that ended is scored, once, and nothing is left over."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from subprocess import DEVNULL
from threading import Event, Thread
from typing import Any

import pytest
import sqlalchemy as sa
from redis import Redis

from daybook.services.following import projections
from daybook.services.play import period_scores
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.workers import jobs
from daybook.workers.children import stop
from tests.forked import Program
from tests.played import open_table_of, play
from tests.rows import all_rows
from tests.servers import wait_until
from tests.workers.test_jobs import QueueServer

# As in the product but for the pauses: a test cannot wait for half a minute.
FOLLOW = """
from daybook.services.settings import read_settings
from daybook.services.store import locks
from daybook.workers import follower
follower.WATCH_SECONDS, follower.LOST_SECONDS, follower.RETRY_SECONDS = 0.5, 4.0, 2.0
locks.AWAY_PAUSE_SECONDS = locks.LOCK_POLL_SECONDS = 0.2
follower.run(read_settings())
"""
WORK = """
from daybook.services.settings import read_settings
from daybook.workers import jobs, worker
worker.AWAY_SECONDS, worker.DEQUEUE_SECONDS, jobs.SOCKET_SECONDS = 0.2, 1, 3
worker.run(read_settings())
"""
ROUND_SECONDS = 3.0
MOST = 10  # games


class KillableService:
    """A follower, a worker and a queue server, each a process of its own that may be killed."""

    def __init__(self, settings: Settings, queue: QueueServer) -> None:
        self.settings = settings
        self.queue = queue
        self.processes = {"follower": self._start(FOLLOW), "worker": self._start(WORK)}

    def _start(self, code: str) -> Program:
        return Program(code, os.environ | self.settings.environ(), stderr=DEVNULL)

    def kill(self, name: str) -> None:
        """Kill one and start it again, as the supervisor does."""
        if name == "queue":
            self.queue.kill()
            self.queue.start()
        elif name == "all":
            for process in (*self.processes, "queue"):
                self.kill(process)
        else:
            self.processes[name].kill()
            self.processes[name].wait()
            self.processes[name] = self._start({"follower": FOLLOW, "worker": WORK}[name])

    def empty_queue(self) -> None:
        with Redis.from_url(self.queue.url) as there:
            there.flushall()

    def stop(self) -> None:
        for process in self.processes.values():
            stop(process)


@pytest.fixture
def service(settings: Settings, tmp_path: Path) -> Iterator[KillableService]:
    with QueueServer(tmp_path / "queue") as queue:
        there = replace(settings, redis_url=queue.url)
        book = open_daybook(there, create=True)
        projections.prepare_read_models(book)
        book.close()
        service = KillableService(there, queue)
        yield service
        service.stop()


@contextmanager
def recording(book: Daybook) -> Iterator[list[int]]:
    """Games are recorded all the time; the list grows by one with each. No more than a slow machine can rebuild."""
    done: list[int] = []
    end = Event()

    def record_on() -> None:
        while not end.is_set() and len(done) < MOST:
            play(book, open_table_of(book), seed=len(done), close=True)
            done.append(len(done))

    thread = Thread(target=record_on)
    thread.start()
    try:
        yield done
    finally:
        end.set()
        thread.join()


def expected_rows(book: Daybook) -> dict[str, list[tuple[Any, ...]]]:
    """Return the expected rows of the read models, from a fresh fold of the log."""
    games = [book.games.get(id) for id in book.log.game_ids()]
    rows = [read_models.build_game_row(game, game.step, book.log.position(game.id, game.step)) for game in games]
    scores = [
        row
        for game in games
        for entry in game.entries
        if period_scores.periods_ended(entry.event)
        for row in period_scores.score_rows(game, entry.step)
    ]
    return {
        "game_row": as_stored(read_models.game_row, rows),
        "period_score": as_stored(read_models.period_score, scores),
    }


def as_stored(table: sa.Table, rows: Iterable[read_models.TableRow]) -> list[tuple[Any, ...]]:
    return [tuple(row[column.name] for column in table.columns) for row in rows]


def is_done(book: Daybook, of: dict[str, list[tuple[Any, ...]]]) -> bool:
    with book.views.connect() as connection:
        counted = connection.exec_driver_sql("SELECT count(*) FROM period_score").scalar_one()
    at = book.log.newest()
    return counted >= len(of["period_score"]) and all(
        read_models.position_of(book.views, name) == at for name in (projections.GAMES, projections.SCORES)
    )


def check(service: KillableService, book: Daybook) -> None:
    """Everything that ended has exactly one score, equal to a direct computation; nothing waits, nothing failed."""
    wanted = expected_rows(book)
    wait_until(lambda: is_done(book, wanted), "every score")
    there = all_rows(book.views)
    for table, rows in wanted.items():
        assert sorted(there[table], key=repr) == sorted(rows, key=repr)
    queue = jobs.queue_at(service.settings)
    wait_until(lambda: not jobs.waiting_jobs(queue), "an empty queue")
    wait_until(lambda: not jobs.failed_jobs(queue), "no failures")
    # PostgreSQL may write a score and note its period in the same moment: the follower then scores it once more.
    wait_until(lambda: not [*read_models.periods_without_score(book.views)], "a score of every period")
    wait_until(
        lambda: {health.state for health in read_models.projection_health(book.views)} == {"running"},
        "every part's good health",
    )
    queue.connection.close()


def test_whatever_is_killed_every_period_is_scored_once(service):
    chance = random.Random(0 if service.settings.database_url is None else 1)
    book = open_daybook(service.settings)
    try:
        end, kills = time.monotonic() + ROUND_SECONDS, 0
        with recording(book) as games:
            while time.monotonic() < end:
                time.sleep(chance.random() * 1.5)
                service.kill(chance.choice(["follower", "worker", "worker", "queue", "all"]))
                kills += 1
        assert games and kills
        check(service, book)
    finally:
        book.close()


@pytest.mark.sqlite_suffices
def test_recording_goes_on_without_the_queue_scores_come_later(service):
    book = open_daybook(service.settings)
    try:
        service.queue.kill()
        for seed in range(4):
            play(book, open_table_of(book), seed=seed, close=True)
        wait_until(lambda: len(all_rows(book.views)["game_row"]) == 4, "the rows of games")
        service.queue.start()
        check(service, book)
    finally:
        book.close()


@pytest.mark.sqlite_suffices
def test_the_queue_may_be_emptied_again_and_again(service):
    book = open_daybook(service.settings)
    try:
        with recording(book):
            for _ in range(8):
                time.sleep(0.2)
                service.empty_queue()
        check(service, book)
    finally:
        book.close()


def test_rebuild_survives_recording_and_killed_workers(service):
    book = open_daybook(service.settings)
    try:
        with recording(book) as games:
            for several in range(1, 3):
                wait_until(lambda several=several: len(games) > several, "a game")  # type: ignore[misc]
                service.kill("worker")
                projections.rebuild_read_models(book)
        check(service, book)
        live = all_rows(book.views)
        projections.rebuild_read_models(book)
        assert all_rows(book.views) == live
    finally:
        book.close()
