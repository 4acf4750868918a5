"""MP-4.1 to MP-4.6: turns and the five actions."""

from __future__ import annotations

import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT
from daybook.domain.games.making_profit.moves import (
    BuyStock,
    CardDeveloped,
    CardDiscarded,
    CardDrawn,
    Develop,
    DiscardFactory,
    DiscardHand,
    DiscardsOwed,
    DividendPaid,
    Drawn,
    EndTurn,
    FactoryRun,
    Nationalise,
    ResourcesSold,
    RoundEnded,
    Run,
    SellAdd,
    SellDone,
    SellResources,
    StockBought,
    StockOffered,
    StockSold,
    TurnPassed,
)
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.making_profit.playing import after, effects_after, hand, play, player, refusal, set_up, to_act

FIVE = "R1 R1 R1 R1 R1"


def selling_moves(seat, *colours):
    return [*((seat, SellAdd(colour)) for colour in colours), (seat, SellDone())]


# --- MP-4.1: turns ---


def test_mp_4_1_1_turns_go_clockwise():
    b = set_up(player(), player(), player(), developer=2, mover=0)
    b = after(b, (0, EndTurn()))
    assert (b.mover, to_act(b)) == (1, (1,))


def test_mp_4_1_2_two_actions_or_one_twice_then_turn_passes():
    b = set_up(player(), player(), player())
    b, effects = play(b, (0, Run()), (0, Run()))
    assert effects[-1] == TurnPassed("MP-4.1.1", 0, 1, 5)
    assert (b.mover, b.actions) == (1, 2)


@pytest.mark.parametrize("moves", [[EndTurn()], [Run(), EndTurn()]])
def test_mp_4_1_2_and_mp_6_3_a_player_may_stop_earlier(moves):
    b = after(set_up(player(), player(), player()), *[(0, move) for move in moves])
    assert b.mover == 1


def test_mp_4_1_3_an_action_is_finished_before_the_next_begins():
    b = after(set_up(player(2), player(), player()), (0, BuyStock("blue")))
    assert to_act(b) == (TABLE,)
    assert refusal(b, 0, Run()) == ("MP-4.1.3", "draw_due")
    b = after(b, (TABLE, Drawn("M1")))
    assert refusal(b, 0, Run()) is None


def test_mp_4_1_4_the_level_is_the_number_of_cards_developed():
    assert set_up(player(factory=FIVE), player()).players[0].level == 5


def test_mp_4_1_5_the_board_holds_the_whole_state():
    document = set_up(player(), player()).document()
    assert list(document) == [
        "players",
        "bank",
        "aside",
        "deck",
        "discard",
        "start",
        "turn",
        "actions",
        "asked",
        "developer",
        "sale",
        "drawer",
        "draws",
        "nationalising",
        "ended",
        "stocks",
    ]
    assert list(document["players"][0]) == ["money", "certificates", "hand", "factory", "shown", "owes"]


def test_mp_4_1_6_only_colours_in_play():
    b = set_up(player(9), player())
    assert refusal(b, 0, BuyStock("green")) == ("MP-4.1.6", "colour_not_in_play")


@pytest.mark.parametrize("decision", [Run("blue"), Develop("M1", "blue")])
def test_mp_4_1_6_and_mp_6_19_only_the_own_factory(decision):
    assert refusal(set_up(player(hand="M1"), player()), 0, decision) == ("MP-4.1.6", "not_own_factory")


def test_mp_4_1_6_the_own_factory_goes_without_saying():
    b = set_up(player(hand="M1"), player())
    assert MAKING_PROFIT.play(b, 0, Run("red")) == MAKING_PROFIT.play(b, 0, Run())
    assert MAKING_PROFIT.play(b, 0, Develop("M1", "red")) == MAKING_PROFIT.play(b, 0, Develop("M1"))


@pytest.mark.parametrize("seat", [-1, 2])
def test_mp_4_1_6_who_has_no_factory_has_no_colour_either(seat):
    table = set_up(player(), player()).table
    for said in (Run(table.colours[-1]), Develop("M1", table.colours[0])):
        assert MAKING_PROFIT.as_listed(table, seat, said) == said


def test_mp_4_1_7_money_is_never_negative():
    assert refusal(set_up(player(1), player()), 0, BuyStock("red")) == ("MP-4.2.1", "cannot_pay")


