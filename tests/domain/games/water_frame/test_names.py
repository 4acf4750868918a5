"""WF-2: what there is in Water Frame, and that nothing else stands where the game names it."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.kernel.naming import strangers
from tests.domain.games.strange import NOBODY, known_at
from tests.domain.games.water_frame.playing import opening_board, plant, player, predetermined_board, set_up

GOODS = {"food", "clothes", "cutlery", "lamps"}
GREY = {
    f"{name}:{shade}" for name in ("machinery", "quality", "distribution", "production") for shade in ("light", "dark")
}
OWN = {"factory", "workers", "machinery", "quality", "distribution", "stock_exchange"}
SHIPS = {2, 4, 6, 8, 10}
TILES = {"school", "foreman", "inventor"}
DECADES = {1760, 1770, 1780, 1790, 1800, 1810}
CHART = {"2", "4", "6", "8", "10"}
EVERYTHING = {
    *GOODS,
    *GREY,
    *OWN,
    *TILES,
    *DECADES,
    *CHART,
    "",
    "row",
    "production",
    "quality:pink",
    "ship:2",
    "ship:10",
    "ship:3",
    "zeppelin",
    "0/1",
    "1/3",
    "9/9",
    "lobby",
    "earthquake",
    "3",
    "12",
    1750,
    1820,
    NOBODY,
    *range(-1, 13),
    100,
    101,
    -2,
}


def position():
    return set_up(player(tiles="school", ships="2", markers="quality:light", food=plant()), decade=1770)


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/players/0/factories", GOODS),
        ("/players/0/stored", GOODS),
        ("/players/0/contracts", GOODS),
        ("/players/0/tally/goods", GOODS),
        ("/importers", GOODS),
        ("/economy", GOODS),
        ("/players/0/slots", {*GOODS, "row"}),
        ("/players/0/factories/food/level", {1, 2, 3, 4}),
        ("/players/0/chart", CHART),
        ("/closed_rows", CHART),
        ("/players/0/chart/2", {"", *OWN, *GREY, "ship:2", "ship:10"}),
        ("/turn/marker", {"", *OWN, *GREY, "ship:2", "ship:10"}),
        ("/players/0/markers", GREY),
        ("/players/0/ships", SHIPS),
        ("/mat/3/ships", SHIPS),
        ("/players/0/tiles/0/kind", TILES),
        ("/tiles", TILES),
        ("/players/0/space", {*range(13), 100}),
        ("/players/0/contracts/food", {0, 2, 4, 6, 8, 10}),
        ("/mat/0/markers", {"machinery", "quality", "distribution", "production"}),
        ("/economy/food", {"0/1", "1/3"}),
        ("/events", {"lobby"}),
        ("/start", {0, 1, 2}),
        ("/decade", DECADES),
        ("/closed_rows/2", {0, *DECADES}),
    ],
)
def test_wf_2_what_there_is_and_where_a_board_names_it(path, names):
    assert known_at(WATER_FRAME, position(), path, EVERYTHING) == names


@pytest.mark.parametrize("board", [opening_board, predetermined_board, position])
def test_wf_2_a_game_knows_all_names_it_uses(board):
    b = board()
    assert list(strangers(WATER_FRAME.integrity.names, b, b.document())) == []
