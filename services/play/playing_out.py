"""Plays boards out: one decision after another, by whoever decides, to the end of the game or of a period.

Nothing is recorded: what it is for is what the board comes to. `practice.play_out` plays a game that is recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.terms import Board, Decision, Seat

NextDecision = Callable[[AnyRuleset, Board], tuple[Seat, Decision] | None]
"""Who decides next on a board and what; None where nobody does any more."""


class PlayedOut(NamedTuple):
    """steps: decisions and facts; is_cut: whether it ended with a period before the end of the game."""

    steps: int
    is_cut: bool


def play_board_out(
    ruleset: AnyRuleset, board: Board, decide: NextDecision, *, limit: int, far: int | None = None
) -> PlayedOut:
    """Play a board out, on itself. limit: steps after which it is left as it stands; far: steps after which it ends
    with the period that it is in, None where it goes on to the end of the game.
    """
    reached = ruleset.marks_reached(board)
    for step in range(limit):
        if far is not None and step >= far:
            before, reached = reached, ruleset.marks_reached(board)
            if step > far and ruleset.periods_ended(before, reached) and not reached.over:
                return PlayedOut(step, True)
        chosen = decide(ruleset, board)
        if chosen is None:
            return PlayedOut(step, False)
        ruleset.carry_out(board, *chosen)
    return PlayedOut(limit, False)
