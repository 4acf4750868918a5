"""WF-4.11 and WF-4.19: what a shipped contract takes and brings, with the production's ships and with an action's."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import moves
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    DONE,
    after,
    after_production,
    doing,
    legal,
    plant,
    play,
    player,
    refusal,
)


def with_contract(**fields):
    """Three of the goods unsold, in the shipping step, with three in the warehouse."""
    return player(**{"stored": "3 food", "slots": "1 food", "food": plant(price=8), **fields})


def test_wf_4_19_4_what_is_shipped_is_gone_and_paid_for():
    """WF-4.15.12: the office adds £5. Another player still decides, so that nothing is stored yet."""
    other = with_contract(contracts="2 food", ships="2")
    b = after_production(with_contract(contracts="4 food", ships="4", tiles="office"), other, empty=40)
    cash = b.players[0].cash
    assert (b.decider, b.sale.at_hand[0]) == (0, 3)
    b = after(b, (0, moves.ShipContract((4,))))
    seat = b.players[0]
    assert (b.decider, b.sale.at_hand[0], seat.stored["food"], seat.contracts["food"]) == (1, 0, 2, 0)
    assert (seat.cash - cash, seat.tally.shipped, seat.tally.contracts) == (4 * 8 + 5, 4 * 8 + 5, 1)


def test_wf_4_19_1_each_player_ships_once_in_player_order():
    b = after_production(*[with_contract(contracts="2 food", ships="2")] * 3, empty=40)
    for seat in range(3):
        assert (b.stage, b.decider) == ("shipping", seat)
        b = after(b, (seat, moves.ShipContract((2,))))
    assert b.stage == "economy"


def test_wf_4_19_3_one_good_of_the_agent_is_shipped():
    """One of two."""
    given = player(contracts="2 food", ships="2", tiles="agent patron_food", food=plant(price=6))
    b = after_production(given, empty=60)
    b = after(b, DONE) if b.stage == "patron" else b
    assert (b.stage, b.sale.at_hand[0]) == ("shipping", 1)
    assert legal(b, 0) == [moves.ShipContract((2,), -1), moves.Keep()]


def test_wf_4_19_2_a_contract_of_no_goods_is_not_shipped():
    """An agent makes it two fewer."""
    given = player(contracts="2 food", ships="2", tiles="agent", food=plant(price=7))
    b = after_production(given, empty=40, numbers={"tiles.agent.goods": 2})
    assert refusal(b, 0, moves.ShipContract((2,), -2)) == ("WF-4.19.2", "too_few_goods")


def test_wf_4_19_refused_without_contract_factory_or_goods():
    b = after_production(with_contract(contracts="4 food", ships="4 2"), empty=40)
    assert b.stage == "shipping"
    b.sale.at_hand[0], b.players[0].stored["food"] = 0, 1
    assert refusal(b, 0, moves.ShipContract((4,))) == ("WF-4.19.2", "too_few_goods")
    b.players[0].factories["food"] = None
    assert refusal(b, 0, moves.ShipContract((4,))) == ("WF-4.19.2", "no_factory")
    b.players[0].contracts["food"] = 0
    assert refusal(b, 0, moves.ShipContract((4,))) == ("WF-4.19.1", "no_contract")


def test_wf_4_16_15_no_patron_buys_without_a_factory():
    given = player(tiles="patron_food", stored="1 food", slots="1 food", food=plant(price=7))
    b = after_production(given, empty=60)
    b = after(b, (0, moves.Stop())) if b.stage == "call_out" else b
    assert b.stage == "patron"
    b.players[0].factories["food"] = None
    assert refusal(b, 0, moves.PatronSale("storage")) == ("WF-4.16.15", "no_factory")


# --- the ship action ---


def shipping(contracts, capacity=6, **fields):
    given = player(
        contracts=contracts,
        ships=str(capacity),
        stored="5 food 5 clothes 5 lamps",
        slots="1 food 1 clothes 3 row",
        food=plant(),
        clothes=plant(),
        lamps=plant(),
        **fields,
    )
    given["stored"]["lamps"] = 3
    return doing(f"ship:{capacity}", capacity, given)


def test_wf_4_11_2_each_contract_counts_and_fills_the_ship():
    """Two and four goods fill it; a third contract stays."""
    b = shipping("2 food 4 clothes 2 lamps")
    b, effects = play(b, (0, moves.Fulfil("food")))
    assert (b.turn.load, b.players[0].tally.contracts) == (2, 1)
    assert refusal(b, 0, moves.Fulfil("clothes")) is None
    b, more = play(b, (0, moves.Fulfil("clothes")))
    assert b.players[0].tally.contracts == 2
    assert b.players[0].tally.shipped == sum(e.amount for e in only(effects + more, moves.ContractFulfilled))
    assert refusal(b, 0, moves.Fulfil("lamps")) is not None


def test_wf_4_11_2_no_two_contracts_beyond_the_capacity():
    b = after(shipping("4 food 4 clothes"), (0, moves.Fulfil("food")))
    assert b.stage != "main" or refusal(b, 0, moves.Fulfil("clothes")) == ("WF-4.11.2", "capacity")
    assert b.players[0].contracts["clothes"] == 4


def test_wf_4_15_3_agent_stays_used_after_another_contract():
    b = shipping("2 food 2 clothes 2 lamps", capacity=8, tiles="agent")
    b = after(b, (0, moves.Fulfil("food", 1)), (0, moves.Fulfil("clothes")))
    assert (b.stage, b.turn.load, b.turn.agent) == ("main", 5, True)
    assert refusal(b, 0, moves.Fulfil("lamps", -1)) == ("WF-4.15.3", "agent_used")


# --- the production action ---


def test_wf_4_12_3_wages_and_upkeep_of_the_action_are_added_up():
    given = player(markers="production:light", food=plant(rows="1 2 0 0", machines="1 0 0 0"))
    b, effects = play(doing("production:light", 2, given, empty=30), (0, moves.Produce("food", 1, False)))
    (reckoned,) = only(effects, moves.WagesReckoned)
    tally = b.players[0].tally
    assert (tally.wages, tally.upkeep) == (reckoned.amount - reckoned.upkeep, reckoned.upkeep)
    assert tally.wages > 0 < tally.upkeep


@pytest.mark.parametrize(("tiles", "extra"), [("", [False]), ("extra_shifts", [False, True])])
def test_wf_4_12_2_with_extra_shifts_or_without_them(tiles, extra):
    b = doing("production:light", 2, player(markers="production:light", tiles=tiles, food=plant()), empty=30)
    assert [d.extra for d in legal(b, 0, moves.Produce) if d.rows == 1] == extra
