"""From the list of legal decisions to one of them, question by question; the same code for every game.

First the kind, then each field in turn. Only values that are still possible are offered, and a question with one
answer left is not asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from domain.ruleset import TABLE, Seat
from web import words
from web.words import Names

Plain = dict[str, Any]
SHORT = 24  # characters of choices shown on a button
INLINE = 8  # decisions written at the first tap stand beside the other kinds, if there are no more than these


class Question(msgspec.Struct, frozen=True):
    """A field that is still open, and what it may be, each value with the decisions it leaves."""

    field: str
    values: list[tuple[Any, list[Plain]]]


class Way(msgspec.Struct, frozen=True):
    """One button. decision: what it comes to; None: it leads to a question. query: the address it leads to.

    marked: the seat whose mark stands on it. values: what it leaves to choose, in short.
    """

    label: str
    decision: Plain | None
    query: dict[str, str]
    at_once: bool = False
    marked: Seat | None = None
    values: str = ""
    note: str = ""


class Asking(msgspec.Struct, frozen=True):
    """What words and marks need: the game, its names, its colours by seat, its printed numbers."""

    game: str
    names: Names
    colours: tuple[str, ...]
    printed: Mapping[str, Any]


def by_kind(decisions: Sequence[Plain]) -> dict[str, list[Plain]]:
    """The decisions by their kind, in their order."""
    kinds: dict[str, list[Plain]] = {}
    for decision in decisions:
        kinds.setdefault(decision["type"], []).append(decision)
    return kinds


def narrowed(decisions: Sequence[Plain], chosen: Mapping[str, Any]) -> list[Plain]:
    return [d for d in decisions if all(written(d.get(field)) == written(value) for field, value in chosen.items())]


def question(decisions: Sequence[Plain], chosen: Mapping[str, Any]) -> Question | None:
    """The next question about decisions of one kind; None when one decision is left."""
    left = narrowed(decisions, chosen)
    for field in dict.fromkeys(field for decision in left for field in decision if field != "type"):
        values = list(_by_value(left, field))
        if field not in chosen and len(values) > 1:
            return Question(field, values)
    return None


def _by_value(decisions: Sequence[Plain], field: str) -> Iterator[tuple[Any, list[Plain]]]:
    groups: dict[str, tuple[Any, list[Plain]]] = {}
    for decision in decisions:
        value = decision.get(field)
        groups.setdefault(written(value), (value, []))[1].append(decision)
    return iter(groups.values())


# --- addresses: ?seat=0&kind=buy_stock&d.colour="red" ---


def written(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def chosen_in(args: Mapping[str, str]) -> dict[str, Any]:
    """The fields that an address has chosen; what cannot be read is not chosen."""
    chosen = {}
    for name, text in args.items():
        if name.startswith("d."):
            try:
                chosen[name[2:]] = json.loads(text)
            except (ValueError, RecursionError):
                continue
    return chosen


def query(seat: Seat, kind: str = "", chosen: Mapping[str, Any] | None = None) -> dict[str, str]:
    address = {"seat": str(seat)}
    if kind:
        address["kind"] = kind
    address.update((f"d.{field}", written(value)) for field, value in (chosen or {}).items())
    return address


# --- buttons ---


def ways(asking: Asking, seat: Seat, decisions: Sequence[Plain]) -> list[Way]:
    """The buttons to begin with: one for each kind, and small decisions one by one where they stand alone."""
    kinds = by_kind(decisions)
    at_once = words.GAMES[asking.game].at_once
    listed: list[Way] = []
    for kind, some in kinds.items():
        asked = question(some, {})
        small = kind in at_once and len(some) <= INLINE and len(kinds) == 2
        if asked is None or small or _yes_or_no(some):
            listed.extend(_whole(asking, seat, decision) for decision in some)
        elif len(kinds) == 1:
            listed.extend(answers(asking, seat, kind, {}, asked))
        else:
            listed.append(Way(
                words.kind_label(asking.game, kind), None, query(seat, kind), values=_in_short(asking, asked)))
    return listed


def _yes_or_no(decisions: Sequence[Plain]) -> bool:
    return all(isinstance(part, bool) for d in decisions for field, part in d.items() if field != "type")


def answers(asking: Asking, seat: Seat, kind: str, chosen: Mapping[str, Any], asked: Question) -> list[Way]:
    """The buttons of a question."""
    listed = []
    for value, left in asked.values:
        further = {**chosen, asked.field: value}
        decided = question(left, further) is None
        listed.append(Way(
            label=words.value_label(asking.game, asked.field, value, asking.names),
            decision=left[0] if decided else None,
            query=query(seat, kind, further),
            at_once=decided and kind in words.GAMES[asking.game].at_once,
            marked=marked_seat(asking, asked.field, value),
            note=words.GAMES[asking.game].aside(asked.field, value, asking.printed)))
    return listed


def _whole(asking: Asking, seat: Seat, decision: Plain) -> Way:
    kind = decision["type"]
    fields = {field: value for field, value in decision.items() if field != "type"}
    return Way(
        label=words.decision_label(asking.game, decision, asking.names), decision=decision,
        query=query(seat, kind, fields), at_once=kind in words.GAMES[asking.game].at_once,
        marked=next((about for field, value in fields.items()
                     if (about := marked_seat(asking, field, value)) is not None), None))


def marked_seat(asking: Asking, field: str, value: Any) -> Seat | None:
    """The seat that a value is about: a seat itself, or the one that plays a colour."""
    if field in words.GAMES[asking.game].seat_fields and isinstance(value, int):
        return value if value != TABLE else None
    if isinstance(value, str) and value in asking.colours:
        return asking.colours.index(value)
    return None


def _in_short(asking: Asking, asked: Question) -> str:
    """The values of a question on one line, if they fit on it."""
    line = ", ".join(words.value_label(asking.game, asked.field, value, asking.names) for value, _ in asked.values)
    return line if len(line) <= SHORT else words.say_n("{n} way", "{n} ways", len(asked.values))
