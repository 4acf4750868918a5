"""Whether what the service stands on can be reached now, found out within a moment, also where nothing answers."""

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

from daybook.domain.kernel.chronicle import BadLine
from daybook.services.clock import now
from daybook.services.store import migrations, read_models, set_aside
from daybook.services.store.away import AWAY
from daybook.services.store.daybook import Daybook
from daybook.services.store.disk import Why, why_nothing_is_taken

PATIENCE_SECONDS = 1.5  # whoever asks is answered within two
QUEUE_SECONDS = 1.0
BEAT_SECONDS = 5.0  # between two heartbeats of the log, where nothing else is recorded
FOLLOWED = ("games", "results", "scores")  # projections that every Daybook has
UNANSWERED_SECONDS = 5.0  # without an acknowledged commit: nothing can be recorded
SILENT_SECONDS = 120.0  # a part that runs says so every few seconds
BEHIND_SECONDS = 120.0  # for an entry to be in the rows of a projection
JOB_SECONDS = 300.0  # for a job to be taken
PATIENT = "analysis"  # the queue whose jobs may wait for hours
BEATS = "daybook:beats"  # at the queue's server: when each kind of worker was last heard of
JOB, FAILED = "rq:job:", "rq:failed:"
QUEUES, QUEUE = "rq:queues", "rq:queue:"  # where RQ has the names of its queues, and what each begins with
WORKERS = "rq:workers:"  # where RQ has who takes from a queue; the rows of who was killed run out

if TYPE_CHECKING:
    from redis import Redis

Asked = dict[str, "Future[Any]"]


class QueueAway(Exception):
    """The queue server does not answer."""


@dataclass(frozen=True, slots=True)
class QueueFigures:
    """What is in the queue. jobs: how many wait in each queue; oldest: for how many seconds the first of them has
    waited; failed: how many failed for good; beats: when each kind of worker was last heard of; workers: how many take
    scores.
    """

    jobs: dict[str, int] = field(default_factory=dict)
    oldest: dict[str, float] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    beats: dict[str, str] = field(default_factory=dict)
    workers: int = 0


@dataclass(frozen=True, slots=True)
class Complaint:
    """What keeps Daybook from doing its job. do: what to do about it."""

    about: str
    says: str
    do: str


@dataclass(frozen=True, slots=True)
class Reachability:
    """away: what cannot be reached: "database", "queue". projections: how they fare; none while that cannot be read.

    disk: why the disk of the record takes nothing; None where it does, or is PostgreSQL's.

    set_aside: how many games and clubs cannot be read, and are left out. kept: the version of the kept tables, which
    another host may have made newer than this one knows; None while it cannot be read. newest: how many entries the
    log has, 0 while it cannot be read.

    unanswered: for how many seconds no commit was acknowledged although one was tried, 0 if all is well. behind: by
    projection, how old the oldest entry is that is not in its rows yet. silent: by part, for how many seconds it was
    not heard of. refused: why a database that answers is not used.
    """

    away: tuple[str, ...]
    disk: Why | None
    projections: list[read_models.Health]
    set_aside: int
    kept: int | None
    newest: int
    queue: QueueFigures
    unanswered: float
    behind: dict[str, float]
    silent: dict[str, float]
    refused: str = ""

    @property
    def records(self) -> bool:
        """Whether what is recorded is acknowledged."""
        return "database" not in self.away and self.disk is None and self.unanswered <= UNANSWERED_SECONDS

    def complaints(self) -> list[Complaint]:
        """Everything that does not run as it should, though it can be reached."""
        found = []
        if self.refused:
            found.append(Complaint("database", self.refused, "look at each database host: only one is the primary"))
        if self.unanswered > UNANSWERED_SECONDS:
            found.append(
                Complaint(
                    "recording",
                    f"no commit was acknowledged for {self.unanswered:.0f} seconds: nothing can be recorded",
                    "look at the database, its standby and its disk: something holds a lock, or does not answer",
                )
            )
        for health in self.projections:
            if health.state in ("failing", "stopped"):
                says = f"{health.state}: {health.says}"
                found.append(Complaint(f"follower {health.projection}", says, "the log of `daybook follow` says more"))
        for part, seconds in self.silent.items():
            if seconds > SILENT_SECONDS and part != "analyse":
                says = f"it was last heard of {seconds:.0f} seconds ago: it was stopped, or it hangs"
                found.append(Complaint(f"silent {part}", says, f"start `daybook {part}` or `daybook serve`"))
        for name, seconds in self.behind.items():
            if seconds > BEHIND_SECONDS:
                says = f"what was recorded {seconds:.0f} seconds ago is not in its rows"
                found.append(Complaint(f"projection {name}", says, "start `daybook follow` or `daybook serve`"))
        for queue, seconds in self.queue.oldest.items():
            if seconds > JOB_SECONDS and queue != PATIENT:
                says = f"a job of the queue {queue} has waited for {seconds:.0f} seconds"
                found.append(Complaint("workers", says, "start `daybook work` or `daybook serve`"))
        return found


