"""The follower: turn recorded events into read models and jobs.

Independent threads keep the row of each game, keep results and clubs, and enqueue ended periods to be scored. Another one
enqueues again what the queue lost and what is due (audits, counts, ratings, years in review), and completes what a killed
process began. A second follower waits for the first to end.
"""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Thread
from typing import TypeVar
from uuid import UUID

import sqlalchemy as sa
from rq import Queue

from daybook.services.analysis import win_chances
from daybook.services.analysis.kept_chances import restore_chances
from daybook.services.files import audits
from daybook.services.following.game_rows import period_end_rows
from daybook.services.following.projections import (
    SCORES,
    PositionedEntry,
    Projection,
    follow_log,
    games_projection,
    require_schema,
    results_projection,
)
from daybook.services.league import ratings, year_reviews
from daybook.services.messages import outbox
from daybook.services.operation import backup_state, broken_off, notify, scrub
from daybook.services.play import period_scores, practice_tables
from daybook.services.settings import Settings
from daybook.services.statistics import collect, month_sums, person_sums, visibility
from daybook.services.store import history, locks, read_models
from daybook.services.store.database import schemas_of_others
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.game_cache import UNREADABLE, UnknownGameError
from daybook.services.store.locks import Heartbeat, run_exclusively
from daybook.services.store.log import game_entries_in
from daybook.workers import jobs
from daybook.workers.daily_backup import back_up_daily

JOBS = "jobs"  # the name of the job watch in the health rows
WATCH_SECONDS = 10.0
INTERRUPTED_SECONDS = 60.0  # between two looks for work that a killed process left
INTERRUPTED_RETRY_SECONDS = 600.0  # the same after a failure, such as a full disk
LOST_SECONDS = jobs.JOB_SECONDS + 5.0  # a job without a worker for this long was lost with its worker
ANALYSIS_LOST_SECONDS = jobs.ANALYSIS_SECONDS + 5.0
FOREIGN_SECONDS = 3600.0  # for which health reports a foreign job
RETRY_SECONDS = 120.0  # before a failed job is tried again: its cause may have gone
ALL_GAMES_SECONDS = 3600.0  # between two looks at all games
REVIEW_SECONDS = 60.0  # between two looks for evenings and years to review
HANG_SECONDS = 600.0  # of a thread in one step: then this process sends no more beats

logger = logging.getLogger(__name__)

T = TypeVar("T")  # a game, a club, a ruleset


def run(settings: Settings) -> None:
    """Follow the log until SIGTERM or SIGINT. Runs in the main thread. Raises OtherSchemaError."""
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    book = open_daybook(settings)
    try:
        require_schema(book)
        follow_all(book, stop)
    finally:
        book.close()


def follow_all(book: Daybook, stop: Event) -> None:
    """Follow the log until stopped, with a thread for each projection and for the job watch."""
    queue = jobs.queue_at(book.settings)
    look = Watch(book, queue).once(
        stop,
        PracticeWatch(book, jobs.practice_queue_of(queue)),
        AnalysisWatch(book, jobs.analysis_queue_at(book.settings)),
        MessageWatch(book, jobs.message_queue_of(queue)),
    )
    parts = [
        *(
            partial(follow_log, book, projection, stop)
            for projection in (games_projection(book), results_projection(book), scores(book, queue))
        ),
        partial(run_exclusively, book, JOBS, look, stop),
        partial(scrub.scrub_in_turn, book, stop),
    ]
    if backup_state.is_automatic(book.settings):
        parts.append(partial(back_up_daily, book.settings, stop))
    threads = [Thread(target=_until_stopped, args=(part, stop), daemon=True) for part in parts]
    for thread in threads:
        thread.start()
    notify.notify(notify.READY)
    while not stop.wait(notify.BEAT_SECONDS):
        if not locks.stuck_turns(HANG_SECONDS):
            notify.notify(notify.ALIVE)
    for thread in threads:
        thread.join()


def _until_stopped(part: Callable[[], None], stop: Event) -> None:
    """Run a part. If it ends by itself, stop all parts, so that the process is started again."""
    try:
        part()
    finally:
        stop.set()


