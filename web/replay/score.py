"""The score sheet: where everybody stood when a period ended, line by line, each figure open to what made it."""

from __future__ import annotations

from uuid import UUID

import msgspec
from flask import Blueprint, abort, render_template, request

from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import Line, Score
from daybook.services.play import replay
from daybook.services.play.replay import StepShown
from daybook.services.play.score import PeriodScore, began, score_sheets
from daybook.web import words
from daybook.web.boards import veil
from daybook.web.boards.veil import NOTHING, Unshown, view_of
from daybook.web.request.access import book, visit_game
from daybook.web.request.sharing import share_game

page = Blueprint("score", __name__)


class LineMade(msgspec.Struct, frozen=True):
    """A line of a score, and the steps that made it, each with what it added to it where that is a figure."""

    line: Line
    label: str
    made: list[tuple[StepShown, int | None]]


class Figure(msgspec.Struct, frozen=True):
    """A figure of the ledger for one seat: what it has come to, and what the period added; no value: it is covered."""

    value: str
    by: str


class Account(msgspec.Struct, frozen=True):
    """One seat's score. rank: None where it would tell what others keep covered; veiled: no amounts are shown."""

    score: Score
    rank: int | None
    change: int
    lines: list[LineMade]
    veiled: bool


@page.get("/games/<uuid:id>/score")
def score(id: UUID) -> str:
    visit = visit_game(id)
    game, kept = visit.game, visit.kept
    share_game(visit)
    sheets = score_sheets(book(), game)
    shown = _shown(game, sheets, request.args.get("step", ""))
    steps = {step.step: step for step in replay.steps(game, visit.sight)}
    hangs = veil.hanging(game) is not None and shown.taken != "official"
    everywhere = view_of(visit)
    view = everywhere if hangs else NOTHING
    accounts = [
        Account(one, None if view.columns else shown.ranks[one.seat], shown.change[one.seat], [
            LineMade(line, words.line_label(game.ruleset.id, line, kept.names), [
                (everywhere.told(step), by) for step, by in _made(game, steps, shown.step, line)])
            for line in one.lines], bool(view.columns) and one.seat not in view.own)
        for one in shown.scores
    ]
    accounts.sort(key=lambda account: (account.rank or 0, account.score.seat))
    return render_template(
        "score.html", visit=visit, game=game, kept=kept, names=kept.names, colours=visit.colours, rules=visit.rules,
sheets=sheets, shown=shown, accounts=accounts, hangs=hangs,
        ranked_by="" if shown.outcome else words.ranked_by(game.ruleset.id), figures=_figures(game, shown, view),
        now=not shown.final and not any(sheet is shown for sheet in sheets))


def _shown(game: Game, sheets: list[PeriodScore], asked: str) -> PeriodScore:
    """The period asked for by the step at its end; by default how it stands now while the game runs, else its last."""
    if not asked:
        return _now(game) if game.status == "running" or not sheets else sheets[-1]
    found = [sheet for sheet in sheets if str(sheet.step) == asked]
    if not found:
        abort(404)
    return found[-1]


def _now(game: Game) -> PeriodScore:
    """How it stands now, as a period that has not ended."""
    scores = list(game.ruleset.standing(game.board))
    outcome = game.ruleset.outcome(game.board)
    return PeriodScore(
        "", 0, game.step, False, True, scores, list(game.ruleset.ranks(game.board)), [0] * len(scores), outcome,
        "" if game.ruleset.veil is None else "computed")


def _figures(game: Game, shown: PeriodScore, view: Unshown) -> list[tuple[str, list[Figure]]]:
    """The ledger's figures at the end of a period, each by seat with what it gained or lost in the period."""
    first = began(game, shown.step, shown.period or game.ruleset.periods[0])
    was, now = game.figures_at(first)[0], game.figures_at(shown.step)[0]
    rules = game.ruleset.id
    return [
        (column, [
            Figure("–", "") if view.column(column, seat) else Figure(
                words.column_value(rules, column, value),
                words.gain_label(rules, column, value - before) if value != before else "")
            for seat, (before, value) in enumerate(zip(was[column], now[column], strict=True))])
        for column in game.ruleset.columns if any(now[column]) or any(was[column])]


def _made(game: Game, steps: dict[int, StepShown], at: int, line: Line) -> list[tuple[StepShown, int | None]]:
    return [(steps[step], _by(steps[step], line)) for step in replay.made_by(game, at, line.paths) if step]


def _by(step: StepShown, line: Line) -> int | None:
    """What a step added to a line that is one figure of the board."""
    if len(line.paths) != 1:
        return None
    was, now = step.changes.get(line.paths[0], (None, None))
    return now - was if isinstance(was, int) and isinstance(now, int) else None
