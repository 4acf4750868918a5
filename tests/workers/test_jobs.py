"""Jobs and the queue: what may be lost, doubled or refused, and what must not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from subprocess import PIPE
from threading import Event, Thread
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

import msgspec
import pytest
from redis import Redis
from rq import Queue, SimpleWorker
from rq.exceptions import DuplicateJobError
from rq.job import Job
from rq.serializers import JSONSerializer

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import BoardStep, PinnedSheet, write_entry
from daybook.domain.kernel.sheet import digest
from daybook.domain.league.club_commands import EnterResult
from daybook.domain.league.club_events import BESIDE
from daybook.services.files import audits
from daybook.services.following import projections
from daybook.services.following.projections import SCORES, BatchProjector, catch_up
from daybook.services.league import clubs, members, ratings, year_reviews
from daybook.services.operation import broken_off
from daybook.services.people import invitations
from daybook.services.play import period_scores
from daybook.services.play.simulate import copy_entries, simulate_games
from daybook.services.statistics import collect
from daybook.services.store import locks, read_models
from daybook.services.store.away import UnavailableError
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.workers import follower, jobs, queue_server, sessions, worker
from daybook.workers.children import start_child, stop
from daybook.workers.follower import LOST_SECONDS, Watch, follow_all, scores
from tests.forked import Program
from tests.played import leave_unreadable, open_table_of, play, play_game, until_ended, update_games, update_results
from tests.rows import all_rows
from tests.servers import PATIENCE_SECONDS, wait_until
from tests.services.clubbing import account, found_club
from tests.services.leagues import found_mill, places_of

pytestmark = pytest.mark.sqlite_suffices

WORK = (
    "from daybook.services.settings import read_settings; from daybook.workers.worker import run; run(read_settings())"
)
UNKNOWN = "cloth_fair"  # a game that Daybook does not know


@pytest.fixture
def own_queue(tmp_path: Path) -> Iterator[QueueServer]:
    with QueueServer(tmp_path / "queue") as server:
        yield server


class QueueServer:
    """A queue server that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "queue.sock"
        self.url = f"unix://{quote(str(self.socket))}"

    def __enter__(self) -> QueueServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        stop(self.process)

    def start(self) -> None:
        self.process = start_child(queue_server.command(self.folder, self.socket), stdout=subprocess.DEVNULL)
        wait_until(lambda: queue_server.server_answers(self.url), "the queue server")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def dispatch(book: Daybook, queue: Queue) -> None:
    catch_up(book, scores(book, queue))


def rows(book: Daybook) -> list[tuple[Any, ...]]:
    return all_rows(book.views, [read_models.period_score])["period_score"]


def expected_rows(book: Daybook) -> list[tuple[Any, ...]]:
    """Return the table's expected rows: every period that ever ended, computed directly."""
    return sorted(
        tuple(row.values())
        for id in book.log.game_ids()
        for entry in book.games.get(id).entries
        if period_scores.periods_ended(entry.event)
        for row in period_scores.score_rows(book.games.get(id), entry.step)
    )


def unknown_game(book: Daybook) -> tuple[UUID, int]:
    """Return a game with unknown rules in which a round has ended: its score cannot be computed."""
    source = book.games.get(open_table_of(book))
    sheet = PinnedSheet(digest(UNKNOWN, source.opening.sheet.values), {}, source.opening.sheet.values)
    id = uuid4()
    of_unknown = msgspec.structs.replace(source.opening, game=str(id), ruleset=UNKNOWN, sheet=sheet)
    opening = write_entry(id, of_unknown, "")
    until_ended(book, source.id, 1)
    ending = next(
        entry.event
        for entry in book.games.get(source.id).entries
        if isinstance(entry.event, BoardStep) and entry.event.closed_periods
    )
    book.log.append(opening)
    book.log.append(write_entry(id, msgspec.structs.replace(ending, step=1, changes={}), opening.seal))
    return id, 1


def mend_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, UNKNOWN, replace(RULESETS["making_profit"], id=UNKNOWN))


# --- what is laid ----------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_every_ended_period_is_scored_once(book, queue, settings):
    for seed in range(3):
        play_game(book, seed)
    until_ended(book, open_table_of(book), 4)
    dispatch(book, queue)
    worker.run(settings, burst=True)
    assert sorted(rows(book)) == expected_rows(book)
    assert len(rows(book)) > 8
    assert jobs_left(queue) == 0


