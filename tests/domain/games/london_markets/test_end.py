"""LM-4.10 and LM-5: the end of the game and the final figures."""

from __future__ import annotations

import random

import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS
from daybook.domain.games.london_markets.moves import GameEnded, GoodsCards, MerchantsMoved, OffersRevealed, RoundEnded
from daybook.domain.kernel.terms import TABLE, ScoreLine
from tests.domain.games.london_markets.playing import (
    after,
    everything,
    game,
    offering,
    opening_board,
    play,
    player,
    refusal,
    set_up,
)
from tests.domain.games.moves import only


def over(*players, **fields):
    return set_up(*players, stage="over", round=12, **fields)


def ranks(b):
    return LONDON_MARKETS.scoring.outcome(b).ranks


def all_null(b):
    return TABLE, OffersRevealed((GoodsCards(),) * b.seats)


def test_lm_4_10_1_game_ends_after_the_auctions_of_round_12():
    # also LM-6.32
    b = offering(player(), player(), player(), round=12)
    assert LONDON_MARKETS.scoring.outcome(b) is None
    b, effects = play(b, all_null(b))
    assert effects[-2:] == [RoundEnded("LM-5.6", 12), GameEnded("LM-4.10.1", 12)]
    assert (b.assistants, only(effects, MerchantsMoved)) == ({"A": 12}, [])
    outcome = LONDON_MARKETS.scoring.outcome(b)
    assert (outcome.rule, str(outcome.reason)) == ("LM-4.10.1", "12 rounds are over")


def test_lm_4_10_1_finished_game_refuses_everything():
    b = over(player(3, hand="2 coffee", specials="tiebreaker"), player(), player())
    decisions = everything(b, random.Random(1))
    assert {type(d) for d in decisions} == set(LONDON_MARKETS.kinds)
    for seat in (TABLE, 0, 1, 3):
        assert {refusal(b, seat, d) for d in decisions} == {("LM-4.10.1", "game_over")}
        assert LONDON_MARKETS.legal(b, seat) == []


def test_lm_4_10_1_the_round_before_is_not_the_last():
    b = offering(player(), player(), player(), round=11)
    assert after(b, all_null(b)).stage == "market_card"


def test_lm_5_1_money_is_the_score():
    b = set_up(
        player(7, hand="3 coffee", specials="tiebreaker", in_play="replenishment"),
        player(2),
        player(),
        bars={"PORT": "R R R"},
    )
    standing = LONDON_MARKETS.scoring.standing(b)
    assert [score.total for score in standing] == [7, 2, 0]
    assert standing[0].lines == (ScoreLine("money", 7, "LM-5.1", paths=("/players/0/money",)),)


def test_lm_5_2_most_money_wins():
    b = over(player(7), player(9), player(8))
    assert (ranks(b), LONDON_MARKETS.scoring.outcome(b).tiebreaks) == ((3, 1, 2), ())


def test_lm_5_3_tiebreaker_in_play_beats_goods_cards():
    # also LM-4.5.7, LM-6.23
    b = over(player(9, hand="5 coffee"), player(9, in_play="tiebreaker"), player(9, hand="1 silk"))
    assert ranks(b) == (2, 1, 3)
    assert [(t.name, t.values) for t in LONDON_MARKETS.scoring.outcome(b).tiebreaks] == [
        ("tiebreaker", (0, 1, 0)),
        ("goods_cards", (5, 0, 1)),
    ]


def test_lm_5_3_and_lm_6_35_at_any_rank():
    b = over(player(9), player(4, hand="1 coffee"), player(4, in_play="tiebreaker"), player(1))
    assert ranks(b) == (1, 3, 2, 4)


def test_lm_5_3_only_among_those_who_are_tied():
    assert ranks(over(player(9), player(4, in_play="tiebreaker"), player(5))) == (1, 3, 2)


def test_lm_6_16_two_owners_among_the_tied_are_none():
    numbers = {"copies.tiebreaker": 2, "copies.rich_offer": 1}
    for second, expected in ((4, (2, 2, 1)), (3, (1, 3, 2))):
        owners = [player(4, in_play="tiebreaker"), player(second, in_play="tiebreaker")]
        assert ranks(over(*owners, player(4, hand="1 silk"), numbers=numbers)) == expected


def test_lm_5_4_more_goods_cards_rank_higher_by_number_alone():
    b = over(player(4, hand="1 coffee 1 silk"), player(4, hand="3 soap"), player(4, dealt="2 silk"))
    assert ranks(b) == (2, 1, 2)


def test_lm_5_5_shared_ranks_use_up_places():
    assert ranks(over(player(4), player(4), player(3), player(2))) == (1, 1, 3, 4)


def test_lm_5_6_every_round_is_a_period():
    closed = []
    for b, seat, d in game(opening_board(3, "hidden"), 2):
        closed += LONDON_MARKETS.step(b, seat, d)[1].closed
    assert closed == [("round", number) for number in range(1, 13)]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("money", [7, 2, 0]),
        ("score", [7, 2, 0]),
        ("goods", [3, 0, 2]),
        ("specials", [1, 0, 0]),
        ("in_play", [0, 1, 0]),
        ("bars", [18, 19, 20]),
        ("crates", [6, 3, 0]),
    ],
)
def test_lm_5_6_columns(column, values):
    b = set_up(
        player(7, hand="3 coffee", specials="tiebreaker"),
        player(2, in_play="replenishment"),
        player(dealt="2 soap"),
        bars={"PORT": "R B", "COVE": "R"},
    )
    assert LONDON_MARKETS.figures(b)[column] == values
