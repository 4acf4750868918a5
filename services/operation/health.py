"""Whether what the service stands on can be reached now, found out within a moment, also where nothing answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from shutil import disk_usage
from threading import Lock
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from daybook.services.store import migrations, read_models, set_aside
from daybook.services.store.away import AWAY
from daybook.services.store.daybook import Daybook
from daybook.services.store.disk import Why, why_nothing_is_taken

PATIENCE_SECONDS = 1.5  # whoever asks is answered within two
QUEUE_SECONDS = 1.0
QUEUES, QUEUE = "rq:queues", "rq:queue:"  # where RQ has the names of its queues, and what each begins with
WORKERS = "rq:workers:"  # where RQ has who takes from a queue; the rows of who was killed run out

if TYPE_CHECKING:
    from redis import Redis

Asked = dict[str, "Future[Any]"]


class QueueAway(Exception):
    """The queue server does not answer."""


@dataclass(frozen=True, slots=True)
class Reachability:
    """away: what cannot be reached: "database", "queue". projections: how they fare; none while that cannot be read.

    disk: why the disk of the record takes nothing; None where it does, or is PostgreSQL's.

    set_aside: how many games and clubs cannot be read, and are left out. kept: the version of the kept tables, which
    another host may have made newer than this one knows; None while it cannot be read. newest: how many entries the
    log has, 0 while it cannot be read. jobs: how many wait in each queue.
    """

    away: tuple[str, ...]
    disk: Why | None
    projections: list[read_models.Health]
    set_aside: int
    kept: int | None
    newest: int
    jobs: dict[str, int]


@dataclass(frozen=True, slots=True)
class Weight:
    """database_bytes: None while that cannot be read. free_bytes: on the disk of the data folder;
    None where there is none, as everything lies in PostgreSQL."""

    database_bytes: int | None
    free_bytes: int | None


@dataclass(slots=True)
class Pulse:
    """Asks the database and the queue whether they are there. A question that hangs is not asked a second time."""

    book: Daybook
    _threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(4, "health"))
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
        wait(asked.values(), PATIENCE_SECONDS)
        there = {name for name, future in asked.items() if future.done() and _has_answered(future)}
        away = [*(["database"] if {"log", "views", "kept"} - there else []), *([] if "queue" in there else ["queue"])]
        projections, several = asked["views"].result() if "views" in there else ([], 0)
        kept = asked["kept"].result() if "kept" in there else None
        disk = asked["disk"].result() if "disk" in there else None
        newest = asked["log"].result() if "log" in there else 0
        jobs = asked["queue"].result() if "queue" in there else {}
        return Reachability(tuple(away), disk, projections, several, kept, newest, jobs)

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

    def _projections(self) -> tuple[list[read_models.Health], int]:
        return read_models.projection_health(self.book), len(set_aside.all_of_them(self.book.views))

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

    def _queue(self) -> dict[str, int]:
        """How many jobs wait, by queue; those of another version have its number. Raises QueueAway."""
        with self._queue_server() as queue:
            queue.ping()
            names = [bytes(name) for name in queue.smembers(QUEUES)]  # type: ignore[arg-type]
            ends = read_models.own_name("")
            return {name.decode().removeprefix(QUEUE).removesuffix(ends): queue.llen(name) for name in names}

    def _workers(self) -> bool:
        """Raises QueueAway."""
        with self._queue_server() as queue:
            return any(queue.exists(worker) for worker in queue.smembers(WORKERS + read_models.own_name("practice")))

    @contextmanager
    def _queue_server(self) -> Iterator[Redis]:
        """Raises QueueAway."""
        from redis.exceptions import RedisError  # takes long, and a process that is asked nothing needs none

        from daybook.services.operation.queue_connection import connect_queue_once

        try:
            with connect_queue_once(self.book.settings.queue_url, QUEUE_SECONDS) as queue:
                yield queue
        except RedisError as wrong:
            raise QueueAway(str(wrong)) from wrong


def _has_answered(future: Future[Any]) -> bool:
    """Raises what is no sign of something being away."""
    wrong = future.exception()
    if wrong is not None and not isinstance(wrong, (*AWAY, QueueAway)):
        raise wrong
    return wrong is None
