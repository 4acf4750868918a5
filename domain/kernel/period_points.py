"""Points of finished periods by the figures on the board, where later steps can still change these figures.

A total at the end of a period is recorded in its step. A correction of that period in a later one changes the sheet, but not
that step. What it added belongs to the corrected period, and not to the one in which it was entered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Board

SCORE = "score"  # the column that decides a game


def later_corrections(game: Game, step: int, now: Board) -> list[Points]:
    """Return the points of each seat that corrections after a step added to the periods that had ended by then.

    Args:
        step: the end of a period.
        now: the board with the corrections.
    """
    by_period, then = game.ruleset.scoring.by_period, game.board_at(step)
    if by_period is None or then is now:
        return [0] * now.table.seats
    ended = max([number for _, number in getattr(game.entries[step].event, "closed_periods", ())], default=0)
    was, corrected = ([sum(points) for points in zip(*by_period(board)[:ended], strict=True)] for board in (then, now))
    return [as_points(after - before) for before, after in zip(was, corrected, strict=True)] or [0] * now.table.seats


def corrected_totals(game: Game, step: int, totals: Sequence[Points], now: Board) -> list[Points]:
    """Return the totals at the end of a period with the later corrections of that and earlier periods."""
    return [as_points(n + more) for n, more in zip(totals, later_corrections(game, step, now), strict=True)]


def corrected_columns(
    game: Game, step: int, columns: Mapping[str, list[Points]], now: Board
) -> Mapping[str, list[Points]]:
    """Return the ledger figures at the end of a period, with such totals as the score."""
    if game.ruleset.scoring.by_period is None or SCORE not in columns:
        return columns
    return {**columns, SCORE: corrected_totals(game, step, columns[SCORE], now)}
