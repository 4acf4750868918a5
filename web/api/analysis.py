"""Win chances: how likely each seat was to win, turning points, and what moves cost, estimated by practice players."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.services.analysis import win_chances
from daybook.services.analysis.luck import LuckAndPlay, split_luck_and_play
from daybook.services.analysis.positions import line_steps
from daybook.services.analysis.win_chances import Analysis, NotAnalysedError, State
from daybook.web.api.base import WRITE, book, section
from daybook.web.api.errors import ApiError
from daybook.web.api.keys import visit_asked

analysis = section("Analysis", "Win chances of games that have ended, estimated by practice players.")


class ChancesAt(Frozen):
    """The chances after a step, by seat: shares of the victory, and within what each likely lies (Wilson, 95 %), drawn
    towards even shares by as much as few play-outs look too sure.

    play_outs: how often the position was played out, out of the seed; cut: how many of them were valued before the
    end. None: the game is over there.
    """

    step: int
    shares: list[float]
    low: list[float]
    high: list[float]
    play_outs: int
    cut: int
    seed: int


class MoveCost(Frozen):
    """A move after which the chances of its seat fell, and what the practice player would rather have done.

    cost: by how much the other one raises the share of the seat; told: it is more than chance may come to; better: null
    where nothing better was found.
    """

    step: int
    seat: int
    played: dict[str, Any]
    better: dict[str, Any] | None
    cost: float
    low: float
    high: float
    told: bool


class ChancesShown(Frozen):
    """state: off (by a setting), unwanted (by the group), unfinished (a table plays it), unasked (a practice game that
    runs: POST asks), waiting (for workers; missing: pieces still to be calculated, as far as is known), done.

    parts: how much chance, and how much decisions, changed each seat's share. made_by: the revisions of the method, the
    policy and the rules that gave these chances.
    """

    state: State
    missing: int
    made_by: str
    positions: list[ChancesAt]
    moves: list[MoveCost]
    parts: list[LuckAndPlay]


@analysis.reads("/games/<uuid:game_id>/chances", ChancesShown, "the chances")
def show_chances(game_id: UUID) -> ChancesShown:
    """Show how likely each seat was to win, and where the game turned

    Workers calculate it after a game has ended, for everybody who may read the game then; never during a table game.
    """
    return _chances_shown(visit_asked(game_id).game)


@analysis.route("/games/<uuid:game_id>/chances", methods=["POST"])
@analysis.answers(202, ChancesShown, "they are being calculated", fails=WRITE)
def ask_for_chances(game_id: UUID) -> ChancesShown:
    """Calculate the chances of a practice game that is not over

    Up to its newest step, which everybody who may read the game can see. 409 if there are none: a table is playing the
    game, or win chances are switched off for the game or on this service.
    """
    visit = visit_asked(game_id)
    try:
        win_chances.request_analysis(book(), game_id)
    except NotAnalysedError as no:
        raise ApiError(
            409,
            f"chances_{no.state}",
            "there are no win chances of this game now",
            "ask again once the game has ended; a group and a service may do without them",
            state=no.state,
        ) from no
    return _chances_shown(visit.game)


def _chances_shown(game: Game) -> ChancesShown:
    found: Analysis = win_chances.analysis_of(book(), game)
    known = {one.step: one.chances for one in found.positions}
    return ChancesShown(
        found.state,
        found.missing,
        found.made_by,
        [
            ChancesAt(
                one.step,
                one.chances.shares,
                one.chances.low,
                one.chances.high,
                one.chances.play_outs,
                one.chances.cut,
                one.seed,
            )
            for one in found.positions
        ],
        [
            MoveCost(
                one.step,
                one.weighed.seat,
                one.weighed.played,
                one.weighed.better,
                one.weighed.cost,
                one.weighed.low,
                one.weighed.high,
                one.weighed.is_significant,
            )
            for one in found.moves
        ],
        split_luck_and_play(line_steps(game), known),
    )
