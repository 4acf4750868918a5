"""The ledger: each step of a record as one row, with who, what, by which rule, and each column's change and value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from domain.ruleset import TABLE, Seat
from services.replay import StepShown
from web.words import (
    N_,
    Names,
    by_label,
    column_value,
    mark_label,
    say,
    signed,
    step_sentences,
)

Columns = Mapping[str, Sequence[int]]

STRUCK = {
    "table": N_("taken back by step {step}, by the table"),
    "mistyped": N_("taken back by step {step}, mistyped"),
    "ruling": N_("taken back by step {step}, by a ruling"),
}


class Told(msgspec.Struct, frozen=True):
    """One sentence and the rule that caused it; no rule for what the record itself says."""

    says: str
    rule: str = ""


class Cell(msgspec.Struct, frozen=True):
    """A column's value after the step. by: its change, with the sign; empty where it stayed."""

    value: str
    by: str


class Figures(msgspec.Struct, frozen=True):
    """The columns of one seat."""

    seat: Seat
    cells: list[Cell]


class Row(msgspec.Struct, frozen=True):
    """One step. period, turn: where the game was when the step was taken; heading: a period begins with it.

    kind: "decision", "fact" (decided by the table) or the event's own tag. plain: nothing that counts came of it.
    """

    step: int
    kind: str
    seat: Seat | None
    told: list[Told]
    figures: list[Figures]
    plain: bool
    turn: int
    period: str
    heading: str
    at: str
    by: str
    struck_by: int | None
    struck: str


def rows(
    game: str, steps: Sequence[StepShown], names: Names, columns: Sequence[str], periods: Sequence[str],
    wanted: Sequence[int],
) -> list[Row]:
    """The rows of the wanted steps.

    steps: all steps from the opening on; columns: in the order of the ledger; periods: the marks that head it.
    """
    return [_row(game, steps, step, names, columns, periods) for step in wanted]


def _row(
    game: str, steps: Sequence[StepShown], step: int, names: Names, columns: Sequence[str], periods: Sequence[str]
) -> Row:
    shown, before = steps[step], steps[max(0, step - 1)]
    figures = _figures(game, columns, before.columns, shown.columns, shown.seat) if step else []
    period = period_of(game, before.marks, periods)
    earlier = period_of(game, steps[max(0, step - 2)].marks, periods)
    return Row(
        step=step, kind=_kind(shown), seat=shown.seat, told=_told(game, shown, names), figures=figures,
        plain=shown.type == "decision_recorded" and (shown.seat == TABLE or not figures),
        turn=before.marks.get("turn", 0), period=period, heading=period if step == 1 or period != earlier else "",
        at=shown.at, by=by_label(shown.by, names), struck_by=shown.struck_by, struck=_struck(steps, shown))


def _kind(step: StepShown) -> str:
    if step.type != "decision_recorded":
        return step.type
    return "fact" if step.seat == TABLE else "decision"


def period_of(game: str, marks: Mapping[str, int], periods: Sequence[str]) -> str:
    """Where the game is, by the marks that are scored when they end: round 3."""
    return ", ".join(mark_label(game, mark, marks[mark]) for mark in periods if mark in marks) or say("set-up")


def _told(game: str, step: StepShown, names: Names) -> list[Told]:
    says = step_sentences(game, step, names)
    rules = [str(effect["rule"]) for effect in step.effects]
    return [Told(text, rules[place] if place < len(rules) else "") for place, text in enumerate(says)]


def _struck(steps: Sequence[StepShown], step: StepShown) -> str:
    if step.struck_by is None:
        return ""
    by = steps[step.struck_by]
    return say(STRUCK[by.cause], step=step.struck_by) + (f": {by.why}" if by.why else "")


def _figures(
    game: str, columns: Sequence[str], before: Columns, after: Columns, seat: Seat | None
) -> list[Figures]:
    """The seats whose columns changed, the one that decided first."""
    seats = range(len(after[columns[0]]))
    changed = [each for each in seats if any(before[column][each] != after[column][each] for column in columns)]
    return [
        Figures(each, [
            Cell(column_value(game, column, after[column][each]), _by(before[column][each], after[column][each]))
            for column in columns])
        for each in sorted(changed, key=lambda each: (each != seat, each))
    ]


def _by(before: int, after: int) -> str:
    return "" if before == after else signed(after - before)


def jumps(game: str, steps: Sequence[StepShown], periods: Sequence[str]) -> list[tuple[int, str]]:
    """The steps at which a period begins, and its name; the opening first."""
    found: list[tuple[int, str]] = []
    for step in steps:
        name = period_of(game, step.marks, periods)
        if not found or found[-1][1] != name:
            found.append((step.step, name))
    return found
