"""WF-4.16 to WF-4.18: what school, extra shifts and patrons leave of a production, and what the ledger adds up."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import moves, people, production
from daybook.domain.games.water_frame.callout import CallOut
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
    set_up,
)


def test_wf_4_16_the_phase_is_told_before_anything_is_made():
    _, effects = cycle_ended(player(food=plant()))
    assert only(effects, moves.PhaseBegun) == [moves.PhaseBegun("WF-4.16", "production")]


# --- the school ---


def test_wf_4_16_4_what_the_closed_row_made_is_gone():
    """Two of four goods are from the third row; the others are too dear to be sold."""
    given = player(tiles="school", ships="2", contracts="2 cutlery", cutlery=plant(level=2, price=13, rows="2 3 3 0"))
    b = after_production(given, cycle=3, decade=1780, empty=30)
    made = b.sale.made[0]
    less = production.row_output(b, 0, "cutlery", 3)
    b = after(b, (0, moves.CloseRow()))
    assert less > 0
    assert (b.stage, b.sale.made[0], b.sale.at_hand[0]) == ("shipping", made - less, made - less - b.sale.sold[0])


@pytest.mark.parametrize(("rows", "machines"), [("2 2 2 0", "1 1 1 0"), ("2 2 3 0", "1 1 0 0")])
def test_wf_4_18_3_machines_of_a_closed_row_cost_nothing(rows, machines):
    """Two machines stand in the other rows."""
    given = player(tiles="school", lamps=plant(price=11, rows=rows, machines=machines))
    _, effects = play(after_production(given, cycle=4, empty=60), (0, moves.CloseRow()))
    (reckoned,) = only(effects, moves.WagesReckoned)
    assert (reckoned.workers, reckoned.machines, reckoned.upkeep) == (4, 2, 2)


def test_wf_4_15_17_workshop_is_free_without_machines():
    b = set_up(player(tiles="workshop:food", food=plant()), numbers={"machines.upkeep": 3})
    assert [people.factory_bill(b, 0, "food", 2, machines).upkeep for machines in (0, 1, 2)] == [0, 1, 1]
    assert people.factory_bill(b, 1, "food", 2, 2).upkeep == 6


# --- extra shifts ---


def shifts(goods):
    """Return the extra shifts for this many goods, at their call, with goods in storage."""
    given = player(stored="3 food", slots="1 food", tiles="extra_shifts", food=plant(price=5, rows="2 0 0 0"))
    return after_production(given, empty=60, numbers={"tiles.extra_shifts.goods": goods})


def test_wf_4_16_10_extra_shifts_had_their_call():
    b = after(shifts(1), (0, moves.ExtraShift()))
    assert (b.stage, b.sale.offered[0], legal(b, 0)) == ("call_out", True, [moves.SellStored(), moves.Stop()])


def test_wf_4_16_10_extra_shift_surplus_is_available():
    """One good of the factory, three of the extra shifts; the appeal is 3."""
    b, effects = play(shifts(3), (0, moves.ExtraShift()))
    assert only(effects, moves.ExtraGoodMade) == [moves.ExtraGoodMade("WF-4.16.10", 0, "food", 3, True)]
    assert only(effects, moves.SalesPaid)[0].count == 3
    assert only(effects, moves.GoodsStored)[0].count + 3 == production.output(b, 0, "food", 1) + 3


def test_wf_4_16_12_after_the_call_out_its_token_is_put_away():
    given = player(tiles="extra_shifts", food=plant(price=5, rows="2 0 0 0"))
    b = after(after_production(given, empty=40), (0, moves.Stop()))
    assert (b.stage, b.sale.call, b.turns) == ("extra_shifts", CallOut(), 0)


# --- patrons ---


@pytest.mark.parametrize(("source", "at_hand", "stored"), [("production", 0, 1), ("storage", 1, 0)])
def test_wf_4_16_15_patron_takes_the_good_from_the_named_place(source, at_hand, stored):
    """One good is unsold and one stored; the contract keeps the game from storing the rest."""
    given = player(
        tiles="patron_food agent", stored="1 food", slots="1 food", contracts="2 food", ships="2", food=plant(price=7)
    )
    b = after_production(given, empty=60)
    b.sale.at_hand[0] = 1
    b = after(b, (0, moves.PatronSale(source)))
    assert (b.stage, b.sale.at_hand[0], b.players[0].stored["food"]) == ("shipping", at_hand, stored)


@pytest.mark.parametrize(("fields", "price"), [({}, 6), ({"stored": "1 food", "slots": "1 food"}, 5)])
def test_wf_4_16_15_one_good_is_enough_for_a_patron(fields, price):
    """One of three goods is unsold, or all are sold and one is stored."""
    b = after_production(player(tiles="patron_food", food=plant(price=price), **fields), empty=60)
    b = after(b, (0, moves.Stop())) if b.stage == "call_out" else b
    assert (b.stage, b.sale.at_hand[0], b.players[0].stored["food"]) == (
        "patron",
        0 if fields else 1,
        1 if fields else 0,
    )


# --- the ledger, bonuses, decay ---


def test_wf_5_2_6_bonuses_wages_and_upkeep_are_added_up():
    b, effects = cycle_ended(player(food=plant(price=6, rows="1 2 0 0", machines="1 0 0 0")), empty=30)
    (reckoned,) = only(effects, moves.WagesReckoned)
    tally = b.players[0].tally
    assert (tally.appeal_bonuses, tally.sales_bonuses) == (1, 1)
    assert (tally.wages, tally.upkeep) == (reckoned.amount - reckoned.upkeep, reckoned.upkeep) == (6, 1)


def test_wf_6_18_leader_over_the_importer_needs_no_ruling():
    _, effects = cycle_ended(
        player(food=plant(price=6)), empty=60, numbers={"rulings.charisma_beats_importer_tie": False}
    )
    assert {"appeal", "most_sold"} <= {e.cause for e in only(effects, moves.ShareValueMoved)}


def test_wf_4_18_4_without_distribution_nothing_fades():
    _, effects = cycle_ended(player(food=plant(price=6)))
    assert only(effects, moves.DistributionDecayed) == []


# --- who is asked to ship, and who has stored ---


def test_wf_4_19_1_the_agent_alone_makes_no_contract():
    """Goods and a ship are there."""
    assert after_production(player(tiles="agent", ships="2", food=plant(price=7)), empty=40).stage == "economy"


def test_wf_4_20_1_what_one_player_stores_asks_no_other():
    """Seat 0 stores goods in the large warehouse; what lies in the small one of seat 1 was there before."""
    b = after_production(
        player(slots="1 food", food=plant(price=7)), player(tiles="small_warehouse", stored="1 lamps"), empty=40
    )
    assert (b.stage, b.players[0].stored["food"]) == ("economy", 2)


def test_wf_4_20_1_whoever_keeps_what_is_stored_is_through():
    b = after_production(player(tiles="small_warehouse", food=plant(price=7)), empty=40)
    assert (b.stage, b.decider) == ("storage", 0)
    b = after(b, DONE)
    assert (b.stage, b.players[0].stored["food"]) == ("economy", 2)


def test_wf_4_19_1_whoever_keeps_his_contract_is_through():
    given = player(contracts="2 food", ships="2", food=plant(price=7))
    b = after_production(given, given, given, empty=40)
    seen = []
    while b.stage == "shipping":
        seen.append(b.decider)
        b = after(b, (b.decider, moves.Keep()))
    assert seen == [0, 1, 2]
