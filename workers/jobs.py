"""Jobs: what is done in the background, how it comes into the queue, and what became of it.

A job has an id that says what it is about, gets ids and not objects, and may run twice: the second run changes
nothing. So the queue may lose everything it holds; what is missing is queued again. A new job is a function, and a line
of `TASKS`.
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
from daybook.services.league import ratings
from daybook.services.play import period_scores, practice_tables, practice_turns
from daybook.services.queue_client import connect_queue
from daybook.services.settings import Settings, read_settings
from daybook.services.statistics import ahead, collect
from daybook.services.store import read_models
from daybook.services.store.away import UnavailableError
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.log import RecordErasedError

QUEUE = "scores"
PRACTICE = "practice"  # what practice players think about, after all scores
ANALYSIS = "analysis"  # what takes seconds, by workers of its own
JOB_SECONDS = 30  # a score takes milliseconds; after this the job is ended, so nobody can still be at it
RETRY_SECONDS = [1, 5, 20]
ANALYSIS_SECONDS = 600  # a piece takes seconds of a processor, of which it may get little
DEBT_MINUTES = 10  # for which the CPU time of practice players is counted
SOCKET_SECONDS = 10  # before a queue server that does not answer is given up

# --- what is done: of a game or club that was erased meanwhile, nothing ----------------------------------------------

_settings: Settings | None = None
_books: dict[int, Daybook] = {}  # by process: a handle that was opened before a fork is neither used nor closed here


def use(settings: Settings) -> None:
    """Have this process's jobs use these settings, not those of the environment. Nothing is opened yet."""
    global _settings
    _settings = settings


def book() -> Daybook:
    """This process's own handle on the service, opened at its first job."""
    process = os.getpid()
    if process not in _books:
        _books[process] = open_daybook(_settings or read_settings())
    return _books[process]


def close() -> None:
    """Give this process's handle back."""
    if (opened := _books.pop(os.getpid(), None)) is not None:
        opened.close()


class Dropping:
    """Work that is dropped where it is when this process is asked to stop, and not begun after that."""

    def __init__(self) -> None:
        self.asked = self._inside = False

    def __enter__(self) -> None:
        self._inside = True
        if self.asked:
            raise StopRequested

    def __exit__(self, *_raised: object) -> None:
        self._inside = False

    def ask(self) -> None:
        """Raises StopRequested in the work; before and after it nothing: RQ would call that a job that failed."""
        self.asked = True
        if self._inside:
            raise StopRequested


dropping = Dropping()


def score(game_id: str, step: int) -> None:
    """Write down the scores of the periods that ended at a step of a game."""
    with suppress(RecordErasedError):
        period_scores.store_scores(book(), UUID(game_id), step)


def audit(game_id: str) -> None:
    """Hold a game against today's rules and keep what it came to."""
    with suppress(RecordErasedError):
        audits.audit_game(book(), UUID(game_id))


def count(game_id: str) -> None:
    """Count a game for the statistics, as it is now."""
    with suppress(RecordErasedError):
        collect.count(book(), UUID(game_id))


def answer_ahead(ruleset_id: str) -> None:
    """Ask what the pages of statistics ask about a game; where it takes long, the next job goes on."""
    ahead.ask_ahead(book(), ruleset_id)


def rate(club_id: str) -> None:
    """Rate the people of a club, from its first game on."""
    with suppress(RecordErasedError):
        ratings.rate_club(book(), UUID(club_id))


def practise(game_id: str, step: int) -> None:
    """Let practice players go on in a game."""
    queue = practice_queue_beside(queue_at(book().settings))
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


def analyse(game_id: str, part: Part, *steps: int) -> None:
    """Make pieces of the win chances of a game; where they were the last of a round, the next ones are queued at once."""
    id = UUID(game_id)
    with (
        suppress(NotAnalysedError, StopRequested, RecordErasedError),
        dropping,
    ):  # it is open again, nobody wants them, or this process ends
        win_chances.compute_pieces(book(), id, [Piece(part, step) for step in steps])
        queue = analysis_queue_at(book().settings)
        for pieces in win_chances.pieces_due(book(), book().games.get(id)):
            enqueue(queue, analyse, *told_of(id, pieces))
        queue.connection.close()


def told_of(game_id: UUID, pieces: Sequence[Piece]) -> tuple[UUID, Part, *tuple[int, ...]]:
    """What `analyse` is told of pieces of one part."""
    return (game_id, pieces[0].part, *(piece.step for piece in pieces))


