"""WF-4.6 and WF-4.7: workers and machines."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame.moves import (
    Contract,
    Dismiss,
    EngineeringPaid,
    FactoryMarked,
    Fire,
    GoodsLost,
    Hire,
    HireWarehouse,
    Install,
    MachineInstalled,
    MoveWarehouse,
    Place,
    Relocate,
    TakeTile,
    WarehouseHired,
    WarehouseMoved,
    WorkerDismissed,
    WorkerFired,
    WorkerHired,
    WorkerRelocated,
)
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    DONE,
    after,
    doing,
    effects_after,
    legal,
    plant,
    play,
    player,
    refusal,
    set_up,
)


def hiring(decade=1770, cycle=1, empty=None, fired=4, **fields):
    return doing("workers", 2, player(**fields), decade=decade, cycle=cycle, empty=empty, fired=fired)


# --- workers ---


def test_wf_4_6_1_a_worker_is_hired_onto_any_free_space():
    b = hiring(food=plant())
    assert effects_after(b, (0, Hire("food", 4))) == [WorkerHired("WF-4.6.1", 0, "food", 4, "market")]
    assert after(b, (0, Hire("food", 4))).players[0].cash == 50


def test_wf_4_6_2_a_worker_of_the_warehouse_costs_nothing_now():
    b = hiring(food=plant(), slots="4 row")
    assert effects_after(b, (0, HireWarehouse("clothes"))) == [WarehouseHired("WF-4.6.2", 0, "clothes", "market")]
    b = after(b, (0, HireWarehouse("row")))
    assert refusal(b, 0, HireWarehouse("row")) == ("WF-4.6.2", "slot_full")
    assert (b.players[0].slots["row"], b.players[0].cash) == (5, 50)


def test_wf_2_12_2_columns_and_rows_have_a_worker_slot():
    """WF-2.12.3, WF-9.14: a column opens five spaces of its good, a row one of every good."""
    b = hiring(food=plant())
    assert [d.slot for d in legal(b, 0, HireWarehouse)] == ["food", "clothes", "cutlery", "lamps", "row"]


def test_wf_4_6_3_a_worker_of_the_warehouse_changes_its_slot():
    b = hiring(food=plant(), slots="1 food 1 row")
    assert effects_after(b, (0, MoveWarehouse("food", "lamps"))) == [WarehouseMoved("WF-4.6.3", 0, "food", "lamps")]
    assert refusal(b, 0, MoveWarehouse("row", "row")) == ("WF-4.6.3", "same_slot")
    assert refusal(b, 0, MoveWarehouse("lamps", "food")) == ("WF-4.6.3", "slot_empty")
    assert refusal(b, 0, MoveWarehouse("row", "food")) == ("WF-4.6.3", "slot_full")


def test_wf_4_6_4_single_workers_are_fired_from_the_highest_row():
    """WF-6.12: with the last worker of a row its machines go."""
    b = hiring(lamps=plant(price=8, rows="3 1 2 0", machines="0 1 1 0"))
    b, effects = play(b, (0, Fire("lamps")), (0, Fire("lamps")), (0, Fire("lamps")))
    assert effects == [
        WorkerFired("WF-4.6.4", 0, "lamps", 3, 0),
        WorkerFired("WF-4.6.4", 0, "lamps", 3, 1),
        WorkerFired("WF-4.6.4", 0, "lamps", 2, 1),
    ]
    assert (b.fired, b.factory(0, "lamps").machines) == (7, [0, 0, 0, 0])
    assert refusal(b, 0, Fire("lamps")) == ("WF-4.6.4", "first_row")


def test_wf_4_6_4_additional_workers_stay():
    b = hiring(decade=1800, food=plant(2, rows="2 0 0 0", obsolete=True, additional=2))
    assert refusal(b, 0, Fire("food")) == ("WF-4.6.4", "first_row")


@pytest.mark.parametrize(
    ("rule", "key", "moves", "decision"),
    [
        ("WF-4.6.1", "no_factory", [], Hire("lamps", 1)),
        ("WF-4.6.1", "row_full", [], Hire("food", 1)),
        ("WF-4.6.1", "no_row", [], Hire("food", 5)),
        ("WF-4.6.1", "fired_from", [Fire("food")], Hire("food", 2)),
        ("WF-4.6.4", "no_factory", [], Fire("lamps")),
        ("WF-4.6.4", "hired_into", [Hire("food", 3)], Fire("food")),
    ],
)
def test_wf_4_6_refused(rule, key, moves, decision):
    b = after(hiring(food=plant()), *[(0, move) for move in moves])
    assert refusal(b, 0, decision) == (rule, key)


def test_wf_4_1_8_nobody_is_left_to_hire():
    b = hiring(food=plant(), empty=79, fired=1, slots="1 food")
    b, effects = play(b, (0, Hire("food", 3)), (0, Hire("food", 3)))
    assert [effect.origin for effect in only(effects, WorkerHired)] == ["market", "fired"]
    assert refusal(b, 0, Hire("food", 4)) == ("WF-4.1.8", "no_workers")
    assert refusal(b, 0, HireWarehouse("row")) == ("WF-4.1.8", "no_workers")


def late(good, cycle, rows="2 2 0 0"):
    return hiring(decade=1810, cycle=cycle, **{good: plant(3, price=8, rows=rows)})


def test_wf_4_6_5_factory_that_produced_last_decade_is_marked():
    b, effects = play(late("food", 2), (0, Hire("food", 3)), (0, Hire("food", 3)))
    assert only(effects, FactoryMarked) == [FactoryMarked("WF-4.6.5", 0, "food")]
    assert (b.factory(0, "food").marked, b.factory(0, "food").workers) == (True, [2, 2, 2, 0])
    assert b.complete(0, "food", 1)


def test_wf_6_38_not_in_the_cycle_of_the_good():
    assert not after(late("food", 1), (0, Hire("food", 3))).factory(0, "food").marked
    assert not after(late("clothes", 1), (0, Hire("clothes", 3))).factory(0, "clothes").marked


def test_wf_6_37_not_by_the_school():
    b = doing("machinery", 6, player(food=plant(3), tiles="school"), decade=1810, cycle=2)
    b = after(b, (0, Install("food", 1)), (0, Relocate("food", 3)))
    assert not b.factory(0, "food").marked


def test_wf_4_6_6_storage_is_put_right_when_the_action_is_closed():
    """WF-6.43: a worker may move away and another come."""
    b = hiring(food=plant(), slots="1 food", stored="3 food")
    b = after(b, (0, MoveWarehouse("food", "lamps")))
    assert b.players[0].stored["food"] == 3
    closed, effects = play(b, DONE)
    assert only(effects, GoodsLost) == [GoodsLost("WF-4.1.10", 0, "food", 3, False)]
    assert closed.players[0].stored["food"] == 0
    kept = after(b, (0, HireWarehouse("food")), DONE)
    assert kept.players[0].stored["food"] == 3


# --- machinery ---


def machines(row, *tiles, marker="machinery", grey="", **fields):
    return doing(marker, row, player(tiles=" ".join(tiles), markers=grey, **fields))


def test_wf_4_7_1_as_many_machines_as_thresholds_are_paid():
    b = machines(4, lamps=plant(price=8))
    b = after(b, (0, Install("lamps", 1)))
    assert b.stage == "additional"  # no further machine is allowed
    b = after(machines(6, lamps=plant(price=8)), (0, Install("lamps", 1)))
    assert b.stage == "main"
    assert machines(2, lamps=plant(price=8)).stage == "additional"
    assert refusal(set_up(player(lamps=plant())), 0, Install("lamps", 1))[0] == "WF-8.2"


def test_wf_4_7_1_a_further_machine_is_refused():
    b = after(machines(6, lamps=plant(price=8), food=plant()), (0, Install("lamps", 1)))
    b.turn.steps = 2
    assert refusal(b, 0, Install("lamps", 1)) == ("WF-4.7.1", "machines")


def test_wf_4_7_2_a_machine_replaces_a_worker():
    b, effects = play(machines(6, lamps=plant(price=8)), (0, Install("lamps", 1)))
    assert effects == [MachineInstalled("WF-4.7.2", 0, "lamps", 1, False)]
    factory = b.factory(0, "lamps")
    assert (factory.workers, factory.machines, b.fired) == ([2, 3, 0, 0], [1, 0, 0, 0], 5)


@pytest.mark.parametrize(
    ("rule", "key", "decision"),
    [
        ("WF-4.7.2", "no_factory", Install("food", 1)),
        ("WF-4.7.2", "machines_full", Install("lamps", 1)),
        ("WF-4.7.2", "no_worker", Install("lamps", 2)),
        ("WF-4.7.2", "no_worker", Install("lamps", 4)),
        ("WF-4.7.2", "no_row", Install("lamps", 0)),
    ],
)
def test_wf_4_7_2_refused(rule, key, decision):
    """WF-6.13: a row's workers stand on the spaces for them alone first."""
    b = machines(6, lamps=plant(price=8, rows="1 1 2 0", machines="2 0 0 0"))
    assert refusal(b, 0, decision) == (rule, key)
    assert refusal(b, 0, Install("lamps", 3)) is None


