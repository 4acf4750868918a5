"""Tombstones in the log: the only lines that the databases let go, on SQLite and on PostgreSQL."""

from __future__ import annotations

from uuid import UUID, uuid4

import psycopg
import pytest

from daybook.domain.kernel.chronicle import Written
from daybook.domain.tombstone import make_tombstone
from daybook.services.clock import now
from daybook.services.store.game_cache import Games
from daybook.services.store.log import GameLog, RecordErasedError, UnknownGameError, open_log
from daybook.services.store.sqlite import sqlite
from tests.services.fixture_files import played_game
from tests.services.log_processes import entries_played
from tests.services.store.test_log import execute


def bury(log: GameLog, game_id: UUID, *, remove: bool = True) -> int:
    """Erase a record from the log; the position of its tombstone."""
    last = log.last_event(game_id)
    version, line = last.originator_version, log.line_of(last)
    position = log.append(make_tombstone(game_id, version, line, "spam", Written(now(), "operator", "erase-1")))
    if remove:
        log.remove_lines(game_id)
    return position


def play(log: GameLog, entries: int = 6) -> list:
    record = entries_played(uuid4(), entries)
    log.append(*record)
    return record


@pytest.mark.parametrize("remove", [False, True])
def test_erased_record_leaves_only_its_tombstone(log, remove):
    other, record = play(log), play(log)
    id = record[0].originator_id
    position = bury(log, id, remove=remove)
    for read in (log.lines, log.entries, log.recorded_events, log.club_entries):
        with pytest.raises(RecordErasedError, match="spam") as erased:
            read(id)
        assert (erased.value.tombstone.entries, erased.value.tombstone.last_seal) == (6, record[-1].seal)
    left = [entry.id for entry in log.notifications(0) if entry.originator_id == id]
    assert left == ([position] if remove else log.positions(id))
    assert [entry.originator_id for entry in log.tombstones()] == [id]
    assert log.entries(other[0].originator_id) == other


@pytest.mark.parametrize("remove", [False, True])
def test_erased_id_takes_no_further_entry(log, remove):
    record = play(log)
    id = record[0].originator_id
    bury(log, id, remove=remove)
    last = log.last_event(id)
    longer = entries_played(id, 9)
    for entries in (record, record[:1], longer[5:6], longer[6:7], longer[7:8], longer):
        with pytest.raises(RecordErasedError):
            log.append(*entries)
    with pytest.raises(RecordErasedError):
        bury(log, id)
    assert log.last_event(id) == last


def test_position_after_erasing_newest_is_new(log):
    record = play(log)
    position = bury(log, record[0].originator_id)
    assert log.append(entries_played(uuid4(), 1)[0]) == position + 1
    assert log.newest() == position + 1


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM games_events",
        "DELETE FROM games_events WHERE topic = 'game_erased'",
        "DELETE FROM games_events WHERE topic = 'game_opened'",
        "UPDATE games_events SET topic = 'game_erased'",
        "UPDATE games_events SET state = state WHERE topic = 'game_erased'",
    ],
)
def test_database_refuses_other_deletions(settings, statement):
    log = open_log(settings, create=True)
    try:
        kept, erased = play(log), play(log)
        bury(log, erased[0].originator_id)
        with pytest.raises((sqlite.IntegrityError, psycopg.errors.RaiseException)):
            execute(settings, statement)
        log.remove_lines(kept[0].originator_id)  # it has no tombstone
        assert log.entries(kept[0].originator_id) == kept
        assert len(log.tombstones()) == 1
    finally:
        log.close()


@pytest.mark.parametrize("names", [1, 5, 6])
def test_cached_game_in_another_process_is_gone(settings, names):
    with_lines = open_log(settings, create=True)
    elsewhere = open_log(settings)
    try:
        record = played_game(1, limit=5).entries
        id = record[0].originator_id
        with_lines.append(*record[:names])
        caches = [Games(elsewhere), Games(elsewhere), Games(with_lines)]
        caches[0].get(id)
        if record[names:]:
            with_lines.append(*record[names:])
        for cache in caches[1:]:
            cache.get(id)
        bury(with_lines, id)
        for _ in range(2):
            for cache in caches:
                with pytest.raises(UnknownGameError):
                    cache.get(id)
                assert cache.cache.get(id) is None
    finally:
        with_lines.close()
        elsewhere.close()


def test_erased_bytes_are_overwritten_in_files(settings, log):
    if settings.database_url is not None:
        pytest.skip("PostgreSQL's own files are its vacuum's")
    record = play(log)
    bury(log, record[0].originator_id)
    for file in settings.data.glob("log.db*"):
        assert record[2].seal.encode() not in file.read_bytes()
