"""WF-4.21 and WF-4.22: how a cycle and a round end, and what becomes obsolete."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME, moves
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import DONE, after, cycle_ended, legal, plant, play, player, refusal, set_up


def round_ended(*players, **position):
    return cycle_ended(*players, cycle=4, **position)


def naming(*players, decade=1770, **position):
    """The start player of the next decade is to be named."""
    return set_up(*players, stage="start_named", cycle=0, decade=decade, **position)


# --- the end of a cycle ---


def test_wf_4_21_1_the_tokens_of_the_sale_go_back():
    b, effects = cycle_ended(cycle=2)
    assert (b.sale.made, only(effects, moves.CycleEnded)) == ([], [moves.CycleEnded("WF-4.21.1", 1770, 2)])


@pytest.mark.parametrize("cycle", [1, 2, 3])
def test_wf_4_21_2_the_start_player_passes_clockwise(cycle):
    b, effects = cycle_ended(cycle=cycle, start=2)
    assert (b.start, b.cycle, b.stage) == (0, cycle + 1, "economy")
    assert only(effects, moves.StartPlayerNamed) == [moves.StartPlayerNamed("WF-4.21.2", 0, None, "clockwise")]


def test_wf_4_21_2_the_charisma_names_anybody():
    b, _ = cycle_ended(player(), player(tiles="charisma"))
    assert (b.stage, legal(b, 1)) == (
        "cycle_end",
        [moves.Charisma(0), moves.Charisma(1), moves.Charisma(2), moves.Done()],
    )
    assert refusal(b, 1, moves.Charisma(3)) == ("WF-4.21.2", "no_such_seat")
    assert refusal(b, 0, moves.Charisma(0)) == ("WF-4.0.6", "not_your_turn")
    used, effects = play(b, (1, moves.Charisma(0)))
    assert effects[:2] == [
        moves.TileReturned("WF-4.21.2", 1, "charisma"),
        moves.StartPlayerNamed("WF-4.21.2", 0, 1, "charisma"),
    ]
    assert (used.start, used.cycle, used.tiles["charisma"]) == (0, 2, 1)
    kept = after(b, (1, moves.Done()))
    assert (kept.start, kept.players[1].owns("charisma")) == (1, True)


def test_wf_4_21_3_after_the_fourth_cycle_the_round_ends():
    b, effects = round_ended(player(tiles="charisma"))
    assert (b.stage, b.cycle) == ("event", 0)
    assert only(effects, moves.StartPlayerNamed) == []


# --- the end of a round ---


def test_wf_4_22_1_markers_return():
    b, effects = round_ended(player(chart="2 quality 4 ship:2", ships="2"))
    assert set(b.players[0].chart.values()) == {None}
    assert only(effects, moves.MarkersReturned) == [moves.MarkersReturned("WF-4.22.1", 1770)]


def test_wf_4_22_2_in_player_order_and_with_the_warehouse():
    _, effects = round_ended(player(slots="1 food 2 row", ships="6"), player(slots="1 row"), empty=20, start=1)
    assert [(e.seat, e.warehouse, e.crew, e.amount) for e in only(effects, moves.HarbourReckoned)] == [
        (1, 1, 0, 2),
        (0, 3, 2, 10),
    ]


def test_wf_4_22_3_warehouse_workers_and_ships_may_go():
    b, _ = round_ended(player(slots="1 food 2 row", ships="2 6"))
    assert (b.stage, legal(b, 0)) == (
        "firing",
        [
            moves.Done(),
            moves.FireWarehouse("food"),
            moves.FireWarehouse("row"),
            moves.ReturnShip(2),
            moves.ReturnShip(6),
        ],
    )
    assert refusal(b, 0, moves.FireWarehouse("lamps")) == ("WF-4.22.3", "slot_empty")
    assert refusal(b, 0, moves.ReturnShip(4)) == ("WF-4.22.3", "no_ship")
    before = b.fired
    b, effects = play(b, (0, moves.FireWarehouse("row")), (0, moves.ReturnShip(6)), (0, moves.ReturnShip(2)))
    assert only(effects, moves.WarehouseFired, moves.ShipReturned, moves.CrewDismissed) == [
        moves.WarehouseFired("WF-4.22.3", 0, "row"),
        moves.ShipReturned("WF-4.22.3", 0, 6, "III"),
        moves.CrewDismissed("WF-4.22.3", 0, 2, 0),
        moves.ShipReturned("WF-4.22.3", 0, 2, "I"),
    ]
    assert (b.fired - before, b.players[0].slots["row"], b.mat[2].ships) == (3, 1, [6, 6])
    assert after(b, DONE).stage == "event"


def test_wf_4_22_3_storage_is_settled_when_the_player_is_done():
    b, _ = round_ended(player(slots="1 food 1 row", stored="3 food"))
    b = after(b, (0, moves.FireWarehouse("food")))
    assert b.players[0].stored["food"] == 3
    b, effects = play(b, DONE)
    assert only(effects, moves.GoodsLost) == [moves.GoodsLost("WF-4.1.10", 0, "food", 2, False)]


def test_wf_4_22_3_with_nothing_left_to_fire_the_player_is_done():
    b, _ = round_ended(player(slots="1 food", stored="3 food"))
    b, effects = play(b, (0, moves.FireWarehouse("food")))
    assert only(effects, moves.GoodsLost) == [moves.GoodsLost("WF-4.1.10", 0, "food", 3, False)]
    assert b.stage == "event"


def test_wf_4_22_3_the_small_warehouse_may_ask():
    b, _ = round_ended(
        player(slots="1 food 1 lamps", stored="4 food 4 lamps", tiles="small_warehouse"), player(ships="2")
    )
    b = after(b, (0, moves.FireWarehouse("food")), (0, moves.FireWarehouse("lamps")))
    assert legal(b, 0) == [moves.Discard("food"), moves.Discard("lamps")]
    b = after(b, *[(0, moves.Discard("food"))] * 3)
    assert (b.stage, b.decider) == ("firing", 1)


def test_wf_4_22_4_firing_does_not_change_what_was_paid():
    b, _ = round_ended(player(slots="1 food"))
    cash = b.players[0].cash
    assert after(b, (0, moves.FireWarehouse("food"))).players[0].cash == cash


def test_wf_4_22_7_and_wf_6_36_the_broker_after_the_event():
    b = set_up(player(tiles="broker", cash=50, stored="2 food", slots="1 food"), stage="event", cycle=0)
    b = after(b, (TABLE, moves.RevealEvent("unknown_a")))
    assert b.stage == "broker"
    assert set(map(type, legal(b, 0))) == {moves.Buy, moves.Sell, moves.SellGoods, moves.Done}
    b = after(b, (0, moves.SellGoods("food", 2)), (0, moves.Sell(1)), (0, moves.Buy(2)))
    assert (b.players[0].cash, b.players[0].shares, b.players[0].owns("broker")) == (44, 11, True)
    assert after(b, DONE).stage == "start_named"


def test_wf_6_35_the_broker_repays_no_loans():
    b = set_up(player(tiles="broker", loans=1), stage="broker", cycle=0)
    assert refusal(b, 0, moves.Repay(1)) is not None
    assert not legal(b, 0, moves.Repay)


def test_wf_5_2_1_decade_is_scored_before_the_start_player():
    b = set_up(player(shares=3), player(shares=2, space=22), stage="event", cycle=0)
    _, effects = play(b, (TABLE, moves.RevealEvent("unknown_a")))
    assert only(effects, moves.DecadeScored) == [moves.DecadeScored("WF-5.2.1", 1770, (30, 32, 100), (50, 50, 50))]


def test_wf_5_2_2_ranks_go_by_portfolio_and_then_by_cash():
    b = set_up(player(shares=3, contracts="6 food"), player(shares=2, space=22, cash=40), player(shares=2, space=22))
    assert [b.portfolio(seat) for seat in range(3)] == [30, 32, 32]
    totals = [score.total for score in WATER_FRAME.scoring.standing(b)]
    assert totals == [12, 32, 32], "a contract would cost six spaces"
    assert WATER_FRAME.ranks(b) == (3, 2, 1)
    ahead = set_up(player(shares=4, contracts="6 food"), player(shares=3, space=10))
    assert [score.total for score in WATER_FRAME.scoring.standing(ahead)][:2] == [16, 30]
    assert WATER_FRAME.ranks(ahead)[:2] == (2, 3)


# --- the start player of the next decade ---


@pytest.mark.parametrize(
    ("players", "start", "names"),
    [
        ((player(shares=5), player(shares=4), player(shares=6)), 0, 1),
        ((player(shares=4, cash=9), player(shares=4, cash=8), player(shares=6)), 0, 1),
        ((player(shares=4), player(shares=4), player(shares=4)), 0, 2),
        ((player(shares=4), player(shares=4), player(shares=4)), 1, 0),
        ((player(shares=4), player(shares=4), player(shares=5)), 1, 0),
    ],
)
def test_wf_4_22_9_and_wf_6_29_who_names_the_start_player(players, start, names):
    assert naming(*players, start=start).decider == names


def test_wf_4_22_9_and_wf_6_42_anybody_may_be_named():
    b = naming(player(shares=1))
    assert legal(b, 0) == [moves.NameStartPlayer(0), moves.NameStartPlayer(1), moves.NameStartPlayer(2)]
    assert refusal(b, 0, moves.NameStartPlayer(3)) == ("WF-4.22.9", "no_such_seat")
    b, effects = play(b, (0, moves.NameStartPlayer(2)))
    assert effects[0] == moves.StartPlayerNamed("WF-4.22.9", 2, 0, "lowest_portfolio")
    assert (b.start, b.decade, b.cycle, b.stage) == (2, 1780, 1, "economy")


def test_wf_4_22_9_the_charisma_comes_first():
    b = set_up(player(shares=1), player(tiles="charisma"), stage="charisma", cycle=0)
    assert b.decider == 1
    used, effects = play(b, (1, moves.Charisma(1)))
    assert effects[0] == moves.TileReturned("WF-4.22.9", 1, "charisma")
    assert (used.start, used.decade) == (1, 1780)
    kept = after(b, (1, moves.Done()))
    assert (kept.stage, kept.decider) == ("start_named", 0)


def test_wf_4_22_14_the_next_decade():
    _, effects = play(naming(player(shares=1)), (0, moves.NameStartPlayer(1)))
    assert only(effects, moves.DecadeBegun) == [moves.DecadeBegun("WF-4.2.1", 1780, 2)]


# --- obsolescence ---


def test_wf_4_22_10_factories_of_the_levels_become_obsolete():
    b = naming(player(shares=1, food=plant(), lamps=plant(level=2, price=8)), decade=1780, fired=10)
    b, effects = play(b, (0, moves.NameStartPlayer(0)))
    assert only(effects, moves.FactoryObsolete) == [moves.FactoryObsolete("WF-4.22.10", 0, "food", 1, 2)]
    assert (b.factory(0, "food").obsolete, b.factory(0, "food").additional, b.fired) == (True, 2, 8)
    assert not b.factory(0, "lamps").obsolete


@pytest.mark.parametrize(
    ("decade", "level", "obsolete"),
    [(1770, 1, False), (1780, 1, True), (1780, 2, False), (1790, 1, True), (1790, 2, False), (1800, 2, True)],
)
def test_wf_6_16_the_decade_that_begins_counts(decade, level, obsolete):
    b = naming(player(shares=1, food=plant(level=level)), decade=decade)
    assert after(b, (0, moves.NameStartPlayer(0))).factory(0, "food").obsolete is obsolete


def test_wf_4_22_11_from_the_fired_space_then_the_job_market():
    b = naming(player(shares=1, food=plant()), player(food=plant()), decade=1780, fired=3, empty=30)
    b = after(b, (0, moves.NameStartPlayer(0)))
    assert (b.fired, b.empty) == (0, 31)
    assert [b.factory(seat, "food").additional for seat in (0, 1)] == [2, 2]


def lacking(start):
    """Seats 0 and 1 with one obsolete factory each, seat 2 with two; five workers."""
    return naming(
        player(shares=1, food=plant()),
        player(clothes=plant()),
        player(food=plant(), lamps=plant(price=9)),
        decade=1780,
        fired=5,
        empty=80,
        start=start,
    )


def test_wf_9_47_workers_are_dealt_to_the_factories():
    b, effects = play(lacking(0), (0, moves.NameStartPlayer(0)))
    assert [
        b.factory(seat, good).additional for seat, good in ((0, "food"), (1, "clothes"), (2, "food"), (2, "lamps"))
    ] == [2, 1, 1, 1]
    assert only(effects, moves.WorkersLacking, moves.Paid) == [
        moves.WorkersLacking("WF-4.22.12", 1, 1, 5),
        moves.Paid("WF-4.22.12", 1, 5, "obsolescence"),
        moves.WorkersLacking("WF-4.22.12", 2, 2, 5),
        moves.Paid("WF-4.22.12", 2, 10, "obsolescence"),
    ]


def test_wf_4_22_10_the_new_start_player_comes_first():
    b = after(lacking(0), (0, moves.NameStartPlayer(2)))
    assert [
        b.factory(seat, good).additional for seat, good in ((2, "food"), (2, "lamps"), (0, "food"), (1, "clothes"))
    ] == [2, 1, 1, 1]


def test_wf_4_22_13_marked_factory_is_not_marked_again():
    # also WF-6.15
    b = naming(player(shares=1, food=plant(obsolete=True, additional=1)), decade=1790, fired=10)
    b, effects = play(b, (0, moves.NameStartPlayer(0)))
    assert (b.factory(0, "food").additional, only(effects, moves.FactoryObsolete, moves.WorkersLacking)) == (1, [])


def test_wf_4_22_13_additional_workers_fill_no_row():
    b = naming(player(shares=1, food=plant(rows="2 1 0 0")), decade=1780, fired=10)
    b = after(b, (0, moves.NameStartPlayer(0)))
    assert b.factory(0, "food").workers == [2, 1, 0, 0]


def test_wf_4_22_8_last_decade_skips_broker_start_and_obsolete():
    b = set_up(player(tiles="broker charisma", food=plant()), stage="event", cycle=0, decade=1810)
    b, effects = play(
        b, (TABLE, moves.RevealEvent("end_of_game")), (0, moves.Done()), (1, moves.Done()), (2, moves.Done())
    )
    assert (b.stage, only(effects, moves.StartPlayerNamed, moves.FactoryObsolete, moves.DecadeBegun)) == ("over", [])


def test_wf_4_15_5_corrected_charisma_lets_the_game_go_on():
    b, _ = cycle_ended(player(), player(tiles="charisma"))
    b.players[1].tiles = []
    assert (b.decider, refusal(b, 0, moves.Charisma(0))) == (0, ("WF-4.15.5", "no_tile"))
    assert after(b, DONE).start == 1
