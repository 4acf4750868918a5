"""Score sheet: the standing at the end of a period, line by line, with the steps behind each figure."""

from __future__ import annotations

from itertools import chain
from uuid import UUID

from flask import Blueprint, abort, request

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points, as_points, is_points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Score, ScoreLine
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.services.play.period_scores import FINAL, PeriodScore, score_sheets
from daybook.services.play.replay import StepShown
from daybook.web import words
from daybook.web.boards import table_privacy
from daybook.web.boards.table_privacy import NOTHING, TablePrivacy, privacy_of_visit
from daybook.web.replay.bars import is_one_line
from daybook.web.replay.replay import ending_for_page, filmstrip_of
from daybook.web.replay.turning_points import MomentShown, describe_moments, select_decisive
from daybook.web.request.access import book, render_game_page, visit_game
from daybook.web.request.long_work import takes_long
from daybook.web.request.sharing import preview_game, preview_step
from daybook.web.words.game_words import LineOfRound
from daybook.web.words.say import Texts

page = Blueprint("score", __name__)


POINTS_BY: Texts = {"round": "Points by round", "decade": "Points by decade"}


class LineMade(Frozen):
    """A line of a score, and the steps that made it, each in words and with what it added where that is a figure.

    formula: of a calculated line. rounds: what each round counts by it, instead of the steps.
    """

    line: ScoreLine
    label: str
    explanation: str
    made: list[tuple[int, str, Points | None]]
    formula: str
    rounds: list[LineOfRound]


class PeriodFigure(Frozen):
    """Ledger figure of a seat: its value ("" if covered) and its change in the period."""

    value: str
    by: str


class PeriodPoints(Frozen):
    """Points of each seat in a period, and its total at the end; None if covered."""

    period: str
    number: int
    step: int
    points: list[tuple[Points | None, Points | None]]
    entered: list[str]  # what each seat entered, of a sheet with several lines


class SeatScore(Frozen):
    """One seat's score. rank: None where it would tell what others keep covered; veiled: no amounts are shown."""

    score: Score
    rank: int | None
    change: Points
    lines: list[LineMade]
    veiled: bool


@page.get("/games/<uuid:game_id>/score")
@takes_long("GET")
def score(game_id: UUID) -> str:
    visit = visit_game(game_id)
    game = visit.game
    sheets = score_sheets(book(), game)
    shown = _requested_score(game, sheets, request.args.get("step", ""))
    hangs = table_privacy.veil_in_force(game) is not None and shown.taken != "official"
    everywhere = privacy_of_visit(visit)
    view = everywhere if hangs else NOTHING
    was_covered = _is_covered_before(game, sheets, shown, everywhere)
    made = replay.steps_by_paths(
        game, shown.step, [line.paths for seat_score in shown.scores for line in seat_score.lines]
    )
    steps = {step.step: step for step in replay.select_steps(game, visit.sight, {*chain(*made.values())})}
    rules, names, board = visit.rules, visit.names, game.ruleset.so_far(game.board_at(shown.step))
    seen = {n: everywhere.redact_step(step) for n, step in steps.items()}
    scores = words.counting_scores(rules, board, shown.scores)
    accounts = [
        SeatScore(
            seat_score,
            None if view.columns else shown.ranks[seat_score.seat],
            shown.change[seat_score.seat]
            if seat_score.seat in everywhere.own or not (view.columns or was_covered)
            else 0,
            [
                LineMade(
                    line,
                    words.line_label(rules, line, names),
                    words.explanation_of_line(rules, line),
                    [
                        (
                            step,
                            words.sentence(rules, seen[step], names, seat_score.seat),
                            _added_by_step(steps[step], line),
                        )
                        for step in made[line.paths]
                        if step
                    ],
                    words.formula_of_line(rules, board, line),
                    words.rounds_of_line(rules, board, seat_score.seat, line),
                )
                for line in seat_score.lines
            ],
            bool(view.columns) and seat_score.seat not in view.own,
        )
        for seat_score in scores
    ]
    accounts.sort(key=lambda account: (account.rank or 0, account.score.seat))
    end = ending_for_page(visit) if shown.outcome else None
    if end is None:
        preview_game(visit)
    else:
        preview_step(visit, end.step, end.says)
    return render_game_page(
        "score.html",
        visit,
        sheets=sheets,
        shown=shown,
        accounts=accounts,
        one_line=is_one_line(rules, scores, names),
        hangs=hangs,
        lowest_wins=game.ruleset.scoring.lowest_wins(game.board),
        ranked_by="" if shown.outcome else words.ranked_by(rules),
        figures=_period_figures(game, sheets, shown, view),
        figures_heading=_figures_heading(game, sheets, shown),
        periods=_points_by_period(game, sheets, shown, everywhere),
        points_heading=_points_heading(game, shown),
        moments=[] if end else _period_moments(visit, sheets, shown),
        now=not shown.final and not any(sheet is shown for sheet in sheets),
        waits=game.status == "running"
        and shown.step == game.step
        and game.ruleset.totals(game.ruleset.so_far(game.board)) != game.ruleset.totals(game.board),
        end=end,
    )


def _period_moments(visit: Visit, sheets: list[PeriodScore], shown: PeriodScore) -> list[MomentShown]:
    """Return the decisive moments of a period."""
    first = max((sheet.step for sheet in sheets if sheet.step < shown.step), default=0)
    with filmstrip_of(visit, visit.sight) as (_, filmstrip):
        moments = [moment for moment in describe_moments(filmstrip) if first < moment.step <= shown.step]
    return select_decisive(moments)


