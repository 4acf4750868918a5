"""Component sheets: the printed numbers of a game, each with its source.

A box may have components that the sheet lacks. The sheet declares under `additions` the tables to which a group can add
rows, each with a name.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

import msgspec

from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.points import Points, is_half, is_points
from daybook.domain.kernel.texts import composed, is_displayable

T = TypeVar("T")
Tag = Literal["text", "example", "public", "assumed", "box"]
# text: the rulebook says so; example: follows from a worked example; public: a public source, named;
# assumed: we cannot see the component; box: a group read it off its own box.

LARGEST_PRINTED = 1_000_000  # above every printed number
LONGEST_TEXT = 200
LONGEST_LIST = 200
LONGEST_NAME = 40
NAME = "name"  # the column with the name of an added row
ADDITIONS = "additions"  # the table of a sheet's file that declares the tables with addable rows


class Number(Exact):
    """A printed value: a number, a word, or a list or table of them.

    signed: it may be negative. halves: it may be a half, or have some inside. optional: records of earlier versions
    lack it.
    """

    value: Any
    tag: Tag
    where: str
    rule: str = ""
    signed: bool = False
    optional: bool = False
    halves: bool = False


class Addition(Exact):
    """A table to which rows can be added. row: its columns, with their initial values.

    most: maximum of added rows. keys: the keys of rows without names, such as the bands of a track. like: the table
    whose row of the same key has the initial values; `row` then only gives the types of the columns.
    """

    row: dict[str, Any]
    most: int
    rule: str
    keys: tuple[str, ...] = ()
    like: str = ""


class Sheet(Frozen, dict=True):
    """A game's printed numbers by path: "cards.M2.copies". additions: the tables that take further rows, by path."""

    game: str
    numbers: dict[str, Number]
    additions: dict[str, Addition] = {}

    def __getitem__(self, path: str) -> Any:
        return self.numbers[path].value

    def under(self, path: str) -> dict[str, Any]:
        """Return the values below a path, by the rest of their paths: under("cards") gives {"M2.copies": 21, ...}."""
        return dict(self._below.get(path, {}))

    @cached_property
    def _below(self) -> dict[str, dict[str, Any]]:
        """The values below each path, as `under` returns them."""
        below: dict[str, dict[str, Any]] = {}
        for key, number in self.numbers.items():
            parts = key.split(".")
            for depth in range(1, len(parts)):
                below.setdefault(".".join(parts[:depth]), {})[".".join(parts[depth:])] = number.value
        return below

    def values(self) -> dict[str, Any]:
        return {path: number.value for path, number in self.numbers.items()}

    def typed(self, shape: type[T], other_fields: Mapping[str, Any] = {}, **rows: str) -> T:
        """Return the numbers as a Struct of the rules. Raises msgspec.ValidationError for a wrong type.

        shape: a Struct with fields called as the paths: `loan_amount` for "loan.amount", `loan` for the table,
        `goods_rows` for the rows of a table that has numbers of its own. known: fields that no sheet has. rows: a
        table's row that stands for the table; with seats="4", `seats_fired` is "seats.4.fired".
        """
        named = dict(self.named)
        for table, row in rows.items():
            named[table] = self.named.get(f"{table}_{row}", {})
            named |= {f"{table}_{key}": value for key, value in named[table].items()}
        return msgspec.convert({**named, **other_fields}, shape, str_keys=True)

    @cached_property
    def named(self) -> dict[str, Any]:
        """Numbers, and tables with what is in them, by their paths with _ for each dot: see `typed`."""
        tables: dict[str, dict[str, Any]] = {}
        for path, number in self.numbers.items():
            below: Any = number.value
            while "." in path:
                path, _, key = path.rpartition(".")
                table = tables.setdefault(path, {})
                table[key] = below
                below = table
        rows = {
            f"{path}_rows": {key: row for key, row in table.items() if isinstance(row, dict)}
            for path, table in tables.items()
        }
        return {path.replace(".", "_"): value for path, value in (tables | rows | self.values()).items()}

    def rows(self, table: str) -> list[str]:
        """Return the keys directly below a path, in the order of the sheet: rows("cards") gives ["R1", ...]."""
        return list(dict.fromkeys(key.partition(".")[0] for key in self._below.get(table, {})))

    def digest(self) -> str:
        """Return the hash that identifies a sheet by its ruleset and values."""
        return digest(self.game, self.values())


