"""CSV for spreadsheets: the one way to write it, and to read the texts of its cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from fractions import Fraction

Cell = str | int | float | Fraction | bool | None

BEGINS = r"(?:\A|(?<=[;\t]))"  # start of a cell; `;` and tab also separate cells where a comma is a decimal mark
FORMULA = r"(?= *[=+@\t\r＝＋－＠-])"  # continuation that a spreadsheet would take for a formula
_OPEN, _GUARDED = re.compile(BEGINS + FORMULA), re.compile(f"{BEGINS}'{FORMULA}")


def write_csv(header: Iterable[str], rows: Iterable[Iterable[Cell]]) -> bytes:
    """Return a table as CSV. UTF-8 with a byte order mark, by which spreadsheets recognise it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(map(as_text, header))
    writer.writerows(map(_cell_text, row) for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _cell_text(cell: Cell) -> str | float:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Fraction):
        return int(cell) if cell.denominator == 1 else f"{float(cell):.6f}".rstrip("0")
    return as_text(cell) if isinstance(cell, str) else cell


def as_text(text: str) -> str:
    """Return a text with ' before each place where a spreadsheet would begin a formula."""
    return _OPEN.sub("'", text)


def of_text(field: str) -> str:
    """Return a text as it was before `as_text`."""
    return _GUARDED.sub("", field)
