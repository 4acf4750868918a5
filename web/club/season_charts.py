"""Draw points over the rounds of a season as lines.

Units are those of `web.boards.charts`: percent of the height, rounds across.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.standings import StandingRow
from daybook.services.league.ratings import RatingAfterGame
from daybook.web.boards.charts import spread_labels

LINE_COLOURS = 6  # repeated from the seventh person on; the name is at the line's end


class PointsLine(Frozen):
    """The line of a person."""

    person: str
    colour: int
    path: str  # SVG path data
    points: tuple[Fraction, ...]  # after each round, starting with 0
    y: float  # in percent, as label_y
    label_y: float


class PointsChart(Frozen):
    """The lines of a group."""

    rounds: tuple[int, ...]  # the labels of the x axis
    lines: list[PointsLine]
    ticks: list[tuple[float, int]]  # (y in percent, points), the highest first

    @property
    def width(self) -> int:
        return len(self.rounds)


def points_chart(rows: Sequence[StandingRow]) -> PointsChart | None:
    """Build the chart of players' points, or return None without results. Penalties count in the last round."""
    rounds = sorted({line.round for row in rows for line in row.lines if line.why_not is None and line.round})
    if not rounds:
        return None
    grown = {row.person: _points_by_round(row, rounds) for row in rows}
    low = min(Fraction(0), *(min(points) for points in grown.values()))
    high = max(Fraction(1), *(max(points) for points in grown.values()))
    ends = [round(_y(points[-1], low, high), 1) for points in grown.values()]
    top = int(high) // 5 * 5 or int(high)
    return PointsChart(
        tuple(rounds),
        [
            PointsLine(person, at % LINE_COLOURS, _path(points, low, high), points, ends[at], label)
            for at, ((person, points), label) in enumerate(zip(grown.items(), spread_labels(ends), strict=True))
        ],
        [(round(_y(Fraction(tick), low, high), 1), tick) for tick in dict.fromkeys((top, 0))],
    )


def _points_by_round(row: StandingRow, rounds: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the points after each round, starting with 0. The last figure includes handicap and penalties."""
    points, totals = Fraction(0), [Fraction(0)]
    for number in rounds:
        points += sum((line.points for line in row.lines if line.round == number and line.why_not is None), Fraction(0))
        totals.append(points)
    totals[-1] += row.handicap - sum(penalty.points for penalty in row.penalties)
    return tuple(totals)


def _y(value: Fraction, low: Fraction, high: Fraction) -> float:
    return float(100 * (high - value) / (high - low))


def _path(points: Sequence[Fraction], low: Fraction, high: Fraction) -> str:
    return "M" + "L".join(f"{at} {_y(value, low, high):.4g}" for at, value in enumerate(points))


class RatingChart(Frozen):
    """A rating after each game, with the band of its uncertainty."""

    width: int
    path: str
    band: str
    ticks: list[tuple[float, int]]  # (y in percent, rating)


def rating_chart(history: Sequence[RatingAfterGame]) -> RatingChart | None:
    """Build the chart, or return None for a single game, which makes no line."""
    if len(history) < 2:
        return None
    low = min(rating.mu - 2 * rating.sigma for rating in history)
    high = max(rating.mu + 2 * rating.sigma for rating in history)

    def y(value: float) -> float:
        return round(100 * (high - value) / (high - low), 2)

    upper = [f"{at} {y(rating.mu + 2 * rating.sigma)}" for at, rating in enumerate(history)]
    lower = [f"{at} {y(rating.mu - 2 * rating.sigma)}" for at, rating in enumerate(history)]
    return RatingChart(
        len(history) - 1,
        "M" + "L".join(f"{at} {y(rating.mu)}" for at, rating in enumerate(history)),
        "M" + "L".join([*upper, *reversed(lower)]) + "Z",
        [(y(tick), tick) for tick in range(0, int(high) + 1, 10) if low <= tick <= high],
    )
