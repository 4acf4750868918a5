"""Files damaged by a power cut or a disk: replaceable ones are rebuilt, and the others' error says what to do."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

from daybook.cli import main
from daybook.services.following import projections
from daybook.services.operation.doctor import run_checks
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.daybook import open_daybook
from daybook.services.store.sqlite import connect
from tests.played import play_game

HEAD = 100  # bytes of a database that say what it is
PAGE = 4096


def zero_head(file: Path) -> None:
    with file.open("r+b") as damaged:
        damaged.write(bytes(HEAD))


def zero_behind(file: Path) -> None:
    """All but the first page."""
    size = file.stat().st_size
    with file.open("r+b") as damaged:
        damaged.seek(PAGE)
        damaged.write(bytes(size - PAGE))


@pytest.fixture
def left(tmp_path: Path) -> Settings:
    """Return a data folder with a game whose files were not closed, as after a power cut."""
    used = Settings(data=tmp_path / "used")
    book = open_daybook(used, create=True)
    play_game(book, 1, public=True)
    projections.prepare_read_models(book)
    for file in used.data.glob("*.db"):
        with closing(connect(file, "NORMAL")) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    copytree(used.data, tmp_path / "left")
    book.close()
    return Settings(data=tmp_path / "left")


@pytest.mark.parametrize("damage", [zero_head, zero_behind])
def test_damaged_read_models_are_made_anew_at_the_next_start(left, damage, caplog):
    file = left.database_file("views")
    damage(file)
    book = open_daybook(left, create=True)
    projections.prepare_read_models(book)
    assert [row.status for row in read_models.list_games(book.views, book.kept)] == ["closed"]
    book.close()
    assert "the read models are damaged" in caplog.text and str(left.data / "views-damaged.db") in caplog.text
    assert (left.data / "views-damaged.db").stat().st_size > PAGE


@pytest.mark.parametrize(
    ("name", "about", "do"),
    [
        ("log", "log", "restore a backup"),
        ("kept", "kept tables", "restore a backup"),
        ("views", "read models", "remove"),
    ],
)
@pytest.mark.parametrize("damage", [zero_head, zero_behind])
def test_doctor_names_the_damaged_file_and_commands_refer_to_it(left, damage, name, about, do):
    file = left.data / f"{name}.db"
    damage(file)
    found = [check for check in run_checks(left) if check.state == "bad"]
    assert [(item.about, str(file) in item.says, do in item.do) for item in found] == [(about, True, True)]
    told = CliRunner().invoke(main, ["rebuild", "--data", str(left.data)])
    assert told.exit_code == 2
    assert told.output == f"Error: a file in {left.data} is damaged: `daybook doctor` says which, and what to do\n"
