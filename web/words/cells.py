"""Cells of a table of figures, as the decisions that fill or empty them name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.tags import tag_of
from daybook.web import words
from daybook.web.words.game_words import Grid, GridLine
from daybook.web.words.say import number, say


def cell_of(game: Game, decision: Mapping[str, Any], board: Any) -> tuple[Grid, GridLine] | None:
    """Return the table and the line of a decision's cell; None for another decision or a game without such a table.

    Args:
        board: before the decision.
    """
    grid_of = words.GAMES[game.ruleset.id].choosing.grid
    if grid_of is None:
        return None
    grid = grid_of(board, decision.get("round", 0))
    if decision["type"] not in map(tag_of, grid.kinds):
        return None
    line = next((line for line in grid.lines if line.key == decision["line"]), None)
    return None if line is None else (grid, line)


def figure_label(line: GridLine, figure: Points | None) -> str:
    """Return a figure as players say it: the label of a choice, or "empty"."""
    if figure is None:
        return say("empty")
    return dict(line.choices).get(figure) or number(figure)
