"""Win chances are reckoned by real workers while nothing else waits, each piece once, whatever becomes of a worker."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from subprocess import DEVNULL, PIPE
from typing import Any
from uuid import UUID

import pytest
from rq import Queue

from daybook.domain.commands import Reopen
from daybook.services.analysis import play_outs, win_chances
from daybook.services.analysis.win_chances import Piece, analysis_state, games_due
from daybook.services.following import game_rows, projections
from daybook.services.operation import erasing
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.workers import jobs, worker
from daybook.workers.follower import ANALYSIS_LOST_SECONDS, AnalysisWatch, Watch
from tests.forked import Program
from tests.played import leave_unreadable, open_table_of, play_game, update_games, update_results, write
from tests.query_plans import plans_of
from tests.rows import all_rows
from tests.servers import wait_until
from tests.services.analysis.quick import little_effort, make_all

pytestmark = pytest.mark.sqlite_suffices

WORK = """
from daybook.services.settings import read_settings
from daybook.workers import worker
from tests.services.analysis.quick import little_effort
import pytest
little_effort(pytest.MonkeyPatch())
worker.analyse(read_settings())
"""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, win_chances_seconds_per_day=3600)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    little_effort(monkeypatch)


@pytest.fixture
def analysis(settings: Settings) -> Iterator[Queue]:
    queue = jobs.analysis_queue_at(settings)
    yield queue
    queue.connection.close()


def finish_game(book: Daybook, seed: int = 1) -> UUID:
    id = play_game(book, seed)
    update_games(book)
    update_results(book)
    return id


def pieces(book: Daybook) -> list[tuple[Any, ...]]:
    return all_rows(book.views, [read_models.analysed_piece])["analysed_piece"]


def is_done(book: Daybook, game_id: UUID) -> bool:
    return analysis_state(book, book.games.get(game_id)) == "done"


@pytest.mark.both_databases
def test_game_is_analysed_by_a_worker_and_twice_changes_nothing(book, analysis, settings):
    id = finish_game(book)
    watch = AnalysisWatch(book, analysis)
    watch.look(0.0)
    first = jobs.waiting_jobs(analysis)
    assert (
        f"analyse-{read_models.SCHEMA}-{id}-position-0" in first
        and analysis_state(book, book.games.get(id)) == "waiting"
    )
    worker.analyse(settings, burst=True)  # the last job of a round lays the next one
    assert is_done(book, id) and games_due(book) == []
    there = pieces(book)
    assert {row[1] for row in there} == {"position", "move"}
    for job in first:
        _, _, rest = job.partition(f"-{id}-")
        part, _, step = rest.partition("-")
        jobs.enqueue(analysis, jobs.analyse, id, part, int(step))
    worker.analyse(settings, burst=True)
    assert pieces(book) == there
    projections.rebuild_read_models(book)
    assert pieces(book) == there and is_done(book, id)


def test_analysis_watch_passes_over_game_erased_meanwhile(book, analysis):
    erased, kept = finish_game(book), finish_game(book, 2)
    erasing.append_tombstone(book, erased, "spam")  # its rows are still there
    watch = AnalysisWatch(book, analysis)
    watch.look(0.0)
    waiting = jobs.waiting_jobs(analysis)
    assert any(str(kept) in job for job in waiting) and not any(str(erased) in job for job in waiting)


def test_scores_and_chances_have_workers_of_their_own(book, queue, analysis, settings):
    """No score waits for a piece, which takes seconds."""
    id = finish_game(book)
    AnalysisWatch(book, analysis).look(0.0)
    projections.catch_up(
        book,
        projections.Projection(
            "scores", lambda events: {read_models.unscored_period: game_rows.period_end_rows(events)}
        ),
    )
    Watch(book, queue).look(0.0)
    scores, chances = jobs.waiting_jobs(queue), jobs.waiting_jobs(analysis)
    assert len(scores) > 2 and chances
    worker.run(settings, burst=True)
    assert jobs.waiting_jobs(queue) == set() and jobs.waiting_jobs(analysis) == chances and pieces(book) == []
    Watch(book, queue).look(0.0)
    scores = jobs.waiting_jobs(queue)
    worker.analyse(settings, burst=True)
    assert is_done(book, id) and jobs.waiting_jobs(queue) == scores


def working(code: str, settings: Settings, stderr: int = PIPE) -> Program:
    return Program(code, os.environ | settings.environ(), stderr=stderr)


def test_two_workers_share_a_game_and_one_is_killed(book, analysis, settings):
    ids = [finish_game(book, seed) for seed in (1, 2, 3)]
    watch, clock = AnalysisWatch(book, analysis), 0.0
    watch.look(clock)
    two = [working(WORK, settings, DEVNULL) for _ in range(2)]
    try:
        wait_until(lambda: len(pieces(book)) > 3, "the first pieces")
        two[0].kill()
        two[0].wait()

        def all_done() -> bool:
            nonlocal clock
            clock += ANALYSIS_LOST_SECONDS + 1  # what the killed one held is laid again
            watch.look(clock)
            return all(is_done(book, id) for id in ids)

        wait_until(all_done, "the other one to have made the rest")
    finally:
        for item in two:
            item.kill()
            item.wait()
    shared = pieces(book)
    with book.views.begin() as connection:
        connection.execute(read_models.analysed_piece.delete())
        connection.execute(read_models.analysed_game.delete())
    for id in ids:
        make_all(book, id)
    assert pieces(book) == shared


ENDLESS = """
from daybook.services.analysis import win_chances
from daybook.services.analysis.play_outs import Effort
from daybook.services.settings import read_settings
from daybook.workers import worker
win_chances.effort_for = lambda ruleset: Effort(least=10**9)
worker.analyse(read_settings())
"""


def test_stopping_worker_drops_its_piece_and_another_makes_it(book, analysis, settings):
    id = finish_game(book)
    watch = AnalysisWatch(book, analysis)
    watch.look(0.0)
    waiting = jobs.waiting_jobs(analysis)
    stopped = working(ENDLESS, settings)
    wait_until(lambda: jobs.waiting_jobs(analysis) < waiting, "a piece to be begun")
    stopped.terminate()
    assert stopped.last_words() == (0, b"")
    assert pieces(book) == []
    watch.look(1.0)
    watch.look(2.0 + ANALYSIS_LOST_SECONDS)  # it may have been asked before it had quite begun
    assert jobs.waiting_jobs(analysis) == waiting
    worker.analyse(settings, burst=True)
    assert is_done(book, id)


FREEING = ENDLESS.replace(
    "win_chances.effort_for = lambda ruleset: Effort(least=10**9)",
    """
