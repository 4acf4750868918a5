"""Types of a decision's fields, and the few values that a field can have."""

from __future__ import annotations

from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from daybook.web.recording.choices import ChoiceContext
from daybook.web.words.places import text_of


def members(hint: Any) -> list[Any]:
    """The types that a union is made of; of any other type it is that one."""
    return list(get_args(hint)) if get_origin(hint) in (Union, UnionType) else [hint]


def types_within(hint: Any) -> list[Any]:
    """The types that unions and lists are made of, also within each other."""
    if get_origin(hint) not in (tuple, list, Union, UnionType):
        return [hint]
    return [within for arg in get_args(hint) for within in types_within(arg)]


def structs_within(hint: Any) -> list[type[msgspec.Struct]]:
    return [one for one in types_within(hint) if isinstance(one, type) and issubclass(one, msgspec.Struct)]


def few_values(asking: ChoiceContext, name: str, hint: Any) -> list[Any]:
    """The few values that a field can have: words of the rules, and the players; none where it can be anything."""
    options = [value for one in types_within(hint) if get_origin(one) is Literal for value in get_args(one)]
    if not options and name in asking.words.seat_fields:
        return list(range(len(asking.names)))
    return options


def choices_of(asking: ChoiceContext, name: str, values: list[Any]) -> list[tuple[str, str]]:
    """Values to choose from, each as a form sends it and as it is called."""
    return [(text_of(value), asking.words.value(name, value, asking.names)) for value in values]
