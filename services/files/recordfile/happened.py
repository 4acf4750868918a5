"""A line of a bare file: one thing that happened, as a person or another program writes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from daybook.domain.kernel.record import (
    OF_WRITING,
    AnyEvent,
    Aside,
    BoardAdjusted,
    Cause,
    DecisionAsPlayed,
    DecisionRecorded,
    DecisionsTakenBack,
    GameAbandoned,
    GameClosed,
    GameReopened,
    NoteAdded,
    Place,
    TableCounted,
)
from daybook.services.files.recordfile.headers import ENCODER
from daybook.services.files.recordfile.lines import BadFile, decoded


class TakenBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The step it went back to. Line 1 is step 0."""

    to: int
    cause: Cause = "table"
    why: str = ""


class Adjusted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What really lies where: path -> value."""

    values: dict[str, Any]
    why: str
    cause: Cause = "table"


class Noted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    about: int
    text: str


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to say: the rules know the totals."""


class Because(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    why: str


class Stood(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The decision of this line is refused by the rules and stood at the table.

    values: what really lay where afterwards; computed: the rules carry it out first, as far as they can.
    """

    values: dict[str, Any] = {}
    why: str = ""
    computed: bool = True


class Counted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What really lies there: path -> value."""

    values: dict[str, Any]
    text: str = ""


class BareLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that happened: `seat` with `decision`, or one of the others.

    as_played: beside a decision. aside: an entry of a claim or a count, its `type` and its fields as in a full file.
    carried_from, corrects, answers: steps, as in a full file. step: the line's number less one, if it is written at
    all. at, by: when and by whom it was written down.
    """

    seat: int | None = None
    decision: dict[str, Any] | None = None
    as_played: Stood | None = None
    takeback: TakenBack | None = None
    adjust: Adjusted | None = None
    note: Noted | None = None
    count: Counted | None = None
    aside: dict[str, Any] | None = None
    close: Closed | None = None
    abandon: Because | None = None
    reopen: Because | None = None
    carried_from: int | None = None
    corrects: int | None = None
    answers: int | None = None
    step: int | None = None
    at: str | None = None
    by: str | None = None

    @property
    def place(self) -> Place:
        return Place(self.carried_from, self.corrects, self.answers)

    @property
    def happened(self) -> BareLine:
        """Only what happened, without who wrote it down and when: equal for equal records."""
        return msgspec.structs.replace(self, step=None, at=None, by=None)


KINDS = ("decision", "takeback", "adjust", "note", "count", "aside", "close", "abandon", "reopen")


def read_bare_line(number: int, line: bytes) -> BareLine:
    """One line of a bare file. Raises BadFile."""
    bare: BareLine = decoded(number, line, BareLine)
    kinds = [
        name for name in KINDS if getattr(bare, name) is not None
    ]
    if len(kinds) != 1:
        raise BadFile(number, "a line is one of: decision (with seat), {others}", others=", ".join(KINDS[1:]))
    if (bare.seat is None) == (kinds == ["decision"]):
        raise BadFile(number, "a decision has a seat, and nothing else has one")
    if bare.as_played is not None and kinds != ["decision"]:
        raise BadFile(number, "only a decision is as_played")
    if bare.step is not None and bare.step != number - 1:
        raise BadFile(
            number, "it says step {given}; line {line} is step {step}", given=bare.step, line=number, step=number - 1)
    return bare


def encoded(line: BareLine) -> bytes:
    """A bare line as it is written, without a line end."""
    return ENCODER.encode(line)


def bare_line(event: AnyEvent) -> BareLine:
    """What happened at a step other than the opening."""
    match event:
        case DecisionAsPlayed():
            stood = Stood(event.by_hand, event.why, event.computed)
            return BareLine(
                seat=event.seat, decision=event.decision, as_played=stood, carried_from=event.carried_from,
                corrects=event.corrects, answers=event.answers)
        case DecisionRecorded():
            return BareLine(
                seat=event.seat, decision=event.decision, carried_from=event.carried_from, corrects=event.corrects,
                answers=event.answers)
        case DecisionsTakenBack():
            return BareLine(takeback=TakenBack(event.to, event.cause, event.why), answers=event.answers)
        case BoardAdjusted():
            return BareLine(
                adjust=Adjusted(_values(event.changes), event.why, event.cause), carried_from=event.carried_from,
                answers=event.answers)
        case NoteAdded():
            return BareLine(note=Noted(event.about, event.text))
        case TableCounted():
            return BareLine(count=Counted(event.counted, event.text))
        case Aside():
            fields: dict[str, Any] = msgspec.to_builtins(event)
            return BareLine(aside={name: value for name, value in fields.items() if name not in OF_WRITING})
        case GameClosed():
            return BareLine(close=Closed())
        case GameAbandoned():
            return BareLine(abandon=Because(event.why))
        case GameReopened():
            return BareLine(reopen=Because(event.why))
    raise AssertionError(f"{event} opens the game")


def _values(changes: Mapping[str, list[Any]]) -> dict[str, Any]:
    return {path: after for path, (_, after) in changes.items()}
