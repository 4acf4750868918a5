"""What each check of the rules holds a decision to, as a player would say it: for the page that explains a step.

Rules say it beside the check (`terms.holds`); here is what checks of several games say alike. A check that has no words
is named after its function, so that a new game's page says something readable at once.
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
    """What a check holds a decision to: the merchant was not used this round."""
    said = (row.held[check] for row in RULESETS[ruleset_id].kinds.values() if check in row.held)
    text = next(said, COMMON.get(check))
    return check.replace("_", " ") if text is None else say(text)
