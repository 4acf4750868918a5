"""Little effort, for tests of what becomes of chances and not of how good they are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from daybook.domain.kernel.curves import Curve
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import Board
from daybook.services.analysis import calibration, moves, play_outs, positions, win_chances
from daybook.services.analysis.kept_chances import restore_chances
from daybook.services.analysis.moves import WeighedMove
from daybook.services.analysis.play_outs import Effort
from daybook.services.analysis.win_chances import AnalysedMove
from daybook.services.play import replay
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import as_json

NOTHING_BETTER = WeighedMove(0, {}, None, 0.0, 0.0, 0.0, 0)
LITTLE = Effort(steps=1, least=2, far=1, curve=Curve(-5.0, 2.0, {3: 31}, ""))


def remembered(work: Callable[..., Any]) -> Callable[..., Any]:
    """Play out from a board once for all games that reach it: many tests lay the same game again."""
    made: dict[tuple[object, ...], Any] = {}

    def made_once(ruleset: Ruleset[Any], board: Board, *rest: Any) -> Any:
        key = ruleset.id, repr(board.table.options), as_json(board.document()), repr(rest)
        if key not in made:
            made[key] = work(ruleset, board, *rest)
        return made[key]

    return made_once


CHANCES, WEIGH = remembered(play_outs.estimate_chances), remembered(moves.weigh_move)


def little_effort(patch: pytest.MonkeyPatch) -> None:
    """Have little played out from each position in this process, of few positions, and whatever the game's id the same."""
    patch.setattr(win_chances, "piece_seed", lambda game_id, step: step)
    patch.setattr(win_chances, "estimate_chances", CHANCES)
    patch.setattr(win_chances, "weigh_move", WEIGH)
    patch.setattr(win_chances, "effort_for", lambda ruleset: LITTLE)
    patch.setattr(positions, "EVEN_POSITIONS", 40)
    patch.setattr(positions, "POSITIONS_PER_ROUND", 2)
    for name, number in (("CHOOSING", 1), ("MEASURING", 2), ("MAX_MOVES_WEIGHED", 2)):
        patch.setattr(moves, name, number)


def make_all(book: Daybook, game_id: UUID) -> None:
    """Make every piece of a game here and now."""
    game = book.games.get(game_id)
    restore_chances(book, game)
    while due := win_chances.pieces_due(book, game):
        for pieces in due:
            win_chances.compute_pieces(book, game_id, pieces)
    win_chances.finish_analysis(book, game)


def name_a_move(book: Daybook, game_id: UUID, cost: float = 0.14) -> AnalysedMove:
    """Keep of one move of an analysed game, and of no other, what many more play-outs might say of it."""
    game, table = book.games.get(game_id), read_models.analysed_piece
    found = next(
        value for value in map(partial(_weigh_beside_another, game, cost), game.line()[9:]) if value is not None
    )
    with book.views.begin() as c:
        of_moves = table.update().where(table.c.game == game_id, table.c.part == "move")
        c.execute(of_moves.values(found=as_json(NOTHING_BETTER)))
        read_models.write_rows(
            c,
            {
                table: [
                    {
                        "game": game_id,
                        "part": "move",
                        "step": found.step,
                        "made_by": calibration.chances_revision(game.ruleset),
                        "seed": found.seed,
                        "found": as_json(found.weighed),
                    }
                ]
            },
        )
    win_chances.finish_analysis(book, game)
    return found


def _weigh_beside_another(game: Game, cost: float, step: int) -> AnalysedMove | None:
    """Compare the move of a step with another legal one; return None if there was none."""
    event = game.entries[step].event
    if not isinstance(event, DecisionRecorded) or event.seat < 0:
        return None
    others = [
        decision
        for decision in replay.legal_decisions(game, game.parents[step], event.seat)
        if decision != event.decision
    ]
    return (
        AnalysedMove(step, 1, WeighedMove(event.seat, event.decision, others[0], cost, cost / 2, cost * 1.5, 24))
        if others
        else None
    )
