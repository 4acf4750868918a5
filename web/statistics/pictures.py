"""Pictures of answers of statistics: a kind for each kind of question, all of them SVG that the server writes.

    Rows        a line of words for each row and a strip beside it: a dot with its interval (rates, averages), what it
                reached from lowest to highest, a bar from zero (amounts), to either side of it with its interval
                (differences), two bars from a middle (winners beside others)
    PeriodLines lines over periods: one with its interval, or one for each seat, colour, or winners and others
    Matrix      everybody beside everybody
    Branch      a decision and what came after it: a tree

Places are in percent of a strip's width or of a picture's height; words stand beside as text of the page, so nothing is
drawn again when the page is made wider, nothing is too small to read, and who cannot see a picture reads the same
figures. What rests on fewer than `FEW` games is folded away. Which kind a question gets: `web.statistics.answers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import floor, log10
from typing import TypeVar

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.services.certainty import Z_95, Interval, expected_max_z
from daybook.web.boards.charts import spread_labels

OF_TIME = (15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)  # round parts of hours
MOST_ROWS, MOST_LINES, MOST_PEOPLE, MOST_GROUPS, MOST_FOLDED = 24, 6, 12, 24, 120
Said = Callable[[float], str]  # an amount in words


class Series(Frozen, gc=False):
    """Which thing a row or a line is of. paint: the class that gives its colour; letter: of a seat; person: whose id
    `says` is until it is told who is called how (`with_names`).
    """

    says: str
    paint: str = ""
    letter: str = ""
    person: bool = False


class Value(Frozen, gc=False):
    """A value to be drawn. value: None where it rests on too few. low, high: within which it likely lies; least, most:
    what it reached; expected: what it would be if all were alike; beside: the other value of two; amount: it in words,
    asked of what is drawn: there may be thousands.
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
    """A row in percent of its strip. bars: from and to, of the value and of the other; sure: whether what was expected
    lies outside of the interval; likely: the interval in words.
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
    """Rows under a heading, which is empty where there is but one group. left_out: rows there is no room for; folded:
    the first of what rests on too few, of so many.
    """

    heading: Series
    rows: tuple[StripRow, ...]
    left_out: int
    folded: tuple[Series, ...]
    too_few: int


class Rows(Frozen):
    """Rows of one scale. kind: of what is drawn, for the legend; column: what, in words; ticks: (x, in words) of the
    axis below; zero: where nothing lies, if within; left_out: groups there is no room for;
    telling: how far beyond chance the surest row is, in standard errors.
    """

    kind: str
    column: str
    groups: tuple[Group, ...]
    ticks: tuple[tuple[float, str], ...]
    zero: float | None
    left_out: int = 0
    telling: float = 0.0


def rows(
    kind: str,
    column: str,
    values: Sequence[Value],
    say: Said,
    from_zero: bool = False,
    bounds: Interval | None = None,
    steps: Sequence[float] = (),
) -> Rows:
    """Rows of one scale, from zero or as wide as they need, within bounds. steps: as `Scale.around` has them."""
    shown = [value for value in values if value.value is not None]
    held = [edge for one in shown for edge in _edges(one)]
    low, high = min([*([0.0] if from_zero else []), *held]), max([*([0.0] if from_zero else []), *held])
    if bounds is not None:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    scale = Scale.around(low, high, steps)

    def picture_row(one: Value) -> StripRow:
        assert one.value is not None
        sure = (
            one.expected is not None
            and one.interval is not None
            and not (one.interval[0] <= one.expected <= one.interval[1])
        )
        if kind in ("amounts", "beside"):
            bars = [one.value] if one.beside is None else [one.value, -one.beside]
            ends = tuple((min(scale.x(0), scale.x(end)), max(scale.x(0), scale.x(end))) for end in bars)
            return StripRow(one.of, one.amount(), bars=ends, sure=True)
        likely = None if one.interval is None else (say(one.interval[0]), say(one.interval[1]))
        if kind in ("effects", "gains"):
            ends = ((min(scale.x(0), scale.x(one.value)), max(scale.x(0), scale.x(one.value))),)
            return StripRow(one.of, one.amount(), None, scale.pair(one.interval), bars=ends, sure=sure, likely=likely)
        return StripRow(
            one.of,
            one.amount(),
            scale.x(one.value),
            scale.pair(one.interval),
            scale.pair(one.reach),
            None if one.expected is None else scale.x(one.expected),
            (),
            sure or one.expected is None,
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
                tuple(picture_row(one) for one in here[:MOST_ROWS]),
                max(0, len(here) - MOST_ROWS),
                tuple(one.of for one in too_few[:MOST_FOLDED]),
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
        max((telling(here) for here, _ in by_heading.values()), default=0.0) if kind in ("rates", "effects") else 0.0,
    )


def telling(values: Sequence[Value]) -> float:
    """How many standard errors the farthest value is from what was expected of it, less what chance alone would do with
    so many. Of averages nothing is expected: who sat at larger tables scores otherwise, and that tells nothing.
    """
    away = [
        abs((value.value or 0.0) - value.expected) / ((value.interval[1] - value.interval[0]) / 2 / Z_95)
        for value in values
        if value.expected is not None and value.interval is not None and value.interval[1] > value.interval[0]
    ]
    return max(away, default=0.0) - expected_max_z(len(values))


# --- a matrix --------------------------------------------------------------------------------------------------------


class MatrixCell(Frozen):
    """Of two people: text: how often the one of the row came before the other, in words of a square; shade: 0 to 4, the
    more the darker, None where it rests on too few; says: the whole of it; to: the games behind it.
    """

    text: str
    shade: int | None
    says: str
    to: str


class Matrix(Frozen):
    """Everybody beside everybody. rows: a name, and a cell for each name in the order of the rows, None where two did
    not meet or are one. left_out: people there is no room for.
    """

    rows: tuple[tuple[str, tuple[MatrixCell | None, ...]], ...]
    left_out: int
    kind: str = "matrix"
    telling: float = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.rows)


def shade_of(rate: float) -> int:
    """Fifths of one: 0 lost nearly always, 2 level, 4 won nearly always."""
    return min(4, int(rate * 5))


def _edges(one: Value) -> list[float]:
    assert one.value is not None
    return [
        one.value,
        *(one.interval or ()),
        *(one.reach or ()),
        *([] if one.expected is None else [one.expected]),
        *([] if one.beside is None else [-one.beside]),
    ]


class Scale(Frozen):
    """What lies at 0 and at 100 percent, both round, and the round amounts between."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def around(cls, low: float, high: float, steps: Sequence[float] = ()) -> Scale:
        """A scale that holds two values; three to five ticks. steps: between ticks, of amounts that are not written
        in tens, the least first.
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
    """1, 2, 2.5 or 5 of a power of ten: so that a span has two to four of it."""
    power: float = 10.0 ** floor(log10(span))
    return next(step * power / 10 for step in (2.5, 5, 10, 20, 25, 50) if span / (step * power / 10) <= 4.0001)


# --- a tree ----------------------------------------------------------------------------------------------------------


class Branch(Frozen):
    """A decision of a tree. who, says: in words; to: where it leads; stem: how thick its branch is, in pixels, by the
    share of games that took it; row: how often those won who decided so; next: what came after; folded: of what came
    after, (in words, where it leads) of decisions that fewer than FEW games took.
    """

    who: str
    says: str
    to: str
    stem: float
    row: StripRow
    next: tuple[Branch, ...] = ()
    folded: tuple[tuple[str, str], ...] = ()


STEM = 14.0  # pixels of a branch that all games took
RATES = Scale(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))


def branch(
    who: str,
    says: str,
    to: str,
    share: float,
    value: Value,
    next: Sequence[Branch] = (),
    folded: Sequence[tuple[str, str]] = (),
) -> Branch:
    """value: how often those won who decided so; None of what nobody decided."""
    return Branch(who, says, to, round(max(1.5, STEM * share), 1), rate_row(value), tuple(next), tuple(folded))


def rate_row(one: Value) -> StripRow:
    """A rate in a strip from none to all."""
    if one.value is None or one.interval is None or one.expected is None:
        return StripRow(one.of, one.amount())
    low, high = one.interval
    return StripRow(
        one.of,
        one.amount(),
        RATES.x(one.value),
        RATES.pair(one.interval),
        None,
        RATES.x(one.expected),
        (),
        not low <= one.expected <= high,
    )


# --- lines -----------------------------------------------------------------------------------------------------------


class Line(Frozen):
    """path: SVG path data; band: of its interval, empty without; dots: (x, y) in percent of each stop; dash: the number
    of its stroke; last, y, label_y: its last value in words, where that lies and where its label stands.
    """

    of: Series
    path: str
    band: str
    dots: tuple[Interval, ...]
    dash: int
    last: str
    y: float
    label_y: float


class PeriodLines(Frozen):
    """Lines over as many stops as there are labels. ticks: (y in percent, in words); stops: (x in percent, label);
    left_out: series there is no room for; folded: stops that rest on too few.
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


