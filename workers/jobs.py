"""Jobs: background work, its queue, and its results.

A job has an id that names its work, gets ids instead of objects, and may run twice: the second run changes nothing. The
queue may therefore lose everything: missing jobs are enqueued again. A new job is a function and a line of `TASKS`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, Retry
from rq.exceptions import DeserializationError, DuplicateJobError, InvalidJobOperation, NoSuchJobError, StopRequested
from rq.executions import Execution, ExecutionRegistry
from rq.job import Job
from rq.results import Result
from rq.serializers import JSONSerializer

from daybook.services.analysis import win_chances
from daybook.services.analysis.win_chances import NotAnalysedError, Part, Piece
from daybook.services.cpu_debts import halved
from daybook.services.files import audits
from daybook.services.league import ratings, year_reviews
from daybook.services.messages import outbox
from daybook.services.play import period_scores, practice_tables, practice_turns
from daybook.services.queue_client import connect_queue
from daybook.services.settings import Settings, read_settings
from daybook.services.statistics import collect, month_sums, person_sums
from daybook.services.store import read_models
from daybook.services.store.away import UnavailableError
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.log import RecordErasedError

QUEUE = "scores"
MESSAGES = "messages"  # of clubs, after all others
PRACTICE = "practice"  # moves of practice players, after all scores
ANALYSIS = "analysis"  # win chances: jobs of seconds, with their own workers
JOB_SECONDS = 30  # then the job is ended; a score takes milliseconds
RETRY_SECONDS = [1, 5, 20]
ANALYSIS_SECONDS = 600  # a piece takes CPU seconds, at the lowest priority
DEBT_MINUTES = 10  # for which the CPU time of practice players is counted
SOCKET_SECONDS = 10  # for the queue server to answer

# --- the work; for a game or club that was erased meanwhile there is none ---------------------------------------------

_settings: Settings | None = None
_books: dict[int, Daybook] = {}  # by process: a handle that was opened before a fork is neither used nor closed here


def use(settings: Settings) -> None:
    """Set the settings of this process's jobs, instead of those of the environment."""
    global _settings
    _settings = settings


def book() -> Daybook:
    """Return this process's handle on the service; open it at the first job."""
    process = os.getpid()
    if process not in _books:
        _books[process] = open_daybook(_settings or read_settings())
    return _books[process]


def close() -> None:
    """Close this process's handle."""
    if (opened := _books.pop(os.getpid(), None)) is not None:
        opened.close()


class DroppableWork:
    """Work to interrupt, or not to begin, when this process is stopped."""

    def __init__(self) -> None:
        self.is_stopping = self._inside = False

    def __enter__(self) -> None:
        self._inside = True
        if self.is_stopping:
            raise StopRequested

    def __exit__(self, *_raised: object) -> None:
        self._inside = False

    def stop(self) -> None:
        """Raise StopRequested, but only during the work: elsewhere RQ would count the job as failed."""
        self.is_stopping = True
        if self._inside:
            raise StopRequested


droppable = DroppableWork()


def score(game_id: str, step: int) -> None:
    """Store the scores of the periods that ended at a step of a game."""
    with suppress(RecordErasedError):
        period_scores.store_scores(book(), UUID(game_id), step)


def audit(game_id: str) -> None:
    """Check a game against today's rules and store the result."""
    with suppress(RecordErasedError):
        audits.audit_game(book(), UUID(game_id))


def count(game_id: str) -> None:
    """Count a game for the statistics."""
    with suppress(RecordErasedError):
        collect.count_game(book(), UUID(game_id))


def sum_month(ruleset_id: str, month: str) -> None:
    """Sum the figures of a game in a month."""
    month_sums.sum_month(book(), ruleset_id, month)


def sum_people(ruleset_id: str, group: str) -> None:
    """Sum the figures of some people in a game."""
    person_sums.sum_people(book(), ruleset_id, group)


def rate(club_id: str) -> None:
    """Rate the members of a club from its first game on."""
    with suppress(RecordErasedError):
        ratings.rate_club(book(), UUID(club_id))


def review(club_id: str) -> None:
    """Review the years of a club and its people."""
    with suppress(RecordErasedError):
        year_reviews.review_club(book(), UUID(club_id))


def practise(game_id: str, step: int) -> None:
    """Let practice players move in a game."""
    queue = practice_queue_of(queue_at(book().settings))
    with _translate_outage():
        waiting = queue.count
    began = time.process_time()
    try:
        with suppress(RecordErasedError):
            practice_tables.play_practice_turn(book(), UUID(game_id), practice_tables.turn_seconds(waiting))
    finally:
        charge_practice(
            queue, practice_turns.clients_of(book(), [UUID(game_id)])[UUID(game_id)], time.process_time() - began
        )
        queue.connection.close()