def jobs_left(queue: Queue) -> int:
    """Return jobs in any state, and everything else that is stored of one."""
    hashes = sum(1 for _ in queue.connection.scan_iter("rq:job:*"))
    return hashes + len(queue) + len(queue.intermediate_queue.get_job_ids())


def test_a_jobs_id_says_what_it_scores_in_letters_that_rq_takes(book, queue):
    id = open_table_of(book)
    (step,) = until_ended(book, id, 5)
    dispatch(book, queue)
    assert queue.get_job_ids() == [f"score-{read_models.SCHEMA}-{id}-{step}"]
    assert all(sign.isalnum() or sign in "_-" for sign in queue.get_job_ids()[0])
    with pytest.raises(ValueError, match="must only contain"):
        queue.enqueue(jobs.score, str(id), step, job_id=f"score:{id}:{step}")


def test_a_job_is_plain_json_that_runs_no_code_when_it_is_read(book, queue):
    id = open_table_of(book)
    (step,) = until_ended(book, id, 6)
    dispatch(book, queue)
    job = Job.fetch(jobs.job_id(jobs.score, id, step), queue.connection, JSONSerializer)
    assert json.loads(job.data) == ["workers.jobs.score", None, [str(id), step], {}]


def test_the_same_job_is_in_the_queue_once(book, queue):
    id = uuid4()
    assert jobs.enqueue(queue, jobs.score, id, 3)
    assert not jobs.enqueue(queue, jobs.score, id, 3)
    assert len(queue) == 1
    with pytest.raises(DuplicateJobError):
        queue.enqueue(jobs.score, str(id), 3, job_id=jobs.job_id(jobs.score, id, 3), unique=True)


def test_a_job_that_runs_twice_changes_nothing(book, queue, settings):
    id = play_game(book, 7)
    dispatch(book, queue)
    worker.run(settings, burst=True)
    before = rows(book)
    for entry in book.games.get(id).entries:
        if period_scores.periods_ended(entry.event):
            assert jobs.enqueue(queue, jobs.score, id, entry.step)  # what is done does not block its id
    worker.run(settings, burst=True)
    assert rows(book) == before
    assert jobs_left(queue) == 0


