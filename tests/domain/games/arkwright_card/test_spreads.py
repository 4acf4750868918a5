"""Decisions that affect other players and are previewed."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card.moves import (
    CostPaid,
    DecadeEnded,
    LoanTaken,
    PhaseBegun,
    RoundEnded,
    StartPlayerNamed,
    TurnBegun,
)
from daybook.domain.games.arkwright_card.rules import ARKWRIGHT_CARD


@pytest.mark.parametrize(
    ("spreads", "effect"),
    [
        (True, PhaseBegun("ACG-4.13", "production")),
        (True, RoundEnded("ACG-4.1.1", 1770, 1)),
        (True, DecadeEnded("ACG-4.18", 1770, (10, 20))),
        (True, CostPaid("ACG-4.15", 1, "food", 2, 3, 0, 0, 0, 0, 6)),
        (False, CostPaid("ACG-4.15", 0, "food", 2, 3, 0, 0, 0, 0, 6)),
        (False, TurnBegun("ACG-4.1.2", 1)),
        (False, StartPlayerNamed("ACG-4.17", 1, 0)),
    ],
)
def test_a_production_an_end_and_what_others_pay_spread(spreads, effect):
    asked = ARKWRIGHT_CARD.course.spreads
    assert asked is not None
    assert asked.meets(0, [LoanTaken("ACG-4.11", 0, 20, 1), effect]) is spreads
