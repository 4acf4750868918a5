"""Tables to be taken away: columns, rows and what they are of, as CSV for a spreadsheet and as JSON for programs.

Numbers stay numbers. What is not whole is written with a point in CSV, and in JSON beside its exact fraction.
"""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from typing import Any

import msgspec

from daybook.domain.kernel.frozen import Frozen

Cell = str | int | Fraction | bool | None

LEFT_OUT = "games_left_out"
BEGINS = r"(?:\A|(?<=[;\t]))"  # of a cell: where a comma is part of a number, spreadsheets part a line otherwise
FORMULA = r"(?= *[=+@\t\r＝＋－＠-])"  # how what a spreadsheet would take for a formula goes on
_OPEN, _GUARDED = re.compile(BEGINS + FORMULA), re.compile(f"{BEGINS}'{FORMULA}")


class ExportTable(Frozen):
    """A table to be taken away. columns: a short word for each; about: what it is of, in a few facts.

    left_out: how many games do not count because the rules disagree with their records; None: that is no question here.
    In CSV it is the last column of every row, and a row of its own where nothing else counts.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    about: dict[str, Any] = {}
    left_out: int | None = None

    def csv(self) -> bytes:
        """UTF-8 with its mark, so that spreadsheets read names right."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\r\n")
        known = self.left_out is not None
        writer.writerow([*map(as_text, self.columns), *([LEFT_OUT] if known else [])])
        rows: tuple[tuple[Cell, ...], ...] = self.rows
        if not rows and self.left_out:
            rows = ((None,) * len(self.columns),)
        writer.writerows([_csv_cell(cell) for cell in (*row, *([self.left_out] if known else []))] for row in rows)
        return out.getvalue().encode("utf-8-sig")

    def json(self) -> bytes:
        told = {
            **self.about,
            **({} if self.left_out is None else {LEFT_OUT: self.left_out}),
            "table": self.name,
            "rows": [
                {column: _json_cell(cell) for column, cell in zip(self.columns, row, strict=True)} for row in self.rows
            ],
        }
        return msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"


def _csv_cell(cell: Cell) -> str | int:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Fraction):
        return int(cell) if cell.denominator == 1 else f"{float(cell):.6f}".rstrip("0")
    return as_text(cell) if isinstance(cell, str) else cell


def as_text(text: str) -> str:
    """A text that a spreadsheet takes for nothing else: a name is a name there too. What it would take for a formula
    begins with '."""
    return _OPEN.sub("'", text)


def of_text(field: str) -> str:
    """A text as it was before `as_text`."""
    return _GUARDED.sub("", field)


def _json_cell(cell: Cell) -> Any:
    if not isinstance(cell, Fraction):
        return cell
    return int(cell) if cell.denominator == 1 else {"value": round(float(cell), 6), "exact": str(cell)}