def _is_covered_before(game: Game, sheets: list[PeriodScore], shown: PeriodScore, view: TablePrivacy) -> bool:
    """Check if the totals before this period are covered: the change of an open total would tell them."""
    before = [sheet for sheet in sheets if sheet.step < shown.step]
    hidden = bool(view.columns) and table_privacy.veil_in_force(game) is not None
    return hidden and bool(before) and before[-1].taken != "official"


def _points_by_period(
    game: Game, sheets: list[PeriodScore], shown: PeriodScore, view: TablePrivacy
) -> list[PeriodPoints]:
    """Return the points of each period up to the one that is shown; none of a game with one period.

    A decade that ends with its last round has no row of its own.
    A total next to a covered one does not tell its change: that would tell the covered one.
    """
    rows, was_covered = list[PeriodPoints](), False
    for sheet in sheets:
        if sheet.step > shown.step or sheet.period != game.ruleset.course.periods[-1]:
            continue
        is_covered = bool(view.columns) and table_privacy.veil_in_force(game) is not None and sheet.taken != "official"
        points = list[tuple[Points | None, Points | None]]()
        for score in sheet.scores:
            is_own = score.seat in view.own
            change = sheet.change[score.seat] if is_own or not (is_covered or was_covered) else None
            points.append((change, sheet.totals[score.seat] if is_own or not is_covered else None))
        rows.append(
            PeriodPoints(sheet.period, sheet.number, sheet.step, points, _entered_in(game, shown, sheet.number))
        )
        was_covered = is_covered
    return rows if len(rows) > 1 else []


def _points_heading(game: Game, shown: PeriodScore) -> str:
    if _entered_in(game, shown, 1):
        return words.say("The whole sheet")
    return words.say(POINTS_BY.get(game.ruleset.course.periods[-1], "Points by period"))


def _entered_in(game: Game, shown: PeriodScore, number: int) -> list[str]:
    """Return what each seat entered in a round of a sheet with several lines; empty for other games."""
    in_period, board = words.GAMES[game.ruleset.id].score.in_period, game.board_at(shown.step)
    several = any(len(score.lines) > 1 for score in shown.scores)
    return [in_period(board, score.seat, number) for score in shown.scores] if in_period and several else []


def _requested_score(game: Game, sheets: list[PeriodScore], step: str) -> PeriodScore:
    """Return the period by its last step; by default the present standing of a running game, else its last."""
    if not step:
        return _present_standing(game) if game.status == "running" or not sheets else sheets[-1]
    found = [sheet for sheet in sheets if str(sheet.step) == step]
    if not found:
        abort(404)
    return found[-1]


def _present_standing(game: Game) -> PeriodScore:
    """Return the present standing as an unfinished period."""
    so_far = game.ruleset.so_far(game.board)
    scores = list(game.ruleset.scoring.standing(so_far))
    outcome = game.ruleset.scoring.outcome(game.board)
    return PeriodScore(
        "",
        0,
        game.step,
        False,
        True,
        scores,
        [score.total for score in scores],
        list(game.ruleset.ranks(so_far)),
        [0] * len(scores),
        outcome,
        "" if game.ruleset.secrecy.veil is None else "computed",
    )


def _sheet_before(game: Game, sheets: list[PeriodScore], shown: PeriodScore) -> PeriodScore | None:
    """Return the last period of the same kind that ended before the shown one."""
    period = shown.period or game.ruleset.course.periods[0]
    ended = [sheet for sheet in sheets if sheet.step < shown.step and period in (sheet.period, FINAL)]
    return max(ended, key=lambda sheet: sheet.step, default=None)


def _figures_heading(game: Game, sheets: list[PeriodScore], shown: PeriodScore) -> str:
    """Name the ledger's figures after the time in which they changed."""
    rules = game.ruleset.id
    if shown.period and not shown.final:
        return words.say(
            "The ledger, and what {period} brought", period=words.mark_label(rules, shown.period, shown.number)
        )
    before = _sheet_before(game, sheets, shown)
    if before is None:
        return words.say("The ledger, and the changes since the start")
    period = words.mark_label(rules, before.period, before.number)
    return words.say("The ledger, and the changes since the end of {period}", period=period)


def _period_figures(
    game: Game, sheets: list[PeriodScore], shown: PeriodScore, view: TablePrivacy
) -> list[tuple[str, list[PeriodFigure]]]:
    """Return the ledger figures at the end of a period, with their changes by seat."""
    before = _sheet_before(game, sheets, shown)
    was, now = game.figures_so_far(before.step if before else 0)[0], game.figures_so_far(shown.step)[0]
    rules = game.ruleset.id
    if words.GAMES[rules].ledger.shown == ("score",):
        return []  # the accounts show it
    return [
        (
            column,
            [
                PeriodFigure("–", "")
                if view.hides_column(column, seat)
                else PeriodFigure(
                    words.column_value(rules, column, value),
                    words.gain_label(rules, column, value - before) if value != before else "",
                )
                for seat, (before, value) in enumerate(zip(was[column], now[column], strict=True))
            ],
        )
        for column in game.ruleset.ledger.columns
        if any(now[column]) or any(was[column])
    ]


def _added_by_step(step: StepShown, line: ScoreLine) -> Points | None:
    """Return what a step added to a line that is a single figure of the board."""
    if len(line.paths) != 1:
        return None
    was, now = step.changes.get(line.paths[0], (None, None))
    return as_points(now - was) if is_points(was) and is_points(now) else None