# --- MP-4.2: buying ---


def test_mp_4_2_1_the_bank_must_have_a_certificate():
    b = set_up(player(9), player(blue=10))
    assert refusal(b, 0, BuyStock("blue")) == ("MP-4.2.1", "none_in_bank")


def test_mp_6_18_a_player_may_hold_all_ten():
    b = after(set_up(player(2, blue=9), player(blue=0)), (0, BuyStock("blue")))
    assert (b.players[0].certificates["blue"], b.bank["blue"]) == (10, 0)


@pytest.mark.parametrize(("factory", "price"), [("", 2), ("R1", 2), ("R1 R1", 2), ("R1 R1 R1", 3), (FIVE, 5)])
def test_mp_4_2_2_the_price_is_the_level_but_no_less_than_two(factory, price):
    b = after(set_up(player(price), player(factory=factory)), (0, BuyStock("blue")))
    assert b.players[0].money == 0
    assert refusal(set_up(player(price - 1), player(factory=factory)), 0, BuyStock("blue")) == (
        "MP-4.2.1",
        "cannot_pay",
    )


def test_mp_4_2_3_price_then_certificate_then_the_owner_draws():
    b, effects = play(set_up(player(7), player(factory=FIVE), player()), (0, BuyStock("blue")), (TABLE, Drawn("M2")))
    assert effects == [StockBought("MP-4.2.3", 0, "blue", 5, 5, 1), CardDrawn("MP-4.7.1", 1, "M2", 1)]
    assert (b.players[0].money, b.players[0].certificates["blue"], b.bank["blue"]) == (2, 1, 7)
    assert (hand(b, 0), hand(b, 1)) == ("", "M2")


def test_mp_4_2_3_buying_the_own_colour_the_buyer_draws():
    b = after(set_up(player(2), player()), (0, BuyStock("red")), (TABLE, Drawn("M2")))
    assert hand(b, 0) == "M2"


def test_mp_4_2_4_and_mp_6_15_one_certificate_for_each_action():
    b = after(set_up(player(9), player()), (0, BuyStock("red")), (TABLE, Drawn("M2")))
    assert (b.players[0].certificates["red"], b.actions) == (3, 1)


# --- MP-4.3: selling ---


def test_mp_4_3_1_several_colours_in_one_action():
    b = set_up(player(green=1, blue=1), player(factory="R1 R1"), player(factory="M1"))
    b = after(b, *selling_moves(0, "blue", "green"))
    assert b.players[0].money == 3
    assert b.bank == {"red": 8, "blue": 8, "green": 8}


def test_mp_4_3_1_no_more_than_held():
    b = after(set_up(player(), player()), (0, SellAdd("red")), (0, SellAdd("red")))
    assert refusal(b, 0, SellAdd("red")) == ("MP-4.3.1", "none_held")
    assert refusal(b, 0, SellAdd("blue")) == ("MP-4.3.1", "none_held")


@pytest.mark.parametrize(("factory", "amount"), [("", 0), ("M1", 1), ("M1 M1 M1", 3)])
def test_mp_4_3_2_price_is_the_level_without_a_floor(factory, amount):
    # also MP-6.4
    b = after(set_up(player(blue=1), player(hand="M2", factory=factory)), *selling_moves(0, "blue"))
    assert b.players[0].money == amount


def test_mp_4_3_3_and_mp_6_5_all_are_paid_at_the_level_before():
    b = set_up(player(blue=3), player(factory="M1 M1 M1 M1"), player())
    b, effects = play(b, *selling_moves(0, "blue", "blue", "blue"))
    assert b.players[0].money == 12
    assert b.players[1].level == 1
    assert effects[3] == StockSold("MP-4.3.3", 0, "blue", 3, 4, 12)


def test_mp_4_3_4_the_owner_discards_hand_cards_of_her_choice():
    b = after(set_up(player(blue=2), player(hand="M1 M2 R1"), player()), *selling_moves(0, "blue", "blue"))
    assert to_act(b) == (1,)
    assert MAKING_PROFIT.legal(b, 1) == [DiscardHand("R1"), DiscardHand("M1"), DiscardHand("M2")]
    b, effects = play(b, (1, DiscardHand("M2")), (1, DiscardHand("R1")))
    assert effects == [CardDiscarded("MP-4.3.4", 1, "M2", "hand", 1), CardDiscarded("MP-4.3.4", 1, "R1", "hand", 1)]
    assert (hand(b, 1), to_act(b)) == ("M1", (0,))


