"""How a game's component sheet is laid out: chapters of tables, rows × columns as the rulebook shows them.

A place on the sheet is a path, "cards.M2.copies", or one part of a list: "tracks.A.actions[3]". In a pattern a star
stands for one part of a path, or for the place in a list; what the stars stand for names the row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

from daybook.domain.kernel.sheet import NAME, Sheet, key_of
from daybook.web.words.say import N_, say

Keys = tuple[str, ...]
Words = Mapping[Any, str]  # the values that may stand there, as words


@dataclass(frozen=True, kw_only=True)
class SheetLines:
    """Numbers one below the other. numbers: path -> what it is. words: path -> the values it may have."""

    title: str = ""
    numbers: Mapping[str, str]
    words: Mapping[str, Words] = field(default_factory=dict)
    hint: str = ""


@dataclass(frozen=True, kw_only=True)
class SheetTable:
    """Rows × columns. columns: pattern -> heading; row: what the row of these keys is called.

    adds: the table of the sheet that takes further rows here; another: what one more is called. grows: the list
    whose places are the rows may have more of them. free: patterns whose values may be written out instead of chosen,
    each with what says why a text is no such value ("" where it is one).
    """

    title: str
    rows: str  # the heading above the rows' names
    columns: Mapping[str, str]
    row: Callable[..., str]
    words: Mapping[str, Words] = field(default_factory=dict)
    hint: str = ""
    adds: str = ""
    another: str = N_("One more")
    grows: bool = False
    free: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    wide: bool = False  # too wide for a phone: there each row is a block of its own


@dataclass(frozen=True, kw_only=True)
class Chapter:
    title: str
    parts: tuple[SheetLines | SheetTable, ...]
    hint: str = ""


Layout = tuple[Chapter, ...]


def named_rows(texts: Mapping[str, str]) -> Callable[..., str]:
    """Rows called by their last key as these words; what has none is called as it stands."""
    return lambda *keys: say(texts[keys[-1]]) if keys[-1] in texts else plain(keys[-1])


def numbered_rows(text: str) -> Callable[..., str]:
    """Rows called by the number of their place in a list: "Space {n}"."""
    return lambda *keys: say(text, n=int(keys[-1]) + 1)


def as_it_stands(*keys: str) -> str:
    return " ".join(keys)


def plain(key: str) -> str:
    """A row that a group has added: its key without the lines."""
    text = key.replace("_", " ")
    return text[:1].upper() + text[1:]


def each(pattern: str, keys: Mapping[str, str]) -> dict[str, str]:
    """Columns alike: each("factories.*.{}", LEVELS)."""
    return {pattern.format(key): text for key, text in keys.items()}


# --- places ----------------------------------------------------------------------------------------------------------

INDEXED = re.compile(r"(.+)\[([^\]]+)\]")


def apart(place: str) -> tuple[str, str | None]:
    """A place as its path and, of a list, which part: "a.b[3]" gives ("a.b", "3")."""
    found = INDEXED.fullmatch(place)
    return (found[1], found[2]) if found else (place, None)


@lru_cache(maxsize=2048)
def _pattern(pattern: str) -> re.Pattern[str]:
    path, part = apart(pattern)
    text = r"\.".join(r"([^.]+)" if key == "*" else re.escape(key) for key in path.split("."))
    return re.compile(text + (r"\[(\d+)\]" if part == "*" else re.escape(f"[{part}]") if part else ""))


def keys_in(pattern: str, place: str) -> Keys | None:
    """What the stars of a pattern stand for in a place; None: it is another place."""
    found = _pattern(pattern).fullmatch(place)
    return found.groups() if found else None


def path_of_row(pattern: str, keys: Keys) -> str:
    """The place of a pattern in the row of these keys."""
    parts = iter(keys)
    return "".join(next(parts) if piece == "*" else piece for piece in re.split(r"(\*)", pattern))


def is_split(table: SheetTable, path: str) -> bool:
    """Whether the list at this path stands in a table part by part."""
    return any(part is not None and keys_in(whole, path) is not None for whole, part in map(apart, table.columns))


def rows(table: SheetTable, sheet: Sheet) -> list[Keys]:
    """The keys of a table's rows, in the order of the sheet."""
    found: dict[Keys, None] = {}
    patterns = [apart(pattern) for pattern in table.columns]
    for path in sheet.numbers:
        for whole, part in patterns:
            keys = keys_in(whole, path)
            if keys is not None:
                found.update(
                    ((*keys, *place), None)
                    for place in ([(one,) for one in places(sheet[path])] if part == "*" else [()])
                )
    return list(found)


def places(value: Any) -> list[str]:
    """The places in a list, or the keys of a table, as they stand in brackets."""
    return [str(place) for place in (value if isinstance(value, dict) else range(len(value)))]


def words_of(part: SheetLines | SheetTable, path: str) -> Words:
    """The values that may stand at a path, as words; none: any."""
    return next((words for pattern, words in part.words.items() if keys_in(pattern, path) is not None), {})


def free_at(part: SheetLines | SheetTable, path: str) -> Callable[[str], str] | None:
    """What says why a text cannot be written at a path; None: nothing is written out there."""
    free = part.free if isinstance(part, SheetTable) else {}
    return next((wrong for pattern, wrong in free.items() if keys_in(pattern, path) is not None), None)


# --- labels ----------------------------------------------------------------------------------------------------------


def part_of(layout: Layout, path: str) -> SheetLines | SheetTable | None:
    """Where a number stands."""
    return next((part for part in parts(layout) if _holds(part, path)), None)


def _holds(part: SheetLines | SheetTable, path: str) -> bool:
    if isinstance(part, SheetLines):
        return path in part.numbers
    return any(keys_in(apart(pattern)[0], path) is not None for pattern in part.columns)


def parts(layout: Layout) -> Iterator[SheetLines | SheetTable]:
    for chapter in layout:
        yield from chapter.parts


def number_label(part: SheetLines | SheetTable, path: str, sheet: Mapping[str, Any]) -> str:
    """What a number is, on one line: "Factory markers, food, II". sheet: values, for the names of added rows."""
    if isinstance(part, SheetLines):
        return ", ".join(say(text) for text in (part.title, part.numbers[path]) if text)
    several = len({apart(pattern)[0] for pattern in part.columns}) > 1
    headings = [
        (keys, heading)
        for pattern, heading in part.columns.items()
        if (keys := keys_in(apart(pattern)[0], path)) is not None
    ]
    keys = headings[0][0]
    row = [row_label(part, keys, sheet)] if keys else []
    column = [" / ".join(say(heading) for _, heading in headings)] if several else []
    return ", ".join([say(part.title), *row, *column])


def row_label(table: SheetTable, keys: Keys, sheet: Mapping[str, Any]) -> str:
    """What a row is called: by a group's name for it, or else in the game's words, which each language has."""
    name = sheet.get(f"{table.adds}.{keys[0]}.{NAME}") if table.adds else None
    word = table.row(*islice(keys, _stars(table)))
    given = name and (key_of(name) != keys[0] or word == plain(keys[0]))
    return str(name) if given else word


def _stars(table: SheetTable) -> int:
    return max(pattern.count("*") for pattern in table.columns)
