"""Component sheets: what cardboard prints, each number with the place where it was read."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

Tag = Literal["text", "example", "public", "assumed", "box"]
# text: the rulebook says so; example: follows from a worked example; public: a public source, named;
# assumed: we cannot see the component; box: a group read it off its own box.

LARGEST_PRINTED = 1_000_000  # no cardboard prints more


class Number(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One printed thing: a number, a word, or a list or table of them."""

    value: Any
    tag: Tag
    where: str
    rule: str = ""


class Sheet(msgspec.Struct, frozen=True):
    """A game's printed numbers by path: "cards.M2.copies"."""

    game: str
    numbers: dict[str, Number]

    def __getitem__(self, path: str) -> Any:
        return self.numbers[path].value

    def under(self, path: str) -> dict[str, Any]:
        """The values below a path, by what follows it: under("cards") gives {"M2.copies": 21, ...}."""
        start = path + "."
        return {key.removeprefix(start): number.value for key, number in self.numbers.items() if key.startswith(start)}

    def values(self) -> dict[str, Any]:
        return {path: number.value for path, number in self.numbers.items()}

    def digest(self) -> str:
        """SHA-256 of the game and its values as canonical JSON; sources do not count."""
        return digest(self.game, self.values())


class BadSheet(ValueError):
    """A sheet that cannot be used; the message says which number and why."""


def digest(game: str, values: Mapping[str, Any]) -> str:
    return hashlib.sha256(msgspec.json.encode([game, values], order="deterministic")).hexdigest()


def parse(game: str, text: str) -> Sheet:
    """A sheet from TOML in which every leaf is { value, tag, where }. Raises BadSheet."""
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise BadSheet(f"the sheet is not TOML: {wrong}") from wrong
    numbers: dict[str, Number] = {}
    _collect("", tree, numbers)
    return Sheet(game, numbers)


def _collect(path: str, tree: dict[str, Any], numbers: dict[str, Number]) -> None:
    for key, part in tree.items():
        here = f"{path}.{key}" if path else key
        if not isinstance(part, dict):
            raise BadSheet(f"{here}: a number needs its source: {{ value, tag, where }}")
        if "tag" not in part:
            _collect(here, part, numbers)
            continue
        try:
            numbers[here] = msgspec.convert(part, Number)
        except msgspec.ValidationError as wrong:
            raise BadSheet(f"{here}: {wrong}") from wrong


def overridden(sheet: Sheet, overrides: Mapping[str, Any], where: str = "the group's box") -> Sheet:
    """The sheet with some values replaced. Raises BadSheet for an unknown path or a value of another kind."""
    numbers = dict(sheet.numbers)
    for path, value in overrides.items():
        if path not in numbers:
            raise BadSheet(f"{path}: the sheet of {sheet.game} has no such number")
        if not _same_kind(numbers[path].value, value):
            raise BadSheet(f"{path}: {value!r} is not of the kind of {numbers[path].value!r}")
        if value != numbers[path].value:
            numbers[path] = Number(value, "box", where, numbers[path].rule)
    return Sheet(sheet.game, numbers)


def _same_kind(old: Any, new: Any) -> bool:
    if isinstance(old, list) and isinstance(new, list):
        return not old or all(_same_kind(old[0], part) for part in new)
    if isinstance(old, dict) and isinstance(new, dict):
        return not old or all(_same_kind(next(iter(old.values())), part) for part in new.values())
    if type(old) is int and type(new) is int:  # below zero only where the sheet goes below zero
        return (0 if old >= 0 else -LARGEST_PRINTED) <= new <= LARGEST_PRINTED
    return type(old) is type(new)