def test_wf_4_7_3_the_school_places_the_worker_elsewhere():
    """WF-4.15.15."""
    b = machines(6, "school", lamps=plant(price=8), food=plant())
    b, effects = play(b, (0, Install("lamps", 1)))
    assert effects == [MachineInstalled("WF-4.7.2", 0, "lamps", 1, True)]
    assert refusal(b, 0, Install("lamps", 2)) == ("WF-8.2", "decide_first")
    assert refusal(b, 0, Relocate("lamps", 1)) == ("WF-4.7.3", "row_full")
    moved, effects = play(b, (0, Relocate("food", 3)))
    assert effects[0] == WorkerRelocated("WF-4.7.3", 0, "food", 3)
    assert (moved.factory(0, "food").workers, moved.fired) == ([2, 2, 1, 0], 4)
    away, effects = play(b, (0, Dismiss()))
    assert (effects[0], away.fired) == (WorkerDismissed("WF-4.7.3", 0), 5)


def test_wf_4_7_3_relocated_worker_is_not_replaced_at_once():
    b = machines(6, "school", lamps=plant(price=8, rows="3 1 0 0"))
    b = after(b, (0, Install("lamps", 1)), (0, Relocate("lamps", 2)))
    assert refusal(b, 0, Install("lamps", 2)) == ("WF-4.7.2", "no_worker")
    b = after(set_up(player(lamps=plant(price=8, rows="3 2 0 0"))), (0, Place("machinery", 6, 6)))
    assert refusal(b, 0, Install("lamps", 2)) is None


