"""LM-2: what there is in London Markets, and that nothing else stands where the game names it."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS
from daybook.domain.kernel.naming import strangers
from tests.domain.games.london_markets.playing import begun, laid, offering, opened, player, replenishing
from tests.domain.games.strange import unnoticed

POSITIONS = {
    "opened": opened, "hidden": lambda: opened(3, "hidden"), "begun": begun,
    "turn": lambda: laid(
        player(hand="2 coffee", dealt="1 silk", specials="tiebreaker", in_play="replenishment"), player(), player(),
        bars={"PORT": "R B G / R", "BORO": "G"}, market="PORT", looking=2, drafted=[1]),
    "replenish": lambda: replenishing(player(), player(), player(), player(hand="3 ?"), hands="hidden"),
    "auction": lambda: offering(player(hand="1 silk"), player(), player(), covered=["soap"], settling=["silk"]),
}


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS.keys())
def test_lm_2_every_place_takes_only_names_the_game_knows(position):
    b = position()
    assert list(strangers(LONDON_MARKETS.integrity.names, b, b.document())) == []
    assert unnoticed(LONDON_MARKETS, b) == []
