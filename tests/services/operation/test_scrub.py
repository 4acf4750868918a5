"""Damage that nothing reads is found all the same."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from shutil import copytree
from threading import Event
from uuid import UUID

import psycopg
import pytest
from click.testing import CliRunner

from daybook import cli
from daybook.domain.commands import Note
from daybook.domain.kernel.chronicle import Refused
from daybook.services.files.import_export import export_game, import_file
from daybook.services.files.recordfile import BadFileError
from daybook.services.operation import doctor, erasing, scrub
from daybook.services.operation.health import Pulse
from daybook.services.settings import Settings
from daybook.services.store import history, read_models, set_aside
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.kept import kept_history
from daybook.services.store.locks import FileLock, Heartbeat
from daybook.services.store.log import RecordErasedError
from daybook.services.store.set_aside import SEALS
from daybook.services.store.sqlite import sqlite
from tests.played import open_seats, play, update_games, write

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def game(book: Daybook) -> UUID:
    id = open_seats(book)
    play(book, id, 6)
    open_seats(book)
    update_games(book)
    return id


def damage(settings: Settings, game: UUID, change: str) -> None:
    """Change an entry in the database, past everything that forbids it."""
    if settings.database_url is None:
        with closing(sqlite.connect(settings.database_file("log"), isolation_level=None)) as shell:
            for (name,) in shell.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                shell.execute(f"DROP TRIGGER {name}")
            change = change.replace("AS {}", "AS BLOB")
            shell.execute(f"{change} WHERE originator_id = ? AND originator_version = 4", (game.hex,))
    else:
        with psycopg.connect(settings.database_url, autocommit=True, options="-c search_path=daybook_log") as shell:
            shell.execute("ALTER TABLE games_events DISABLE TRIGGER ALL")
            change = change.replace("AS {}", "AS bytea")
            shell.execute(f"{change} WHERE originator_id = %s AND originator_version = 4", [game])  # type: ignore[call-overload]


CHANGES = {
    "line": "UPDATE games_events SET state = CAST('{}' AS {})",
    "topic": "UPDATE games_events SET topic = 'noted'",
    "gone": "DELETE FROM games_events",
}


@pytest.mark.parametrize("how", CHANGES)
def test_thorough_doctor_names_a_damaged_record(book, settings, game, how):
    damage(settings, game, CHANGES[how])
    assert not [check for check in doctor.run_checks(settings) if check.about == "seals"]
    (found,) = [item for item in doctor.run_checks(settings, thorough=True) if item.about == "seals"]
    assert found.state == "bad" and str(game) in found.says and "step 3" in found.says
    done = CliRunner().invoke(cli.main, ["doctor", "--thorough", "--data", str(settings.data)], env=settings.environ())
    assert done.exit_code == 1 and str(game) in done.stdout


def test_thorough_doctor_says_how_many_hold(book, settings, game):
    (found,) = [check for check in doctor.run_checks(settings, thorough=True) if check.about == "seals"]
    assert found.state == "ok" and "2 games and clubs" in found.says


@pytest.mark.both_databases
@pytest.mark.parametrize("how", CHANGES)
def test_scrub_sets_a_damaged_record_aside(book, settings, game, how, monkeypatch):
    damage(settings, game, CHANGES[how])
    monkeypatch.setattr(scrub, "PAUSE_FACTOR", 0.0)
    once = scrub.scrub_step(book, Event())
    beat = Heartbeat(FileLock(str(settings.folder() / "seals.lock")), "")
    for _ in range(2):
        once(beat)
    (aside,) = set_aside.select_all(book.views)
    assert (aside.id, aside.projections) == (game, ("seals",)) and "step 3" in aside.says
    found = Pulse(book).check_reachability()
    assert found.unreadable_records == 1 and found.behind.keys() == {"games", "results", "scores"}
    with book.views.begin() as connection:
        set_aside.clear_projections(connection)
    assert len(set_aside.select_all(book.views)) == 1, "a rebuild does not make it whole"


def test_whole_record_is_taken_up_again(book, game):
    with book.views.begin() as connection:
        set_aside.add(connection, ["seals"], game, 3, "its seal was wrong")
    scrub.note_check(book, game)
    assert set_aside.select_all(book.views) == []


def test_doctor_says_that_the_clock_went_back(book, settings, game):
    history.take_note(book.log, book.kept)
    book.kept.engine.write(kept_history.update().values(clock="2099-01-04T12:00:00.000Z"))
    for _ in range(2):
        found = [check for check in doctor.run_checks(settings) if check.about == "clock" and "went back" in check.says]
        assert [item.state for item in found] == ["warn"] and "days" in found[0].says
        history.take_note(book.log, book.kept)
    assert read_models.position_of(book.views, "games") == book.log.newest()


def mark_damaged(book: Daybook, record_id: UUID) -> None:
    with book.views.begin() as connection:
        set_aside.add(connection, [SEALS], record_id, book.log.positions(record_id)[0], "its seal is wrong")


@pytest.mark.both_databases
def test_damaged_record_refuses_a_new_entry(book, settings, game):
    damage(settings, game, CHANGES["topic"])
    step = book.games.get(game).step
    scrub.note_check(book, game)
    with pytest.raises(Refused, match="step 3 of the stored record is damaged"):
        write(book, game, Note(0, "x"))
    assert book.games.get(game).step == step


@pytest.mark.both_databases
def test_damaged_record_answers_a_repeated_entry(book, game):
    first = write(book, game, Note(0, "x"), key="k" * 16)
    mark_damaged(book, game)
    again = write(book, game, Note(0, "x"), key="k" * 16)
    assert (again.step, again.repeated) == (first.step, True)


@pytest.mark.both_databases
def test_damaged_record_refuses_a_longer_file(book, game, tmp_path, empty_data):
    with closing(open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "other"))))) as other:
        import_file(other, export_game(book, game))
        write(other, game, Note(0, "continued elsewhere"))
        longer = export_game(other, game)
    mark_damaged(book, game)
    with pytest.raises(BadFileError, match="step 0 of the stored record is damaged"):
        import_file(book, longer)


@pytest.mark.both_databases
def test_damaged_record_can_be_erased(book, settings, game):
    damage(settings, game, CHANGES["topic"])
    scrub.note_check(book, game)
    erasing.append_tombstone(book, game, "broken disk")
    book.games.cache.clear()
    with pytest.raises(RecordErasedError):
        book.games.get(game)


@pytest.mark.both_databases
def test_restored_record_takes_entries_again(book, settings, game):
    mark_damaged(book, game)
    with pytest.raises(Refused):
        write(book, game, Note(0, "x"))
    scrub.scrub_step(book, Event())(Heartbeat(FileLock(str(settings.folder() / "seals.lock")), ""))
    assert write(book, game, Note(0, "x")).step == book.games.get(game).step
