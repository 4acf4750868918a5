"""Words for what a game has none for: the names of its decisions, effects and fields, as readable as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.web.words.say import Names, Texts, say, seat_name

SEAT = "seat"
COLOURS: Texts = {
    "red": "red",
    "blue": "blue",
    "green": "green",
    "yellow": "yellow",
    "black": "black",
    "white": "white",
}


def readable(name: str) -> str:
    """A tag or the name of a field: "last_pebble" is told as "last pebble"."""
    return name.replace("_", " ")


def label(texts: Mapping[str, str], name: str) -> str:
    """The game's text for a name, or the name itself."""
    return say(texts[name]) if name in texts else readable(name)


def value(field: str, of: Any, names: Names) -> str:
    """The value of a field in words that every game shares."""
    if of is None:
        return "–"
    if isinstance(of, bool):
        return say("yes") if of else say("no")
    if field == SEAT and isinstance(of, int) and (of == TABLE or 0 <= of < len(names)):
        return seat_name(of, names)
    if isinstance(of, Mapping):
        parts = {readable(str(name)): value("", part, names) for name, part in of.items() if name != "type"}
        return ", ".join(f"{name}: {part}" for name, part in parts.items())
    if isinstance(of, Sequence) and not isinstance(of, str):
        return ", ".join(value(field, part, names) for part in of)
    if of in COLOURS:
        return say(COLOURS[of])
    return readable(of) if isinstance(of, str) else str(of)


def sentence(tagged: msgspec.Struct, names: Names) -> str:
    """A decision or an effect by its tag and its fields: "Anna: taken, pebbles 3"."""
    fields: dict[str, Any] = msgspec.to_builtins(tagged)
    told = ", ".join(
        [
            readable(tag_of(type(tagged))),
            *(
                f"{readable(name)} {value(name, of, names)}"
                for name, of in fields.items()
                if name not in ("type", "rule", SEAT)
            ),
        ]
    )
    seat = fields.get(SEAT)
    if not isinstance(seat, int):
        return told
    return say("{name}: {decision}", name=value(SEAT, seat, names), decision=told)


def prompt(board: Any, seat: Seat, names: Names) -> str:
    return say("waiting for a decision")
