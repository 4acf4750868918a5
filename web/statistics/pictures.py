"""Pictures of statistics as SVG, one kind for each kind of question.

    Rows        rows of words with a strip: a dot with its interval (rates, averages), a range from lowest to highest, a
    bar from zero (amounts) or to either side (differences), or two bars (winners and others)
    PeriodLines lines over periods: one with its interval, or one per seat, colour, or winners and others
    Matrix      each person against each other
    Branch      a tree of decisions

Positions are percentages, and words are page text, so pictures stretch, stay readable and are accessible. Values from
fewer than `FEW` games are folded away. `web.statistics.answers` chooses the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import floor, log10
from typing import TypeVar

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.services.certainty import Z_95, Interval, expected_max_z
from daybook.web.boards.charts import spread_labels

TIME_TICK_SECONDS = (
    15,
    30,
    60,
    120,
    300,
    600,
    900,
    1800,
    3600,
    7200,
    10800,
    21600,
    43200,
    86400,
)  # round parts of hours
MOST_ROWS, MOST_LINES, MOST_PEOPLE, MOST_GROUPS, MOST_FOLDED = 24, 6, 12, 24, 120
AmountText = Callable[[float], str]  # formats an amount


class Series(Frozen, gc=False):
    """Subject of a row or a line.

    Args:
        paint: CSS class of its colour.
        letter: of a seat.
        person: `says` is an id until `with_names` replaces it.
    """

    says: str
    paint: str = ""
    letter: str = ""
    person: bool = False


class Value(Frozen, gc=False):
    """Value to draw.

    Args:
        value: None if it is from too few games.
        interval: its confidence interval.
        reach: its lowest and highest value.
        expected: value if all were alike.
        beside: the second of two values.
        amount: returns it in words, for the drawn values only.
    """

    group: Series
    of: Series
    value: float | None
    amount: Callable[[], str]
    interval: Interval | None = None
    reach: Interval | None = None
    expected: float | None = None
    beside: float | None = None
    games: int = 0


# --- rows ------------------------------------------------------------------------------------------------------------


class StripRow(Frozen):
    """Row in percent of its strip.

    Args:
        bars: start and end of each bar.
        sure: the expected value is outside of the interval.
        likely: the interval in words.
    """

    of: Series
    amount: str
    dot: float | None = None
    interval: Interval | None = None
    reach: Interval | None = None
    mark: float | None = None
    bars: tuple[Interval, ...] = ()
    sure: bool = False
    likely: tuple[str, str] | None = None


class Group(Frozen):
    """Rows under a heading, which is empty for a single group.

    Args:
        left_out: number of rows without space.
        folded: the first rows with too few games.
        too_few: number of those rows.
    """

    heading: Series
    rows: tuple[StripRow, ...]
    left_out: int
    folded: tuple[Series, ...]
    too_few: int


class Rows(Frozen):
    """Rows with a common scale.

    Args:
        kind: of what is drawn, for the legend.
        column: of the figures, in words.
        ticks: (x, in words) of the axis.
        zero: position of 0, if visible.
        left_out: number of groups without space.
        telling: excess of the surest row over chance, in standard errors.
    """

    kind: str
    column: str
    groups: tuple[Group, ...]
    ticks: tuple[tuple[float, str], ...]
    zero: float | None
    left_out: int = 0
    telling: float = 0.0


def shorten_rows(picture: Rows, limit: int) -> Rows:
    """Return a picture with at most `limit` rows. The remaining rows are counted as left out."""
    groups = []
    for group in picture.groups:
        rows = group.rows[:limit]
        limit -= len(rows)
        groups.append(msgspec.structs.replace(group, rows=rows, left_out=group.left_out + len(group.rows) - len(rows)))
    return msgspec.structs.replace(picture, groups=tuple(groups))


def build_rows(
    kind: str,
    column: str,
    values: Sequence[Value],
    say: AmountText,
    from_zero: bool = False,
    bounds: Interval | None = None,
    steps: Sequence[float] = (),
) -> Rows:
    """Build rows with a common scale, from zero or as wide as necessary.

    Args:
        steps: as for `Scale.around`.
    """
    shown = [value for value in values if value.value is not None]
    held = [edge for estimate in shown for edge in _edges(estimate)]
    low, high = min([*([0.0] if from_zero else []), *held]), max([*([0.0] if from_zero else []), *held])
    if bounds is not None:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    scale = Scale.around(low, high, steps)

    def picture_row(value: Value) -> StripRow:
        assert value.value is not None
        sure = (
            value.expected is not None
            and value.interval is not None
            and not (value.interval[0] <= value.expected <= value.interval[1])
        )
        if kind in ("amounts", "beside"):
            bars = [value.value] if value.beside is None else [value.value, -value.beside]
            ends = tuple((min(scale.x(0), scale.x(end)), max(scale.x(0), scale.x(end))) for end in bars)
            return StripRow(value.of, value.amount(), bars=ends, sure=True)
        likely = None if value.interval is None else (say(value.interval[0]), say(value.interval[1]))
        if kind in ("effects", "gains"):
            ends = ((min(scale.x(0), scale.x(value.value)), max(scale.x(0), scale.x(value.value))),)
            return StripRow(
                value.of, value.amount(), None, scale.pair(value.interval), bars=ends, sure=sure, likely=likely
            )
        return StripRow(
            value.of,
            value.amount(),
            scale.x(value.value),
            scale.pair(value.interval),
            scale.pair(value.reach),
            None if value.expected is None else scale.x(value.expected),
            (),
            sure or value.expected is None,
            likely,
        )

    by_heading: dict[Series, tuple[list[Value], list[Value]]] = {}
    for value in values:
        by_heading.setdefault(value.group, ([], []))[value.value is None].append(value)
    groups = []
    for heading, (here, too_few) in [*by_heading.items()][:MOST_GROUPS]:
        groups.append(
            Group(
                heading,
                tuple(picture_row(row) for row in here[:MOST_ROWS]),
                max(0, len(here) - MOST_ROWS),
                tuple(row.of for row in too_few[:MOST_FOLDED]),
                len(too_few),
            )
        )
    both = kind == "beside"
    return Rows(
        kind,
        column,
        tuple(groups),
        tuple((scale.x(tick), say(abs(tick) if both else tick)) for tick in scale.ticks),
        scale.x(0) if scale.low < 0 < scale.high else None,
        len(by_heading) - len(groups),
        max((excess_over_chance(here) for here, _ in by_heading.values()), default=0.0)
        if kind in ("rates", "effects")
        else 0.0,
    )


def excess_over_chance(values: Sequence[Value]) -> float:
    """Return the largest z-score of the values, less what chance alone would give.

    Averages have no expected value: larger tables score differently.
    """
    away = [
        abs((value.value or 0.0) - value.expected) / ((value.interval[1] - value.interval[0]) / 2 / Z_95)
        for value in values
        if value.expected is not None and value.interval is not None and value.interval[1] > value.interval[0]
    ]
    return max(away, default=0.0) - expected_max_z(len(values))


# --- a matrix --------------------------------------------------------------------------------------------------------


class MatrixCell(Frozen):
    """Comparison of two people.

    Args:
        text: rate of the row's person, short.
        shade: 0 to 4, darker for higher; None with too few games.
        says: full sentence.
        to: address of the games behind it.
    """

    text: str
    shade: int | None
    says: str
    to: str


class Matrix(Frozen):
    """Each person against each other.

    Args:
        rows: a name, and a cell per column; None for the same person or no meetings.
        left_out: number of people without space.
    """

    rows: tuple[tuple[str, tuple[MatrixCell | None, ...]], ...]
    left_out: int
    kind: str = "matrix"
    telling: float = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.rows)


def shade_of(rate: float) -> int:
    """Return a shade from 0 (nearly always lost) to 4 (nearly always won); 2 is even."""
    return min(4, int(rate * 5))


def _edges(value: Value) -> list[float]:
    assert value.value is not None
    return [
        value.value,
        *(value.interval or ()),
        *(value.reach or ()),
        *([] if value.expected is None else [value.expected]),
        *([] if value.beside is None else [-value.beside]),
    ]


class Scale(Frozen):
    """Round lower and upper ends with round ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def around(cls, low: float, high: float, steps: Sequence[float] = ()) -> Scale:
        """Return a scale that contains two values, with three to five ticks.

        Args:
            steps: tick distances for amounts that are not decimal, smallest first.
        """
        span = (high - low) or abs(high) or 1.0
        step = next((step for step in steps if span / step <= 4), 0.0) or round_step(span)
        first = floor(low / step + 1e-9)
        last = -floor(-(high / step) + 1e-9)
        if first == last:
            last += 1
        return cls(first * step, last * step, tuple(round(at * step, 10) for at in range(first, last + 1)))

    def x(self, value: float) -> float:
        at = 100 * (value - self.low) / (self.high - self.low)
        return round(min(100.0, max(0.0, at)), 2)

    def pair(self, values: Interval | None) -> Interval | None:
        return None if values is None else (self.x(values[0]), self.x(values[1]))


