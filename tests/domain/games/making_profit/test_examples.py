"""MP-9: worked examples of the rulebook that appear in the score (others: `test_worked_examples`)."""

from __future__ import annotations

from daybook.domain.games.making_profit import MAKING_PROFIT, moves
from tests.domain.games.making_profit.playing import after, player, set_up

FIVE = "M2 M2 M1 R2 R2"


def test_mp_9_11_each_certificate_at_level_five_counts_five():
    b = after(set_up(player(), player(red=3, factory=FIVE), developer=1), (0, moves.EndTurn()))
    assert b.ended
    assert [score.total for score in MAKING_PROFIT.scoring.standing(b)] == [0, 10]
