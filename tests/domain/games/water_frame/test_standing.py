"""WF-5.2: how a game stands while it is played, and where it is."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME
from tests.domain.games.water_frame.playing import opening_board, plant, player, set_up


def total(decade, **fields):
    return WATER_FRAME.scoring.standing(set_up(player(shares=12, space=22, **fields), decade=decade))[0].total


@pytest.mark.parametrize("decade", [1770, 1800, 1810])
def test_wf_5_2_7_shares_at_their_value_if_the_game_ended_now(decade):
    assert total(decade, food=plant()) == 12 * 16


def test_wf_5_2_7_marked_factory_deducts_what_it_will():
    """The last decade, without any contract."""
    b = set_up(player(shares=12, space=22, food=plant(marked=True)), decade=1810, cycle=2)
    numbers = b.printed
    worth = (12 - numbers.end_marked_shares) * numbers.values[22 - numbers.end_marked_spaces]
    assert WATER_FRAME.scoring.standing(b)[0].total == worth < 12 * 16


@pytest.mark.parametrize(("decade", "marked"), [(1770, False), (1800, False), (1810, False), (1810, True)])
def test_wf_5_2_6_the_ledger_has_the_same_score(decade, marked):
    b = set_up(player(shares=12, space=22, food=plant(marked=marked)), decade=decade, cycle=2)
    assert WATER_FRAME.figures(b)["score"][0] == WATER_FRAME.scoring.standing(b)[0].total
    assert (WATER_FRAME.figures(b)["score"][0] == 12 * 16) is not marked


@pytest.mark.parametrize(
    ("stage", "decade", "cycle", "marks"),
    [
        ("call_out", 1770, 1, {"decade": 1770, "cycle": 1, "turn": 3}),
        ("economy", 1770, 2, {"decade": 1770, "cycle": 2, "turn": 3}),
        ("marker", 1770, 2, {"decade": 1770, "cycle": 2, "turn": 4}),
        ("call_out", 1770, 2, {"decade": 1770, "cycle": 2, "turn": 6}),
        ("cycle_end", 1780, 4, {"decade": 1780, "cycle": 4, "turn": 24}),
        ("event", 1780, 0, {"decade": 1780, "turn": 24}),
    ],
)
def test_wf_5_2_1_place_and_begun_turns_of_three_are_shown(stage, decade, cycle, marks):
    assert WATER_FRAME.course.marks(set_up(stage=stage, decade=decade, cycle=cycle)) == marks


def test_wf_5_2_1_in_the_set_up_no_turn_has_begun():
    assert WATER_FRAME.course.marks(opening_board()) == {"turn": 0}
