"""Damage that nothing reads is found all the same."""

from __future__ import annotations

from contextlib import closing
from threading import Event
from uuid import UUID

import psycopg
import pytest
from click.testing import CliRunner

from daybook import cli
from daybook.services.operation import doctor, scrub
from daybook.services.operation.health import Pulse
from daybook.services.settings import Settings
from daybook.services.store import history, read_models, set_aside
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_history
from daybook.services.store.locks import Beat, FileTurn
from daybook.services.store.sqlite import sqlite
from tests.played import open_seats, update_games
from tests.services.disputes.test_corrections import go_on


@pytest.fixture
def game(book: Daybook) -> UUID:
    id = open_seats(book)
    go_on(book, id, 6)
    open_seats(book)
    update_games(book)
    return id


def damage(settings: Settings, game: UUID, change: str) -> None:
    """Change an entry in the database, past everything that forbids it."""
    if settings.database_url is None:
        with closing(sqlite.connect(settings.sqlite_file("log"), isolation_level=None)) as shell:
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
    assert not [one for one in doctor.examine(settings) if one.about == "seals"]
    (found,) = [one for one in doctor.examine(settings, thorough=True) if one.about == "seals"]
    assert found.state == "bad" and str(game) in found.says and "step 3" in found.says
    done = CliRunner().invoke(cli.main, ["doctor", "--thorough", "--data", str(settings.data)], env=settings.environ())
    assert done.exit_code == 1 and str(game) in done.stdout


def test_thorough_doctor_says_how_many_hold(book, settings, game):
    (found,) = [one for one in doctor.examine(settings, thorough=True) if one.about == "seals"]
    assert found.state == "ok" and "2 games and clubs" in found.says


@pytest.mark.parametrize("how", CHANGES)
def test_scrub_sets_a_damaged_record_aside(book, settings, game, how, monkeypatch):
    damage(settings, game, CHANGES[how])
    monkeypatch.setattr(scrub, "PAUSE_FACTOR", 0.0)
    once = scrub.scrub(book, Event())
    beat = Beat(FileTurn(str(settings.folder() / "seals.lock")), "")
    for _ in range(2):
        once(beat)
    (aside,) = set_aside.all_of_them(book.views)
    assert (aside.id, aside.projections) == (game, ("seals",)) and "step 3" in aside.says
    found = Pulse(book).feel()
    assert found.set_aside == 1 and found.behind.keys() == {"games", "results", "scores"}
    with book.views.begin() as connection:
        set_aside.clear(connection)
    assert len(set_aside.all_of_them(book.views)) == 1, "a rebuild does not make it whole"


def test_whole_record_is_taken_up_again(book, game):
    with book.views.begin() as connection:
        set_aside.note(connection, ["seals"], game, 3, "its seal was wrong")
    scrub.note_check(book, game)
    assert set_aside.all_of_them(book.views) == []


def test_doctor_says_that_the_clock_went_back(book, settings, game):
    history.take_note(book.log, book.kept)
    book.kept.engine.write(kept_history.update().values(clock="2099-01-04T12:00:00.000Z"))
    for _ in range(2):
        found = [one for one in doctor.examine(settings) if one.about == "clock" and "went back" in one.says]
        assert [one.state for one in found] == ["warn"] and "days" in found[0].says
        history.take_note(book.log, book.kept)
    assert read_models.position_of(book.views, "games") == book.log.newest()
