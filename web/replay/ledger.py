"""Ledger: one row per step with author, action, rule, and each column's change and value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points, is_points
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.services.play.replay import StepShown
from daybook.services.store.history import has_gone_back
from daybook.web.boards.table_privacy import NOTHING, TablePrivacy
from daybook.web.words import (
    GAMES,
    N_,
    Names,
    by_label,
    column_value,
    draw_sentence,
    join_words,
    marks_label,
    path_label,
    reason_sentence,
    say,
    step_sentences,
    with_sign,
)
from daybook.web.words.say import Texts, say_n

Columns = Mapping[str, Sequence[Points]]

STRUCK: Texts = {
    "table": "undone by step {step}, by the table",
    "mistyped": "undone by step {step}, mistyped",
    "ruling": "undone by step {step}, by a ruling",
}
OBJECTED: Texts = {"decision": "{reason}", "board": "the board after this step: {reason}"}
WRITTEN_BY = N_("{struck}; recorded by {who}")


class LedgerSentence(Frozen):
    """One sentence and the rule that caused it; no rule for what the record itself says."""

    says: str
    rule: str = ""


class LedgerNote(Frozen):
    """Note at a step.

    Args:
        kind: "stood" for a kept illegal move, "kin" for a related step, or "clock".
        step: the related step.
        rule: the rule concerned.
    """

    kind: str
    says: str
    step: int | None = None
    rule: str = ""


class LedgerCell(Frozen):
    """A column's value after the step. by: its change, with the sign; empty where it stayed."""

    value: str
    by: str


class SeatColumns(Frozen):
    """The columns of one seat."""

    seat: Seat
    cells: list[LedgerCell]


class LedgerRow(Frozen):
    """One step. period, turn: where the game was when the step was taken; heading: a period begins with it.

    kind: "decision", "fact" (decided by the table) or the event's own tag. plain: nothing that counts came of it.
    folds: the number of steps that this step struck out.
    """

    step: int
    kind: str
    seat: Seat | None
    told: list[LedgerSentence]
    figures: list[SeatColumns]
    plain: bool
    turn: int
    period: str
    heading: str
    at: str
    by: str
    taken_back_by: int | None
    struck: str
    notes: list[LedgerNote] = []
    folds: int = 0


def build_rows(
    ruleset_id: str,
    steps: Sequence[StepShown],
    names: Names,
    columns: Sequence[str],
    periods: Sequence[str],
    wanted: Sequence[int],
    view: TablePrivacy = NOTHING,
    writers: Mapping[str, str] = {},
) -> list[LedgerRow]:
    """Build the rows of the wanted steps.

    Args:
        steps: all steps from the opening on.
        columns: in ledger order.
        periods: marks of its headings.
        writers: names of authors by id.
    """
    heirs, copies = replacements_of(steps), unchanged_copies(steps)
    struck = Counter(step.taken_back_by for step in steps)
    rows = [
        _ledger_row(ruleset_id, steps, step, names, columns, periods, view, heirs, copies, writers) for step in wanted
    ]
    return [msgspec.structs.replace(row, folds=struck[row.step]) if row.step in struck else row for row in rows]


def unchanged_copies(steps: Sequence[StepShown]) -> set[int]:
    """Return the steps that corrections copied with the same result."""
    return {
        step.step
        for step in steps
        if step.copied_from_step is not None
        and (old := steps[step.copied_from_step]).taken_back_by is not None
        and (old.effects, old.changes) == (step.effects, step.changes)
    }


def replacements_of(steps: Sequence[StepShown]) -> dict[int, list[int]]:
    """Return, for struck steps, the steps that replace them after a correction."""
    heirs: dict[int, list[int]] = {}
    for step in steps:
        old = step.copied_from_step if step.corrects_step is None else step.corrects_step
        if old is not None:
            heirs.setdefault(old, []).append(step.step)
    return heirs


