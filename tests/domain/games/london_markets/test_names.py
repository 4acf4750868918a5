"""LM-2: what there is in London Markets, and that nothing else stands where the game names it."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS
from daybook.domain.kernel.naming import strangers
from tests.domain.games.london_markets.playing import (
    board_at_first_card,
    offering,
    opening_board,
    player,
    replenishing,
    set_up,
)
from tests.domain.games.strange import NOBODY, known_at, unnoticed_names

POSITIONS = {
    "opened": opening_board,
    "hidden": lambda: opening_board(3, "hidden"),
    "begun": board_at_first_card,
    "turn": lambda: set_up(
        player(hand="2 coffee", dealt="1 silk", specials="tiebreaker", in_play="replenishment"),
        player(),
        player(),
        bars={"PORT": "R B G / R", "BORO": "G"},
        market="PORT",
        looking=2,
        drafted=[1],
    ),
    "replenish": lambda: replenishing(player(), player(), player(), player(hand="3 ?"), hands="hidden"),
    "auction": lambda: offering(player(hand="1 silk"), player(), player(), covered=["soap"], settling=["silk"]),
}


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS.keys())
def test_lm_2_every_place_takes_only_names_the_game_knows(position):
    b = position()
    assert list(strangers(LONDON_MARKETS.integrity.names, b, b.document())) == []
    assert unnoticed_names(LONDON_MARKETS, b) == []


GOODS = {"coffee", "soap", "silk", "china"}
MARKETS = {"PORT", "COVE", "PETT", "BORO", "BRIX"}
MERCHANTS = {"stack", "profit", "goods"}
PILES = {1, 2, 3, 4}
SEATS = {0, 1, 2}
ROUNDS = set(range(1, 13))
SPECIALS = {"tiebreaker", "monopoly:PORT", "combined:PORT+COVE", "?"}
MARKET_CARDS = {"M01", "M10", "closed", "?"}
EVERYTHING = {
    *GOODS,
    *MARKETS,
    *MERCHANTS,
    *SPECIALS,
    *MARKET_CARDS,
    "general",
    "A",
    "B",
    "C",
    "M11",
    "monopoly",
    NOBODY,
    *range(-1, 15),
}


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/players/0/hand", {*GOODS, "?"}),
        ("/players/0/unseen", GOODS),
        ("/players/1/offer", GOODS),
        ("/piles", GOODS),
        ("/players/0/specials", SPECIALS),
        ("/players/0/in_play", SPECIALS),
        ("/specials/3", SPECIALS),
        ("/removed", SPECIALS),
        ("/players/0/specials_from", {0, *PILES}),
        ("/players/0/in_play_from", {0, *PILES}),
        ("/covered", GOODS),
        ("/settling", GOODS),
        ("/traded/PORT", {*GOODS, "general"}),
        ("/traded", MARKETS),
        ("/stacks", MARKETS),
        ("/merchants", MERCHANTS),
        ("/merchants/stack", MARKETS),
        ("/market", MARKETS),
        ("/stacks/PORT", SEATS),
        ("/stacks/PORT/0/1", SEATS),
        ("/start", SEATS),
        ("/assistants", {"A"}),
        ("/assistants/A", ROUNDS),
        ("/used", {*MERCHANTS, "A"}),
        ("/bottom", MARKET_CARDS),
        ("/revealed", MARKET_CARDS),
        ("/looking", PILES),
        ("/drafted", PILES),
    ],
)
def test_lm_2_what_there_is_and_where_a_board_names_it(path, names):
    b = set_up(player(), player(), player(), bars={"PORT": "R B G"})
    b.players[1].offer = {"silk": 1}
    assert known_at(LONDON_MARKETS, b, path, EVERYTHING) == names
