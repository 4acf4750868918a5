"""Tables of figures, for pages, CSV and JSON.

A table has headings, rows, and `n`, the number of games or seats behind it. A heading's `kind` says what its values are
(a person's id, a good's code, a ratio), so that a page can word them. Values are codes and numbers, never sentences.
None is a hidden figure: a rate of fewer than FEW games.

A row's `key` and the table's question identify the games behind it
(`services.statistics.figure_questions.games_behind`). A row about one step of one game has `game` and `step`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.services.paging import ListPage, page_of_list
from daybook.services.statistics.plain_tables import LEFT_OUT, ExportTable

FEW = 5  # a rate of fewer games is hidden

HeadingKind = Literal[
    "person",
    "seat",
    "seats",
    "won",
    "place",
    "colour",
    "year",
    "month",
    "ruleset",
    "kind",
    "value",
    "what",
    "number",
    "measure",
    "which",
    "count",
    "mean",
    "amount",
    "rate",
    "wins",
    "effect",
    "at",
    "setup",
    "decision",
    "options",
    "title",
    "weekday",
    "hour",
    "started",
    "new",
    "mark",
    "gain",
    "change",
]
# wins: games won, shared wins in part; mean, amount: in the unit of the measure; rate: from 0 to 1; effect: the
# distance of two means in standard deviations; number: of a period; value: of the measure itself;
# which: "most" or "least"; title: of a game, a table, a place, a role or an expansion; weekday: 0 is Monday; mark: "typed" of a result without a record, or nothing;
# gain: of win probability, in percentage points; change: its cause (services.analysis.luck)


class Heading(Frozen):
    """Column of a table."""

    key: str
    says: str  # in English
    kind: HeadingKind
    unit: str = ""  # of a mean or an amount


class FigureRow(Frozen, gc=False):
    """Row of a table."""

    cells: tuple[Any, ...]
    n: int  # games or seats behind the row
    key: str = ""  # "": there are no games behind it to list
    game: UUID | None = None
    step: int | None = None
    games: int = 0  # this and the variance are for charts
    variance: float = 0.0
    others: tuple[str, ...] = ()  # other people who reached the same record, the first ones first


class RowsLeftOut(Frozen):
    """Summary of the rows that are not shown."""

    n: int = 0
    hides: bool = False  # one of them has a hidden rate
    enough: bool = False  # one of them has FEW games or more, or does not say how many


class FigureTable(Frozen):
    """Table of figures."""

    key: str
    says: str  # the title in English
    headings: tuple[Heading, ...]
    rows: tuple[FigureRow, ...]
    n: int  # games or seats behind all of it
    about: str = ""  # the measure, if it has one
    typed: int = 0  # typed results among the games
    left_out: RowsLeftOut = RowsLeftOut()

    @property
    def hides(self) -> bool:
        """True if a rate is hidden because it is of few games."""
        at = [place for place, heading in enumerate(self.headings) if heading.kind in ("rate", "effect", "gain")]
        return self.left_out.hides or any(row.cells[place] is None for row in self.rows for place in at)

    @property
    def rests_on_few(self) -> bool:
        """True if every row is of few games."""
        return not self.left_out.enough and all(0 < row.games < FEW for row in self.rows)

    def first_rows(self, limit: int) -> FigureTable:
        """Return the table with its first rows only."""
        rest = msgspec.structs.replace(self, rows=self.rows[limit:])
        if not rest.rows:
            return self
        left_out = RowsLeftOut(self.left_out.n + len(rest.rows), rest.hides, not rest.rests_on_few)
        return msgspec.structs.replace(self, rows=self.rows[:limit], left_out=left_out)

    def column(self, key: str) -> list[Any]:
        """Return the values of a column. Raises KeyError."""
        for place, heading in enumerate(self.headings):
            if heading.key == key:
                return [row.cells[place] for row in self.rows]
        raise KeyError(key)

    def csv(self, names: Mapping[str, str] | None = None, left_out: int | None = None) -> bytes:
        """Return the table as CSV for spreadsheets, in UTF-8 with a byte order mark.

        `names` are of people, by id; `left_out` is as in `ExportTable`.
        """
        names_by_id, links = names or {}, any(row.game for row in self.rows)
        columns = (*(heading.key for heading in self.headings), *(("game", "step") if links else ()))
        return ExportTable(
            self.key,
            columns,
            tuple(
                (
                    *(
                        "; ".join(names_by_id.get(person, person) for person in (cell, *row.others))
                        if heading.kind == "person"
                        else _csv_cell(cell)
                        for cell, heading in zip(row.cells, self.headings, strict=True)
                    ),
                    *((row.game and str(row.game), row.step) if links else ()),
                )
                for row in self.rows
            ),
            left_out=left_out,
        ).csv()

    def json(self, names: Mapping[str, str] | None = None, left_out: int | None = None) -> bytes:
        """Return the table as JSON, with each row's cells by heading."""
        names_by_id = names or {}
        return msgspec.json.encode(
            {
                "table": self.key,
                "title": self.says,
                "n": self.n,
                "typed": self.typed,
                **({} if left_out is None else {LEFT_OUT: left_out}),
                "measure": self.about,
                "columns": [msgspec.to_builtins(heading) for heading in self.headings],
                "rows": [
                    {
                        "key": row.key,
                        "n": row.n,
                        "game": row.game,
                        "step": row.step,
                        "cells": {
                            heading.key: names_by_id.get(cell, cell) if heading.kind == "person" else cell
                            for heading, cell in zip(self.headings, row.cells, strict=True)
                        },
                        "others": [names_by_id.get(person, person) for person in row.others],
                    }
                    for row in self.rows
                ],
            }
        )


def page_of_table(table: FigureTable, after: str, limit: int) -> ListPage[FigureTable]:
    """Return a page of a table's rows; a place is the number of rows before it. Raises UnknownPlaceError."""
    page = page_of_list(enumerate(table.rows, 1), lambda row: str(row[0]), after, limit)
    return ListPage([msgspec.structs.replace(table, rows=tuple(row for _, row in page.rows))], page.next)


def _csv_cell(cell: Any) -> Any:
    """Encode a decision or options as JSON; return other values unchanged."""
    return msgspec.json.encode(cell).decode() if isinstance(cell, dict) else cell


def rate(part: float, n: int, games: int) -> float | None:
    """Return a ratio; None if it is of fewer than FEW games."""
    return round(part / n, 4) if games >= FEW else None


def mean(total: float, n: int) -> float | None:
    """Return the mean rounded to 2 digits, or None for no values."""
    return round(total / n, 2) if n else None


def sorted_by(table: FigureTable, key: str) -> FigureTable:
    """Return the table sorted by a column, the largest first; hidden figures come last."""
    place = [heading.key for heading in table.headings].index(key)

    def order(row: FigureRow) -> tuple[bool, Any]:
        value = row.cells[place]
        return (value is None, 0 if value is None else -value)

    rows: Sequence[FigureRow] = sorted(table.rows, key=order)
    return msgspec.structs.replace(table, rows=tuple(rows))
