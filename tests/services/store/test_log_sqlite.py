"""The event log in a SQLite file: a sound SQLite, flushed commits, ids that are never used again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread, Timer
from typing import Any
from uuid import uuid4

import eventsourcing.sqlite
import pytest

import daybook.services.store.sqlite
from daybook.services.settings import Settings
from daybook.services.store.disk import CannotWriteError
from daybook.services.store.log import GameLog, LogBusyError, NotDurableError, durability, open_log, require_durability
from daybook.services.store.log_sqlite import LogDatastore
from daybook.services.store.sqlite import connect, has_wal_reset_bug, sqlite, weaknesses
from tests.services.log_processes import after, entries_played, opening


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data")


@pytest.fixture
def shell(log: GameLog, settings: Settings) -> Iterator[Any]:
    """Return another connection to the file."""
    shell = connect(settings.database_file("log"), "FULL")
    yield shell
    shell.close()


def writing(log: GameLog) -> LogDatastore:
    datastore = log.recorder.datastore  # type: ignore[attr-defined]
    assert isinstance(datastore, LogDatastore)
    return datastore


# --- a sound SQLite ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "has_it"),
    [
        ((3, 6, 23), False),
        ((3, 7, 0), True),
        ((3, 40, 1), True),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 53, 4), False),
    ],
)
def test_versions_that_may_corrupt_a_write_ahead_log_are_known(version, has_it):
    assert has_wal_reset_bug(version) is has_it


def test_sqlite_in_use_is_sound_and_shared_with_the_library():
    assert not has_wal_reset_bug(sqlite.sqlite_version_info)
    assert vars(eventsourcing.sqlite)["sqlite3"] is sqlite


def test_an_unsound_sqlite_is_refused(log, settings, monkeypatch):
    monkeypatch.setattr(daybook.services.store.sqlite, "has_wal_reset_bug", lambda version: True)
    with pytest.raises(NotDurableError, match="may corrupt its write-ahead log"):
        open_log(settings)
    assert "may corrupt its write-ahead log" in durability(log)[0]
    with pytest.raises(NotDurableError):
        require_durability(log)


# --- flushed commits --------------------------------------------------------------------------------------------


def test_every_connection_flushes_every_commit(log):
    for commit in (True, False):
        with writing(log).get_connection(commit=commit) as connection:
            cursor = connection.cursor().sqlite_cursor
            assert tuple(cursor.execute("PRAGMA synchronous").fetchone()) == (2,)
            assert tuple(cursor.execute("PRAGMA journal_mode").fetchone()) == ("wal",)
    assert durability(log) == []
    require_durability(log)


def test_a_connection_that_does_not_flush_is_found_out(log):
    with writing(log).get_connection(commit=True) as connection:
        connection.cursor().execute("PRAGMA synchronous=NORMAL")
    assert durability(log) == ["PRAGMA synchronous is not FULL: a commit may be acknowledged before it is on disk"]
    with pytest.raises(NotDurableError, match="not FULL"):
        require_durability(log)


def test_a_file_that_cannot_have_a_write_ahead_log_is_found_out():
    memory = sqlite.connect(":memory:")
    assert [finding for finding in weaknesses(memory) if "journal mode is memory" in finding]
    memory.close()


def test_opening_a_new_file_waits_for_whoever_is_making_it(tmp_path):
    """SQLite itself does not wait here: it answers that the database is locked, at once."""
    file = tmp_path / "new.db"
    maker = sqlite.connect(file, isolation_level=None, check_same_thread=False)
    maker.execute("BEGIN IMMEDIATE")
    done = Timer(0.2, maker.execute, ["COMMIT"])
    done.start()
    other = connect(file, "FULL")
    assert weaknesses(other) == []
    done.join()
    other.close()
    maker.close()


# --- the log only grows -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", ["1, 'x', 1", "99, (SELECT originator_id FROM games_events), 1"])
def test_a_database_shell_cannot_replace_an_entry(log, shell, values):
    log.append(opening(uuid4()))
    before = shell.execute("SELECT * FROM games_events").fetchall()
    with pytest.raises(sqlite.IntegrityError, match="written already"):
        shell.execute(
            "INSERT OR REPLACE INTO games_events (rowid, originator_id, originator_version, topic, state)"
            f" VALUES ({values}, 'note_added', x'00')"
        )
    assert shell.execute("SELECT * FROM games_events").fetchall() == before


def test_a_position_is_never_used_again(log, shell):
    newest = log.append(*entries_played(uuid4(), 3))
    shell.execute("DROP TRIGGER games_events_never_removed")
    shell.execute("DELETE FROM games_events WHERE rowid = ?", [newest])
    shell.execute("VACUUM")
    assert log.append(opening(uuid4())) == newest + 1


# --- when others write, and when the disk is full ---------------------------------------------------------------


def test_a_writer_that_waits_too_long_is_told_to_try_again(settings, monkeypatch):
    monkeypatch.setattr(daybook.services.store.sqlite, "LOCK_TIMEOUT_SECONDS", 0.1)
    log, entry = open_log(settings, create=True), opening(uuid4())
    log.append(entry)
    other = connect(settings.database_file("log"), "FULL")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LogBusyError, match="other processes"):
        log.append(after(entry))
    assert log.entries(entry.originator_id) == [entry]
    other.execute("ROLLBACK")
    other.close()
    log.append(after(entry))
    log.close()


def test_reading_does_not_wait_for_a_writer_of_the_same_process(log, shell):
    entry = opening(uuid4())
    log.append(entry)
    shell.execute("BEGIN IMMEDIATE")
    writers = [Thread(target=log.append, args=[after(entry)]) for _ in range(2)]
    for writer in writers:
        writer.start()
    assert log.entries(entry.originator_id) == [entry] and log.newest() == 1
    shell.execute("ROLLBACK")
    for writer in writers:
        writer.join()
    assert log.newest() == 2


def test_full_disk_refuses_whole_entries_and_resumes_with_room(log):
    record = entries_played(uuid4(), 400)
    log.append(*record[:10])
    connection = next(iter(writing(log).pool._pool))._sqlite_conn
    ((pages,),) = connection.execute("PRAGMA page_count").fetchall()
    connection.execute(f"PRAGMA max_page_count={pages + 2}").fetchall()
    with pytest.raises(CannotWriteError, match="full"):
        log.append(*record[10:])
    assert log.entries(record[0].originator_id) == record[:10]
    connection.execute("PRAGMA max_page_count=100000").fetchall()
    log.append(*record[10:])
    assert log.entries(record[0].originator_id) == record


def test_writing_continues_after_a_transaction_was_left_open(log):
    with writing(log).get_connection(commit=True) as connection:
        connection.cursor().execute("BEGIN")
    entry = opening(uuid4())
    assert log.append(entry) == 1 and log.entries(entry.originator_id) == [entry]