def test_mp_4_3_4_factory_cards_of_choice_when_hand_is_empty():
    b = after(
        set_up(player(blue=2), player(hand="M1", factory="R1 M2 R1"), player()), *selling_moves(0, "blue", "blue")
    )
    assert (hand(b, 1), MAKING_PROFIT.legal(b, 1)) == ("", [DiscardFactory("R1"), DiscardFactory("M2")])
    b = after(b, (1, DiscardFactory("M2")))
    assert (b.players[1].factory, b.players[1].level) == (["R1", "R1"], 2)


def test_mp_4_3_4_no_factory_card_while_hand_cards_remain():
    # also MP-6.11
    b = after(set_up(player(blue=1), player(hand="M1 M2", factory="R1"), player()), *selling_moves(0, "blue"))
    assert refusal(b, 1, DiscardFactory("R1")) == ("MP-4.3.4", "hand_first")


def test_mp_4_3_5_what_hand_and_factory_cannot_cover_is_waived():
    b, effects = play(
        set_up(player(blue=4), player(hand="M1", factory="R1"), player()), *selling_moves(0, *["blue"] * 4)
    )
    assert DiscardsOwed("MP-4.3.5", 1, 2, 2) in effects
    assert (b.players[1].cards, b.players[1].level, b.actions) == (0, 0, 1)


def test_mp_4_3_6_owners_discard_clockwise_from_the_seller():
    b = set_up(player(hand="M1 M2"), player(hand="M1 M2", red=1, green=1), player(hand="R1 R2"), mover=1)
    b = after(b, *selling_moves(1, "red", "green", "blue"))
    for seat in (1, 2, 0):
        assert to_act(b) == (seat,)
        b = after(b, (seat, MAKING_PROFIT.legal(b, seat)[0]))
    assert to_act(b) == (1,)


def test_mp_4_3_6_out_of_order_is_refused():
    b = set_up(player(hand="M1 M2"), player(hand="M1 M2", red=1), player(), mover=1)
    b = after(b, *selling_moves(1, "red", "blue"))
    assert refusal(b, 0, DiscardHand("M1")) == ("MP-4.1.3", "discard_owed")


def test_mp_4_3_7_all_discards_go_to_the_pile():
    b = after(set_up(player(blue=2), player(hand="M1", factory="R2"), player()), *selling_moves(0, "blue", "blue"))
    assert b.discard == {"R1": 0, "R2": 1, "M1": 1, "M2": 0, "?": 0}


def test_mp_4_3_8_nothing_is_paid_before_the_sale_is_done():
    b = set_up(player(blue=2), player(factory=FIVE), player())
    b, effects = play(b, (0, SellAdd("blue")), (0, SellAdd("blue")))
    assert (b.players[0].money, b.players[0].certificates["blue"], b.actions) == (0, 2, 2)
    assert effects == [StockOffered("MP-4.3.8", 0, "blue", 1), StockOffered("MP-4.3.8", 0, "blue", 2)]


def test_mp_4_3_8_only_adding_and_finishing_is_legal_in_a_sale():
    b = after(set_up(player(9, hand="M1 M1 M1", blue=2), player(), player()), (0, SellAdd("blue")))
    assert MAKING_PROFIT.legal(b, 0) == [SellDone(), SellAdd("red"), SellAdd("blue")]


@pytest.mark.parametrize(
    ("hand_", "factory", "count", "gone"),
    [
        ("M1 M2", "", 2, [("M1", "hand", 1), ("M2", "hand", 1)]),  # all hand cards must go
        ("M1 M1 M1", "R1", 2, [("M1", "hand", 2)]),  # all of one type
        ("", "R1 R1 R1", 2, [("R1", "factory", 2)]),
        ("", "R1 M1", 2, [("R1", "factory", 1), ("M1", "factory", 1)]),
        ("M2", "R1 R1", 2, [("M2", "hand", 1), ("R1", "factory", 1)]),
    ],
)
def test_mp_4_3_8_a_discard_without_alternative_is_automatic(hand_, factory, count, gone):
    b = set_up(player(blue=count), player(hand=hand_, factory=factory), player())
    b, effects = play(b, *selling_moves(0, *["blue"] * count))
    assert [e for e in effects if isinstance(e, CardDiscarded)] == [
        CardDiscarded("MP-4.3.8", 1, card, source, number) for card, source, number in gone
    ]
    assert to_act(b) == (0,)


