"""MP-2: what there is in Making Profit, and that nothing else stands where the game names it."""

from __future__ import annotations

import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT
from daybook.domain.kernel.naming import strangers
from tests.domain.games.making_profit.playing import game, laid, opened, player
from tests.domain.games.strange import unnoticed


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_mp_2_every_place_takes_only_names_the_game_knows(hands):
    assert unnoticed(MAKING_PROFIT, laid(player(factory="R1 M2", hand="M1"), player(), hands=hands)) == []


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_mp_2_a_game_knows_all_names_it_uses(hands):
    for b, _, _ in game(opened(3, hands), 1, limit=60):
        assert list(strangers(MAKING_PROFIT.integrity.names, b, b.document())) == []
