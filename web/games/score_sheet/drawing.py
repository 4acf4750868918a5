"""A score sheet as it lies on the table: lines down, players across, round below round."""

from __future__ import annotations

from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.definition import definition_of
from daybook.domain.games.score_sheet.rules import SCORE_SHEET
from daybook.domain.kernel.board import Document
from daybook.web.boards.drawing import BoardPart, Looks, Scene, macro_drawer
from daybook.web.games.score_sheet.grid import teams_of

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
        "course", paths, look, macro_drawer(TEMPLATE, "course", scene, definition_of(scene.table).game_name)
    )


def _sheet(scene: Scene) -> BoardPart:
    definition = definition_of(scene.table)

    def look(document: Document) -> Looks:
        board: Board = SCORE_SHEET.typed_board(document, scene.table)
        lines = [(line.key, line.name) for line in definition.used(document["expansions"])]
        columns = [
            (player["rounds"], player["out"], player["role"], player.get("team")) for player in document["players"]
        ]
        totals = [board.total(seat) for seat in range(board.seats)] if definition.score_count != "places" else []
        return lines, columns, totals, teams_of(board)

    return BoardPart(
        "sheet", ("/players", "/expansions"), look, macro_drawer(TEMPLATE, "sheet", scene, definition.by_rounds)
    )