# --- nothing else ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """named: how the ids of its jobs begin; telling: so much of what a job is given stands in its id, None: all."""

    work: Callable[..., None]
    named: str
    telling: int | None = None
    seconds: int = JOB_SECONDS


TASKS = (
    Task(score, "score"),
    Task(audit, "audit"),
    Task(count, "count"),
    Task(answer_ahead, "ahead"),
    Task(rate, "rate"),
    Task(practise, "practise"),
    Task(analyse, "analyse", telling=3, seconds=ANALYSIS_SECONDS),
)
NAMED = "workers.jobs"  # jobs are called so in the queue, which outlives versions, wherever this module stands
WORK = {f"{NAMED}.{task.work.__name__}": task.work for task in TASKS}
TASK_OF = {task.work: task for task in TASKS}


class NotOurs(Exception):
    """The queue holds something that is none of our jobs, and it was not carried out: somebody else writes there."""

    def __init__(self, name: str) -> None:
        super().__init__(f"refused {name[:80]!a}, which is no job of Daybook: see who else reaches the queue server")


class Tries(ExecutionRegistry):
    """The tries at a job, by their ids alone.

    RQ asks for all it noted of each, and raises ValueError where it is gone: a worker was killed over the job. Then it
    would call every later try failed, although the job was done.
    """

    def get_executions(self, start: int = 0, end: int = -1) -> list[Execution]:
        return [Execution(id, self.job_id, self.connection) for id in self.get_execution_ids(start, end)]


class OurJob(Job):
    """A job as RQ keeps it, of which nothing is carried out but our own work, given ids.

    RQ itself imports and calls whatever the queue names: the function, and the functions and addresses to be called
    when it succeeds, fails or is stopped.
    """

    @property
    def func(self) -> Callable[..., None]:
        """Raises NotOurs."""
        if not self.is_ours:
            raise NotOurs(self.says)
        return WORK[str(self.func_name)]

    @property
    def execution_registry(self) -> Tries:
        return Tries(self.id, connection=self.connection)

    @property
    def is_ours(self) -> bool:
        try:
            return (
                self.func_name in WORK
                and not self.instance
                and not self.kwargs
                and all(isinstance(given, str | int) for given in self.args)
            )
        except DeserializationError:  # another serializer's, which may run code where it is read
            return False

    @property
    def says(self) -> str:
        """What it asks to have done."""
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
    """The queue, whether its server answers now or not. JSON: with RQ's own choice whoever writes in it runs code."""
    return _queue_named(QUEUE, settings)


def practice_queue_beside(queue: Queue) -> Queue:
    """The queue of what practice players think about, on the server of another; workers take from it when there is
    nothing to score."""
    return _queue_on(PRACTICE, queue.connection)


def analysis_queue_at(settings: Settings) -> Queue:
    """The queue of what takes seconds, and has workers of its own so that no score waits for it; otherwise as
    `queue_at`."""
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
    """Whatever the queue server answers instead of doing as asked, it is not there for us now: raises UnavailableError."""
    try:
        yield
    except RedisError as wrong:
        raise UnavailableError(f"the queue server: {wrong}") from wrong


def job_id(work: Callable[..., None], *given: UUID | str | int) -> str:
    """The id of the job that does this, for read models like ours. RQ allows letters, digits, _ and - in it."""
    task = TASK_OF[work]
    return "-".join(map(str, (read_models.versioned_name(task.named), *given[: task.telling])))


def is_of(id: str, work: Callable[..., None]) -> bool:
    """Whether a job of this id does this work."""
    return id.startswith(f"{read_models.versioned_name(TASK_OF[work].named)}-")


def enqueue(queue: Queue, work: Callable[..., None], *given: UUID | str | int) -> bool:
    """Have work done, with these ids; False if its job is in the queue server already, in whatever state. Raises UnavailableError."""
    with _translate_outage():
        try:
            queue.enqueue(
                f"{NAMED}.{work.__name__}",
                *(one if isinstance(one, int) else str(one) for one in given),
                job_id=job_id(work, *given),
                unique=True,
                retry=Retry(max=len(RETRY_SECONDS), interval=RETRY_SECONDS),
                job_timeout=TASK_OF[work].seconds,
                result_ttl=0,
            )  # done is gone: the row is the result, and a job that is there blocks its id
        except DuplicateJobError:
            return False
    return True


MOVE_BEFORE = """
if redis.call('LREM', KEYS[1], 1, ARGV[1]) == 0 then return 0 end
if redis.call('LINSERT', KEYS[1], 'BEFORE', ARGV[2], ARGV[1]) < 1 then redis.call('LPUSH', KEYS[1], ARGV[1]) end
return 1
"""  # nothing if a worker has the job already; at the front if one has the job before which it was to come


