"""Tables to be taken away: columns, rows and what they are of, as CSV for a spreadsheet and as JSON for programs.

Numbers stay numbers. What is not whole is written with a point in CSV, and in JSON beside its exact fraction.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.services.csv_files import Cell, write_csv

LEFT_OUT = "games_left_out"


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
        known = self.left_out is not None
        rows: tuple[tuple[Cell, ...], ...] = self.rows
        if not rows and self.left_out:
            rows = ((None,) * len(self.columns),)
        header = (*self.columns, *([LEFT_OUT] if known else []))
        return write_csv(header, ((*row, *([self.left_out] if known else [])) for row in rows))

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


def _json_cell(cell: Cell) -> Any:
    if not isinstance(cell, Fraction):
        return cell
    return int(cell) if cell.denominator == 1 else {"value": round(float(cell), 6), "exact": str(cell)}
