"""Intervals against published tables and worked examples, and against what they promise of many draws."""

from __future__ import annotations

import random
from statistics import fmean, variance

import pytest

from daybook.services.certainty import (
    Z_95,
    Sample,
    equivalent_z,
    expected_max_z,
    mean_interval,
    sample_from_sums,
    student_quantile,
    welch,
    wilson,
)


@pytest.mark.parametrize(
    ("won", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (1, 10, 0.0179, 0.4042),
        (8, 10, 0.4902, 0.9433),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_wilsons_interval(won, n, low, high):
    assert wilson(won, n) == pytest.approx((low, high), abs=0.0001)


@pytest.mark.parametrize(
    ("freedom", "t"),
    [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (5, 2.571),
        (8, 2.306),
        (10, 2.228),
        (20, 2.086),
        (30, 2.042),
        (120, 1.980),
    ],
)
def test_students_t_and_what_it_is_as_a_normal_distance(freedom, t):
    assert student_quantile(freedom) == pytest.approx(t, rel=0.003)
    assert equivalent_z(t, freedom) == pytest.approx(Z_95, rel=0.06 if freedom < 3 else 0.01)


def test_sums_come_to_the_same_as_the_values():
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    made = sample_from_sums(len(values), sum(values), sum(value * value for value in values))
    assert (made.mean, made.variance) == pytest.approx((fmean(values), variance(values)))
    assert mean_interval(made) == pytest.approx((3.875 - 2.298, 3.875 + 2.298), abs=0.005)
    assert mean_interval(sample_from_sums(1, 7, 49)) is None


def test_welchs_t_of_unlike_variances():
    """t is 2.2 / sqrt(11.7 / 15) = 2.49 at 25 degrees of freedom: p 0.0198 on both sides, which is 2.33 of a normal."""
    one, other = Sample(15, 20.8, 7.9), Sample(15, 23.0, 3.8)
    found = welch(one, other)
    assert found is not None
    assert found.apart == pytest.approx(-2.2)
    assert found.sureness == pytest.approx(2.33, abs=0.01)
    assert found.low < found.apart < found.high < 0
    assert welch(one, Sample(1, 3.0, 0.0)) is None
    assert welch(Sample(5, 1.0, 0.0), Sample(5, 2.0, 0.0)) is None, "nothing varies, so nothing is known of it"


def test_of_twenty_intervals_nineteen_hold_the_truth():
    draw = random.Random(7)
    held = 0
    for _ in range(2000):
        low, high = wilson(sum(draw.random() < 0.3 for _ in range(20)), 20)
        held += low <= 0.3 <= high
    assert 0.93 < held / 2000 < 0.98
    inside = 0
    for _ in range(2000):
        values = [draw.gauss(10, 3) for _ in range(6)]
        found = mean_interval(Sample(6, fmean(values), variance(values)))
        assert found is not None
        inside += found[0] <= 10 <= found[1]
    assert 0.935 < inside / 2000 < 0.965


def test_the_farthest_of_many_is_far_by_chance():
    assert expected_max_z(1) == 0
    assert expected_max_z(20) == pytest.approx(2.45, abs=0.01)
