"""MP-2: what there is in Making Profit, and that nothing else stands where the game names it."""

from __future__ import annotations

import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT
from daybook.domain.kernel.board import value_at
from daybook.domain.kernel.naming import strangers
from tests.domain.games.making_profit.playing import game, opening_board, player, set_up
from tests.domain.games.strange import unnoticed_names


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_mp_2_every_place_takes_only_names_the_game_knows(hands):
    assert unnoticed_names(MAKING_PROFIT, set_up(player(factory="R1 M2", hand="M1"), player(), hands=hands)) == []


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_mp_2_a_game_knows_all_names_it_uses(hands):
    for b, _, _ in game(opening_board(3, hands), 1, limit=60):
        assert list(strangers(MAKING_PROFIT.integrity.names, b, b.document())) == []


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("/bank", "purple"),
        ("/players/1/certificates", "purple"),
        ("/deck", "Z9"),
        ("/discard", "Z9"),
        ("/players/0/hand", "Z9"),
    ],
)
def test_mp_2_colours_and_cards_are_the_keys_of_what_lies_there(place, name):
    b = set_up(player(factory="R1 M2", hand="M1"), player())
    document = b.document()
    value_at(document, place)[name] = 1
    assert [(stranger.path, stranger.value) for stranger in strangers(MAKING_PROFIT.integrity.names, b, document)] == [
        (place, name)
    ]
