"""The score sheet as it is filled in: lines down, players across."""

from __future__ import annotations

import re

from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.counting import Tally
from daybook.domain.games.score_sheet.definition import LARGEST, Line
from daybook.domain.games.score_sheet.formula import FormulaError, bounds_of, parse_formula, value_of
from daybook.domain.games.score_sheet.moves import Clear, Enter
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.terms import Seat
from daybook.web.words.game_words import Grid, GridLine
from daybook.web.words.say import say
from daybook.web.words.typed import with_halves

DECIMAL_COMMA = re.compile(r"(\d),(50*)(?!\d)")


def grid(board: Board, grid_round: int) -> Grid:
    """Build the grid.

    Args:
        grid_round: round to show, 0 for the newest.
    """
    shown = grid_round if 0 < grid_round <= board.round else board.round
    said = shown if board.definition.by_rounds else 0
    tally = board.tally()
    columns = [player.rounds[shown - 1] | player.once for player in board.players]
    calculated = [line for line in board.lines if not line.is_entered]
    once = {line.key for line in board.lines if board.definition.is_once(line)}
    return Grid(
        lines=[
            *(grid_line(line) for line in board.lines if line.key not in once),
            *(grid_line(line, True) for line in board.lines if line.key in once and shown == board.round),
        ],
        kinds=(Enter, Clear),
        decision=lambda line, value: (
            Clear(line, 0 if line in once else said)
            if value is None
            else Enter(line, value, 0 if line in once else said)
        ),
        parse=parse_figure,
        round=shown if board.definition.by_rounds else 0,
        rounds=board.round if board.definition.by_rounds else 0,
        figures=[
            column | {line.key: line_points(tally, line, seat, shown, line.key in once) for line in calculated}
            for seat, column in enumerate(columns)
        ],
        closed=[
            shown in player.missed or (player.away == "later" and not board.definition.by_rounds)
            for player in board.players
        ],
        round_totals=tally.rounds[shown - 1],
        totals=tally.totals,
        added=board.definition.score_count != "places",
        teams=[] if board.has_partners else teams_of(board),
        partners=[player.team for player in board.players] if board.has_partners else [],
        dealer=board.dealers[shown - 1] if board.dealers else None,
        halves=board.definition.score_halves,
        last_round=board.rounds_in_all if board.definition.score_count == "rounds" else 0,
    )


def parse_figure(text: str) -> Points | None:
    """Parse a number, or a calculation with some: 10+15+8-5, 3*7, 12.5 or 12,5 or 12½."""
    text = with_halves(text.replace("×", "*"))
    if not any(map(str.isalpha, text)):  # a comma is between the parts of a function
        text = DECIMAL_COMMA.sub(r"\1.\2", text)
    try:
        node = parse_formula(text, ())
        return value_of(node, {}) if max(map(abs, bounds_of(node, {}))) <= LARGEST else None
    except FormulaError:
        return None


def line_points(tally: Tally, line: Line, seat: Seat, shown: int, once: bool) -> Points:
    """Return the points of a calculated line, in the shown round or at the end."""
    return tally.lines[seat][line.key] if once else tally.round_lines[shown - 1][seat][line.key]


def teams_of(board: Board) -> list[tuple[int, Points] | None]:
    """Return each seat's team and its total; empty without teams."""
    teams = [player.team for player in board.players]
    totals = board.side_totals()
    return [(team, totals[seat]) if team else None for seat, team in enumerate(teams)] if any(teams) else []


def grid_line(line: Line, once: bool = False) -> GridLine:
    if not line.is_entered:
        return GridLine(key=line.key, name=line.name, note="=", once=once, calculated=True)
    if line.kind == "choice":
        return GridLine(key=line.key, name=line.name, once=once, choices=[(value, str(value)) for value in line.values])
    if line.kind == "yes":
        return GridLine(
            key=line.key, name=line.name, note=f"{line.each:+}", once=once, choices=[(1, say("yes")), (0, say("no"))]
        )
    note = f"× {line.each}" if line.kind == "times" and line.each not in (0, 1) else ""
    if line.kind == "minus":
        note = f"× −{line.each}" if line.each != 1 else "−"
    return GridLine(key=line.key, name=line.name, note=note, once=once)
