"""Pictures of a table of statistics: bars with a mark for what was to be expected, or one line over time.

Places are in percent of the picture's width, words stand beside the bars as text, so nothing is drawn again when the
page is made wider. A line is drawn in the units of `web.boards.charts`: percent of the height.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from daybook.services.statistics.table import Table

BAR_HEIGHT = 42  # pixels of one bar with its words
MOST_BARS = 24
OVER_TIME = ("number", "month", "year")


class Bar(msgspec.Struct, frozen=True):
    """says, amount: in words; x, width: of the bar, in percent; mark: where the expected value lies; y: of its top."""

    says: str
    amount: str
    x: float
    width: float
    mark: float | None
    y: int


class Bars(msgspec.Struct, frozen=True):
    """Bars under one heading, which is empty where there is but one group. left_out: bars there is no room for."""

    heading: str
    bars: tuple[Bar, ...]
    zero: float
    left_out: int

    @property
    def height(self) -> int:
        return BAR_HEIGHT * len(self.bars)


class Curve(msgspec.Struct, frozen=True):
    """A line over as many stops as there are labels. ticks: (y in percent, in words); first, last: the labels."""

    width: int
    path: str
    ticks: tuple[tuple[float, str], ...]
    first: str
    last: str


class FigurePicture(msgspec.Struct, frozen=True):
    """column: the one that is drawn, in words; expected: whether marks say what was to be expected."""

    column: str
    groups: tuple[Bars, ...]
    curve: Curve | None
    expected: bool


class DrawnValue(msgspec.Struct, frozen=True):
    """A value to be drawn, and how it and its row are said."""

    group: str
    says: str
    value: float | None
    expected: float | None
    amount: str


def bars(column: str, drawn: Sequence[DrawnValue]) -> FigurePicture:
    """Bars of one scale, in groups."""
    values = [value for one in drawn for value in (one.value, one.expected) if value is not None]
    low, high = min([0.0, *values]), max([0.0, *values])
    span = (high - low) or 1.0
    groups = dict.fromkeys(one.group for one in drawn)
    return FigurePicture(column, tuple(
        _group(group, [one for one in drawn if one.group == group], low, span) for group in groups), None,
        any(one.expected is not None for one in drawn))


def _group(heading: str, drawn: Sequence[DrawnValue], low: float, span: float) -> Bars:
    def x(value: float) -> float:
        return round(100 * (value - low) / span, 2)

    made = []
    for place, one in enumerate(drawn[:MOST_BARS]):
        value = one.value or 0.0
        made.append(Bar(
            one.says, one.amount, x(min(value, 0.0)), round(100 * abs(value) / span, 2),
            None if one.expected is None else x(one.expected), BAR_HEIGHT * place))
    return Bars(heading, tuple(made), x(0.0), max(0, len(drawn) - MOST_BARS))


def curve(column: str, drawn: Sequence[DrawnValue], said: Callable[[float], str]) -> FigurePicture:
    """One line, from zero where all of it is above."""
    points = [one for one in drawn if one.value is not None]
    values = [one.value or 0.0 for one in points]
    low, high = min(0.0, *values), max(values) or 1.0

    def y(value: float) -> float:
        return round(100 * (high - value) / ((high - low) or 1.0), 2)

    path = "M" + "L".join(f"{at} {y(value)}" for at, value in enumerate(values))
    ticks = tuple((y(tick), said(tick)) for tick in dict.fromkeys((high, low)))
    return FigurePicture(column, (), Curve(len(values) - 1, path, ticks, points[0].says, points[-1].says), False)


def is_over_time(table: Table) -> bool:
    """Whether a table's rows follow each other in time and are told apart by nothing else."""
    kinds = [heading.kind for heading in table.headings]
    return len(table.rows) > 1 and kinds[0] in OVER_TIME and kinds[1] == "count"
