"""Foreign jobs in the queue are refused and reported; our own jobs go on."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Event

import pytest
from rq import Callback, Queue
from rq.serializers import DefaultSerializer, JSONSerializer

from daybook.services.store import read_models
from daybook.services.store.locks import Heartbeat, make_lock
from daybook.workers import follower, jobs, worker
from daybook.workers.follower import Watch
from tests.played import play_game
from tests.workers.test_jobs import dispatch, expected_rows, rows

pytestmark = pytest.mark.sqlite_suffices


def as_stranger(queue: Queue, serializer: type = JSONSerializer) -> Queue:
    """The same queue, as another program with RQ writes in it."""
    return Queue(queue.name, connection=queue.connection, serializer=serializer)


def test_a_command_laid_in_the_queue_is_not_carried_out(book, queue, settings, tmp_path, caplog):
    mark = tmp_path / "mark"
    as_stranger(queue).enqueue("subprocess.getoutput", f"touch {mark}", retry=None)
    play_game(book, 1)
    dispatch(book, queue)
    worker.run(settings, burst=True)
    assert not mark.exists()
    assert "refused 'subprocess.getoutput', which is no job of Daybook" in caplog.text
    assert sorted(rows(book)) == expected_rows(book), "our own jobs are done"


class Pickled:
    """Runs a command where it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (exec, (f"open({str(self.mark)!r}, 'w')",))


def test_what_was_pickled_is_not_read(book, queue, settings, tmp_path):
    mark = tmp_path / "mark"
    as_stranger(queue, DefaultSerializer).enqueue("workers.jobs.audit", Pickled(mark))
    worker.run(settings, burst=True)
    assert not mark.exists()
    assert queue.failed_job_registry.count == 1


@pytest.mark.parametrize("when", ["on_success", "on_failure"])
def test_nothing_is_called_beside_our_own_work(book, queue, settings, tmp_path, when):
    """RQ calls functions by name when a job succeeds or fails, also when it only cleans up."""
    mark = tmp_path / "mark"
    (tmp_path / "foreign.py").write_text(f"def call(*_, **__): open({str(mark)!r}, 'w')\n")
    game = play_game(book, 1)
    pytest.MonkeyPatch().syspath_prepend(tmp_path)
    as_stranger(queue).enqueue(
        "workers.jobs.audit", str(game) if when == "on_success" else "no id", **{when: Callback("foreign.call")}
    )
    worker.run(settings, burst=True)
    assert not mark.exists()
    assert (queue.failed_job_registry.count == 1) == (when == "on_failure")


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("workers.jobs.close", ()),
        ("workers.jobs.use", ("x",)),
        ("score", ("x", 1)),
        ("os.getcwd", ()),
        ("workers.jobs.audit", ({"a": 1},)),
        ("workers.jobs.score.__globals__", ()),
    ],
)
def test_only_the_listed_names_with_plain_ids_are_ours(queue, name, given):
    laid = as_stranger(queue).enqueue(name, *given)
    job = jobs.OurJob.fetch(laid.id, queue.connection, JSONSerializer)
    assert isinstance(job, jobs.OurJob)
    with pytest.raises(jobs.ForeignJobError):
        job.func  # noqa: B018


@pytest.mark.both_databases
def test_what_was_refused_is_told_and_forgotten_in_time(book, queue, settings):
    as_stranger(queue).enqueue("subprocess.getoutput", "id")
    worker.run(settings, burst=True)
    watch, start = Watch(book, queue), time.monotonic()
    stop = Event()
    stop.set()
    watch.once(stop)(Heartbeat(make_lock(settings, "test"), "")) if settings.database_url is None else watch.look(start)
    watch.look(start)
    assert "subprocess.getoutput" in watch._failures_text([])
    if settings.database_url is None:
        health = next(item for item in read_models.projection_health(book.views) if item.projection == follower.JOBS)
        assert (health.state, "subprocess.getoutput" in health.message) == ("failing", True)
    watch.look(start + follower.FOREIGN_SECONDS + 1)
    watch.look(start + follower.FOREIGN_SECONDS + 2)
    assert watch._failures_text([]) == ""
    assert queue.failed_job_registry.count == 0


def test_our_own_jobs_are_ours(book, queue):
    game = play_game(book, 1)
    for work in (jobs.audit, jobs.count, jobs.rate):
        assert jobs.enqueue(queue, work, game)
    assert jobs.enqueue(queue, jobs.score, game, 3)
    found = [jobs.OurJob.fetch(id, queue.connection, JSONSerializer) for id in queue.get_job_ids()]
    assert len(found) == 4 and all(isinstance(job, jobs.OurJob) and job.is_ours for job in found)
