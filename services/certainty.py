"""Confidence intervals (95 %) for rates, averages and differences of averages, from counts and sums.

    wilson(won, n)                  of a rate: Wilson's score interval, within 0 and 1
    mean_interval(sample)           of an average: Student's t
    welch(left, right)              of a difference of averages: Welch's t, with unequal variances

They assume independent values. Seats of one game are not quite independent, which makes intervals for winners slightly
too wide or too narrow; they rank differences and prove none.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt

from daybook.domain.kernel.frozen import Frozen

Z_95 = 1.959964  # 95 % of a normal distribution are within this many standard deviations

Interval = tuple[float, float]


class Sample(Frozen):
    """Size, mean and variance (n - 1) of a sample."""

    n: int
    mean: float
    variance: float


class MeanDifference(Frozen):
    """Difference of two averages.

    Args:
        apart: the difference.
        low: lower end of its interval.
        high: upper end.
        sureness: equivalent z-score, comparable for small and large samples.
    """

    apart: float
    low: float
    high: float
    sureness: float


def sample_from_sums(n: int, total: float, squares: float) -> Sample:
    """Build a sample from its sums; n is at least 1."""
    mean = total / n
    return Sample(n, mean, max(squares - n * mean * mean, 0.0) / (n - 1) if n > 1 else 0.0)


def sample_of(values: Sequence[float]) -> Sample:
    return sample_from_sums(len(values), sum(values), sum(value * value for value in values))


def wilson(won: float, n: int) -> Interval:
    """Return the interval of a rate. `won` may have fractions for shared wins."""
    z2 = Z_95 * Z_95
    rate = won / n
    middle, reach = rate + z2 / (2 * n), Z_95 * sqrt(rate * (1 - rate) / n + z2 / (4 * n * n))
    low, high = (middle - reach) / (1 + z2 / n), (middle + reach) / (1 + z2 / n)
    return max(0.0, min(rate, low)), min(1.0, max(rate, high))  # both hold it, however rounded


def mean_interval(values: Sample) -> Interval | None:
    """Return the interval of an average; None for a single value."""
    if values.n < 2:
        return None
    reach = student_quantile(values.n - 1) * sqrt(values.variance / values.n)
    return values.mean - reach, values.mean + reach


def welch(first: Sample, second: Sample) -> MeanDifference | None:
    """Compare two averages; None if either has a single value or nothing varies."""
    if min(first.n, second.n) < 2:
        return None
    a, b = first.variance / first.n, second.variance / second.n
    if a + b <= 0:
        return None
    freedom = (a + b) ** 2 / (a * a / (first.n - 1) + b * b / (second.n - 1))
    apart, error = first.mean - second.mean, sqrt(a + b)
    reach = student_quantile(freedom) * error
    return MeanDifference(apart, apart - reach, apart + reach, equivalent_z(abs(apart) / error, freedom))


def student_quantile(freedom: float) -> float:
    """Return the 95 % quantile of Student's t.

    From a table below four degrees of freedom; above, by the Cornish-Fisher expansion, accurate to 0.3 %.
    """
    if freedom < 4:
        small_table = (inf, 12.7062, 4.3027, 3.1824)
        return small_table[max(1, int(freedom))]
    z, v = Z_95, freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def equivalent_z(t: float, freedom: float) -> float:
    """Return the z-score as rare as a Student's t (Wallace 1959)."""
    return (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log(1 + t * t / freedom))


def expected_max_z(rows: int) -> float:
    """Return the approximate largest z-score among `rows` rows under the null hypothesis."""
    return sqrt(2 * log(rows)) if rows > 1 else 0.0
