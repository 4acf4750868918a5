"""Win chances: the band under the score chart, turning points, costs of moves, and the same as tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from uuid import UUID

from flask import Blueprint, abort, flash, make_response, render_template, request, url_for
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.services.analysis import switches, win_chances
from daybook.services.analysis.calibration import Calibration, calibration_of
from daybook.services.analysis.luck import split_luck_and_play
from daybook.services.analysis.positions import line_steps
from daybook.services.analysis.win_chances import AnalysedPosition, Analysis, NotAnalysedError
from daybook.services.permissions.actions import require
from daybook.services.permissions.visits import Visit
from daybook.web.boards.charts import CHART_HEIGHT, spread_labels
from daybook.web.request.access import book, render_game_page, visit_game
from daybook.web.request.forms import see_other
from daybook.web.request.long_work import takes_long
from daybook.web.request.sharing import preview_game
from daybook.web.words import say, sentence

page = Blueprint("chances", __name__)

MAX_SWINGS = 5  # marked in addition to the named moves
LEAST_SWING = 0.1


class SeatChances(Frozen):
    """A seat's part of the band, as SVG path data.

    Args:
        area: of the band.
        line: of its chance.
        ribbon: of its interval.
        y: of its last value, in percent.
        label_y: of its label.
    """

    seat: Seat
    area: str
    line: str
    ribbon: str
    percent: int
    y: float
    label_y: float


class SwingShown(Frozen):
    """Large change between two positions; gains by seat in percentage points."""

    first: int
    step: int
    gains: list[int]


class CostlyMove(Frozen):
    """Costly move beyond chance, in words; cost and interval in percentage points."""

    step: int
    seat: Seat
    played: str
    better: str
    cost: int
    low: int
    high: int


class ChancesDrawn(Frozen):
    """width: the newest step."""

    width: int
    seats: list[SeatChances]
    swings: list[SwingShown]
    moves: list[CostlyMove]


@page.get("/games/<uuid:game_id>/chances")
@takes_long("GET")
def chances(game_id: UUID) -> str:
    """Show the band, costly moves, luck and play, and a table of positions."""
    visit = visit_game(game_id)
    preview_game(visit)
    analysis = win_chances.analysis_of(book(), visit.game)
    by_step = {position.step: position.chances for position in analysis.positions}
    calibration = calibration_of(visit.game.ruleset)
    return render_game_page(
        "chances.html",
        visit,
        found=analysis,
        drawn=draw_chances(visit, analysis),
        parts=split_luck_and_play(line_steps(visit.game), by_step),
        wanted=switches.wants_chances(book(), game_id),
        calibration=calibration,
        calibrated=how_calibrated(calibration),
        base=url_for("replay.replay", game_id=game_id),
    )


@page.get("/games/<uuid:game_id>/chances/band")
@takes_long("GET")
def band(game_id: UUID) -> Response:
    """Return the band below the replay's score chart; 204 if there is none."""
    visit = visit_game(game_id)
    shown = draw_chances(visit, win_chances.analysis_of(book(), visit.game))
    if shown is None:
        return make_response("", 204)
    return make_response(
        render_template(
            "chances_band.html",
            visit=visit,
            drawn=shown,
            names=visit.kept.names,
            colours=visit.colours,
            within=True,
            calibrated=how_calibrated(calibration_of(visit.game.ruleset)),
            base=url_for("replay.replay", game_id=game_id),
        )
    )


def how_calibrated(calibration: Calibration | None) -> str:
    """Describe the calibration of a game's chances."""
    if calibration is None:
        return say("Not calibrated for this game: these chances were never compared with who won.")
    if not calibration.is_clearly_better:
        return say(
            "Not calibrated for this game: in {n} games of practice players, these chances did not clearly predict "
            "the winner better than the score did.",
            n=calibration.games,
        )
    return say(
        "In {n} games of practice players, these chances predicted the winner better than the score did.",
        n=calibration.games,
    )


