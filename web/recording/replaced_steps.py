"""Corrections by other users: decisions that replace struck ones, and a corrected board."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from daybook.domain import disputes
from daybook.domain.kernel.chronicle import place_of
from daybook.domain.kernel.events import BoardAdjusted, DecisionRecorded, DecisionsTakenBack
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.rule_parts import Cell
from daybook.domain.kernel.terms import Seat
from daybook.domain.sealed_entries import is_sealed_kind

MAX_STEPS_BACK = 40  # of which a correction is shown
MAX_LATER_DECISIONS = 3  # after a correction that is shown to viewers without a seat


class ReplacedStep(Frozen):
    """A correction: its step, and the struck step; None for a corrected board.

    late: it changed a figure of an earlier round.
    """

    step: int
    struck: int | None
    late: bool = False


def find_replaced_steps(game: Game, places: Collection[str], own: Seat | None, keeps: bool) -> list[ReplacedStep]:
    """Return the newest corrections that other users made, in order. A player's next decision ends what it sees.

    A figure of an earlier round that was changed is shown to its player and to the scorekeeper, until the round ends.

    Args:
        places: of the viewer at the table, such as "seat:1".
        own: the seat of a viewer who plays with one seat's link.
        keeps: the viewer is the scorekeeper.
    """
    replacing, found = _replacing_steps(game) | _undone_adjustments(game), []
    late = [
        step
        for step in _late_figures(game)
        if keeps or own is None or own == getattr(game.entries[step].event, "seat", None)
    ]
    late += _reopening_steps(game)
    for step in sorted({*_newest_adjustment(game), *replacing, *late}):
        if place_of(game.writers[step]) in places or step <= game.step - MAX_STEPS_BACK:
            continue
        if game.ruleset.course.figure is not None and _period(game, step) != _period(game, game.step):
            continue
        later = [
            event.seat
            for entry in game.entries[step + 1 :]
            if isinstance(event := entry.event, DecisionRecorded)
            and event.copied_from_step is None
            and event.corrects_step is None
        ]
        if step not in late and (own in later if own is not None else len(later) > MAX_LATER_DECISIONS):
            continue
        found.append(ReplacedStep(step, replacing.get(step), step in late))
    return found


def _undone_adjustments(game: Game) -> dict[int, int]:
    """Return each of the newest take-backs that undid a correction of the board, with that correction."""
    found = {}
    for back in game.take_backs[-2:]:
        to = getattr(game.entries[back].event, "to_step", 0)
        if game.heads[to] not in {*game.line_back()}:
            continue
        carried = {getattr(game.entries[step].event, "copied_from_step", None) for step in game.line_since(to)}
        for step in game.line_since(to, back - 1):
            if isinstance(game.entries[step].event, BoardAdjusted) and step not in carried:
                found[back] = step
    return found


def late_figure(game: Game, step: int) -> tuple[Cell, dict[str, Any]] | None:
    """Return the cell and the effect of a figure of an earlier round that a step entered, changed or cleared."""
    return _figure(game, step) if disputes.enters_earlier_round(game, step) else None


def _figure(game: Game, step: int) -> tuple[Cell, dict[str, Any]] | None:
    """Return the cell that a step fills or empties, with the effect; None for other steps and games."""
    figure, event = game.ruleset.course.figure, game.entries[step].event
    if figure is None or not isinstance(event, DecisionRecorded):
        return None
    cells = ((figure(game.ruleset.effect(effect)), effect) for effect in event.effects)
    return next(((cell[0], effect) for cell, effect in cells if cell is not None), None)


def _period(game: Game, step: int) -> int:
    """Return the number of the finest period after a step; 0 without periods."""
    return game.figures_at(step).marks.get(game.ruleset.course.periods[-1], 0) if game.ruleset.course.periods else 0


def reopened_period(game: Game, step: int) -> int:
    """Return the number of the round of a sheet that a take-back opened again; 0 for other steps and games."""
    is_back = game.ruleset.course.figure is not None and isinstance(game.entries[step].event, DecisionsTakenBack)
    return _period(game, step) if is_back and _period(game, step) < _period(game, step - 1) else 0


def _reopening_steps(game: Game) -> list[int]:
    """Return the newest take-backs that opened a round again."""
    return [back for back in game.take_backs[-2:] if reopened_period(game, back)]


def _late_figures(game: Game) -> list[int]:
    """Return the steps of this round that changed a figure of an earlier one."""
    if game.ruleset.course.figure is None:
        return []
    found = []
    for step in game.line_back():
        if step <= game.step - MAX_STEPS_BACK or _period(game, step) != _period(game, game.step):
            break
        if getattr(game.entries[step].event, "copied_from_step", None) is None and late_figure(game, step):
            found.append(step)
    return found


def _newest_adjustment(game: Game) -> Iterator[int]:
    """Yield the step of the newest correction of the board, if it stands."""
    for step in game.line_back():
        event = game.entries[step].event
        if isinstance(event, BoardAdjusted) and event.copied_from_step is None:
            yield step
            return
        if step <= game.step - MAX_STEPS_BACK:
            return


def _replacing_steps(game: Game) -> dict[int, int]:
    """Return the decision that differs first after each of the newest take-backs, with the struck one in its place.

    A figure of a sheet replaces a struck one only in the same cell, and another decision only one of the same player.
    """
    found: dict[int, int] = {}
    for back in game.take_backs[-2:]:
        to = getattr(game.entries[back].event, "to_step", 0)
        if game.heads[to] not in {*game.line_back()}:
            continue
        struck, stands = game.line_since(to, back - 1), game.line_since(to)
        if game.ruleset.course.figure is not None:
            found |= _replacing_figures(game, struck, stands)
            continue
        for old, new in zip_longest(struck, stands):
            if old is None or new is None:
                break
            was, now = game.entries[old].event, game.entries[new].event
            if not isinstance(was, DecisionRecorded) or not isinstance(now, DecisionRecorded):
                break
            if (was.seat, was.decision) != (now.seat, now.decision):
                is_sealed = is_sealed_kind(game, was.decision) or is_sealed_kind(game, now.decision)
                if was.seat == now.seat and not is_sealed:
                    found[new] = old
                break
    return found


def _replacing_figures(game: Game, struck: Sequence[int], stands: Sequence[int]) -> dict[int, int]:
    """Return the figures that stand in a cell of another, struck one."""
    cells = {figure[0]: step for step in struck if (figure := _figure(game, step))}
    found: dict[int, int] = {}
    for step in stands:
        figure = _figure(game, step)
        old = cells.pop(figure[0], None) if figure else None
        if old is not None and _value(game, old) != _value(game, step):
            found[step] = old
    return found


def _value(game: Game, step: int) -> Any:
    event = game.entries[step].event
    return event.decision.get("value") if isinstance(event, DecisionRecorded) else None
