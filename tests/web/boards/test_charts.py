"""Charts: a line for each seat over the steps, with labels that can be read."""

from __future__ import annotations

from itertools import pairwise

import pytest

from daybook.web.boards.charts import LABEL_HEIGHT_PERCENT, axis_ticks, build_chart, spread_labels, step_path


def test_line_stays_level_and_jumps_at_the_changing_step():
    assert step_path([0, 0, 5, 5, 10], 0, 10) == "M0 100H2V50H4V0H4"


def test_amounts_are_drawn_from_zero():
    drawn = build_chart("money", [[5, 6], [10, 6]])
    assert drawn.width == 1
    assert [line.y for line in drawn.lines] == [0, 40]
    assert [line.last for line in drawn.lines] == [10, 6]


def test_amounts_below_zero_have_room():
    drawn = build_chart("money", [[0], [-5]])
    assert drawn.lines[0].y == 100
    assert drawn.ticks[-1] == (100, -5)


def test_amounts_whose_labels_would_touch_are_left_out():
    assert build_chart("score", [[0], [300], [-10]]).ticks == [(0, 300), (96.8, 0)]
    assert build_chart("score", [[0], [-300]]).ticks[-1] == (100, -300)


def test_chart_of_rounds_has_a_place_for_each_round():
    drawn = build_chart("score", [[0], [0], [5], [5], [9]], [0, 0, 1, 1, 2])
    assert (drawn.width, drawn.at(3), drawn.lines[0].path) == (2, 1, "M0 100H1V44.44H2V0H2")


def test_lowest_score_is_at_the_top_where_it_wins():
    drawn = build_chart("score", [[0, 0], [5, 20]], lowest_wins=True)
    assert [line.y for line in drawn.lines] == [25, 100]
    assert drawn.ticks == [(0, 0), (100, 20)]


def test_a_game_that_has_only_been_opened_has_a_chart():
    assert build_chart("money", [[0, 0]]).lines[0].path == "M0 100H0"


@pytest.mark.parametrize(("high", "marked"), [(7, [7, 0]), (101, [100, 0]), (99, [90, 0]), (1, [1, 0])])
def test_the_scale_names_a_round_amount(high, marked):
    assert axis_ticks(0, high) == marked


@pytest.mark.parametrize("ends", [[50.0, 50.0, 50.0], [100.0, 99.0, 100.0, 98.0], [0.0, 0.0], [0.0] * 6, [3.0, 80.0]])
def test_end_labels_do_not_lie_on_one_another(ends):
    placed = spread_labels(ends)
    ordered = sorted(placed)
    assert all(later - earlier >= LABEL_HEIGHT_PERCENT - 0.2 for earlier, later in pairwise(ordered))
    assert ordered[0] >= 0 and ordered[-1] <= 100
    assert [sorted(range(len(ends)), key=lambda seat: (ends[seat], seat))] == [
        sorted(range(len(ends)), key=lambda seat: (placed[seat], seat))
    ], "labels keep the order of their lines"


def test_numbers_of_close_moments_stay_apart_and_in_order():
    drawn = build_chart("money", [[0]] * 101)
    places = drawn.numbers([2, 50, 97, 98, 99, 100])
    assert [at for at, _ in places] == [2, 50, 97, 98, 99, 100]
    assert [number for _, number in places] == [2, 50, 70, 80, 90, 100]


def test_labels_that_have_room_stand_at_their_lines():
    assert spread_labels([10.0, 90.0]) == [10.0, 90.0]