def enqueue_in_turn(queue: Queue, daybook: Daybook, game_id: UUID, step: int) -> None:
    """Have practice players go on in a game, after as many tables of each other visitor as of this one. Raises UnavailableError."""
    with _translate_outage():
        waiting = [(id, found) for id in queue.get_job_ids() if (found := _game_of_practice(id)) is not None]
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
    return int(time.time() // 60)


def _debts_key(minute: int) -> str:
    return f"{read_models.versioned_name(PRACTICE)}:debts:{minute}"


def _game_of_practice(id: str) -> UUID | None:
    """Return the game of a job of `practise`: its id ends with the game's and the step."""
    try:
        return UUID(id.rpartition("-")[0][-36:])
    except ValueError:
        return None


def are_known(queue: Queue, ids: Iterable[str]) -> list[bool]:
    """Which of these jobs the queue server knows, in whatever state. Raises UnavailableError."""
    with _translate_outage(), queue.connection.pipeline(transaction=False) as pipeline:
        for id in ids:
            pipeline.exists(Job.key_for(id))
        return [bool(there) for there in pipeline.execute()]


def waiting_jobs(queue: Queue) -> set[str]:
    """Jobs that a worker will take, now or when their next try is due. Raises UnavailableError."""
    with _translate_outage():
        return {*queue.get_job_ids(), *queue.scheduled_job_registry.get_job_ids(cleanup=False)}


def failed_jobs(queue: Queue) -> list[str]:
    """Jobs that used up their tries. Raises UnavailableError."""
    with _translate_outage():
        return list(queue.failed_job_registry.get_job_ids(cleanup=False))


def foreign_jobs(queue: Queue, ids: Iterable[str]) -> dict[str, str]:
    """Which of these jobs are none of ours, with what each asks to have done. Raises UnavailableError."""
    with _translate_outage():
        found = OurJob.fetch_many([*ids], queue.connection, JSONSerializer)
    return {job.id: job.says for job in found if isinstance(job, OurJob) and not job.is_ours}


def why_failed(queue: Queue, id: str) -> str:
    """The last line of what a job failed with. Raises UnavailableError."""
    with _translate_outage():
        try:
            result = OurJob.fetch(id, queue.connection, JSONSerializer).latest_result()
        except NoSuchJobError:
            return "nothing is known of it any more"
    lines = (result.exc_string or "").strip().splitlines() if result else []
    return lines[-1] if lines else "it does not say why"


def try_again(queue: Queue, id: str) -> None:
    """Queue a failed job again: while it is kept as failed, its id cannot be queued anew. Raises UnavailableError."""
    with _translate_outage():
        try:
            queue.failed_job_registry.requeue(id)
        except (NoSuchJobError, InvalidJobOperation):  # somebody else did, or its hash has gone
            queue.failed_job_registry.remove(id)


def forget_others(settings: Settings) -> None:
    """Remove the queues of other versions of Daybook, with their jobs. Raises UnavailableError."""
    with _translate_outage(), closing(queue_at(settings).connection) as connection:
        for queue in Queue.all(connection, job_class=OurJob, serializer=JSONSerializer):
            name = queue.name.rstrip("0123456789").removesuffix("-")
            if name in (QUEUE, PRACTICE, ANALYSIS) and queue.name != read_models.versioned_name(name):
                for id in {*waiting_jobs(queue), *failed_jobs(queue)}:
                    forget(queue, id)
                queue.delete(delete_jobs=False)


def forget(queue: Queue, id: str) -> None:
    """Remove every trace of a job, so that it can be queued anew. Raises UnavailableError.

    RQ's own delete asks for the job's executions, and raises if a worker died over one of them.
    """
    with _translate_outage(), queue.connection.pipeline() as pipeline:
        started = queue.started_job_registry
        for job, execution in started.get_job_and_execution_ids(cleanup=False):
            if job == id:
                pipeline.zrem(started.key, f"{job}:{execution}")
        for registry in (queue.failed_job_registry, queue.scheduled_job_registry):
            pipeline.zrem(registry.key, id)
        for jobs in (queue.key, queue.intermediate_queue_key):
            pipeline.lrem(jobs, 0, id)
        pipeline.delete(Job.key_for(id), Job.dependents_key_for(id), ExecutionRegistry(id, pipeline).key)
        pipeline.delete(Result.get_key(id))  # type: ignore[no-untyped-call]
        pipeline.execute()
