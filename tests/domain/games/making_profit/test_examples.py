"""MP-9: the worked examples of the rulebook."""

from __future__ import annotations

from daybook.domain.games.making_profit import MAKING_PROFIT, moves
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.making_profit.playing import after, after_deal, hand, player, refusal, set_up

FIVE = "M2 M2 M1 R2 R2"


def test_mp_9_1_a_certificate_of_a_factory_at_level_five_costs_five():
    b = after(set_up(player(5), player(factory=FIVE)), (0, moves.BuyStock("blue")), (TABLE, moves.Drawn("R1")))
    assert (b.players[0].money, b.players[1].cards) == (0, 1)


def test_mp_9_2_at_level_zero_and_one_it_costs_two():
    for factory in ("", "R1"):
        b = after(set_up(player(2), player(factory=factory)), (0, moves.BuyStock("blue")), (TABLE, moves.Drawn("R1")))
        assert (b.players[0].money, b.players[1].cards) == (0, 1)


def test_mp_9_3_a_certificate_of_a_factory_at_level_five_is_sold_for_five():
    b = set_up(player(blue=1), player(factory=FIVE, hand="M1"), player())
    b = after(b, (0, moves.SellAdd("blue")), (0, moves.SellDone()))
    assert (b.players[0].money, b.players[1].cards, b.players[1].level) == (5, 0, 5)


def test_mp_9_4_running_a_factory_of_five_dollars_and_four_resources():
    b = after(set_up(player(factory=FIVE), player(red=1)), (0, moves.Run()))
    assert [p.money for p in b.players] == [10, 5]
    b = after(b, *[(TABLE, moves.Drawn("M1"))] * 4)
    assert (hand(b, 0), b.draws) == ("M1 M1 M1 M1", 0)


def test_mp_9_5_three_cards_bring_ten():
    b = after(set_up(player(hand="M1 R1 M2"), player()), (0, moves.SellResources(("R1", "M1", "M2"))))
    assert (b.players[0].cards, b.players[0].money) == (0, 10)


def test_mp_9_6_two_sets_in_one_action_are_refused():
    b = set_up(player(hand="M1 M1 M1 R1 R1 R1"), player(), actions=1)
    assert refusal(b, 0, moves.SellResources(("R1", "R1", "R1", "M1", "M1", "M1"))) == ("MP-4.6.2", "one_set_only")


def test_mp_9_7_two_r1_bring_a_third_card():
    b = after(after_deal("R1 R1", "M1 M1"), (0, moves.ThirdCard(True)), (TABLE, moves.Drawn("M2")))
    assert b.players[0].cards == 3


def test_mp_9_8_jack_gets_no_further_turn():
    b = set_up(player(hand="M1"), player(), player(), player())
    b = after(b, (0, moves.Develop("M1")), *[(seat, moves.EndTurn()) for seat in range(4)])
    assert (b.ended, MAKING_PROFIT.course.to_act(b)) == ("no_development", ())


def test_mp_9_9_berta_develops_and_the_game_goes_on():
    b = set_up(player(hand="M1"), player(), player(hand="M1"), player())
    b = after(
        b,
        (0, moves.Develop("M1")),
        *[(seat, moves.EndTurn()) for seat in (0, 1)],
        (2, moves.Develop("M1")),
        *[(seat, moves.EndTurn()) for seat in (2, 3)],
    )
    assert (b.ended, b.developer, b.mover) == (None, 2, 0)


def test_mp_9_10_the_tenth_card_ends_the_game():
    b = after(set_up(player(hand="M1", factory="R1 " * 9), player()), (0, moves.Develop("M1")))
    assert (b.players[0].level, b.ended) == (10, "level_ten")


def test_mp_9_11_each_certificate_of_a_factory_at_level_five_counts_five():
    b = after(set_up(player(), player(red=3, factory=FIVE), developer=1), (0, moves.EndTurn()))
    assert b.ended
    assert [score.total for score in MAKING_PROFIT.scoring.standing(b)] == [0, 10]


def test_mp_9_12_the_last_card_without_a_pile_leads_to_nationalisation():
    b = set_up(player(2, hand="M1 M1 M2"), player(hand="R1 R1 R2"), deck="M1")
    b = after(b, (0, moves.BuyStock("blue")), (TABLE, moves.Drawn("M1")))
    assert b.nationalising
    b = after(b, (1, moves.Nationalise(("R1", "R1"))), (0, moves.Nationalise(("M1", "M1"))))
    assert [p.cards for p in b.players] == [2, 2]
    assert (b.deck_size, b.deck["R2"], b.deck["M1"], b.deck["M2"]) == (3, 1, 1, 1)
