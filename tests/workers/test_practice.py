"""Practice players think in a worker: only their table waits for them, and jobs that the queue loses are created again."""

from __future__ import annotations

from threading import Event
from uuid import UUID, uuid4

import pytest
from rq import Queue

from daybook.domain.commands import Decide, TakeBack
from daybook.domain.kernel.board import plain
from daybook.services.following import projections
from daybook.services.operation.health import Pulse
from daybook.services.play import practice_tables, practice_turns
from daybook.services.play.practice import TURN_SECONDS, Level
from daybook.services.play.practice_tables import Opponents, open_practice_table, waits_for_practice
from daybook.services.store.daybook import Daybook
from daybook.workers import follower, jobs, worker
from daybook.workers.follower import PracticeWatch
from tests.played import leave_unreadable, open_table_of, write

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def practice(queue: Queue) -> Queue:
    return jobs.practice_queue_of(queue)


def open_table(book: Daybook, level: Level = "steady", seat: int = 0) -> UUID:
    """Return a game of two with a person and a practice player."""
    return open_practice_table(
        book,
        ruleset_id="arkwright_card",
        title="Practice",
        name="Anna",
        seat=seat,
        opponents=Opponents(level, ["Ben"]),
        options={},
        by="scorekeeper",
        key=uuid4().hex,
    ).record


def follow(book: Daybook, queue: Queue) -> None:
    for projection in (projections.games_projection(book), follower.scores(book, queue)):
        projections.catch_up(book, projection)


def decide(book: Daybook, game_id: UUID, seat: int = 0) -> None:
    """Make the first legal decision for a person."""
    game = book.games.get(game_id)
    decision = plain(game.ruleset.legal(game.board, seat)[0])
    write(book, game_id, Decide(seat, decision), at=game.step)


def play_until_left_to_practice(book: Daybook, game_id: UUID) -> None:
    while not waits_for_practice(book.games.get(game_id)):
        decide(book, game_id)


@pytest.mark.both_databases
def test_they_go_on_in_a_worker_when_it_is_left_to_them(book, queue, practice, settings):
    id = open_table(book)
    for _ in range(2):
        follow(book, queue)
        assert jobs.waiting_jobs(practice) == {jobs.job_id(jobs.practise, id, book.games.get(id).step)}
        worker.run(settings, burst=True)
        game = book.games.get(id)
        assert game.ruleset.waits_for(game.board) == (0,)
        follow(book, queue)
        assert not jobs.waiting_jobs(practice), "what they did themselves leaves nothing to them"
        play_until_left_to_practice(book, id)


def test_a_table_that_cannot_be_read_keeps_no_other_waiting(book, queue, practice):
    broken, whole = open_table(book), open_table(book)
    follow(book, queue)
    for id in (broken, whole):
        jobs.forget(practice, jobs.job_id(jobs.practise, id, 0))
    leave_unreadable(book, broken)
    assert follower.PracticeWatch(book, practice).look(0.0) == []
    assert jobs.waiting_jobs(practice) == {jobs.job_id(jobs.practise, whole, 0)}


def test_a_job_that_is_carried_out_twice_changes_nothing(book, settings):
    id = open_table(book)
    jobs.use(settings)
    try:
        jobs.practise(str(id), 0)
        step = book.games.get(id).step
        jobs.practise(str(id), 0)
    finally:
        jobs.close()
    assert book.games.get(id).step == step > 0


def test_after_something_was_taken_back_they_wait_to_be_asked(book, queue, practice):
    id = open_table(book)
    practice_tables.play_practice_turn(book, id)
    follow(book, queue)
    jobs.forget(practice, jobs.job_id(jobs.practise, id, 0))
    game = book.games.get(id)
    write(book, id, TakeBack(to_step=0, cause="table", why=""), at=game.step)
    assert waits_for_practice(book.games.get(id))
    follow(book, queue)
    PracticeWatch(book, practice).look(0.0)
    assert not jobs.waiting_jobs(practice)


@pytest.mark.both_databases
def test_what_the_queue_has_lost_is_laid_again(book, queue, practice):
    id = open_table(book)
    follow(book, queue)
    queue.connection.flushdb()
    PracticeWatch(book, practice).look(0.0)
    assert jobs.waiting_jobs(practice) == {jobs.job_id(jobs.practise, id, 0)}
    practice_tables.play_practice_turn(book, id)
    queue.connection.flushdb()
    follow(book, queue)
    PracticeWatch(book, practice).look(0.0)
    assert not jobs.waiting_jobs(practice), "nobody waits for them now"


def test_a_game_of_people_leaves_nothing_to_them(book, queue, practice):
    open_table_of(book)
    follow(book, queue)
    PracticeWatch(book, practice).look(0.0)
    assert not jobs.waiting_jobs(practice)


def test_many_waiting_tables_get_less_thinking_time_each():
    seconds = [practice_tables.turn_seconds(waiting) for waiting in (0, 1, 99)]
    assert seconds == [4.0, 2.0, 0.04]


def test_whether_a_worker_is_there_is_known(book, settings, queue):
    pulse = Pulse(book)
    assert not pulse.has_worker()
    stop = Event()
    registered = jobs.practice_queue_of(queue)
    one = worker.InProcessWorker([queue, registered], stop)
    one.register_birth()
    try:
        assert pulse.has_worker()
    finally:
        one.register_death()
    assert not pulse.has_worker()


def test_visitors_take_turns_however_many_tables_each_has(book, queue, practice):
    tables = [open_table(book) for _ in range(8)]
    for table, client in zip(tables, "aaaabbbc", strict=True):
        practice_turns.store_client(book, table, client)
        jobs.enqueue_in_turn(practice, book, table, book.games.get(table).step)
    order = [jobs._game_of_practice(id) for id in practice.get_job_ids()]
    assert "".join("aaaabbbc"[tables.index(id)] for id in order) == "abcababa"
    jobs.enqueue_in_turn(practice, book, tables[0], book.games.get(tables[0]).step)
    assert len(practice.get_job_ids()) == 8, "each table waits once"


def test_client_that_used_much_cpu_time_waits_longer(book, queue, practice):
    tables = [open_table(book) for _ in range(4)]
    for table, client in zip(tables, "aabb", strict=True):
        practice_turns.store_client(book, table, client)
    clients = practice_turns.clients_of(book, tables)
    jobs.charge_practice(practice, clients[tables[0]], 8 * TURN_SECONDS)  # halved when a minute begins
    assert jobs.practice_debts(practice, {*clients.values()})[clients[tables[0]]] > TURN_SECONDS
    for table in tables:
        jobs.enqueue_in_turn(practice, book, table, book.games.get(table).step)
    order = [jobs._game_of_practice(id) for id in practice.get_job_ids()]
    assert [tables.index(id) for id in order] == [2, 3, 0, 1]


def test_practice_move_is_charged_to_who_opened_the_table(book, queue, practice, settings):
    table = open_table(book)
    practice_turns.store_client(book, table, "a")
    (client,) = practice_turns.clients_of(book, [table]).values()
    jobs.enqueue_in_turn(practice, book, table, book.games.get(table).step)
    worker.run(settings, burst=True)
    assert jobs.practice_debts(practice, [client])[client] > 0