@page.post("/games/<uuid:game_id>/chances")
def ask(game_id: UUID) -> Response:
    """Start computing the win chances of a running practice game."""
    visit_game(game_id)
    try:
        win_chances.request_analysis(book(), game_id)
    except NotAnalysedError:
        abort(409)
    return see_other(".chances", game_id=game_id)


@page.post("/games/<uuid:game_id>/chances/wanted")
def switch_chances(game_id: UUID) -> Response:
    """Switch chances of a game on or off, for its scorekeeper."""
    require(visit_game(game_id), "correct")
    wanted = request.form.get("wanted") == "yes"
    switches.switch_chances(book(), game_id, wanted)
    flash(
        say("Win chances are calculated for this game.")
        if wanted
        else say("Win chances are neither calculated nor shown for this game.")
    )
    return see_other(".chances", game_id=game_id)


# --- drawing ---------------------------------------------------------------------------------------------------------


def draw_chances(visit: Visit, analysis: Analysis) -> ChancesDrawn | None:
    """Draw the band; None with fewer than two known positions."""
    if len(analysis.positions) < 2:
        return None
    seats = range(len(analysis.positions[0].chances.shares))
    ends = [round(CHART_HEIGHT * (1 - share), 1) for share in analysis.positions[-1].chances.shares]
    labels = spread_labels(ends)
    moves = costly_moves(visit, analysis)
    return ChancesDrawn(
        visit.game.step,
        [_draw_seat(analysis.positions, seat, ends[seat], labels[seat]) for seat in seats],
        find_swings(analysis.positions, {move.step for move in moves}),
        moves,
    )


def _draw_seat(positions: Sequence[AnalysedPosition], seat: Seat, y: float, label_y: float) -> SeatChances:
    def points(values: Sequence[float]) -> list[str]:
        return [
            f"{position.step} {CHART_HEIGHT * (1 - value):.4g}"
            for position, value in zip(positions, values, strict=True)
        ]

    def between(upper: Sequence[float], lower: Sequence[float]) -> str:
        return f"M{'L'.join([*points(upper), *reversed(points(lower))])}Z"

    shares = [position.chances.shares for position in positions]
    below = [sum(of_step[:seat]) for of_step in shares]
    own = [of_step[seat] for of_step in shares]
    return SeatChances(
        seat,
        between([a + b for a, b in zip(below, own, strict=True)], below),
        f"M{'L'.join(points(own))}",
        between(
            [position.chances.high[seat] for position in positions],
            [position.chances.low[seat] for position in positions],
        ),
        to_percent(own[-1]),
        y,
        label_y,
    )


def to_percent(share: float) -> int:
    """Convert a share to percentage points."""
    return round(100 * share)


def find_swings(positions: Sequence[AnalysedPosition], named: set[int]) -> list[SwingShown]:
    """Return the largest changes between positions in order, without named moves."""
    found = []
    for before, after in pairwise(positions):
        gains = [b - a for a, b in zip(before.chances.shares, after.chances.shares, strict=True)]
        if max(map(abs, gains)) >= LEAST_SWING and after.step not in named:
            shown = SwingShown(before.step + 1, after.step, [to_percent(gain) for gain in gains])
            found.append((max(map(abs, gains)), shown))
    largest = sorted(found, key=lambda pair: (-pair[0], pair[1].step))[:MAX_SWINGS]
    return sorted((swing for _, swing in largest), key=lambda swing: swing.step)


def costly_moves(visit: Visit, analysis: Analysis) -> list[CostlyMove]:
    """Return the moves with a cost beyond chance, costliest first."""
    significant = sorted(
        (move for move in analysis.moves if move.weighed.is_significant), key=lambda move: -move.weighed.cost
    )
    return [
        CostlyMove(
            move.step,
            move.weighed.seat,
            _decision_text(visit.game, move.weighed.played, visit),
            _decision_text(visit.game, move.weighed.better or {}, visit),
            to_percent(move.weighed.cost),
            to_percent(move.weighed.low),
            to_percent(move.weighed.high),
        )
        for move in significant
    ]


def _decision_text(game: Game, decision: dict[str, object], visit: Visit) -> str:
    return sentence(game.ruleset.id, decision, visit.kept.names)
