"""Win chances: how likely each seat was to win, turning points, and what moves cost, estimated by practice players."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.services.analysis import win_chances
from daybook.services.analysis.luck import LuckAndPlay, split_luck_and_play
from daybook.services.analysis.positions import line_steps
from daybook.services.analysis.win_chances import Analysis, ChancesState, NotAnalysedError
from daybook.services.structs import copy_fields
from daybook.web.api.base import WRITE, book, section
from daybook.web.api.errors import ApiError
from daybook.web.api.keys import requested_visit

analysis = section("Analysis", "Win chances of games that have ended, estimated by practice players.")


class ChancesAt(Frozen):
    """The win chances after a step."""

    step: int
    shares: list[float]  # of the victory, by seat; shrunk towards even shares, because few play-outs look too certain
    low: list[float]  # the interval of each share (Wilson, 95 %)
    high: list[float]
    play_outs: int  # how often the position was played out; 0: the game is over there
    cut: int  # play-outs that were valued before the end
    seed: int


class MoveCost(Frozen):
    """A move that lowered the chances of its seat."""

    step: int
    seat: int
    played: dict[str, Any]
    better: dict[str, Any] | None  # what the practice player would have played; null: nothing better
    cost: float  # by how much the better move raises the seat's share
    low: float
    high: float
    significant: bool  # the difference is above chance


class ChancesShown(Frozen):
    # off: by a setting; unwanted: by the group; unfinished: a table plays it; not_requested: a practice game that runs (POST
    # starts it); waiting: for workers; done
    state: ChancesState
    missing: int  # pieces still to be calculated, if known
    made_by: str  # the revisions of the method, the policy and the rules
    positions: list[ChancesAt]
    moves: list[MoveCost]
    parts: list[LuckAndPlay]  # by how much luck and decisions changed each seat's share


@analysis.reads("/games/<uuid:game_id>/chances", ChancesShown, "the chances")
def show_chances(game_id: UUID) -> ChancesShown:
    """Show how likely each seat was to win, and where the game turned

    Workers calculate it after the game has ended. Then every reader of the game may see it. Nothing is calculated while
    players at a table play the game.
    """
    return _chances_shown(requested_visit(game_id).game)


@analysis.route("/games/<uuid:game_id>/chances", methods=["POST"])
@analysis.answers(202, ChancesShown, "they are being calculated", fails=WRITE)
def ask_for_chances(game_id: UUID) -> ChancesShown:
    """Calculate the chances of a practice game that is not over

    The result covers all steps up to the newest, and every reader of the game can see it. The answer is 409 if a table
    is playing the game, or if win chances are switched off for the game or on this service.
    """
    visit = requested_visit(game_id)
    try:
        win_chances.request_analysis(book(), game_id)
    except NotAnalysedError as no:
        raise ApiError(
            409,
            f"chances_{no.state}",
            "there are no win chances of this game now",
            "try again when the game has ended; groups and services can switch win chances off",
            state=no.state,
        ) from no
    return _chances_shown(visit.game)


def _chances_shown(game: Game) -> ChancesShown:
    found: Analysis = win_chances.analysis_of(book(), game)
    known = {each.step: each.chances for each in found.positions}
    return ChancesShown(
        found.state,
        found.missing,
        found.made_by,
        [copy_fields(ChancesAt, each.chances, step=each.step, seed=each.seed) for each in found.positions],
        [
            copy_fields(MoveCost, move.weighed, step=move.step, significant=move.weighed.is_significant)
            for move in found.moves
        ],
        split_luck_and_play(line_steps(game), known),
    )
