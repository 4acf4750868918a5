"""Play boards out, decision by decision, to the end of the game or of a period.

Nothing is recorded; only the final board matters. `practice.play_out` plays a recorded game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.terms import Board, Decision, Seat

NextDecision = Callable[[AnyRuleset, Board], tuple[Seat, Decision] | None]
"""Next seat to decide on a board, and its decision; None if the game is over."""


class PlayedOut(NamedTuple):
    """steps: decisions and facts; is_cut: whether it ended with a period before the end of the game."""

    steps: int
    is_cut: bool


def play_board_out(
    ruleset: AnyRuleset, board: Board, decide: NextDecision, *, limit: int, period_steps: int | None = None
) -> PlayedOut:
    """Play a board out in place.

    Args:
        limit: maximum number of steps.
        period_steps: steps after which play stops at the end of the current period; None plays to the end of the game.
    """
    reached = ruleset.marks_reached(board)
    for step in range(limit):
        if period_steps is not None and step >= period_steps:
            before, reached = reached, ruleset.marks_reached(board)
            if step > period_steps and ruleset.periods_ended(before, reached) and not reached.over:
                return PlayedOut(step, True)
        chosen = decide(ruleset, board)
        if chosen is None:
            return PlayedOut(step, False)
        ruleset.carry_out(board, *chosen)
    return PlayedOut(limit, False)