_write_message: outbox.Writer | None = None  # the words of messages belong to the pages, which no job imports


def use_words(write: outbox.Writer) -> None:
    """Set the function that writes the text of a club's message."""
    global _write_message
    _write_message = write


def send(message_id: str) -> None:
    """Send a message of a club, if it is due."""
    assert _write_message is not None
    outbox.send_message(book(), message_id, _write_message)


def analyse(game_id: str, part: Part, *steps: int) -> None:
    """Compute pieces of the win chances of a game; after the last piece of a round, enqueue the next round."""
    id_ = UUID(game_id)
    with (
        suppress(NotAnalysedError, StopRequested, RecordErasedError),
        droppable,
    ):  # the game is open again or erased, or this process ends
        win_chances.compute_pieces(book(), id_, [Piece(part, step) for step in steps])
        queue = analysis_queue_at(book().settings)
        for pieces in win_chances.pieces_due(book(), book().games.get(id_)):
            enqueue(queue, analyse, *analysis_arguments(id_, pieces))
        queue.connection.close()


def analysis_arguments(game_id: UUID, pieces: Sequence[Piece]) -> tuple[UUID, Part, *tuple[int, ...]]:
    """Return the arguments of `analyse` for pieces of one part."""
    return (game_id, pieces[0].part, *(piece.step for piece in pieces))


# --- the only work ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """A kind of job."""

    work: Callable[..., None]
    prefix: str  # of its jobs' ids
    id_arguments: int | None = None  # the number of arguments in its jobs' ids; None: all
    seconds: int = JOB_SECONDS


TASKS = (
    Task(score, "score"),
    Task(audit, "audit"),
    Task(count, "count"),
    Task(sum_month, "sum_month"),
    Task(sum_people, "sum_people"),
    Task(rate, "rate"),
    Task(review, "review"),
    Task(practise, "practise"),
    Task(send, "send"),
    Task(analyse, "analyse", id_arguments=3, seconds=ANALYSIS_SECONDS),
)
MODULE_IN_QUEUE = "workers.jobs"  # fixed, because the queue outlives versions
WORK = {f"{MODULE_IN_QUEUE}.{task.work.__name__}": task.work for task in TASKS}
TASK_OF = {task.work: task for task in TASKS}


class ForeignJobError(Exception):
    """Another program wrote a job into the queue; it was not run."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"refused {name[:80]!a}, which is no job of Daybook: find the other program that uses the queue server"
        )


class ExecutionIds(ExecutionRegistry):
    """The executions of a job, by id only.

    RQ fetches the details of each, and raises ValueError for one whose worker was killed. It would then count every later
    execution as failed.
    """

    def get_executions(self, start: int = 0, end: int = -1) -> list[Execution]:
        return [
            Execution(execution_id, self.job_id, self.connection) for execution_id in self.get_execution_ids(start, end)
        ]


class OurJob(Job):
    """RQ's job, limited to our own work with ids as arguments.

    RQ itself imports and calls what the queue names: the function, and callbacks and addresses for its success, failure
    or stop.
    """

    @property
    def func(self) -> Callable[..., None]:
        """Return the function. Raises ForeignJobError."""
        if not self.is_ours:
            raise ForeignJobError(self.requested)
        return WORK[str(self.func_name)]

    @property
    def execution_registry(self) -> ExecutionIds:
        return ExecutionIds(self.id, connection=self.connection)

    @property
    def is_ours(self) -> bool:
        try:
            return (
                self.func_name in WORK
                and not self.instance
                and not self.kwargs
                and all(isinstance(argument, str | int) for argument in self.args)
            )
        except DeserializationError:  # by another serializer, which may run code when it is read
            return False

    @property
    def requested(self) -> str:
        """The function that it names."""
        try:
            return str(self.func_name)
        except DeserializationError:
            return "something unreadable"

    def restore(self, raw_data: Any) -> None:
        super().restore(raw_data)
        self._success_callback_name = self._failure_callback_name = self._stopped_callback_name = None
        self.webhooks = []
        self.repeats_left = None
        if not self.is_ours:
            self.retries_left = None


# --- the queue -------------------------------------------------------------------------------------------------------


def queue_at(settings: Settings) -> Queue:
    """Return the queue, even if its server does not answer. JSON: RQ's default runs code that another program wrote."""
    return _queue_named(QUEUE, settings)


