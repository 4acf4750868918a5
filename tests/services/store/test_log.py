"""The event log, on SQLite and on PostgreSQL: nothing lost, nothing doubled, nothing changed, nothing passed over."""

from __future__ import annotations

import random
import time
from contextlib import ExitStack, suppress
from threading import Thread, Timer
from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.persistence import OperationalError

from daybook.services.settings import Settings
from daybook.services.store.log import AlreadyWrittenError, NoLogError, OutOfOrderError, open_log
from daybook.services.store.sqlite import connect, sqlite
from tests.forked import all_sent, running
from tests.servers import PATIENCE_SECONDS, wait_until
from tests.services.log_processes import (
    after,
    creates_and_writes,
    entries_played,
    opening,
    races,
    writes_a_game,
    writes_slowly,
)


def execute(settings: Settings, statement: str) -> None:
    """Run a statement in a database shell. On PostgreSQL the table's name has its schema."""
    if settings.database_url:
        with psycopg.connect(settings.database_url) as shell:
            shell.execute(statement.replace("games_events", "daybook_log.games_events"))
    else:
        shell = connect(settings.database_file("log"), "FULL")
        try:
            shell.execute(statement)
        finally:
            shell.close()


# --- writing and reading ----------------------------------------------------------------------------------------


def test_entries_come_back_byte_for_byte_and_in_order(log):
    record = entries_played(uuid4(), 30)
    for entry in record:
        log.append(entry)
    assert log.entries(record[0].originator_id) == record
    assert log.lines(record[0].originator_id) == [entry.line for entry in record]


def test_reading_starts_after_a_version(log):
    record = entries_played(uuid4(), 9)
    log.append(*record)
    assert log.entries(record[0].originator_id, 6) == record[6:]
    assert log.lines(record[0].originator_id, 9) == []


def test_an_unknown_game_has_no_lines(log):
    assert log.lines(uuid4()) == []


def test_the_topic_is_the_tag_of_the_event(log):
    game = uuid4()
    log.append(*entries_played(game, 3))
    stored = log.recorder.select_events(game)
    assert [event.topic for event in stored] == ["game_opened", "decision_recorded", "decision_recorded"]


def test_a_version_is_written_once(log):
    first, second, third = entries_played(uuid4(), 3)
    log.append(first, second)
    with pytest.raises(AlreadyWrittenError, match="version 2"):
        log.append(after(first, "other"))
    assert log.entries(first.originator_id) == [first, second]
    log.append(third)


def test_several_entries_are_written_all_or_none(log):
    record = entries_played(uuid4(), 6)
    log.append(*record[:3])
    others = [after(record[1], "other")]
    others.append(after(others[-1], "other"))
    with pytest.raises(AlreadyWrittenError):
        log.append(*others)
    assert log.entries(record[0].originator_id) == record[:3]


def test_what_is_written_already_may_be_written_again(log):
    record = entries_played(uuid4(), 5)
    positions = [log.append(entry) for entry in record]
    assert [log.append(entry) for entry in record] == positions
    assert log.append(*record) == positions[-1]
    assert len(log.since(0)) == 5


def test_a_version_whose_predecessor_is_missing_is_refused(log):
    record = entries_played(uuid4(), 4)
    log.append(*record[:2])
    with pytest.raises(OutOfOrderError, match="no version 3"):
        log.append(record[3])
    with pytest.raises(OutOfOrderError, match="no version 1"):
        log.append(after(opening(uuid4())))
    assert log.newest() == log.append(record[1])


def test_games_are_listed_in_the_order_in_which_they_were_opened(log):
    games = [uuid4() for _ in range(5)]
    for game in games:
        log.append(*entries_played(game, 2))
    assert log.game_ids() == games


def test_threads_share_a_log(log):
    records = [entries_played(uuid4(), 20) for _ in range(8)]
    writers = [Thread(target=lambda mine=record: [log.append(entry) for entry in mine]) for record in records]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [log.entries(record[0].originator_id) for record in records] == records


