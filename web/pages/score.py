"""The score sheet: where everybody stood when a period ended, line by line, each figure open to what made it."""

from __future__ import annotations

from uuid import UUID

import msgspec
from flask import Blueprint, abort, render_template, request

from domain.record import Game
from domain.ruleset import Line, Score, ranked
from services import replay
from services.replay import StepShown
from services.score import PeriodScore, score_sheets
from web import words
from web.access import book, readable, sights

page = Blueprint("score", __name__)


class LineMade(msgspec.Struct, frozen=True):
    """A line of a score, and the steps that made it, each with what it added to it where that is a figure."""

    line: Line
    label: str
    made: list[tuple[StepShown, int | None]]


class Account(msgspec.Struct, frozen=True):
    """One seat's score."""

    score: Score
    rank: int
    change: int
    lines: list[LineMade]


@page.get("/games/<uuid:id>/score")
def score(id: UUID) -> str:
    game, kept = readable(id)
    sheets = score_sheets(book(), id)
    shown = _shown(game, sheets)
    sight = sights(id)[0]
    steps = {step.step: step for step in replay.steps(game, sight)}
    accounts = [
        Account(one, shown.ranks[one.seat], shown.change[one.seat], [
            LineMade(line, words.line_label(game.ruleset.id, line, kept.names), _made(game, steps, shown.step, line))
            for line in one.lines])
        for one in sorted(shown.scores, key=lambda one: (shown.ranks[one.seat], one.seat))
    ]
    return render_template(
        "score.html", game=game, kept=kept, names=kept.names, colours=[seat.colour for seat in game.opening.seats],
        rules=game.ruleset.id, sheets=sheets, shown=shown, accounts=accounts, now=not shown.final and not any(
            sheet is shown for sheet in sheets))


def _shown(game: Game, sheets: list[PeriodScore]) -> PeriodScore:
    """The period asked for; while the game runs, how it stands now, else its last."""
    asked = request.args.get("step", "")
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
    totals = [one.total for one in scores]
    return PeriodScore(
        "", 0, game.step, False, True, scores, list(outcome.ranks if outcome else ranked(totals)), [0] * len(scores),
        outcome)


def _made(game: Game, steps: dict[int, StepShown], at: int, line: Line) -> list[tuple[StepShown, int | None]]:
    return [(steps[step], _by(steps[step], line)) for step in replay.made_by(game, at, line.paths) if step]


def _by(step: StepShown, line: Line) -> int | None:
    """What a step added to a line that is one figure of the board."""
    if len(line.paths) != 1:
        return None
    was, now = step.changes.get(line.paths[0], (None, None))
    return now - was if isinstance(was, int) and isinstance(now, int) else None
