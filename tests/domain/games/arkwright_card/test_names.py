"""ACG-2: what there is in the Card Game, and that nothing else stands where the game names it."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD
from daybook.domain.kernel.naming import strangers
from tests.domain.games.arkwright_card.alone import solo_at_first_turn
from tests.domain.games.arkwright_card.playing import board_at_first_turn, factory, opening_board, player, set_up
from tests.domain.games.strange import NOBODY, known_at

GOODS = {"food", "clothes", "cutlery", "lamps"}
TRACKS = {"quality", "distribution", "cards", "machinery", "ship", "stock"}
CARDS = {"foreman", "entrepreneur", "contract"}
QUALITY = {"QA", "QB", "QC", "QE"}
DISTRIBUTION = {"DA", "DB", "DP"}
STOREHOUSES = {"SA", "SB", "SC"}
RIVALS = {"blue", "green", "yellow"}
GOALS = {"from_nothing"}
EVERYTHING = {
    *GOODS,
    *TRACKS,
    *CARDS,
    *QUALITY,
    *DISTRIBUTION,
    *STOREHOUSES,
    *RIVALS,
    *GOALS,
    "red",
    "tea",
    "QX",
    "DX",
    "SX",
    NOBODY,
    *range(-1, 23),
    30,
    31,
    38,
    39,
}


def position():
    food = factory(workers="1 1", quality={"QA": (2, "price")}, distribution=("DA", 3), stored={"SA": 1})
    b = set_up(player(food=food, clothes=factory()), player())
    b.turn.inventor = []
    return b


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/players/0/factories", GOODS),
        ("/demand", GOODS),
        ("/neutral", GOODS),
        ("/turn/before", GOODS),
        ("/turn/shipping", GOODS),
        ("/players/0/factories/food/side", {1, 2}),
        ("/players/0/factories/food/slot", {1, 2, 3, 4}),
        ("/players/0/factories/food/appeal", set(range(21))),
        ("/neutral/food", set(range(21))),
        ("/players/0/factories/food/workers/1/side", {1, 2, 3}),
        ("/players/0/factories/food/quality", QUALITY),
        ("/players/0/factories/food/distribution/card", DISTRIBUTION),
        ("/players/0/factories/food/storehouses", STOREHOUSES),
        ("/players/0/levels", TRACKS),
        ("/players/0/levels/ship", {0, 1, 2}),
        ("/players/0/share_value", {*range(23), 30}),
        ("/players/0/cards", CARDS),
        ("/players/0/rotated", CARDS),
        ("/dealt", CARDS),
        ("/turn/discarded", CARDS),
        ("/supply", CARDS),
        ("/demand/food", {*range(23), 30, 31, 38}),
        ("/wages", set(range(20))),
        ("/start", {0, 1}),
        ("/mover", {0, 1}),
        ("/turn/inventor", GOODS),
        ("/turn/produced", GOODS),
        ("/turn/good", GOODS),
        ("/turn/returned", set()),
        ("/production/assigned", STOREHOUSES),
    ],
)
def test_acg_2_what_there_is_and_where_a_board_names_it(path, names):
    assert known_at(ARKWRIGHT_CARD, position(), path, EVERYTHING) == names


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/solo/automas/blue/appeal", GOODS),
        ("/solo/automas/blue/appeal/food", set(range(21))),
        ("/solo/automas/blue/share_value", {*range(23), 30}),
        ("/solo/grid", CARDS),
        ("/solo/removed", CARDS),
        ("/solo/discs", RIVALS),
        ("/solo/drawn", RIVALS),
        ("/solo/discs/blue", set(range(1, 16))),
        ("/turn/returned", set(range(1, 16))),
        ("/solo/achievements", GOALS),
        ("/solo/earned", GOALS),
    ],
)
def test_acg_2_10_what_there_is_for_one_alone(path, names):
    assert known_at(ARKWRIGHT_CARD, solo_at_first_turn(), path, EVERYTHING) == names


@pytest.mark.parametrize("board", [opening_board, board_at_first_turn, position, solo_at_first_turn])
def test_acg_2_a_game_knows_all_names_it_uses(board):
    b = board()
    assert list(strangers(ARKWRIGHT_CARD.integrity.names, b, b.document())) == []
