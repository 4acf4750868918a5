"""LM-9: the worked examples of the rulebook."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS
from daybook.domain.games.london_markets.moves import (
    GoodsCards,
    HandDealt,
    Offer,
    OffersRevealed,
    PlaySpecial,
    SetupBar,
    UseMerchant,
)
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.london_markets.playing import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    after,
    board_at_foreign_bars,
    crates,
    hand,
    offering,
    offers,
    opening_board,
    player,
    refusal,
    set_up,
)


def four(mover, *, specials="", **fields):
    players = [player(specials=specials if seat == mover else "") for seat in range(4)]
    return set_up(*players, mover=mover, **fields)


def test_lm_9_1_four_red_crates_at_portobello_market():
    b = four(RED, bars={"PORT": "R R B / G"}, merchants="COVE PORT PETT")
    assert crates(b, "PORT")[RED] == 4
    assert after(b, (RED, UseMerchant("profit"))).players[RED].money == 4


def test_lm_9_2_two_blue_crates_at_borough_market_give_three_soap():
    b = four(BLUE, bars={"BORO": "B R Y / G"}, merchants="COVE PORT BORO", used=["stack"])
    b.traded |= {"BORO": "soap", "COVE": "china"}
    assert crates(b, "BORO")[BLUE] == 2
    b = after(b, (BLUE, UseMerchant("goods")))
    assert (hand(b, BLUE), b.piles["soap"]) == ({"soap": 3}, 15)


@pytest.mark.parametrize("bars", ["R B G / B B", "R B G / B", "B B G"])
def test_lm_9_3_the_least_income_is_three(bars):
    b = four(RED, bars={"PORT": bars}, merchants="COVE PORT PETT")
    assert crates(b, "PORT")[RED] in (0, 1, 2)
    assert after(b, (RED, UseMerchant("profit"))).players[RED].money == 3


def test_lm_9_4_an_auction_of_three_types():
    b = offering(player(hand="3 coffee"), player(hand="2 coffee"), player(hand="1 silk"), player(hand="1 china"))
    before = dict(b.piles)
    b = after(b, *offers("3 coffee", "2 coffee", "1 silk", "1 china"))
    assert [p.money for p in b.players] == [4, 0, 2, 0]
    assert LONDON_MARKETS.course.to_act(b) == (YELLOW,)
    b = after(b, *[(YELLOW, LONDON_MARKETS.legal(b, YELLOW)[0])])
    b = after(b, *[(YELLOW, LONDON_MARKETS.legal(b, YELLOW)[0])])
    grown = {goods: b.piles[goods] - before[goods] for goods in before}
    assert grown == {"coffee": 5, "soap": 0, "silk": 1, "china": 1}
    assert len(b.players[YELLOW].specials) == 1
    assert (b.covered, b.stage) == (["coffee", "silk", "china"], "offers")


def test_lm_9_5_a_monopoly_of_seven_crates_pays_eight():
    b = four(BLUE, specials="monopoly:BORO", bars={"BORO": "B B R / B"})
    assert crates(b, "BORO")[BLUE] == 7
    b = after(b, (BLUE, PlaySpecial("monopoly:BORO")))
    assert (b.players[BLUE].money, b.removed) == (8, ["monopoly:BORO"])


def test_lm_9_6_a_combined_offer_of_five_and_five_pays_fourteen():
    b = four(GREEN, specials="combined:PORT+PETT", bars={"PORT": "G R B / G", "PETT": "G Y B / G"})
    assert (crates(b, "PORT")[GREEN], crates(b, "PETT")[GREEN]) == (5, 5)
    assert after(b, (GREEN, PlaySpecial("combined:PORT+PETT"))).players[GREEN].money == 14


def test_lm_9_7_a_rich_offer_at_four_markets_pays_six():
    bars = {"PORT": "R R B", "COVE": "Y", "PETT": "Y R B / R", "BORO": "R Y", "BRIX": "Y"}
    b = four(YELLOW, specials="rich_offer", bars=bars)
    assert after(b, (YELLOW, PlaySpecial("rich_offer"))).players[YELLOW].money == 6


@pytest.mark.parametrize(("seats", "hand", "height"), [(4, "2 2 2 2", 10), (3, "2 2 2 2", 12)])
def test_lm_9_8_hands_of_eight_and_piles_of_ten_or_twelve(seats, hand, height):
    b = after(opening_board(seats), *[(TABLE, HandDealt(*map(int, hand.split())))] * (seats - 1))
    assert [p.cards for p in b.players] == [8] * seats
    assert set(b.piles.values()) == {height}


def test_lm_9_9_soap_and_silk_together_are_a_null_offer():
    b = offering(player(), player(hand="1 soap 1 silk"), player(), player(hand="1 china"))
    b = after(b, (TABLE, OffersRevealed((GoodsCards(), GoodsCards(soap=1, silk=1), GoodsCards(), GoodsCards(china=1)))))
    assert (hand(b, BLUE), b.settling) == ({"soap": 1, "silk": 1}, ["china"])
    for _ in range(2):
        b = after(b, (YELLOW, LONDON_MARKETS.legal(b, YELLOW)[0]))
    assert (hand(b, BLUE), b.covered) == ({"soap": 1, "silk": 1}, ["china"])


def test_lm_9_10_a_tie_for_a_special_card():
    b = offering(player(hand="2 china"), player(), player(hand="2 china"), player())
    b = after(b, *offers("2 china", "", "2 china", ""))
    assert ([len(p.specials) for p in b.players], b.covered, b.piles["china"]) == ([0] * 4, ["china"], 18)


def test_lm_9_11_a_rich_offer_in_round_four_is_refused():
    b = four(RED, specials="rich_offer", round=4, bars=dict.fromkeys(("PORT", "COVE", "PETT", "BORO", "BRIX"), "R"))
    assert refusal(b, RED, PlaySpecial("rich_offer")) == ("LM-4.5.5", "too_early")


def test_lm_9_12_a_fourth_bar_in_the_set_up_is_refused():
    b = after(board_at_foreign_bars(), *[(seat, SetupBar("COVE")) for seat in range(3)])
    assert refusal(b, YELLOW, SetupBar("COVE")) == ("LM-3.2.2", "setup_market_full")


def test_lm_9_13_the_game_ends_when_all_types_are_covered_in_round_12():
    b = offering(player(3, hand="1 soap"), player(5), player(), player(), round=12, covered=["coffee", "silk", "china"])
    b = after(b, *offers("1 soap", "", "", ""))
    assert (b.stage, LONDON_MARKETS.scoring.outcome(b).ranks, b.assistants["A"]) == ("over", (1, 2, 3, 3), 12)
    assert refusal(b, 0, Offer()) == ("LM-4.10.1", "game_over")