def practice_queue_of(queue: Queue) -> Queue:
    """Return the queue of practice moves, on the server of another queue; workers prefer scores."""
    return _queue_on(PRACTICE, queue.connection)


def message_queue_of(queue: Queue) -> Queue:
    """Return the queue of messages, on the server of another queue; workers prefer everything else."""
    return _queue_on(MESSAGES, queue.connection)


def analysis_queue_at(settings: Settings) -> Queue:
    """Return the queue of win chances. Its jobs take seconds and have their own workers, so that no score waits."""
    return _queue_named(ANALYSIS, settings)


def _queue_named(name: str, settings: Settings) -> Queue:
    return _queue_on(name, connect_queue(settings.queue_url, SOCKET_SECONDS))


def _queue_on(name: str, connection: Redis) -> Queue:
    return Queue(
        read_models.versioned_name(name),
        connection=connection,
        serializer=JSONSerializer,
        default_timeout=JOB_SECONDS,
        job_class=OurJob,
    )


@contextmanager
def _translate_outage() -> Iterator[None]:
    """Raise UnavailableError for any error of the queue server."""
    try:
        yield
    except RedisError as wrong:
        raise UnavailableError(f"the queue server: {wrong}") from wrong


def job_id(work: Callable[..., None], *arguments: UUID | str | int) -> str:
    """Return the id of a job for read models of this version. RQ allows letters, digits, _ and -."""
    task = TASK_OF[work]
    return "-".join(map(str, (read_models.versioned_name(task.prefix), *arguments[: task.id_arguments])))


def is_job_of(work: Callable[..., None], job_id: str) -> bool:
    """Check if a job of this id does this work."""
    return job_id.startswith(f"{read_models.versioned_name(TASK_OF[work].prefix)}-")


def enqueue(queue: Queue, work: Callable[..., None], *arguments: UUID | str | int) -> bool:
    """Enqueue work; return False if the queue server has its job already, in any state. Raises UnavailableError."""
    with _translate_outage():
        try:
            queue.enqueue(
                f"{MODULE_IN_QUEUE}.{work.__name__}",
                *(argument if isinstance(argument, int) else str(argument) for argument in arguments),
                job_id=job_id(work, *arguments),
                unique=True,
                retry=Retry(max=len(RETRY_SECONDS), interval=RETRY_SECONDS),
                job_timeout=TASK_OF[work].seconds,
                result_ttl=0,
            )  # a finished job is deleted: its row is the result, and a stored job blocks its id
        except DuplicateJobError:
            return False
    return True


MOVE_BEFORE = """
if redis.call('LREM', KEYS[1], 1, ARGV[1]) == 0 then return 0 end
if redis.call('LINSERT', KEYS[1], 'BEFORE', ARGV[2], ARGV[1]) < 1 then redis.call('LPUSH', KEYS[1], ARGV[1]) end
return 1
"""  # does nothing if a worker has taken the job; moves it to the front if a worker has taken the other one


def enqueue_in_turn(queue: Queue, daybook: Daybook, game_id: UUID, step: int) -> None:
    """Enqueue practice moves of a game in a fair order among clients. Raises UnavailableError."""
    with _translate_outage():
        waiting = [(name, game) for name in queue.get_job_ids() if (game := _game_of_practice(name)) is not None]
    if not enqueue(queue, practise, game_id, step) or not waiting:
        return
    clients = practice_turns.clients_of(daybook, [game_id, *(game for _, game in waiting)])
    debts = practice_debts(queue, {*clients.values()})
    place = practice_turns.place_in_queue([clients[game] for _, game in waiting], clients[game_id], debts)
    if place < len(waiting):
        with _translate_outage():
            queue.connection.eval(MOVE_BEFORE, 1, queue.key, job_id(practise, game_id, step), waiting[place][0])


def charge_practice(queue: Queue, client: str, seconds: float) -> None:
    """Add CPU seconds that practice players thought for a client, in the bucket of this minute."""
    key = _debts_key(_minute())
    with suppress(RedisError), queue.connection.pipeline() as pipeline:  # the move is made; the debt may be lost
        pipeline.hincrbyfloat(key, client, seconds)
        pipeline.expire(key, DEBT_MINUTES * 60)
        pipeline.execute()


