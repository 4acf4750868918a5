"""Points over a season's rounds as lines, in the units of `web.boards.charts`: percent of the height, rounds across."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.standings import GroupStandings, StandingRow
from daybook.services.league.ratings import RatingAfterGame
from daybook.web.boards.charts import spread_labels

SHAPES = 6  # colours that lines have; the seventh person begins again, and the name stands at the end


class PointsLine(Frozen):
    """One person's line. path: SVG path data; points: after each round, the first 0; y, label_y: in percent."""

    person: str
    colour: int
    path: str
    points: tuple[Fraction, ...]
    y: float
    label_y: float


class PointsChart(Frozen):
    """rounds: what stands below, one for each stop; ticks: (y in percent, points), the highest first."""

    rounds: tuple[int, ...]
    lines: list[PointsLine]
    ticks: list[tuple[float, int]]

    @property
    def width(self) -> int:
        return len(self.rounds)


def points_chart(group: GroupStandings) -> PointsChart | None:
    """How the points of a group grew; None while no round has any. Penalties come off at the end."""
    rounds = sorted({line.round for row in group.rows for line in row.lines if line.why_not is None and line.round})
    if not rounds:
        return None
    grown = {row.person: _points_by_round(row, rounds) for row in group.rows}
    low = min(Fraction(0), *(min(points) for points in grown.values()))
    high = max(Fraction(1), *(max(points) for points in grown.values()))
    ends = [round(_y(points[-1], low, high), 1) for points in grown.values()]
    top = int(high) // 5 * 5 or int(high)
    return PointsChart(
        tuple(rounds),
        [
            PointsLine(person, at % SHAPES, _path(points, low, high), points, ends[at], label)
            for at, ((person, points), label) in enumerate(zip(grown.items(), spread_labels(ends), strict=True))
        ],
        [(round(_y(Fraction(tick), low, high), 1), tick) for tick in dict.fromkeys((top, 0))],
    )


def _points_by_round(row: StandingRow, rounds: Sequence[int]) -> tuple[Fraction, ...]:
    """The points after each round, from none on; the last with penalties, as the standings have it."""
    points, found = Fraction(0), [Fraction(0)]
    for number in rounds:
        points += sum((line.points for line in row.lines if line.round == number and line.why_not is None), Fraction(0))
        found.append(points)
    found[-1] -= sum(one.points for one in row.penalties)
    return tuple(found)


def _y(value: Fraction, low: Fraction, high: Fraction) -> float:
    return float(100 * (high - value) / (high - low))


def _path(points: Sequence[Fraction], low: Fraction, high: Fraction) -> str:
    return "M" + "L".join(f"{at} {_y(value, low, high):.4g}" for at, value in enumerate(points))


class RatingChart(Frozen):
    """A rating after each game, and around it the band in which it likely lies; ticks: (y in percent, rating)."""

    width: int
    path: str
    band: str
    ticks: list[tuple[float, int]]


def rating_chart(history: Sequence[RatingAfterGame]) -> RatingChart | None:
    """None for a single game, which makes no line."""
    if len(history) < 2:
        return None
    low = min(one.mu - 2 * one.sigma for one in history)
    high = max(one.mu + 2 * one.sigma for one in history)

    def y(value: float) -> float:
        return round(100 * (high - value) / (high - low), 2)

    upper = [f"{at} {y(one.mu + 2 * one.sigma)}" for at, one in enumerate(history)]
    lower = [f"{at} {y(one.mu - 2 * one.sigma)}" for at, one in enumerate(history)]
    return RatingChart(
        len(history) - 1,
        "M" + "L".join(f"{at} {y(one.mu)}" for at, one in enumerate(history)),
        "M" + "L".join([*upper, *reversed(lower)]) + "Z",
        [(y(tick), tick) for tick in range(0, int(high) + 1, 10) if low <= tick <= high],
    )