def _ledger_row(
    ruleset_id: str,
    steps: Sequence[StepShown],
    step: int,
    names: Names,
    columns: Sequence[str],
    periods: Sequence[str],
    view: TablePrivacy,
    heirs: Mapping[int, Sequence[int]],
    copies: Collection[int],
    writers: Mapping[str, str],
) -> LedgerRow:
    shown, before = view.redact_step(steps[step]), steps[max(0, step - 1)]
    figures = _changed_figures(ruleset_id, columns, before.columns, shown.columns, shown.seat, view) if step else []
    period, earlier = (period_of_step(ruleset_id, steps, at, periods) for at in (step, max(0, step - 1)))
    return LedgerRow(
        step=step,
        kind=_row_kind(shown),
        seat=shown.seat,
        told=_ledger_sentences(ruleset_id, shown, names),
        figures=figures,
        plain=shown.type == "decision_recorded" and (shown.seat == TABLE or not figures),
        turn=before.marks.get("turn", 0),
        period=period,
        heading=period if step == 1 or period != earlier else "",
        at=shown.at,
        by=by_label(shown.by, names, writers),
        taken_back_by=shown.taken_back_by,
        struck=_struck_sentence(steps, shown, names, writers),
        notes=[
            *(clock_note(before.at, shown.at) if step else ()),
            *build_notes(ruleset_id, shown, names, view, heirs.get(step, ()), is_unchanged=step in copies),
        ],
    )


def clock_note(before: str, at: str) -> Iterator[LedgerNote]:
    """Say that the clock went back between two steps: the times on one side of it are wrong."""
    if not has_gone_back(before, at):
        return
    back = datetime.fromisoformat(before) - datetime.fromisoformat(at)
    hours = round(back.total_seconds() / 3600)
    if back.days:
        says = say_n(
            "The clock went back by {n} day before this step.",
            "The clock went back by {n} days before this step.",
            back.days,
        )
    elif hours:
        says = say_n(
            "The clock went back by {n} hour before this step.",
            "The clock went back by {n} hours before this step.",
            hours,
        )
    else:
        says = say("The clock went back by some minutes before this step.")
    yield LedgerNote("clock", says)


def build_notes(
    ruleset_id: str,
    step: StepShown,
    names: Names,
    view: TablePrivacy = NOTHING,
    heirs: Sequence[int] = (),
    is_unchanged: bool = False,
) -> list[LedgerNote]:
    """Build notes: objections, corrections by hand, and related steps.

    Args:
        is_unchanged: a correction carried the step over with the same result, which needs no note.
    """
    notes = []
    if step.objections:
        notes.append(
            LedgerNote(
                "stood", say("Against the rules, but the table let it stand") + (f": {step.why}" if step.why else "")
            )
        )
        notes += [
            LedgerNote(
                "stood",
                say(OBJECTED[objection.about], reason=reason_sentence(objection.reason, ruleset_id, names)),
                rule=objection.rule,
            )
            for objection in step.objections
        ]
        places = [place for path in step.values if (place := _place_sentence(ruleset_id, path, step, names, view))]
        if places:
            notes.append(LedgerNote("stood", say("entered by hand: {places}", places=join_words(places))))
        elif not step.rules_applied:
            notes.append(LedgerNote("stood", say("the results were entered by hand")))
    if step.copied_from_step is not None and not is_unchanged:
        notes.append(
            LedgerNote(
                "kin",
                say("has another result since a correction; first recorded as step {step}", step=step.copied_from_step),
                step.copied_from_step,
            )
        )
    if step.corrects_step is not None:
        notes.append(LedgerNote("kin", say("corrects step {step}", step=step.corrects_step), step.corrects_step))
    if step.answers_step is not None:
        notes.append(LedgerNote("kin", say("reply to step {step}", step=step.answers_step), step.answers_step))
    notes += draw_notes(step)
    notes += [LedgerNote("kin", say("recorded again as step {step}", step=heir), heir) for heir in heirs]
    return notes


