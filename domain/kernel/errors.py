"""Faults of input as data: a sentence and its figures, translated where it is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Union

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Reason
from daybook.domain.kernel.unique_keys import RepeatedKeyError

Figure = Union[int, str, Reason, "Fault"]


class Fault(Frozen):
    """says: an English sentence to fill; a figure may be a sentence itself."""

    says: str
    figures: Mapping[str, Figure] = {}

    def __str__(self) -> str:
        return self.says.format(**self.figures)


def fault(sentence: str, /, **figures: Figure) -> Fault:
    """Return a fault with the figures of its sentence."""
    return Fault(sentence, figures)


class UnreadableError(ValueError):
    """It is not what it should be. fault: why."""

    def __init__(self, sentence: str, /, **figures: Figure) -> None:
        self.fault = Fault(sentence, figures)
        super().__init__(str(self.fault))


# --- errors of a JSON parser ---

PLACED = re.compile(r"(.+?)(?: - at (?:`key` in )?`\$\.?(.*)`)?", re.DOTALL)
EXPECTED = re.compile(r"Expected `([^`]+)`, got `([^`]+)`")
LENGTH = re.compile(r"Expected `(?:str|array|object|bytes)` of (?:length|at (?:least|most) length) ([<>]=) (\d+)")
FIELD = re.compile(r"Object (missing required|contains unknown) field `([^`]+)`")
VALUE = re.compile(r"Invalid (?:enum )?value '?(.*?)'?", re.DOTALL)
BYTE = re.compile(r".*\(byte (\d+)\)", re.DOTALL)
KINDS = {
    "str": fault("a text"),
    "int": fault("a whole number"),
    "bool": fault("true or false"),
    "array": fault("a list"),
    "object": fault("an object"),
    "null": fault("nothing"),
    "float": fault("a number with a fraction"),
    "uuid": fault("a UUID"),
}


def unread(error: msgspec.DecodeError | str) -> Fault:
    """Return the error of the JSON reader as a fault, in plain words."""
    if isinstance(error, RepeatedKeyError):
        return fault("an object has '{name}' more than once", name=error.key)
    found = PLACED.fullmatch(str(error))
    if found is None or not found[2]:
        return _unread(str(error) if found is None else found[1])
    return fault("{place}: {wrong}", place=found[2], wrong=_unread(found[1]))


def _unread(message: str) -> Fault:
    """Turn a decoding error of msgspec into a fault in plain words."""
    if found := EXPECTED.fullmatch(message):
        return mistaken(found[1], found[2])
    if found := FIELD.fullmatch(message):
        if found[1] == "missing required":
            return fault("the field '{field}' is missing", field=found[2])
        return fault("there is no field '{field}'", field=found[2])
    if found := LENGTH.fullmatch(message):
        if found[1] == ">=":
            return fault("it is too short: at least {least}", least=int(found[2]))
        return fault("it is too long: at most {most}", most=int(found[2]))
    if found := VALUE.fullmatch(message):
        return fault("it cannot be '{value}'", value=found[1])
    if message.startswith("Invalid UUID"):
        return fault("it is not a UUID")
    if message.startswith("Input data was truncated"):
        return fault("it breaks off before its end")
    if found := BYTE.fullmatch(message):
        return fault("from byte {byte} on it is not JSON", byte=int(found[1]) + 1)
    return fault("it cannot be read: {wrong}", wrong=message)


def mistaken(wanted: str, got: str, place: str = "") -> Fault:
    """Return the fault of a wrong type. wanted, got: types as the parser names them, such as "str | null"."""
    if place:
        return fault("{place} is {got}; it should be {wanted}", place=place, got=_kinds(got), wanted=_kinds(wanted))
    return fault("it is {got}; it should be {wanted}", got=_kinds(got), wanted=_kinds(wanted))


def _kinds(types: str) -> Figure:
    """Return the names of types in plain words, joined by "or"."""
    first, *others = types.split(" | ")
    kind: Figure = KINDS.get(first, first)
    for other in others:
        kind = fault("{one} or {other}", one=kind, other=KINDS.get(other, other))
    return kind
