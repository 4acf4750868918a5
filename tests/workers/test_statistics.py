"""Closed games are counted by real workers, whatever becomes of the queue."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from daybook.domain.commands import Reopen
from daybook.services.following import projections
from daybook.services.statistics import collect, month_sums, person_sums
from daybook.services.statistics.collect import games_due
from daybook.services.statistics.figure_questions import Filter, Question, compute_table
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.workers import follower, jobs, worker
from daybook.workers.follower import Watch, follow_all
from tests.played import open_table_of, play_game, update_games, write
from tests.rows import all_rows
from tests.servers import wait_until

pytestmark = pytest.mark.sqlite_suffices


def rows_counted(book: Daybook) -> dict[str, list[tuple[object, ...]]]:
    return all_rows(book.views, read_models.COUNTED)


def games(book: Daybook) -> int:
    return compute_table(book, Question("score", (), Filter())).n


def test_a_game_is_counted_by_a_worker_soon_after_it_was_closed(book, settings, monkeypatch):
    monkeypatch.setattr(follower, "WATCH_SECONDS", 0.2)
    end = Event()
    thread = Thread(target=follow_all, args=(book, end))
    thread.start()
    try:
        for number in (1, 2):
            id = play_game(book, number)
            wait_until(lambda: games_due(book) != [], "a game that is due")
            wait_until(
                lambda id=id: jobs.job_id(jobs.count, id) in jobs.waiting_jobs(jobs.queue_at(settings)), "its job"
            )  # type: ignore[misc]
            worker.run(settings, burst=True)
            assert games(book) == number
        write(book, id, Reopen("a slip"))
        wait_until(lambda: games_due(book) == [id], "that it is due again")
        wait_until(lambda: jobs.job_id(jobs.count, id) in jobs.waiting_jobs(jobs.queue_at(settings)), "its job")
        worker.run(settings, burst=True)
        assert games(book) == 1
    finally:
        end.set()
        thread.join()


@pytest.mark.both_databases
def test_counting_job_is_enqueued_when_a_game_is_closed(book, queue):
    running, closed = open_table_of(book), play_game(book, 1)
    projections.catch_up(book, follower.scores(book, queue))
    assert jobs.job_id(jobs.count, closed) in jobs.waiting_jobs(queue)
    assert jobs.job_id(jobs.count, running) not in jobs.waiting_jobs(queue)


def test_what_the_queue_has_lost_is_counted_all_the_same(book, queue, settings):
    ids = [play_game(book, seed) for seed in (1, 2, 3)]
    open_table_of(book)  # one that is running is not counted
    update_games(book)
    watch = Watch(book, queue)
    watch.look(0.0)
    assert {jobs.job_id(jobs.count, id) for id in ids} <= jobs.waiting_jobs(queue)
    assert not jobs.enqueue(queue, jobs.count, ids[0])  # it is there already
    queue.connection.flushall()
    watch.look(20.0)
    worker.run(settings, burst=True)
    first = rows_counted(book)
    assert len(first["counted_game"]) == 3 == games(book)
    for id in ids:
        jobs.enqueue(queue, jobs.count, id)  # a job may run twice
    worker.run(settings, burst=True)
    assert rows_counted(book) == first
    projections.rebuild_read_models(book)
    assert rows_counted(book) == first


def test_months_and_people_are_summed_and_a_job_may_run_twice(book, queue, settings, monkeypatch):
    monkeypatch.setattr(month_sums, "MIN_GAMES", 1)
    game_id = play_game(book, 1)
    update_games(book)
    collect.count_all(book)
    collect.note_public(book, game_id, True)
    (month,) = month_sums.find_unsummed(book)
    groups = person_sums.find_unsummed(book)
    watch = Watch(book, queue)
    watch.look(0.0)
    summed = [jobs.job_id(jobs.sum_month, *month), *(jobs.job_id(jobs.sum_people, *group) for group in groups)]
    assert groups and {*summed} <= jobs.waiting_jobs(queue)
    sums = []
    for _ in range(2):
        worker.run(settings, burst=True)
        tables = (read_models.figure_sum, read_models.summed_month, read_models.person_sum, read_models.summed_person)
        sums.append(all_rows(book.views, tables))
        jobs.enqueue(queue, jobs.sum_month, *month)
        jobs.enqueue(queue, jobs.sum_people, *groups[0])
    assert sums[0] == sums[1] and sums[0]["summed_month"] == [month]
    assert month_sums.find_unsummed(book) == person_sums.find_unsummed(book) == []