Told = int | str | list[int]


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expectation of a rule about a sheet's numbers: a total, an order, the result of an example.

    says: an English sentence with {expected} and {found}, and what else `figures` has. of: both, worked out from a
    sheet; they are equal where the expectation holds. paths: the numbers it reads, or what their paths begin with.
    A sheet that misses one can be published: games by chance find out if it can be played.
    """

    rule: str
    says: str
    of: Callable[[Sheet], tuple[Told, Told]]
    paths: tuple[str, ...] = ()
    figures: Mapping[str, Points | str] = field(default_factory=dict)


def stated(rule: str, sentence: str, expected: Told, compute: Callable[[Sheet], Told], *paths: str) -> Expectation:
    """Return the expectation that a sheet agrees with a value in the rules."""
    return Expectation(rule, sentence, lambda sheet: (expected, compute(sheet)), paths)


def total(rule: str, sentence: str, box: str, compute: Callable[[Sheet], int], *paths: str) -> Expectation:
    """Return the expectation that a sheet agrees with a total of its own."""
    return Expectation(rule, sentence, lambda sheet: (sheet[box], compute(sheet)), (*paths, box))


class InvalidSheetError(ValueError):
    """A sheet that cannot be used. path: which number, or "" for the sheet as a whole; says: why, to be filled."""

    def __init__(self, path: str, sentence: str, **figures: Any) -> None:
        why = sentence.format(**figures)
        super().__init__(f"{path}: {why}" if path else why)
        self.path = path
        self.says = sentence
        self.figures = figures


def digest(ruleset_id: str, values: Mapping[str, Any]) -> str:
    return hashlib.sha256(msgspec.json.encode([ruleset_id, values], order="deterministic")).hexdigest()


# --- reading ---------------------------------------------------------------------------------------------------------


def parse(ruleset_id: str, text: str) -> Sheet:
    """Parse a sheet from TOML in which every leaf is { value, tag, where }. Raises InvalidSheetError."""
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise InvalidSheetError("", "the sheet is not TOML: {wrong}", wrong=wrong) from wrong
    try:
        additions = msgspec.convert(tree.pop(ADDITIONS, {}), dict[str, Addition])
    except msgspec.ValidationError as wrong:
        raise InvalidSheetError(ADDITIONS, "{wrong}", wrong=wrong) from wrong
    numbers: dict[str, Number] = {}
    _collect("", tree, numbers)
    return Sheet(ruleset_id, numbers, additions)


def _collect(path: str, tree: dict[str, Any], numbers: dict[str, Number]) -> None:
    for key, part in tree.items():
        here = f"{path}.{key}" if path else key
        if not isinstance(part, dict):
            raise InvalidSheetError(here, "a number needs its source: {leaf}", leaf="{ value, tag, where }")
        if "tag" not in part:
            _collect(here, part, numbers)
            continue
        try:
            numbers[here] = msgspec.convert(part, Number)
        except msgspec.ValidationError as wrong:
            raise InvalidSheetError(here, "{wrong}", wrong=wrong) from wrong


# --- correcting ------------------------------------------------------------------------------------------------------


def overridden(sheet: Sheet, overrides: Mapping[str, Any], where: str = "the group's box") -> Sheet:
    """Return the sheet with some values replaced and rows added.

    An added row has every column; columns that are not named have their initial values with these overrides. Raises
    InvalidSheetError for an unknown path or a value of the wrong type.
    """
    for wrong in faults(sheet, overrides):
        raise wrong
    numbers = dict(sheet.numbers)
    added = dict.fromkeys(row for path in overrides if path not in numbers and (row := row_of(sheet, path)))
    for table, key in added:
        for column, value in at_first(sheet, table, key, overrides).items():
            numbers[f"{table}.{key}.{column}"] = Number(value, "box", where, sheet.additions[table].rule)
    for path, value in overrides.items():
        if value != numbers[path].value:
            numbers[path] = msgspec.structs.replace(numbers[path], value=value, tag="box", where=where)
    return Sheet(sheet.game, numbers, sheet.additions)


def compared_with_box(sheet: Sheet, where: str) -> Sheet:
    """Return the sheet after a group found everything that was assumed in its box."""
    numbers = {
        path: Number(number.value, "box", where, number.rule, number.signed) if number.tag == "assumed" else number
        for path, number in sheet.numbers.items()
    }
    return Sheet(sheet.game, numbers, sheet.additions)


def differences(sheet: Sheet, base: Sheet) -> dict[str, Any]:
    """Numbers that a sheet prints differently from another, and what it has beyond that one."""
    return {
        path: number.value
        for path, number in sheet.numbers.items()
        if path not in base.numbers or base[path] != number.value
    }


def faults(sheet: Sheet, overrides: Mapping[str, Any]) -> Iterator[InvalidSheetError]:
    """Everything that forbids replacing these values, at most once for each path."""
    wrong: dict[str, InvalidSheetError] = {}
    for path, value in overrides.items():
        like = like_of(sheet, path)
        if like is _NOTHING:
            wrong[path] = InvalidSheetError(path, "the sheet of {game} has no such number", game=sheet.game)
        elif not same_kind(like, value) or (_has_half(value) and not _may_have_halves(sheet, path)):
            wrong[path] = _of_another_kind(path, like, value)
    for amiss in (*_names_amiss(sheet, overrides, wrong), *_rows_amiss(sheet, overrides)):
        wrong.setdefault(amiss.path, amiss)
    yield from wrong.values()


def _may_have_halves(sheet: Sheet, path: str) -> bool:
    return path in sheet.numbers and sheet.numbers[path].halves


def _has_half(value: Any) -> bool:
    """Check if a value of the right kind is a half, or has one inside."""
    if isinstance(value, dict | list):
        return any(map(_has_half, value.values() if isinstance(value, dict) else value))
    return is_half(value)


def _of_another_kind(path: str, like: Any, value: Any) -> InvalidSheetError:
    if type(like) in (int, float) and type(value) is int:
        return InvalidSheetError(
            path,
            "a number from {least} to {most}, not {given}",
            given=value,
            least=0 if like >= 0 else -LARGEST_PRINTED,
            most=LARGEST_PRINTED,
        )
    if type(like) is float:
        return InvalidSheetError(path, "a whole number or a half, not {value}", value=_value_text(value))
    if type(like) is int:
        return InvalidSheetError(path, "a whole number, not {value}", value=_value_text(value))
    if type(like) is bool:
        return InvalidSheetError(path, "true or false, not {value}", value=_value_text(value))
    if type(like) is list and type(value) is not list:
        return InvalidSheetError(path, "a list in square brackets, not {value}", value=_value_text(value))
    if type(like) is list:
        return InvalidSheetError(
            path,
            "a list of at most {limit} texts, whole numbers or tables, not {value}",
            limit=LONGEST_LIST,
            value=_value_text(value),
        )
    if type(like) is str and type(value) is not str:
        return InvalidSheetError(path, "a text in quotes, not {value}", value=_value_text(value))
    if type(like) is str:
        return InvalidSheetError(
            path,
            "a text of at most {limit} visible characters, not {value}",
            limit=LONGEST_TEXT,
            value=_value_text(value),
        )
    return InvalidSheetError(
        path, "{value} is not of the kind of {like}", value=_value_text(value), like=_value_text(like)
    )


_NOTHING: Any = object()


def like_of(sheet: Sheet, path: str) -> Any:
    """Return a value of the kind that a path has, or would have in an added row."""
    if path in sheet.numbers:
        number = sheet.numbers[path]
        like = -1 if number.signed else number.value
        return like / 2 if number.halves and type(like) is int else like
    row = row_of(sheet, path)
    return _NOTHING if row is None else sheet.additions[row[0]].row[path.rpartition(".")[2]]


def at_first(sheet: Sheet, table: str, key: str, overrides: Mapping[str, Any] = {}) -> dict[str, Any]:
    """Return the first values of the columns of an added row."""
    addition = sheet.additions[table]
    if not addition.like:
        return addition.row
    like = {column: f"{addition.like}.{key}.{column}" for column in addition.row}
    return {column: overrides.get(path, sheet[path]) for column, path in like.items()}


def takes(sheet: Sheet, path: str) -> bool:
    """Check if the sheet has a number of this path, or could have it in an added row."""
    return like_of(sheet, path) is not _NOTHING


def row_of(sheet: Sheet, path: str) -> tuple[str, str] | None:
    """Return the table and the key of an added row that a path belongs to, or None."""
    above, _, column = path.rpartition(".")
    table, _, key = above.rpartition(".")
    addition = sheet.additions.get(table)
    if addition is None or column not in addition.row or not key or key in sheet.rows(table):
        return None
    return (table, key) if not addition.keys or key in addition.keys else None


def key_of(name: str) -> str:
    """Return the key of a row's name in paths: "Corn Riots" gives "corn_riots"; "" if nothing is left."""
    plain = composed(name, "NFKC").casefold()
    return "_".join("".join(sign if sign.isalnum() else " " for sign in plain).split())


