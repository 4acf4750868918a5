"""Charts as SVG: a column over the steps, one line per seat.

Lines stretch with the page, strokes do not; labels are text at a height in percent. Independent of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points

LABEL_HEIGHT_PERCENT = 13.0  # of an end label
NUMBER_WIDTH_PERCENT = 10.0  # of a number and a space on a phone, with text at 200 %
LABEL_ABOVE_PERCENT = 2.0  # from a tick to the baseline of its label
LABEL_BELOW_PERCENT = 9.0
LEAST_Y_ABOVE = 12.0  # of a tick with its label above it
TICK_HEIGHT_PERCENT = 9.0  # of a tick's label
CHART_HEIGHT = 100  # in the chart's units


class ChartLine(Frozen):
    """One seat's line. path: SVG path data; y, label_y: where its last value and its label stand, in percent."""

    seat: int
    path: str
    last: Points
    y: float
    label_y: float


class LineChart(Frozen):
    """A column over steps, or rounds, 0 to width.

    Args:
        ticks: (y in percent, amount), the highest first.
        places: the round of each step, or its number among those that count; empty if all steps count.
    """

    column: str
    width: int
    lines: list[ChartLine]
    ticks: list[tuple[float, Points]]
    places: tuple[int, ...] = ()

    def at(self, step: int) -> int:
        """Return the place of a step."""
        return self.places[step] if self.places else step

    def numbers(self, steps: Sequence[int]) -> list[tuple[float, float]]:
        """Return for each step its position and that of its number, in percent from the left."""
        places = [round(100 * self.at(step) / max(1, self.width), 1) for step in steps]
        return list(zip(places, spread_labels(places, NUMBER_WIDTH_PERCENT), strict=True))


def build_chart(
    column: str, values: Sequence[Sequence[Points]], places: Sequence[int] = (), lowest_wins: bool = False
) -> LineChart:
    """Build a chart.

    Args:
        values: for each step, the column's value of each seat.
        places: the place of each step, if it is not its number.
        lowest_wins: the lowest amounts are at the top.
    """
    seats = range(len(values[0]))
    least = min(0, min(map(min, values)))
    most = max(1, max(map(max, values)))
    low, high = (most, least) if lowest_wins else (least, most)
    at = tuple(places) or range(len(values))
    ends = [round(_y_of(values[-1][seat], low, high), 1) for seat in seats]
    labels = spread_labels(ends)
    return LineChart(
        column,
        at[-1],
        [
            ChartLine(
                seat,
                step_path([value[seat] for value in values], low, high, at),
                values[-1][seat],
                ends[seat],
                labels[seat],
            )
            for seat in seats
        ],
        _readable_ticks([(round(_y_of(tick, low, high), 1), tick) for tick in axis_ticks(least, most)]),
        tuple(places),
    )


def tick_label_y(y: float) -> float:
    """Return the baseline of an amount's label, in percent: above its line if it has room there."""
    return y - LABEL_ABOVE_PERCENT if y > LEAST_Y_ABOVE else y + LABEL_BELOW_PERCENT


def _readable_ticks(ticks: list[tuple[float, Points]]) -> list[tuple[float, Points]]:
    """Return the ticks with labels that cover neither that of 0 nor each other."""
    kept: list[tuple[float, Points]] = []
    for y, amount in sorted(ticks, key=lambda tick: tick[1] != 0):
        if all(abs(tick_label_y(y) - tick_label_y(other)) >= TICK_HEIGHT_PERCENT for other, _ in kept):
            kept.append((y, amount))
    return sorted(kept)


def _y_of(value: Points, low: Points, high: Points) -> float:
    return CHART_HEIGHT * (high - value) / (high - low)


def step_path(values: Sequence[Points], low: Points, high: Points, at: Sequence[int] = ()) -> str:
    """Return a line that stays level and jumps at the steps that changed it.

    Args:
        at: the place of each step; by default its number.
    """
    at = at or range(len(values))
    drawn = [f"M0 {_y_of(values[0], low, high):.4g}"]
    for step, (was, now) in enumerate(pairwise(values), 1):
        if was != now:
            drawn.append(f"H{at[step]}V{_y_of(now, low, high):.4g}")
    return "".join([*drawn, f"H{at[-1]}"])


def axis_ticks(low: Points, high: Points) -> list[Points]:
    """Return 0, the largest round amount below the maximum, and a negative minimum."""
    step = 10 ** (len(str(int(high))) - 1)
    top = int(high // step * step)
    return [top, *([0] if top else []), *([low] if low < 0 else [])]


def spread_labels(ends: Sequence[float], size: float = LABEL_HEIGHT_PERCENT) -> list[float]:
    """Return positions of labels of a size, as close to their lines' ends as possible without overlap."""
    order = sorted(range(len(ends)), key=lambda place: ends[place])
    room = min(size, CHART_HEIGHT / max(1, len(ends)))
    placed: list[float] = []
    for place in order:
        least = placed[-1] + room if placed else 0.0
        placed.append(max(ends[place], least))
    most = float(CHART_HEIGHT)
    for place in reversed(range(len(placed))):
        placed[place] = min(placed[place], most)
        most = placed[place] - room
    return [round(placed[order.index(place)], 1) for place in range(len(ends))]
