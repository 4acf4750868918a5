"""What a table would draw when a game is set up, drawn by us because it asks for it.

It is drawn out of the service's secret and the board as it lies. Nobody can foretell it, and nobody gets another card
by undoing it and asking again.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Sequence
from random import Random

import msgspec

from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Decision
from daybook.services.store import secret
from daybook.services.store.daybook import Daybook

Facts = Sequence[tuple[Decision, int]]  # each with its weight


def facts_to_draw(game: Game, kinds: Collection[type[Decision]]) -> Facts:
    """The facts of these kinds that the table may turn up now, as likely as the cards that are left make each; none
    where it awaits none of them."""
    rules, board = game.ruleset, game.board
    if not kinds or rules.waits_for(board) != (TABLE,):
        return []
    return [(fact, weight) for fact, weight in rules.facts(board) if weight and type(fact) in kinds]


def draw_fact(book: Daybook, game: Game, kinds: Collection[type[Decision]]) -> Decision | None:
    """One of these facts; None where there are none."""
    facts = facts_to_draw(game, kinds)
    if not facts:
        return None
    board = msgspec.json.encode(game.document, order="deterministic")
    seed = hmac.new(secret.secret_of(book), f"draw {game.id} ".encode() + board, "sha256").digest()
    return Random(seed).choices([fact for fact, _ in facts], [weight for _, weight in facts])[0]
