"""Tables: what every figure comes as. One type for pages, CSV and JSON.

A table has headings, rows, and `n`: how many games or seats stand behind it. A heading's `kind` says what its values
are, so that a page can say them: a person's id, a good's code, a share of one. Values are codes and numbers, never
sentences. `None` is a figure that is not shown: a rate that rests on fewer than FEW games.

A row has a `key`: with the table's question it names the games behind it
(`services.statistics.figure_questions.games_behind`).
Where a row is about one step of one game, `game` and `step` name it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.services.paging import ListPage, page_of_list
from daybook.services.statistics.plain_tables import LEFT_OUT, ExportTable

FEW = 5  # a rate of fewer games than this says nothing, and is hidden

Kind = Literal[
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
    "mark",
    "gain",
    "change",
]
# wins: games won, shared ones in part; mean, amount: in the unit of the measure; rate: from 0 to 1; effect: how far
# apart two means are, in standard deviations; number: of a period; value: what the measure itself came to;
# which: "most" or "least"; title: of a game or a table; mark: "typed" of a result without a record, or nothing;
# gain: of a victory, in points of a hundred; change: what brought it (services.analysis.luck)


class Heading(Frozen):
    """A column: its key, its name in English, and what its values are. unit: of a mean or an amount."""

    key: str
    says: str
    kind: Kind
    unit: str = ""


class FigureRow(Frozen, gc=False):
    """n: what stands behind the row. key: its place in what was asked, "" if there are no games behind it to list.

    games: how many games that are, and variance: how much the values vary, where a picture needs them.
    """

    cells: tuple[Any, ...]
    n: int
    key: str = ""
    game: UUID | None = None
    step: int | None = None
    games: int = 0
    variance: float = 0.0


class RowsLeftOut(Frozen):
    """What is known of rows that a table is shown without. n: how many; hides: whether a rate is hidden in one of them;
    enough: whether one rests on FEW games or more, or on none that could be told."""

    n: int = 0
    hides: bool = False
    enough: bool = False


class FigureTable(Frozen):
    """says: its title in English. n: games or seats behind all of it. about: the measure, if it is about one.

    typed: how many of the games are results that were typed in. left_out: of its rows.
    """

    key: str
    says: str
    headings: tuple[Heading, ...]
    rows: tuple[FigureRow, ...]
    n: int
    about: str = ""
    typed: int = 0
    left_out: RowsLeftOut = RowsLeftOut()

    @property
    def hides(self) -> bool:
        """Whether a rate is hidden that rests on few."""
        at = [place for place, heading in enumerate(self.headings) if heading.kind in ("rate", "effect", "gain")]
        return self.left_out.hides or any(row.cells[place] is None for row in self.rows for place in at)

    @property
    def rests_on_few(self) -> bool:
        """Whether every row does."""
        return not self.left_out.enough and all(0 < row.games < FEW for row in self.rows)

    def first_rows(self, most: int) -> FigureTable:
        """The same with its first rows alone."""
        rest = msgspec.structs.replace(self, rows=self.rows[most:])
        if not rest.rows:
            return self
        left_out = RowsLeftOut(self.left_out.n + len(rest.rows), rest.hides, not rest.rests_on_few)
        return msgspec.structs.replace(self, rows=self.rows[:most], left_out=left_out)

    def column(self, key: str) -> list[Any]:
        """One column's values. Raises KeyError."""
        for place, heading in enumerate(self.headings):
            if heading.key == key:
                return [row.cells[place] for row in self.rows]
        raise KeyError(key)

    def csv(self, names: Mapping[str, str] | None = None, left_out: int | None = None) -> bytes:
        """As CSV for a spreadsheet, UTF-8 with a mark so that it is recognised. names: of people, by their ids;
        left_out: as in `ExportTable`."""
        known, links = names or {}, any(row.game for row in self.rows)
        columns = (*(heading.key for heading in self.headings), *(("game", "step") if links else ()))
        return ExportTable(
            self.key,
            columns,
            tuple(
                (
                    *(
                        known.get(cell, cell) if heading.kind == "person" else _csv_cell(cell)
                        for cell, heading in zip(row.cells, self.headings, strict=True)
                    ),
                    *((row.game and str(row.game), row.step) if links else ()),
                )
                for row in self.rows
            ),
            left_out=left_out,
        ).csv()

    def json(self, names: Mapping[str, str] | None = None, left_out: int | None = None) -> bytes:
        """As JSON: the same, each row's cells by the headings' keys."""
        known = names or {}
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
                            heading.key: known.get(cell, cell) if heading.kind == "person" else cell
                            for heading, cell in zip(self.headings, row.cells, strict=True)
                        },
                    }
                    for row in self.rows
                ],
            }
        )


def page_of_table(table: FigureTable, after: str, limit: int) -> ListPage[FigureTable]:
    """The table with the rows of a page; the place behind a row is how many come before it. Raises UnknownPlaceError."""
    page = page_of_list(enumerate(table.rows, 1), lambda row: str(row[0]), after, limit)
    return ListPage([msgspec.structs.replace(table, rows=tuple(row for _, row in page.rows))], page.next)


def _csv_cell(cell: Any) -> Any:
    """A decision, or options, as JSON."""
    return msgspec.json.encode(cell).decode() if isinstance(cell, dict) else cell


def rate(part: float, of: int, games: int) -> float | None:
    """A share of one; None where it would rest on fewer than FEW games, however many sat there."""
    return round(part / of, 4) if games >= FEW else None


def mean(total: float, of: int) -> float | None:
    return round(total / of, 2) if of else None


def sorted_by(table: FigureTable, key: str) -> FigureTable:
    """The same table with its rows by a figure, the most first; hidden figures come last."""
    place = [heading.key for heading in table.headings].index(key)

    def order(row: FigureRow) -> tuple[bool, Any]:
        value = row.cells[place]
        return (value is None, 0 if value is None else -value)

    rows: Sequence[FigureRow] = sorted(table.rows, key=order)
    return msgspec.structs.replace(table, rows=tuple(rows))
