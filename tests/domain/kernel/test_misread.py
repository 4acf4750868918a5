"""Messages about a decision that cannot be read."""

from __future__ import annotations

import msgspec
import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.misread import misread


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"type": "use_merchant", "merchant": "stick"},
            "use_merchant: merchant cannot be 'stick'; it is one of: stack, profit, goods",
        ),
        (
            {"type": "setup_bar", "market": "SOHO"},
            "setup_bar: market cannot be 'SOHO'; it is one of: PORT, COVE, PETT, BORO, BRIX",
        ),
        (
            {"type": "play_special", "card": "any_market", "market": "SOHO"},
            "play_special: market cannot be 'SOHO'; it is one of: PORT, COVE, PETT, BORO, BRIX",
        ),
        (
            {"type": "replenish", "goods": "tea"},
            "replenish: goods cannot be 'tea'; it is one of: coffee, soap, silk, china",
        ),
        ({"type": "offer", "tea": 1}, "offer: it has no field 'tea'; it has: china, coffee, silk, soap, unseen"),
        ({"type": "take_pile", "pile": "two"}, "take_pile: pile is a text; it should be a whole number"),
        ({"type": "place_bar", "slot": "left"}, "place_bar: slot is a text; it should be a whole number or nothing"),
        ({"type": "offers_revealed", "offers": [{"tea": 1}]}, "offers_revealed: offers[0]: there is no field 'tea'"),
    ],
)
def test_the_word_is_named_that_nobody_knows_and_those_there_are(given, message):
    rules = RULESETS["london_markets"]
    with pytest.raises(msgspec.ValidationError) as wrong:
        rules.decision(given)
    assert str(misread(rules, given, wrong.value)) == message
