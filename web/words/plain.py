"""Default words for games without their own: the names of decisions, effects and fields, made readable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.web.words.say import Names, Texts, number, say, seat_name

SEAT = "seat"
COLOURS: Texts = {
    "red": "red",
    "blue": "blue",
    "green": "green",
    "yellow": "yellow",
    "black": "black",
    "white": "white",
}


def spaced_name(name: str) -> str:
    """Return a tag or field name as words: "last_pebble" as "last pebble"."""
    return name.replace("_", " ")


def label(texts: Mapping[str, str], name: str) -> str:
    """Return the game's text for a name, or the name itself."""
    return say(texts[name]) if name in texts else spaced_name(name)


def value(field: str, field_value: Any, names: Names) -> str:
    """Format a field's value in words common to all games."""
    if field_value is None:
        return "–"
    if isinstance(field_value, bool):
        return say("yes") if field_value else say("no")
    if field == SEAT and isinstance(field_value, int) and (field_value == TABLE or 0 <= field_value < len(names)):
        return seat_name(field_value, names)
    if isinstance(field_value, Mapping):
        parts = {spaced_name(str(name)): value("", part, names) for name, part in field_value.items() if name != "type"}
        return ", ".join(f"{name}: {part}" for name, part in parts.items())
    if isinstance(field_value, Sequence) and not isinstance(field_value, str):
        return ", ".join(value(field, part, names) for part in field_value)
    if field_value in COLOURS:
        return say(COLOURS[field_value])
    return spaced_name(field_value) if isinstance(field_value, str) else number(field_value)


def sentence(tagged: msgspec.Struct, names: Names) -> str:
    """Describe a decision or effect by its tag and fields: "Anna: taken, pebbles 3"."""
    fields: dict[str, Any] = msgspec.to_builtins(tagged)
    parts = ", ".join(
        [
            spaced_name(tag_of(type(tagged))),
            *(
                f"{spaced_name(name)} {value(name, field_value, names)}"
                for name, field_value in fields.items()
                if name not in ("type", "rule", SEAT)
            ),
        ]
    )
    seat = fields.get(SEAT)
    if not isinstance(seat, int):
        return parts
    return say("{name}: {decision}", name=value(SEAT, seat, names), decision=parts)


def prompt(board: Any, seat: Seat, names: Names) -> str:
    """Return the same prompt for every decision, for games without words."""
    return say("waiting for a decision")
