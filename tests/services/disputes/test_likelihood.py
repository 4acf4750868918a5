"""The order of slips by likelihood."""

from __future__ import annotations

import pytest

from daybook.services.disputes import likelihood
from daybook.services.disputes.explain_count import AlikeSlips, Explanation

PLACE = {"type": "place", "row": 3, "marker": "sell"}


@pytest.mark.parametrize(
    ("nearer", "further"),
    [
        ({**PLACE, "row": 4}, {**PLACE, "row": 5}),
        ({**PLACE, "row": 2}, {**PLACE, "marker": "buy"}),
        ({**PLACE, "marker": "buy"}, {**PLACE, "marker": "buy", "row": 2}),
        ({**PLACE, "row": 1, "marker": "buy"}, {"type": "done"}),
    ],
)
def test_slip_to_a_near_decision_is_likelier_than_a_far_one(nearer, further):
    assert likelihood.confusion_likelihood(PLACE, nearer) > likelihood.confusion_likelihood(PLACE, further) > 0


def test_lists_are_as_close_as_what_stands_in_them():
    cards = {"type": "sell", "cards": ["R1", "R2", "M1"]}
    one, two = {**cards, "cards": ["R1", "R2", "M2"]}, {**cards, "cards": ["R1", "R1", "R1", "R1"]}
    assert likelihood.confusion_likelihood(cards, one) > likelihood.confusion_likelihood(cards, two) > 0


def test_newest_step_is_the_likeliest_and_all_add_up():
    shares = likelihood.recency_shares([1, 2, 5, 9])
    assert [*shares] == [9, 5, 2, 1] and sorted(shares.values(), reverse=True) == [*shares.values()]
    assert sum(shares.values()) == pytest.approx(1)


def test_wrong_note_is_likelier_than_an_odd_amount_or_two_slips():
    one, odd = {"/players/0/money": [30, 31]}, {"/players/0/money": [30, 47]}
    two = one | {"/players/1/money": [30, 35]}
    assert (
        likelihood.unexplained_likelihood(one)
        > likelihood.unexplained_likelihood(odd)
        > likelihood.unexplained_likelihood(two)
    )


def test_one_amount_that_went_to_another_is_one_slip():
    moved = {"/players/0/money": [30, 25], "/players/1/money": [30, 35]}
    apart = {"/players/0/money": [30, 25], "/bank/R1": [30, 35]}
    assert likelihood.unexplained_likelihood(moved) > likelihood.unexplained_likelihood(apart)


def test_a_marker_s_row_and_what_was_paid_for_it_are_one_slip():
    """A step that happens to cause both is therefore not named as sure."""
    row = {"/players/0/factories/1/row": [2, 3], "/players/0/money": [10, 8]}
    apart = {"/players/0/factories/1/row": [2, 3], "/players/1/money": [10, 8]}
    by_one_slip, by_two = likelihood.unexplained_likelihood(row), likelihood.unexplained_likelihood(apart)
    assert by_one_slip > 10 * by_two
    chance = likelihood.KINDS["something_else"] * likelihood.recency_shares(range(60))[30] / 5
    step = AlikeSlips([Explanation("something_else", 30, [*row], True, weight=chance)])
    assert not step.is_sure([step], by_one_slip) and step.is_sure([step], by_two)


@pytest.mark.parametrize("place", ["/bank/R1", "/stacks/0/row", "/market"])
def test_what_lies_in_front_of_nobody_is_a_slip_of_its_own(place):
    money = {"/players/0/money": [10, 8]}
    assert likelihood.other_slips_likelihood({**money, place: [2, 3]}) == pytest.approx(
        likelihood.other_slips_likelihood(money) * likelihood.other_slips_likelihood({place: [2, 3]})
    )


def test_no_share_is_given_twice():
    assert sum(likelihood.KINDS.values()) + likelihood.UNEXPLAINED == pytest.approx(1)
    assert 2 * sum(likelihood.NOTES.values()) / 2 < 1