def practice_debts(queue: Queue, clients: Collection[str]) -> dict[str, float]:
    """Return the CPU seconds that clients used, halved each minute. Raises UnavailableError."""
    names, minute = sorted(clients), _minute()
    with _translate_outage(), queue.connection.pipeline(transaction=False) as pipeline:
        for age in range(DEBT_MINUTES):
            pipeline.hmget(_debts_key(minute - age), names)
        buckets = pipeline.execute()
    debts = dict.fromkeys(names, 0.0)
    for age, bucket in enumerate(buckets):
        for client, seconds in zip(names, bucket, strict=True):
            debts[client] += halved(float(seconds or 0), age * 60)
    return debts


def _minute() -> int:
    """Return the number of the current minute since 1970."""
    return int(time.time() // 60)


def _debts_key(minute: int) -> str:
    return f"{read_models.versioned_name(PRACTICE)}:debts:{minute}"


def _game_of_practice(job_id: str) -> UUID | None:
    """Return the game of a `practise` job; the job's id ends with the game's id and the step."""
    try:
        return UUID(job_id.rpartition("-")[0][-36:])
    except ValueError:
        return None


def are_known(queue: Queue, ids: Iterable[str]) -> list[bool]:
    """Check for each job if the queue server has it, in any state. Raises UnavailableError."""
    with _translate_outage(), queue.connection.pipeline(transaction=False) as pipeline:
        for job_id in ids:
            pipeline.exists(Job.key_for(job_id))
        return [bool(exists) for exists in pipeline.execute()]


def waiting_jobs(queue: Queue) -> set[str]:
    """Return jobs that a worker will take, now or when their next try is due. Raises UnavailableError."""
    with _translate_outage():
        return {*queue.get_job_ids(), *queue.scheduled_job_registry.get_job_ids(cleanup=False)}


def failed_jobs(queue: Queue) -> list[str]:
    """Return jobs that failed at every try. Raises UnavailableError."""
    with _translate_outage():
        return list(queue.failed_job_registry.get_job_ids(cleanup=False))


def foreign_jobs(queue: Queue, ids: Iterable[str]) -> dict[str, str]:
    """Return the jobs of other programs, with the function that each names. Raises UnavailableError."""
    with _translate_outage():
        found = OurJob.fetch_many([*ids], queue.connection, JSONSerializer)
    return {job.id: job.requested for job in found if isinstance(job, OurJob) and not job.is_ours}


def failure_text(queue: Queue, job_id: str) -> str:
    """Return the last line of a job's error. Raises UnavailableError."""
    with _translate_outage():
        try:
            result = OurJob.fetch(job_id, queue.connection, JSONSerializer).latest_result()
        except NoSuchJobError:
            return "its error is not stored any more"
    lines = (result.exc_string or "").strip().splitlines() if result else []
    return lines[-1] if lines else "without a message"


def retry_failed(queue: Queue, job_id: str) -> None:
    """Enqueue a failed job again; while it is stored as failed, its id is blocked. Raises UnavailableError."""
    with _translate_outage():
        try:
            queue.failed_job_registry.requeue(job_id)
        except (NoSuchJobError, InvalidJobOperation):  # another process did, or its hash has gone
            queue.failed_job_registry.remove(job_id)


def forget_others(settings: Settings) -> None:
    """Remove the queues of other versions of Daybook, with their jobs. Raises UnavailableError."""
    with _translate_outage(), closing(queue_at(settings).connection) as connection:
        for queue in Queue.all(connection, job_class=OurJob, serializer=JSONSerializer):
            name = queue.name.rstrip("0123456789").removesuffix("-")
            if name in (QUEUE, PRACTICE, ANALYSIS, MESSAGES) and queue.name != read_models.versioned_name(name):
                for job_id in {*waiting_jobs(queue), *failed_jobs(queue)}:
                    forget(queue, job_id)
                queue.delete(delete_jobs=False)


def forget(queue: Queue, job_id: str) -> None:
    """Remove every trace of a job, so that it can be enqueued again. Raises UnavailableError.

    RQ's own delete fetches the job's executions, and raises if a worker was killed during one of them.
    """
    with _translate_outage(), queue.connection.pipeline() as pipeline:
        started = queue.started_job_registry
        for job, execution in started.get_job_and_execution_ids(cleanup=False):
            if job == job_id:
                pipeline.zrem(started.key, f"{job}:{execution}")
        for registry in (queue.failed_job_registry, queue.scheduled_job_registry):
            pipeline.zrem(registry.key, job_id)
        for jobs in (queue.key, queue.intermediate_queue_key):
            pipeline.lrem(jobs, 0, job_id)
        pipeline.delete(Job.key_for(job_id), Job.dependents_key_for(job_id), ExecutionRegistry(job_id, pipeline).key)
        pipeline.delete(Result.get_key(job_id))  # type: ignore[no-untyped-call]
        pipeline.execute()