@pytest.mark.both_databases
def test_job_opens_its_own_handle_after_a_fork(book, settings):
    jobs.use(settings)
    assert os.getpid() not in jobs._books
    handle = jobs.book()
    assert jobs.book() is handle
    child = os.fork()
    if child == 0:
        try:
            there = jobs.book()
            os._exit(0 if there is not handle and there.log.newest() == 0 else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert handle.log.newest() == 0
    jobs.close()


# --- the dispatcher --------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_position_moves_on_after_the_job_is_in_the_queue(book, settings, own_queue):
    queue = jobs.queue_at(replace(settings, redis_url=own_queue.url))
    own_queue.kill()
    play_game(book, 8)
    with pytest.raises(UnavailableError):
        BatchProjector(book, scores(book, queue)).process_batch()
    assert read_models.position_of(book.views, SCORES) == 0
    own_queue.start()
    dispatch(book, queue)
    assert len(queue) == len(expected_rows(book)) + 1, "the game is closed, and counted too"
    assert read_models.position_of(book.views, SCORES) == book.log.newest()


@pytest.mark.both_databases
def test_events_seen_twice_are_scored_once(book, queue, settings):
    """A dispatcher killed between the queue and its position sees them again."""
    play_game(book, 9)
    dispatch(book, queue)
    with book.views.begin() as connection:
        connection.execute(read_models.position.delete())
    dispatch(book, queue)
    assert len(queue) == len(expected_rows(book)) + 1, "the game is closed, and counted too"
    worker.run(settings, burst=True)
    with book.views.begin() as connection:
        connection.execute(read_models.position.delete())
    dispatch(book, queue)
    worker.run(settings, burst=True)
    assert sorted(rows(book)) == expected_rows(book)


@pytest.mark.both_databases
def test_recording_and_projections_do_not_wait_for_the_queue(book, settings, own_queue, monkeypatch):
    monkeypatch.setattr(locks, "AWAY_PAUSE_SECONDS", 0.2)
    there = replace(settings, redis_url=own_queue.url)
    away = open_daybook(there)
    own_queue.kill()
    end = Event()
    thread = Thread(target=follow_all, args=(away, end))
    thread.start()
    try:
        play(book, open_table_of(book), seed=10, close=True)
        wait_until(
            lambda: read_models.position_of(book.views, projections.GAMES) == book.log.newest(), "the rows of games"
        )
        wait_until(lambda: states(book) == {"running", "waiting"}, "health")
        assert read_models.position_of(book.views, SCORES) < book.log.newest()
        assert all_rows(book.views)["unscored_period"] == []
        game = book.games.get(book.log.game_ids()[0])
        assert [sheet.settled for sheet in period_scores.score_sheets(book, game)][-1] is False
        own_queue.start()
        wait_until(lambda: read_models.position_of(book.views, SCORES) == book.log.newest(), "the dispatcher")
        wait_until(lambda: states(book) == {"running"}, "health")
    finally:
        end.set()
        thread.join()
        away.close()
    worker.run(there, burst=True)
    assert sorted(rows(book)) == expected_rows(book)


def states(book: Daybook) -> set[str]:
    return {health.state for health in read_models.projection_health(book.views)}


def test_what_a_killed_process_began_the_watch_ends(book, queue, settings, monkeypatch):
    monkeypatch.setattr(broken_off, "MIN_AGE_MINUTES", -1)
    anna, eve = account(book, "anna"), account(book, "eve")
    club = found_club(book, anna)
    invitations.use_invitation(book, members.invite(book, club, by=anna), eve)
    stopped = Event()
    stopped.set()
    look, beat = Watch(book, queue).once(stopped), locks.Heartbeat(locks.make_lock(settings, "test"), "")
    look(beat)
    assert book.clubs.get(club).roles(eve) == ("member",)
    look(beat)


# --- what fails ------------------------------------------------------------------------------------------------------


def test_poison_job_is_shown_and_done_once_the_cause_is_gone(book, queue, settings, monkeypatch):
    monkeypatch.setattr(jobs, "RETRY_SECONDS", [0])
    monkeypatch.setattr(follower, "WATCH_SECONDS", 0.2)
    monkeypatch.setattr(follower, "RETRY_SECONDS", 1.0)
    id, step = unknown_game(book)
    good = play_game(book, 11)
    dispatch(book, queue)
    worker.run(settings, burst=True)
    assert {row[0] for row in rows(book)} >= {good}  # the others are scored
    assert jobs.failed_jobs(queue) == [jobs.job_id(jobs.score, id, step)]
    assert not jobs.enqueue(queue, jobs.score, id, step)  # a failed job blocks its id
    end = Event()
    thread = Thread(target=follow_all, args=(book, end))
    thread.start()
    try:
        wait_until(lambda: _fares(book, "failing"), "its health")
        says = next(h.message for h in read_models.projection_health(book.views) if h.projection == follower.JOBS)
        assert says.startswith(f"1 job fails: {jobs.job_id(jobs.score, id, step)}: ")
        assert UNKNOWN in says
        worker.run(settings, burst=True)  # it fails again
        mend_game(monkeypatch)
        wait_until(lambda: jobs.job_id(jobs.score, id, step) in jobs.waiting_jobs(queue), "another try")
        worker.run(settings, burst=True)
        wait_until(lambda: _fares(book, "running"), "its health")
    finally:
        end.set()
        thread.join()
    assert sorted(rows(book)) == expected_rows(book)
    assert jobs.failed_jobs(queue) == []


def _fares(book: Daybook, state: str) -> bool:
    return any(h.projection == follower.JOBS and h.state == state for h in read_models.projection_health(book.views))


def test_a_job_that_fails_is_tried_again_a_little_later(book, queue, settings, monkeypatch):
    monkeypatch.setattr(jobs, "RETRY_SECONDS", [600])
    id, step = unknown_game(book)
    dispatch(book, queue)
    worker.run(settings, burst=True)
    assert queue.scheduled_job_registry.get_job_ids() == [jobs.job_id(jobs.score, id, step)]
    assert jobs.failed_jobs(queue) == []
    mend_game(monkeypatch)
    worker.run(settings, burst=True)
    assert queue.scheduled_job_registry.count == 1, "it is not due yet"
    queue.connection.zadd(queue.scheduled_job_registry.key, {jobs.job_id(jobs.score, id, step): 1})
    worker.run(settings, burst=True)  # lays what is due
    assert sorted(rows(book)) == expected_rows(book)


def test_each_further_try_waits_longer(book, queue):
    until_ended(book, open_table_of(book), 23)
    dispatch(book, queue)
    (id,) = queue.get_job_ids()
    job = Job.fetch(id, queue.connection, JSONSerializer)
    pauses = job.retry_intervals or []
    assert job.retries_left == len(pauses) == 3
    assert 1 <= pauses[0] < pauses[1] < pauses[2] < follower.RETRY_SECONDS


# --- what is lost ----------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_after_the_queue_was_emptied_everything_is_derived_again(book, queue, settings):
    for seed in range(12, 15):
        play_game(book, seed)
    dispatch(book, queue)
    queue.connection.flushall()
    keeper = Watch(book, queue)
    assert keeper.look(0.0) == []
    assert len(queue) == len({row[:2] for row in expected_rows(book)})
    worker.run(settings, burst=True)
    assert sorted(rows(book)) == expected_rows(book)
    assert keeper.look(10.0) == []
    assert keeper.scored_to == book.log.newest()


def test_period_scored_before_it_was_noted_is_not_searched(book, queue, settings):
    game = open_table_of(book)
    (step,) = until_ended(book, game, 16)
    period_scores.store_scores(book, game, step)  # a worker was quicker than the follower
    dispatch(book, queue)
    assert list(read_models.periods_without_score(book.views)) == []
    assert sorted(rows(book)) == expected_rows(book)


def test_what_a_watch_looks_for_costs_what_is_missing(book, queue, settings):
    for seed in range(3):
        play_game(book, seed)
    dispatch(book, queue)
    worker.run(settings, burst=True)
    assert len(rows(book)) > 8
    assert all_rows(book.views)["unscored_period"] == [], "nothing is read of what is scored"


def test_a_watch_leaves_what_waits_or_is_under_way_alone(book, queue):
    play_game(book, 15)
    dispatch(book, queue)
    before = queue.get_job_ids()
    keeper = Watch(book, queue)
    for at in (0.0, 10.0, 100.0, 1000.0):
        keeper.look(at)
    assert queue.get_job_ids() == before
    taken = queue.connection.lmove(queue.key, queue.intermediate_queue_key)  # as a worker does
    keeper.look(1010.0)
    keeper.look(1010.0 + LOST_SECONDS - 1)
    assert taken.decode() not in queue.get_job_ids()


@pytest.mark.parametrize("at_work", [False, True])
def test_a_job_lost_with_its_worker_is_laid_again(book, queue, settings, at_work):
    """Killed between two of its steps, a worker leaves a job in no list that anybody takes jobs from."""
    until_ended(book, open_table_of(book), 16)
    dispatch(book, queue)
    (id,) = queue.get_job_ids()
    queue.connection.lmove(queue.key, queue.intermediate_queue_key)
    if at_work:
        killed = SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer)
        job = Job.fetch(id, queue.connection, JSONSerializer)
        killed.prepare_execution(job)
        killed.prepare_job_execution(job, remove_from_intermediate_queue=True)
    keeper = Watch(book, queue)
    keeper.look(0.0)
    assert queue.get_job_ids() == []
    keeper.look(LOST_SECONDS)
    assert queue.get_job_ids() == [id]
    assert queue.started_job_registry.get_job_ids(cleanup=False) == []
    worker.run(settings, burst=True)
    assert sorted(rows(book)) == expected_rows(book)
    assert jobs_left(queue) == 0
    assert jobs.failed_jobs(queue) == []


