"""The golden games: what happened in them never changes, and their scores are those of the day they were made."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.board import value_at
from domain.record import folded
from fixtures import make
from services.examples import EXAMPLES
from services.recordfile import Record
from tests.services.files import FIXTURES, read

ALL = sorted(FIXTURES.glob("*.daybook"))


def record(name: str) -> Record:
    return read((FIXTURES / f"{name}.daybook").read_bytes())


@pytest.mark.parametrize("file", ALL, ids=lambda path: path.stem)
def test_its_playthrough_is_as_it_was(file: Path) -> None:
    assert make.told(file.read_bytes()) == file.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", ALL, ids=lambda path: path.stem)
def test_it_folds_forward_and_back(file: Path) -> None:
    game = read(file.read_bytes()).game
    for entry, document in folded(game.entries):
        assert game.document_at(entry.step) == document
        assert game.ruleset.laid(document, game.table).document() == document
    assert game.document_at(0) == game.opening.board


@pytest.mark.parametrize("file", ALL, ids=lambda path: path.stem)
def test_its_columns_are_what_the_rules_count(file: Path) -> None:
    game = read(file.read_bytes()).game
    for entry, document in folded(game.entries):
        board = game.ruleset.laid(document, game.table)
        assert game.figures_at(entry.step) == (game.ruleset.figures(board), game.ruleset.marks(board))


def test_making_them_again_gives_the_same_bytes() -> None:
    for name, content in make.files():
        assert (FIXTURES / name).read_bytes() == content, name


def test_they_show_what_they_are_for() -> None:
    games = {path.stem: record(path.stem) for path in ALL}
    boards = {name: one.game.document for name, one in games.items()}
    assert {len(one.header.seats) for one in games.values()} == {2, 3, 4, 6}
    assert {one.game.opening.options["hands"] for one in games.values()} == {"open", "hidden"}
    assert {value_at(board, "/ended") for board in boards.values()} == {"level_ten", "no_development"}
    assert all(one.game.status == "closed" for one in games.values())
    assert all(one.header.kind == "practice" for name, one in games.items() if name != "by-hand")
    assert "nationalised" in (FIXTURES / "six-to-the-limit.txt").read_text(encoding="utf-8")
    topics = {entry.topic for entry in games["corrections"].game.entries}
    assert len(topics) == 8, "every kind of entry"
    causes = {getattr(entry.event, "cause", None) for entry in games["corrections"].game.entries}
    assert causes == {None, "table", "mistyped"}
    assert all((FIXTURES / name).is_file() for name in EXAMPLES)