def scores(book: Daybook, queue: Queue) -> Projection:
    """Enqueue scores of ended periods, counts of closed games and practice moves, before the position advances."""
    practice = jobs.practice_queue_of(queue)

    def fold(events: Sequence[PositionedEntry]) -> read_models.Rows:
        ends = period_end_rows(events)
        for game, step in dict.fromkeys((row["game"], row["step"]) for row in ends):
            jobs.enqueue(queue, jobs.score, game, step)
        for game in dict.fromkeys(
            entry.originator_id for _, entry in game_entries_in(events) if collect.may_change_figures(entry)
        ):
            jobs.enqueue(queue, jobs.count, game)
        for game, step in left_to_practice(book, events):
            jobs.enqueue_in_turn(practice, book, game, step)
        return {read_models.unscored_period: ends}

    return Projection(SCORES, fold, write_ended)


def write_ended(connection: sa.Connection, rows: read_models.Rows) -> None:
    if ended := rows[read_models.unscored_period]:
        period_scores.note_ended(connection, ended)


def left_to_practice(book: Daybook, events: Sequence[PositionedEntry]) -> Iterator[tuple[UUID, int]]:
    """Yield games, with their steps, in which practice players move next."""
    newest = {entry.originator_id: entry for _, entry in game_entries_in(events)}
    for game_id, entry in newest.items():
        if practice_tables.is_by_practice(entry):
            continue
        game = book.games.find(game_id)  # an unreadable game is set aside by the projections
        if game is not None and practice_tables.moves_by_itself(game):
            yield game_id, game.step