def round_step(span: float) -> float:
    """Return a round distance between ticks (1, 2, 2.5 or 5 times a power of ten), for two to four ticks."""
    power: float = 10.0 ** floor(log10(span))
    return next(step * power / 10 for step in (2.5, 5, 10, 20, 25, 50) if span / (step * power / 10) <= 4.0001)


# --- a tree ----------------------------------------------------------------------------------------------------------


class Branch(Frozen):
    """Decision of a tree.

    Args:
        who: in words.
        says: in words.
        to: its address.
        stem: width in pixels, by its share of games.
        row: win rate of those who chose it.
        next: later decisions.
        folded: rare later decisions, with their addresses.
    """

    who: str
    says: str
    to: str
    stem: float
    row: StripRow
    next: tuple[Branch, ...] = ()
    folded: tuple[tuple[str, str], ...] = ()


MAX_STEM_PIXELS = 14.0  # of a branch that all games took
RATES = Scale(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))


def build_branch(
    who: str,
    label: str,
    to: str,
    share: float,
    value: Value,
    later: Sequence[Branch] = (),
    folded: Sequence[tuple[str, str]] = (),
) -> Branch:
    """Build a branch.

    Args:
        value: win rate of those who chose it; without value for facts of the table.
    """
    return Branch(
        who, label, to, round(max(1.5, MAX_STEM_PIXELS * share), 1), rate_row(value), tuple(later), tuple(folded)
    )