def lines(column: str, values: Sequence[Value], say: Said, steps: Sequence[float] = ()) -> PeriodLines | None:
    """Lines, a series for each; `group` of a value is its stop. None where fewer than two stops rest on enough."""
    counted = [one for one in values if one.value is not None]
    reached = {one.group for one in counted}
    stops = [stop for stop in dict.fromkeys(one.group for one in values) if stop in reached]
    series = dict[Series, int]()
    for one in counted:
        series[one.of] = series.get(one.of, 0) + one.games
    most = sorted(series, key=lambda of: -series[of])[:MOST_LINES]
    kept = [of for of in series if of in most]
    alone = len(kept) == 1
    if len(stops) < 2:
        return None
    shown = [one for one in counted if one.of in kept]
    edges = [edge for one in shown for edge in (one.value or 0.0, *((one.interval or ()) if alone else ()))]
    scale = Scale.around(min(0.0, *edges), max(edges), steps)
    at = {stop: place for place, stop in enumerate(stops)}

    def y(value: float) -> float:
        return round(100 - scale.x(value), 2)

    ends = [[one for one in shown if one.of == of][-1] for of in kept]
    labels = spread_labels([y(end.value or 0.0) for end in ends])
    made = []
    for number, (of, end, label) in enumerate(zip(kept, ends, labels, strict=True)):
        points = [(at[one.group], one) for one in shown if one.of == of]
        band = [(x, one.interval) for x, one in points if one.interval is not None] if alone else []
        made.append(
            Line(
                of,
                "M" + "L".join(f"{x} {y(one.value or 0.0)}" for x, one in points),
                "M"
                + "L".join(
                    [*(f"{x} {y(high)}" for x, (_, high) in band), *(f"{x} {y(low)}" for x, (low, _) in reversed(band))]
                )
                + "Z"
                if len(band) > 1
                else "",
                tuple((round(100 * x / (len(stops) - 1), 2), y(one.value or 0.0)) for x, one in points),
                number,
                say(end.value or 0.0),
                y(end.value or 0.0),
                label,
            )
        )
    folded = [stop for stop in dict.fromkeys(one.group for one in values) if stop not in at]
    return PeriodLines(
        column,
        tuple(made),
        len(stops) - 1,
        tuple((y(tick), say(tick)) for tick in reversed(scale.ticks)),
        tuple((round(100 * place / (len(stops) - 1), 2), stop.says) for stop, place in at.items()),
        len(series) - len(kept),
        tuple(stop.says for stop in folded),
    )


# --- who is called how -----------------------------------------------------------------------------------------------


Drawn = TypeVar("Drawn", StripRow, Line)


def people_of(picture: Rows | PeriodLines | None) -> set[str]:
    """Those whose names a picture needs."""
    return {one.says for one in _series_of(picture) if one.person}


def with_names(picture: Rows | PeriodLines | None, called: Callable[[str], str]) -> Rows | PeriodLines | None:
    """The same picture with people's names for their ids."""

    def named(of: Series) -> Series:
        return msgspec.structs.replace(of, says=called(of.says), person=False) if of.person else of

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
