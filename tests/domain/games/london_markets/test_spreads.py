"""Decisions that affect the open table of all players and are previewed."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets.moves import (
    GameEnded,
    MoneyShown,
    OfferSealed,
    OfferShown,
    PhaseBegun,
    RoundEnded,
)
from daybook.domain.games.london_markets.rules import LONDON_MARKETS


@pytest.mark.parametrize(
    ("spreads", "effect"),
    [
        (True, OfferShown("LM-4.7.3", 1, {"silk": 2}, "")),
        (True, MoneyShown("LM-5.6", (1, 2, 3))),
        (False, RoundEnded("LM-5.6", 1)),
        (True, GameEnded("LM-4.10.1", 12)),
        (False, PhaseBegun("LM-4.7.1", "auction")),
    ],
)
def test_open_offers_money_and_the_end_spread(spreads, effect):
    asked = LONDON_MARKETS.course.spreads
    assert asked is not None
    assert asked.meets(0, [OfferSealed("LM-4.7.2", 0), effect]) is spreads
