"""WF-4.5: build, modernize and close."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import moves
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
)


def building(*tiles, decade=1770, cash=100, **fields):
    return doing("factory", 2, player(cash=cash, tiles=" ".join(tiles), **fields), decade=decade)


def test_wf_4_5_1_a_factory_is_built_and_its_first_row_filled():
    b = building(food=plant())
    after_it, effects = play(b, (0, moves.Build("lamps", 1, 7)))
    assert effects[:2] == [
        moves.Paid("WF-4.5.1", 0, 11, "building"),
        moves.FactoryBuilt("WF-4.5.1", 0, "lamps", 1, 11, 0, 7, 4, 3),
    ]
    assert after_it.factory(0, "lamps").workers == [3, 0, 0, 0]
    assert after_it.market == b.market - 3


@pytest.mark.parametrize(
    ("rule", "key", "board", "decision"),
    [
        ("WF-4.5.1", "factory_there", lambda: building(food=plant()), moves.Build("food", 1, 5)),
        ("WF-4.5.1", "level", building, moves.Build("food", 2, 5)),
        ("WF-4.5.1", "level", building, moves.Build("food", 0, 5)),
        ("WF-4.5.1", "price", building, moves.Build("food", 1, 4)),
        ("WF-4.5.1", "price", building, moves.Build("food", 1, 9)),
        ("WF-4.5.5", "no_tile", building, moves.Build("food", 1, 5, True)),
        ("WF-4.5.2", "no_factory", building, moves.Modernize("food")),
        ("WF-4.5.2", "level", lambda: building(food=plant()), moves.Modernize("food")),
        ("WF-4.5.6", "no_tile", lambda: building(food=plant()), moves.Modernize("food", False, True)),
        (
            "WF-4.5.6",
            "inventor_idle",
            lambda: building("inventor", decade=1780, food=plant()),
            moves.Modernize("food", False, True),
        ),
        (
            "WF-4.5.2",
            "level",
            lambda: building("inventor", decade=1780, food=plant(3)),
            moves.Modernize("food", False, True),
        ),
        (
            "WF-4.5.5",
            "developer_beyond",
            lambda: building("inventor", "developer", food=plant()),
            moves.Modernize("food", True, True),
        ),
        ("WF-4.5.4", "no_factory", building, moves.Close("food")),
    ],
)
def test_wf_4_5_refused(rule, key, board, decision):
    assert refusal(board(), 0, decision) == (rule, key)


def test_wf_4_5_1_stored_goods_block_the_top_of_the_price_scale():
    b = doing(
        "factory",
        2,
        player(tiles="small_warehouse", stored="5 lamps"),
        decade=1810,
        numbers={"factories.lamps.III": 24},
    )
    assert refusal(b, 0, moves.Build("lamps", 3, 21)) == ("WF-4.5.1", "price")
    assert refusal(b, 0, moves.Build("lamps", 3, 20)) is None


def test_wf_4_5_1_not_what_was_just_closed():
    """WF-4.5.4: what was built in this action is not closed in it."""
    b = after(building(decade=1780, food=plant()), (0, moves.Close("food")))
    assert refusal(b, 0, moves.Build("food", 1, 5)) == ("WF-4.5.1", "just_closed")
    b = after(b, (0, moves.Build("food", 2, 5)))
    assert refusal(b, 0, moves.Close("food")) == ("WF-4.5.4", "just_built")


def test_wf_4_5_1_short_market_uses_the_fired_space():
    """WF-6.11: and when both are short nothing is built."""
    b = doing("factory", 2, player(cash=100), empty=79, fired=2)
    assert effects_after(b, (0, moves.Build("lamps", 1, 7)))[1].workers == 3
    assert after(b, (0, moves.Build("lamps", 1, 7))).fired == 0
    b = doing("factory", 2, player(cash=100), empty=79, fired=1)
    assert refusal(b, 0, moves.Build("lamps", 1, 7)) == ("WF-4.5.1", "no_workers")


def test_wf_4_5_2_one_level_at_a_time_each_paid_in_full():
    factory = plant(price=7, quality=1, distribution=2, rows="1 2 0 0", machines="1 0 0 0")
    b = building(decade=1800, food=factory)
    b, effects = play(b, (0, moves.Modernize("food")))
    assert effects[:2] == [
        moves.Paid("WF-4.5.2", 0, 10, "modernizing"),
        moves.FactoryModernized("WF-4.5.2", 0, "food", 2, 10, 0, False, 6),
    ]
    after_it = b.factory(0, "food")
    assert (after_it.workers, after_it.machines, after_it.price) == ([1, 2, 0, 0], [1, 0, 0, 0], 7)
    assert (after_it.quality, after_it.distribution) == (1, 2)
    assert after(b, (0, moves.Modernize("food"))).factory(0, "food").level == 3


def test_wf_4_5_3_additional_workers_leave_with_the_level():
    b = building(decade=1800, food=plant(2, obsolete=True, additional=2))
    after_it, effects = play(b, (0, moves.Modernize("food")))
    assert only(effects, moves.NoLongerObsolete) == [moves.NoLongerObsolete("WF-4.5.3", 0, "food", 2)]
    assert (after_it.factory(0, "food").obsolete, after_it.fired) == (False, b.fired + 2)


def test_wf_4_5_3_below_the_current_level_they_stay():
    """WF-6.14."""
    b = after(building(decade=1800, food=plant(1, obsolete=True, additional=2)), (0, moves.Modernize("food")))
    assert (b.factory(0, "food").obsolete, b.factory(0, "food").additional) == (True, 2)
    b = after(b, (0, moves.Modernize("food")))
    assert (b.factory(0, "food").obsolete, b.factory(0, "food").additional) == (False, 0)


def test_wf_4_5_4_a_closed_factory_gives_everything_back():
    factory = plant(2, quality=1, distribution=1, rows="1 2 0 0", machines="1 0 0 0", obsolete=True, additional=2)
    b = building("foreman:food", "school", decade=1800, food=factory, stored="1 food", slots="1 food")
    after_it, effects = play(b, (0, moves.Close("food")))
    assert effects[0] == moves.FactoryClosed("WF-4.5.4", 0, "food", 2, 5, 1)
    assert (after_it.fired, after_it.appeal(0, "food"), after_it.players[0].stored["food"]) == (b.fired + 5, 0, 1)
    assert after_it.players[0].works_at("foreman", "food")  # WF-4.15.18, WF-6.53


def test_wf_4_5_4_a_modernized_factory_may_be_closed():
    b = after(building(decade=1780, food=plant()), (0, moves.Modernize("food")), (0, moves.Close("food")))
    assert b.players[0].standing == []


def test_wf_6_60_closing_ends_the_mark_of_the_last_decade():
    b = doing("factory", 2, player(food=plant(3, marked=True)), decade=1810, cycle=3)
    assert after(b, (0, moves.Close("food"))).players[0].factories["food"] is None


def test_wf_4_5_5_developer_takes_five_off_once_per_good():
    """WF-6.45."""
    b = building("developer", decade=1800, food=plant())
    b, effects = play(b, (0, moves.Build("lamps", 1, 6, True)))
    assert only(effects, moves.Paid, moves.FactoryBuilt) == [
        moves.Paid("WF-4.5.1", 0, 6, "building"),
        moves.FactoryBuilt("WF-4.5.1", 0, "lamps", 1, 11, 5, 6, 5, 3),
    ]
    assert refusal(b, 0, moves.Modernize("lamps", True)) == ("WF-4.5.5", "developer_used")
    b, effects = play(b, (0, moves.Modernize("food", True)), DONE)
    assert only(effects, moves.Paid, moves.TileReturned) == [
        moves.Paid("WF-4.5.2", 0, 5, "modernizing"),
        moves.TileReturned("WF-4.5.5", 0, "developer"),
    ]
    assert (b.tiles["developer"], b.players[0].tiles) == (2, [])


def test_wf_6_55_not_again_after_closing_and_rebuilding():
    b = building("developer", decade=1800, food=plant())
    b = after(b, (0, moves.Modernize("food", True)), (0, moves.Close("food")))
    assert refusal(b, 0, moves.Build("food", 3, 6, True)) == ("WF-4.5.5", "developer_used")


def test_wf_4_5_5_a_developer_that_was_not_used_stays():
    """WF-4.15.6: it is returned after use."""
    b = after(building("developer", food=plant()), (0, moves.Build("lamps", 1, 6)), DONE)
    assert b.players[0].owns("developer")


def test_wf_4_5_6_the_inventor_modernizes_one_level_beyond():
    b = building("inventor", food=plant())
    assert refusal(b, 0, moves.Modernize("food")) == ("WF-4.5.2", "level")
    b, effects = play(b, (0, moves.Modernize("food", False, True)))
    assert only(effects, moves.InventorUsed) == [moves.InventorUsed("WF-4.5.6", 0, 1)]
    assert legal(b, 0) == [moves.InventorKeep(), moves.InventorReturn()]
    assert refusal(b, 0, moves.Build("lamps", 1, 6)) == ("WF-8.2", "decide_first")


def test_wf_4_15_11_the_inventor_is_kept_for_money_or_returned():
    b = after(building("inventor", food=plant(), clothes=plant()), (0, moves.Modernize("food", False, True)))
    kept, effects = play(b, (0, moves.InventorKeep()))
    assert effects == [moves.Paid("WF-4.15.11", 0, 5, "inventor"), moves.InventorKept("WF-4.15.11", 0, 5)]
    kept = after(kept, (0, moves.Modernize("clothes", False, True)))
    assert only(effects_after(kept, (0, moves.InventorKeep())), moves.Paid) == [
        moves.Paid("WF-4.15.11", 0, 10, "inventor")
    ]
    returned, effects = play(b, (0, moves.InventorReturn()))
    assert effects[0] == moves.TileReturned("WF-4.15.11", 0, "inventor")
    assert refusal(returned, 0, moves.Modernize("clothes", False, True)) == ("WF-4.5.6", "no_tile")


def test_wf_6_27_after_the_fifth_use_the_inventor_goes():
    b = building("inventor", food=plant())
    b.players[0].tiles[0].uses = 4
    b, effects = play(b, (0, moves.Modernize("food", False, True)))
    assert only(effects, moves.InventorUsed, moves.TileReturned) == [
        moves.InventorUsed("WF-4.5.6", 0, 5),
        moves.TileReturned("WF-4.15.11", 0, "inventor"),
    ]
    assert b.asked == []


@pytest.mark.parametrize(("use", "price"), [(1, 5), (2, 10), (3, 15), (4, 20), (5, None)])
def test_wf_4_15_11_inventor_leaves_after_the_fifth_use(use, price):
    b = building("inventor", food=plant())
    b.players[0].tiles[0].uses = use - 1
    b, effects = play(b, (0, moves.Modernize("food", False, True)))
    if price is None:
        assert only(effects, moves.TileReturned) == [moves.TileReturned("WF-4.15.11", 0, "inventor")]
        assert (b.players[0].owns("inventor"), b.asked, b.tiles["inventor"]) == (False, [], 2)
    else:
        assert (only(effects, moves.TileReturned), b.players[0].tiles[0].uses) == ([], use)
        assert legal(b, 0) == [moves.InventorKeep(), moves.InventorReturn()]
        b, effects = play(b, (0, moves.InventorKeep()))
        assert only(effects, moves.Paid) == [moves.Paid("WF-4.15.11", 0, price, "inventor")]
        assert b.players[0].owns("inventor")


def test_wf_4_15_11_the_counter_starts_anew_for_the_next_owner():
    b = after(
        building("inventor", food=plant()), (0, moves.Modernize("food", False, True)), (0, moves.InventorReturn())
    )
    assert b.tiles["inventor"] == 2
    assert not any(p.owns("inventor") for p in b.players)


def test_wf_6_51_the_next_use_may_be_paid_by_an_emergency_sale():
    b = after(building("inventor", food=plant(), cash=10), (0, moves.Modernize("food", False, True)))
    assert refusal(b, 0, moves.InventorKeep()) is None
    numbers = {"rulings.inventor_keep_by_emergency": False}
    b = doing("factory", 2, player(cash=10, tiles="inventor", food=plant()), numbers=numbers)
    b = after(b, (0, moves.Modernize("food", False, True)))
    assert refusal(b, 0, moves.InventorKeep()) == ("WF-6.51", "no_cash")
    assert legal(b, 0) == [moves.InventorReturn()]


def test_wf_4_5_7_built_and_modernized_factories_are_affected():
    """WF-4.13.2: its price may be adjusted for nothing, that of others not at all."""
    b = after(
        building(decade=1780, food=plant(), clothes=plant(2)),
        (0, moves.Modernize("food")),
        (0, moves.Build("lamps", 1, 6)),
    )
    b = after(b, DONE)
    assert {d.good for d in legal(b, 0, moves.SetPrice)} == {"food", "lamps"}
    assert refusal(b, 0, moves.SetPrice("clothes", 7)) == ("WF-4.13.2", "unaffected")
