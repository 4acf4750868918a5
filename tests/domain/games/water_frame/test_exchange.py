"""WF-4.10 to WF-4.12: the stock exchange, ships, and production by a grey marker."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import moves
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    DONE,
    after,
    doing,
    effects_after,
    first_turn,
    legal,
    plant,
    play,
    player,
    refusal,
    set_up,
)


def exchange(numbers=None, **fields):
    return doing("stock_exchange", 2, player(**fields), numbers=numbers)


# --- the stock exchange ---


def test_wf_4_10_1_own_shares_are_bought_at_their_value():
    b, effects = play(exchange(space=22), (0, moves.Buy(2)))
    assert effects == [moves.SharesBought("WF-4.10.1", 0, 2, 16, 32, False)]
    p = b.players[0]
    assert (p.cash, p.shares, p.bank, p.space) == (18, 12, 18, 22)


def test_wf_4_10_1_at_least_ten_pounds_on_the_first_ten_spaces():
    """WF-2.21.3."""
    assert effects_after(exchange(space=4), (0, moves.Buy(1)))[0].each == 10
    assert effects_after(exchange(space=11), (0, moves.Buy(1)))[0].each == 11


def test_wf_4_10_2_own_shares_are_sold_without_a_minimum():
    b, effects = play(exchange(space=4), (0, moves.Sell(3)))
    assert effects == [moves.SharesSold("WF-4.10.2", 0, 3, 4, 12)]
    assert (b.players[0].cash, b.players[0].space) == (62, 4)
    assert refusal(exchange(), 0, moves.Sell(11)) == ("WF-4.10.2", "shares")
    assert refusal(exchange(), 0, moves.Sell(0)) == ("WF-4.10.2", "shares")


def test_wf_4_10_3_loans_are_repaid():
    b, effects = play(exchange(loans=3), (0, moves.Repay(2)))
    assert effects == [moves.LoansRepaid("WF-4.10.3", 0, 2, 13, 26)]
    assert (b.players[0].loans, b.players[0].bank, b.players[0].cash) == (1, 29, 24)
    assert refusal(b, 0, moves.Repay(2)) == ("WF-4.10.3", "no_loans")
    assert refusal(exchange(loans=4), 0, moves.Repay(4)) == ("WF-4.1.4", "no_cash")


def test_wf_4_23_7_no_shares_are_bought_while_there_are_loans():
    b = exchange(loans=1)
    assert refusal(b, 0, moves.Buy(1)) == ("WF-4.23.7", "loans")
    assert refusal(after(b, (0, moves.Repay(1))), 0, moves.Buy(1)) is None


def test_wf_4_10_4_stored_goods_are_sold_at_the_fixed_price():
    b, effects = play(exchange(stored="3 lamps", slots="1 lamps"), (0, moves.SellGoods("lamps", 2)))
    assert effects == [moves.StoredSold("WF-4.10.4", 0, "lamps", 2, 5, 10)]
    assert (b.players[0].cash, b.players[0].stored["lamps"]) == (60, 1)
    assert refusal(b, 0, moves.SellGoods("lamps", 2)) == ("WF-4.10.4", "stored")


def test_wf_4_10_5_contracts_are_taken_and_go_up():
    b, effects = play(exchange(contracts="4 lamps"), (0, moves.Contract("food", 10)), (0, moves.Contract("lamps", 6)))
    assert effects == [
        moves.ContractPlaced("WF-4.10.5", 0, "food", 0, 10),
        moves.ContractPlaced("WF-4.10.5", 0, "lamps", 4, 6),
    ]
    assert refusal(b, 0, moves.Contract("lamps", 6)) == ("WF-4.10.5", "contract_lower")
    assert refusal(b, 0, moves.Contract("lamps", 4)) == ("WF-4.10.5", "contract_lower")
    assert refusal(b, 0, moves.Contract("clothes", 3)) == ("WF-4.10.5", "track")
    assert b.players[0].cash == 50


def test_wf_2_12_5_two_players_have_two_spaces():
    """WF-2.12.4: more players have five."""
    spaces = [d.space for d in legal(exchange(), 0, moves.Contract) if d.good == "food"]
    assert spaces == [2, 4, 6, 8, 10]
    b = after(first_turn(2), (0, moves.Place("stock_exchange", 2, 2)))
    assert [d.space for d in legal(b, 0, moves.Contract) if d.good == "food"] == [2, 4]
    assert refusal(b, 0, moves.Contract("food", 6)) == ("WF-4.10.5", "track")


def test_wf_4_1_4_what_is_bought_needs_the_cash():
    """WF-6.6: no emergency sale for shares or loans."""
    assert refusal(exchange(space=22), 0, moves.Buy(4)) == ("WF-4.1.4", "no_cash")
    assert refusal(exchange(cash=400, space=10, shares=15), 0, moves.Buy(16)) == ("WF-4.10.1", "bank_shares")
    assert len(legal(exchange(space=22), 0, moves.Buy)) == 3


def test_wf_4_10_any_number_in_any_order():
    b = after(
        exchange(stored="1 food", slots="1 row"),
        (0, moves.Sell(1)),
        (0, moves.Contract("food", 2)),
        (0, moves.Buy(1)),
        (0, moves.SellGoods("food", 1)),
        (0, moves.Sell(2)),
        DONE,
    )
    assert b.stage == "additional"


# --- ships ---


def shipping(row, ship=6, *tiles, **fields):
    return doing(f"ship:{ship}", row, player(ships=str(ship), tiles=" ".join(tiles), **fields))


def lamps(**fields):
    return {"lamps": plant(2, price=9), "contracts": "4 lamps", "stored": "5 lamps", "slots": "1 lamps", **fields}


def test_wf_4_11_2_a_contract_is_fulfilled_out_of_the_warehouse():
    b, effects = play(shipping(6, **lamps()), (0, moves.Fulfil("lamps")))
    assert only(effects, moves.ContractFulfilled) == [
        moves.ContractFulfilled("WF-4.11.2", 0, "lamps", 4, 0, 4, 14, 56, (6,))
    ]
    p = b.players[0]
    assert (p.cash, p.stored["lamps"], p.contracts["lamps"]) == (106, 1, 0)


@pytest.mark.parametrize(
    ("rule", "key", "fields", "decision"),
    [
        ("WF-4.11.1", "no_contract", lamps(contracts=""), moves.Fulfil("lamps")),
        ("WF-4.11.1", "stored", lamps(stored="3 lamps"), moves.Fulfil("lamps")),
        ("WF-4.15.3", "no_tile", lamps(), moves.Fulfil("lamps", 1)),
    ],
)
def test_wf_4_11_1_refused(rule, key, fields, decision):
    b = set_up(player(ships="6", **fields))
    b.stage, b.turn.marker, b.turn.paid = "main", "ship:6", 6
    assert refusal(b, 0, decision) == (rule, key)


def test_wf_4_11_1_without_a_factory_a_contract_is_not_fulfilled():
    """WF-6.19."""
    b = set_up(player(ships="6", contracts="4 lamps", stored="5 lamps", slots="1 lamps"))
    b.stage, b.turn.marker, b.turn.paid = "main", "ship:6", 6
    assert refusal(b, 0, moves.Fulfil("lamps")) == ("WF-4.11.1", "no_factory")


def test_wf_4_11_2_all_contracts_together_within_the_capacity():
    fields = lamps(
        clothes=plant(), contracts="4 lamps 4 clothes", stored="5 lamps 5 clothes", slots="1 lamps 1 clothes"
    )
    b = shipping(6, 6, "agent", **fields)
    assert refusal(b, 0, moves.Fulfil("lamps", 1)) is None
    b = set_up(player(ships="6", **fields))
    b.stage, b.turn.marker, b.turn.paid, b.turn.load = "main", "ship:6", 6, 4
    assert refusal(b, 0, moves.Fulfil("clothes")) == ("WF-4.11.2", "capacity")


def test_wf_4_11_2_the_agent_changes_one_contract_by_one_good():
    """WF-4.15.3, WF-6.24, WF-4.15."""
    fields = lamps(
        clothes=plant(), contracts="4 lamps 2 clothes", stored="5 lamps 5 clothes", slots="1 lamps 1 clothes"
    )
    b = shipping(8, 8, "agent", **fields)
    assert refusal(b, 0, moves.Fulfil("lamps", 2)) == ("WF-4.15.3", "agent_goods")
    b, effects = play(b, (0, moves.Fulfil("lamps", -1)))
    assert only(effects, moves.ContractFulfilled)[0].stored == 3
    assert refusal(b, 0, moves.Fulfil("clothes", 1)) == ("WF-4.15.3", "agent_used")
    assert effects_after(b, (0, moves.Fulfil("clothes")))[0].stored == 2


def test_wf_4_11_3_the_share_value_goes_back_once():
    """WF-4.15.12, WF-6.23: and the office pays once."""
    fields = lamps(
        clothes=plant(), contracts="4 lamps 2 clothes", stored="5 lamps 5 clothes", slots="1 lamps 1 clothes"
    )
    effects = effects_after(
        shipping(6, 6, "office", **fields), (0, moves.Fulfil("lamps")), (0, moves.Fulfil("clothes"))
    )
    assert only(effects, moves.OfficePaid) == [moves.OfficePaid("WF-4.15.12", 0, 5)]
    assert only(effects, moves.ShareValueMoved) == [moves.ShareValueMoved("WF-4.11.3", 0, -1, 10, 9, 0, 9, "shipping")]


def test_wf_4_11_4_without_a_delivery_the_share_value_stays():
    b = after(shipping(6, **lamps()), DONE)
    assert (b.stage, b.players[0].space) == ("additional", 10)


# --- production by a grey marker ---


def producing(row=2, shade="light", tiles="", **fields):
    return doing(f"production:{shade}", row, player(markers=f"production:{shade}", tiles=tiles, **fields))


def test_wf_4_12_1_one_factory_and_rows_up_to_the_marker():
    """WF-2.10.4."""
    factories = {"food": plant(rows="2 2 2 2"), "lamps": plant()}
    assert [d.rows for d in legal(producing(**factories), 0, moves.Produce) if d.good == "food"] == [1, 2]
    assert [d.rows for d in legal(producing(shade="dark", **factories), 0, moves.Produce) if d.good == "food"] == [
        1,
        2,
        3,
        4,
    ]
    assert refusal(producing(**factories), 0, moves.Produce("food", 3)) == ("WF-4.12.1", "rows")
    for rows in (0, 5):
        assert refusal(producing(shade="dark", **factories), 0, moves.Produce("food", rows)) == ("WF-4.12.1", "rows")
    assert refusal(producing(**factories), 0, moves.Produce("clothes", 1)) == ("WF-4.12.1", "no_factory")
    b = after(producing(slots="1 food", **factories), (0, moves.Produce("food", 1)))
    assert b.stage == "additional"
    b.stage = "main"
    assert refusal(b, 0, moves.Produce("lamps", 1)) == ("WF-4.12.1", "produced")


@pytest.mark.parametrize(
    ("shade", "rows", "made", "amount"),
    [("light", 1, 1, 4), ("light", 2, 3, 8), ("dark", 3, 3, 10), ("dark", 4, 4, 14)],
)
def test_wf_4_12_1_rows_count_from_the_first_in_one_factory(shade, rows, made, amount):
    """Row 3 has a space left, row 4 is complete: both are paid, one produces. The other factory stays as it is."""
    owner = player(markers=f"production:{shade}", food=plant(2, rows="2 2 1 2"), lamps=plant(), slots="1 food")
    b = doing(f"production:{shade}", 2, owner, decade=1780)
    b, effects = play(b, (0, moves.Produce("food", rows)))
    assert (only(effects, moves.GoodsProduced), only(effects, moves.Paid)) == (
        [moves.GoodsProduced("WF-4.12.2", 0, "food", rows, made, 0)],
        [moves.Paid("WF-4.12.3", 0, amount, "production")],
    )
    assert b.players[0].stored["food"] == made
    assert (b.players[0].stored["lamps"], b.stage, legal(b, 0, moves.Produce)) == (0, "additional", [])


def test_wf_4_12_2_complete_rows_produce():
    """WF-6.58: workers of incomplete rows are paid nevertheless."""
    b = producing(shade="dark", food=plant(rows="2 2 1 0"), slots="1 food")
    b, effects = play(b, (0, moves.Produce("food", 3)))
    assert only(effects, moves.GoodsProduced) == [moves.GoodsProduced("WF-4.12.2", 0, "food", 3, 3, 0)]
    assert only(effects, moves.Paid) == [moves.Paid("WF-4.12.3", 0, 10, "production")]
    assert b.players[0].stored["food"] == 3


def test_wf_4_12_2_extra_shifts_make_one_more():
    """WF-4.15.9."""
    b, effects = play(
        producing(tiles="extra_shifts", food=plant(), slots="1 food"), (0, moves.Produce("food", 1, True))
    )
    assert only(effects, moves.GoodsProduced, moves.TileReturned) == [
        moves.TileReturned("WF-4.15.9", 0, "extra_shifts"),
        moves.GoodsProduced("WF-4.12.2", 0, "food", 1, 1, 1),
    ]
    assert b.players[0].stored["food"] == 2
    assert refusal(producing(food=plant()), 0, moves.Produce("food", 1, True)) == ("WF-4.15.9", "no_tile")


@pytest.mark.parametrize(
    ("tiles", "amount"),
    [
        ("", 2 * 5 + 3),
        ("foreman:lamps", 4 * 1 + 1 * 2 + 3),
        ("foreman:food", 2 * 5 + 3),
        ("workshop:lamps", 2 * 5 + 1),
        ("foreman:lamps workshop:lamps", 4 * 1 + 1 * 2 + 1),
    ],
)
def test_wf_4_12_3_wages_and_upkeep_of_the_rows_used(tiles, amount):
    """WF-4.15.10 and WF-4.15.17: foreman and workshop of that factory."""
    factory = plant(price=8, rows="1 2 2 0", machines="2 1 0 0")
    b = producing(shade="dark", tiles=tiles, lamps=factory, slots="1 lamps")
    effects = effects_after(b, (0, moves.Produce("lamps", 3)))
    assert only(effects, moves.WagesReckoned)[0].amount == amount


def test_wf_6_32_additional_workers_are_not_paid_here():
    b = doing(
        "production:light",
        2,
        player(markers="production:light", food=plant(2, obsolete=True, additional=2)),
        decade=1800,
    )
    assert only(effects_after(b, (0, moves.Produce("food", 1))), moves.WagesReckoned)[0].workers == 2


def test_wf_4_12_4_the_goods_go_into_storage():
    """Goods without room are lost."""
    b, effects = play(producing(food=plant(), slots="2 row"), (0, moves.Produce("food", 2)))
    assert only(effects, moves.GoodsStored, moves.GoodsLost) == [
        moves.GoodsStored("WF-4.20.1", 0, "food", 3),
        moves.GoodsLost("WF-4.1.10", 0, "food", 1, False),
    ]
    assert b.players[0].stored["food"] == 2


def test_wf_4_12_5_the_mark_of_the_last_decade_disappears():
    b = doing(
        "production:light", 2, player(markers="production:light", food=plant(3, marked=True)), decade=1810, cycle=3
    )
    b, effects = play(b, (0, moves.Produce("food", 1)))
    assert effects[0] == moves.MarkGone("WF-4.12.5", 0, "food")
    assert not b.factory(0, "food").marked


def test_wf_4_12_1_it_may_be_forgone():
    assert after(producing(food=plant()), (0, moves.Done())).stage == "marker"
