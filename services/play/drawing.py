"""What a table would draw when a game is set up, drawn by us because it asks for it."""

from __future__ import annotations

import secrets
from collections.abc import Collection

from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Decision


def draw_fact(game: Game, kinds: Collection[type[Decision]]) -> Decision | None:
    """A fact that the table may turn up now, as likely as the cards that are left make it; None where it awaits none
    of these kinds."""
    rules, board = game.ruleset, game.board
    if not kinds or rules.waits_for(board) != (TABLE,):
        return None
    facts = [(fact, weight) for fact, weight in rules.facts(board) if type(fact) in kinds]
    if not any(weight for _, weight in facts):
        return None
    return secrets.SystemRandom().choices([fact for fact, _ in facts], [weight for _, weight in facts])[0]
