"""A worker: take jobs from the queue and run them one after the other.

A worker waits for a queue server that is away. The follower enqueues the jobs of a killed worker again.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread, Timer
from types import FrameType
from typing import Any

from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.scheduler import RQScheduler
from rq.serializers import JSONSerializer

from daybook.services.clock import now
from daybook.services.operation import notify
from daybook.services.operation.health import BEATS_KEY
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.game_cache import UNREADABLE
from daybook.workers import jobs, queue_server

STOP_RETRY_SECONDS = 0.05  # repeat the request to a worker that could not stop
MAX_JOBS = 20_000  # then the process ends, and the supervisor starts a new one
MAX_IDLE_SECONDS = 60  # after a job: then the process ends too, since a new one has far less memory
MAINTENANCE_SECONDS = 30
DEQUEUE_SECONDS = 5  # how long RQ waits for a job; it cleans its registries only in between
AWAY_SECONDS = 1.0
SCHEDULE_SECONDS = 1.0
STOPPING = (signal.SIGINT, signal.SIGTERM)

logger = logging.getLogger(__name__)


class InProcessWorker(SimpleWorker):
    """RQ worker that runs jobs without a fork.

    A score takes a millisecond, a fork ten; and a fork could not use the open databases.
    """

    part = "work"
    runs_on_demand = False
    max_connection_wait_time = 2.0  # seconds; RQ's own grows to a minute
    log_result_lifespan = False

    def __init__(self, queues: Sequence[Queue], stop: Event, ends_idle: bool = False) -> None:
        super().__init__(
            queues,
            connection=queues[0].connection,
            serializer=JSONSerializer,
            job_class=jobs.OurJob,
            worker_ttl=DEQUEUE_SECONDS + 15,
            maintenance_interval=MAINTENANCE_SECONDS,
        )
        self.stop = stop
        self.ends_idle = ends_idle
        self.executed = 0
        self.has_idled = False

    @property
    def connection_timeout(self) -> int:
        """The seconds for an answer, as for all clients of the queue; RQ's own limit is longer."""
        return max(jobs.SOCKET_SECONDS, self.dequeue_timeout + 2)

    def procline(self, message: str) -> None:
        """Keep the process title, which names the part."""

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Beat for the supervisor, and note the time where health reads it."""
        notify.notify(notify.ALIVE)
        super().heartbeat(timeout, pipeline)
        self.connection.hset(BEATS_KEY, read_models.versioned_name(self.part), now())

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        """Give up after an idle time: in a worker that did a job, or that only runs while there are jobs."""
        if self.ends_idle and (self.executed or self.runs_on_demand):
            max_idle_time = MAX_IDLE_SECONDS
        job = super().dequeue_job_and_maintain_ttl(timeout, max_idle_time)
        self.has_idled = job is None
        return job

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        self.stop.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Execute a job and count it; log an error first if it is not one of ours."""
        if isinstance(job, jobs.OurJob) and not job.is_ours:
            logger.error("job %s: %s", job.id[:80], jobs.ForeignJobError(job.requested))
        super().execute_job(job, queue)
        self.executed += 1

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """Log a failure of the disk or the database in one line: every job fails with it, at each try."""
        wrong = exc_info[1]
        if isinstance(wrong, (*UNAVAILABLE, *UNREADABLE)):
            says = (str(wrong).strip().splitlines() or [""])[0]
            logger.warning("job %s is tried again later: %s: %s", job.id, type(wrong).__name__, says)
        else:
            super().handle_exception(job, *exc_info)


class AnalysisWorker(InProcessWorker):
    """Worker that drops its job when it is stopped: the job takes seconds, and the follower enqueues it again."""

    part = "analyse"
    runs_on_demand = True

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        super().request_stop(signum, frame)
        self.request_force_stop(signum, frame)

    def request_force_stop(self, signum: int, frame: FrameType | None) -> None:
        if _is_freeing(frame):
            Timer(STOP_RETRY_SECONDS, signal.raise_signal, [signum]).start()
            return
        jobs.droppable.stop()


def _is_freeing(frame: FrameType | None) -> bool:
    """Check if an object is being freed: Python drops exceptions then."""
    while frame is not None and frame.f_code.co_name != "__del__":
        frame = frame.f_back
    return frame is not None


