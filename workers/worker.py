"""A worker: takes jobs from the queue and carries them out, one after the other, in its own process.

It outlives the queue server. What a worker that was killed leaves behind is laid again by the follower.
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
from daybook.services.operation.health import BEATS_KEY
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.games import UNREADABLE
from daybook.workers import jobs, queue_server

AGAIN_SECONDS = 0.05  # until a worker that could not stop just then is asked again
MAX_JOBS = 20_000  # then the process ends, and the supervisor starts a fresh one
MAINTENANCE_SECONDS = 30
IDLE_SECONDS = 5  # how long RQ waits for a job; it looks after its registries only in between
AWAY_SECONDS = 1.0
SCHEDULE_SECONDS = 1.0
STOPPING = (signal.SIGINT, signal.SIGTERM)

logger = logging.getLogger(__name__)


class ScoreWorker(SimpleWorker):
    """RQ's worker that does not fork: a score takes a millisecond, a fork ten, and what is open could not be used."""

    part = "work"
    max_connection_wait_time = 2.0  # seconds; RQ's own grows to a minute
    log_result_lifespan = False

    def __init__(self, queues: Sequence[Queue], stop: Event) -> None:
        super().__init__(
            queues,
            connection=queues[0].connection,
            serializer=JSONSerializer,
            job_class=jobs.OurJob,
            worker_ttl=IDLE_SECONDS + 15,
            maintenance_interval=MAINTENANCE_SECONDS,
        )
        self.stop = stop
        self.executed = 0

    @property
    def connection_timeout(self) -> int:
        """A server that froze, or was cut off, is given up as soon as by all who ask it; RQ's own is later."""
        return max(jobs.SOCKET_SECONDS, self.dequeue_timeout + 2)

    def procline(self, message: str) -> None:
        """Leave the process title as it is: it names the part."""

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Also note it where it stays when the worker is gone."""
        super().heartbeat(timeout, pipeline)
        self.connection.hset(BEATS_KEY, read_models.own_name(self.part), now())

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        self.stop.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def execute_job(self, job: Job, queue: Queue) -> None:
        if isinstance(job, jobs.OurJob) and not job.is_ours:
            logger.error("job %s: %s", job.id[:80], jobs.NotOurs(job.says))
        super().execute_job(job, queue)
        self.executed += 1

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """What lies outside of us is told on a line: where a disk is full for an evening, or a database away, every job
        fails over it, and again at each try."""
        wrong = exc_info[1]
        if isinstance(wrong, (*UNAVAILABLE, *UNREADABLE)):
            says = (str(wrong).strip().splitlines() or [""])[0]
            logger.warning("job %s is tried again later: %s: %s", job.id, type(wrong).__name__, says)
        else:
            super().handle_exception(job, *exc_info)


class AnalysisWorker(ScoreWorker):
    """Drops the piece at hand when it is asked to stop: it takes seconds, and is laid again by the follower."""

    part = "analyse"

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        super().request_stop(signum, frame)
        self.request_force_stop(signum, frame)

    def request_force_stop(self, signum: int, frame: FrameType | None) -> None:
        if _is_freeing(frame):
            Timer(AGAIN_SECONDS, signal.raise_signal, [signum]).start()
            return
        jobs.dropping.ask()


def _is_freeing(frame: FrameType | None) -> bool:
    """Whether an object is being freed: Python passes over what is raised then."""
    while frame is not None and frame.f_code.co_name != "__del__":
        frame = frame.f_back
    return frame is not None


def run(settings: Settings, burst: bool = False) -> None:
    """Carry out all jobs but those of win chances, until asked to stop, or MAX_JOBS times; burst: until the queue is
    empty."""
    queue = jobs.queue_at(settings)
    _carry_out(settings, [queue, jobs.practice_queue_beside(queue)], ScoreWorker, burst)


def analyse(settings: Settings, burst: bool = False) -> None:
    """Carry out the jobs of win chances alone, which take seconds; otherwise as `run`."""
    _carry_out(settings, [jobs.analysis_queue_at(settings)], AnalysisWorker, burst)


def _carry_out(settings: Settings, queues: Sequence[Queue], kind: type[ScoreWorker], burst: bool) -> None:
    """Carry out jobs of some queues, of the first ones first.

    Runs in the main thread: it answers SIGTERM and SIGINT after the job at hand, and jobs are timed by SIGALRM. Who
    called answers them again afterwards.
    """
    callers = {number: signal.getsignal(number) for number in STOPPING}
    jobs.use(settings)
    stop, executed = Event(), 0
    jobs.dropping.asked = False
    try:
        with _scheduling(queues):
            while executed < MAX_JOBS and _answers(settings, stop):
                executed += _work(kind, queues, stop, MAX_JOBS - executed, burst)
                if burst:
                    return
    except StopRequested:  # between two spells of work
        return
    finally:
        jobs.close()
        for number, answer in callers.items():
            signal.signal(number, signal.SIG_DFL if answer is None else answer)


def _work(kind: type[ScoreWorker], queues: Sequence[Queue], stop: Event, most: int, burst: bool) -> int:
    """Carry out jobs until something is wrong with the queue server; how many."""
    try:
        worker = kind(queues, stop)
    except RedisError as away:
        logger.warning("the queue server: %s", away)
        return 0
    try:
        worker.work(burst=burst, max_jobs=most, logging_level="WARNING")
    except RedisError as away:
        logger.warning("the queue server: %s", away)
    return worker.executed


def _answers(settings: Settings, stop: Event) -> bool:
    """Wait until the queue server answers; False if asked to stop."""
    for number in STOPPING:
        signal.signal(number, lambda *_: stop.set())
    told = False
    while not stop.is_set():
        if queue_server.server_answers(settings.queue_url):
            return True
        if not told:
            logger.warning("the queue server does not answer; waiting for it")
            told = True
        stop.wait(AWAY_SECONDS)
    return False


# --- jobs to be tried again later ------------------------------------------------------------------------------------


@contextmanager
def _scheduling(queues: Sequence[Queue]) -> Iterator[None]:
    """Lay jobs whose next try is due, in a thread.

    RQ's scheduler is a forked process: it would outlive a worker that is killed, and hold on to the lock that lets
    one schedule at a time. There is no lock here: a job that two workers lay is carried out once more for nothing.
    """
    stop = Event()
    thread = Thread(target=_schedule, args=(queues, stop), name="scheduler", daemon=True)
    _lay_due(queues)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _schedule(queues: Sequence[Queue], stop: Event) -> None:
    while not stop.wait(SCHEDULE_SECONDS):
        _lay_due(queues)


def _lay_due(queues: Sequence[Queue]) -> None:
    names = [queue.name for queue in queues]
    scheduler = RQScheduler(names, queues[0].connection, serializer=JSONSerializer, logging_level="WARNING")
    scheduler.prepare_registries(names)
    with suppress(RedisError):  # the worker says once that the queue server is away
        scheduler.enqueue_scheduled_jobs()  # type: ignore[no-untyped-call]