# --- lost and due jobs -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Watch:
    """Enqueues missing scores and other due work.

    It needs no record of the queue, whatever happened to that (emptied, lost, a worker killed during a job).
    """

    book: Daybook
    queue: Queue
    scored_to: int = 0  # all periods up to this position of the log have scores
    suspects: dict[str, float] = field(default_factory=dict)  # jobs without a worker, and since when
    tried: dict[str, float] = field(default_factory=dict)  # failed jobs, and when they were last retried
    foreign: dict[str, tuple[str, float]] = field(default_factory=dict)  # jobs of other programs, and since when
    months: list[tuple[str, str]] = field(default_factory=list)  # games and months to sum
    groups: list[tuple[str, str]] = field(default_factory=list)  # games and groups of people to sum
    sums_due: float = 0.0  # when all games are looked at again

    def once(self, stop: Event, *others: Watch) -> Callable[[Heartbeat], None]:
        """Return a function that looks at all queues once. others: watches of other queues, reported together."""
        due, since = 0.0, ""  # of the look for interrupted work

        def look(beat: Heartbeat) -> None:
            nonlocal due, since
            beat.turn.check()
            at = time.monotonic()
            failing = [job_id for watch in (self, *others) for job_id in watch.look(at)]
            history.take_note(self.book.log, self.book.kept)
            state: read_models.ProjectionState = "failing" if failing or self.foreign else "running"
            caught_up, says = self.scored_to >= self.book.log.newest(), self._failures_text(failing)
            read_models.write_health(self.book.views, JOBS, state, self.scored_to, says, caught_up)
            if schemas_of_others(self.book.views):
                visibility.update_changed_games(self.book)
            if at >= due:
                before, since = since, broken_off.complete_interrupted(self.book, since)
                due = at + (INTERRUPTED_SECONDS if since > before else INTERRUPTED_RETRY_SECONDS)
            stop.wait(WATCH_SECONDS)

        return look

    def look(self, at: float) -> list[str]:
        """Enqueue what is missing; return the failing jobs. Raises one of UNAVAILABLE. at: the monotonic time."""
        failed, waiting = set(jobs.failed_jobs(self.queue)), jobs.waiting_jobs(self.queue)
        newest = read_models.position_of(self.book.views, SCORES)
        missing: dict[str, int] = {}
        for page in read_models.periods_without_score(self.book.views):
            ids = [jobs.job_id(jobs.score, game_id, step) for _, game_id, step in page]
            for job_id, is_queued, (place, game_id, step) in zip(
                ids, jobs.are_known(self.queue, ids), page, strict=True
            ):
                missing[job_id] = place
                if not is_queued or (job_id not in waiting and job_id not in failed and self._is_lost(job_id, at)):
                    jobs.forget(self.queue, job_id)
                    jobs.enqueue(self.queue, jobs.score, game_id, step)
        if all_due := at >= self.sums_due:
            self.months, self.sums_due = month_sums.find_unsummed(self.book), at + ALL_GAMES_SECONDS
        self.months = month_sums.without_summed(self.book, self.months)
        self.groups = person_sums.find_unsummed(self.book) if all_due or self.groups else []
        wanted = {
            *missing,
            *self._due(jobs.sum_month, self.months[: month_sums.SUMS_AT_ONCE], failed, waiting, at),
            *self._due(jobs.sum_people, self.groups[: month_sums.SUMS_AT_ONCE], failed, waiting, at),
            *self._due(
                jobs.audit,
                audits.games_due(self.book, audits.MAX_GAMES_DUE + _count_jobs_of(jobs.audit, failed)),
                failed,
                waiting,
                at,
            ),
            *self._due(
                jobs.count,
                collect.games_due(self.book, collect.DUE_LIMIT + _count_jobs_of(jobs.count, failed)),
                failed,
                waiting,
                at,
            ),
            *self._due(jobs.rate, ratings.list_stale_clubs(self.book), failed, waiting, at),
            *self._due(jobs.review, year_reviews.list_stale_clubs(self.book), failed, waiting, at),
        }
        foreign = jobs.foreign_jobs(self.queue, sorted(failed - wanted))
        self.foreign = {job_id: self.foreign.get(job_id, (says, at)) for job_id, says in foreign.items()}
        recent = {job_id for job_id, (_, since) in self.foreign.items() if at - since < FOREIGN_SECONDS}
        self._retry_failed(failed - recent, wanted, at)
        self._forget_suspects(wanted, waiting)
        self.scored_to = min(missing.values(), default=newest + 1) - 1
        return sorted(job_id for job_id in failed if job_id in wanted)

    def _due(
        self,
        work: Callable[..., None],
        due: Sequence[UUID] | Sequence[str] | Sequence[tuple[UUID, int]] | Sequence[tuple[str, str]],
        failed: set[str],
        waiting: set[str],
        at: float,
    ) -> list[str]:
        """Enqueue due work that is missing; return the ids of its jobs. Raises one of UNAVAILABLE."""
        argument_lists = [item if isinstance(item, tuple) else (item,) for item in due]
        ids = [jobs.job_id(work, *arguments) for arguments in argument_lists]
        for job_id, is_known, arguments in zip(
            ids, jobs.are_known(self.queue, ids) if ids else (), argument_lists, strict=True
        ):
            if not is_known or (job_id not in waiting and job_id not in failed and self._is_lost(job_id, at)):
                jobs.forget(self.queue, job_id)
                jobs.enqueue(self.queue, work, *arguments)
        return ids

    def _is_lost(self, job_id: str, at: float, seconds: float | None = None) -> bool:
        """Check if a job had no worker for so long that its worker must have been killed."""
        return at - self.suspects.setdefault(job_id, at) >= (LOST_SECONDS if seconds is None else seconds)

    def _retry_failed(self, failed: set[str], missing: Collection[str], at: float) -> None:
        """Retry failed jobs now and then; forget failures of work that is done."""
        self.tried = {job_id: when for job_id, when in self.tried.items() if job_id in missing}
        for job_id in failed:
            if job_id not in missing:
                jobs.forget(self.queue, job_id)
            elif at >= self.tried.get(job_id, -RETRY_SECONDS) + RETRY_SECONDS:
                self.tried[job_id] = at
                jobs.retry_failed(self.queue, job_id)

    def _forget_suspects(self, wanted: Collection[str], waiting: set[str]) -> None:
        self.suspects = {
            job_id: since for job_id, since in self.suspects.items() if job_id in wanted and job_id not in waiting
        }

    def _failures_text(self, failing: list[str]) -> str:
        if self.foreign:
            return str(jobs.ForeignJobError(next(iter(self.foreign.values()))[0]))
        if not failing:
            return ""
        first = failing[0]
        several = "1 job fails" if len(failing) == 1 else f"{len(failing)} jobs fail; the first"
        return f"{several}: {first}: {jobs.failure_text(self.queue, first)}"


