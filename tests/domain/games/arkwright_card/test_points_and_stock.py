"""ACG-4.6 to ACG-4.9: quality and distribution, the stock exchange, and the expert actions."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card.board import Production
from daybook.domain.games.arkwright_card.moves import (
    ActionEnded,
    AppealMoved,
    AssignStorehouse,
    BuyShare,
    CardDiscarded,
    CardLifted,
    CardPlaced,
    CardRotated,
    CardTurned,
    ChooseAction,
    CostPaid,
    DemandMoved,
    DistributionDecayed,
    EmergencyHelped,
    EndAction,
    ExtraProduce,
    GoodsLoaded,
    GoodsMade,
    GoodsStored,
    GoodsWasted,
    Lift,
    LoanTaken,
    Place,
    RegainShips,
    SetCard,
    SharesBought,
    ShareValueRaised,
    ShiftWorked,
    Shipped,
    ShipsRegained,
    ShipStored,
    StorehouseAssigned,
    TakeLoan,
    UseCustoms,
    UseDeveloper,
    UseEntrepreneur,
    UseExtraShift,
    UsePatron,
)
from tests.domain.games.arkwright_card.playing import (
    RED,
    after,
    choose_action,
    effects_after,
    factory,
    legal,
    legal_types,
    own,
    play,
    player,
    red,
    refusal,
    set_up,
)
from tests.domain.games.moves import only

PRICE, APPEAL = "price", "appeal"


def adding(action="quality", cards="", levels=None, dealt=None, **factories):
    fields = factories or {"food": factory(), "clothes": factory()}
    return choose_action(set_up(player(cards=cards, levels=levels or {}, **fields), player(), dealt=dealt), action)


# --- ACG-4.6: quality or distribution ---


def test_acg_4_6_1_and_acg_4_20_5_one_of_the_two_kinds():
    b = adding("quality")
    assert {d.card for d in legal(b, Place)} == {"QA", "QB"}
    assert refusal(b, RED, Place("DA", "food", 1)) == ("ACG-4.6.2", "card_not_available")
    b = adding("distribution")
    assert {d.card for d in legal(b, Place)} == {"DA", "DB"}
    assert refusal(b, RED, Place("QA", "food", 1, PRICE)) == ("ACG-4.6.2", "card_not_available")


def test_acg_4_6_2_lift_place_and_set():
    b = adding("quality", levels={"quality": 2}, food=factory(quality={"QA": (1, PRICE)}), clothes=factory())
    b, effects = play(b, *red(SetCard("QA", 2, APPEAL), Place("QB", "clothes", 1, PRICE), Lift("QA"), EndAction()))
    assert effects[:3] == [
        CardTurned("ACG-4.6.2", RED, "food", "QA", 1, 2, "appeal", 2),
        CardPlaced("ACG-4.6.2", RED, "clothes", "QB", 1, "price", 1),
        CardLifted("ACG-4.6.2", RED, "food", "QA", 2, 0),
    ]
    assert (own(b).quality, list(own(b, "clothes").quality)) == ({}, ["QB"])
    assert effects[3] == ActionEnded("ACG-4.2.3", RED, "quality")


def test_acg_4_6_2_what_is_not_there_or_does_not_change():
    b = adding("quality", food=factory(quality={"QA": (1, PRICE)}), clothes=factory())
    assert refusal(b, RED, Place("QA", "food", 1, PRICE)) == ("ACG-4.6.2", "card_not_available")
    assert refusal(b, RED, Place("QB", "lamps", 1, PRICE)) == ("ACG-4.6.2", "no_factory")
    assert refusal(b, RED, Place("QE", "food", 5, PRICE)) == ("ACG-4.6.2", "card_not_available")
    assert refusal(b, RED, Lift("QB")) == ("ACG-4.6.2", "card_not_available")
    assert refusal(b, RED, SetCard("QA", 1, PRICE)) == ("ACG-4.6.2", "no_change")
    assert refusal(b, RED, SetCard("QB", 1, PRICE)) == ("ACG-4.6.2", "card_not_available")
    assert refusal(b, RED, SetCard("QA", 1, APPEAL)) is None


@pytest.mark.parametrize(
    ("rule", "card", "value", "mode"),
    [
        ("ACG-2.5.12", "QA", 3, PRICE),
        ("ACG-2.5.13", "QC", 2, PRICE),
        ("ACG-2.5.14", "QE", 4, PRICE),
        ("ACG-2.5.12", "QA", 1, None),
    ],
)
def test_acg_2_5_values_that_are_not_on_the_card(rule, card, value, mode):
    b = adding("quality", cards="engineer", levels={"quality": 2})
    assert refusal(b, RED, Place(card, "food", value, mode)) == ("ACG-2.5", "card_value")


def test_acg_2_5_15_a_distribution_card_has_no_sides():
    b = adding("distribution")
    assert refusal(b, RED, Place("DA", "food", 5)) == ("ACG-2.5", "card_value")
    assert refusal(b, RED, Place("DA", "food", 1, APPEAL)) == ("ACG-2.5", "card_value")


def test_acg_4_6_3_each_card_once():
    b = adding("quality", levels={"quality": 2}, food=factory(quality={"QA": (1, PRICE)}), clothes=factory())
    b = after(b, *red(Lift("QA"), Place("QA", "clothes", 1, PRICE)))
    assert refusal(b, RED, Lift("QA")) == ("ACG-4.6.3", "already_done")
    assert refusal(b, RED, SetCard("QA", 2, PRICE)) == ("ACG-4.6.3", "already_done")
    b = after(adding("quality"), *red(Place("QA", "food", 1, PRICE), Lift("QA")))
    assert refusal(b, RED, Place("QA", "food", 1, PRICE)) == ("ACG-4.6.3", "already_done")


def test_acg_4_6_4_the_allowance_at_every_moment():
    b = adding("quality")
    assert refusal(b, RED, Place("QA", "food", 2, PRICE)) == ("ACG-4.6.4", "add_limit")
    b = after(b, (RED, Place("QA", "food", 1, PRICE)))
    assert refusal(b, RED, Place("QB", "clothes", 1, PRICE)) == ("ACG-4.6.4", "add_limit")


def test_acg_4_6_5_loss_in_one_factory_is_no_allowance_elsewhere():
    b = adding("quality", food=factory(quality={"QC": (3, PRICE)}), clothes=factory())
    b = after(b, (RED, Lift("QC")))
    assert refusal(b, RED, Place("QA", "clothes", 2, PRICE)) == ("ACG-4.6.4", "add_limit")
    assert refusal(b, RED, Place("QA", "clothes", 1, PRICE)) is None
    assert refusal(b, RED, Place("QC", "food", 4, PRICE)) is None


@pytest.mark.parametrize(("cards", "key"), [("", "quality_cap"), ("engineer", None)])
def test_acg_4_6_6_quality_of_one_factory_has_a_maximum(cards, key):
    # also ACG-4.12.11
    b = adding("quality", cards, {"quality": 2}, food=factory(quality={"QC": (4, PRICE)}), clothes=factory())
    expected = None if key is None else ("ACG-4.6.6", key)
    assert refusal(b, RED, Place("QA", "food", 1, PRICE)) == expected


def test_acg_4_6_6_the_most_distribution_in_one_factory():
    b = adding("distribution", levels={"distribution": 2})
    assert refusal(b, RED, Place("DA", "food", 4)) is None
    b = choose_action(
        set_up(player(levels={"distribution": 2}), player(), numbers={"rules.distribution_cap": 3}), "distribution"
    )
    assert refusal(b, RED, Place("DA", "food", 4)) == ("ACG-4.6.6", "distribution_cap")


def test_acg_4_6_7_one_distribution_card_at_a_factory():
    b = adding("distribution", food=factory(distribution=("DA", 1)), clothes=factory())
    assert refusal(b, RED, Place("DB", "food", 1)) == ("ACG-4.6.7", "distribution_cap")
    b = after(b, (RED, Lift("DA")))
    assert refusal(b, RED, Place("DB", "food", 3)) is None
    b = adding("quality", levels={"quality": 2})
    assert list(own(after(b, *red(Place("QA", "food", 1, PRICE), Place("QB", "food", 2, APPEAL)))).quality) == [
        "QA",
        "QB",
    ]


def test_acg_4_6_7_distribution_card_does_not_block_quality():
    b = adding("quality", food=factory(distribution=("DA", 1)), clothes=factory())
    assert refusal(b, RED, Place("QA", "food", 1, PRICE)) is None


def test_acg_4_6_8_one_step_is_enough_also_without_an_increase():
    b = adding("quality", food=factory(quality={"QA": (2, PRICE)}), clothes=factory())
    assert refusal(b, RED, EndAction()) == ("ACG-4.2.3", "nothing_done")
    assert after(b, *red(SetCard("QA", 1, PRICE), EndAction())).stage == "price"


def test_acg_4_1_4_quality_ends_once_every_card_was_moved():
    moves = red(Lift("QA"), Place("QA", "food", 1, PRICE), Lift("QB"), Place("QB", "clothes", 1, PRICE))
    fields = {"food": factory(quality={"QA": (1, PRICE)}), "clothes": factory(quality={"QB": (1, PRICE)})}
    assert after(adding("quality", **fields), *moves).stage == "price"
    p = player(cards="developer entrepreneur", rotated="entrepreneur", **fields)
    b = after(choose_action(set_up(p, player(), dealt="developer"), "quality"), *moves)
    assert legal(b) == [EndAction(), UseDeveloper("entrepreneur")]


def test_acg_4_6_9_appeal_markers_do_not_move_now():
    b = adding("distribution")
    b, effects = play(b, *red(Place("DA", "food", 2), EndAction()))
    assert only(effects, AppealMoved, DemandMoved) == []
    assert own(b).appeal == 0


def test_acg_4_6_10_engineer_makes_room_without_allowance():
    b = adding("quality", "engineer", food=factory(quality={"QE": (5, PRICE)}), clothes=factory())
    b = after(b, *red(Lift("QE"), Place("QC", "food", 4, PRICE), Place("QA", "food", 1, PRICE)))
    assert own(b).quality_value == 5
    assert refusal(b, RED, Place("QB", "food", 1, PRICE)) is None  # the allowance is still whole


def test_acg_4_12_14_the_patent_is_a_distribution_card():
    b = adding("distribution", "patent")
    assert refusal(b, RED, Place("DP", "food", 2)) is None
    assert refusal(adding("distribution"), RED, Place("DP", "food", 2)) == ("ACG-4.6.2", "card_not_available")


# --- ACG-4.7: the stock exchange ---


def trading(**fields):
    return choose_action(set_up(player(**fields), player()), "stock")


def test_acg_4_7_1_and_acg_10_10_the_first_shares_at_half_price():
    b, effects = play(trading(levels={"stock": 1}, share_value=13), *red(BuyShare(), BuyShare()))
    assert effects == [
        SharesBought("ACG-4.7.1", RED, 1, 7, 7, True, 11),
        SharesBought("ACG-4.7.1", RED, 1, 13, 13, False, 12),
    ]
    assert (b.players[RED].money, b.players[RED].shares) == (30, 12)
    effects = effects_after(trading(levels={"stock": 2}), *red(BuyShare(), BuyShare(), BuyShare()))
    assert [e.price for e in effects] == [5, 5, 10]


def test_acg_4_7_2_money_may_go_to_nothing():
    b = after(trading(money=20), *red(BuyShare(), BuyShare()))
    assert b.players[RED].money == 0
    assert refusal(b, RED, BuyShare()) == ("ACG-4.7.2", "no_money")
    assert refusal(trading(shares=30), RED, BuyShare()) == ("ACG-2.7.1", "share_cap")


def test_acg_4_7_3_the_discount_counts_once_in_a_turn():
    b = after(trading(levels={"stock": 1}), *red(BuyShare(), EndAction()))
    assert b.stage == "price"
    assert refusal(b, RED, BuyShare()) == ("ACG-4.1.2", "wrong_step")


def test_acg_4_7_4_loans_pay_for_no_shares_of_the_same_action():
    b = after(trading(money=0), (RED, TakeLoan()))
    assert b.players[RED].money == 10
    assert refusal(b, RED, BuyShare()) == ("ACG-4.7", "stock_order")


def test_acg_4_7_5_shipping_tokens_leave_the_price():
    effects = effects_after(trading(shipping_tokens=9), (RED, BuyShare()))
    assert effects[0].price == 10


def test_acg_4_7_6_a_loan_brings_the_share_value():
    b, effects = play(trading(share_value=15), *red(TakeLoan(), TakeLoan()))
    assert effects == [LoanTaken("ACG-4.7.6", RED, 15, 1), LoanTaken("ACG-4.7.6", RED, 15, 2)]
    assert (b.players[RED].money, b.players[RED].loans) == (80, 2)
    assert refusal(trading(loans=9), RED, TakeLoan()) == ("ACG-4.7.6", "loan_limit")


def test_acg_4_7_7_loans_are_never_paid_back():
    b = after(trading(loans=3, ships=0), (RED, RegainShips()))
    assert b.players[RED].loans == 3


def test_acg_4_7_8_and_acg_4_7_9_ships_are_regained():
    b, effects = play(trading(ships=1), (RED, RegainShips()))
    assert effects[0] == ShipsRegained("ACG-4.7.8", RED, 2)
    assert b.stage == "price"
    assert refusal(trading(ships=2), RED, RegainShips()) == ("ACG-4.7.8", "ships_ready")
    assert after(trading(ships=0), (RED, RegainShips())).players[RED].ships == 2


def test_acg_4_7_and_acg_4_20_6_the_order_is_fixed():
    b = trading(ships=0)
    assert legal_types(b) == {BuyShare, TakeLoan, RegainShips}
    assert legal_types(after(b, (RED, BuyShare()))) == {BuyShare, TakeLoan, RegainShips, EndAction}
    assert legal_types(after(b, (RED, TakeLoan()))) == {TakeLoan, RegainShips, EndAction}
    p = player(ships=0, cards="developer entrepreneur", rotated="entrepreneur")
    b = after(choose_action(set_up(p, player(), dealt="developer"), "stock"), (RED, RegainShips()))
    assert legal_types(b) == {UseDeveloper, EndAction}
    assert refusal(b, RED, TakeLoan()) == ("ACG-4.7", "stock_order")
    assert refusal(b, RED, BuyShare()) == ("ACG-4.7", "stock_order")


def test_acg_4_7_10_one_of_the_three_at_least():
    assert refusal(trading(), RED, EndAction()) == ("ACG-4.2.3", "nothing_done")
    assert after(trading(), *red(TakeLoan(), EndAction())).stage == "price"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"money": 0, "loans": 9}, ("ACG-4.2.2", "action_impossible")),
        ({"shares": 30, "loans": 9}, ("ACG-4.2.2", "action_impossible")),
        ({"money": 0, "loans": 9, "ships": 1}, None),
        ({"money": 0, "loans": 8}, None),
        ({"money": 10, "loans": 9}, None),
    ],
)
def test_acg_4_7_one_of_the_three_is_possible_or_none(fields, expected):
    assert refusal(set_up(player(**fields), player()), RED, ChooseAction("stock")) == expected


@pytest.mark.parametrize(
    ("cards", "rotated", "stage"),
    [
        ("developer entrepreneur", "entrepreneur", "regain_ships"),
        ("developer entrepreneur", "", "price"),
        ("entrepreneur", "entrepreneur", "price"),
    ],
)
def test_acg_4_1_4_developer_keeps_an_action_open_for_used_card(cards, rotated, stage):
    p = player(ships=0, cards=cards, rotated=rotated)
    assert after(choose_action(set_up(p, player(), dealt="developer"), "stock"), (RED, RegainShips())).stage == stage


# --- ACG-4.8: extra production ---


def extra(cards="", dealt=None, options=None, money=50, **fields):
    factories = fields or {"food": factory(workers="1 1"), "clothes": factory()}
    b = set_up(
        player(money=money, cards=cards, **factories),
        player(),
        dealt=dealt,
        options={"extra_actions": True} | (options or {}),
    )
    return choose_action(b, "extra_production")


def test_acg_4_8_1_factory_works_once_with_any_number_of_cards():
    # also ACG-4.20.7
    b = extra()
    assert set(legal(b)) == {
        ExtraProduce("food", 0),
        ExtraProduce("food", 1),
        ExtraProduce("food", 2),
        ExtraProduce("clothes", 0),
        ExtraProduce("clothes", 1),
    }
    assert refusal(b, RED, ExtraProduce("clothes", 2)) == ("ACG-4.8.1", "no_worker_card")
    assert refusal(b, RED, ExtraProduce("lamps", 0)) == ("ACG-4.8.1", "no_factory")
    b = after(b, (RED, ExtraProduce("food", 0)))
    assert refusal(b, RED, ExtraProduce("food", 1)) == ("ACG-4.8.1", "already_done")


@pytest.mark.parametrize(("count", "made", "cost"), [(0, 2, 2 * 2 + 3), (1, 4, 4 * 2 + 3), (2, 6, 6 * 2 + 3)])
def test_acg_4_8_2_and_acg_4_8_4_goods_and_costs_of_what_works(count, made, cost):
    b, effects = play(extra(), (RED, ExtraProduce("food", count)))
    assert only(effects, GoodsMade) == [GoodsMade("ACG-4.8.2", RED, "food", 2, (2, 2)[:count], made)]
    assert [(e.rule, e.amount) for e in only(effects, CostPaid)] == [("ACG-4.8.4", cost)]
    assert b.players[RED].money == 50 - cost


def test_acg_4_8_2_extra_shift_once_before_goods_are_packed():
    b = extra("extra_shift", dealt="extra_shift")
    assert refusal(b, RED, UseExtraShift()) == ("ACG-4.8.2", "wrong_step")
    b, effects = play(b, *red(ExtraProduce("food", 0), UseExtraShift()))
    assert only(effects, CardDiscarded, ShiftWorked) == [
        CardDiscarded("ACG-4.12.4", RED, "extra_shift"),
        ShiftWorked("ACG-4.12.4", RED, "food", 1, 3),
    ]
    assert refusal(b, RED, UseExtraShift()) == ("ACG-4.12.4", "card_not_available")
    b = after(b, *red(AssignStorehouse("SA"), AssignStorehouse("SB"), EndAction()))
    assert own(b).storehouses == {"SA": 2, "SB": 1}


def test_acg_4_8_2_pending_extra_shift_keeps_the_action_open():
    b = extra("extra_shift", dealt="extra_shift")
    b = after(
        b, *red(ExtraProduce("clothes", 0), ExtraProduce("food", 0), AssignStorehouse("SA"), AssignStorehouse("SB"))
    )
    assert legal(b) == [UseExtraShift(), EndAction()]
    b = after(b, (RED, UseExtraShift()))
    assert (b.stage, b.production, own(b).goods_stored) == ("price", Production(), 3)


def test_acg_4_8_3_goods_are_packed_at_next_factory_or_end():
    b = after(extra(), *red(ExtraProduce("food", 1), AssignStorehouse("SA")))
    assert own(b).storehouses == {"SA": 0}
    b, effects = play(b, (RED, ExtraProduce("clothes", 0)))
    assert only(effects, GoodsStored, GoodsWasted) == [
        GoodsStored("ACG-4.13.13", RED, "food", {"SA": 2}, 2),
        GoodsWasted("ACG-4.13.12", RED, "food", 2),
    ]
    assert refusal(b, RED, AssignStorehouse("SA")) == ("ACG-4.13.14", "already_done")
    b, effects = play(b, (RED, AssignStorehouse("SB")))
    assert effects[0] == StorehouseAssigned("ACG-4.13.14", RED, "clothes", "SB", None)
    assert own(b, "clothes").storehouses == {"SB": 2}
    assert b.stage == "price"


def test_acg_4_8_3_goods_stored_before_share_the_room():
    b = extra(food=factory(workers="", stored={"SA": 1}), clothes=factory())
    b = after(b, *red(ExtraProduce("food", 0), EndAction()))
    assert own(b).storehouses == {"SA": 2}


def test_acg_4_8_5_emergency_fund_helps_and_no_one_is_bankrupt():
    b = extra(money=0)
    b, effects = play(b, (RED, ExtraProduce("food", 0)))
    assert only(effects, EmergencyHelped) == [EmergencyHelped("ACG-4.14.1", RED, 2, 5, 10, 2)]
    assert b.players[RED].money == 3
    poor = player(money=0, loans=8, food=factory(), clothes=factory())
    b = set_up(poor, player(), options={"extra_actions": True})
    b.stage = "extra_production"
    assert refusal(b, RED, ExtraProduce("food", 0)) == ("ACG-4.8.5", "would_bankrupt")
    b.stage = "action"
    assert refusal(b, RED, ChooseAction("extra_production")) == ("ACG-4.2.2", "action_impossible")


def test_acg_4_8_5_who_can_pay_for_the_tile_alone_can_produce():
    """Food costs £7 without its worker card and £11 with it; the fund has £5."""
    b = set_up(player(money=2, loans=8), player(), options={"extra_actions": True})
    assert legal(choose_action(b, "extra_production")) == [ExtraProduce("food", 0)]


def test_acg_4_8_6_no_decay_unless_the_table_rules_so():
    fields = {"food": factory(distribution=("DA", 1)), "clothes": factory()}
    moves = red(ExtraProduce("food", 0), EndAction())
    b, effects = play(extra(**fields), *moves)
    assert only(effects, DistributionDecayed, ShareValueRaised, AppealMoved, DemandMoved) == []
    assert own(b).distribution_value == 1
    b, effects = play(extra(options={"extra_decay": True}, **fields), *moves)
    assert only(effects, DistributionDecayed) == [DistributionDecayed("ACG-7.1.3", RED, "food", "DA", 0)]
    assert own(b).distribution is None


def test_acg_3_5_9_cards_at_work_in_extra_production():
    fields = {"food": factory(workers="1.2 1.1", foreman=True), "clothes": factory()}
    p = player(cards="foreman workshop developer", levels={"cards": 1}, **fields)
    b = choose_action(
        set_up(p, player(), dealt="foreman workshop developer", options={"extra_actions": True}), "extra_production"
    )
    [paid] = only(effects_after(b, (RED, ExtraProduce("food", 2))), CostPaid)
    assert (paid.cheaper, paid.machines, paid.maintenance, paid.fixed, paid.amount) == (6, 3, 1, 1, 2)


@pytest.mark.parametrize(
    ("cards", "use", "works_in"),
    [
        ("extra_shift", UseExtraShift(), {"extra_production"}),
        ("customs_office", UseCustoms(), {"early_shipping"}),
        ("developer patron_lamps_food", UseDeveloper("patron_lamps_food"), {"extra_production", "early_shipping"}),
        ("patron_clothes_food", UsePatron("patron_clothes_food"), set()),
        ("entrepreneur", UseEntrepreneur(), set()),
    ],
)
def test_acg_3_5_9_which_cards_work_in_which_of_the_two_actions(cards, use, works_in):
    """Each is ready in an action that has begun and goes on; the Developer finds a card that is rotated."""
    p = player(
        cards=cards,
        rotated="patron_lamps_food" if "developer" in cards else "",
        levels={"cards": 1},
        food=factory(workers="1 1", stored={"SA": 2}),
        clothes=factory(stored={"SB": 2}),
    )
    for action, begins in (("extra_production", ExtraProduce("food", 1)), ("early_shipping", ShipStored("food", 1))):
        b = after(
            choose_action(set_up(p, player(), dealt=cards, options={"extra_actions": True}), action), (RED, begins)
        )
        assert b.stage == action
        assert (refusal(b, RED, use) is None, use in legal(b)) == (action in works_in, action in works_in)


def test_acg_3_5_9_contract_and_extra_shift_work_in_both_actions():
    b = shipping("contract", dealt="big_storehouse contract")
    [shipped] = only(effects_after(b, *red(ShipStored("food", 1), EndAction())), Shipped)
    assert (shipped.contract, shipped.amount) == (2, 5 + 2)
    b = extra("extra_shift", dealt="extra_shift")
    effects = effects_after(
        b, *red(ExtraProduce("food", 0), UseExtraShift(), AssignStorehouse("SA"), AssignStorehouse("SB"))
    )
    assert only(effects, ShiftWorked) == [ShiftWorked("ACG-4.12.4", RED, "food", 1, 3)]


def test_acg_3_5_9_without_option_extra_shift_is_in_production():
    b = set_up(player(cards="extra_shift"), player(), dealt="extra_shift")
    assert refusal(b, RED, ChooseAction("extra_production")) == ("ACG-3.1.6", "option_off")
    assert refusal(b, RED, UseExtraShift())[1] == "wrong_step"


# --- ACG-4.9: early shipping ---


def shipping(cards="", rotated="", dealt=None, **fields):
    fields = {"food": factory(stored={"SA": 2, "SB": 1}), "clothes": factory(side=2, stored={"SC": 4})} | fields
    cards = f"big_storehouse {cards}"
    b = set_up(
        player(cards=cards, rotated=rotated, **fields),
        player(),
        dealt=dealt or "big_storehouse",
        options={"extra_actions": True},
    )
    return choose_action(b, "early_shipping")


def test_acg_4_9_1_each_good_once_and_settled_at_the_end():
    # also ACG-4.20.8
    b = shipping()
    assert refusal(b, RED, EndAction()) == ("ACG-4.2.3", "nothing_done")
    b, effects = play(b, (RED, ShipStored("food", 1)))
    assert effects == [GoodsLoaded("ACG-4.9.1", RED, "food", 1, 1)]
    assert (own(b).goods_stored, b.players[RED].ships, b.players[RED].money) == (3, 2, 50)
    assert refusal(b, RED, ShipStored("food", 1)) == ("ACG-4.9.1", "already_done")
    assert refusal(b, RED, ShipStored("lamps", 1)) == ("ACG-4.9.1", "no_factory")
    assert refusal(b, RED, ShipStored("clothes", 0)) == ("ACG-4.9.1", "no_stock")
    assert refusal(shipping(), RED, ShipStored("food", 4)) == ("ACG-4.9.1", "no_stock")


def test_acg_4_9_2_goods_share_the_ships():
    b = after(shipping(), (RED, ShipStored("food", 1)))
    assert refusal(b, RED, ShipStored("clothes", 4)) == ("ACG-4.9.2", "ship_capacity")
    b, effects = play(b, (RED, ShipStored("clothes", 3)))
    assert only(effects, Shipped) == [
        Shipped("ACG-4.9.3", RED, {"food": 1, "clothes": 3}, {"food": 5, "clothes": 8}, 2, 2, 0, 29)
    ]
    assert (b.players[RED].ships, b.players[RED].shipping_tokens, b.players[RED].money) == (0, 2, 79)
    assert b.stage == "price"


def test_acg_4_9_3_the_contract_pays_once():
    b = shipping("contract", dealt="big_storehouse contract")
    [shipped] = only(effects_after(b, *red(ShipStored("food", 2), ShipStored("clothes", 2))), Shipped)
    assert (shipped.contract, shipped.amount) == (8, 2 * 5 + 2 * 8 + 8)


def test_acg_4_9_4_what_stays_is_packed_again():
    b, effects = play(shipping(), *red(ShipStored("food", 2), ShipStored("clothes", 2)))
    assert own(b).storehouses == {"SA": 1}
    assert own(b, "clothes").storehouses == {"SC": 2}
    assert only(effects, GoodsStored)[0] == GoodsStored("ACG-4.13.13", RED, "food", {"SA": 1}, 1)
    b = after(shipping(), *red(ShipStored("food", 3), ShipStored("clothes", 1)))
    assert own(b).storehouses == {}


def test_acg_4_13_11_tokens_need_a_place_when_the_action_ends():
    b = shipping(shipping_tokens=8)
    assert refusal(b, RED, ShipStored("food", 3)) == ("ACG-4.13.11", "token_limit")
    assert refusal(b, RED, ShipStored("food", 2)) is None
    b = shipping("customs_office", shipping_tokens=8, dealt="big_storehouse customs_office")
    b = after(b, (RED, ShipStored("food", 3)))
    assert refusal(b, RED, EndAction()) == ("ACG-4.13.11", "token_limit")
    b, effects = play(b, *red(UseCustoms(), EndAction()))
    assert only(effects, CardRotated) == [CardRotated("ACG-4.12.3", RED, "customs_office")]
    assert b.players[RED].shipping_tokens == 9


def test_acg_4_13_11_developer_may_ready_the_customs_office():
    p = player(
        cards="big_storehouse customs_office developer",
        rotated="customs_office",
        levels={"cards": 1},
        shipping_tokens=8,
        food=factory(stored={"SA": 2, "SB": 1}),
        clothes=factory(),
    )
    b = set_up(p, player(), dealt="big_storehouse customs_office developer", options={"extra_actions": True})
    b = after(choose_action(b, "early_shipping"), (RED, ShipStored("food", 3)))
    assert legal(b) == [UseDeveloper("customs_office")]
    b = after(b, *red(UseDeveloper("customs_office"), UseCustoms()))
    assert b.players[RED].shipping_tokens == 9


@pytest.mark.parametrize(
    ("cards", "rotated"),
    [("developer", ""), ("customs_office", "customs_office"), ("customs_office developer", "customs_office developer")],
)
def test_acg_4_9_1_no_customs_office_means_no_more_places(cards, rotated):
    p = player(
        cards=f"big_storehouse {cards}",
        rotated=rotated,
        levels={"cards": 1},
        shipping_tokens=8,
        food=factory(stored={"SA": 2, "SB": 1}),
        clothes=factory(),
    )
    b = choose_action(
        set_up(p, player(), dealt=f"big_storehouse {cards}", options={"extra_actions": True}), "early_shipping"
    )
    assert refusal(b, RED, ShipStored("food", 3)) == ("ACG-4.13.11", "token_limit")
    assert refusal(b, RED, ShipStored("food", 2)) is None


def test_acg_4_9_1_without_a_token_place_nothing_ships_early():
    p = player(shipping_tokens=9, food=factory(stored={"SA": 2}), clothes=factory())
    b = set_up(p, player(), options={"extra_actions": True})
    assert refusal(b, RED, ChooseAction("early_shipping")) == ("ACG-4.2.2", "action_impossible")


def test_acg_4_9_1_a_ready_customs_office_is_waited_for_once():
    p = player(cards="customs_office developer", food=factory(stored={"SA": 2}), clothes=factory(stored={"SB": 2}))
    b = set_up(p, player(), dealt="customs_office developer", options={"extra_actions": True})
    b = after(choose_action(b, "early_shipping"), *red(ShipStored("food", 2), ShipStored("clothes", 2)))
    assert legal(b) == [UseCustoms(), EndAction()]
    p["cards"] = ["customs_office"]
    b = set_up(p, player(), dealt="customs_office", options={"extra_actions": True})
    moves = red(ShipStored("food", 2), ShipStored("clothes", 2), UseCustoms())
    assert after(choose_action(b, "early_shipping"), *moves).stage == "price"
    p["cards"] = ["customs_office", "developer"]
    b = set_up(p, player(), dealt="customs_office developer", options={"extra_actions": True})
    moves = red(ShipStored("food", 2), UseCustoms(), UseDeveloper("customs_office"), ShipStored("clothes", 2))
    assert after(choose_action(b, "early_shipping"), *moves).stage == "price"


def test_acg_4_12_3_the_customs_office_works_once_for_a_shipping():
    b = shipping("customs_office", dealt="big_storehouse customs_office")
    assert refusal(b, RED, UseCustoms()) == ("ACG-4.12.3", "nothing_done")
    b = after(b, *red(ShipStored("food", 1), UseCustoms()))
    assert refusal(b, RED, UseCustoms()) == ("ACG-4.12.3", "already_done")
    b = after(b, (RED, EndAction()))
    assert b.players[RED].shipping_tokens == 0
    b = shipping("customs_office", "customs_office", dealt="big_storehouse customs_office")
    assert refusal(after(b, (RED, ShipStored("food", 1))), RED, UseCustoms()) == ("ACG-4.12.3", "card_rotated")
    assert refusal(after(shipping(), (RED, ShipStored("food", 1))), RED, UseCustoms()) == (
        "ACG-4.12.3",
        "card_not_available",
    )
