"""WF-4.14 and WF-4.15: special markers, and what the development tiles do."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import moves, special
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    DONE,
    after,
    doing,
    effects_after,
    legal,
    mat_rows,
    plant,
    play,
    player,
    refusal,
    set_up,
    to_act,
)

FOUR = "school office agent patent"


def choosing(decade=1770, cycle=1, empty=None, fired=4, **fields):
    """The additional action of a workers marker."""
    b = doing("workers", 2, player(**{"food": plant(), **fields}), decade=decade, cycle=cycle, empty=empty, fired=fired)
    return after(b, DONE) if b.stage == "main" else b


def chart_of(chart, decade=1790, cycle=4, **fields):
    """The same with markers on the chart; the workers marker lies on the last row."""
    b = doing("workers", 10, player(**{"food": plant(), "chart": chart, **fields}), decade=decade, cycle=cycle)
    return after(b, DONE)


# --- tiles ---


def test_wf_4_14_1_a_tile_is_taken_from_the_supply():
    b, effects = play(choosing(), (0, moves.TakeTile("school")))
    assert effects[0] == moves.TileTaken("WF-4.14.1", 0, "school", None)
    assert (b.tiles["school"], b.players[0].owns("school")) == (0, True)


@pytest.mark.parametrize(
    ("rule", "key", "fields", "decision"),
    [
        ("WF-4.14.1", "tile_twice", {"tiles": "inventor"}, moves.TakeTile("inventor")),
        ("WF-4.14.1", "tile_gone", {"tiles": "charisma"}, moves.TakeTile("charisma")),
        ("WF-4.14.1", "tile_gone", {}, moves.TakeTile("banker")),
        ("WF-4.14.2", "assign", {}, moves.TakeTile("foreman")),
        ("WF-4.14.2", "assign", {}, moves.TakeTile("school", "food")),
        ("WF-4.14.2", "no_tile", {}, moves.Reassign("foreman", "food")),
        ("WF-4.14.2", "assign", {"tiles": "school"}, moves.Reassign("school", "food")),
        ("WF-4.14.2", "same_space", {"tiles": "foreman:food"}, moves.Reassign("foreman", "food")),
        ("WF-4.14.3", "level", {}, moves.TakeMarker("production", "light")),
        ("WF-4.14.3", "level", {}, moves.TakeMarker("quality", "dark")),
        ("WF-4.14.3", "marker_twice", {"markers": "quality:light"}, moves.TakeMarker("quality", "light")),
        ("WF-4.14.4", "level", {}, moves.TakeShip(4)),
        ("WF-4.14.4", "ship_gone", {}, moves.TakeShip(3)),
        ("WF-4.14.4", "pier_free", {"ships": "2"}, moves.TakeShip(2, 2)),
        ("WF-4.14.4", "piers_full", {"ships": "2 2"}, moves.TakeShip(2)),
        ("WF-4.14.4", "smaller", {"ships": "2 4"}, moves.TakeShip(2, 4)),
        ("WF-4.14.4", "smaller", {"ships": "2 2"}, moves.TakeShip(2, 2)),
        ("WF-4.14.4", "no_ship", {"ships": "2 4"}, moves.TakeShip(2, 8)),
        ("WF-4.14.6", "no_tile", {}, moves.Broker(1)),
        ("WF-4.14.6", "bank_shares", {"tiles": "broker"}, moves.Broker(3)),
        ("WF-4.23.7", "loans", {"tiles": "broker", "loans": 1}, moves.Broker(1)),
        ("WF-4.1.4", "no_cash", {"tiles": "broker", "cash": 4}, moves.Broker(1)),
    ],
)
def test_wf_4_14_refused(rule, key, fields, decision):
    b = choosing(**fields)
    if decision == moves.TakeMarker("production", "light"):
        b.mat[0].markers = ["quality"]
        b.mat[1].markers = ["production"]
    if fields.get("markers"):
        b.mat[0].markers = ["quality"]
    assert refusal(b, 0, decision) == (rule, key)


def test_wf_4_14_1_a_fourth_tile_has_its_space():
    assert after(choosing(tiles="school office agent"), (0, moves.TakeTile("patent"))).asked == []


def test_wf_4_14_5_nothing_is_told_of_a_crew_that_nobody_needs():
    b, effects = play(choosing(), (0, moves.TakeShip(2)))
    assert (only(effects, moves.CrewHired, moves.CrewDismissed), b.players[0].crew) == ([], 0)


def test_wf_7_12_ships_lie_on_the_mat_in_order():
    b = set_up(player(ships="8"))
    special.back_to_mat(b, 8)
    assert b.mat[3].ships == [8, 10]


def test_wf_4_14_1_a_fifth_tile_sends_an_older_one_back():
    b, effects = play(choosing(tiles=FOUR), (0, moves.TakeTile("broker")))
    assert only(effects, moves.TileReturned) == []
    assert {d.kind for d in legal(b, 0)} == {"school", "office", "agent", "patent"}
    assert refusal(b, 0, moves.ReturnTile("broker")) == ("WF-4.14.1", "old_tile")
    assert refusal(b, 0, moves.TakeTile("engineer")) == ("WF-8.2", "decide_first")
    b, effects = play(b, (0, moves.ReturnTile("school")))
    assert effects[0] == moves.TileReturned("WF-4.14.1", 0, "school")
    assert [tile.kind for tile in b.players[0].tiles] == ["office", "agent", "patent", "broker"]
    assert b.tiles["school"] == 2  # WF-4.14.7: it lies in the supply for everybody


def test_wf_4_14_1_patrons_of_other_goods_are_other_tiles():
    b = choosing(tiles="patron_food")
    assert refusal(b, 0, moves.TakeTile("patron_lamps")) is None
    assert refusal(b, 0, moves.TakeTile("patron_food"))[0] == "WF-4.14.1"


def test_wf_4_15_16_a_returned_small_warehouse_is_emptied():
    b = after(
        choosing(tiles="small_warehouse school office agent", stored="3 lamps 2 food", slots="1 row"),
        (0, moves.TakeTile("broker")),
    )
    b, effects = play(b, (0, moves.ReturnTile("small_warehouse")))
    assert only(effects, moves.GoodsLost) == [
        moves.GoodsLost("WF-4.1.10", 0, "food", 1, False),
        moves.GoodsLost("WF-4.1.10", 0, "lamps", 2, False),
    ]


def test_wf_4_14_2_a_tile_moves_to_another_factory_space():
    """WF-4.15.10, WF-4.15.17: any of the four, whether a factory stands there or not."""
    b = choosing(tiles="workshop:food")
    assert {d.good for d in legal(b, 0, moves.Reassign)} == {"clothes", "cutlery", "lamps"}
    b, effects = play(b, (0, moves.Reassign("workshop", "lamps")))
    assert effects[0] == moves.TileReassigned("WF-4.14.2", 0, "workshop", "food", "lamps")
    assert b.players[0].works_at("workshop", "lamps")
    b = after(choosing(), (0, moves.TakeTile("foreman", "cutlery")))
    assert b.players[0].works_at("foreman", "cutlery")


# --- grey markers ---


def test_wf_4_14_3_a_grey_marker_of_the_development_level():
    b, effects = play(choosing(), (0, moves.TakeMarker("quality", "light")))
    assert effects[0] == moves.GreyMarkerTaken("WF-4.14.3", 0, "quality", "light", "I", False)
    assert (b.players[0].markers, mat_rows(b)["I"]) == (["quality:light"], ["machinery", "distribution"])
    b = choosing(decade=1800, markers="quality:light")
    assert refusal(b, 0, moves.TakeMarker("quality", "dark")) is None or mat_rows(b)["III"].count("quality") == 0


def test_wf_4_14_3_of_the_next_row_with_the_inventor():
    b, effects = play(choosing(tiles="inventor", decade=1790), (0, moves.TakeMarker("quality", "dark")))
    assert only(effects, moves.GreyMarkerTaken, moves.InventorUsed) == [
        moves.GreyMarkerTaken("WF-4.14.3", 0, "quality", "dark", "III", True),
        moves.InventorUsed("WF-4.14.3", 0, 1),
    ]
    assert legal(b, 0) == [moves.InventorKeep(), moves.InventorReturn()]
    assert to_act(after(b, (0, moves.InventorReturn()))) == (1,)


def test_wf_4_14_3_not_two_rows_further():
    b = choosing(tiles="inventor", decade=1770)
    assert {d.name for d in legal(b, 0, moves.TakeMarker)} == {"machinery", "distribution", "quality"}
    assert not [d for d in legal(b, 0, moves.TakeMarker) if d.shade == "dark"]


# --- ships ---


def test_wf_4_14_4_a_ship_for_a_free_pier():
    b, effects = play(choosing(), (0, moves.TakeShip(2)))
    assert effects[0] == moves.ShipTaken("WF-4.14.4", 0, 2, None, 0, False)
    assert (b.players[0].ships, b.mat[0].ships) == ([2], [2, 2, 2])


def test_wf_4_14_4_a_smaller_ship_is_replaced():
    b, effects = play(choosing(decade=1790, ships="2 4"), (0, moves.TakeShip(4, 2)))
    assert effects[0] == moves.ShipTaken("WF-4.14.4", 0, 4, 2, 0, False)
    assert (b.players[0].ships, b.mat[0].ships, b.mat[1].ships) == ([4, 4], [2, 2, 2, 2], [])


def test_wf_4_14_4_on_the_chart_the_new_ship_takes_its_place():
    """It is used again in this decade with costs of its own capacity."""
    b = chart_of("2 ship:2", ships="2 4")
    b, effects = play(b, (0, moves.TakeShip(4, 2)))
    assert effects[0].chart_row == 2
    assert b.players[0].chart["2"] == "ship:4"
    b = set_up(player(ships="4 4", chart="2 ship:4"), cycle=2, decade=1790)
    assert refusal(b, 0, moves.Reuse("ship:4", 2)) == ("WF-4.4.5", "ship_costs")


def test_wf_8_6_two_equal_ships_are_told_apart_by_where_they_lie():
    b = chart_of("2 ship:2", ships="2 2")
    assert [d for d in legal(b, 0, moves.TakeShip) if d.capacity == 4] == [
        moves.TakeShip(4, 2),
        moves.TakeShip(4, 2, 2),
    ]
    assert effects_after(b, (0, moves.TakeShip(4, 2)))[0].chart_row == 0
    assert effects_after(b, (0, moves.TakeShip(4, 2, 2)))[0].chart_row == 2
    assert refusal(b, 0, moves.TakeShip(4, 2, 6)) == ("WF-8.6", "which_ship")
    b = chart_of("2 ship:2 6 ship:2", ships="2 2")
    assert [d.row for d in legal(b, 0, moves.TakeShip) if d.capacity == 4] == [2, 6]
    b = chart_of("2 ship:2", ships="2 4")
    assert refusal(b, 0, moves.TakeShip(4, 2, 2)) == ("WF-8.6", "which_ship")


def test_wf_4_14_5_the_crew_is_as_large_as_the_ships_need():
    """WF-6.40."""
    b, effects = play(choosing(decade=1790), (0, moves.TakeShip(4)))
    assert only(effects, moves.CrewHired) == [moves.CrewHired("WF-4.14.5", 0, 1, 0, 1)]
    assert b.players[0].crew == 1
    b = choosing(decade=1790, empty=80, fired=0)
    assert refusal(b, 0, moves.TakeShip(4)) == ("WF-4.14.5", "no_workers")
    b = choosing(decade=1790, empty=80, fired=3)
    assert only(effects_after(b, (0, moves.TakeShip(4))), moves.CrewHired) == [moves.CrewHired("WF-4.14.5", 0, 0, 1, 1)]


def test_wf_4_14_5_a_crew_that_is_too_large_is_dismissed():
    b = doing("workers", 2, player(food=plant(), ships="2 4"), decade=1810, numbers={"ships.6.crew": 0})
    effects = effects_after(after(b, DONE), (0, moves.TakeShip(6, 4)))
    assert only(effects, moves.CrewDismissed) == [moves.CrewDismissed("WF-4.14.5", 0, 1, 0)]


def test_wf_4_14_4_a_ship_of_the_next_row_with_the_inventor():
    effects = effects_after(choosing(tiles="inventor"), (0, moves.TakeShip(4)))
    assert only(effects, moves.ShipTaken, moves.InventorUsed) == [
        moves.ShipTaken("WF-4.14.4", 0, 4, None, 0, True),
        moves.InventorUsed("WF-4.14.4", 0, 1),
    ]


# --- the broker ---


@pytest.mark.parametrize(("space", "count", "each"), [(22, 2, 8), (13, 1, 6), (4, 2, 5)])
def test_wf_4_14_6_the_broker_buys_at_half_price(space, count, each):
    """WF-6.26: rounded up for each share, on the price of a purchase. WF-4.15.4: the tile is returned."""
    b, effects = play(choosing(tiles="broker", space=space), (0, moves.Broker(count)))
    assert effects[:2] == [
        moves.SharesBought("WF-4.14.6", 0, count, each, count * each, True),
        moves.TileReturned("WF-4.14.6", 0, "broker"),
    ]
    assert b.players[0].shares == 10 + count


def test_wf_4_14_after_one_marker_there_is_no_other():
    b = choosing(tiles="broker " + FOUR.replace("school ", ""))
    b = after(b, (0, moves.TakeTile("engineer")))
    b.asked = []
    assert refusal(b, 0, moves.TakeTile("developer")) == ("WF-4.14", "marker_taken")


def test_wf_2_15_3_an_event_offers_a_special_marker_to_everybody():
    """No broker takes part."""
    b = set_up(
        player(food=plant(), tiles="broker"), decade=1770, cycle=0, stage="event", options={"events": "predetermined"}
    )
    b = after(b, (TABLE, moves.RevealEvent("lobby")))
    assert refusal(b, 0, moves.Broker(1)) == ("WF-2.15.3", "event")
    b = after(b, (0, moves.TakeTile("school")))
    assert to_act(b) == (1,)
    b = after(b, (1, moves.TakeShip(2)))
    assert to_act(b) == (2,)


def test_wf_3_6_3_only_special_markers_serve_the_set_up():
    b = set_up(player(tiles="foreman:food broker"), stage="special", decade=1760, cycle=0, turns=2)
    assert refusal(b, 0, moves.Reassign("foreman", "lamps")) == ("WF-3.6.3", "setup")
    assert refusal(b, 0, moves.Broker(1)) == ("WF-3.6.3", "setup")


def test_wf_8_2_another_action_offers_no_special_marker():
    b = after(doing("distribution", 4, player(food=plant())), DONE)
    assert refusal(b, 0, moves.TakeTile("school")) == ("WF-8.2", "wrong_action")
    assert refusal(set_up(player()), 0, moves.TakeTile("school")) == ("WF-8.2", "wrong_phase")


def test_wf_4_15_1_tiles_are_kept_unless_they_are_returned():
    """WF-4.15.2, WF-4.15.5, WF-4.15.14: they are used where their rules say."""
    b = set_up(player(tiles="accountant administrator charisma patron_food"))
    b = after(b, (0, moves.Place("workers", 4, 2)))
    assert [tile.kind for tile in b.players[0].tiles] == ["accountant", "administrator", "charisma", "patron_food"]


def test_wf_4_15_18_an_assignment_stays_on_its_space():
    b = set_up(player(tiles="foreman:food"))
    assert b.players[0].works_at("foreman", "food") and b.players[0].factories["food"] is None
    assert special.crew_needed(b, [2, 4, 6]) == 3