def rate_row(value: Value) -> StripRow:
    """Build a row for a rate, on a scale from 0 to 100 %."""
    if value.value is None or value.interval is None or value.expected is None:
        return StripRow(value.of, value.amount())
    low, high = value.interval
    return StripRow(
        value.of,
        value.amount(),
        RATES.x(value.value),
        RATES.pair(value.interval),
        None,
        RATES.x(value.expected),
        (),
        not low <= value.expected <= high,
    )


# --- lines -----------------------------------------------------------------------------------------------------------


class Line(Frozen):
    """Line of a chart.

    Args:
        path: SVG path data.
        band: SVG path of its interval, or empty.
        dash: number of its dash pattern.
        last: last value in words, at `y` with its label at `label_y`.
    """

    of: Series
    path: str
    band: str
    dash: int
    last: str
    y: float
    label_y: float


class PeriodLines(Frozen):
    """Lines over periods.

    Args:
        ticks: (y in percent, in words).
        stops: (x in percent, label).
        left_out: number of series without space.
        folded: stops with too few games.
    """

    column: str
    lines: tuple[Line, ...]
    width: int
    ticks: tuple[tuple[float, str], ...]
    stops: tuple[tuple[float, str], ...]
    left_out: int
    folded: tuple[str, ...]
    kind: str = "lines"
    telling: float = 0.0


