"""Tables for export, as CSV for spreadsheets and as JSON for programs.

Numbers stay numbers. Fractions have a decimal point in CSV, and in JSON also their exact value.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.services.csv_files import Cell, write_csv

LEFT_OUT = "games_left_out"


class ExportTable(Frozen):
    """Table for export."""

    name: str
    columns: tuple[str, ...]  # a short word for each
    rows: tuple[tuple[Cell, ...], ...]
    about: dict[str, Any] = {}  # facts about the whole table
    # Games that do not count because the rules disagree with their records; None: not applicable. In CSV it is the last
    # column of each row, or a row of its own if there are none.
    left_out: int | None = None

    def csv(self) -> bytes:
        has_left_out = self.left_out is not None
        rows: tuple[tuple[Cell, ...], ...] = self.rows
        if not rows and self.left_out:
            rows = ((None,) * len(self.columns),)
        header = (*self.columns, *([LEFT_OUT] if has_left_out else []))
        return write_csv(header, ((*row, *([self.left_out] if has_left_out else [])) for row in rows))

    def json(self) -> bytes:
        content = {
            **self.about,
            **({} if self.left_out is None else {LEFT_OUT: self.left_out}),
            "table": self.name,
            "rows": [
                {column: _json_cell(cell) for column, cell in zip(self.columns, row, strict=True)} for row in self.rows
            ],
        }
        return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"


def _json_cell(cell: Cell) -> Any:
    if not isinstance(cell, Fraction):
        return cell
    return int(cell) if cell.denominator == 1 else {"value": round(float(cell), 6), "exact": str(cell)}
