"""Practice games: out of a seed, legal from the first step to the last, and over some day."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybook.domain import entries
from daybook.domain.games import RULESETS
from daybook.domain.kernel.terms import TABLE, IllegalDecision
from daybook.services.play import simulate
from daybook.services.play.practice import DECISION_SECONDS, TURN_SECONDS, Dealer, ThinkingTime
from tests.laboratory.table_dealer import TableDealer
from tests.services.fixture_files import played_game, written_at


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from(["open", "hidden"]))
def test_a_game_ends_and_is_closed(seed, seats, hands):
    game = played_game(seed, seats, hands)
    assert game.status == "closed"
    assert game.opening.kind == "practice"
    assert game.ruleset.scoring.outcome(game.board) is not None


def test_the_same_seed_plays_the_same_game():
    assert [x.line for x in played_game(5).entries] == [x.line for x in played_game(5).entries]
    assert played_game(5).seal != played_game(6).seal


def test_a_game_can_be_stopped_and_played_on():
    game = played_game(9, limit=20)
    assert (game.step, game.status) == (20, "running")


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10**6))
def test_the_dealer_picks_from_the_list(seed):
    game, dealer = played_game(seed, limit=1), Dealer(seed)
    while (chosen := dealer.next_decision(game.ruleset, game.board)) is not None:
        seat, decision = chosen
        assert decision in game.ruleset.legal(game.board, seat)
        entry, board = entries.decide(game, seat, decision, written_at(game.step + 1))
        game.apply(entry, board)


def test_cards_come_as_often_as_they_are_left():
    game, dealer = played_game(9, limit=0), Dealer(1)
    assert game.ruleset.course.to_act(game.board) == (TABLE,)
    drawn = [dealer.draw_fact(game.ruleset, game.board).card for _ in range(4000)]  # type: ignore[attr-defined]
    assert all(900 < drawn.count(card) < 1100 for card in ("R1", "R2", "M1", "M2"))


def test_a_simulation_is_summed_up():
    rules = RULESETS["making_profit"]
    games = list(simulate.simulate_games(rules, 3, 8, seed=1, options={"hands": "hidden"}))
    found = simulate.summarize_games(games)
    assert (found.games, found.unfinished, sum(found.ended.values())) == (8, 0, 8)
    assert sum(seat.won for seat in found.seats) >= 8
    assert found.steps[0] <= found.steps[1] <= found.steps[2]
    again = simulate.summarize_games(simulate.simulate_games(rules, 3, 8, seed=1, options={"hands": "hidden"}))
    assert found == again


def test_a_simulation_keeps_to_the_rules():
    with pytest.raises(IllegalDecision, match="2 to 6 players"):
        list(simulate.simulate_games(RULESETS["making_profit"], 7, 1, 1, {}))


def seconds_thought(seconds: float, opponents: int, order: list[int]) -> list[float]:
    """Return the seconds of each decision of some strong players, who decide in turn and use their whole time."""
    now, taken = 0.0, []
    thinking = ThinkingTime(seconds, range(opponents), lambda: now)
    for seat in order:
        with thinking.decision_time(seat) as given_seconds:
            now += given_seconds
        taken.append(round(given_seconds, 3))
    return taken


@pytest.mark.parametrize(
    ("opponents", "order", "taken"),
    [
        (1, [0, 0, 0, 0], [1.2, 1.2, 0.8, 0.4]),
        (2, [0, 1], [1.0, 1.0]),
        (3, [0, 1, 2], [0.667, 0.667, 0.667]),
        (3, [2, 2, 2, 2, 0, 0, 1], [0.667, 0.333, 0.167, 0.083, 0.667, 0.333, 0.667]),
        (3, [0, 1, 0, 2, 0], [0.667, 0.667, 0.333, 0.667, 0.167]),
    ],
)
def test_strong_players_share_their_seconds_evenly(opponents, order, taken):
    assert seconds_thought(TURN_SECONDS, opponents, order) == taken


@given(st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n - 1), max_size=40))))
def test_last_strong_player_has_as_long_as_the_first(case):
    opponents, order = case
    taken = seconds_thought(TURN_SECONDS, opponents, order)
    assert sum(taken) <= TURN_SECONDS + 0.001 * len(order)
    firsts = {taken[order.index(seat)] for seat in order}
    assert firsts in (set(), {round(min(DECISION_SECONDS, TURN_SECONDS / opponents / 2), 3)})


def test_slow_decision_costs_only_its_own_player_time():
    now = 0.0
    thinking = ThinkingTime(4.0, [1, 2], lambda: now)
    with thinking.decision_time(1):
        now += 9.0
    with thinking.decision_time(1) as nothing, thinking.decision_time(2) as all_of_it:
        assert (nothing, all_of_it) == (0.0, 1.0)


def test_table_players_get_their_time_again_after_a_decision():
    ruleset, now = RULESETS["making_profit"], 0.0
    boards = (played_game(9, limit=limit).board for limit in range(1, 60))
    board = next(board for board in boards if ruleset.waits_for(board) == (0,))
    dealer = TableDealer(1, ("steady", "strong", "strong"), person=0, clock=lambda: now)
    with dealer.thinking.decision_time(2):
        now += 2.0
    dealer.choose_decision(ruleset, board, 0)
    with dealer.thinking.decision_time(2) as seconds:
        assert seconds == 1.0