def run(settings: Settings, burst: bool = False, ends_idle: bool = False) -> None:
    """Run all jobs but those of win chances, until asked to stop or MAX_JOBS times.

    Args:
        burst: end when the queue is empty.
        ends_idle: end after an idle time that follows a job.
    """
    queue = jobs.queue_at(settings)
    _work_on(
        settings,
        [queue, jobs.practice_queue_of(queue), jobs.message_queue_of(queue)],
        InProcessWorker,
        burst,
        ends_idle,
    )


def analyse(settings: Settings, burst: bool = False, ends_idle: bool = False) -> None:
    """Run the jobs of win chances, which take seconds; otherwise as `run`, but an idle start counts as well."""
    _work_on(settings, [jobs.analysis_queue_at(settings)], AnalysisWorker, burst, ends_idle)


def _work_on(
    settings: Settings, queues: Sequence[Queue], kind: type[InProcessWorker], burst: bool, ends_idle: bool
) -> None:
    """Run jobs of some queues, those of the first one first.

    Runs in the main thread: it answers SIGTERM and SIGINT after the current job, and SIGALRM limits the time of jobs.
    The caller's signal handlers are restored at the end.
    """
    callers = {number: signal.getsignal(number) for number in STOPPING}
    jobs.use(settings)
    notify.notify(notify.READY)
    stop, executed = Event(), 0
    jobs.droppable.is_stopping = False
    try:
        with _scheduling(queues):
            while executed < MAX_JOBS and _wait_for_queue(settings, stop):
                worker = _work(kind, queues, stop, MAX_JOBS - executed, burst, ends_idle)
                executed += worker.executed if worker else 0
                if burst or (worker and worker.has_idled):
                    return
    except StopRequested:  # between two calls of `_work`
        return
    finally:
        jobs.close()
        for number, answer in callers.items():
            signal.signal(number, signal.SIG_DFL if answer is None else answer)


def _work(
    kind: type[InProcessWorker], queues: Sequence[Queue], stop: Event, max_jobs: int, burst: bool, ends_idle: bool
) -> InProcessWorker | None:
    """Run jobs until the queue server fails. Return the worker; None if it could not start."""
    try:
        worker = kind(queues, stop, ends_idle)
    except RedisError as away:
        logger.warning("the queue server: %s", away)
        return None
    try:
        worker.work(burst=burst, max_jobs=max_jobs, logging_level="WARNING")
    except RedisError as away:
        logger.warning("the queue server: %s", away)
    return worker


def _wait_for_queue(settings: Settings, stop: Event) -> bool:
    """Wait until the queue server answers; return False if asked to stop."""
    for number in STOPPING:
        signal.signal(number, lambda *_: stop.set())
    is_logged = False
    while not stop.is_set():
        notify.notify(notify.ALIVE)
        if queue_server.server_answers(settings.queue_url):
            return True
        if not is_logged:
            logger.warning("the queue server does not answer; waiting for it")
            is_logged = True
        stop.wait(AWAY_SECONDS)
    return False


# --- jobs to be tried again later ------------------------------------------------------------------------------------


@contextmanager
def _scheduling(queues: Sequence[Queue]) -> Iterator[None]:
    """Enqueue due retries of jobs, in a thread.

    RQ's scheduler is a forked process. It would outlive a killed worker and keep the lock that lets one schedule at a
    time. This needs no lock: a job that two workers enqueue runs twice, and the second run changes nothing.
    """
    stop = Event()
    thread = Thread(target=_schedule, args=(queues, stop), name="scheduler", daemon=True)
    _enqueue_due(queues)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _schedule(queues: Sequence[Queue], stop: Event) -> None:
    """Enqueue jobs that are due, every few seconds, until `stop` is set."""
    while not stop.wait(SCHEDULE_SECONDS):
        _enqueue_due(queues)


def _enqueue_due(queues: Sequence[Queue]) -> None:
    names = [queue.name for queue in queues]
    scheduler = RQScheduler(names, queues[0].connection, serializer=JSONSerializer, logging_level="WARNING")
    scheduler.prepare_registries(names)
    with suppress(RedisError):  # the worker says once that the queue server is away
        scheduler.enqueue_scheduled_jobs()  # type: ignore[no-untyped-call]