def draw_notes(step: StepShown) -> list[LedgerNote]:
    """Return a note on a fact that Daybook drew, or that the table put by hand after it undid a draw."""
    sentence = draw_sentence(step)
    return [LedgerNote("kin", sentence, step.replaces_drawn_step)] if sentence else []


def _place_sentence(ruleset_id: str, path: str, step: StepShown, names: Names, view: TablePrivacy) -> str:
    """Describe a place changed by hand, with its value, if the game can name it."""
    try:
        place = path_label(ruleset_id, path, names)
    except KeyError:
        return path.strip("/").replace("/", " ").replace("_", " ")
    value = step.values[path]
    return (
        f"{place} {value}"
        if is_points(value) and not view.hides_place(path) and not GAMES[ruleset_id].board.holds_seat(path)
        else place
    )


def _row_kind(step: StepShown) -> str:
    if step.type != "decision_recorded":
        return step.type
    return "fact" if step.seat == TABLE else "decision"


def period_of_step(ruleset_id: str, steps: Sequence[StepShown], step: int, periods: Sequence[str]) -> str:
    """Return the period in which a step was taken; for one that took others back, the period it led to."""
    shown = steps[step if steps[step].type == "decisions_taken_back" else max(0, step - 1)]
    return period_label(ruleset_id, shown.marks, periods)


def period_label(ruleset_id: str, marks: Mapping[str, int], periods: Sequence[str]) -> str:
    """Return the current period by its marks: round 3. A sheet without rounds has none, and is counted at the end."""
    marked = {mark: marks[mark] for mark in (*periods, "sheet") if mark in marks}
    return marks_label(ruleset_id, marked) or say("set-up")


def _ledger_sentences(ruleset_id: str, step: StepShown, names: Names) -> list[LedgerSentence]:
    says = step_sentences(ruleset_id, step, names)
    rules = [str(effect["rule"]) for effect in step.effects]
    return [LedgerSentence(text, rules[place] if place < len(rules) else "") for place, text in enumerate(says)]


def _struck_sentence(steps: Sequence[StepShown], step: StepShown, names: Names, writers: Mapping[str, str]) -> str:
    """Describe what struck a step, with author and reason."""
    if step.taken_back_by is None:
        return ""
    by = steps[step.taken_back_by]
    struck = say(STRUCK[by.cause], step=step.taken_back_by)
    return say(WRITTEN_BY, struck=struck, who=by_label(by.by, names, writers)) + (f": {by.why}" if by.why else "")


def _changed_figures(
    ruleset_id: str, columns: Sequence[str], before: Columns, after: Columns, seat: Seat | None, view: TablePrivacy
) -> list[SeatColumns]:
    """Return the seats with changed columns, the deciding one first."""
    seats = range(len(after[columns[0]]))
    changed = [each for each in seats if any(before[column][each] != after[column][each] for column in columns)]
    return [
        SeatColumns(
            each,
            [
                _build_cell(
                    ruleset_id, column, before[column][each], after[column][each], view.hides_column(column, each)
                )
                for column in columns
            ],
        )
        for each in sorted(changed, key=lambda each: (each != seat, each))
    ]


def _build_cell(ruleset_id: str, column: str, before: Points, after: Points, veiled: bool) -> LedgerCell:
    """Build a cell; changes are public, but hidden totals are left out."""
    change_text = _change_text(before, after)
    return LedgerCell(("" if change_text else "–") if veiled else column_value(ruleset_id, column, after), change_text)


def _change_text(before: Points, after: Points) -> str:
    return "" if before == after else with_sign(after - before)


def period_starts(ruleset_id: str, steps: Sequence[StepShown], periods: Sequence[str]) -> list[tuple[int, str]]:
    """Return the first step and name of each period, opening first, as the ledger has them."""
    starts: list[tuple[int, str]] = []
    for step, before in zip(steps, [*steps[:1], *steps], strict=False):
        name = period_label(ruleset_id, before.marks, periods)
        if not starts or starts[-1][1] != name:
            starts.append((step.step, name))
    return starts
