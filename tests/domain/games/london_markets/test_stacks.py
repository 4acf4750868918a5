"""LM-4.2: bars on a market, checked against a model that lays crates cell by cell."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from daybook.domain.games.london_markets import stacks
from daybook.domain.games.london_markets.moves import BarPlaced, PlaceBar, UseMerchant
from daybook.domain.games.london_markets.printed import MARKETS
from tests.domain.games.london_markets.playing import (
    after,
    board_at_first_card,
    crates,
    game,
    legal,
    opening_board,
    play,
    player,
    refusal,
    set_up,
    stack,
)


def on_display(layers):
    """LM-4.2.1 to LM-4.2.6 word by word: nine cells, each bar covers three of them, the upper layers the lower ones."""
    top = {}
    for number, layer in enumerate(layers):
        for slot, owner in enumerate(layer):
            if owner is None:
                continue
            for along in range(3):
                row, column = (along, slot) if number % 2 == 0 else (slot, along)
                top[row, column] = owner
    return [list(top.values()).count(seat) for seat in range(4)]


def board_with_stack(drawing):
    return set_up(*[player()] * 4, bars={"PORT": drawing})


@pytest.mark.parametrize(
    ("drawing", "shown"),
    [
        ("R", [3, 0, 0, 0]),
        ("R R B", [6, 3, 0, 0]),
        ("R R B / G", [4, 2, 3, 0]),
        ("R R B / G G", [2, 1, 6, 0]),
        ("R R B / G G Y", [0, 0, 6, 3]),
        ("B B R / B", [2, 7, 0, 0]),
        ("Y Y B / Y Y", [0, 1, 0, 8]),
        ("G R B / G", [2, 2, 5, 0]),
        ("R R R / R", [9, 0, 0, 0]),
    ],
)
def test_lm_4_2_12_crates_on_display(drawing, shown):
    assert crates(board_with_stack(drawing), "PORT") == shown == on_display(stack(drawing))


@pytest.mark.parametrize("seed", range(12))
def test_lm_4_2_7_the_closed_form_agrees_with_the_cells(seed):
    chance = random.Random(seed)
    b = opening_board(4)
    for placed in range(1, 21):
        slots = stacks.free_slots(b, "PORT")
        stacks.place(b, chance.randrange(4), "PORT", chance.choice([None, *slots]))
        shown = crates(b, "PORT")
        assert shown == on_display(b.stacks["PORT"])
        assert sum(shown) == min(9, 3 * placed)


@pytest.mark.parametrize("seed", range(10))
def test_lm_4_2_12_all_markets_show_what_each_does(seed):
    chance, b = random.Random(seed), opening_board(4)
    for _ in range(40):
        stacks.place(b, chance.randrange(4), chance.choice(MARKETS), None)
        assert stacks.on_display(b) == [
            sum(seats) for seats in zip(*(crates(b, value) for value in MARKETS), strict=True)
        ]


@pytest.mark.parametrize("slots", list(permutations(range(3), 2)))
def test_lm_4_2_8_and_lm_6_1_slots_change_no_count_at_any_height(slots):
    """Two bars on three: whichever slots they take, each takes a crate from each bar below."""
    lower, upper = opening_board(4), opening_board(4)
    for owner in (0, 1, 1):
        stacks.place(lower, owner, "PORT", None)
        stacks.place(upper, owner, "PORT", [0, 1, 2][stacks.bars_on(upper, "PORT") - 3])
    for owner, slot in zip((2, 3), slots, strict=True):
        stacks.place(lower, owner, "PORT", None)
        stacks.place(upper, owner, "PORT", slot)
    assert lower.stacks["PORT"][1] == [2, 3, None]
    assert crates(lower, "PORT") == crates(upper, "PORT") == [1, 2, 3, 3]


@pytest.mark.parametrize("seed", range(10))
def test_lm_4_2_8_slots_and_first_direction_change_no_count(seed):
    # also LM-6.1, LM-6.2
    chance = random.Random(seed)
    owners = [chance.randrange(4) for _ in range(11)]
    shown = []
    for _ in range(2):
        b = opening_board(4)
        for owner in owners:
            stacks.place(b, owner, "PORT", chance.choice(stacks.free_slots(b, "PORT")))
        shown.append(crates(b, "PORT"))
        turned = [[None] * 3, *b.stacks["PORT"]]  # the first layer horizontal
        assert on_display(turned) == shown[-1]
    assert shown[0] == shown[1]


def test_lm_4_2_1_three_bars_make_nine_cells_next_crosses():
    """A bar shows three crates where it lies and takes one from each bar below it."""
    # also LM-4.2.2, LM-4.2.3
    b, shown = opening_board(4), []
    places = []
    for owner in (0, 1, 2, 3, 0, 1, 2):
        places.append(stacks.place(b, owner, "PORT", None))
        shown.append(crates(b, "PORT"))
    assert places == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0)]
    assert shown == [[3, 0, 0, 0], [3, 3, 0, 0], [3, 3, 3, 0], [2, 2, 2, 3], [4, 1, 1, 3], [3, 3, 0, 3], [2, 2, 3, 2]]


def test_lm_4_2_4_no_higher_bar_before_three_lie_in_a_layer():
    b = after(board_with_stack("R R ."), (0, UseMerchant("stack")))
    assert {d.slot for d in legal(b, 0, PlaceBar)} == {None, 2}
    b, effects = play(b, (0, PlaceBar()))
    assert [(e.layer, e.slot) for e in effects if isinstance(e, BarPlaced)] == [(0, 2)]
    assert {d.slot for d in legal(b, 0, PlaceBar)} == {None, 0, 1, 2}
    b, effects = play(b, (0, PlaceBar(1)))
    assert [(e.layer, e.slot) for e in effects if isinstance(e, BarPlaced)] == [(1, 1)]
    assert b.stacks["PORT"] == [[0, 0, 0], [None, 0, None]]


def test_lm_4_2_5_any_free_slot_of_the_open_layer():
    b = after(board_with_stack("R R B / . G ."), (0, UseMerchant("stack")))
    assert refusal(b, 0, PlaceBar(1)) == ("LM-4.2.5", "slot_taken")
    assert refusal(b, 0, PlaceBar(3)) == ("LM-4.2.5", "slot_taken")
    b, effects = play(b, (0, PlaceBar(2)), (0, PlaceBar()))
    assert b.stacks["PORT"][1] == [0, 2, 0]
    assert [(e.layer, e.slot) for e in effects if isinstance(e, BarPlaced)] == [(1, 2), (1, 0)]


def test_lm_4_2_6_and_lm_4_2_9_covered_crates_do_not_count():
    assert crates(board_with_stack("R R R / B B B"), "PORT") == [0, 9, 0, 0]


def test_lm_4_2_10_bars_stay_where_they_are():
    lying = {}
    for b, _, _ in game(board_at_first_card(4), 5):
        for market in MARKETS:
            now = [slot for layer in b.stacks[market] for slot in layer]
            before = lying.get(market, [])
            assert all(was in (None, is_now) for was, is_now in zip(before, now, strict=False))
            lying[market] = now
    assert max(len(now) for now in lying.values()) > 9


@pytest.mark.parametrize(
    ("drawing", "below", "above"), [("R R B / R", 2, 1), ("R R B / R R", 2, 2), ("R B G / R", 1, 1)]
)
def test_lm_4_2_11_top_bar_leaves_two_crates_below_two_leave_one(drawing, below, above):
    each_below = 3 - above
    assert crates(board_with_stack(drawing), "PORT")[0] == 3 * above + each_below * below