@dataclass(frozen=True, slots=True)
class Weight:
    """database_bytes: None while that cannot be read. free_bytes: on the disk of the data folder;
    None where there is none, as everything lies in PostgreSQL.
    """

    database_bytes: int | None
    free_bytes: int | None


@dataclass(slots=True)
class Pulse:
    """Asks the database and the queue whether they are there. A question that hangs is not asked a second time."""

    book: Daybook
    _begun: str = field(default_factory=now)
    _seen: dict[str, tuple[str, float]] = field(default_factory=dict)  # what parts said last, and since when
    _threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(6, "health"))
    _asked: Asked = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def feel(self) -> Reachability:
        asked = {
            "log": self._ask("log", self.book.log.look),
            "views": self._ask("views", self._projections),
            "kept": self._ask("kept", self._version),
            "disk": self._ask("disk", self._disk),
            "queue": self._ask("queue", self._queue),
        }
        if self.book.log.commits.since_acknowledged() > BEAT_SECONDS:
            asked["commit"] = self._ask("commit", self._commit)
        wait(asked.values(), PATIENCE_SECONDS)
        there = {name for name, future in asked.items() if future.done() and _has_answered(future)}
        away = [*(["database"] if {"log", "views", "kept"} - there else []), *([] if "queue" in there else ["queue"])]
        projections, several, positions = asked["views"].result() if "views" in there else ([], 0, {})
        kept = asked["kept"].result() if "kept" in there else None
        disk = asked["disk"].result() if "disk" in there else None
        newest = asked["log"].result() if "log" in there else 0
        queue = asked["queue"].result() if "queue" in there else QueueFigures()
        unanswered = self.book.log.commits.unanswered_seconds()
        behind = self._behind(projections, positions, newest) if "log" in there and "views" in there else {}
        silent = {name: self._age(name, at) for name, at in queue.beats.items()}
        if projections:
            silent["follow"] = max(self._age(projection.projection, projection.beat_at) for projection in projections)
        return Reachability(
            tuple(away), disk, projections, several, kept, newest, queue, unanswered, behind, silent, self._refused()
        )

    def _refused(self) -> str:
        if self.book.settings.database_url is None:
            return ""
        from daybook.services.store import postgres

        return postgres.refusal(self.book.settings)

    def _behind(
        self, projections: list[read_models.Health], positions: dict[str, int], newest: int
    ) -> dict[str, float]:
        """Return how old the oldest entry is that is not in the rows of each projection.

        An entry's own time says little where it was imported, so it is no older than the last moment at which the
        projection had every entry.
        """
        known = {projection.projection: projection for projection in projections}
        found = dict.fromkeys(positions, 0.0)
        for name, at in positions.items():
            if at < newest:
                had_all = (name in known and known[name].caught_up_at) or self._begun
                ages = [_seconds_since(had_all)]
                with suppress(*AWAY, BadLine):
                    ages += [_seconds_since(entry.event.at) for _, entry in self.book.log.since(at, 1)]
                since = self._age(f"position of {name}", f"{at}", counted_from_now=True)
                found[name] = max(min(ages), since)
        return dict(sorted(found.items()))

    def _age(self, name: str, said: str, counted_from_now: bool = False) -> float:
        """Return how long ago a part said something, also where the clock went back since."""
        before = self._seen.get(name)
        if before is None or before[0] != said:
            before = self._seen[name] = said, time.monotonic()
        here = time.monotonic() - before[1]
        return here if counted_from_now else max(here, _seconds_since(said))

    def _commit(self) -> None:
        """Try to commit; whether it works is counted by the log."""
        with suppress(Exception):
            self.book.log.beat()

    def weigh(self) -> Weight:
        asked = self._ask("bytes", self._bytes)
        wait([asked], PATIENCE_SECONDS)
        there = asked.done() and _has_answered(asked)
        data = self.book.settings.data
        return Weight(asked.result() if there else None, disk_usage(data).free if data.is_dir() else None)

    def has_worker(self) -> bool:
        """Whether a worker takes what practice players think about; False where that cannot be told within a moment."""
        asked = self._ask("workers", self._workers)
        wait([asked], PATIENCE_SECONDS)
        return asked.done() and _has_answered(asked) and bool(asked.result())

    def _projections(self) -> tuple[list[read_models.Health], int, dict[str, int]]:
        positions = {name: read_models.position_of(self.book.views, name) for name in FOLLOWED}
        return read_models.projection_health(self.book.views), len(set_aside.all_of_them(self.book.views)), positions

    def _version(self) -> int:
        with self.book.kept.engine.connect() as connection:
            return migrations.version(connection)

    def _disk(self) -> Why | None:
        settings = self.book.settings
        return why_nothing_is_taken(settings.data) if settings.database_url is None else None

    def _ask(self, name: str, question: Callable[[], Any]) -> Future[Any]:
        with self._lock:
            before = self._asked.get(name)
            if before is None or before.done():
                before = self._asked[name] = self._threads.submit(question)
            return before

    def _bytes(self) -> int:
        settings = self.book.settings
        if settings.database_url is None:
            files = settings.data.glob("*.db*")  # with what is written ahead
            return sum(file.stat().st_size for file in files)
        with self.book.views.connect() as connection:
            return int(connection.execute(sa.text("SELECT pg_database_size(current_database())")).scalar_one())

    def _queue(self) -> QueueFigures:
        """Look at each queue; those of another version have its number. Raises QueueAway."""
        ends, own = read_models.own_name(""), read_models.own_name("practice")
        found = QueueFigures(workers=0)
        with self._queue_server() as queue:
            queue.ping()
            for key in map(bytes, queue.smembers(QUEUES)):  # type: ignore[arg-type]
                full = key.decode().removeprefix(QUEUE)
                name = full.removesuffix(ends)
                found.jobs[name] = queue.llen(key)
                found.failed[name] = queue.zcard(FAILED + full)
                first: Any = queue.lindex(key, 0)
                laid: Any = queue.hget(JOB + bytes(first).decode(), "enqueued_at") if first else None
                found.oldest[name] = _seconds_since(bytes(laid).decode()) if laid else 0.0
            beats: Any = queue.hgetall(BEATS)
            for part, at in beats.items():
                if part.decode().endswith(ends):
                    found.beats[part.decode().removesuffix(ends)] = at.decode()
            workers = sum(bool(queue.exists(worker)) for worker in queue.smembers(WORKERS + own))
        return replace(found, workers=workers)

    def _workers(self) -> bool:
        """Raises QueueAway."""
        with self._queue_server() as queue:
            return any(queue.exists(worker) for worker in queue.smembers(WORKERS + read_models.own_name("practice")))

    @contextmanager
    def _queue_server(self) -> Iterator[Redis]:
        """Raises QueueAway."""
        from redis.exceptions import RedisError  # takes long, and a process that is asked nothing needs none

        from daybook.services.queue_client import connect_queue_once

        try:
            with connect_queue_once(self.book.settings.queue_url, QUEUE_SECONDS) as queue:
                yield queue
        except RedisError as wrong:
            raise QueueAway(str(wrong)) from wrong


def _seconds_since(at: str) -> float:
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(at)).total_seconds())


def _has_answered(future: Future[Any]) -> bool:
    """Raises what is no sign of something being away."""
    wrong = future.exception()
    if wrong is not None and not isinstance(wrong, (*AWAY, QueueAway)):
        raise wrong
    return wrong is None