def bad_name(name: str) -> tuple[str, dict[str, Any]] | None:
    """Return why a name is invalid, as a sentence and its figures, or None."""
    if not key_of(name):
        return "a name has letters or digits", {}
    if len(name) > LONGEST_NAME:
        return "a name has at most {limit} characters, not {given}", {"limit": LONGEST_NAME, "given": len(name)}
    if not is_displayable(name) or name != " ".join(name.split()):
        return "a name has no signs that cannot be seen", {}
    return None


def _names_amiss(sheet: Sheet, overrides: Mapping[str, Any], invalid: Mapping[str, Any]) -> Iterator[InvalidSheetError]:
    """Names that cannot be, or that something else in the same table has."""
    for path, name in overrides.items():
        above, _, column = path.rpartition(".")
        table, _, key = above.rpartition(".")
        if column != NAME or table not in sheet.additions or path in invalid:
            continue
        why = bad_name(name)
        if why:
            yield InvalidSheetError(path, why[0], **why[1])
        elif path not in sheet.numbers and key_of(name) != key:
            yield InvalidSheetError(
                path, "{name} belongs under {right}, not {key}", name=name, right=key_of(name), key=key
            )
        elif key_of(name) in _other_names(sheet, overrides, table, key):
            yield InvalidSheetError(path, "there is already one called {name}", name=name)


