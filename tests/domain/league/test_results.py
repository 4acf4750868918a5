"""Results: places that follow from scores, and places that are against them."""

from __future__ import annotations

import pytest

from daybook.domain.league.results import Placed, Result, by_score, contradiction, follow_scores


def result_of(*lines: tuple[str, int, int | None], lowest_wins: bool = False) -> Result:
    placed = tuple(Placed(person, seat, place, score) for seat, (person, place, score) in enumerate(lines))
    return Result("1.1", ":Azul", "2026-05-02T10:00:00.000Z", placed, lowest_wins=lowest_wins)


def test_scores_make_places_and_who_dropped_out_comes_last():
    assert by_score([(31, False), (44, False), (44, False), (99, True), (None, True)]) == [3, 1, 1, 4, 4]


@pytest.mark.parametrize(
    ("lines", "follow"),
    [
        ([("anna", 1, 44), ("ben", 2, 31)], True),
        ([("anna", 1, 44), ("ben", 1, 44)], True),
        ([("anna", 2, 44), ("ben", 1, 44)], False),  # a tie-break decided
        ([("anna", 1, None), ("ben", 2, None)], False),
        ([("anna", 1, 31), ("ben", 2, 44)], False),
    ],
)
def test_places_that_say_no_more_than_the_scores(lines, follow):
    assert follow_scores(result_of(*lines)) is follow


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([("anna", 1, 44), ("ben", 2, 31)], None),
        ([("anna", 2, 44), ("ben", 1, 44)], None),
        ([("anna", 1, None), ("ben", 2, 31)], None),
        (
            [("anna", 1, 5), ("ben", 2, 84), ("cleo", 3, 60)],
            "ben has 84 points and place 2, and anna with 5 points has place 1",
        ),
    ],
)
def test_a_place_against_the_scores_is_told(lines, message):
    found = contradiction(result_of(*lines))
    assert (None if found is None else str(found)) == message


def test_lowest_score_is_placed_first_where_it_wins():
    lines = [("anna", 1, 12), ("ben", 2, 31)]
    assert (
        follow_scores(result_of(*lines, lowest_wins=True))
        and contradiction(result_of(*lines, lowest_wins=True)) is None
    )
    assert not follow_scores(result_of(*lines)) and contradiction(result_of(*lines)) is not None
