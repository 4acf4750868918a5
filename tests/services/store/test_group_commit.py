"""Writing to the SQLite log by several threads at once: together in one commit, each whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent

from daybook.domain.kernel.events import Entry
from daybook.services.settings import Settings
from daybook.services.store import group_commit
from daybook.services.store.group_commit import GroupCommit, WaitedTooLong
from daybook.services.store.log import GameLog
from daybook.services.store.sqlite import connect
from tests.servers import wait_until
from tests.services.log_processes import after, entries_played, opening

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def writing(settings: Settings, log: GameLog) -> Iterator[GroupCommit]:
    made = GroupCommit(settings.sqlite_file("log"))
    yield made
    made.close()


@pytest.fixture
def other(settings: Settings, log: GameLog) -> Iterator[Any]:
    """Another process's connection."""
    made = connect(settings.sqlite_file("log"), "FULL")
    yield made
    made.close()


def stored_events(*entries: Entry) -> list[StoredEvent]:
    return [StoredEvent(entry.originator_id, entry.originator_version, entry.topic, entry.line) for entry in entries]


def test_those_who_wait_for_one_another_are_written_by_one_commit(log, writing, other):
    statements: list[str] = []
    writing.connection.set_trace_callback(statements.append)
    openings = [opening(uuid4()) for _ in range(6)]
    got: dict[int, list[int]] = {}

    def write(number: int) -> None:
        got[number] = writing.write(stored_events(openings[number]))

    other.execute("BEGIN IMMEDIATE")
    threads = [Thread(target=write, args=[number]) for number in range(6)]
    threads[0].start()
    wait_until(lambda: "BEGIN IMMEDIATE" in statements, "the first")
    for thread in threads[1:]:
        thread.start()
    wait_until(lambda: len(writing._waiting) == 5, "the others")
    other.execute("ROLLBACK")
    for thread in threads:
        thread.join()
    assert statements.count("COMMIT") == 2
    assert [log.recorder.since(got[number][0] - 1, 1, ())[0][1] for number in range(6)] == [
        entry.originator_id for entry in openings
    ]


def test_what_is_refused_of_one_leaves_alone_what_others_write_with_it(log, writing, other):
    taken = opening(uuid4())
    log.append(taken)
    good, bad = entries_played(uuid4(), 2), [opening(uuid4()), taken]
    wrong: list[Exception] = []

    def write(entries: list[Entry]) -> None:
        try:
            writing.write(stored_events(*entries))
        except IntegrityError as refused:
            wrong.append(refused)

    with writing._turn:  # somebody is writing
        threads = [Thread(target=write, args=[entries]) for entries in (bad, good, [after(taken)])]
        for number, thread in enumerate(threads, 1):
            thread.start()
            wait_until(lambda number=number: len(writing._waiting) == number, "each")
    for thread in threads:
        thread.join()
    assert len(wrong) == 1
    assert log.entries(good[0].originator_id) == good
    assert log.entries(taken.originator_id) == [taken, after(taken)]
    assert log.entries(bad[0].originator_id) == []


def test_of_several_entries_all_are_written_or_none(log, writing):
    first = opening(uuid4())
    with pytest.raises(IntegrityError):
        writing.write(stored_events(first, first))
    assert log.entries(first.originator_id) == []
    assert writing.write(stored_events(first, after(first))) == [1, 2]


def test_whoever_waits_too_long_has_written_nothing(log, writing, monkeypatch):
    monkeypatch.setattr(group_commit, "LOCK_TIMEOUT_SECONDS", 0.05)
    late, next_one = opening(uuid4()), opening(uuid4())
    with writing._turn, pytest.raises(WaitedTooLong):
        writing.write(stored_events(late))
    writing.write(stored_events(next_one))
    assert (log.entries(late.originator_id), log.entries(next_one.originator_id)) == ([], [next_one])


def test_when_the_disk_is_full_nobody_of_those_together_is_told_that_it_was_written(log, writing):
    ((pages,),) = writing.connection.execute("PRAGMA page_count").fetchall()
    writing.connection.execute(f"PRAGMA max_page_count={pages + 2}").fetchall()
    games = [entries_played(uuid4(), 40) for _ in range(3)]
    wrong: list[BaseException] = []

    def write(entries: list[Entry]) -> None:
        try:
            writing.write(stored_events(*entries))
        except Exception as failed:
            wrong.append(failed)

    with writing._turn:
        threads = [Thread(target=write, args=[entries]) for entries in games]
        for thread in threads:
            thread.start()
        wait_until(lambda: len(writing._waiting) == 3, "all")
    for thread in threads:
        thread.join()
    assert len(wrong) == 3 and log.newest() == 0
