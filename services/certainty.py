"""How sure a figure is: intervals around rates, averages and differences of averages, from counts and sums alone.

Each interval is one of 95 %: of twenty such, nineteen hold what many more games would show.

    wilson(won, n)                  of a rate: Wilson's score interval, within 0 and 1, honest for few
    mean_interval(sample)           of an average: Student's t
    welch(one, other)               of the difference of two averages: Welch's t, which lets both vary as they do

They take what is counted for independent. Seats of one game are not quite so: where one wins the others do not. That
makes the intervals of winners beside others a little too wide or too narrow; they rank differences, they prove none.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt

from daybook.domain.kernel.frozen import Frozen

NORMAL = 1.959964  # nineteen of twenty lie within so many standard deviations

Interval = tuple[float, float]


class Sample(Frozen):
    """What is known of values: how many, their average, and their variance around it (of a sample: n - 1)."""

    n: int
    mean: float
    variance: float


class MeanDifference(Frozen):
    """How far one average is from another. apart: of the averages; low, high: within which it likely lies; sureness:
    how many standard errors of a normal distribution it is away from none, so that differences of few and of many
    compare.
    """

    apart: float
    low: float
    high: float
    sureness: float


def sample(n: int, total: float, squares: float) -> Sample:
    """Of sums; n is at least 1."""
    mean = total / n
    return Sample(n, mean, max(squares - n * mean * mean, 0.0) / (n - 1) if n > 1 else 0.0)


def sample_of(values: Sequence[float]) -> Sample:
    return sample(len(values), sum(values), sum(value * value for value in values))


def wilson(won: float, n: int) -> Interval:
    """Between what shares of one a rate likely lies. won: may have parts of one, of wins that were shared."""
    z2 = NORMAL * NORMAL
    rate = won / n
    middle, reach = rate + z2 / (2 * n), NORMAL * sqrt(rate * (1 - rate) / n + z2 / (4 * n * n))
    low, high = (middle - reach) / (1 + z2 / n), (middle + reach) / (1 + z2 / n)
    return max(0.0, min(rate, low)), min(1.0, max(rate, high))  # both hold it, however rounded


def mean_interval(of: Sample) -> Interval | None:
    """Where an average likely lies; None for a single value, which says nothing of how much values vary."""
    if of.n < 2:
        return None
    reach = student(of.n - 1) * sqrt(of.variance / of.n)
    return of.mean - reach, of.mean + reach


def welch(one: Sample, other: Sample) -> MeanDifference | None:
    """One average less the other; None where either is a single value, or nothing varies."""
    if min(one.n, other.n) < 2:
        return None
    a, b = one.variance / one.n, other.variance / other.n
    if a + b <= 0:
        return None
    freedom = (a + b) ** 2 / (a * a / (one.n - 1) + b * b / (other.n - 1))
    apart, error = one.mean - other.mean, sqrt(a + b)
    reach = student(freedom) * error
    return MeanDifference(apart, apart - reach, apart + reach, as_normal(abs(apart) / error, freedom))


def student(freedom: float) -> float:
    """Within how many standard errors nineteen of twenty lie, by Student's t: from a table below four
    degrees of freedom, by the expansion of Cornish and Fisher above, which is right there to three in a thousand.
    """
    if freedom < 4:
        known = (inf, 12.7062, 4.3027, 3.1824)
        return known[max(1, int(freedom))]
    z, v = NORMAL, freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def as_normal(t: float, freedom: float) -> float:
    """A Student's t as the distance that is as rare in a normal distribution (Wallace 1959)."""
    return (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log(1 + t * t / freedom))


def by_chance(rows: int) -> float:
    """How many standard errors the farthest of so many rows is away where there is nothing to find, about."""
    return sqrt(2 * log(rows)) if rows > 1 else 0.0
