"""Faults of a decision written by hand: the unknown word, and the known ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from daybook.domain.kernel.errors import EXPECTED, PLACED, Fault, fault, mistaken, unread
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Decision, kinds_in


def misread(ruleset: AnyRuleset, given: Mapping[str, Any], error: msgspec.ValidationError) -> Fault:
    """Return why plain values are not a decision of the game. wrong: the reader's error."""
    kinds: dict[str, type[Decision]] = {tag_of(kind): kind for kind in kinds_in(ruleset.types.decisions)}
    if "type" not in given:
        return fault("the decision has no type; {game} has: {kinds}", game=ruleset.title, kinds=_list_words(kinds))
    if not isinstance(given["type"], str) or given["type"] not in kinds:
        return fault(
            "{given} is not a decision of {game}; it has: {kinds}",
            given=repr(given["type"]),
            game=ruleset.title,
            kinds=_list_words(kinds),
        )
    return fault("{type}: {wrong}", type=given["type"], wrong=_field_misread(kinds[given["type"]], given, error))


def _field_misread(kind: type[Decision], given: Mapping[str, Any], error: msgspec.ValidationError) -> Fault:
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for name in given:
        if name != "type" and name not in fields:
            if fields:
                return fault("it has no field {name}; it has: {fields}", name=repr(name), fields=_list_words(fields))
            return fault("it has no field {name}; it has none", name=repr(name))
    for name, field in fields.items():
        if name not in given and field.required:
            return fault("the field '{field}' is missing", field=name)
    hints = get_type_hints(kind)
    for name, value in given.items():
        words = _words(hints[name]) if name in fields else []
        if words and isinstance(value, str) and value not in words:
            return fault(
                "{name} cannot be {value}; it is one of: {words}", name=name, value=repr(value), words=", ".join(words)
            )
    placed = PLACED.fullmatch(str(error))
    found = EXPECTED.fullmatch(placed[1]) if placed and placed[2] else None
    if placed is None or found is None:
        return unread(error)
    return mistaken(found[1], found[2], placed[2])


def _words(hint: Any) -> list[str]:
    """Return the words that a field can be, or none if it can be something else."""
    if get_origin(hint) is Literal:
        return [str(word) for word in get_args(hint)]
    parts = [part for part in get_args(hint) if part is not type(None)]
    return _words(parts[0]) if len(parts) == 1 and len(parts) < len(get_args(hint)) else []


def _list_words(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))
