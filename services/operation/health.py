"""Health: which services can be reached now, answered quickly even if nothing responds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from shutil import disk_usage
from threading import Lock
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from daybook.domain.kernel.chronicle import InvalidLineError
from daybook.services.clock import now
from daybook.services.store import migrations, read_models, set_aside
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.daybook import Daybook
from daybook.services.store.disk import Why, why_nothing_is_taken

ANSWER_SECONDS = 1.5  # limit for one answer
QUEUE_SECONDS = 1.0
BEAT_SECONDS = 5.0  # between two heartbeats of the log if nothing else is recorded
PROJECTION_NAMES = ("games", "results", "scores")  # projections of every Daybook
MAX_COMMIT_SILENCE_SECONDS = 5.0  # without an acknowledged commit
MAX_PART_SILENCE_SECONDS = 120.0  # a running part reports every few seconds
MAX_PROJECTION_DELAY_SECONDS = 120.0  # from an entry to its row
MAX_JOB_WAIT_SECONDS = 300.0  # from enqueueing to start
PATIENT_QUEUE = "analysis"  # its jobs may wait for hours
BEATS_KEY = "daybook:beats"  # at the queue's server: last heartbeat of each kind of worker
JOB, FAILED = "rq:job:", "rq:failed:"
QUEUES, QUEUE = "rq:queues", "rq:queue:"  # where RQ has the names of its queues, and what each begins with
RQ_WORKERS_PREFIX = "rq:workers:"  # RQ's sets of workers by queue; rows of killed workers expire

if TYPE_CHECKING:
    from redis import Redis

PendingChecks = dict[str, "Future[Any]"]


class QueueAwayError(Exception):
    """The queue server does not answer."""


@dataclass(frozen=True, slots=True)
class QueueFigures:
    """State of the queues.

    Args:
        jobs: number of waiting jobs by queue.
        oldest: waiting time in seconds of the first job by queue.
        failed: number of failed jobs by queue.
        beats: last heartbeat by kind of worker.
        workers: number of workers for scores.
    """

    jobs: dict[str, int] = field(default_factory=dict)
    oldest: dict[str, float] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    beats: dict[str, str] = field(default_factory=dict)
    workers: int = 0


@dataclass(frozen=True, slots=True)
class Complaint:
    """Problem that keeps Daybook from doing its job.

    Args:
        do: remedy.
    """

    about: str
    says: str
    do: str


@dataclass(frozen=True, slots=True)
class Reachability:
    """State of the service. away: unreachable parts: "database", "queue". projections: none while they cannot be read.

    disk: why nothing can be written to the record's disk; None: it works, or is PostgreSQL's.

    unreadable_records: number of games and clubs that cannot be read, and are left out. kept: the version of the kept
    tables, which another host may have raised; None while it cannot be read. newest: number of entries of the log, 0
    while it cannot be read.

    unanswered: seconds without an acknowledged commit although one was tried; 0: all is well. behind: by projection, the
    age of the oldest entry that is not in its rows yet. silent: by part, the seconds since its last beat. refused: why a
    database that answers is not used.
    """

    away: tuple[str, ...]
    disk: Why | None
    projections: list[read_models.Health]
    unreadable_records: int
    kept: int | None
    newest: int
    queue: QueueFigures
    unanswered: float
    behind: dict[str, float]
    silent: dict[str, float]
    refused: str = ""

    @property
    def records(self) -> bool:
        """Check if new entries are acknowledged."""
        return "database" not in self.away and self.disk is None and self.unanswered <= MAX_COMMIT_SILENCE_SECONDS

    def complaints(self) -> list[Complaint]:
        """Return everything that is reachable but does not work properly."""
        found = []
        if self.refused:
            found.append(Complaint("database", self.refused, "look at each database host: only one is the primary"))
        if self.unanswered > MAX_COMMIT_SILENCE_SECONDS:
            found.append(
                Complaint(
                    "recording",
                    f"no commit was acknowledged for {self.unanswered:.0f} seconds: nothing can be recorded",
                    "look at the database, its standby and its disk: something holds a lock, or does not answer",
                )
            )
        for health in self.projections:
            if health.state in ("failing", "stopped"):
                says = f"{health.state}: {health.message}"
                found.append(Complaint(f"follower {health.projection}", says, "the log of `daybook follow` says more"))
        for part, seconds in self.silent.items():
            if seconds > MAX_PART_SILENCE_SECONDS and part != "analyse":
                says = f"it was last heard of {seconds:.0f} seconds ago: it was stopped, or it hangs"
                found.append(Complaint(f"silent {part}", says, f"start `daybook {part}` or `daybook serve`"))
        for name, seconds in self.behind.items():
            if seconds > MAX_PROJECTION_DELAY_SECONDS:
                says = f"what was recorded {seconds:.0f} seconds ago is not in its rows"
                found.append(Complaint(f"projection {name}", says, "start `daybook follow` or `daybook serve`"))
        for queue, seconds in self.queue.oldest.items():
            if seconds > MAX_JOB_WAIT_SECONDS and queue != PATIENT_QUEUE:
                says = f"a job of the queue {queue} has waited for {seconds:.0f} seconds"
                found.append(Complaint("workers", says, "start `daybook work` or `daybook serve`"))
        return found


@dataclass(frozen=True, slots=True)
class DiskUse:
    """Disk use.

    Args:
        database_bytes: None if it cannot be read.
        free_bytes: on the disk of the data folder; None if everything is in PostgreSQL.
    """

    database_bytes: int | None
    free_bytes: int | None


@dataclass(slots=True)
class Pulse:
    """Probes the database and the queue. While a probe hangs, no second one is started."""

    book: Daybook
    _begun: str = field(default_factory=now)
    _seen: dict[str, tuple[str, float]] = field(default_factory=dict)  # what parts said last, and since when
    _threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(6, "health"))
    _pending: PendingChecks = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def check_reachability(self) -> Reachability:
        futures = {
            "log": self._submit("log", self.book.log.probe),
            "views": self._submit("views", self._read_projections),
            "kept": self._submit("kept", self._kept_version),
            "disk": self._submit("disk", self._disk_fault),
            "queue": self._submit("queue", self._read_queue),
        }
        if self.book.log.commits.since_acknowledged() > BEAT_SECONDS:
            futures["commit"] = self._submit("commit", self._try_commit)
        wait(futures.values(), ANSWER_SECONDS)
        there = {name for name, future in futures.items() if future.done() and _has_answered(future)}
        away = [*(["database"] if {"log", "views", "kept"} - there else []), *([] if "queue" in there else ["queue"])]
        projections, several, positions = futures["views"].result() if "views" in there else ([], 0, {})
        kept = futures["kept"].result() if "kept" in there else None
        disk = futures["disk"].result() if "disk" in there else None
        newest = futures["log"].result() if "log" in there else 0
        queue = futures["queue"].result() if "queue" in there else QueueFigures()
        unanswered = self.book.log.commits.unanswered_seconds()
        behind = self._projection_delays(projections, positions, newest) if "log" in there and "views" in there else {}
        silent = {name: self._seconds_since_beat(name, at) for name, at in queue.beats.items()}
        if projections:
            silent["follow"] = max(
                self._seconds_since_beat(projection.projection, projection.beat_at) for projection in projections
            )
        return Reachability(
            tuple(away),
            disk,
            projections,
            several,
            kept,
            newest,
            queue,
            unanswered,
            behind,
            silent,
            self._refused_reason(),
        )

    def _refused_reason(self) -> str:
        if self.book.settings.database_url is None:
            return ""
        from daybook.services.store import postgres

        return postgres.refusal(self.book.settings)

    def _projection_delays(
        self, projections: list[read_models.Health], positions: dict[str, int], newest: int
    ) -> dict[str, float]:
        """Return how old the oldest entry is that is not in the rows of each projection.

        An entry's own time says little where it was imported, so it is no older than the last moment at which the
        projection had every entry.
        """
        by_name = {projection.projection: projection for projection in projections}
        delays = dict.fromkeys(positions, 0.0)
        for name, at in positions.items():
            if at < newest:
                had_all = (name in by_name and by_name[name].caught_up_at) or self._begun
                ages = [_seconds_since(had_all)]
                with suppress(*UNAVAILABLE, InvalidLineError):
                    ages += [_seconds_since(entry.event.at) for _, entry in self.book.log.since(at, 1)]
                since = self._seconds_since_beat(f"position of {name}", f"{at}", counted_from_now=True)
                delays[name] = max(min(ages), since)
        return dict(sorted(delays.items()))

    def _seconds_since_beat(self, name: str, beat_at: str, counted_from_now: bool = False) -> float:
        """Return how long ago a part said something, also where the clock went back since."""
        before = self._seen.get(name)
        if before is None or before[0] != beat_at:
            before = self._seen[name] = beat_at, time.monotonic()
        here = time.monotonic() - before[1]
        return here if counted_from_now else max(here, _seconds_since(beat_at))

    def _try_commit(self) -> None:
        """Try to commit; the log records success."""
        with suppress(Exception):
            self.book.log.commit_heartbeat()

    def weigh(self) -> DiskUse:
        future = self._submit("bytes", self._read_bytes)
        wait([future], ANSWER_SECONDS)
        there = future.done() and _has_answered(future)
        data = self.book.settings.data
        return DiskUse(future.result() if there else None, disk_usage(data).free if data.is_dir() else None)

    def has_worker(self) -> bool:
        """Check if a worker takes practice players' jobs; False if that is not known at once."""
        future = self._submit("workers", self._has_practice_worker)
        wait([future], ANSWER_SECONDS)
        return future.done() and _has_answered(future) and bool(future.result())

    def _read_projections(self) -> tuple[list[read_models.Health], int, dict[str, int]]:
        positions = {name: read_models.position_of(self.book.views, name) for name in PROJECTION_NAMES}
        return read_models.projection_health(self.book.views), len(set_aside.select_all(self.book.views)), positions

    def _kept_version(self) -> int:
        with self.book.kept.engine.connect() as connection:
            return migrations.stored_version(connection)

    def _disk_fault(self) -> Why | None:
        settings = self.book.settings
        return why_nothing_is_taken(settings.data) if settings.database_url is None else None

    def _submit(self, name: str, question: Callable[[], Any]) -> Future[Any]:
        with self._lock:
            before = self._pending.get(name)
            if before is None or before.done():
                before = self._pending[name] = self._threads.submit(question)
            return before

    def _read_bytes(self) -> int:
        settings = self.book.settings
        if settings.database_url is None:
            files = settings.data.glob("*.db*")  # with what is written ahead
            return sum(file.stat().st_size for file in files)
        with self.book.views.connect() as connection:
            return int(connection.execute(sa.text("SELECT pg_database_size(current_database())")).scalar_one())

    def _read_queue(self) -> QueueFigures:
        """Read the state of each queue; those of another version have its number. Raises QueueAwayError."""
        ends, own = read_models.versioned_name(""), read_models.versioned_name("practice")
        figures = QueueFigures(workers=0)
        with self._connected_queue() as queue:
            queue.ping()
            for key in map(bytes, queue.smembers(QUEUES)):  # type: ignore[arg-type]
                full = key.decode().removeprefix(QUEUE)
                name = full.removesuffix(ends)
                figures.jobs[name] = queue.llen(key)
                figures.failed[name] = queue.zcard(FAILED + full)
                first: Any = queue.lindex(key, 0)
                laid: Any = queue.hget(JOB + bytes(first).decode(), "enqueued_at") if first else None
                figures.oldest[name] = _seconds_since(bytes(laid).decode()) if laid else 0.0
            beats: Any = queue.hgetall(BEATS_KEY)
            for part, at in beats.items():
                if part.decode().endswith(ends):
                    figures.beats[part.decode().removesuffix(ends)] = at.decode()
            workers = sum(bool(queue.exists(worker)) for worker in queue.smembers(RQ_WORKERS_PREFIX + own))
        return replace(figures, workers=workers)

    def _has_practice_worker(self) -> bool:
        """Check if a worker serves the practice queue. Raises QueueAwayError."""
        with self._connected_queue() as queue:
            return any(
                queue.exists(worker)
                for worker in queue.smembers(RQ_WORKERS_PREFIX + read_models.versioned_name("practice"))
            )

    @contextmanager
    def _connected_queue(self) -> Iterator[Redis]:
        """Connect to the queue server inside the block. Raises QueueAwayError."""
        from redis.exceptions import RedisError  # slow to import, and only health checks need it

        from daybook.services.queue_client import connect_queue_once

        try:
            with connect_queue_once(self.book.settings.queue_url, QUEUE_SECONDS) as queue:
                yield queue
        except RedisError as wrong:
            raise QueueAwayError(str(wrong)) from wrong


def _seconds_since(at: str) -> float:
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(at)).total_seconds())


def _has_answered(future: Future[Any]) -> bool:
    """Check if a future succeeded; re-raise errors that do not mean unreachability."""
    wrong = future.exception()
    if wrong is not None and not isinstance(wrong, (*UNAVAILABLE, QueueAwayError)):
        raise wrong
    return wrong is None
