"""WF-4.1.9, WF-4.1.10 and WF-4.20: stored goods, lost goods, and whose choice it is."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import course, storage
from daybook.domain.games.water_frame.board import Ask, Sale
from daybook.domain.games.water_frame.moves import Discard, Done, GoodsLost, GoodsStored, HireWarehouse, MoveWarehouse
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.games.water_frame.rules import STEPS
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import after, legal, parse_counts, plant, play, player, refusal, set_up


def run_storage(given, unsold=0, cycle=1, **position):
    """Run the storage of a production phase in which seat 0 has goods left; return the board and the effects."""
    none = [0] * 3
    sale = Sale(
        made=[unsold, 0, 0],
        at_hand=[unsold, 0, 0],
        sold=none,
        extra=none,
        from_store=none,
        patron=none,
        closed=none,
        stopped=[False] * 3,
        offered=[False] * 3,
    )
    b, effects = set_up(given, cycle=cycle, stage="storage", sale=sale, **position), []
    course.go_on(b, STEPS, effects.append)
    return b, effects


def test_wf_4_1_9_room_of_the_large_warehouse():
    """Its column holds five of a good, its rows one each (WF-2.12.3)."""
    b = set_up(player(slots="1 food 3 row"))
    assert [storage.room(b, 0, good) for good in ("food", "clothes", "cutlery", "lamps")] == [5, 3, 3, 3]


@pytest.mark.parametrize(
    ("given", "bad"),
    [
        (player(stored="1 food"), "food"),
        (player(stored="1 food", slots="1 row"), None),
        (player(stored="5 food 1 lamps", slots="1 food"), "lamps"),
        (player(stored="2 food 3 lamps", tiles="small_warehouse"), None),
        (player(stored="3 food 3 lamps", tiles="small_warehouse"), "lamps"),
        (player(stored="6 food 3 lamps", slots="1 food", tiles="small_warehouse"), None),
        (player(stored="3 food", tiles="small_warehouse", food=plant(price=8, quality=2)), None),
        (player(stored="5 cutlery", tiles="small_warehouse", cutlery=plant(price=10)), None),
    ],
)
def test_wf_4_1_9_what_may_be_stored(given, bad):
    b = set_up(given | {"stored": {}})
    b.players[0].stored |= given["stored"]
    assert storage.misplaced_good(b, 0) == bad


def test_wf_4_1_9_the_overflow_blocks_the_top_of_the_price_scale():
    b = set_up(player(stored="4 food", slots="1 row", tiles="small_warehouse", food=plant()))
    assert (storage.overflow(b, 0, "food"), storage.highest_price(b, 0, "food")) == (3, 22)
    assert (storage.overflow(b, 0, "lamps"), storage.highest_price(b, 0, "lamps")) == (0, 25)
    assert [storage.scale_room(b, 0, good) for good in ("food", "lamps")] == [19, 21]


def test_wf_4_1_9_price_may_leave_less_room_than_goods():
    given = player(tiles="small_warehouse", lamps=plant(level=4, price=23, quality=4))
    b = set_up(given, decade=1810)
    b.players[0].stored["lamps"] = 3
    assert storage.misplaced_good(b, 0) == "lamps"


def test_wf_4_1_10_without_small_warehouse_excess_is_lost():
    b, effects = run_storage(player(stored="2 food", slots="2 row", food=plant()), 3)
    assert only(effects, GoodsStored, GoodsLost) == [
        GoodsStored("WF-4.20.1", 0, "food", 3),
        GoodsLost("WF-4.1.10", 0, "food", 3, False),
    ]
    assert b.players[0].stored["food"] == 2


def test_wf_4_1_10_above_the_price_goods_are_lost_first():
    given = player(tiles="small_warehouse", lamps=plant(level=4, price=23, quality=4))
    b, effects = run_storage(given, 4, cycle=4, decade=1810)
    assert only(effects, GoodsLost) == [GoodsLost("WF-4.1.10", 0, "lamps", 2, False)]
    assert b.players[0].stored["lamps"] == 2


def test_wf_4_1_10_one_good_alone_is_cut_without_a_question():
    b, effects = run_storage(player(stored="4 food", tiles="small_warehouse", food=plant()), 3)
    assert only(effects, GoodsLost) == [GoodsLost("WF-4.1.10", 0, "food", 2, False)]
    assert not b.asked


def test_wf_9_44_player_chooses_what_leaves_the_small_one():
    b, _ = run_storage(player(stored="2 food 1 clothes", tiles="small_warehouse", lamps=plant(price=9)), 3, cycle=4)
    assert [ask.what for ask in b.asked] == ["discard"]
    assert legal(b, 0) == [Discard("food"), Discard("clothes"), Discard("lamps")]
    assert refusal(b, 0, Discard("cutlery")) == ("WF-4.1.10", "not_in_small")
    assert refusal(b, 0, Done()) == ("WF-4.1.2", "decide_first")
    for good in ("food", "clothes"):
        c, effects = play(b, (0, Discard(good)))
        assert effects[0] == GoodsLost("WF-4.1.10", 0, good, 1, True)
        assert (c.asked, c.players[0].stored["lamps"], c.stage) == ([], 3, "storage")


def test_wf_4_1_10_the_choice_ends_when_only_one_good_is_left():
    b, _ = run_storage(player(stored="5 food", tiles="small_warehouse", lamps=plant(price=9)), 5, cycle=4)
    for _ in range(4):
        b = after(b, (0, Discard("food")))
        assert b.asked
    b, effects = play(b, (0, Discard("food")))
    assert (b.asked, b.players[0].stored["lamps"]) == ([], 5)
    assert len(only(effects, GoodsLost)) == 1


def test_wf_9_38_an_unsold_good_is_stored():
    b, effects = run_storage(player(slots="1 row", food=plant(price=6)), 1)
    assert b.players[0].stored["food"] == 1
    assert only(effects, GoodsStored, GoodsLost) == [GoodsStored("WF-4.20.1", 0, "food", 1)]


def test_wf_4_20_1_goods_in_the_small_warehouse_may_be_given_up():
    """WF-6.44: they block prices."""
    b, _ = run_storage(player(tiles="small_warehouse", food=plant()), 2)
    assert (b.stage, legal(b, 0)) == ("storage", [Done(), Discard("food")])
    assert refusal(b, 0, Discard("lamps")) == ("WF-4.1.10", "not_in_small")
    one = after(b, (0, Discard("food")))
    assert (one.stage, one.players[0].stored["food"]) == ("storage", 1)
    assert after(one, (0, Discard("food"))).stage == "economy"
    assert after(b, (0, Done())).players[0].stored["food"] == 2


def test_wf_4_20_1_player_without_unsold_goods_is_not_asked():
    b, _ = run_storage(player(stored="3 lamps", tiles="small_warehouse", food=plant()))
    assert b.stage == "economy"
    b, _ = run_storage(player(slots="1 food", tiles="small_warehouse", food=plant()), 3)
    assert b.stage == "economy"


def test_wf_4_20_2_goods_move_freely_between_warehouses():
    """Room in the large warehouse is taken first, whenever storage is looked at."""
    # also WF-6.54
    b = set_up(player(stored="5 food", tiles="small_warehouse", food=plant()))
    assert storage.overflow(b, 0, "food") == 5
    b.players[0].slots["food"] = 1
    assert storage.overflow(b, 0, "food") == 0


def test_wf_4_20_2_nobody_hires_in_the_production_phase():
    b, _ = run_storage(player(tiles="small_warehouse", food=plant()), 2)
    assert refusal(b, 0, HireWarehouse("food")) == ("WF-8.2", "wrong_phase")
    assert refusal(b, 0, MoveWarehouse("food", "row")) == ("WF-8.2", "wrong_phase")


# --- where it just fits ---


def with_goods(b, named):
    """The same goods, put there without asking."""
    b.players[0].stored |= parse_counts(named)
    return b


def fix_storage(b):
    effects = []
    storage.fix(b, 0, effects.append)
    return effects


@pytest.mark.parametrize(("food", "lost"), [(5, []), (6, [1]), (8, [3])])
def test_wf_4_1_10_excess_of_a_single_good_is_lost(food, lost):
    b = with_goods(set_up(player(tiles="small_warehouse")), f"{food} food")
    assert fix_storage(b) == [GoodsLost("WF-4.1.10", 0, "food", count, False) for count in lost]
    assert (b.players[0].stored["food"], b.asked) == (5, [])


def test_wf_4_1_10_of_several_goods_the_player_chooses():
    b = with_goods(set_up(player(tiles="small_warehouse")), "3 food 3 lamps")
    assert (fix_storage(b), b.asked) == ([], [Ask(0, "discard")])


def test_wf_4_1_9_small_warehouse_excess_is_the_last_goods():
    b = with_goods(set_up(player(tiles="small_warehouse")), "2 food 2 clothes 2 cutlery")
    assert storage.misplaced_good(b, 0) == "cutlery"


def test_wf_4_15_17_without_small_warehouse_scale_is_free():
    b = set_up(player())
    assert [storage.overflow(b, 0, good) for good in GOODS] == [0] * 4
    assert storage.highest_price(b, 0, "food") == 25


@pytest.mark.parametrize(("query", "key"), [([], "wrong_phase"), ([Ask(0, "return_tile")], "decide_first")])
def test_wf_8_2_nothing_is_discarded_while_not_asked(query, key):
    b = set_up(player(tiles="small_warehouse", stored="2 food"))
    b.asked = query
    assert refusal(b, 0, Discard("food"))[1] == key
