"""Nothing that a viewer is not shown is in a drawing, even if the drawing does not cover it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import Document, deep_copy
from daybook.domain.kernel.record import Game
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.services.play import replay
from daybook.web import boards
from daybook.web.boards import BoardPart, DrawnPart, Picture, Scene
from daybook.web.boards.pen import DrawnPlace
from daybook.web.boards.table_privacy import NOTHING, TablePrivacy
from daybook.web.replay.filmstrips import build_strip
from daybook.web.words import game_pages
from tests.services.fixture_files import FIXTURES, golden, ruleset_of

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Eve", "Finn")
AMOUNTS = {"water_frame": "cash"}  # of a player; "money" elsewhere
BOARDS = 4  # of each game
ALL = sorted(FIXTURES.glob("*.daybook"))
COVERED = [file for file in ALL if RULESETS[ruleset_of(file.read_bytes())].secrecy.veil]


def veil_of(game: Game, own: frozenset[int]) -> TablePrivacy:
    """Return the veil of a game; of a game without one, the possible one."""
    veil = game.ruleset.secrecy.veil
    if veil is not None:
        return TablePrivacy(veil.columns, veil.places, own)
    return TablePrivacy(
        (game.ruleset.ledger.columns[-1],), (f"/players/*/{AMOUNTS.get(game.ruleset.id, 'money')}",), own
    )


def viewers(game: Game) -> Iterator[tuple[Sight, TablePrivacy]]:
    """Return the viewers: a spectator, the scorekeeper, and the players; a solo player sees everything of their own.

    Of a game that keeps nothing covered, the spectator and one player for all.
    """
    seats = len(game.table.colours)
    yield None, veil_of(game, frozenset())
    if game.ruleset.secrecy.veil:
        yield EVERYTHING, veil_of(game, frozenset())
    for seat in range(0 if game.ruleset.secrecy.veil else max(1, seats - 1), seats):
        yield seat, veil_of(game, frozenset({seat}))


def boards_seen(game: Game, sight: Sight) -> Iterator[tuple[Document, dict[str, Any]]]:
    """Some of its boards as they are seen, with the columns of the ledger."""
    for step in range(0, game.step + 1, max(1, game.step // BOARDS)):
        seen = replay.position_at(game, step, sight)
        yield seen.board, {"columns": seen.columns}


def picture(game: Game, sight: Sight, view: TablePrivacy) -> tuple[Picture, BoardPart]:
    scene = Scene(game.ruleset.id, game.table, NAMES[: len(game.table.colours)], sight, "en", view)
    return Picture(scene), build_strip(scene, game.ruleset.ledger.columns[-1])


def drawings(picture: Picture, strip: BoardPart, board: Document, columns: Document) -> dict[str, DrawnPart]:
    return picture.draw_all(board) | picture.draw_parts([strip], columns)


def with_others(document: Any, view: TablePrivacy, path: str = "") -> Any:
    """The same with other numbers wherever something is not shown."""
    if isinstance(document, dict):
        return {key: with_others(item, view, f"{path}/{key}") for key, item in document.items()}
    if isinstance(document, list):
        return [with_others(value, view, f"{path}/{at}") for at, value in enumerate(document)]
    return document + 7001 if view.hides_place(path) else document


@pytest.mark.parametrize("file", ALL, ids=lambda path: path.stem)
def test_a_drawing_is_the_same_whatever_lies_covered(file, in_request):
    """Two worlds that differ only in hidden things are drawn the same for every viewer, in every game."""
    game = golden(file).game
    for sight, view in viewers(game):
        drawing, strip = picture(game, sight, view)
        for board, columns in boards_seen(game, sight):
            other = with_others(board, view), with_others(columns, view)
            assert other != (board, columns), "they do differ"
            seen = drawings(drawing, strip, board, columns)
            assert seen == drawings(drawing, strip, *other)
            assert all(map(view.hides_place, covered_places(seen)))


def covered_places(drawings: dict[str, DrawnPart]) -> set[str]:
    return {at for value in drawings.values() for at, place in value.places.items() if place.covered}


@pytest.mark.parametrize("file", COVERED, ids=lambda path: path.stem)
def test_registered_covered_parts_alone_look_otherwise(file, in_request):
    """A covered drawing is the open one with a dash for each figure that is not shown."""
    game = golden(file).game
    for sight, view in viewers(game):
        drawing, strip = picture(game, sight, view)
        openly, _ = picture(game, sight, NOTHING)
        for board, columns in boards_seen(game, sight):
            seen = drawings(drawing, strip, board, columns)
            shown = drawings(openly, strip, board, columns)
            hidden = {f"/players/{seat}/money" for seat in range(len(game.table.colours)) if seat not in view.own}
            assert covered_places(seen) == hidden | {
                at.replace("players", "columns/score").removesuffix("/money") for at in hidden
            }
            for part, item in shown.items():
                assert seen[part].html == dash_figures(item.html, view)


def dash_figures(html: str, view: TablePrivacy) -> str:
    """A drawing with its covered figures found by their look."""

    def dash(match: re.Match[str]) -> str:
        figure = f'<b class="{match[1]} veiled" data-at="{match[2]}"{match[3]}>–</b>'
        return figure if view.hides_place(match[2]) else match[0]

    return re.sub(r'<b class="(figure [^"]*)" data-at="([^"]*)"((?: title="[^"]*")?)>[^<]*</b>', dash, html)


def test_a_figure_that_is_registered_nowhere_tells_nothing(in_request):
    """A drawing that writes all its data, and one that fails and is replaced by words."""
    game = golden(COVERED[0]).game
    board = deep_copy(game.document)
    for seat, player in enumerate(board["players"]):
        player["money"] = 73000 + seat
    drawing, _ = picture(game, 1, veil_of(game, frozenset({1})))
    paths = ("/players", "/players/0/money", "/round")
    raw = BoardPart(
        "raw", paths, lambda document: (document,), lambda pen, document: msgspec.json.encode(document).decode()
    )
    told = drawing.draw_parts([raw], board)["raw"].html
    assert re.findall("7300[0-9]", told) == ["73001"], "the own amount, which is shown"
    placed = BoardPart(
        "placed",
        paths,
        lambda document: (document["players"][0]["money"],),
        lambda pen, money: f"<i {pen.place('/players/0/money', money)}>{money}</i>",
    )
    assert "73" not in (drawn := drawing.draw_parts([placed], board)["placed"]).html
    assert drawn.places == {"/players/0/money": DrawnPlace("thing", "", covered=True)}


def test_what_cannot_be_drawn_is_told_without_what_is_covered(app, caplog):
    game = golden(COVERED[0]).game
    board = deep_copy(game.document)
    for player in board["players"]:
        player["money"] = 73000

    def cannot(document: Document) -> tuple[Any, ...]:
        raise LookupError

    with app.test_request_context("/"):
        drawing, _ = picture(game, None, veil_of(game, frozenset()))
        told = drawing.draw_parts([BoardPart("heads", ("/players", "/round"), cannot, str)], board)["heads"]
    assert "73000" not in told.html and told.undrawn
    assert covered_places({"heads": told}) == {f"/players/{seat}/money" for seat in range(len(game.table.colours))}
    assert "cannot be drawn" in caplog.text


def test_game_without_drawing_is_described_without_covered_parts(in_request, monkeypatch):
    monkeypatch.setattr(boards, "pages_of", lambda ruleset: game_pages.NOTHING)
    test_a_drawing_is_the_same_whatever_lies_covered(COVERED[0], None)
