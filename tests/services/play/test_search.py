"""The level `strong`: what comes of each decision, out of a seed, a budget, and nothing but what its seat may see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import chain, count
from random import Random
from typing import Any

import msgspec
import pytest

from daybook.domain.games import PACKAGES
from daybook.domain.games.making_profit.moves import SellResources
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.policy import decisions_by_merit, steady_decision
from daybook.domain.kernel.terms import TABLE, Board, Decision, Seat
from daybook.services.play.practice import Dealer
from daybook.services.play.search import (
    Considered,
    NoPolicyError,
    Search,
    SearchResult,
    _Candidate,
    close_lead,
    estimate_decisions,
    lead_of,
    play_to_end,
    policy_of,
    win_share,
)
from tests.domain.games.moves import deal_steps
from tests.domain.games.test_policies import TWINS, WITH_POLICY, positions

pytestmark = pytest.mark.slow


def reckon_move(board: Board, seat: Seat, game: str, **more: Any) -> SearchResult:
    rules = PACKAGES[game].ruleset
    return estimate_decisions(
        rules, rules.secrecy.redact_board(board, seat), seat, **({"seed": 5, "playouts": 8} | more)
    )


@cache
def late_positions(game: str, seed: int = 3) -> list[tuple[Board, Seat]]:
    """Boards from which it is not far to the end, so that play-outs are short."""
    found = [
        (board, seat)
        for board, seat in positions(PACKAGES[game], seed, 800)
        if len(PACKAGES[game].ruleset.legal(board, seat)) > 1
    ]
    return found[-12:-2:5]


@pytest.mark.parametrize("game", [package.ruleset.id for package in WITH_POLICY])
def test_same_seed_gives_the_same_legal_search(game):
    rules = PACKAGES[game].ruleset
    for board, seat in late_positions(game):
        before = board.document()
        found = reckon_move(board, seat, game)
        assert found == reckon_move(board, seat, game)
        assert board.document() == before
        assert found.playouts == sum(item.playouts for item in found.considered) >= len(found.considered) > 1
        for value in found.considered:
            rules.refuse(board, seat, rules.decision(value.decision))
            assert 0 <= value.value <= 1 and (
                value.interval is None or value.interval[0] <= value.value <= value.interval[1]
            )
        best = found.considered[0]
        assert (best.behind, found.best) == (0, best.decision)
        assert best.playouts == max(candidate.playouts for candidate in found.considered)
        assert msgspec.json.decode(msgspec.json.encode(found), type=SearchResult) == found


@pytest.mark.parametrize("game", TWINS)
def test_worlds_that_differ_in_covered_cards_are_searched_alike(game):
    random, differed = Random(6), 0
    for board, seat in chain(*(late_positions(game, seed) for seed in (3, 4, 5))):
        twin = TWINS[game](board, seat, random)
        differed += twin != board
        assert reckon_move(twin, seat, game, playouts=6) == reckon_move(board, seat, game, playouts=6)
    assert differed > 2


def test_more_play_outs_go_to_what_is_hard_to_tell_apart():
    board, seat = late_positions("making_profit")[0]
    found = reckon_move(board, seat, "making_profit", playouts=60)
    played = [candidate.playouts for candidate in found.considered]
    assert played == sorted(played, reverse=True) and played[0] > played[-1]
    assert 40 <= found.playouts <= 80


def find_decision(found: SearchResult, decision: dict[str, Any]) -> Considered:
    return next(considered for considered in found.considered if considered.decision == decision)


def test_decision_made_is_tried_to_the_end():
    rules = PACKAGES["making_profit"].ruleset
    for board, seat in late_positions("making_profit"):
        legal = rules.legal(board, seat)
        for made in (legal[-1], rules.decision(reckon_move(board, seat, "making_profit").considered[-1].decision)):
            found = reckon_move(board, seat, "making_profit", playouts=60, extra=[made])
            considered = find_decision(found, plain(made))
            assert considered.playouts == found.considered[0].playouts
            assert considered.behind == pytest.approx(found.considered[0].value - considered.value)


def test_policys_own_choice_is_tried_twice_at_most():
    rules, boards = PACKAGES["arkwright_card"].ruleset, 0
    for board, seat in chain(*(late_positions("arkwright_card", seed) for seed in (4, 6))):
        found = reckon_move(board, seat, "arkwright_card", playouts=90)
        own = find_decision(found, plain(steady_decision(rules, policy_of(rules), board, seat)))
        if all(item.lead == own.lead for item in found.considered):
            assert {candidate.playouts for candidate in found.considered} == {2}
            boards += 1
        else:
            assert own.playouts > 2
    assert boards


def test_without_chance_later_play_outs_have_erring_players():
    def differ(game: str, playouts: int) -> int:
        """Boards on which two seeds give another lead."""
        boards = [
            (board, seat)
            for board, seat in positions(PACKAGES[game], 3, 60)
            if len(PACKAGES[game].ruleset.legal(board, seat)) > 3
        ][:5]
        return sum(
            reckon_move(board, seat, game, seed=1, playouts=playouts).considered[0].lead
            != reckon_move(board, seat, game, seed=2, playouts=playouts).considered[0].lead
            for board, seat in boards
        )

    assert differ("arkwright_card", 2) == 0 < differ("arkwright_card", 8)
    assert differ("making_profit", 2) > 0


def test_no_play_out_begins_once_the_time_is_over():
    board, seat = late_positions("making_profit")[0]
    ticks = count()
    found = reckon_move(board, seat, "making_profit", playouts=10_000, seconds=30.0, clock=lambda: float(next(ticks)))
    assert 6 < found.playouts < 50
    assert found.considered[0].playouts == max(candidate.playouts for candidate in found.considered)


@pytest.mark.parametrize(("seconds", "tried"), [(1.0, 2), (30.0, 4), (10_000.0, 5)])
def test_short_time_tries_few_decisions_several_times(seconds, tried):
    board, seat = late_positions("making_profit")[0]
    ticks = count()
    found = reckon_move(board, seat, "making_profit", playouts=60, seconds=seconds, clock=lambda: float(next(ticks)))
    assert len(found.considered) == tried
    assert len(PACKAGES["making_profit"].ruleset.legal(board, seat)) == 5


class Scripted(Search):
    """Play-outs that come out as it is written for each decision. time: play-outs until the time is over."""

    def __init__(self, game: str, board: Board, seat: Seat, values: Callable[[Any, int], float], time: int) -> None:
        rules = PACKAGES[game].ruleset
        super().__init__(
            rules, policy_of(rules), rules.secrecy.redact_board(board, seat), seat, 5, lambda: self.time <= 0
        )
        self.values, self.time = values, time

    def try_once(self, position: Any) -> None:
        self.time -= 1
        value = self.values(position.decision, len(position.values))
        position.values.append(value)
        position.leads.append(value * 20 - 10)


def listed(game: str, board: Board, seat: Seat) -> list[_Candidate]:
    rules = PACKAGES[game].ruleset
    return [_Candidate(decision, merit) for decision, merit in decisions_by_merit(rules, policy_of(rules), board, seat)]


@pytest.mark.parametrize("playouts", [2, 7, 20, 60, 240])
@pytest.mark.parametrize("timed", [False, True], ids=["", "the first was tried for timing"])
def test_always_losing_decision_is_never_taken_at_any_time_limit(playouts, timed):
    board, seat = late_positions("making_profit")[0]
    own = listed("making_profit", board, seat)[0].decision
    for time in range(0, 260, 3):
        tried = listed("making_profit", board, seat)
        search = Scripted("making_profit", board, seat, lambda decision, number: float(decision != own), time)
        if timed:
            search.try_once(tried[0])
        best, *others = search.run_halving(tried, playouts)
        assert best.decision != own and best.value == 1.0, time
        of_own = next(other for other in others if other.decision == own)
        assert len(of_own.values) == len(best.values) >= min(2, playouts // 2)
        assert search.time >= -4, "beyond its time only what has to be tried"


def comes_out_alone(best: Decision, decision: Decision, number: int) -> float:
    return float(decision == best)


@pytest.mark.parametrize("game", [package.ruleset.id for package in WITH_POLICY])
def test_whatever_is_best_is_taken_when_there_is_time_to_see_it(game):
    board, seat = late_positions(game)[0]
    candidates = [item.decision for item in listed(game, board, seat)][:6]
    for best in candidates:
        search = Scripted(game, board, seat, partial(comes_out_alone, best), 600)
        tried = [value for value in listed(game, board, seat) if value.decision in candidates]
        assert search.run_halving(tried, 240)[0].decision == best


def test_play_outs_of_a_board_not_tried_by_all_are_dropped():
    """The first attempts would otherwise be compared with one more board, on which all were lucky."""
    board, seat = late_positions("making_profit")[0]
    for time in range(1, 120, 2):
        search = Scripted("making_profit", board, seat, lambda decision, number: number % 2, time)
        found = search.run_halving(listed("making_profit", board, seat), 240)
        most = len(found[0].values)
        assert sum(len(item.values) == most for item in found) >= 2
        assert found[0].decision == listed("making_profit", board, seat)[0].decision, "none came out better"


@pytest.mark.parametrize("game", [package.ruleset.id for package in WITH_POLICY])
def test_timed_choice_compares_decisions_on_equally_many_boards(game):
    for board, seat in late_positions(game):
        for seconds in (0.5, 5.0, 12.0, 33.0):
            found = reckon_move(
                board, seat, game, playouts=240, seconds=seconds, clock=map(float, count()).__next__
            ).considered
            tried = [item for item in found if item.playouts == found[0].playouts]
            assert len(tried) >= 2 and found[0].playouts >= 2


def test_without_time_a_strong_player_decides_as_a_steady_one():
    for game in ("making_profit", "arkwright_card"):
        rules = PACKAGES[game].ruleset
        for board, seat in late_positions(game):
            policy = PACKAGES[game].policy
            assert policy is not None
            for playouts in (1, 10_000):
                found = reckon_move(board, seat, game, playouts=playouts, seconds=0.0)
                assert found.best == plain(steady_decision(rules, policy, board, seat))


def test_policys_favourite_yields_only_to_a_clearly_better_one():
    rules, given_up, boards = PACKAGES["making_profit"].ruleset, 0, 0
    for board, seat in chain(*(late_positions("making_profit", seed) for seed in range(3, 7))):
        own = plain(steady_decision(rules, policy_of(rules), board, seat))
        found = reckon_move(board, seat, "making_profit", playouts=60)
        of_own = find_decision(found, own)
        assert of_own.playouts == found.considered[0].playouts
        assert of_own.behind > 0 or found.best == own
        boards, given_up = boards + 1, given_up + (found.best != own)
    assert 0 < given_up < boards


def test_where_play_outs_are_cut_short_one_ends_with_a_period():
    rules, policy = PACKAGES["water_frame"].ruleset, policy_of(PACKAGES["water_frame"].ruleset)
    *_, (board, seat) = positions(PACKAGES["water_frame"], 3, 150)
    before, marks = board.twin(), rules.marks_reached(board)
    assert play_to_end(rules, policy, board, Random(4)), "something was drawn"
    assert rules.waits_for(board) and rules.periods_ended(marks, rules.marks_reached(board))
    assert lead_of(rules, policy, board, seat) == policy.worth(board, seat) - max(
        policy.worth(board, other) for other in range(board.table.seats) if other != seat
    )
    assert before != board


def test_lead_in_mid_game_means_less_than_at_the_end():
    for game in ("water_frame", "making_profit"):
        policy = policy_of(PACKAGES[game].ruleset)
        assert close_lead(policy, was_cut=True) > 2 * close_lead(policy, was_cut=False) == 2 * policy.close
    policy = policy_of(PACKAGES["arkwright_card"].ruleset)
    assert close_lead(policy, was_cut=True) == policy.close


def test_a_dollar_decides_a_game_of_making_profit():
    close = close_lead(policy_of(PACKAGES["making_profit"].ruleset), was_cut=False)
    assert win_share(-1, close) < 0.01 < win_share(0, close) == 0.5 < 0.99 < win_share(1, close)


def test_equal_card_sales_leave_room_for_other_actions():
    rules, crowds = PACKAGES["making_profit"].ruleset, 0
    for board, seat in positions(PACKAGES["making_profit"], 8, 300, seats=4):
        sets = [decision for decision in rules.legal(board, seat) if isinstance(decision, SellResources)]
        if len(sets) < 8:
            continue
        tried = [
            rules.decision(candidate.decision)
            for candidate in reckon_move(board, seat, "making_profit", playouts=20).considered
        ]
        others = len(rules.legal(board, seat)) - len(sets)
        assert (sum(value in sets for value in tried), len(tried)) == (2, min(10, 2 + others))
        more = reckon_move(board, seat, "making_profit", playouts=20, extra=sets).considered
        assert all(item in [rules.decision(other.decision) for other in more] for item in sets), (
            "as they were asked for"
        )
        crowds += 1
    assert crowds


def test_single_legal_decision_needs_no_play_out():
    rules = PACKAGES["arkwright_card"].ruleset
    board, seat = next(
        (board, seat)
        for board, seat in positions(PACKAGES["arkwright_card"], 2, 300)
        if len(rules.legal(board, seat)) == 1
    )
    found = reckon_move(board, seat, "arkwright_card")
    assert (found.playouts, [candidate.decision for candidate in found.considered]) == (
        0,
        [plain(rules.legal(board, seat)[0])],
    )


def test_a_game_without_a_policy_is_not_reckoned():
    board, seat = late_positions("making_profit")[0]
    without = replace(PACKAGES["making_profit"].ruleset, id="no_such_game")
    with pytest.raises(NoPolicyError):
        estimate_decisions(without, board, seat, seed=1, playouts=1)


def test_a_lead_counts_for_a_share_of_a_victory():
    assert win_share(0, 10) == 0.5
    assert win_share(-20, 10) < 0.03 < 0.97 < win_share(20, 10)
    assert win_share(3, 10) == pytest.approx(1 - win_share(-3, 10))


def test_a_strong_player_decides_the_same_out_of_the_same_seed():
    rules = PACKAGES["making_profit"].ruleset

    def moves_played(seed: int, playouts: int) -> list[Any]:
        steps = [*deal_steps(rules, Dealer(seed, ["strong", "steady", "chance"], playouts))]
        for step in steps:
            rules.refuse(step.board, step.seat, step.decision)
        return [(step.seat, step.decision) for step in steps]

    assert moves_played(4, 12) == moves_played(4, 12)
    assert moves_played(4, 12) != moves_played(5, 12)
    assert TABLE in {seat for seat, _ in moves_played(4, 12)}
