"""Decisions that affect other players and are previewed."""

from __future__ import annotations

import pytest

from daybook.domain.games.making_profit.moves import (
    DiscardsOwed,
    DividendPaid,
    GameEnded,
    Nationalised,
    RoundEnded,
    StockBought,
)
from daybook.domain.games.making_profit.rules import MAKING_PROFIT


@pytest.mark.parametrize(
    ("spreads", "effect"),
    [
        (False, DividendPaid("MP-4.5.3", 0, "red", 2, 3, 6)),
        (True, DividendPaid("MP-4.5.3", 1, "red", 2, 3, 6)),
        (False, DiscardsOwed("MP-4.3.4", 0, 1, 0)),
        (True, DiscardsOwed("MP-4.3.4", 2, 1, 0)),
        (True, Nationalised("MP-4.7.3", 0)),
        (True, GameEnded("MP-4.8.1", "level_ten", 0)),
        (False, RoundEnded("MP-5.5", 3)),
    ],
)
def test_what_others_are_paid_or_owe_spreads_and_so_does_the_end(spreads, effect):
    asked = MAKING_PROFIT.course.spreads
    assert asked is not None
    assert asked.meets(0, [StockBought("MP-4.2.3", 0, "blue", 3, 3, 1), effect]) is spreads