# --- the log only grows -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_events SET topic = 'note_added'",
        "UPDATE games_events SET originator_version = originator_version + 100",
        "DELETE FROM games_events",
        "DELETE FROM games_events WHERE originator_version = 3",
    ],
)
def test_a_database_shell_cannot_change_or_remove_an_entry(log, settings, statement):
    record = entries_played(uuid4(), 3)
    log.append(*record)
    with pytest.raises((sqlite.IntegrityError, psycopg.Error), match="the log"):
        execute(settings, statement)
    assert log.entries(record[0].originator_id) == record


# --- creating ---------------------------------------------------------------------------------------------------


def test_a_log_that_is_not_there_is_not_made_by_opening_it(settings):
    with pytest.raises(NoLogError, match="daybook init"):
        open_log(settings)
    assert not settings.data.exists()


def test_creating_again_keeps_what_is_there(settings):
    record = entries_played(uuid4(), 3)
    for _ in range(2):
        log = open_log(settings, create=True)
        log.append(*record)
        log.close()
    log = open_log(settings)
    assert [entry for _, entry in log.since(0)] == record
    log.close()


@pytest.mark.parametrize(
    ("layout", "message"), [(2, r"Daybook 0\.x: .*0\.2\.0 is the last version"), (99, "layout 99")]
)
def test_log_of_another_layout_is_left_alone(log, settings, layout, message):
    if settings.database_url:
        execute(settings, f"UPDATE daybook_log.layout SET number = {layout}")
    else:
        execute(settings, f"PRAGMA user_version = {layout}")
    for create in (False, True):
        with pytest.raises(NoLogError, match=message):
            open_log(settings, create=create)


def test_processes_may_create_the_log_at_the_same_moment(settings):
    settings.folder()
    games, start_at = [uuid4() for _ in range(8)], time.monotonic() + 1.0
    with ExitStack() as stack:
        told = [stack.enter_context(running(creates_and_writes, settings, game, start_at))[1] for game in games]
        assert [list(all_sent(value)) for value in told] == [["written"]] * len(games)
    log = open_log(settings)
    assert set(log.game_ids()) == set(games)
    log.close()


def test_variables_of_the_shell_do_not_change_how_the_log_stores(settings, monkeypatch):
    for name, value in {
        "POSTGRES_ENABLE_DB_FUNCTIONS": "y",
        "COMPRESSOR_TOPIC": "zlib",
        "IS_SNAPSHOTTING_ENABLED": "y",
        "PERSISTENCE_MODULE": "eventsourcing.popo",
        "POSTGRES_SCHEMA": "elsewhere",
        "SQLITE_DBNAME": "/nowhere.db",
        "ORIGINATOR_ID_TYPE": "text",
        "GAMES_CREATE_TABLE": "n",
    }.items():
        monkeypatch.setenv(name, value)
    log, record = open_log(settings, create=True), entries_played(uuid4(), 2)
    log.append(*record)
    assert log.lines(record[0].originator_id) == [entry.line for entry in record]
    assert log.snapshots is None
    log.close()


# --- following --------------------------------------------------------------------------------------------------


def test_since_gives_what_comes_after_a_position(log):
    one, two = entries_played(uuid4(), 3), entries_played(uuid4(), 3)
    for pair in zip(one, two, strict=True):
        for entry in pair:
            log.append(entry)
    everything = log.since(0)
    assert [entry for _, entry in everything] == [one[0], two[0], one[1], two[1], one[2], two[2]]
    positions = [position for position, _ in everything]
    assert positions == sorted(set(positions)) and log.newest() == positions[-1]
    assert all(log.positions(entry.originator_id)[entry.step] == place for place, entry in everything)
    assert log.positions(uuid4()) == []
    assert log.since(positions[2]) == everything[3:]
    assert log.since(0, limit=2) == everything[:2]
    assert log.since(positions[-1]) == []


def test_since_gives_only_the_topics_that_are_named(log):
    record = entries_played(uuid4(), 3)
    log.append(*record)
    assert [entry for _, entry in log.since(0, topics=("game_opened", "note_added"))] == record[:1]
    assert log.since(0, topics=["game_abandoned"]) == []