@pytest.mark.both_databases
def test_clubs_are_rated_by_workers_and_after_an_empty_queue(settings, book, queue):
    club = found_mill(book)
    clubs.write(book, club, EnterResult(BESIDE, "making_profit", places_of("anna", "ben")), by="sam", key="typed")
    update_results(book)
    watch = Watch(book, jobs.queue_at(settings))
    watch.look(0.0)
    of_club = {jobs.job_id(jobs.rate, club), jobs.job_id(jobs.review, club)}
    assert jobs.waiting_jobs(queue) == of_club
    queue.connection.flushall()
    watch.look(10.0)
    watch.look(20.0)
    assert {*queue.get_job_ids()} == of_club
    worker.run(settings, burst=True)
    assert [rating.person for rating in ratings.current_ratings(book, club)] == ["anna", "ben"]
    assert year_reviews.is_current(book, club) and year_reviews.reviewed_years(book, book.clubs.get(club))
    watch.look(30.0)
    assert jobs.waiting_jobs(queue) == set()


def test_job_requeued_by_rq_is_done_and_leaves_nothing(book, queue, settings, monkeypatch, caplog):
    """The queue server knows only the id of a killed worker's attempt; no part fails on it."""
    monkeypatch.setattr(jobs, "RETRY_SECONDS", [0])
    until_ended(book, open_table_of(book), 22)
    dispatch(book, queue)
    (id,) = queue.get_job_ids()
    queue.connection.lmove(queue.key, queue.intermediate_queue_key)
    killed = SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer)
    killed.prepare_execution(Job.fetch(id, queue.connection, JSONSerializer))
    killed.prepare_job_execution(Job.fetch(id, queue.connection, JSONSerializer), remove_from_intermediate_queue=True)
    queue.started_job_registry.cleanup(timestamp=time.time() + 1_000)  # a worker's maintenance, once it has expired
    for execution in queue.connection.scan_iter("rq:execution:*"):
        queue.connection.delete(execution)
    assert queue.get_job_ids() == [id]
    worker.run(settings, burst=True)
    assert (jobs.failed_jobs(queue), jobs.waiting_jobs(queue)) == ([], set())
    assert "Traceback" not in caplog.text
    Watch(book, queue).look(0.0)
    assert sorted(rows(book)) == expected_rows(book)
    assert (jobs.failed_jobs(queue), jobs_left(queue)) == ([], 0)