def _other_names(sheet: Sheet, overrides: Mapping[str, Any], table: str, but: str) -> set[str]:
    """Return the names of the other rows of a table, as keys."""
    added = [row[1] for path in overrides if (row := row_of(sheet, path)) and row[0] == table]
    names = set[str]()
    for key in {*sheet.rows(table), *added} - {but}:
        path = f"{table}.{key}.{NAME}"
        name = overrides.get(path, sheet[path] if path in sheet.numbers else key)
        names.add(key_of(name) if isinstance(name, str) else key)
    return names


def _rows_amiss(sheet: Sheet, overrides: Mapping[str, Any]) -> Iterator[InvalidSheetError]:
    """Rows without a name, and more rows than a table takes."""
    added: dict[str, list[str]] = {}
    for path in overrides:
        row = None if path in sheet.numbers else row_of(sheet, path)
        if row is not None and row[1] not in added.setdefault(row[0], []):
            added[row[0]].append(row[1])
    for table, keys in added.items():
        addition = sheet.additions[table]
        for key in keys:
            if not addition.keys and f"{table}.{key}.{NAME}" not in overrides:
                yield InvalidSheetError(f"{table}.{key}.{NAME}", "what is added needs a name")
        if len(keys) > addition.most:
            first = next(iter(addition.row))
            yield InvalidSheetError(f"{table}.{keys[-1]}.{first}", "at most {most} can be added", most=addition.most)


def same_kind(old: Any, new: Any) -> bool:
    """Check if a value may replace another one."""
    if isinstance(old, list) and isinstance(new, list):
        return len(new) <= LONGEST_LIST and all(same_kind(old[0], part) if old else _plain(part) for part in new)
    if isinstance(old, dict) and isinstance(new, dict):
        return len(new) <= LONGEST_LIST and (
            not old or all(same_kind(next(iter(old.values())), part) for part in new.values())
        )
    if (type(old) is int and type(new) is int) or (
        type(old) is float and is_points(new)
    ):  # below zero only where the sheet goes below zero
        return (0 if old >= 0 else -LARGEST_PRINTED) <= new <= LARGEST_PRINTED
    if type(old) is str and type(new) is str:
        return len(new) <= LONGEST_TEXT and is_displayable(new)
    return type(old) is type(new)


def _plain(part: Any) -> bool:
    """Check a part of a list of which the sheet has no example: numbers, words, or tables of these and their lists."""
    if isinstance(part, dict):
        return len(part) <= LONGEST_LIST and all(
            len(value) <= LONGEST_LIST and all(map(_plain_value, value))
            if isinstance(value, list)
            else _plain_value(value)
            for value in part.values()
        )
    return _plain_value(part)


def _plain_value(part: Any) -> bool:
    if isinstance(part, str):
        return len(part) <= LONGEST_TEXT and is_displayable(part)
    return type(part) is bool or (is_points(part) and abs(part) <= LARGEST_PRINTED)


def _value_text(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "…"
