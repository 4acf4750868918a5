"""Decisions that affect other players and are previewed."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame.moves import (
    EngineeringPaid,
    EventRevealed,
    GameEnded,
    PhaseBegun,
    PriceSet,
    StartPlayerNamed,
    TurnPassed,
)
from daybook.domain.games.water_frame.rules import WATER_FRAME


@pytest.mark.parametrize(
    ("spreads", "effect"),
    [
        (True, PhaseBegun("WF-4.16", "production")),
        (True, EventRevealed("WF-4.22.5", "Corn Riots", 1780)),
        (True, GameEnded("WF-5.1", (100, 90))),
        (True, EngineeringPaid("WF-4.7.4", 1, 5)),
        (False, EngineeringPaid("WF-4.7.4", 0, 5)),
        (False, PhaseBegun("WF-3.6.1", "capital")),
        (False, TurnPassed("WF-4.4", 0, 1)),
        (False, StartPlayerNamed("WF-4.22.3", 1, 0, "charisma")),
    ],
)
def test_a_production_an_event_an_end_and_what_others_get_spread(spreads, effect):
    asked = WATER_FRAME.course.spreads
    assert asked is not None
    assert asked.meets(0, [PriceSet("WF-4.6", 0, "food", 5, 6, 0, 3), effect]) is spreads
