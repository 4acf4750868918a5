"""WF-9: the worked examples of the rulebook, as far as they concern the set-up, actions and payments."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME, bank, moves, storage
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    DONE,
    after,
    doing,
    effects_after,
    founding,
    legal,
    plant,
    play,
    player,
    predetermined_board,
    refusal,
    set_up,
)


def test_wf_9_1_food_is_founded_at_six_pounds():
    b = after(founding(), (0, moves.Found("food", 6)))
    assert (b.factory(0, "food").workers, b.appeal(0, "food")) == ([2, 2, 0, 0], 2)


def test_wf_9_2_clothes_cost_nine_and_lamps_eleven():
    numbers = founding().printed
    assert (numbers.cost("clothes", 1), numbers.cost("lamps", 1)) == (9, 11)


def test_wf_9_3_food_and_lamps_cost_nineteen():
    b = predetermined_board(3)
    assert b.players[2].standing == ["food", "lamps"]
    assert 60 - b.players[2].cash == 19


@pytest.mark.parametrize(("seats", "cash"), [(2, [52, 63]), (3, [33, 42, 41]), (4, [41, 32, 40, 31])])
def test_wf_9_4_the_predetermined_set_up(seats, cash):
    assert [p.cash for p in predetermined_board(seats).players] == cash


def test_wf_9_5_an_economy_marker():
    b = set_up(stage="economy", fired=3)
    effects = effects_after(b, (TABLE, moves.RevealEconomy(1, 3)))
    assert effects[0] == moves.EconomyRevealed("WF-4.3.1", "food", 1, 1, 3, 3)
    assert after(b, (TABLE, moves.RevealEconomy(1, 3))).empty == b.empty - 3


def test_wf_9_6_quality_on_the_four_pound_row():
    b = doing("quality", 4, player(food=plant(price=7)))
    assert refusal(b, 0, moves.RaiseQuality("food"))[0] == "WF-8.2"
    assert (b.players[0].cash, bool(legal(b, 0, moves.SetPrice))) == (50, True)


def test_wf_9_7_a_marker_used_again_costs_its_row_and_a_fee():
    b = set_up(player(chart="6 machinery", lamps=plant(price=8), food=plant()), cycle=2)
    b, effects = play(
        b, (0, moves.Reuse("machinery", 6)), (0, moves.Install("lamps", 1)), (0, moves.Install("lamps", 1))
    )
    assert effects[1] == moves.Paid("WF-4.4.3", 0, 8, "administration")
    assert b.stage == "additional"


def test_wf_9_8_distribution_on_the_two_pound_row():
    b = doing("distribution", 2, player(food=plant(distribution=2), lamps=plant()))
    assert refusal(b, 0, moves.RaiseDistribution("food")) == ("WF-4.9.2", "distribution_costs")
    assert refusal(b, 0, moves.RaiseDistribution("lamps")) is None


def test_wf_9_9_quality_on_the_ten_pound_row():
    b = after(doing("quality", 10, player(food=plant(price=7))), (0, moves.RaiseQuality("food")))
    assert b.stage == "additional"


def test_wf_9_10_food_is_built_at_five_pounds():
    b = after(doing("factory", 2, player()), (0, moves.Build("food", 1, 5)))
    assert (b.appeal(0, "food"), b.factory(0, "food").workers) == (3, [2, 0, 0, 0])


def test_wf_9_11_two_levels_cost_both_prices():
    b = doing("factory", 2, player(food=plant()), decade=1800)
    b = after(b, (0, moves.Modernize("food")), (0, moves.Modernize("food")))
    assert (b.factory(0, "food").level, b.players[0].cash) == (3, 28)


def test_wf_9_12_the_developer_saves_five_once():
    b = doing("factory", 2, player(tiles="developer", food=plant()), decade=1800)
    b = after(b, (0, moves.Modernize("food", True)))
    assert refusal(b, 0, moves.Modernize("food", True)) == ("WF-4.5.5", "developer_used")
    b, effects = play(b, (0, moves.Modernize("food")), DONE)
    assert b.players[0].cash == 50 - 17
    assert moves.TileReturned("WF-4.5.5", 0, "developer") in effects


def test_wf_9_13_developer_and_inventor():
    b = doing("factory", 2, player(tiles="developer inventor", food=plant()), decade=1780)
    b = after(b, (0, moves.Build("lamps", 2, 6, True)))
    assert refusal(b, 0, moves.Modernize("lamps", True, True))[0] == "WF-4.5.5"
    b = after(b, (0, moves.Modernize("lamps", False, True)))
    assert b.players[0].cash == 50 - 9 - 17


def test_wf_9_14_a_worker_above_a_column():
    b = after(doing("workers", 2, player(food=plant())), (0, moves.HireWarehouse("clothes")))
    assert storage.room(b, 0, "clothes") == 5


@pytest.mark.parametrize(
    ("marker", "paid", "tiles", "machines"),
    [
        ("machinery", 6, "", 2),
        ("machinery", 4, "", 1),
        ("machinery", 10, "", 2),  # WF-9.15
        ("machinery", 10, "workshop:lamps", 3),  # WF-9.16, WF-4.15.17
        ("machinery:light", 10, "", 3),
        ("machinery:dark", 6, "", 3),  # WF-9.17
    ],
)
def test_wf_9_15_machines_by_the_costs_paid(marker, paid, tiles, machines):
    grey = marker if ":" in marker else ""
    b = doing(marker, paid, player(markers=grey, tiles=tiles, lamps=plant(price=8), food=plant()))
    for _ in range(machines):
        b = after(b, (0, next(d for d in legal(b, 0) if isinstance(d, moves.Install))))
    assert b.stage == "additional"


@pytest.mark.parametrize(("distribution", "to", "costs"), [(0, 4, 10), (1, 3, 5)])
def test_wf_9_18_costs_of_distribution(distribution, to, costs):
    b = doing(
        "distribution:dark",
        10,
        player(markers="distribution:dark", food=plant(distribution=distribution), lamps=plant(distribution=4)),
    )
    for _ in range(distribution, to):
        assert b.stage == "main"
        effects = effects_after(b, (0, moves.RaiseDistribution("food")))
        costs -= effects[0].cost
        b = after(b, (0, moves.RaiseDistribution("food")))
    assert (b.factory(0, "food").distribution, costs) == (to, 0)


def test_wf_9_19_the_patent_beyond_the_limit_of_the_marker():
    b = doing(
        "distribution:light",
        8,
        player(
            markers="distribution:light",
            tiles="patent",
            food=plant(distribution=3),
            lamps=plant(distribution=3),
            clothes=plant(distribution=1),
        ),
    )
    b = after(b, (0, moves.RaiseDistribution("food")), (0, moves.RaiseDistribution("clothes")))
    (verdict,) = [one for one in WATER_FRAME.why(b, 0, moves.RaiseDistribution("lamps")) if one.reason]
    assert verdict.reason.figures == {"cost": 4, "spent": 6, "there": 9}


def test_wf_9_20_a_share_on_space_22():
    assert effects_after(doing("stock_exchange", 2, player(space=22)), (0, moves.Buy(1))) == [
        moves.SharesBought("WF-4.10.1", 0, 1, 16, 16, False)
    ]


def test_wf_9_21_shares_on_space_9():
    b = doing("stock_exchange", 2, player(space=9))
    assert after(b, (0, moves.Sell(1))).players[0].cash == 59
    assert after(b, (0, moves.Buy(1))).players[0].cash == 40


def test_wf_9_22_contracts_are_free():
    b = doing("stock_exchange", 2, player(contracts="2 cutlery"))
    b = after(b, (0, moves.Contract("food", 6)), (0, moves.Contract("cutlery", 4)))
    assert (b.players[0].contracts["food"], b.players[0].contracts["cutlery"], b.players[0].cash) == (6, 4, 50)


def test_wf_9_23_where_ships_may_be_placed():
    b = set_up(player(ships="2 6"))
    rows = {ship: [d.row for d in legal(b, 0, moves.Place) if d.marker == ship] for ship in ("ship:2", "ship:6")}
    assert rows == {"ship:2": [2, 4, 6, 8, 10], "ship:6": [6, 8, 10]}


def test_wf_9_24_a_ship_and_the_accountant():
    b = set_up(player(ships="6", tiles="accountant"))
    assert refusal(b, 0, moves.Place("ship:6", 4, 6)) is None
    assert refusal(b, 0, moves.Place("ship:6", 6, 4)) == ("WF-4.4.5", "ship_costs")


def delivery(stored, tiles="", contracts="4 lamps", **factories):
    return doing(
        "ship:6",
        6,
        player(
            ships="6",
            tiles=tiles,
            contracts=contracts,
            stored=stored,
            slots="1 lamps 1 clothes 1 food",
            lamps=plant(2, price=9),
            food=plant(),
            **factories,
        ),
    )


def test_wf_9_25_no_partial_delivery():
    b = delivery("4 lamps 2 food", contracts="6 lamps 2 food")
    assert refusal(b, 0, moves.Fulfil("lamps")) == ("WF-4.11.1", "stored")


def test_wf_9_26_four_lamps_of_level_two():
    b, effects = play(delivery("4 lamps"), (0, moves.Fulfil("lamps")))
    assert only(effects, moves.ContractFulfilled)[0].amount == 56
    assert (b.players[0].cash, b.players[0].contracts["lamps"]) == (106, 0)


def test_wf_9_27_the_same_with_the_office():
    b, effects = play(delivery("4 lamps", "office"), (0, moves.Fulfil("lamps")))
    assert only(effects, moves.OfficePaid) and b.players[0].cash == 111
    shipped = WATER_FRAME.figures(b)["shipped"][0]
    assert shipped == sum(e.amount for e in only(effects, moves.ContractFulfilled, moves.OfficePaid)) == 61


def test_wf_9_28_two_contracts_with_one_ship():
    b = delivery("4 lamps 2 clothes", contracts="4 lamps 2 clothes", clothes=plant())
    effects = effects_after(b, (0, moves.Fulfil("lamps")), (0, moves.Fulfil("clothes")))
    assert [moved.spaces for moved in only(effects, moves.ShareValueMoved)] == [-1]


def test_wf_9_29_one_row_with_a_worker_and_a_machine():
    b = doing(
        "production:light",
        2,
        player(markers="production:light", slots="1 food", food=plant(3, rows="1 2 0 0", machines="1 0 0 0")),
        decade=1800,
        empty=20,
    )
    b, effects = play(b, (0, moves.Produce("food", 1)))
    assert only(effects, moves.Paid) == [moves.Paid("WF-4.12.3", 0, 2 + 1, "production")]
    assert b.players[0].stored["food"] == 2


def test_wf_9_30_distribution_and_three_prices():
    factories = {good: plant(price=7, distribution=1) for good in ("food", "clothes", "lamps")}
    b = after(doing("distribution", 4, player(**factories)), (0, moves.RaiseDistribution("food")), DONE)
    b = after(b, (0, moves.SetPrice("food", 8)), (0, moves.SetPrice("clothes", 8)), (0, moves.SetPrice("lamps", 8)))
    assert b.stage == "marker"


def test_wf_9_31_a_fifth_tile_for_the_small_warehouse():
    b = doing(
        "workers", 2, player(food=plant(), tiles="school office agent small_warehouse", stored="3 lamps", slots="2 row")
    )
    b = after(b, DONE, (0, moves.TakeTile("broker")))
    b, effects = play(b, (0, moves.ReturnTile("small_warehouse")))
    assert only(effects, moves.GoodsLost) == [moves.GoodsLost("WF-4.1.10", 0, "lamps", 1, False)]
    assert refusal(b, 0, moves.Broker(1))[0] == "WF-4.0.6"


def test_wf_9_32_a_larger_ship_needs_more_crew():
    b = after(doing("workers", 2, player(food=plant(), ships="2 4"), decade=1810), DONE)
    b, effects = play(b, (0, moves.TakeShip(6, 2)))
    assert only(effects, moves.CrewHired) == [moves.CrewHired("WF-4.14.5", 0, 2, 0, 3)]
    assert b.players[0].crew == 3


def test_wf_9_46_shares_at_the_end_of_the_game():
    b = set_up(
        player(cash=84, shares=16, space=36), stage="final_exchange", decade=1810, cycle=0, events=["end_of_game"]
    )
    b, effects = play(b, (0, moves.Buy(3)))
    assert effects[0] == moves.SharesBought("WF-4.10.1", 0, 3, 22, 66, False)
    assert (b.players[0].shares, b.players[0].cash) == (19, 18)


def test_wf_9_48_an_emergency_sale_on_space_28():
    b = set_up(player(cash=0, space=28))
    effects = []
    bank.pay(b, 0, 30, "event", "WF-4.1.3", effects.append)
    assert effects[0] == moves.EmergencySale("WF-4.23.2", 0, 2, 19, 38, 2)
    assert (b.players[0].space, b.players[0].cash) == (24, 8)


def test_wf_9_51_two_levels_of_quality_for_twelve_pounds():
    b = doing("quality", 10, player(tiles="accountant", food=plant()), paid=12)
    b = after(b, (0, moves.RaiseQuality("food")), (0, moves.RaiseQuality("food")))
    assert (b.factory(0, "food").quality, b.appeal(0, "food")) == (2, 4)


def test_wf_9_54_a_step_beyond_the_development_level_costs_its_full_price():
    b = doing("factory", 2, player(cash=60, tiles="developer inventor", food=plant(3, price=8)), decade=1800)
    assert refusal(b, 0, moves.Modernize("food", True, True)) == ("WF-4.5.5", "developer_beyond")
    assert effects_after(b, (0, moves.Modernize("food", False, True)))[0] == moves.Paid(
        "WF-4.5.2", 0, 14, "modernizing"
    )
