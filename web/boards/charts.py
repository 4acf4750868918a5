"""Charts as SVG: the columns of a record over its steps, one line for each seat, in units of steps and amounts.

The lines stretch with the page and their strokes do not; words stand beside them as text, at a height in percent,
so nothing is drawn again when the page is made wider. Nothing here knows which game it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from daybook.domain.kernel.frozen import Frozen

LABEL_HEIGHT = 13.0  # percent of the chart that one end label takes
NUMBER_WIDTH = 6.0  # percent of the chart, on a phone, that the number of a moment takes
HEIGHT = 100  # the chart's own units, top to bottom


class ChartLine(Frozen):
    """One seat's line. path: SVG path data; y, label_y: where its last value and its label stand, in percent."""

    seat: int
    path: str
    last: int
    y: float
    label_y: float


class LineChart(Frozen):
    """A column over steps 0 to width. ticks: (y in percent, amount), the highest first."""

    column: str
    width: int
    lines: list[ChartLine]
    ticks: list[tuple[float, int]]

    def numbers(self, steps: Sequence[int]) -> list[tuple[float, float]]:
        """Of each step, in percent from the left, where it is and where its number stands below the chart."""
        places = [round(100 * step / max(1, self.width), 1) for step in steps]
        return list(zip(places, spread_labels(places, NUMBER_WIDTH), strict=True))


def chart(column: str, values: Sequence[Sequence[int]]) -> LineChart:
    """values: for each step, the column's value of each seat."""
    seats = range(len(values[0]))
    low = min(0, min(map(min, values)))
    high = max(1, max(map(max, values)))
    ends = [round(_y(values[-1][seat], low, high), 1) for seat in seats]
    labels = spread_labels(ends)
    return LineChart(
        column,
        len(values) - 1,
        [
            ChartLine(
                seat, path([value[seat] for value in values], low, high), values[-1][seat], ends[seat], labels[seat]
            )
            for seat in seats
        ],
        [(round(_y(tick, low, high), 1), tick) for tick in ticks(low, high)],
    )


def _y(value: int, low: int, high: int) -> float:
    return HEIGHT * (high - value) / (high - low)


def path(values: Sequence[int], low: int, high: int) -> str:
    """A line that stays level and jumps at the step that changed it."""
    drawn = [f"M0 {_y(values[0], low, high):.4g}"]
    for step, (was, now) in enumerate(pairwise(values), 1):
        if was != now:
            drawn.append(f"H{step}V{_y(now, low, high):.4g}")
    return "".join([*drawn, f"H{len(values) - 1}"])


def ticks(low: int, high: int) -> list[int]:
    """Zero, and the largest round amount that the chart holds; the lowest where it is below zero."""
    step = 10 ** (len(str(high)) - 1)
    top = high // step * step
    return [top, *([0] if top else []), *([low] if low < 0 else [])]


def spread_labels(ends: Sequence[float], size: float = LABEL_HEIGHT) -> list[float]:
    """Places for labels of a size that stand as close to their lines' ends as they can without lying on one another."""
    order = sorted(range(len(ends)), key=lambda place: ends[place])
    room = min(size, HEIGHT / max(1, len(ends)))
    placed: list[float] = []
    for place in order:
        least = placed[-1] + room if placed else 0.0
        placed.append(max(ends[place], least))
    most = float(HEIGHT)
    for place in reversed(range(len(placed))):
        placed[place] = min(placed[place], most)
        most = placed[place] - room
    return [round(placed[order.index(place)], 1) for place in range(len(ends))]
