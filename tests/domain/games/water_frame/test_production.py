"""WF-4.3, WF-4.16 to WF-4.19: a cycle from its economy marker to the contracts."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import people, production
from daybook.domain.games.water_frame.moves import (
    CallOutEnded,
    CloseRow,
    ContractFulfilled,
    ContractKept,
    ContractRaised,
    DemandCounted,
    DistributionDecayed,
    Done,
    ExtraGoodMade,
    ExtraShift,
    FactoryProduced,
    GoodsTaken,
    Keep,
    OfficePaid,
    Paid,
    PatronSale,
    PatronSold,
    PriceFallen,
    RevealEconomy,
    RowClosed,
    SalesPaid,
    SaleStopped,
    SellStored,
    ShareValueMoved,
    ShipContract,
    Stop,
    TileReturned,
    WagesReckoned,
)
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    DONE,
    after,
    after_production,
    cycle_ended,
    legal,
    plant,
    play,
    player,
    predetermined_board,
    refusal,
    set_up,
    to_act,
)


def goods_sold(effects):
    """Goods sold in the call-out, by seat and by the importer."""
    (ended,) = only(effects, CallOutEnded)
    return [*ended.sold, ended.importer]


def moves(effects, seat=0):
    """The share value moves of a seat: spaces and cause."""
    return [(e.spaces, e.cause) for e in only(effects, ShareValueMoved) if e.seat == seat]


# --- the economy phase ---


def test_wf_4_3_1_every_marker_of_a_good_once():
    b = set_up(
        stage="economy",
        decade=1780,
        economy={"food": ["1/3"], "clothes": ["0/1"], "cutlery": ["0/1"], "lamps": ["0/1"]},
    )
    assert len(legal(b, TABLE)) == 8
    assert refusal(b, TABLE, RevealEconomy(1, 3)) == ("WF-4.3.1", "marker_gone")
    assert refusal(b, TABLE, RevealEconomy(0, 1)) is None
    assert refusal(b, TABLE, RevealEconomy(3, 1)) == ("WF-4.3.1", "marker_gone")


def test_wf_4_3_1_some_games_have_no_markers_with_three_workers():
    assert len(legal(predetermined_board(3), TABLE)) == 6
    assert refusal(predetermined_board(3), TABLE, RevealEconomy(1, 3)) == ("WF-4.3.1", "marker_gone")


def test_wf_4_3_2_only_the_importer_of_the_active_good_advances():
    b = after(set_up(stage="economy", cycle=3, fired=5), (TABLE, RevealEconomy(2, 1)))
    assert b.importers == {"food": 0, "clothes": 0, "cutlery": 2, "lamps": 0}


def test_wf_4_3_3_a_shortfall_of_workers_is_lost():
    b, effects = play(set_up(stage="economy", fired=2, empty=40), (TABLE, RevealEconomy(0, 3)))
    assert (b.fired, b.empty, effects[0].returned) == (0, 38, 2)


# --- output ---


def test_wf_9_33_output_and_appeal():
    b = set_up(player(clothes=plant(price=7, distribution=2)), cycle=2)
    assert (production.output(b, 0, "clothes", 4), b.appeal(0, "clothes")) == (3, 4)


@pytest.mark.parametrize(
    ("level", "rows", "made"),
    [(1, "2 2 2 2", 4), (1, "2 2 1 0", 3), (2, "2 1 2 0", 3), (3, "2 2 2 2", 8), (4, "2 0 0 2", 5)],
)
def test_wf_4_16_1_complete_rows_produce(level, rows, made):
    _, effects = cycle_ended(player(food=plant(level=level, rows=rows)), decade=1810)
    assert only(effects, FactoryProduced) == [FactoryProduced("WF-4.16.1", 0, "food", made)]


def test_wf_4_16_1_machines_complete_a_row():
    b = set_up(player(food=plant(rows="1 1 0 0", machines="1 1 0 0")))
    assert production.output(b, 0, "food", 4) == 3


def test_wf_4_16_2_and_wf_9_34_the_demand_follows_the_job_market():
    for empty in (30, 31, 32):
        b, effects = cycle_ended(player(clothes=plant()), cycle=2, empty=empty)
        assert only(effects, DemandCounted) == [DemandCounted("WF-4.16.2", "clothes", 7, 0)]
        assert people.wage(b) == 2


def test_wf_4_16_3_without_a_factory_no_one_sells_stored_goods():
    _, effects = cycle_ended(player(stored="3 food", slots="1 food"), player(food=plant()), empty=40)
    assert goods_sold(effects) == [0, 2, 0, 0]


# --- the school ---


def test_wf_4_16_4_school_may_close_the_last_row_before_sale():
    given = player(tiles="school", food=plant(rows="2 2 1 0"))
    b = after_production(given, empty=30)
    assert (b.stage, legal(b, 0)) == ("school_first", [CloseRow(), Done()])
    b, effects = play(b, (0, CloseRow()))
    assert only(effects, RowClosed) == [RowClosed("WF-4.16.4", 0, "food", 3, 0)]
    assert sum(e.workers for e in only(effects, WagesReckoned)) == 4
    assert b.stage == "economy"


def test_wf_4_16_4_and_wf_6_31_the_only_row_may_be_closed():
    _, effects = play(after_production(player(tiles="school", food=plant(rows="2 0 0 0")), empty=30), (0, CloseRow()))
    assert (goods_sold(effects), only(effects, WagesReckoned)[0].amount) == ([0, 0, 0, 0], 0)


def test_wf_9_39_school_closes_a_row_after_the_sale():
    # also WF-6.30
    given = player(tiles="school", cutlery=plant(level=2, price=10, rows="2 3 3 0"))
    b = after(after_production(given, cycle=3, decade=1780, empty=30), DONE)
    assert (b.stage, b.sale.sold[0], b.sale.at_hand[0]) == ("school_second", 3, 2)
    b, effects = play(b, (0, CloseRow()))
    assert only(effects, RowClosed) == [RowClosed("WF-4.16.13", 0, "cutlery", 3, 2)]
    assert only(effects, WagesReckoned)[0].workers == 5


def test_wf_4_16_13_not_when_the_goods_of_the_row_are_sold():
    given = player(tiles="school", cutlery=plant(level=2, price=9, rows="2 3 3 0"))
    b, effects = play(after_production(given, cycle=3, decade=1780, empty=30), DONE)
    assert (goods_sold(effects)[0], only(effects, RowClosed), b.stage) == (4, [], "economy")


def test_wf_4_16_13_a_school_that_was_used_is_not_used_again():
    given = player(tiles="school", food=plant(rows="2 2 2 0"))
    assert after(after_production(given, empty=30), (0, CloseRow())).stage == "economy"
    assert after(after_production(given, empty=30), DONE).stage == "school_second"


def test_wf_4_16_13_the_good_of_an_extra_shift_does_not_count():
    """Four are sold of the three that remain when the incomplete row is closed."""
    given = player(tiles="school extra_shifts", food=plant(price=5, quality=1, rows="2 2 1 0"))
    b = after(after_production(given, empty=40), DONE, (0, ExtraShift()))
    assert (b.stage, b.sale.sold[0], b.sale.extra[0]) == ("school_second", 3, 1)
    assert legal(b, 0) == [CloseRow(), Done()]


# --- the call-out ---


def example(empty, lots=False):
    """Marion (seat 0) on 4 with three clothes, Harold (seat 1) on 3 with three or four, the importer on 3."""
    return cycle_ended(
        player(clothes=plant(price=7, distribution=2)),
        player(clothes=plant(price=6, rows="2 2 3 0" if lots else "2 2 0 0")),
        cycle=2,
        empty=empty,
        importers={"food": 0, "clothes": 3, "cutlery": 0, "lamps": 0},
    )


def test_wf_9_35_the_example_of_the_sale():
    _, effects = example(30)
    assert goods_sold(effects) == [3, 2, 0, 2]
    assert [(e.space, e.produced, e.importer) for e in only(effects, GoodsTaken)] == [
        (4, (0,), False),
        (3, (0,), False),
        (3, (1,), False),
        (3, (), True),
        (2, (0,), False),
        (2, (1,), False),
        (2, (), True),
    ]


def test_wf_9_36_income_is_the_price_for_each_good():
    _, effects = example(30)
    assert only(effects, SalesPaid)[0] == SalesPaid("WF-4.16.16", 0, "clothes", 3, 7, 21)


def test_wf_9_53_with_more_demand_the_appeal_is_the_limit():
    _, effects = example(38, lots=True)
    assert only(effects, DemandCounted)[0].demand == 9
    assert goods_sold(effects) == [3, 3, 0, 3]


def test_wf_9_52_a_player_without_goods_is_skipped():
    _, effects = cycle_ended(player(food=plant(price=5, quality=1)), empty=40)
    assert (goods_sold(effects), only(effects, SaleStopped)) == ([3, 0, 0, 0], [])


def test_wf_4_16_9_player_decides_when_production_is_sold_out():
    b = after_production(
        player(stored="2 food", slots="1 food", food=plant(price=5, quality=1, rows="2 0 0 0")), empty=40
    )
    assert (b.stage, legal(b, 0)) == ("call_out", [SellStored(), Stop()])
    b, effects = play(b, (0, SellStored()))
    assert (b.stage, only(effects, GoodsTaken)[0].stored) == ("call_out", (0,))
    b, effects = play(b, (0, Stop()))
    assert only(effects, SaleStopped) == [SaleStopped("WF-4.16.9", 0)]
    assert (goods_sold(effects), b.players[0].stored["food"]) == ([2, 0, 0, 0], 1)


def test_wf_4_16_9_only_stored_goods_of_the_active_kind():
    b = after_production(player(stored="2 lamps", slots="1 lamps", food=plant(price=5, rows="2 0 0 0")), empty=40)
    assert b.stage == "economy"


def test_wf_4_16_10_extra_shifts_at_the_first_call_only():
    given = player(stored="2 food", slots="1 food", tiles="extra_shifts", food=plant(price=5, rows="2 0 0 0"))
    b = after_production(given, empty=40)
    assert legal(b, 0) == [SellStored(), ExtraShift(), Stop()]
    later = after(b, (0, SellStored()))
    assert refusal(later, 0, ExtraShift()) == ("WF-4.16.10", "too_late")
    b, effects = play(b, (0, ExtraShift()))
    assert only(effects, TileReturned, ExtraGoodMade) == [
        TileReturned("WF-4.15.9", 0, "extra_shifts"),
        ExtraGoodMade("WF-4.16.10", 0, "food", 1, True),
    ]
    assert legal(b, 0) == [SellStored(), Stop()]
    b, effects = play(b, (0, SellStored()))
    assert goods_sold(effects) == [3, 0, 0, 0]


def test_wf_4_16_10_without_stored_goods_the_owner_is_asked_once():
    b = after_production(player(tiles="extra_shifts", food=plant(price=5, rows="2 0 0 0")), empty=40)
    assert legal(b, 0) == [ExtraShift(), Stop()]
    assert refusal(b, 0, SellStored()) == ("WF-4.16.9", "nothing_stored")
    b, effects = play(b, (0, ExtraShift()))
    assert (goods_sold(effects), b.stage) == ([2, 0, 0, 0], "economy")


def test_wf_4_16_11_higher_quality_comes_first_at_equal_appeal():
    _, effects = cycle_ended(
        player(food=plant(price=6)),
        player(food=plant(price=7, quality=1)),
        empty=17,
        importers={"food": 2, "clothes": 0, "cutlery": 0, "lamps": 0},
    )
    assert [e.produced for e in only(effects, GoodsTaken)] == [(1,), (0,), (), (1,), (0,)]


def test_wf_4_16_12_and_wf_6_57_equals_are_asked_in_player_order():
    both = {"stored": "2 food", "slots": "1 food"}
    b = after_production(
        player(food=plant(price=5, rows="2 0 0 0"), **both),
        player(food=plant(price=5, rows="2 0 0 0"), **both),
        empty=12,
    )
    assert (b.decider, b.sale.call.demand) == (0, 1)
    b = after(b, (0, SellStored()))
    assert b.decider == 1
    b, effects = play(b, (1, SellStored()))
    (taken,) = only(effects, GoodsTaken)
    assert (taken.stored, taken.demand, taken.beyond) == ((0, 1), 0, 1)


def test_wf_6_46_demand_above_supply_needs_nothing_special():
    _, effects = cycle_ended(player(food=plant(price=6)), player(food=plant(price=5)), empty=60)
    assert goods_sold(effects)[:2] == [2, 3]


def test_wf_6_20_the_call_out_starts_with_an_importer_that_leads():
    _, effects = cycle_ended(
        player(food=plant()), empty=8, importers={"food": 4, "clothes": 0, "cutlery": 0, "lamps": 0}
    )
    assert [(e.space, e.importer) for e in only(effects, GoodsTaken)] == [(4, True), (3, True)]


@pytest.mark.parametrize(("sells_on", "importer"), [(True, 4), (False, 2)])
def test_wf_6_49_the_importer_sells_on_or_not(sells_on, importer):
    _, effects = cycle_ended(
        player(food=plant(price=5, rows="2 0 0 0")),
        empty=60,
        numbers={"rulings.importer_sells_on": sells_on},
        importers={"food": 4, "clothes": 0, "cutlery": 0, "lamps": 0},
    )
    assert goods_sold(effects)[-1] == importer


# --- extra shifts and patron after the call-out ---


def test_wf_4_16_14_and_wf_6_17_extra_shifts_after_the_sale():
    """Also when he declined in the call-out."""
    b = after_production(player(tiles="extra_shifts", slots="1 food", food=plant(price=5, rows="2 0 0 0")), empty=40)
    b = after(b, (0, Stop()))
    assert (b.stage, legal(b, 0)) == ("extra_shifts", [ExtraShift(), Done()])
    made, effects = play(b, (0, ExtraShift()))
    assert only(effects, ExtraGoodMade) == [ExtraGoodMade("WF-4.16.14", 0, "food", 1, False)]
    assert made.players[0].stored["food"] == 1
    assert after(b, DONE).players[0].owns("extra_shifts")


def test_wf_4_16_14_needs_a_factory_of_the_good():
    """WF-4.15.9."""
    assert after_production(player(tiles="extra_shifts", lamps=plant())).stage == "economy"


def test_wf_4_16_15_a_patron_buys_one_good():
    given = player(tiles="patron_food", stored="1 food", slots="1 food", food=plant(price=7))
    b = after_production(given, empty=40)
    assert (b.stage, legal(b, 0)) == ("patron", [PatronSale("production"), PatronSale("storage"), Done()])
    b, effects = play(b, (0, PatronSale("storage")))
    assert only(effects, PatronSold) == [PatronSold("WF-4.16.15", 0, "food", "storage")]
    assert only(effects, SalesPaid)[0].count == 2
    assert (2, "sales") in moves(effects)


def test_wf_4_16_15_neither_demand_nor_appeal_limits_the_patron():
    b, effects = play(
        after_production(player(tiles="patron_food", food=plant(price=8)), empty=8), (0, PatronSale("production"))
    )
    assert only(effects, SalesPaid) == [SalesPaid("WF-4.16.16", 0, "food", 1, 8, 8)]
    assert (b.players[0].tally.income, b.players[0].tally.goods["food"]) == (8, 1)


def test_wf_4_16_15_needs_goods_and_a_factory():
    assert after_production(player(tiles="patron_food", food=plant(price=5)), empty=60).stage == "economy"
    assert after_production(player(tiles="patron_food", stored="1 food", slots="1 food")).stage == "economy"
    b = after_production(player(tiles="patron_food", food=plant(price=7)), empty=60)
    assert refusal(b, 0, PatronSale("storage")) == ("WF-4.16.15", "nothing_stored")
    b = after_production(player(tiles="patron_food", stored="1 food", slots="1 food", food=plant(price=5)), empty=60)
    assert refusal(b, 0, PatronSale("production")) == ("WF-4.16.15", "all_sold")


def test_wf_6_21_a_patron_buys_also_after_stop():
    given = player(tiles="patron_food", stored="1 food", slots="1 food", food=plant(price=5, rows="2 0 0 0"))
    b = after(after_production(given, empty=40), (0, Stop()))
    assert b.stage == "patron"


def test_wf_4_0_5_unsold_goods_are_kept_until_stored():
    # also WF-4.16.17
    given = player(contracts="2 food", ships="2", food=plant(price=7))
    b = after_production(given, empty=40)
    assert (b.stage, b.sale.at_hand[0], b.players[0].stored["food"]) == ("shipping", 2, 0)


def test_wf_4_16_18_each_player_takes_all_windows_in_turn():
    tiles = "school extra_shifts patron_food"
    b = after_production(
        player(tiles=tiles, food=plant(price=7)), player(tiles="school extra_shifts", food=plant(price=7)), empty=40
    )
    seen = []
    while b.stage != "economy":
        seen.append((b.stage, b.decider))
        b = after(b, (b.decider, Done()))
    assert seen == [
        ("school_first", 0),
        ("school_first", 1),
        ("school_second", 0),
        ("extra_shifts", 0),
        ("patron", 0),
        ("school_second", 1),
        ("extra_shifts", 1),
    ]


def test_wf_4_16_18_income_rise_wages_decay_in_this_order():
    _, effects = cycle_ended(player(food=plant(price=6, distribution=1)), player(food=plant(price=6)), empty=40)
    kinds = [type(e) for e in effects if isinstance(e, SalesPaid | ShareValueMoved | Paid | DistributionDecayed)]
    assert list(dict.fromkeys(kinds)) == [SalesPaid, ShareValueMoved, Paid, DistributionDecayed]
    assert [e.seat for e in only(effects, Paid)] == [0, 1]


# --- the rise of share values ---


@pytest.mark.parametrize(("price", "count", "spaces"), [(8, 0, None), (7, 1, 1), (6, 2, 2), (5, 3, 2)])
def test_wf_4_17_1_one_space_for_one_good_two_for_more(price, count, spaces):
    _, effects = cycle_ended(player(food=plant(price=price)), empty=60)
    assert goods_sold(effects)[0] == count
    assert [m for m in moves(effects) if m[1] == "sales"] == ([(spaces, "sales")] if spaces else [])


def bonuses(effects):
    return [(e.seat, e.cause) for e in only(effects, ShareValueMoved) if e.cause in ("appeal", "most_sold")]


def test_wf_4_17_2_appeal_bonus_is_for_a_sole_leader():
    ahead = {"clothes": 0, "cutlery": 0, "lamps": 0}
    factories = player(food=plant(price=6)), player(food=plant(price=7))
    assert (0, "appeal") in bonuses(cycle_ended(*factories, empty=60, importers=ahead | {"food": 1})[1])
    assert bonuses(cycle_ended(*factories, empty=60, importers=ahead | {"food": 2})[1]) == []
    assert bonuses(cycle_ended(*factories, empty=60, importers=ahead | {"food": 3})[1]) == []


def test_wf_4_17_2_leader_without_sales_gives_no_one_the_bonus():
    """His school has closed his only row."""
    given = player(tiles="school", food=plant(price=7, rows="2 0 0 0"))
    _, effects = play(after_production(given, player(food=plant(price=8)), empty=10), (0, CloseRow()))
    assert bonuses(effects) == []


def test_wf_4_17_3_sales_bonus_is_for_the_sole_best_seller():
    _, effects = cycle_ended(player(food=plant(price=6)), player(food=plant(price=5)), empty=60)
    assert bonuses(effects) == [(1, "appeal"), (1, "most_sold")]
    few = {"food": 2, "clothes": 0, "cutlery": 0, "lamps": 0}
    _, effects = cycle_ended(player(food=plant(price=6)), player(food=plant(price=7)), empty=60, importers=few)
    assert bonuses(effects) == []


def test_wf_4_17_4_ties_give_no_bonus():
    _, effects = cycle_ended(player(food=plant(price=6)), player(food=plant(price=6)), empty=60)
    assert bonuses(effects) == []


def test_wf_4_17_5_the_charisma_breaks_a_tie_and_is_kept():
    b, effects = cycle_ended(player(food=plant(price=6)), player(tiles="charisma", food=plant(price=6)), empty=60)
    assert bonuses(effects) == [(1, "appeal"), (1, "most_sold")]
    assert b.players[1].owns("charisma")


def test_wf_4_17_5_only_the_owner_in_the_tie_has_it():
    _, effects = cycle_ended(
        player(food=plant(price=6)),
        player(food=plant(price=6)),
        player(tiles="charisma", food=plant(price=7)),
        empty=60,
    )
    assert bonuses(effects) == []


def test_wf_4_17_5_no_rise_behind_the_importer_or_without_sales():
    few = {"food": 3, "clothes": 0, "cutlery": 0, "lamps": 0}
    charismatic = player(tiles="charisma", food=plant(price=6))
    assert bonuses(cycle_ended(charismatic, empty=60, importers=few)[1]) == []
    assert bonuses(cycle_ended(player(tiles="charisma", food=plant(price=8)), empty=60)[1]) == []


@pytest.mark.parametrize(("ruling", "result"), [(True, [(0, "appeal"), (0, "most_sold")]), (False, [])])
def test_wf_6_18_the_charisma_in_a_tie_with_the_importer(ruling, result):
    few = {"food": 2, "clothes": 0, "cutlery": 0, "lamps": 0}
    _, effects = cycle_ended(
        player(tiles="charisma", food=plant(price=6)),
        empty=60,
        importers=few,
        numbers={"rulings.charisma_beats_importer_tie": ruling},
    )
    assert bonuses(effects) == result


def test_wf_4_17_6_the_appeal_is_that_of_the_sale():
    """Seat 0 leads with a distribution marker that is gone afterwards."""
    b, effects = cycle_ended(player(food=plant(price=6, distribution=1)), player(food=plant(price=6)), empty=60)
    assert (0, "appeal") in bonuses(effects)
    assert b.appeal(0, "food") == b.appeal(1, "food")


# --- wages, upkeep, decay ---


def bill(given, good, cycle, **position):
    _, effects = cycle_ended(given, cycle=cycle, **position)
    (reckoned,) = only(effects, WagesReckoned)
    assert Paid("WF-4.18.3", 0, reckoned.amount, "wages") in effects
    return reckoned


@pytest.mark.parametrize(
    ("tiles", "amount"),
    [("", 27), ("foreman:lamps", 19), ("foreman:lamps workshop:lamps", 17), ("foreman:food workshop:food", 27)],
)
def test_wf_9_41_foreman_and_workshop(tiles, amount):
    given = player(tiles=tiles, lamps=plant(price=11, rows="2 2 2 0", machines="1 1 1 0"))
    assert bill(given, "lamps", 4, empty=60).amount == amount


def test_wf_4_18_1_additional_workers_are_paid_without_success():
    given = player(food=plant(price=8, obsolete=True, additional=2))
    assert bill(given, "food", 1, decade=1790, empty=30) == WagesReckoned("WF-4.18.1", 0, "food", 6, 2, 0, 1, 0, 0, 12)


def test_wf_4_18_2_one_wage_for_all():
    _, effects = cycle_ended(player(food=plant()), player(food=plant()), empty=50)
    assert [e.wage for e in only(effects, WagesReckoned)] == [people.wage(set_up(empty=50))] * 2 == [4, 4]


def test_wf_4_18_3_foreman_counts_additional_workers():
    # also WF-6.33
    given = player(tiles="foreman:food", food=plant(price=8, obsolete=True, additional=2))
    reckoned = bill(given, "food", 1, decade=1790, empty=50)
    assert (reckoned.workers, reckoned.cheaper, reckoned.cheaper_wage, reckoned.amount) == (6, 4, 2, 16)


def test_wf_4_18_3_emergency_sale_uses_the_risen_share_value():
    _, effects = cycle_ended(player(cash=0, food=plant(price=6, rows="2 2 2 2")), empty=50)
    causes = [e.cause for e in only(effects, ShareValueMoved) if e.seat == 0]
    assert causes == ["sales", "appeal", "most_sold", "emergency"]


def test_wf_4_18_4_distribution_fades_and_the_appeal_with_it():
    # also WF-4.18.5
    b, effects = cycle_ended(player(food=plant(price=6, distribution=2)), player(lamps=plant(distribution=2)))
    assert only(effects, DistributionDecayed) == [DistributionDecayed("WF-4.18.4", 0, "food", 1, 3)]
    assert (b.factory(0, "food").distribution, b.factory(1, "lamps").distribution) == (1, 2)


def test_wf_4_18_6_the_price_falls_instead_of_the_appeal():
    b, effects = cycle_ended(player(food=plant(price=9, distribution=1)), empty=10)
    assert only(effects, PriceFallen) == [PriceFallen("WF-4.18.6", 0, "food", 9, 8)]
    assert (b.appeal(0, "food"), moves(effects)[-1]) == (0, (-1, "decay"))


# --- shipping ---


def test_wf_9_42_two_ships_carry_a_contract():
    given = player(contracts="6 clothes", ships="2 4", stored="3 clothes", slots="1 clothes", clothes=plant(price=9))
    b = after_production(given, cycle=2, empty=30)
    assert legal(b, 0) == [ShipContract((2, 4)), Keep()]
    cash, space = b.players[0].cash, b.players[0].space
    b, effects = play(b, (0, ShipContract((2, 4))))
    assert only(effects, ContractFulfilled) == [ContractFulfilled("WF-4.19.4", 0, "clothes", 6, 3, 3, 9, 54, (2, 4))]
    assert (b.players[0].cash - cash, b.players[0].space - space, b.players[0].contracts["clothes"]) == (54, -2, 0)


def test_wf_4_19_1_next_ships_after_one_players_contract():
    first, second = (
        player(contracts="6 clothes", ships=ship, stored="3 clothes", slots="1 clothes", clothes=plant(price=9))
        for ship in ("6", "8")
    )
    b = after_production(first, second, cycle=2, empty=30)
    b = after(b, (0, ShipContract((6,))))
    assert (to_act(b), legal(b, 1)) == ((1,), [ShipContract((8,)), Keep()])


@pytest.mark.parametrize(("delta", "goods"), [(0, 6), (-1, 5), (1, 7)])
def test_wf_9_43_the_agent_makes_it_one_more_or_fewer(delta, goods):
    given = player(
        contracts="6 clothes", ships="8", tiles="agent", stored="5 clothes", slots="1 clothes", clothes=plant(price=9)
    )
    _, effects = play(after_production(given, cycle=2, empty=30), (0, ShipContract((8,), delta)))
    (fulfilled,) = only(effects, ContractFulfilled)
    assert (fulfilled.produced + fulfilled.stored, fulfilled.amount) == (goods, 9 * goods)


def test_wf_4_19_1_contract_may_be_kept_and_rises_by_a_space():
    # also WF-6.22
    given = player(contracts="2 food", ships="2", food=plant(price=7))
    b, effects = play(after_production(given, empty=40), (0, Keep()))
    assert only(effects, ContractKept, ContractRaised) == [
        ContractKept("WF-4.19.1", 0, "food"),
        ContractRaised("WF-4.19.6", 0, "food", 2, 4),
    ]
    assert b.players[0].contracts["food"] == 4


def test_wf_4_19_1_players_ship_in_player_order():
    given = player(contracts="2 food", ships="2", food=plant(price=7))
    b = after_production(given, given, empty=40)
    assert b.decider == 0
    assert after(b, (0, Keep())).decider == 1


def test_wf_4_19_2_goods_and_a_factory_are_needed():
    """Otherwise there is no question; the contract rises (WF-6.19)."""
    for given in (
        player(contracts="4 food", ships="4", food=plant(price=7)),
        player(contracts="2 food", ships="2", stored="2 food", slots="1 food"),
    ):
        b, effects = cycle_ended(given, empty=40)
        assert (b.stage, len(only(effects, ContractRaised))) == ("economy", 1)
    b = after_production(player(contracts="2 food", ships="2", food=plant(price=7)), empty=40)
    assert refusal(b, 0, ShipContract((2,), 1)) == ("WF-4.15.3", "no_tile")


@pytest.mark.parametrize(
    ("ships", "chosen", "key"),
    [
        ("2 4", (4,), None),
        ("2 2", (2,), None),
        ("2 4", (2,), None),
        ("4", (2,), "no_ship"),
        ("2 4", (2, 4), "ship_too_many"),
        ("2", (2, 2), "no_ship"),
    ],
)
def test_wf_4_19_3_ships_carry_it_and_none_is_superfluous(ships, chosen, key):
    """A single ship may be larger than needed (WF-6.25)."""
    b = after_production(player(contracts="2 food", ships=ships, food=plant(price=7)), empty=40)
    found = refusal(b, 0, ShipContract(chosen))
    assert found == (key and ("WF-4.19.3", key))


def test_wf_4_19_3_too_small_a_ship_is_not_enough():
    given = player(contracts="4 food", ships="2 4", stored="4 food", slots="1 food", food=plant(price=7))
    b = after_production(given, empty=12)
    b = after(b, (0, Stop())) if b.stage == "call_out" else b
    assert refusal(b, 0, ShipContract((2,))) == ("WF-4.19.3", "ship_too_small")
    assert legal(b, 0) == [ShipContract((4,)), Keep()]


def test_wf_4_19_3_wherever_the_ships_lie():
    given = player(contracts="2 food", ships="2", chart="2 ship:2", food=plant(price=7))
    assert after_production(given, empty=40).stage == "shipping"


def test_wf_4_19_4_this_production_goes_first_and_office_pays():
    """Once, whatever the number of ships (WF-6.23)."""
    given = player(
        contracts="4 food", ships="2 2", tiles="office", stored="3 food", slots="1 food", food=plant(price=8)
    )
    _, effects = play(after_production(given, empty=40), (0, ShipContract((2, 2))))
    (fulfilled,) = only(effects, ContractFulfilled)
    assert (fulfilled.produced, fulfilled.stored) == (3, 1)
    assert only(effects, OfficePaid) == [OfficePaid("WF-4.15.12", 0, 5)]


def test_wf_4_19_5_rise_then_decay_then_shipping():
    given = player(contracts="2 food", ships="2", food=plant(price=9, distribution=2))
    b, first = cycle_ended(given, empty=40)
    _, then = play(b, (0, ShipContract((2,))))
    assert [cause for _, cause in moves(first + then)] == ["sales", "appeal", "most_sold", "shipping"]


def test_wf_4_19_6_on_the_last_space_the_share_value_falls():
    b, effects = cycle_ended(player(contracts="10 food"))
    assert (moves(effects), b.players[0].contracts["food"]) == ([(-2, "full_track")], 10)
    two_spaces = {"seats.3.contract_track": [2, 4]}
    b, effects = cycle_ended(player(contracts="4 food"), numbers=two_spaces)
    assert (moves(effects), b.players[0].contracts["food"]) == ([(-2, "full_track")], 4)


def test_wf_4_19_6_only_contracts_of_the_active_good():
    b, effects = cycle_ended(player(contracts="10 lamps 2 clothes"))
    assert (moves(effects), b.players[0].contracts["clothes"]) == ([], 2)


# --- when a tile or a factory was put right by hand in between ---


def without_tiles(stage, *players, **position):
    """Return a window of the production phase for a player without tiles."""
    b = after_production(*players, **position)
    while b.stage != stage:
        b = after(b, DONE)
    b.players[0].tiles = []
    return b


def test_wf_4_16_4_no_row_is_closed_without_a_school():
    b = without_tiles("school_first", player(tiles="school", food=plant()), empty=40)
    assert refusal(b, 0, CloseRow()) == ("WF-4.16.4", "no_row")
    assert after(b, DONE).stage == "economy"


def test_wf_4_16_13_nor_one_whose_goods_are_sold():
    b = after_production(player(tiles="school", food=plant(price=7)), empty=40)
    b = after(b, DONE)
    b.sale.sold[0] = 2
    assert refusal(b, 0, CloseRow()) == ("WF-4.16.13", "row_sold")


def test_wf_4_16_15_no_patron_buys_without_his_tile():
    b = without_tiles("patron", player(tiles="patron_food", food=plant(price=7)), empty=40)
    assert refusal(b, 0, PatronSale("production")) == ("WF-4.16.15", "no_tile")


def test_wf_4_15_9_no_extra_shifts_without_tile_or_factory():
    b = after_production(player(tiles="extra_shifts", food=plant(price=7)), empty=40)
    b.players[0].factories["food"] = None
    assert refusal(b, 0, ExtraShift()) == ("WF-4.15.9", "no_factory")
    b.players[0].tiles = []
    assert refusal(b, 0, ExtraShift()) == ("WF-4.16.10", "no_tile")
