"""Every command on a data folder that cannot be written says so in a sentence."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import click
import pytest
from click.testing import CliRunner

from daybook import cli
from daybook.services.operation.backups import take_backup
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.played import open_seats
from tests.services.fixture_files import FIXTURES
from tests.small_disk import close_for_writing, disk

FRIDAY = str(FIXTURES / "friday-four.daybook")
ON_FILES = {"replay", "legal", "score", "check", "verify", "compare", "certificate", "strength", "calibrate"}
ONLY_READ = {"backups", "rehearse-restore"}  # they work on such a folder
GAME = "GAME"
WORDS: dict[str, list[str]] = {
    "analyse": [],
    "anonymise": ["anna", "--called", "Anna"],
    "audit": [],
    "backup": ["DEST"],
    "browser-build": [],
    "doctor": [],
    "erase": [GAME, "--why", "spam", "--yes"],
    "erased": [],
    "brought-in": [],
    "usage": [],
    "export": [GAME],
    "follow": [],
    "import": [FRIDAY],
    "init": [],
    "links": [GAME],
    "new": ["--seat", "A:red", "--seat", "B:blue"],
    "new-receipt-key": [],
    "new-secret": ["--yes"],
    "read": [str(FIXTURES / "written" / "short-duel.txt")],
    "rebuild": [],
    "receipt": [GAME],
    "record": [GAME, '{"note":{"about_step":0,"text":"x"}}'],
    "restore": ["SOURCE"],
    "serve": ["--port", "1"],
    "sign-in-link": ["anna"],
    "operator": ["anna"],
    "transcript": [GAME],
    "unlist": [GAME, "--why", "spam"],
    "list-again": [GAME, "--why", "a mistake"],
    "simulate": ["--games", "1", "--save"],
    "web": [],
    "work": [],
    "send-messages": [],
    "automatic-backup": [],
    "operator-link": [],
    "club list": [],
    "club import": [FRIDAY, "--organiser", "anna"],
    "club export": [str(uuid4())],
    "club standings": [str(uuid4()), "1"],
}


def commands(group: click.Group, before: str = "") -> Iterator[str]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        elif not command.hidden:
            yield before + name


def test_every_command_on_a_data_folder_is_tried_here():
    assert {*commands(cli.main)} - ON_FILES - ONLY_READ == {*WORDS}


@pytest.fixture(scope="module")
def closed_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A data folder with a game on a disk that is mounted for reading alone, and the game's id."""
    with disk(tmp_path_factory.mktemp("closed") / "disk", "20m") as at:
        with closing(open_daybook(Settings(data=at / "data"), create=True)) as book:
            game = open_seats(book, ("Anna", "Ben"))
        close_for_writing(at)
        yield at / "data", str(game)


@pytest.mark.parametrize("name", WORDS)
def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(name, closed_folder, tmp_path):
    data, game = closed_folder
    stands_for = {GAME: game, "DEST": str(tmp_path / "copy"), "SOURCE": str(tmp_path / "copy")}
    words = [*name.split(), *(stands_for.get(word, word) for word in WORDS[name])]
    if name == "restore":
        backed_up = tmp_path / "data"
        open_daybook(Settings(data=backed_up), create=True).close()
        take_backup(Settings(data=backed_up), tmp_path / "copy")
        data = data.with_name("elsewhere")
    result = CliRunner().invoke(cli.main, [*words, "--data", str(data)])
    assert isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output and str(data.parent) in result.output
    if name == "doctor":
        assert result.exit_code == 1 and "cannot be written" in result.output
    else:
        assert result.exit_code == 2 and "written" in result.stderr, result.output
    shutil.rmtree(tmp_path)
