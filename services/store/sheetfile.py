"""A component sheet as a TOML file, to read, correct by hand and send to another Daybook.

It has the shape of the sheets that Daybook comes with, and a head that names the game and the sheet:

    [sheet]
    format = 1
    game = "making_profit"
    name = "Second printing"

    [start]
    money = { value = 5, tag = "box", where = "Second printing" }

A file may omit numbers that Daybook knows, and write a number without its source: money = 5.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.sheet import InvalidSheetError, Number, Sheet, faults, takes
from daybook.domain.kernel.texts import is_displayable
from daybook.services.reading_limits import LimitError, check_toml

FORMAT = 1
HEAD = "sheet"
HEAD_FIELDS = ("format", "game", "name", "by")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class SheetRead(Frozen):
    """The content of a file. overrides: numbers that differ from the printed sheet; wrong: faults of numbers."""

    name: str
    by: str
    overrides: dict[str, Any]
    wrong: list[InvalidSheetError]


def sheet_toml(sheet: Sheet, name: str, by: str) -> str:
    """Return the whole sheet as a file."""
    lines = [
        f"[{HEAD}]",
        f"format = {FORMAT}",
        f"game = {_text(sheet.game)}",
        *(f"{key} = {_text(text)}" for key, text in (("name", name), ("by", by)) if text),
    ]
    tables: dict[str, list[str]] = {}
    for path, number in sheet.numbers.items():
        table, _, key = path.rpartition(".")
        tables.setdefault(table, []).append(f"{_key(key)} = {_leaf(number)}")
    for table, numbers in tables.items():
        lines += ["", f"[{_path(table)}]", *numbers]
    return "\n".join([*lines, ""])


def _leaf(number: Number) -> str:
    rule = f", rule = {_text(number.rule)}" if number.rule else ""
    return f"{{ value = {_value(number.value)}, tag = {_text(number.tag)}, where = {_text(number.where)}{rule} }}"


def read_sheet_file(printed: Sheet, file: bytes) -> SheetRead:
    """Parse a file with numbers of a game's sheet. Raises InvalidSheetError for a file that is not a sheet of this game."""
    try:
        check_toml(file)
    except LimitError as limit:
        raise InvalidSheetError("", str(limit.reason.sentence), **limit.reason.figures) from limit
    try:
        tree = tomllib.loads(file.decode("utf-8-sig"))
    except UnicodeDecodeError as wrong:
        raise InvalidSheetError("", "the file is not text in UTF-8") from wrong
    except ValueError as wrong:  # also a number of too many digits
        raise InvalidSheetError("", "the file is not TOML: {wrong}", wrong=wrong) from wrong
    except RecursionError as wrong:
        raise _too_deep() from wrong
    head = tree.pop(HEAD, {})
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InvalidSheetError(
            "", "the file does not begin as a sheet does: {head}", head=f"[{HEAD}] format = {FORMAT}"
        )
    if head.get("game") != printed.game:
        raise InvalidSheetError(
            "",
            "the file contains a sheet of {other}, not of {game}",
            other=_one_line(head.get("game")),
            game=printed.game,
        )
    values: dict[str, Any] = {f"{HEAD}.{key}": value for key, value in head.items() if key not in HEAD_FIELDS}
    try:
        _collect(printed, "", tree, values)
    except RecursionError as wrong:
        raise _too_deep() from wrong
    overrides = {
        path: value
        for path, value in values.items()
        if path not in printed.numbers or value != printed[path] or type(value) is not type(printed[path])
    }
    return SheetRead(
        _one_line(head.get("name")), _one_line(head.get("by")), overrides, list(faults(printed, overrides))
    )


def _too_deep() -> InvalidSheetError:
    return InvalidSheetError("", "the file is nested too deeply")


def _collect(printed: Sheet, path: str, tree: dict[str, Any], values: dict[str, Any]) -> None:
    for key, part in tree.items():
        here = f"{path}.{key}" if path else key
        whole = isinstance(part, dict) and "value" in part
        if takes(printed, here):
            values[here] = part["value"] if whole else part
        elif isinstance(part, dict) and not whole:
            _collect(printed, here, part, values)
        else:
            values[here] = part


def _one_line(text: Any) -> str:
    return " ".join(text.split()) if isinstance(text, str) and is_displayable(text) else ""


# --- as TOML ---------------------------------------------------------------------------------------------------------

# Written by hand: each number is a line, with its source in an inline table, so that a sheet is easy to compare with a
# box. tomli-w writes inline tables only in arrays, and an array with one item a line: five lines a number.


def _path(path: str) -> str:
    return ".".join(map(_key, path.split(".")))


def _key(key: str) -> str:
    return key if BARE_KEY.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    """Return a basic string of TOML, which escapes as JSON does, and DEL, too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(part)}" for key, part in value.items()) + " }"
    return _text(value) if isinstance(value, str) else str(value)
