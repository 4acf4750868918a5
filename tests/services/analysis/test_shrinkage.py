"""Few play-outs look surer than they are: even ones are counted in, as many as what happened asks for."""

from __future__ import annotations

from random import Random

import pytest

from daybook.services.analysis.play_outs import Chances
from daybook.services.analysis.shrinkage import shrink_chances, shrink_shares
from tests.laboratory.curve_fits import Forecast, fit_added


def test_the_fewer_play_outs_the_more_even_they_become():
    assert shrink_shares([1.0, 0.0], 10, 10) == [0.75, 0.25]
    assert shrink_shares([1.0, 0.0], 90, 10) == [0.95, 0.05]
    assert shrink_shares([0.25] * 4, 7, 5) == pytest.approx([0.25] * 4)
    assert shrink_shares([0.7, 0.2, 0.1], 12, 3.5) == pytest.approx([0.6172, 0.2301, 0.1527], abs=0.0001)


def test_certain_results_stay_when_no_play_outs_are_added():
    over = Chances(0, 0, [1.0, 0.0], [1.0, 0.0], [1.0, 0.0])
    assert shrink_chances(over, 5) == over
    some = Chances(20, 0, [0.9, 0.1], [0.7, 0.03], [0.97, 0.3])
    assert shrink_chances(some, 0) == some


def test_shares_stay_within_their_intervals_and_add_up_to_one():
    found = shrink_chances(Chances(12, 3, [0.75, 0.25, 0.0], [0.46, 0.09, 0.0], [0.91, 0.53, 0.24]), 4)
    assert sum(found.shares) == pytest.approx(1, abs=0.001) and (found.play_outs, found.cut) == (12, 3)
    assert all(low <= share <= high for low, share, high in zip(found.low, found.shares, found.high, strict=True))
    assert found.shares[2] > 0


@pytest.mark.parametrize("prior", [1.0, 6.0])
def test_as_many_are_counted_in_as_the_games_were_even_before(prior):
    """Chances of two that are drawn out of a beta distribution, of which ten play-outs tell something."""
    random, seen = Random(5), []
    for _ in range(2_000):
        chance = random.betavariate(prior / 2, prior / 2)
        share = sum(random.random() < chance for _ in range(10)) / 10
        won = random.random() < chance
        seen.append(Forecast([share, 1 - share], 10, [float(won), float(not won)]))
    assert fit_added(seen) == pytest.approx(prior, rel=0.2)


def test_games_that_are_over_say_nothing_of_it():
    over = [Forecast([1.0, 0.0], 0, [0.0, 1.0])] * 50
    right = [Forecast([1.0, 0.0], 10, [1.0, 0.0])] * 50
    assert fit_added([*over, *right]) == fit_added(right) < 0.1
