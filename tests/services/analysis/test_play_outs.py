"""Positions played out: chances that add up, out of a seed, with intervals that hold what many more play-outs show."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import msgspec
import pytest

from daybook.domain.games import PACKAGES
from daybook.domain.kernel.curves import Curve, softmax
from daybook.domain.kernel.record import Game
from daybook.services.analysis import play_outs
from daybook.services.analysis.play_outs import Chances, Effort, effort_for, estimate_chances, won_shares
from tests.laboratory.curve_fits import Seen, fit
from tests.services.fixture_files import golden

QUICK = Effort(steps=1, least=8)


@cache
def fixture_game(name: str) -> Game:
    return golden(name).game


def chances_at(name: str, step: int, effort: Effort = QUICK, seed: int = 7) -> Chances:
    game = fixture_game(name)
    return estimate_chances(game.ruleset, game.board_at(step), step, seed, effort)


@pytest.mark.parametrize("name", ["hidden-trio", "market-day", "four-boards", "four-mills"])
def test_shares_are_parts_of_one_victory_within_their_intervals(name):
    step = len(fixture_game(name).entries) * 2 // 3
    effort = msgspec.structs.replace(effort_for(fixture_game(name).ruleset), steps=1, least=5)
    found = chances_at(name, step, effort)
    assert found.play_outs == 5 and sum(found.shares) == pytest.approx(1, abs=0.01)
    for low, share, high in zip(found.low, found.shares, found.high, strict=True):
        assert 0 <= low <= share <= high <= 1 and high > low
    assert chances_at(name, step, effort) == found  # out of its seed, the same again
    assert (found.cut > 0) == (name == "four-mills")


def test_a_game_that_is_over_is_won_by_who_won_it():
    game = fixture_game("four-boards")
    found = chances_at("four-boards", game.line()[-1])
    assert found.play_outs == 0 and found.shares == found.low == found.high
    assert found.shares == won_shares(game.ruleset.ranks(game.board))


def test_a_game_for_one_is_won_or_lost():
    early, late = (chances_at("alone-and-ahead", step, Effort(steps=1, least=20)) for step in (20, 125))
    assert len(early.shares) == 1 and early.shares[0] < 0.5 < late.shares[0]


def test_play_outs_run_until_intervals_are_narrow_or_time_is_up():
    sure = chances_at("four-boards", 385, Effort(steps=100_000))
    assert sure.play_outs < 150 and max(sure.high) - min(sure.high) > 0.9
    assert max(high - low for low, high in zip(sure.low, sure.high, strict=True)) <= play_outs.NARROW_INTERVAL
    assert chances_at("four-boards", 200, Effort(steps=10, least=3)).play_outs == 3


def test_a_shared_victory_counts_in_parts():
    assert won_shares((1, 3, 1, 4)) == [0.5, 0, 0.5, 0]
    assert won_shares((2,)) == [0]


def test_cut_play_out_is_valued_at_the_end_of_a_period(monkeypatch):
    game, seen = fixture_game("four-mills"), list[dict[str, int]]()
    policy = PACKAGES["water_frame"].policy
    assert policy is not None and policy.worth is not None
    worth = policy.worth

    def note_marks(board: Any, seat: int) -> float:
        seen.append(game.ruleset.course.marks(board))
        return worth(board, seat)

    package = replace(PACKAGES["water_frame"], policy=replace(policy, worth=note_marks))
    monkeypatch.setitem(play_outs.PACKAGES, "water_frame", package)
    effort = msgspec.structs.replace(effort_for(game.ruleset), steps=1, least=1)
    assert chances_at("four-mills", 120, effort).cut == 1 and len(seen) == 4
    before = game.ruleset.course.marks(game.board_at(120))
    assert (seen[0]["decade"], seen[0].get("cycle", 9)) > (before["decade"], before["cycle"])


def test_a_curve_is_fitted_to_what_came_of_boards():
    worths = ([0.0, 2.0], [1.0, 0.0], [3.0, 0.0], [0.5, 0.0])
    seen = [
        Seen(list(values), progress, won)
        for progress in (0.0, 1.0)
        for values in worths
        for share in [softmax(values, 0.5 + progress)]
        for won in [share]
    ]
    slope, rise = fit(seen)
    curve = Curve(slope, rise, {2: 10}, "")
    for steps, expected in ((0, 0.5), (10, 1.5)):
        assert curve.shares([1.0, 0.0], steps) == pytest.approx(softmax([1.0, 0.0], expected), abs=0.02)
    assert curve.progress(5, 20) == 1.0  # of a number of seats that is not known, the nearest
