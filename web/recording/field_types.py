"""Types of a decision's fields, and the few values that a field can have."""

from __future__ import annotations

from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from daybook.web.recording.choices import ChoiceContext
from daybook.web.words.places import text_of


def members(hint: Any) -> list[Any]:
    """Return the types of a union; for any other type, only that type."""
    return list(get_args(hint)) if get_origin(hint) in (Union, UnionType) else [hint]


def types_within(hint: Any) -> list[Any]:
    """Return the types in unions and lists, at any depth."""
    if get_origin(hint) not in (tuple, list, Union, UnionType):
        return [hint]
    return [within for arg in get_args(hint) for within in types_within(arg)]


def structs_within(hint: Any) -> list[type[msgspec.Struct]]:
    return [member for member in types_within(hint) if isinstance(member, type) and issubclass(member, msgspec.Struct)]


def few_values(context: ChoiceContext, name: str, hint: Any) -> list[Any]:
    """Return the possible values of a field that has few: words of the rules, or the players; empty for others."""
    options = [value for member in types_within(hint) if get_origin(member) is Literal for value in get_args(member)]
    if not options and name in context.words.seat_fields:
        return list(range(len(context.names)))
    return options


def choices_of(context: ChoiceContext, name: str, values: list[Any]) -> list[tuple[str, str]]:
    """Return values with the texts that a form sends and their labels."""
    return [(text_of(value), context.words.value(name, value, context.names)) for value in values]
