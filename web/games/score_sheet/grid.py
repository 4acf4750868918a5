"""The score sheet as it is filled in: lines down, players across."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.counting import Tally
from daybook.domain.games.score_sheet.definition import LARGEST, TOTAL, Line
from daybook.domain.games.score_sheet.formula import FormulaError, bounds_of, parse_formula, value_of
from daybook.domain.games.score_sheet.moves import (
    Clear,
    ComeLater,
    EndGame,
    EndRound,
    Enter,
    Leave,
    SayStart,
    SettleTie,
    TakeTeam,
)
from daybook.domain.games.score_sheet.rules import ends_with_round
from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.terms import Seat
from daybook.web.games.score_sheet.names import translated_name
from daybook.web.games.score_sheet.working import expected_sum
from daybook.web.words.game_words import Grid, GridLine, MissingFigure
from daybook.web.words.say import N_, say
from daybook.web.words.typed import with_decimal_points, with_halves

MOST_TO_COME = 300  # sums that are tried for figures that are not entered yet


def grid(board: Board, grid_round: int) -> Grid:
    """Build the grid.

    Args:
        grid_round: round to show, 0 for the newest.
    """
    shown = grid_round if 0 < grid_round <= board.round else board.round
    said = shown if board.definition.by_rounds else 0
    tally = board.so_far().tally()
    columns = [player.rounds[shown - 1] | player.once for player in board.players]
    calculated = [line for line in board.lines if not line.is_entered]
    once = {line.key for line in board.lines if board.definition.is_once(line)}
    cells = missing_cells(board)
    waiting = tally.waiting if shown == board.round else [frozenset[str]()] * board.seats
    ends_here = shown == board.round and (not board.definition.by_rounds or bool(ends_with_round(board)))
    return Grid(
        lines=[
            *(
                grid_line(line, counted=counted_so_far(board, line, shown))
                for line in board.lines
                if line.key not in once
            ),
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
            column
            | {
                line.key: None if line.key in waiting[seat] else line_points(tally, line, seat, shown, line.key in once)
                for line in calculated
            }
            for seat, column in enumerate(columns)
        ],
        closed=[
            shown in player.missed or (player.away == "later" and not board.definition.by_rounds)
            for player in board.players
        ],
        round_totals=[
            None if TOTAL in keys else total for total, keys in zip(tally.rounds[shown - 1], waiting, strict=True)
        ],
        totals=tally.totals,
        added=board.definition.score_count != "places",
        teams=[] if board.has_partners else teams_of(board),
        partners=[player.team for player in board.players] if board.has_partners else [],
        dealer=board.dealers[shown - 1] if board.dealers else None,
        halves=board.definition.score_halves,
        last_round=board.rounds_in_all if board.definition.score_count == "rounds" else 0,
        ends=(EndRound, EndGame),
        missing=[
            MissingFigure(tuple(side), line.key, translated_name(line.name), is_bare) for side, line, is_bare in cells
        ],
        zeros=[(side[0], Enter(line.key, 0)) for side, line, _ in cells]
        if all(board.definition.takes(line, 0) for _, line, _ in cells)
        else [],
        away=[seat for seat in range(board.seats) if seat not in board.here],
        ends_here=ends_here,
        asides=(SayStart, TakeTeam, Leave, ComeLater, SettleTie),
        warning=wrong_figures(board, shown),
        doubtful=frozenset(n for n in range(1, board.round + 1) if said and wrong_figures(board, n)),
        once_missing=missing_once(board) if ends_here else {},
        by_line=board.definition.by_line,
        ends_itself=ends_itself(board),
    )


def ends_itself(board: Board) -> str:
    """Say when the game ends, if no player may end it earlier (SC-6.2, SC-6.3); "" if one may."""
    definition = board.definition
    match definition.score_count:
        case "rounds":
            return say("The game ends after round {n}.", n=board.rounds_in_all)
        case "target":
            return say("The game ends when a player has {number}.", number=definition.score_number)
    return ""


def counted_so_far(board: Board, line: Line, number: int) -> str:
    """Return the sum of bids, or of tricks, against what a round has: "2 of 3"; "" for other lines."""
    seats = [seat for side in sides_in_round(board, number) for seat in side]
    counterpart = board.definition.counterparts.get(line.key)
    most = counterpart and counterpart.most_altogether(number, len(seats))
    if most is None:
        return ""
    total = as_points(sum([figure_at(board, seat, line, number) or 0 for seat in seats]))
    return say("{sum} of {most}", sum=total, most=most)


def wrong_figures(board: Board, number: int) -> str:
    """Warn of a figure and of a sum of a round that cannot be right (SC-2.15)."""
    return " ".join(filter(None, (excessive_figure(board, number), wrong_sum(board, number))))


def excessive_figure(board: Board, number: int) -> str:
    """Warn of a figure above what all players of a round have together, such as a bid above the number of tricks."""
    seats = [seat for side in sides_in_round(board, number) for seat in side]
    for line in board.lines:
        counterpart = board.definition.counterparts.get(line.key)
        if counterpart is None:
            continue
        most = counterpart.most_altogether(number, len(seats))
        figures = [figure_at(board, seat, line, number) or 0 for seat in seats]
        if most is not None and figures and max(figures) > most:
            return say(
                N_(
                    "{line}: {figure} is too many. This round has only {most}. Is it mistyped?"
                    if board.definition.by_rounds
                    else "{line}: {figure} is too many. This game has only {most}. Is it mistyped?"
                ),
                line=translated_name(line.name),
                figure=max(figures),
                most=most,
            )
    return ""


def wrong_sum(board: Board, number: int) -> str:
    """Warn of the first line with figures in a round that cannot have the expected sum (SC-2.15)."""
    sides, newest = sides_in_round(board, number), number == board.round
    for line in board.lines:
        if not line.sums or (board.definition.is_once(line) and not newest):
            continue
        figures = [figure_at(board, seat, line, number) for side in sides for seat in side]
        written = [figure for figure in figures if figure is not None]
        total, players = as_points(sum(written)), len(figures)
        if not written or line.adds_up(total, number, players):
            continue
        if newest and line.bounds[0] < 0 and not all(has_figure(board, side, [line], number) for side in sides):
            continue  # figures to come may be below 0
        more_to_come = newest and None in figures and line.bounds[0] >= 0
        if more_to_come and any(line.adds_up(total + more, number, players) for more in range(1, MOST_TO_COME)):
            continue
        return say(
            N_(
                "{line}: these figures add up to {sum}. This round should have {expected}. Is one mistyped?"
                if board.definition.by_rounds and not board.definition.is_once(line)
                else "{line}: these figures add up to {sum}. This game should have {expected}. Is one mistyped?"
            ),
            line=translated_name(line.name),
            sum=total,
            expected=expected_sum(line, total, number, players),
        )
    return ""


def figure_at(board: Board, seat: Seat, line: Line, number: int) -> Points | None:
    """Return a player's figure of a round, or of a line that is counted once."""
    player = board.players[seat]
    return player.once[line.key] if line.key in player.once else player.rounds[number - 1][line.key]