def test_mp_4_3_9_losing_a_card_is_no_development():
    b = set_up(player(hand="M1"), player(red=1), player(), developer=1)
    b = after(b, (0, Develop("M1")), (0, EndTurn()))
    b = after(b, *selling_moves(1, "red"))
    assert (b.players[0].level, b.developer) == (0, 0)


# --- MP-4.4: developing ---


def test_mp_4_4_1_the_card_is_laid_at_the_own_factory():
    b, effects = play(set_up(player(hand="M1 M2", factory="R1"), player()), (0, Develop("M2")))
    assert (b.players[0].factory, hand(b, 0)) == (["R1", "M2"], "M1")
    assert effects == [CardDeveloped("MP-4.4.1", 0, "M2", 2)]


@pytest.mark.parametrize("own", ["", "M1 R1"])
def test_mp_4_4_1_a_card_that_is_not_held_cannot_be_developed(own):
    assert refusal(set_up(player(hand=own), player()), 0, Develop("M2")) == ("MP-4.4.1", "no_card")


def test_mp_4_4_2_it_marks_the_turn():
    assert after(set_up(player(hand="M1"), player(), player()), (0, Develop("M1"))).developer == 0


def test_mp_4_4_3_level_ten_ends_the_game_at_once():
    b = after(set_up(player(hand="M1", factory=FIVE + " M1 M1 M1 M1"), player()), (0, Develop("M1")))
    assert (b.ended, to_act(b)) == ("level_ten", ())


# --- MP-4.5: running ---


def test_mp_4_5_1_running_is_legal_at_level_zero():
    b, effects = play(set_up(player(), player(), player()), (0, Run()))
    assert effects == [FactoryRun("MP-4.5.2", 0, 0, 0)]
    assert b.actions == 1


def test_mp_4_5_2_money_and_resources_of_all_cards_add_up():
    assert effects_after(set_up(player(factory="M1 M2 M2 R1 R2"), player()), (0, Run()))[0] == FactoryRun(
        "MP-4.5.2", 0, 5, 3
    )


def test_mp_4_5_3_every_holder_is_paid_and_the_bank_is_not():
    b, effects = play(set_up(player(factory="M1 M2"), player(red=3), player()), (0, Run()))
    assert [p.money for p in b.players] == [6, 9, 0]
    assert effects[1:] == [DividendPaid("MP-4.5.3", 0, "red", 2, 3, 6), DividendPaid("MP-4.5.3", 1, "red", 3, 3, 9)]


def test_mp_4_5_4_the_owner_alone_draws_one_after_the_other():
    b = after(set_up(player(factory="R2 R1"), player(red=3), player()), (0, Run()))
    for card, due in [("M1", 2), ("M1", 1), ("R2", 0)]:
        b = after(b, (TABLE, Drawn(card)))
        assert (b.draws, hand(b, 1)) == (due, "")
    assert hand(b, 0) == "R2 M1 M1"


def test_mp_4_5_5_a_factory_may_be_run_twice_in_a_turn():
    assert after(set_up(player(factory="M2"), player(), player()), (0, Run()), (0, Run())).players[0].money == 8


def test_mp_6_16_money_comes_before_the_cards():
    effects = effects_after(set_up(player(factory="M1 R1"), player()), (0, Run()), (TABLE, Drawn("M1")))
    assert [type(e) for e in effects] == [FactoryRun, DividendPaid, CardDrawn]


# --- MP-4.6: selling resources ---


def test_mp_4_6_1_three_cards_of_any_types_for_ten():
    b, effects = play(set_up(player(hand="M1 M1 R2 M2"), player()), (0, SellResources(("R2", "M1", "M2"))))
    assert (b.players[0].money, hand(b, 0)) == (10, "M1")
    assert b.discard == {"R1": 0, "R2": 1, "M1": 1, "M2": 1, "?": 0}
    assert effects == [ResourcesSold("MP-4.6.1", 0, ("R2", "M1", "M2"), 10)]