def build_lines(
    column: str, values: Sequence[Value], format_amount: AmountText, steps: Sequence[float] = ()
) -> PeriodLines | None:
    """Build lines, one per series; a value's `group` is its stop. None with fewer than two stops."""
    counted = [figure for figure in values if figure.value is not None]
    reached = {figure.group for figure in counted}
    stops = [stop for stop in dict.fromkeys(figure.group for figure in values) if stop in reached]
    series = dict[Series, int]()
    for figure in counted:
        series[figure.of] = series.get(figure.of, 0) + figure.games
    most = sorted(series, key=lambda line: -series[line])[:MOST_LINES]
    kept = [line for line in series if line in most]
    alone = len(kept) == 1
    if len(stops) < 2:
        return None
    shown = [figure for figure in counted if figure.of in kept]
    edges = [edge for figure in shown for edge in (figure.value or 0.0, *((figure.interval or ()) if alone else ()))]
    scale = Scale.around(min(0.0, *edges), max(edges), steps)
    at = {stop: place for place, stop in enumerate(stops)}

    def y(value: float) -> float:
        return round(100 - scale.x(value), 2)

    ends = [[figure for figure in shown if figure.of == line][-1] for line in kept]
    labels = spread_labels([y(end.value or 0.0) for end in ends])
    lines = []
    for number, (line, end, label) in enumerate(zip(kept, ends, labels, strict=True)):
        points = [(at[figure.group], figure) for figure in shown if figure.of == line]
        band = [(x, figure.interval) for x, figure in points if figure.interval is not None] if alone else []
        lines.append(
            Line(
                line,
                "M" + "L".join(f"{x} {y(figure.value or 0.0)}" for x, figure in points),
                "M"
                + "L".join(
                    [*(f"{x} {y(high)}" for x, (_, high) in band), *(f"{x} {y(low)}" for x, (low, _) in reversed(band))]
                )
                + "Z"
                if len(band) > 1
                else "",
                number,
                format_amount(end.value or 0.0),
                y(end.value or 0.0),
                label,
            )
        )
    folded = [stop for stop in dict.fromkeys(figure.group for figure in values) if stop not in at]
    return PeriodLines(
        column,
        tuple(lines),
        len(stops) - 1,
        tuple((y(tick), format_amount(tick)) for tick in reversed(scale.ticks)),
        tuple((round(100 * place / (len(stops) - 1), 2), stop.says) for stop, place in at.items()),
        len(series) - len(kept),
        tuple(stop.says for stop in folded),
    )


# --- names of people
# ---------------------------------------------------------------------------------------------------


Drawn = TypeVar("Drawn", StripRow, Line)


def people_in_picture(picture: Rows | PeriodLines | None) -> set[str]:
    """Return ids of the people in a picture."""
    return {series.says for series in _series_of(picture) if series.person}


def with_names(picture: Rows | PeriodLines | None, called: Callable[[str], str]) -> Rows | PeriodLines | None:
    """Replace people's ids in a picture by their names."""

    def named(series: Series) -> Series:
        return msgspec.structs.replace(series, says=called(series.says), person=False) if series.person else series

    def row_named(row: Drawn) -> Drawn:
        return msgspec.structs.replace(row, of=named(row.of))

    match picture:
        case Rows():
            groups = (
                msgspec.structs.replace(
                    group,
                    heading=named(group.heading),
                    rows=tuple(map(row_named, group.rows)),
                    folded=tuple(map(named, group.folded)),
                )
                for group in picture.groups
            )
            return msgspec.structs.replace(picture, groups=tuple(groups))
        case PeriodLines():
            return msgspec.structs.replace(picture, lines=tuple(map(row_named, picture.lines)))
    return None


def _series_of(picture: Rows | PeriodLines | None) -> Iterator[Series]:
    match picture:
        case Rows():
            for group in picture.groups:
                yield group.heading
                yield from (row.of for row in group.rows)
                yield from group.folded
        case PeriodLines():
            yield from (line.of for line in picture.lines)
