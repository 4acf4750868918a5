"""What is wrong with a decision that somebody wrote by hand: which word nobody knows, and which there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from domain.ruleset import Decision, Ruleset

EXPECTED = re.compile(r"Expected `([^`]+)`, got `([^`]+)` - at `\$\.([^`]+)`")
KINDS = {
    "str": "a text", "int": "a whole number", "bool": "true or false", "array": "a list", "object": "an object",
    "null": "nothing", "float": "a number with a fraction",
}


def misread(ruleset: Ruleset[Any], given: Mapping[str, Any], wrong: msgspec.ValidationError) -> str:
    """Why plain values are no decision of a game, in words for who wrote them. wrong: what the reader said."""
    kinds: dict[str, type[Decision]] = {
        str(kind.__struct_config__.tag): kind for kind in get_args(ruleset.decisions)}
    if "type" not in given:
        return f"the decision has no type; {ruleset.title} has: {_listed(kinds)}"
    if not isinstance(given["type"], str) or given["type"] not in kinds:
        return f"{given['type']!r} is no decision of {ruleset.title}; it has: {_listed(kinds)}"
    return f"{given['type']}: {_field_misread(kinds[given['type']], given, wrong)}"


def _field_misread(kind: type[Decision], given: Mapping[str, Any], wrong: msgspec.ValidationError) -> str:
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for name in given:
        if name != "type" and name not in fields:
            return f"it has no field {name!r}; {f'it has: {_listed(fields)}' if fields else 'it has none'}"
    for name, field in fields.items():
        if name not in given and field.required:
            return f"the field {name!r} is missing"
    hints = get_type_hints(kind)
    for name, value in given.items():
        words = _words(hints[name]) if name in fields else []
        if words and isinstance(value, str) and value not in words:
            return f"{name} cannot be {value!r}; it is one of: {', '.join(words)}"
    found = EXPECTED.fullmatch(str(wrong))
    if found is None:
        return str(wrong)
    wanted, got, place = found.groups()
    return f"{place} is {_kinds(got)}; it should be {_kinds(wanted)}"


def _kinds(said: str) -> str:
    """The kinds of value that a reader named, "str | null", as people call them."""
    return " or ".join(KINDS.get(one, one) for one in said.split(" | "))


def _words(hint: Any) -> list[str]:
    """The words that a field can be; none if it can be something else."""
    if get_origin(hint) is Literal:
        return [str(word) for word in get_args(hint)]
    parts = [part for part in get_args(hint) if part is not type(None)]
    return _words(parts[0]) if len(parts) == 1 and len(parts) < len(get_args(hint)) else []


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))