def test_what_a_job_cannot_help_is_told_on_a_line(book, queue, settings, caplog):
    """The disk is full, the database away, a record cannot be read: each job fails over it, and again at each try."""
    id = open_table_of(book)
    leave_unreadable(book, id)
    jobs.enqueue(queue, jobs.count, id)
    worker.run(settings, burst=True)
    assert f"job {jobs.job_id(jobs.count, id)} is tried again later: InvalidLineError: " in caplog.text
    assert "Traceback" not in caplog.text
    assert jobs.waiting_jobs(queue) == {jobs.job_id(jobs.count, id)}


def test_an_id_in_the_queue_without_its_job_is_laid_once(book, queue):
    until_ended(book, open_table_of(book), 17)
    dispatch(book, queue)
    (id,) = queue.get_job_ids()
    queue.connection.delete(Job.key_for(id))
    Watch(book, queue).look(0.0)
    assert queue.get_job_ids() == [id]


def test_a_failed_job_whose_score_is_there_is_forgotten(book, queue, settings, monkeypatch):
    monkeypatch.setattr(jobs, "RETRY_SECONDS", [0])
    id, step = unknown_game(book)
    dispatch(book, queue)
    worker.run(settings, burst=True)
    assert len(jobs.failed_jobs(queue)) == 1
    mend_game(monkeypatch)
    period_scores.store_scores(book, id, step)
    Watch(book, queue).look(0.0)
    assert jobs.failed_jobs(queue) == []
    assert not queue.connection.exists(Job.key_for(jobs.job_id(jobs.score, id, step)))


def test_failing_audits_and_counts_hold_up_no_other_game(book, queue, settings, monkeypatch):
    monkeypatch.setattr(jobs, "RETRY_SECONDS", [0])
    monkeypatch.setattr(audits, "MAX_GAMES_DUE", 1)
    monkeypatch.setattr(collect, "DUE_LIMIT", 1)
    bad, good = UUID(int=1), play_game(book, 12)
    played = next(simulate_games(RULESETS["london_markets"], 3, 1, 11, {}))
    book.log.append(*copy_entries(played, bad, ["a", "b", "c"], played.opening.at, Random(1)))
    update_games(book)
    audits.request_audits(book, {bad})
    audits.request_audits(book, {good})
    assert audits.games_due(book, 1) == collect.games_due(book, 1) == [bad]
    known = {**RULESETS}
    with monkeypatch.context() as without_rules:
        without_rules.delitem(RULESETS, "london_markets")
        for look in range(2):
            Watch(book, queue).look(float(look))
            worker.run(settings, burst=True)
        assert {*jobs.failed_jobs(queue)} == {jobs.job_id(jobs.audit, bad), jobs.job_id(jobs.count, bad)}
        assert [audit.game for audit in audits.newest_audits(book)] == [good]
        assert [row[0] for row in all_rows(book.views, [read_models.counted_game])["counted_game"]] == [good]
    RULESETS.clear()
    RULESETS.update(known)  # in their order, which is told


