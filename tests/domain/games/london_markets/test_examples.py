"""LM-9: what of the rulebook's worked examples its effects do not tell (the others: `test_worked_examples`)."""

from __future__ import annotations

from daybook.domain.games.london_markets import LONDON_MARKETS
from daybook.domain.games.london_markets.moves import Offer
from tests.domain.games.london_markets.playing import YELLOW, after, offering, offers, player, refusal, to_act


def test_lm_9_4_an_auction_of_three_types():
    b = offering(player(hand="3 coffee"), player(hand="2 coffee"), player(hand="1 silk"), player(hand="1 china"))
    before = dict(b.piles)
    b = after(b, *offers("3 coffee", "2 coffee", "1 silk", "1 china"))
    assert [p.money for p in b.players] == [4, 0, 2, 0]
    assert to_act(b) == (YELLOW,)
    b = after(b, *[(YELLOW, LONDON_MARKETS.legal(b, YELLOW)[0])])
    b = after(b, *[(YELLOW, LONDON_MARKETS.legal(b, YELLOW)[0])])
    grown = {goods: b.piles[goods] - before[goods] for goods in before}
    assert grown == {"coffee": 5, "soap": 0, "silk": 1, "china": 1}
    assert len(b.players[YELLOW].specials) == 1
    assert (b.covered, b.stage) == (["coffee", "silk", "china"], "offers")


def test_lm_9_10_a_tie_for_a_special_card():
    b = offering(player(hand="2 china"), player(), player(hand="2 china"), player())
    b = after(b, *offers("2 china", "", "2 china", ""))
    assert ([len(p.specials) for p in b.players], b.covered, b.piles["china"]) == ([0] * 4, ["china"], 18)


def test_lm_9_13_game_ends_when_all_types_are_covered():
    b = offering(player(3, hand="1 soap"), player(5), player(), player(), round=12, covered=["coffee", "silk", "china"])
    b = after(b, *offers("1 soap", "", "", ""))
    assert (b.stage, LONDON_MARKETS.scoring.outcome(b).ranks, b.assistants["A"]) == ("over", (1, 2, 3, 3), 12)
    assert refusal(b, 0, Offer()) == ("LM-4.10.1", "game_over")
