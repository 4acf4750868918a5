"""Symbols of boards: what their pen registers is what stands in them."""

from __future__ import annotations

import re

import pytest

from daybook.domain.kernel.record import Game
from daybook.web.boards import Picture, Scene, drawing_module
from daybook.web.boards.symbols import ID_MARK, SymbolPen, draw_symbols
from tests.services.fixture_files import put_golden


@pytest.fixture(params=["six-to-the-limit", "market-day", "four-mills", "four-boards", "alone-and-ahead"])
def game(request: pytest.FixtureRequest, in_request, book) -> Game:
    return book.games.get(put_golden(book, request.param))


@pytest.fixture
def scene(game: Game) -> Scene:
    names = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Fay")
    return Scene(game.ruleset.id, game.table, names[: game.table.seats], None, "en")


def test_classes_and_uses_are_registered(scene):
    sheet = drawing_module(scene.ruleset).symbols(scene)
    assert re.findall(r'<symbol id="([^"]+)"', sheet.html) == list(sheet.symbols)
    for name, symbol in sheet.symbols.items():
        svg = symbol.svg.replace(ID_MARK, "")
        assert svg in sheet.html and svg.startswith(f'<symbol id="{name}"')
        assert [word for text in re.findall(r'class="([^"]+)"', svg) for word in text.split()] == [*symbol.paints]
        assert re.findall(r'href="#([^"]+)"', svg) == [*symbol.uses]
        assert {*symbol.uses} <= {*sheet.symbols}, "a symbol shows what another sheet has"


def test_a_board_stands_behind_its_symbols_and_uses_no_others(game, scene):
    picture = Picture(scene)
    html = str(picture.frame(picture.draw_all(game.board.document()), {}))
    sheet = drawing_module(scene.ruleset).symbols(scene)
    assert html.count(sheet.html) == 1
    assert {*re.findall(r'href="#([^"]+)"', html)} <= {*re.findall(r' id="([^"]+)"', html)}


def test_a_symbol_uses_another_with_its_size():
    pen = SymbolPen()
    drawn = pen.symbol("card-R1", 40, 54, caller=lambda: pen.use("card", 40, 54) + pen.use("crate", 20, 20, 10, 17))
    assert drawn.replace(ID_MARK, "") == (
        '<symbol id="card-R1" viewBox="0 0 40 54"><use href="#card" width="40" height="54"/>'
        '<use href="#crate" x="10" y="17" width="20" height="20"/></symbol>'
    )
    assert pen.symbols["card-R1"] == (drawn, (), ("card", "crate"))


def test_symbols_are_drawn_once(in_request):
    assert draw_symbols("making_profit.html") is draw_symbols("making_profit.html")
    assert (
        draw_symbols("london_markets.html", ("red", "blue", "green")).symbols.keys()
        == draw_symbols("london_markets.html", ("green", "red", "blue", "yellow")).symbols.keys()
    )