def test_an_empty_log_has_no_position(log):
    assert log.newest() == 0 and log.since(0) == [] and log.game_ids() == []


def test_waiting_ends_at_once_when_there_is_something(log):
    log.append(opening(uuid4()))
    assert log.wait(0, PATIENCE_SECONDS)


def test_waiting_ends_when_the_time_is_over(log):
    assert not log.wait(log.append(opening(uuid4())), 0.2)


def test_waiting_ends_when_a_thread_of_the_same_process_writes(log):
    writer = Timer(0.2, log.append, [opening(uuid4())])
    writer.start()
    assert log.wait(0, PATIENCE_SECONDS)
    writer.join()


def test_closing_the_log_ends_all_waiting(settings):
    log, answers = open_log(settings, create=True), list[bool]()
    waiting = [Thread(target=lambda: answers.append(log.wait(0, PATIENCE_SECONDS))) for _ in range(3)]
    for thread in waiting:
        thread.start()
    log.close()
    for thread in waiting:
        thread.join()
    assert answers == [False] * 3
    log.close()


def test_a_follower_is_woken_by_another_process(log, settings):
    with running(writes_slowly, settings, uuid4(), 40) as (_, told):
        for position in range(40):
            assert log.wait(position, PATIENCE_SECONDS)
            told.recv()


def test_six_writers_at_once_lose_nothing_for_a_follower(log, settings):
    games, entries = [uuid4() for _ in range(6)], 150
    seen: list[tuple[UUID, int]] = []
    position = 0
    with ExitStack() as stack:
        for game in games:
            stack.enter_context(running(writes_a_game, settings, game, entries))
        while len(seen) < 6 * entries and log.wait(position, PATIENCE_SECONDS):
            with suppress(OperationalError):  # no connection within a second: followers ask again
                batch = log.since(position, limit=40)
                position = batch[-1][0]
                seen.extend((entry.originator_id, entry.originator_version) for _, entry in batch)
    assert sorted(seen) == sorted((game, version) for game in games for version in range(1, entries + 1))


def test_one_of_several_writers_wins_each_version(log, settings):
    game, entries = uuid4(), 60
    log.append(opening(game))
    with ExitStack() as stack:
        told = [stack.enter_context(running(races, settings, game, name, entries))[1] for name in "abcd"]
        won = [version for value in told for versions in all_sent(value) for version in versions]
    assert sorted(won) == list(range(2, entries + 1))
    stored = log.entries(game)
    assert [entry.originator_version for entry in stored] == list(range(1, entries + 1))


@pytest.mark.slow
def test_writer_killed_at_any_moment_loses_nothing_acknowledged(log, settings):
    acknowledged: dict[UUID, int] = {}
    for _ in range(25):
        game = uuid4()
        with running(writes_a_game, settings, game, 10_000) as (process, told):
            acknowledged[game] = 0
            told.poll(PATIENCE_SECONDS)
            time.sleep(random.uniform(0, 0.06))
            process.kill()
            for version in all_sent(told):
                acknowledged[game] = version
    assert sum(map(bool, acknowledged.values())) > 12  # the others got no connection within a second
    for game, version in acknowledged.items():
        stored = [entry.originator_version for entry in log.entries(game)]
        assert stored == list(range(1, len(stored) + 1))  # none twice, no gap
        assert version <= len(stored) <= version + 1  # all that was acknowledged, at most one more

    def follow() -> int:
        return len({position for position, _ in log.since(0, limit=10**6)})

    # a server may be a moment behind with what a killed program sent last
    wait_until(lambda: follow() == sum(map(len, map(log.lines, acknowledged))), "all of them to be followed")


def test_log_closed_while_a_waiter_arrives_wakes_it(settings):
    open_log(settings, create=True).close()
    for _ in range(20):
        log = open_log(settings)
        waiting = [Thread(target=log.wait, args=(0, 30)) for _ in range(4)]
        for thread in waiting:
            thread.start()
        log.close()
        for thread in waiting:
            thread.join(PATIENCE_SECONDS)
            assert not thread.is_alive()
