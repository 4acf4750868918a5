"""Names of the rules' checks for players, for the page that explains a step.

Rules have them next to the check (`terms.holds`); this module has those that several games share. A check without words
is named after its function.
"""

from __future__ import annotations

from daybook.domain.games import RULESETS
from daybook.web.words.say import Texts, say

COMMON: Texts = {
    "game_on": "the game is not over",
    "by_table": "it is turned up or drawn at the table",
    "its_turn": "it is this player’s turn",
    "at_table": "the seat is one of this table",
    "in_hand": "the card can be in this hand",
    "can_pay": "there is money to pay for it",
    "copies_left": "a copy of the card is left",
    "on_offer": "it is one of the decisions that are possible now",
}


def check_label(ruleset_id: str, check: str) -> str:
    """Return what a check requires: the merchant was not used this round."""
    texts = (row.held[check] for row in RULESETS[ruleset_id].kinds.values() if check in row.held)
    text = next(texts, COMMON.get(check))
    return check.replace("_", " ") if text is None else say(text)