def test_wf_4_7_3_without_a_free_space_nothing_is_decided():
    b = machines(6, "school", food=plant(rows="2 2 2 2"))
    b, effects = play(b, (0, Install("food", 1)))
    assert (effects[0].to_school, b.asked, b.fired) == (False, [], 5)


def test_wf_4_7_4_engineering_works_earn_by_others_machines():
    """WF-4.15.8."""
    b = doing(
        "machinery",
        6,
        player(tiles="engineering_works", lamps=plant(price=8)),
        player(tiles="engineering_works"),
        player(),
    )
    effects = effects_after(b, (0, Install("lamps", 1)))
    assert only(effects, EngineeringPaid) == [EngineeringPaid("WF-4.7.4", 1, 1)]
    assert [p.cash for p in after(b, (0, Install("lamps", 1))).players] == [50, 51, 50]


def test_wf_4_7_5_fewer_machines_may_be_taken():
    b = after(machines(6, lamps=plant(price=8)), (0, Install("lamps", 1)), DONE)
    assert b.stage == "additional"
    assert legal(b, 0, TakeTile) and not legal(b, 0, Contract)


@pytest.mark.parametrize("answer", [Relocate("food", 3), Dismiss()])
def test_wf_4_7_3_a_replaced_worker_is_asked_for_once(answer):
    """After the answer the action goes on; the same worker is neither moved nor dismissed again."""
    b = after(machines(6, "school", lamps=plant(price=8), food=plant()), (0, Install("lamps", 1)), (0, answer))
    assert b.asked == []
    for again in (Relocate("food", 3), Dismiss()):
        assert refusal(b, 0, again) == ("WF-4.0.6", "wrong_phase")