def _count_jobs_of(work: Callable[..., None], failed: Collection[str]) -> int:
    """Count failed jobs of a kind. Their games stay due, so this many more are looked up to delay no other."""
    return sum(jobs.is_job_of(work, job_id) for job_id in failed)


class PracticeWatch(Watch):
    """Enqueues missing practice moves."""

    def look(self, at: float) -> list[str]:
        failed, waiting = set(jobs.failed_jobs(self.queue)), jobs.waiting_jobs(self.queue)
        due = [
            (game_id, self.book.games.get(game_id).step)
            for game_id in practice_tables.tables_waiting_for_practice(self.book)
        ]
        wanted = self._due(jobs.practise, due, failed, waiting, at)
        self._retry_failed(failed, wanted, at)
        self._forget_suspects(wanted, waiting)
        return sorted(failed & {*wanted})


@dataclass(slots=True)
class MessageWatch(Watch):
    """Notes the messages of new entries, and enqueues those that are due."""

    reviews_due: float = 0.0

    def look(self, at: float) -> list[str]:
        while outbox.note_messages(self.book):
            pass
        if at >= self.reviews_due:
            outbox.note_year_reviews(self.book)
            outbox.note_evening_reviews(self.book)
            self.reviews_due = at + REVIEW_SECONDS
        failed, waiting = set(jobs.failed_jobs(self.queue)), jobs.waiting_jobs(self.queue)
        wanted = self._due(jobs.send, outbox.messages_due(self.book), failed, waiting, at)
        self._retry_failed(failed, wanted, at)
        self._forget_suspects(wanted, waiting)
        return sorted(failed & {*wanted})


@dataclass(slots=True)
class AnalysisWatch(Watch):
    """Enqueues missing pieces of win chances."""

    all_due: float = 0.0
    unread: set[UUID] = field(default_factory=set)  # unreadable games: they stay due and delay no other

    def look(self, at: float) -> list[str]:
        if at >= self.all_due:
            win_chances.find_unanalysed(self.book)
            self.unread.clear()
            self.all_due = at + ALL_GAMES_SECONDS
        failed, waiting, wanted = set(jobs.failed_jobs(self.queue)), jobs.waiting_jobs(self.queue), set[str]()
        for game_id in win_chances.games_due(
            self.book, win_chances.MAX_GAMES_AT_A_TIME + len(failed) + len(self.unread)
        ):
            try:
                pieces = self._arguments_of(game_id)
            except (UnknownGameError, *UNREADABLE) as wrong:  # unknown: erased, and its rows are about to go
                if game_id not in self.unread:
                    logger.warning("the chances of game %s wait: %s", game_id, wrong)
                self.unread.add(game_id)
                continue
            work = {jobs.job_id(jobs.analyse, *arguments): arguments for arguments in pieces}
            wanted |= work.keys()
            for job, is_queued in zip(work, jobs.are_known(self.queue, work), strict=True):
                held = job in waiting or job in failed
                if not is_queued or (not held and self._is_lost(job, at, ANALYSIS_LOST_SECONDS)):
                    jobs.forget(self.queue, job)
                    jobs.enqueue(self.queue, jobs.analyse, *work[job])
        self._retry_failed(failed, wanted, at)
        self._forget_suspects(wanted, waiting)
        if wanted - failed or waiting:
            notify.notify(notify.START + "analyse")
        return sorted(failed & wanted)

    def _arguments_of(self, game_id: UUID) -> list[tuple[UUID, win_chances.Part, *tuple[int, ...]]]:
        """Return arguments of jobs for the pieces of a game that can be computed now. Raises UNREADABLE."""
        game = self.book.games.get(game_id)
        restore_chances(self.book, game)
        win_chances.finish_analysis(self.book, game)
        return [jobs.analysis_arguments(game_id, pieces) for pieces in win_chances.pieces_due(self.book, game)]