def missing_once(board: Board) -> dict[str, list[Seat]]:
    """Return the lines that are counted once and lack figures, each with the players without one."""
    found: dict[str, list[Seat]] = {}
    for line in board.lines:
        for side in board.sides if line.key in board.definition.keys_once else ():
            here = [seat for seat in side if seat in board.here]
            if here and all(board.players[seat].once.get(line.key) is None for seat in side):
                found.setdefault(translated_name(line.name), []).extend(here)
    return found


def missing_cells(board: Board) -> list[tuple[list[Seat], Line, bool]]:
    """Return the empty cells of the newest round in which a figure is expected, and if the players have none at all.

    A round without any figure has not been played. A figure is expected in a line that was complete in half of the
    earlier rounds; in the first round, where most of at least two others have one. A player without any figure lacks what
    the others have, unless most earlier rounds ended with such a player.
    """
    here = sides_in_round(board, board.round)
    entered = [line for line in board.lines if line.key in board.definition.keys_by_round]
    filled = {line.key: [side for side in here if has_figure(board, side, [line], board.round)] for line in entered}
    cells: list[tuple[list[Seat], Line, bool]] = []
    for side in here if any(filled.values()) else ():
        others = [other for other in here if other != side]
        is_bare = not any(side in sides for sides in filled.values())
        for line in entered:
            if side in filled[line.key]:
                continue
            most_others = len(others) > 1 and 2 * len(filled[line.key]) > len(others)
            expected = was_complete(board, [line]) if board.round > 1 else most_others
            if expected or (is_bare and filled[line.key] and was_complete(board, entered)):
                cells.append((side, line, is_bare))
    return cells


def sides_in_round(board: Board, number: int) -> list[list[Seat]]:
    """Return the sides of a round, each with its players in that round; of the newest round, players at the table."""
    playing = [
        seat
        for seat, player in enumerate(board.players)
        if number not in player.missed and not (number == board.round and (player.away or player.out))
    ]
    sides = [[seat for seat in side if seat in playing] for side in board.sides]
    return [side for side in sides if side]


def has_figure(board: Board, side: Sequence[Seat], lines: Sequence[Line], number: int) -> bool:
    """Check if players have a figure in one of the lines of a round."""
    return any(board.players[seat].rounds[number - 1][line.key] is not None for seat in side for line in lines)


def was_complete(board: Board, lines: Sequence[Line]) -> bool:
    """Check if in half of the earlier rounds all players of the round have a figure in one of the lines."""
    complete = [
        all(has_figure(board, side, lines, number) for side in sides_in_round(board, number))
        for number in range(1, board.round)
    ]
    return 2 * sum(complete) >= len(complete)


def parse_figure(text: str) -> Points | None:
    """Parse a number, or a calculation with some: 10+15+8-5, 3*7, 12.5 or 12,5 or 12½."""
    text = with_halves(text.replace("×", "*"))
    if not any(map(str.isalpha, text)):  # a comma is between the parts of a function
        text = with_decimal_points(text)
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
    totals = board.so_far().side_totals()
    return [(team, totals[seat]) if team else None for seat, team in enumerate(teams)] if any(teams) else []


def grid_line(line: Line, once: bool = False, counted: str = "") -> GridLine:
    if not line.is_entered:
        return GridLine(key=line.key, name=translated_name(line.name), note="=", once=once, calculated=True)
    if line.kind == "choice":
        return GridLine(
            key=line.key,
            name=translated_name(line.name),
            once=once,
            choices=[(value, str(value)) for value in line.values],
        )
    if line.kind == "yes":
        return GridLine(
            key=line.key,
            name=translated_name(line.name),
            note=f"{line.each:+}",
            once=once,
            choices=[(1, say("yes")), (0, say("no"))],
        )
    note = f"× {line.each}" if line.kind == "times" and line.each not in (0, 1) else ""
    if line.kind == "minus":
        note = f"× −{line.each}" if line.each != 1 else "−"
    return GridLine(key=line.key, name=translated_name(line.name), note=counted or note, once=once)