import os, signal
class Freed:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        [None for _ in range(1000)]
win_chances.effort_for = lambda ruleset: (Freed(), Effort(least=10**9))[1]
""",
)


def test_worker_asked_to_stop_while_freeing_memory_stops(book, analysis, settings):
    """Python passes over what is raised there, and says so."""
    finish_game(book)
    AnalysisWatch(book, analysis).look(0.0)
    assert FREEING != ENDLESS
    stopped = working(FREEING, settings)
    assert stopped.last_words() == (0, b"")


def test_a_piece_that_is_not_quite_begun_is_not_begun(book, analysis, settings):
    """RQ prepares a job before it calls it: an error there would be reported as a failed job."""
    finish_game(book)
    AnalysisWatch(book, analysis).look(0.0)
    preparing = ENDLESS.replace(
        "worker.analyse(read_settings())",
        """
import os, signal
from daybook.workers import jobs
perform = jobs.OurJob.perform
jobs.OurJob.perform = lambda job: (os.kill(os.getpid(), signal.SIGTERM), perform(job))[1]
worker.analyse(read_settings())
""",
    )
    stopped = working(preparing, settings)
    assert stopped.last_words() == (0, b"")
    assert pieces(book) == []


def test_games_that_cannot_be_read_keep_no_other_waiting(book, analysis):
    """They come first, as the newest, and stay due: a record that a newer Daybook wrote, a game that was taken away."""
    whole, *broken = (finish_game(book, seed) for seed in range(1, 2 + win_chances.MAX_GAMES_AT_A_TIME))
    for id in broken:
        leave_unreadable(book, id)
    watch = AnalysisWatch(book, analysis)
    for at in (0.0, 1.0):
        assert watch.look(at) == []
    assert {job.split("-position-")[0] for job in jobs.waiting_jobs(analysis)} == {
        jobs.job_id(jobs.analyse, whole, "position", 0).split("-position-")[0]
    }


def test_a_game_that_a_table_plays_is_refused(book, analysis, settings):
    id = open_table_of(book)
    update_games(book)
    assert games_due(book) == []
    for refused in (
        lambda: win_chances.request_analysis(book, id),
        lambda: win_chances.compute_pieces(book, id, [Piece("position", 0)]),
    ):
        with pytest.raises(win_chances.NotAnalysedError):
            refused()
    jobs.enqueue(analysis, jobs.analyse, id, "position", 0)  # whoever asks for it
    worker.analyse(settings, burst=True)
    assert pieces(book) == [] and jobs.failed_jobs(analysis) == []


def test_a_game_that_is_opened_again_keeps_its_chances_to_itself(book):
    id = finish_game(book)
    make_all(book, id)
    assert win_chances.analysis_of(book, book.games.get(id)).positions
    write(book, id, Reopen("a slip"))
    game = book.games.get(id)
    found = win_chances.analysis_of(book, game)
    assert (found.state, found.positions, found.moves) == ("unfinished", [], [])
    update_games(book)
    assert games_due(book) == []


def test_what_another_policy_made_is_made_again(book, analysis, monkeypatch):
    id = finish_game(book)
    make_all(book, id)
    assert games_due(book) == []
    assert not [
        plan for plan in plans_of(book, partial(games_due, book)) if plan.startswith(("SCAN g", "SCAN a", "SCAN u"))
    ]
    package = play_outs.PACKAGES["making_profit"]
    assert package.policy is not None
    newer = replace(package, policy=replace(package.policy, revision=package.policy.revision + 1))
    monkeypatch.setitem(play_outs.PACKAGES, "making_profit", newer)
    AnalysisWatch(book, analysis).look(0.0)
    assert games_due(book) == [id] and analysis_state(book, book.games.get(id)) == "waiting"
    assert win_chances.analysis_of(book, book.games.get(id)).positions == []
    make_all(book, id)
    assert {row[3] for row in pieces(book)} == {win_chances.chances_revision(newer.ruleset)} and games_due(book) == []


def test_the_budget_of_a_day_is_kept_to(book, analysis, settings, monkeypatch):
    monkeypatch.setattr(win_chances, "estimate_chances", play_outs.estimate_chances)  # what is remembered takes no time
    id = finish_game(book)
    win_chances.charge_budget(book, settings.win_chances_seconds_per_day - 0.001)
    AnalysisWatch(book, analysis).look(0.0)
    worker.analyse(settings, burst=True)
    made = len(pieces(book))
    assert 0 < made < 4 and games_due(book) == []  # the piece under way is brought to its end
    make_all(book, id)
    assert len(pieces(book)) == made
    with book.views.begin() as connection:  # the next day
        connection.execute(read_models.analysis_spent.update().values(day="2000-01-01"))
    assert games_due(book) == [id]


def test_a_service_may_do_without(book, settings):
    id = finish_game(book)
    without = open_daybook(replace(settings, win_chances_seconds_per_day=0))
    try:
        assert games_due(without) == [] and analysis_state(without, without.games.get(id)) == "off"
    finally:
        without.close()
