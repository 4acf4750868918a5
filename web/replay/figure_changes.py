"""The changes of figures that a game explains by their terms: what happened at each step, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import fold
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Effect
from daybook.services.permissions.sights import hides_nothing
from daybook.services.play.replay import StepShown, opening_document
from daybook.web import words
from daybook.web.replay.filmstrips import Filmstrip
from daybook.web.words import Names, say
from daybook.web.words.figure_terms import FigureChange, FigureTerms, changes_of_figure
from daybook.web.words.say import number, signed_amount

MAX_SENTENCES = 3  # of one part of a change


class ExplainedPart(Frozen):
    """A part of a change: what happened, its amount with its sign, and the rule."""

    says: str
    by: str
    rule: str = ""


class ExplainedStep(Frozen):
    """A step that changed a figure. before: the step with the figure before it."""

    step: int
    before: int
    parts: list[ExplainedPart]
    was: str
    now: str
    by: str


class ExplainedFigure(Frozen):
    """A figure at a step, what it is worked out from, and the steps that changed it, oldest first."""

    value: str
    formula: str
    steps: list[ExplainedStep]


def explain_figure(game: Game, filmstrip: Filmstrip, path: str, step: int) -> ExplainedFigure | None:
    """Return how a figure came about; None for a place that the game does not explain, or to a viewer of less."""
    if words.GAMES[filmstrip.scene.ruleset].board.terms is None or not hides_nothing(game, filmstrip.scene.sight):
        return None
    try:
        figures = list(terms_by_step(game, filmstrip, path, step))
    except (LookupError, ValueError):
        return None
    newest = figures[-1][1]
    others = [place for place, (_, figure) in enumerate(figures) if not _is_same(figure, newest)]
    if newest is not None and others:
        figures = figures[others[-1] :]  # it was gone, or another player's
    return ExplainedFigure(
        _text(filmstrip.scene.ruleset, newest),
        "" if newest is None else newest.formula,
        [*_explained_steps(filmstrip, figures)],
    )


def _is_same(figure: FigureTerms | None, newest: FigureTerms | None) -> bool:
    return figure is not None and newest is not None and figure.owner == newest.owner


def terms_by_step(game: Game, filmstrip: Filmstrip, path: str, step: int) -> Iterator[tuple[int, FigureTerms | None]]:
    """Yield what a figure is worked out from after each step that stands. Raises LookupError or ValueError."""
    terms = words.GAMES[filmstrip.scene.ruleset].board.terms
    assert terms is not None
    line, keys = {*game.line(step)}, path.split("/")[1:]
    document = msgspec.to_builtins(opening_document(game, filmstrip.scene.sight))
    current: FigureTerms | None = None
    is_new = True
    for shown in filmstrip.steps[: step + 1]:
        if shown.step and shown.changes:
            fold(document, shown.changes)
            is_new = True
        if shown.step not in line:
            continue
        if is_new:
            current, is_new = terms(game.ruleset.typed_board(document, game.table), keys), False
        yield shown.step, current


def _explained_steps(
    filmstrip: Filmstrip, figures: Sequence[tuple[int, FigureTerms | None]]
) -> Iterator[ExplainedStep]:
    scene = filmstrip.scene
    for (before, was), (number_of_step, now) in pairwise(figures):
        if was is now:
            continue
        step = scene.unshown.redact_step(filmstrip.steps[number_of_step])
        effects = RULESETS[scene.ruleset].typed_effects(step.effects)
        changes = changes_of_figure(was, now, effects)
        if not changes:
            continue
        if not _is_same(was, now):
            was = None if now is not None else was
        by = now.total - was.total if was is not None and now is not None else 0
        yield ExplainedStep(
            number_of_step,
            before,
            [_part(scene.ruleset, step, effects, change, now or was, scene.names) for change in changes],
            _text(scene.ruleset, was),
            _text(scene.ruleset, now),
            _signed(scene.ruleset, now, by) if by else "",
        )


def _part(
    ruleset_id: str,
    step: StepShown,
    effects: Sequence[Effect],
    change: FigureChange,
    figure: FigureTerms | None,
    names: Names,
) -> ExplainedPart:
    """Put a part of a change into words: its cause, the effect and the inputs that it changed."""
    cause = words.GAMES[ruleset_id].board.cause
    places: list[int] = []
    for place in change.effects[:MAX_SENTENCES]:
        places += [each for each in (cause(effects, place), place) if each is not None and each not in places]
    says = "; ".join(words.effect_sentence(ruleset_id, step, step.effects[place], names) for place in places)
    if not says:
        says = words.sentence(ruleset_id, step, names)
        if step.decision is not None:
            says = say("{what}, entered by hand", what=says)
    if change.note:
        says = say("{what} ({note})", what=says, note=change.note)
    rule = str(step.effects[places[-1]].get("rule", "")) if places else ""
    return ExplainedPart(says, _signed(ruleset_id, figure, change.by) if change.by else "", rule)


def _text(ruleset_id: str, figure: FigureTerms | None) -> str:
    if figure is None:
        return "–"
    if not figure.is_money:
        return number(figure.total)
    return words.points_label(ruleset_id, figure.total)


def _signed(ruleset_id: str, figure: FigureTerms | None, by: Points) -> str:
    if figure is None or not figure.is_money:
        return words.with_sign(by)
    return signed_amount("+" if by > 0 else "−", words.points_label(ruleset_id, abs(by)))