# --- workers ---------------------------------------------------------------------------------------------------------


def test_a_worker_looks_after_its_queues_in_time(queue):
    """While it waits for a job it looks after nothing."""
    one = worker.InProcessWorker([queue], Event())
    assert [each.name for each in one.queues] == [f"{jobs.QUEUE}-{read_models.SCHEMA}"]
    assert one.dequeue_timeout <= one.maintenance_interval == 30
    assert one.serializer is JSONSerializer
    assert one.max_connection_wait_time <= 2


def notices(working: Program, *says: bytes) -> None:
    """Wait until a worker has said one of these on its standard error."""
    assert working.stderr is not None
    lines = iter(working.stderr.readline, b"")
    assert any(say in line for line in lines for say in says), "it ended without saying so"


def end_of(working: Program) -> int:
    assert working.stderr is not None
    with working.stderr:
        return stop(working)


def test_caller_of_jobs_answers_signals_again_afterwards(settings, queue):
    before = [signal.getsignal(number) for number in worker.STOPPING]
    worker.run(settings, burst=True)
    assert [signal.getsignal(number) for number in worker.STOPPING] == before


def test_a_worker_outlives_the_queue_server(settings, book, own_queue):
    there = replace(settings, redis_url=own_queue.url)
    queue = jobs.queue_at(there)
    working = Program(WORK, os.environ | there.environ(), stderr=PIPE)
    try:
        play_game(book, 18)
        dispatch(book, queue)
        wait_until(lambda: sorted(rows(book)) == expected_rows(book), "the first scores")
        own_queue.kill()
        notices(working, b"the queue server", b"could not connect to Redis")  # RQ's words while it waits for a job
        assert working.poll() is None
        own_queue.start()
        play_game(book, 19)
        dispatch(book, queue)
        wait_until(lambda: sorted(rows(book)) == expected_rows(book), "the next scores")
        assert working.poll() is None
    finally:
        assert end_of(working) == 0


def test_a_worker_waits_for_a_queue_server_that_is_not_there_yet(settings, book, own_queue):
    own_queue.kill()
    there = replace(settings, redis_url=own_queue.url)
    working = Program(WORK, os.environ | there.environ(), stderr=PIPE)
    try:
        notices(working, b"waiting for it")
        assert working.poll() is None
        own_queue.start()
        play_game(book, 20)
        dispatch(book, jobs.queue_at(there))
        wait_until(lambda: sorted(rows(book)) == expected_rows(book), "the scores")
    finally:
        assert end_of(working) == 0


def test_worker_ends_when_asked_while_the_queue_is_away(settings, book, own_queue):
    own_queue.kill()
    working = Program(WORK, os.environ | replace(settings, redis_url=own_queue.url).environ(), stderr=PIPE)
    assert working.stderr is not None
    with working.stderr:
        assert b"waiting for it" in working.stderr.readline()
        assert stop(working, patience_seconds=PATIENCE_SECONDS) == 0


@pytest.mark.both_databases
def test_a_worker_has_no_children_that_could_outlive_it(settings, book, queue):
    working = Program(WORK, os.environ | settings.environ())
    try:
        wait_until(lambda: bool(SimpleWorker.all(queue=queue)), "the worker")
        play_game(book, 21)
        dispatch(book, queue)
        wait_until(lambda: sorted(rows(book)) == expected_rows(book), "the scores")
        assert sessions.members({working.pid}) == [working.pid]
    finally:
        working.send_signal(signal.SIGKILL)
        working.wait()


@pytest.mark.both_databases
def test_the_follower_ends_when_asked(settings, book):
    following = Program(
        "from daybook.services.settings import read_settings; "
        "from daybook.workers.follower import run; run(read_settings())",
        os.environ | settings.environ(),
    )
    try:
        wait_until(lambda: len(read_models.projection_health(book.views)) >= 4, "the heartbeat of each of its parts")
    finally:
        code = stop(following, patience_seconds=PATIENCE_SECONDS)
    assert code == 0


def test_test_queue_server_is_the_one_in_the_settings(settings, queue):
    with Redis.from_url(settings.queue_url) as there:
        jobs.enqueue(queue, jobs.score, uuid4(), 1)
        assert there.llen(queue.key) == 1