def test_mp_4_6_1_every_set_the_hand_can_make_is_offered_once():
    b = set_up(player(hand="M1 M1 R2 M2"), player())
    assert [d for d in MAKING_PROFIT.legal(b, 0) if isinstance(d, SellResources)] == [
        SellResources(("R2", "M1", "M1")),
        SellResources(("R2", "M1", "M2")),
        SellResources(("M1", "M1", "M2")),
    ]


def test_mp_4_6_1_other_order_of_cards_is_the_same_set():
    b = set_up(player(hand="M1 M1 R2 M2"), player())
    in_order = SellResources(("R2", "M1", "M1"))
    assert MAKING_PROFIT.play(b, 0, SellResources(("M1", "R2", "M1"))) == MAKING_PROFIT.play(b, 0, in_order)


def test_mp_4_6_2_a_second_set_needs_the_second_action():
    b = set_up(player(hand="M1 M1 M1 M1 M1 M1"), player(), player())
    assert refusal(b, 0, SellResources(("M1",) * 6)) == ("MP-4.6.2", "one_set_only")
    b = after(b, (0, SellResources(("M1",) * 3)), (0, SellResources(("M1",) * 3)))
    assert (b.players[0].money, b.mover) == (20, 1)


def test_mp_4_3_4_hand_that_covers_all_spares_the_factory():
    b, effects = play(
        set_up(player(blue=1), player(hand="M1", factory="R1 R1"), player()), (0, SellAdd("blue")), (0, SellDone())
    )
    assert [e for e in effects if isinstance(e, CardDiscarded)] == [CardDiscarded("MP-4.3.8", 1, "M1", "hand", 1)]
    assert b.players[1].factory == ["R1", "R1"]


@pytest.mark.parametrize(
    ("position", "moves", "seat", "only"),
    [
        (lambda: set_up(player(blue=1, red=0), player(), player()), [(0, SellAdd("blue"))], 0, SellDone()),
        (lambda: set_up(player(9), player(), deck="M1 M1"), [(0, BuyStock("blue"))], TABLE, Drawn("M1")),
        (
            lambda: set_up(player(9, hand="M2 M2 M2"), player(), deck="M1"),
            [(0, BuyStock("blue")), (TABLE, Drawn("M1"))],
            0,
            Nationalise(("M2", "M2")),
        ),
    ],
)
def test_mp_4_9_1_a_decision_with_one_option_is_asked(position, moves, seat, only):
    b = after(position(), *moves)
    assert (to_act(b), MAKING_PROFIT.legal(b, seat)) == ((seat,), [only])


def test_mp_5_5_round_ends_when_the_starter_is_next():
    b, effects = play(set_up(player(), player(), player(), mover=2, developer=1), (2, EndTurn()))
    assert effects == [RoundEnded("MP-5.5", 2), TurnPassed("MP-4.1.1", 2, 0, 7)]
    assert MAKING_PROFIT.course.marks(b) == {"round": 3, "turn": 7}


@pytest.mark.parametrize(
    ("factory", "chosen", "left"),
    [
        ("R1 M1 M2", "M1", "R1 M2"),  # one is owed
        ("R1 R1 M1 M2", "M1", "R1 R1 M2"),
    ],
)
def test_mp_4_1_3_last_factory_discard_ends_action_and_turn(factory, chosen, left):
    b = after(
        set_up(player(blue=1), player(factory=factory), player(), actions=1), (0, SellAdd("blue")), (0, SellDone())
    )
    assert to_act(b) == (1,)
    b, effects = play(b, (1, DiscardFactory(chosen)))
    assert (b.players[1].factory, b.mover, to_act(b)) == (left.split(), 1, (1,))
    assert type(effects[-1]) is TurnPassed


def test_mp_4_3_8_forced_rest_after_a_choice_goes_by_itself():
    """Two of R1, R1, M1 are owed: after the M1 only R1 are left, and one of them goes."""
    b = after(
        set_up(player(blue=2), player(factory="R1 R1 M1"), player()), *[(0, SellAdd("blue"))] * 2, (0, SellDone())
    )
    b, effects = play(b, (1, DiscardFactory("M1")))
    assert (b.players[1].factory, b.players[1].owes, to_act(b)) == (["R1"], 0, (0,))
    assert effects == [
        CardDiscarded("MP-4.3.4", 1, "M1", "factory", 1),
        CardDiscarded("MP-4.3.8", 1, "R1", "factory", 1),
    ]
