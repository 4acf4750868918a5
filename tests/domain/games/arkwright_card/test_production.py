"""ACG-4.12 to ACG-4.16: the production phase, share values, decay; and ACG-4.14 where money runs out."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, factories, moves, production
from daybook.domain.games.arkwright_card.board import Board, Factory, Production
from tests.domain.games.arkwright_card.playing import (
    BLUE,
    GREEN,
    RED,
    after,
    at,
    broken,
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
IDLE = {"lamps": factory(), "cutlery": factory()}  # a player without food


def selling(*others, cards="", rotated="", demand=1, dealt=None, options=None, **fields):
    """Seat 0 has just ended its turn, the last of the round, and its food factory goes to work."""
    b = turn_over(*others, cards=cards, rotated=rotated, demand=demand, dealt=dealt, options=options, **fields)
    return after(b, (b.moving, moves.SkipDevelopment()))


def turn_over(*others, cards="", rotated="", demand=1, dealt=None, options=None, **fields):
    food = {name: fields.pop(name) for name in list(fields) if name in Factory.__struct_fields__ or name == "stored"}
    factories_of = {"food": factory(**food), "clothes": fields.pop("clothes", factory())}
    p = player(cards=cards, rotated=rotated, **factories_of, **fields)
    rest = others or (player(**IDLE),)
    return set_up(
        p, *rest, stage="development", mover=len(rest), demand={"food": at(demand)}, dealt=dealt, options=options
    )


def effects_of(*others, **fields):
    b = turn_over(*others, **fields)
    return effects_after(b, (b.moving, moves.SkipDevelopment()))


# --- ACG-4.13: who takes part ---


def test_acg_4_13_active_factories_produce_in_turn_order():
    b = set_up(player(), player(**IDLE), player(), stage="development", mover=0, start=1)
    b, effects = play(b, (RED, moves.SkipDevelopment()))
    assert only(effects, moves.PhaseBegun) == [moves.PhaseBegun("ACG-4.13", "production")]
    assert [e.seat for e in only(effects, moves.GoodsMade)] == [GREEN]
    assert (b.stage, b.mover) == ("ship", GREEN)
    effects = effects_after(b, (GREEN, moves.Ship(4)))
    assert [e.seat for e in only(effects, moves.GoodsMade)] == [RED]


def test_acg_4_13_nobody_produces():
    b = set_up(player(**IDLE), player(**IDLE), stage="development", mover=1)
    effects = effects_after(b, (BLUE, moves.SkipDevelopment()))
    assert only(effects, moves.NobodyProduces) == [moves.NobodyProduces("ACG-4.13", "food")]
    assert only(effects, moves.ShareValueRaised, moves.TopPointWon, moves.TopPointLost) == []


def test_acg_4_15_3_no_factory_is_at_work_while_a_tie_is_decided():
    b, _ = run_production(3, 3, 0, of_1={"cards": "entrepreneur"})
    assert (b.stage, b.production) == ("top_point", Production())


# --- a: the home market ---


def test_acg_4_13_1_extra_shift_makes_one_more():
    # also ACG-4.20.14
    b = selling(cards="extra_shift", appeal=8)
    assert (b.stage, legal_types(b)) == ("produce", {moves.UseExtraShift, moves.BeginSale})
    b, effects = play(b, (RED, moves.UseExtraShift()))
    assert effects[:2] == [
        moves.CardDiscarded("ACG-4.12.4", RED, "extra_shift"),
        moves.ShiftWorked("ACG-4.12.4", RED, "food", 1, 5),
    ]
    assert only(effects, moves.SoldHome)[0].made == 5
    assert refusal(
        selling(cards="entrepreneur patron_clothes_food", dealt="patron_clothes_food", appeal=8),
        RED,
        moves.UseExtraShift(),
    ) == ("ACG-4.12.4", "card_not_available")


def test_acg_4_13_2_production_is_always_whole():
    effects = effects_of(workers="1 1")
    assert only(effects, moves.GoodsMade) == [moves.GoodsMade("ACG-4.13.2", RED, "food", 2, (2, 2), 6)]


def test_acg_4_13_3_patrons_raise_the_maximum_of_their_goods():
    cards = "patron_clothes_food patron_cutlery_food patron_lamps_cutlery"
    b = selling(cards=cards, levels={"cards": 1}, dealt=cards, appeal=4, demand=3)
    assert legal(b) == [
        moves.UsePatron("patron_clothes_food"),
        moves.UsePatron("patron_cutlery_food"),
        moves.BeginSale(),
    ]
    assert refusal(b, RED, moves.UsePatron("patron_lamps_cutlery")) == ("ACG-4.12.8", "card_wrong_good")
    assert refusal(b, RED, moves.UsePatron("patron_lamps_food")) == ("ACG-4.12.8", "card_not_available")
    b, effects = play(b, (RED, moves.UsePatron("patron_clothes_food")))
    assert effects == [
        moves.CardRotated("ACG-4.12.8", RED, "patron_clothes_food"),
        moves.PatronWon("ACG-4.12.8", RED, "patron_clothes_food", 1),
    ]
    assert refusal(b, RED, moves.UsePatron("patron_clothes_food")) == ("ACG-4.12", "card_rotated")
    b, effects = play(b, (RED, moves.UsePatron("patron_cutlery_food")))
    assert only(effects, moves.MarketMeasured) == [moves.MarketMeasured("ACG-4.13.4", RED, "food", 4, 3, 2, 3)]
    assert only(effects, moves.SoldHome)[0].made == 3


def test_acg_4_13_3_sale_begins_by_itself_without_useful_cards():
    b = selling(
        cards="patron_clothes_food entrepreneur", rotated="patron_clothes_food", dealt="patron_clothes_food", appeal=4
    )
    assert b.stage != "produce"


@pytest.mark.parametrize(
    ("appeal", "demand", "patrons", "needs_sale", "limit"),
    [
        (4, 2, 0, False, 2),
        (3, 3, 0, False, 0),
        (2, 5, 0, False, 0),
        (2, 5, 1, False, 1),
        (0, 5, 1, False, 0),
        (1, 0, 2, False, 1),
        (2, 5, 1, True, 0),
        (4, 2, 1, True, 3),
        (3, 3, 1, True, 0),
        (3, 3, 1, False, 1),
    ],
)
def test_acg_4_13_4_home_maximum_follows_appeal_and_demand(appeal, demand, patrons, needs_sale, limit):
    # also ACG-10.7, ACG-10.9, ACG-7.1.1
    b = set_up(
        player(food=factory(appeal=appeal), clothes=factory()),
        player(),
        demand={"food": at(demand)},
        options={"patron_needs_sale": needs_sale},
    )
    assert production.most_at_home(b, own(b), patrons) == limit


def test_acg_7_1_1_a_patron_that_needs_a_sale():
    ruled = {"patron_needs_sale": True}
    fields = {"cards": "patron_clothes_food extra_shift", "dealt": "patron_clothes_food extra_shift"}
    for appeal in (1, 2):
        b = selling(appeal=appeal, demand=2, options=ruled, **fields)
        assert refusal(b, RED, moves.UsePatron("patron_clothes_food")) == ("ACG-7.1.1", "patron_needs_sale")
    assert moves.UsePatron("patron_clothes_food") in legal(selling(appeal=1, demand=2, **fields))
    assert moves.UsePatron("patron_clothes_food") in legal(selling(appeal=3, demand=2, options=ruled, **fields))


def test_acg_7_1_1_sale_begins_when_patrons_have_no_goods():
    fields = {"demand": 2, "cards": "patron_clothes_food", "dealt": "patron_clothes_food"}
    assert selling(appeal=1, options={"patron_needs_sale": True}, **fields).stage == "ship"
    assert selling(appeal=1, **fields).stage == "produce"


def test_acg_4_13_5_what_was_made_must_be_sold():
    effects = effects_of(appeal=4, slot=1)
    assert only(effects, moves.SoldHome) == [moves.SoldHome("ACG-4.13.7", RED, "food", 3, 0, 5, 15)]


def test_acg_4_13_6_and_acg_4_20_15_stored_goods_by_choice():
    b = selling(appeal=7, stored={"SA": 2})
    assert (b.stage, legal(b)) == ("sell", [moves.SellHome(2), moves.SellHome(1), moves.SellHome(0)])
    assert refusal(b, RED, moves.SellHome(3)) == refusal(b, RED, moves.SellHome(-1)) == ("ACG-4.13.6", "no_stock")
    done, effects = play(b, (RED, moves.SellHome(0)))
    assert effects[0] == moves.StoreKept("ACG-4.13.6", RED, "food", 2)
    done, effects = play(b, (RED, moves.SellHome(2)))
    assert effects[0] == moves.SoldHome("ACG-4.13.7", RED, "food", 0, 2, 8, 16)
    assert own(done).goods_stored == 0
    b = selling(appeal=6, stored={"SA": 2})
    assert refusal(b, RED, moves.SellHome(2)) == ("ACG-4.13.6", "no_stock")
    assert selling(appeal=5, stored={"SA": 2}).stage != "sell"


def test_acg_4_13_6_no_more_stored_goods_than_the_market_takes():
    b = selling(appeal=6, stored={"SA": 2})
    assert legal(b) == [moves.SellHome(1), moves.SellHome(0)]
    rule, reason = ARKWRIGHT_CARD.first_refusal(b, RED, moves.SellHome(2))
    assert (rule, str(reason)) == ("ACG-4.13.6", "the home market takes 1 more")
    assert effects_after(b, (RED, moves.SellHome(0)))[0] == moves.StoreKept("ACG-4.13.6", RED, "food", 1)


def test_acg_4_13_7_stored_goods_count_among_home_sales():
    b = selling(player(**IDLE), appeal=7, stored={"SA": 2})
    b, effects = play(b, (RED, moves.SellHome(2)))
    assert b.players[RED].money == 50 + 4 * 8 + 2 * 8 - 11
    assert only(effects, moves.ShareValueRaised) == [moves.ShareValueRaised("ACG-4.15.1", RED, 6, 1, 11)]


def test_acg_4_13_7_and_acg_10_8_income_is_added_at_once():
    lamps = factory(side=2, slot=4, workers="2", distribution=("DA", 4), appeal=4)
    b = set_up(
        player(lamps=lamps, food=factory()), player(), round=4, stage="development", mover=1, demand={"lamps": at(2)}
    )
    assert factories.goods_price(b, "lamps", lamps) == 14
    effects = effects_after(b, (BLUE, moves.SkipDevelopment()))
    assert only(effects, moves.SoldHome) == [moves.SoldHome("ACG-4.13.7", RED, "lamps", 2, 0, 14, 28)]


# --- b: ships and storehouses ---


def test_acg_4_13_8_only_goods_unsold_at_home_are_shipped():
    b = selling(appeal=3)
    assert (b.stage, max(d.count for d in legal(b, moves.Ship))) == ("ship", 2)
    assert refusal(b, RED, moves.Ship(3)) == ("ACG-4.13.9", "not_shippable")
    assert refusal(b, RED, moves.Ship(-1)) == ("ACG-4.13.9", "not_shippable")
    b = after(selling(appeal=7, stored={"SA": 2, "SB": 2}), (RED, moves.SellHome(1)))
    assert max(d.count for d in legal(b, moves.Ship)) == 2  # one more could have been sold
    assert refusal(b, RED, moves.Ship(3)) == ("ACG-4.13.9", "not_shippable")


def test_acg_4_13_9_single_unsold_good_can_be_shipped():
    b = selling(appeal=4)
    assert (b.stage, legal(b), b.players[RED].money) == ("ship", [moves.Ship(1), moves.Ship(0)], 50 + 3 * 8)


def test_acg_4_13_10_fresh_goods_are_shipped_before_stored_ones():
    """Two are made, and two lie in a storehouse."""
    b = selling(workers="", stored={"SA": 2})
    assert own(after(b, (RED, moves.Ship(3)), (RED, moves.EndProduction()))).storehouses == {"SA": 1}
    assert own(after(b, (RED, moves.Ship(4)))).storehouses == {}


def test_acg_4_13_10_ships_carry_what_their_level_says():
    # also ACG-4.20.16
    b = selling(workers="1 1", ships=1, slot=1)
    assert [d.count for d in legal(b, moves.Ship)] == [2, 1, 0]
    assert refusal(b, RED, moves.Ship(3)) == ("ACG-4.13.10", "ship_capacity")
    b, effects = play(b, (RED, moves.Ship(1)))
    assert only(effects, moves.Shipped) == [moves.Shipped("ACG-4.13.10", RED, {"food": 1}, {"food": 5}, 1, 1, 0, 5)]
    assert (b.players[RED].ships, b.players[RED].shipping_tokens, b.players[RED].money) == (0, 1, 55)
    assert [d.count for d in legal(selling(workers="1 1", levels={"ship": 2}), moves.Ship)] == [6, 5, 4, 3, 2, 1, 0]
    assert selling(ships=0).stage == "store"


def test_acg_4_13_10_nothing_may_be_shipped_fresh_goods_first():
    b, effects = play(selling(appeal=0), (RED, moves.Ship(0)))
    assert effects == [moves.ShipsKept("ACG-4.13.10", RED, "food", 4)]
    b = after(selling(appeal=0, stored={"SA": 2}), (RED, moves.Ship(3)))
    assert (b.production.left, own(b).goods_stored) == (1, 2)


@pytest.mark.parametrize(
    ("count", "pays"), [(1, 2), (2, 4), (3, 6), (4, 8), (5, 9), (6, 10), (7, 11), (8, 12), (9, 12)]
)
def test_acg_4_12_13_and_acg_2_7_7_the_contract(count, pays):
    b = selling(cards="contract", dealt="contract", workers="1 1", stored={"SA": 2, "SB": 2}, levels={"ship": 2})
    assert b.printed.cards_contract_pays[min(count, 8) - 1] == pays
    if count <= 8:
        [shipped] = only(effects_after(b, (RED, moves.Ship(count))), moves.Shipped)
        assert (shipped.contract, shipped.amount) == (pays, 5 * count + pays)


def test_acg_4_13_11_places_for_shipping_tokens():
    b = selling(shipping_tokens=8)
    assert [d.count for d in legal(b)] == [2, 1, 0]
    assert refusal(b, RED, moves.Ship(3)) == ("ACG-4.13.11", "token_limit")
    b = selling(shipping_tokens=8, cards="customs_office", dealt="customs_office")
    assert legal(b) == [
        moves.Ship(4, True),
        moves.Ship(3, True),
        moves.Ship(2),
        moves.Ship(2, True),
        moves.Ship(1),
        moves.Ship(1, True),
        moves.Ship(0),
    ]
    assert selling(shipping_tokens=9).stage == "store"


def test_acg_4_12_3_the_customs_office_saves_a_token():
    b = selling(cards="customs_office", dealt="customs_office")
    b, effects = play(b, (RED, moves.Ship(3, True)))
    assert effects[0] == moves.CardRotated("ACG-4.12.3", RED, "customs_office")
    assert effects[1].tokens == 1
    assert b.players[RED].shipping_tokens == 1
    b = selling(cards="customs_office", dealt="customs_office")
    assert refusal(b, RED, moves.Ship(0, True)) == ("ACG-4.12.3", "nothing_done")
    assert refusal(selling(), RED, moves.Ship(1, True)) == ("ACG-4.12.3", "card_not_available")
    b = selling(cards="customs_office", rotated="customs_office", dealt="customs_office")
    assert refusal(b, RED, moves.Ship(1, True)) == ("ACG-4.12.3", "card_rotated")


def test_acg_4_13_12_rest_is_stored_or_wasted():
    # also ACG-4.20.17
    b = selling(ships=0)
    assert legal_types(b) == {moves.AssignStorehouse, moves.EndProduction}
    done, effects = play(b, *red(moves.AssignStorehouse("SA"), moves.EndProduction()))
    assert own(done).storehouses == {"SA": 2}
    assert only(effects, moves.GoodsStored, moves.GoodsWasted) == [
        moves.GoodsStored("ACG-4.13.13", RED, "food", {"SA": 2}, 2),
        moves.GoodsWasted("ACG-4.13.12", RED, "food", 2),
    ]
    effects = effects_after(b, (RED, moves.EndProduction()))
    assert only(effects, moves.GoodsWasted) == [moves.GoodsWasted("ACG-4.13.12", RED, "food", 4)]


@pytest.mark.parametrize(
    ("present", "goods", "stored"),
    [
        ("SA SB SC", 0, {}),
        ("SA SB SC", 1, {"SA": 1}),
        ("SA SB SC", 2, {"SA": 2}),
        ("SB SC", 2, {"SB": 2}),
        ("SA SB SC", 3, {"SC": 3}),
        ("SA SB", 3, {"SA": 2, "SB": 1}),
        ("SA SB SC", 4, {"SC": 4}),
        ("SA SB SC", 5, {"SC": 4, "SA": 1}),
        ("SA SB SC", 8, {"SC": 4, "SA": 2, "SB": 2}),
        ("SA SB SC", 9, {"SC": 4, "SA": 2, "SB": 2}),
        ("", 3, {}),
    ],
)
def test_acg_4_13_13_the_smallest_storehouses_that_hold_all(present, goods, stored):
    f = factory(stored=dict.fromkeys(present.split(), 0))
    b = set_up(player(), player())
    room = sum(b.printed.storehouses[card] for card in present.split())
    assert factories.put_in_storehouses(b, f, goods) == max(0, goods - room)
    assert f.storehouses == stored


def test_acg_4_13_14_storehouse_comes_from_reserve_or_factory():
    b = selling(ships=0, clothes=factory(stored={"SA": 2}))
    assert set(legal(b, moves.AssignStorehouse)) == {moves.AssignStorehouse("SA"), moves.AssignStorehouse("SB")}
    assert refusal(b, RED, moves.AssignStorehouse("SC")) == ("ACG-4.13.14", "card_not_available")
    assert refusal(b, RED, moves.AssignStorehouse("?")) == ("ACG-4.13.14", "card_not_available")
    b, effects = play(b, (RED, moves.AssignStorehouse("SA")))
    assert effects == [
        moves.StorehouseAssigned("ACG-4.13.14", RED, "food", "SA", "clothes"),
        moves.GoodsWasted("ACG-4.13.14", RED, "clothes", 2),
    ]
    assert refusal(b, RED, moves.AssignStorehouse("SA")) == ("ACG-4.13.14", "already_done")
    b, effects = play(b, (RED, moves.AssignStorehouse("SB")))
    assert only(effects, moves.GoodsStored) == [moves.GoodsStored("ACG-4.13.13", RED, "food", {"SA": 2, "SB": 2}, 4)]
    assert own(b, "clothes").storehouses == {}


def test_acg_4_13_14_small_storehouse_may_replace_the_big_one():
    b = selling(cards="big_storehouse", stored={"SC": 2}, ships=0, workers="", appeal=3)
    b = after(b, *red(moves.AssignStorehouse("SA"), moves.EndProduction()))
    assert own(b).storehouses == {"SA": 2}


def test_acg_4_13_14_a_storehouse_that_lies_there_is_not_added():
    b = selling(ships=0, appeal=3, stored={"SA": 2})
    assert (b.stage, legal(b, moves.AssignStorehouse)) == ("store", [moves.AssignStorehouse("SB")])
    assert refusal(b, RED, moves.AssignStorehouse("SA")) == ("ACG-4.13.14", "already_done")


def test_acg_4_13_13_all_storehouses_there_packs_goods_at_once():
    effects = effects_of(ships=0, stored={"SA": 2, "SB": 2})
    assert only(effects, moves.GoodsStored, moves.GoodsWasted) == [
        moves.GoodsStored("ACG-4.13.13", RED, "food", {"SA": 2, "SB": 2}, 4),
        moves.GoodsWasted("ACG-4.13.12", RED, "food", 4),
    ]
    assert only(effects, moves.CostPaid) != []


def test_acg_4_13_15_storing_earns_nothing_and_holds_one_kind():
    effects = effects_after(selling(ships=0), *red(moves.AssignStorehouse("SA"), moves.EndProduction()))
    assert only(effects, moves.SoldHome, moves.Shipped) == []
    money = selling(ships=0).players[RED].money
    b, effects = play(selling(ships=0), *red(moves.AssignStorehouse("SA"), moves.EndProduction()))
    [paid] = only(effects, moves.CostPaid)
    assert b.players[RED].money == money - paid.amount
    assert b.players[RED].where("SA") == "food"


def test_acg_4_13_15_storehouse_is_emptied_before_another_kind():
    """Three clothes are stored in two storehouses; the food factory takes over one of them."""
    b = selling(ships=0, clothes=factory(stored={"SA": 2, "SB": 1}))
    b, effects = play(b, *red(moves.AssignStorehouse("SB"), moves.EndProduction()))
    assert only(effects, moves.GoodsWasted) == [
        moves.GoodsWasted("ACG-4.13.14", RED, "clothes", 1),
        moves.GoodsWasted("ACG-4.13.12", RED, "food", 2),
    ]
    assert (own(b).storehouses, own(b, "clothes").storehouses) == ({"SB": 2}, {"SA": 2})
    b.players[RED].factory("clothes").storehouses = {"SB": 1, "SA": 2}
    assert "ACG-8.7" in broken(b)


# --- c: costs ---


def test_acg_4_13_16_and_acg_4_20_18_costs_follow_by_themselves():
    effects = effects_of(appeal=5)
    assert only(effects, moves.CostPaid) == [moves.CostPaid("ACG-4.13.16", RED, "food", 4, 2, 0, 0, 0, 3, 11)]


# --- ACG-4.14: the emergency fund and bankruptcy ---


@pytest.mark.parametrize(
    ("money", "value", "tokens", "left"), [(11, 10, 0, 0), (11, 0, 0, 0), (10, 10, 1, 4), (0, 10, 3, 4), (0, 7, 3, 1)]
)
def test_acg_4_14_1_not_one_token_more_than_needed(money, value, tokens, left):
    # also ACG-4.14.2
    b, effects = play(selling(ships=0, money=money, share_value=value), (RED, moves.EndProduction()))
    assert (b.players[RED].loans, b.players[RED].money) == (tokens, left)
    half = (value + 1) // 2
    assert only(effects, moves.EmergencyHelped) == (
        [moves.EmergencyHelped("ACG-4.14.1", RED, tokens, half, tokens * half, tokens)] if tokens else []
    )


def test_acg_4_14_3_and_acg_8_13_bankruptcy_moves_no_demand():
    others = (player(**IDLE), player(**IDLE))
    b = selling(
        *others,
        ships=0,
        money=3,
        share_value=2,
        loans=3,
        cards="workshop entrepreneur",
        stored={"SA": 1},
        quality={"QA": (1, PRICE)},
    )
    b, effects = play(b, (RED, moves.EndProduction()))
    p = b.players[RED]
    assert only(effects, moves.EmergencyHelped) == [moves.EmergencyHelped("ACG-4.14.1", RED, 6, 1, 6, 9)]
    assert only(effects, moves.WentBankrupt) == [moves.WentBankrupt("ACG-4.14.3", RED, 11, 9)]
    assert (p.bankrupt, p.money, p.cards, list(p.open())) == (True, 0, [], [])
    assert (b.supply["workshop"], b.supply["entrepreneur"]) == (2, 1)
    assert only(effects, moves.DemandMoved) == []
    assert (b.start, b.mover) == (BLUE, BLUE)  # the start player card has passed on
    assert refusal(b, RED, moves.SkipDevelopment()) == ("ACG-4.14.3", "player_out")
    assert ARKWRIGHT_CARD.legal(b, RED) == []


def test_acg_4_14_4_bankrupt_player_is_ignored_in_steps_d_and_e():
    rival = player(food=factory(appeal=3, distribution=("DA", 1)), clothes=factory())
    poor = player(money=0, share_value=0, loans=9, food=factory(appeal=9, slot=1, office=APPEAL), clothes=factory())
    b = set_up(poor, rival, player(**IDLE), stage="development", mover=2, wages=16, demand={"food": at(1)})
    effects = effects_after(b, (GREEN, moves.SkipDevelopment()), (BLUE, moves.Ship(0)), (BLUE, moves.EndProduction()))
    assert only(effects, moves.WentBankrupt)[0].seat == RED
    assert [e.seat for e in only(effects, moves.ShareValueRaised)] == [BLUE]
    assert [e.seat for e in only(effects, moves.TopPointWon)] == [BLUE]
    assert [e.seat for e in only(effects, moves.DistributionDecayed)] == [BLUE]


def test_acg_4_14_5_the_last_one_left_wins():
    poor = player(money=0, share_value=1, loans=9, **{"food": factory(), "clothes": factory()})
    b = set_up(poor, player(**IDLE), stage="development", mover=1)
    b = after(b, (BLUE, moves.SkipDevelopment()), (RED, moves.Ship(0)), (RED, moves.EndProduction()))
    outcome = ARKWRIGHT_CARD.scoring.outcome(b)
    assert outcome.ranks == (2, 1)
    assert (outcome.rule, outcome.reason.key) == ("ACG-4.14.5", "one_left")


def test_acg_4_14_5_nobody_is_left_and_nobody_wins():
    poor = player(money=0, share_value=1, loans=9)
    b = set_up(poor, poor, stage="development", mover=1)
    b = after(
        b,
        (BLUE, moves.SkipDevelopment()),
        (RED, moves.Ship(0)),
        (RED, moves.EndProduction()),
        (BLUE, moves.Ship(0)),
        (BLUE, moves.EndProduction()),
    )
    outcome = ARKWRIGHT_CARD.scoring.outcome(b)
    assert (outcome.reason.key, outcome.ranks) == ("all_bankrupt", (1, 1))
    assert [score.total for score in ARKWRIGHT_CARD.scoring.standing(b)] == [0, 0]


# --- d: share value ---


def run_production(*appeals: int, demand: int = 1, **fields) -> tuple[Board, list]:
    """After production by players with food factories of these appeals, none of which has a ship; and its end."""
    players = [
        player(food=factory(appeal=appeal, slot=1), clothes=factory(), ships=0, **fields.pop(f"of_{seat}", {}))
        for seat, appeal in enumerate(appeals)
    ]
    b = set_up(*players, stage="development", mover=len(players) - 1, demand={"food": at(demand)}, **fields)
    b, effects = play(b, (b.moving, moves.SkipDevelopment()))
    while b.stage == "store":
        b, effects = play(b, (b.moving, moves.EndProduction()))
    return b, effects


def test_acg_4_15_1_two_goods_sold_at_home_raise_the_share_value():
    b, effects = run_production(3, 2, 0)
    assert only(effects, moves.ShareValueRaised) == [moves.ShareValueRaised("ACG-4.15.1", RED, 2, 1, 11)]
    assert [p.share_value for p in b.players] == [12, 10, 10]
    effects = effects_after(selling(player(**IDLE), appeal=0), *red(moves.Ship(4)))
    assert only(effects, moves.ShareValueRaised) == []


def test_acg_4_15_1_the_track_ends():
    _, effects = run_production(3, 0, 0, of_0={"share_value": 30})
    assert only(effects, moves.ShareValueRaised) == [moves.ShareValueRaised("ACG-4.15.1", RED, 2, 0, 30)]
    assert only(effects, moves.TopPointWon) == [moves.TopPointWon("ACG-4.15.2", RED, 3, 0, 30)]


def test_acg_4_15_2_the_highest_appeal_of_those_brings_one_more():
    b, effects = run_production(3, 4, 0)
    assert only(effects, moves.TopPointWon) == [moves.TopPointWon("ACG-4.15.2", BLUE, 4, 1, 12)]
    assert [p.share_value for p in b.players] == [11, 12, 10]


def test_acg_4_15_3_a_tie_brings_nobody_the_point():
    b, effects = run_production(3, 3, 0)
    assert only(effects, moves.TopPointLost) == [moves.TopPointLost("ACG-4.15.3", "food", (RED, BLUE), False)]
    assert [p.share_value for p in b.players] == [11, 11, 10]


def test_acg_4_12_1_entrepreneur_breaks_a_tie():
    # also ACG-4.20.19
    b, _ = run_production(3, 3, 0, of_1={"cards": "entrepreneur"})
    assert (b.stage, b.mover) == ("top_point", BLUE)
    assert legal_types(b) == {moves.UseEntrepreneur, moves.DeclineEntrepreneur}
    done, effects = play(b, (BLUE, moves.UseEntrepreneur()))
    assert effects[:2] == [
        moves.CardRotated("ACG-4.12.1", BLUE, "entrepreneur"),
        moves.TopPointWon("ACG-4.12.1", BLUE, 3, 1, 12),
    ]
    assert (done.players[BLUE].rotated, done.stage) == (["entrepreneur"], "round_end")
    done, effects = play(b, (BLUE, moves.DeclineEntrepreneur()))
    assert effects[0] == moves.TopPointLost("ACG-4.15.3", "food", (RED, BLUE), False)
    assert done.stage == "round_end"
    assert refusal(b, BLUE, moves.TakeTopPoint()) == ("ACG-7.1.2", "option_off")


def test_acg_4_12_1_not_when_used_or_when_the_owner_is_not_tied():
    b, _ = run_production(3, 3, 0, of_1={"cards": "entrepreneur", "rotated": "entrepreneur"})
    assert b.stage == "round_end"
    b, _ = run_production(3, 3, 0, of_2={"cards": "entrepreneur"})
    assert b.stage == "round_end"
    b, _ = run_production(1, 1, 0, of_1={"cards": "entrepreneur"})
    assert b.stage == "round_end"


def test_acg_4_15_4_the_third_player_of_two_takes_part():
    neutral = {"food": 5, "clothes": 3, "cutlery": 2, "lamps": 2}
    for appeals, tied in (((4, 0), ()), ((5, 0), (RED,)), ((5, 5), (RED, BLUE))):
        _, effects = run_production(*appeals, neutral=neutral)
        assert only(effects, moves.TopPointLost) == [moves.TopPointLost("ACG-4.15.4", "food", tied, True)]
    _, effects = run_production(6, 0, neutral=neutral)
    assert [e.seat for e in only(effects, moves.TopPointWon)] == [RED]
    b, _ = run_production(5, 0, neutral=neutral, of_0={"cards": "entrepreneur"})
    assert (b.stage, b.mover) == ("top_point", RED)
    b, _ = run_production(4, 0, neutral=neutral, of_0={"cards": "entrepreneur"})
    assert b.stage == "round_end"


@pytest.mark.parametrize(("marker", "won", "blocked"), [(2, [RED], []), (3, [], [()])])
def test_acg_4_15_4_seller_of_one_good_does_not_block(marker, won, blocked):
    """A Patron lifts seat 0 from one sale to two, so that its appeal is as low as a neutral marker of one sale."""
    rest = {"clothes": 3, "cutlery": 2, "lamps": 2}
    p = player(food=factory(appeal=2, slot=1), clothes=factory(), cards="patron_clothes_food", ships=0)
    b = set_up(
        p,
        player(**IDLE),
        stage="development",
        mover=BLUE,
        demand={"food": at(1)},
        dealt="patron_clothes_food",
        neutral={"food": marker} | rest,
    )
    b, effects = play(
        b, (BLUE, moves.SkipDevelopment()), *red(moves.UsePatron("patron_clothes_food"), moves.EndProduction())
    )
    assert [e.sold for e in only(effects, moves.ShareValueRaised)] == [2]
    assert [e.seat for e in only(effects, moves.TopPointWon)] == won
    assert [e.tied for e in only(effects, moves.TopPointLost)] == blocked
    assert b.players[RED].share_value == 11 + len(won)


def test_acg_7_1_2_leader_may_decline_where_the_table_rules_so():
    b, _ = run_production(3, 4, 0, options={"top_point_optional": True})
    assert (b.stage, b.mover, legal_types(b)) == ("top_point", BLUE, {moves.TakeTopPoint, moves.DeclineTopPoint})
    assert refusal(b, BLUE, moves.UseEntrepreneur()) == ("ACG-4.15.3", "wrong_step")
    done, effects = play(b, (BLUE, moves.TakeTopPoint()))
    assert effects[0] == moves.TopPointWon("ACG-7.1.2", BLUE, 4, 1, 12)
    assert (done.phase, done.round) == ("action", 2)
    done, effects = play(b, (BLUE, moves.DeclineTopPoint()))
    assert effects[0] == moves.TopPointDeclined("ACG-7.1.2", BLUE)
    assert (done.phase, done.round) == ("action", 2)
    b, _ = run_production(3, 3, 0, options={"top_point_optional": True}, of_1={"cards": "entrepreneur"})
    assert legal_types(b) == {moves.UseEntrepreneur, moves.DeclineEntrepreneur}
    assert refusal(b, BLUE, moves.TakeTopPoint()) == ("ACG-4.15.2", "wrong_step")


# --- e: decay ---


def test_acg_4_16_1_distribution_decays_where_goods_were_made():
    # also ACG-4.16.2, ACG-4.20.20
    fields = {"appeal": 3, "distribution": ("DA", 2), "clothes": factory(distribution=("DB", 2))}
    b, effects = play(selling(ships=0, **fields), (RED, moves.EndProduction()))
    assert only(effects, moves.DistributionDecayed) == [moves.DistributionDecayed("ACG-4.16.1", RED, "food", "DA", 1)]
    assert (own(b).distribution_value, own(b, "clothes").distribution_value, own(b).appeal) == (1, 2, 3)
    b = after(selling(ships=0, cards="patent", distribution=("DP", 1)), (RED, moves.EndProduction()))
    assert own(b).distribution is None and b.players[RED].cards == ["patent"]


def test_acg_4_12_2_after_production_the_entrepreneur_may_leave():
    b, _ = run_production(3, 4, 0, of_0={"cards": "entrepreneur"})
    assert moves.DiscardEntrepreneur(GREEN) in legal(b)


def test_every_choice_of_storehouses_is_tried_once():
    assert len(list(factories.choices(["SC", "SA", "SB"]))) == 2**3
    assert [len(cards) for cards in factories.choices(["SC", "SA"])] == [0, 1, 1, 2]
