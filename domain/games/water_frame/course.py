"""Automatic progress of a game between decisions.

Every stage of the board has one step: a function that does what follows in that stage without anybody deciding. It
returns True when it has moved the game on, so that the step of the stage reached then is looked at, and False when
a seat has to decide. An action never calls a step: it changes the board, and `rules` continues the game.
While something is asked of a player (`board.asked`), no step is taken.

    turns.begin_cycle       for the next cycle of a decade, at the end of the one before
    turns.begin_decade      for the next decade, after its obsolete factories
    production.begin        after the last turn of a cycle, calls in the production phase
    production.school_first, and so on: a step bears the name of its stage
    storage.fix             after the workers action, a production action and the return of a small warehouse
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from daybook.domain.games.water_frame.board import Board, Stage
from daybook.domain.kernel.terms import Tell

Step = Callable[[Board, Tell], bool]  # changes the board; False: it changed nothing and waits for a decision
Steps = Mapping[Stage, Step]


def go_on(b: Board, steps: Steps, tell: Tell) -> None:
    """Take the automatic steps until a player or the table has to decide, or the game is over."""
    while not b.asked and steps[b.stage](b, tell):
        pass


def waits(b: Board, tell: Tell) -> bool:
    """Return False: the step of a stage that always awaits a decision."""
    return False
