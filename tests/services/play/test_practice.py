"""Practice games: out of a seed, legal from the first step to the last, and over some day."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybook.domain.games import RULESETS
from daybook.domain.kernel.terms import TABLE, IllegalDecision
from daybook.services.play import simulate
from daybook.services.play.practice import Dealer
from tests.services.fixture_files import played_game, written_at


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from(["open", "hidden"]))
def test_a_game_ends_and_is_closed(seed: int, seats: int, hands: str) -> None:
    game = played_game(seed, seats, hands)
    assert game.status == "closed"
    assert game.opening.kind == "practice"
    assert game.ruleset.scoring.outcome(game.board) is not None


def test_the_same_seed_plays_the_same_game() -> None:
    assert [x.line for x in played_game(5).entries] == [x.line for x in played_game(5).entries]
    assert played_game(5).seal != played_game(6).seal


def test_a_game_can_be_stopped_and_played_on() -> None:
    game = played_game(9, limit=20)
    assert (game.step, game.status) == (20, "running")


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10**6))
def test_the_dealer_picks_from_the_list(seed: int) -> None:
    game, dealer = played_game(seed, limit=1), Dealer(seed)
    while (chosen := dealer.next(game.ruleset, game.board)) is not None:
        seat, decision = chosen
        assert decision in game.ruleset.legal(game.board, seat)
        entry, board = game.decide(seat, decision, written_at(game.step + 1))
        game.apply(entry, board)


def test_cards_come_as_often_as_they_are_left() -> None:
    game, dealer = played_game(9, limit=0), Dealer(1)
    assert game.ruleset.course.to_act(game.board) == (TABLE,)
    drawn = [dealer.fact(game.ruleset, game.board).card for _ in range(4000)]  # type: ignore[attr-defined]
    assert all(900 < drawn.count(card) < 1100 for card in ("R1", "R2", "M1", "M2"))


def test_a_simulation_is_summed_up() -> None:
    rules = RULESETS["making_profit"]
    games = list(simulate.simulate(rules, 3, 8, seed=1, options={"hands": "hidden"}))
    found = simulate.summary(games)
    assert (found.games, found.unfinished, sum(found.ended.values())) == (8, 0, 8)
    assert sum(seat.won for seat in found.seats) >= 8
    assert found.steps[0] <= found.steps[1] <= found.steps[2]
    again = simulate.summary(simulate.simulate(rules, 3, 8, seed=1, options={"hands": "hidden"}))
    assert found == again


def test_a_simulation_keeps_to_the_rules() -> None:
    with pytest.raises(IllegalDecision, match="2 to 6 players"):
        list(simulate.simulate(RULESETS["making_profit"], 7, 1, 1, {}))
