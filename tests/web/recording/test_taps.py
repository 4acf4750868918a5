"""The taps of an evening, counted in the pages' own links, buttons and fields.

Whoever makes one of these figures smaller writes the smaller one down; `python -m tests.bench.taps` counts whole games.
"""

from __future__ import annotations

import pytest

from tests.bench.taps import EVENINGS, NAMES, count_cash, count_opening, count_taps, half_played


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "steps", "taps", "confirming", "a_turn", "limit"),
    [
        ("making_profit", 100, 93, 10, 2, 5),  # all of it
        pytest.param("london_markets", 45, 65, 2, 1, 7, marks=pytest.mark.drill),
        pytest.param("water_frame", 40, 40, 3, 4, 6, marks=pytest.mark.drill),  # whole turns
        ("arkwright_card", 30, 33, 1, 3, 8),  # whole turns
    ],
)
def test_an_evening_takes_no_more_taps_than_it_did(open_game, game, steps, taps, confirming, a_turn, limit):
    """taps: in all; confirming: of these, to say yes alone; a_turn: the median; most: nineteen turns of twenty."""
    table = EVENINGS[game]
    evening = count_taps(open_game(NAMES[: table.seats], ruleset_id=game, **table.options), table.seed, steps)
    found = (evening.taps, evening.confirming, evening.median, evening.p95)
    assert all(is_now <= was for is_now, was in zip(found, (taps, confirming, a_turn, limit), strict=True)), found


@pytest.mark.parametrize(
    ("game", "taps"), [("making_profit", 6), ("london_markets", 6), ("water_frame", 8), ("arkwright_card", 8)]
)
def test_few_taps_lead_from_first_page_to_first_decision(book, app, game, taps):
    """One tap in London Markets lets Daybook draw the offer cards, the bottom card and the start player."""
    assert count_opening(book, app, game) <= taps


@pytest.mark.parametrize("game", EVENINGS)
def test_a_count_of_the_cash_of_four_that_agrees_takes_four_taps(book, app, game):
    assert count_cash(half_played(book, app, game)) <= 4
