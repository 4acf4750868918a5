"""The score sheet as it is filled in: lines down, players across."""

from __future__ import annotations

from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.definition import Line
from daybook.domain.games.score_sheet.moves import Clear, Enter
from daybook.web.words.game_words import Grid, GridLine
from daybook.web.words.say import say


def grid(board: Board, grid_round: int) -> Grid:
    """Build the grid.

    Args:
        grid_round: round to show, 0 for the newest.
    """
    shown = grid_round if 0 < grid_round <= board.round else board.round
    said = shown if board.definition.by_rounds else 0
    return Grid(
        lines=[grid_line(line) for line in board.lines],
        kinds=(Enter, Clear),
        decision=lambda line, value: Clear(line, said) if value is None else Enter(line, value, said),
        round=shown if board.definition.by_rounds else 0,
        rounds=board.round if board.definition.by_rounds else 0,
        figures=[player.rounds[shown - 1] for player in board.players],
        round_totals=[board.round_totals(seat)[shown - 1] for seat in range(board.seats)],
        totals=[board.total(seat) for seat in range(board.seats)],
        added=board.definition.score_count != "places",
        teams=teams_of(board),
    )


def teams_of(board: Board) -> list[tuple[int, int] | None]:
    """Return each seat's team and its total; empty without teams."""
    teams = [player.team for player in board.players]
    return [(team, board.side_total(seat)) if team else None for seat, team in enumerate(teams)] if any(teams) else []


def grid_line(line: Line) -> GridLine:
    if line.kind == "choice":
        return GridLine(key=line.key, name=line.name, choices=[(value, str(value)) for value in line.values])
    if line.kind == "yes":
        return GridLine(key=line.key, name=line.name, note=f"{line.each:+}", choices=[(1, say("yes")), (0, say("no"))])
    note = f"× {line.each}" if line.kind == "times" and line.each != 1 else ""
    if line.kind == "minus":
        note = f"× −{line.each}"
    least, most = line.bounds
    return GridLine(key=line.key, name=line.name, note=note, least=least, most=most)
