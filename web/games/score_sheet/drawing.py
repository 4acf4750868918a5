"""Draw a score sheet: lines down, players across, each round below the one before."""

from __future__ import annotations

from collections.abc import Iterator

from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.counting import Tally
from daybook.domain.games.score_sheet.definition import Line, definition_of
from daybook.domain.games.score_sheet.rules import SCORE_SHEET
from daybook.domain.kernel.board import Document
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.terms import Seat
from daybook.web.boards.drawing import BoardPart, Looks, Scene, macro_drawer
from daybook.web.games.score_sheet.grid import teams_of
from daybook.web.games.score_sheet.names import translated_name

TEMPLATE = "score_sheet.html"
STYLES = ("score_sheet.css",)  # in addition to board.css


def parts(scene: Scene) -> tuple[BoardPart, ...]:
    """Return the parts of the drawn board, each with the places of the board that it shows."""
    return (_course(scene), _sheet(scene))


def _course(scene: Scene) -> BoardPart:
    by_rounds = definition_of(scene.table).by_rounds

    def look(document: Document) -> Looks:
        rounds = len(document["players"][0]["rounds"]) if by_rounds else 0
        return rounds, document["start"], document["ended"], document["won"], document["expansions"]

    paths = ("/players/0/rounds", "/start", "/ended", "/won", "/expansions")
    return BoardPart(
        "course",
        paths,
        look,
        macro_drawer(TEMPLATE, "course", scene, translated_name, definition_of(scene.table).game_name),
    )


Cell = tuple[str, Points | None]  # a place of the board, and the figure there
Row = tuple[int, str, list[Cell]]  # the round, 0 for what is counted once; the line's name


def _sheet(scene: Scene) -> BoardPart:
    definition = definition_of(scene.table)

    def look(document: Document) -> Looks:
        typed: Board = SCORE_SHEET.typed_board(document, scene.table)
        board = typed.so_far()
        heads = [(player.out, player.role, player.team, player.away) for player in board.players]
        totals = board.tally().totals if definition.score_count != "places" else []
        return list(_rows(board)), heads, totals, teams_of(board)

    return BoardPart(
        "sheet",
        ("/players", "/expansions", "/start"),
        look,
        macro_drawer(TEMPLATE, "sheet", scene, translated_name, definition.by_rounds),
    )


def _rows(board: Board) -> Iterator[Row]:
    """Yield the rows of a sheet: its lines in each round, then those that are counted once."""
    tally = board.tally()
    once = [line for line in board.lines if board.definition.is_once(line)]
    for at in range(board.round):
        for line in board.lines:
            if line not in once:
                yield at + 1, line.name, [_cell(board, tally, line, seat, at) for seat in range(board.seats)]
    for line in once:
        yield 0, line.name, [_cell(board, tally, line, seat, -1) for seat in range(board.seats)]


def _cell(board: Board, tally: Tally, line: Line, seat: Seat, at: int) -> Cell:
    """Return a cell of a round, or of what is counted once (-1)."""
    player = board.players[seat]
    if line.is_entered and at < 0:
        return f"/players/{seat}/once/{line.key}", player.once[line.key]
    if line.is_entered:
        return f"/players/{seat}/rounds/{at}/{line.key}", player.rounds[at][line.key]
    points = tally.lines[seat][line.key] if at < 0 else tally.round_lines[at][seat][line.key]
    is_waiting = at + 1 in (0, board.round) and line.key in tally.waiting[seat]
    return f"/lines/{seat}/{at + 1}/{line.key}", None if at + 1 in player.missed or is_waiting else points
