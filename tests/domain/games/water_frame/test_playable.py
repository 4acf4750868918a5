"""Sheets of Water Frame with which a game would begin and break off: barred, each by the rule it goes against."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.moves import Found
from daybook.domain.games.water_frame.printed import ROWS
from daybook.domain.kernel.sheet import overridden
from daybook.services.store.sheets import examine_sheet
from tests.domain.games.water_frame.playing import SHEET, founding, refusal


def barring_rules_with(numbers: dict[str, Any]) -> list[str]:
    return [finding.rule for finding in examine_sheet(WATER_FRAME, overridden(SHEET, numbers)) if finding.barred]


@pytest.mark.parametrize(
    ("rule", "numbers"),
    [
        ("WF-2.13", {"timetable.1800.obsolete": ["III"]}),  # the level that can just be built
        ("WF-2.13", {"timetable.1800.obsolete": ["IV"]}),
        ("WF-2.13", {"timetable.1800.level": "I"}),
        ("WF-2.13", {"timetable.1800.level": "IV"}),
        ("WF-2.21.4", {"loan.amount": 0}),
        ("WF-2.18", {"seats.4.laid": 9}),
        ("WF-2.18", {"mat.III.shade": "light"}),
        ("WF-2.19", {"predetermined.mat.2.III": ["machinery", "machinery"]}),
        ("WF-2.19.5", {"tiles.patron_food.copies": 0}),
        ("WF-2.3.1", {"factories.food.II": 7}),
        ("WF-2.3.4", {"factories.lamps.IV": 16}),
        ("WF-2.21.2", {"shares.held": 0}),
        ("WF-2.21.2", {"shares.setup_price": 1}),
        ("WF-2.8.1", {"price.most": 6}),
        ("WF-2.20", {"predetermined.players.4.blue.prices": [6, 26]}),
        ("WF-2.20", {"predetermined.players.4.blue.prices": [10, 6]}),
        ("WF-2.21.1", {"predetermined.players.2.blue.shares": 31}),
    ],
)
def test_a_sheet_that_would_break_a_game_is_barred(rule, numbers):
    assert rule in barring_rules_with(numbers)


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        (
            {"timetable.1800.level": "I", "timetable.1800.obsolete": []},
            [
                "WF-2.13: the development level does not fall from decade to decade: 1, 1, 1, 2, 2, 3, not 1, 1, 2, 2, 1, 3"
            ],
        ),
        (
            {"timetable.1800.level": "V"},
            [
                "WF-2.13: the development level does not fall from decade to decade: 1, 1, 2, 2, 3, 5, not 1, 1, 2, 2, 5, 3"
            ],
        ),
        (
            {"predetermined.mat.2.I": ["machinery", "machinery"]},
            ["WF-2.19: the light rows of the predetermined mat hold 2 of a marker, and there are 1"],
        ),
        (
            {"predetermined.mat.2.III": ["machinery", "machinery"]},
            ["WF-2.19: the dark rows of the predetermined mat hold 2 of a marker, and there are 1"],
        ),
        (
            {
                "mat.III.shade": "light",
                "seats.4.grey_sets": 9,
                "predetermined.mat.2.III": [],
                "predetermined.mat.3.III": [],
            },
            [
                "WF-2.18: the light rows of the mat hold 6 markers, and there are 4",
                "WF-2.18: the light rows of the mat hold 9 markers, and there are 8",
            ],
        ),
        (
            {
                "mat.II.shade": "dark",
                "seats.4.grey_sets": 9,
                "predetermined.mat.2.II": [],
                "predetermined.mat.3.II": [],
            },
            [
                "WF-2.18: the dark rows of the mat hold 6 markers, and there are 4",
                "WF-2.18: the dark rows of the mat hold 9 markers, and there are 8",
            ],
        ),
        (
            {
                "predetermined.tiles.2": ["school"],
                "predetermined.tiles.3": ["office"],
                "predetermined.tiles.4": ["patent"],
                "tiles.school.copies": 0,
            },
            [
                "WF-2.19.5: of the tiles laid out for 2 players, school, the box holds ",
                "WF-2.19.5: of the tiles laid out for 3 players, office, school, the box holds office",
                "WF-2.19.5: of the tiles laid out for 4 players, office, patent, school, the box holds office, patent",
            ],
        ),
        (
            {"shares.held": 2, "shares.setup_price": 10},
            ["WF-2.21.2: the shares of the set-up pay for two factories: £21 at least, not £20"],
        ),
    ],
)
def test_what_bars_a_sheet_is_told(numbers, says):
    found = examine_sheet(WATER_FRAME, overridden(SHEET, numbers))
    assert [f"{finding.rule}: {finding.reason}" for finding in found if finding.barred] == says


@pytest.mark.parametrize(
    "numbers",
    [
        {"shares.held": 3, "shares.setup_price": 7},  # £21 for the two dearest factories
        {"predetermined.players.4.blue.prices": [9, 10]},  # clothes and cutlery at their quality
        {"harbour.piers": 0},
        {"harbour.rows": 0},
        {"loan.amount": 1},
        {"factories.food.II": 8},
        {"seats.4.laid": 6},
        {"timetable.1810.level": "IV"},
        {"seats.2.laid": 0},
        {"seats.2.laid": 0, "seats.2.grey_sets": 0} | {f"predetermined.mat.2.{row}": [] for row in ROWS},
    ],
)
def test_an_odd_sheet_that_can_be_played_passes(numbers):
    """tests/web/recording/test_sheets_played.py plays such sheets to their end."""
    assert barring_rules_with(numbers) == []


def test_wf_2_8_1_no_factory_is_founded_above_the_price_scale():
    b = founding(
        numbers={"factories.lamps.I": 40, "factories.lamps.II": 40, "factories.lamps.III": 40, "factories.lamps.IV": 40}
    )
    assert refusal(b, 0, Found("lamps", 26)) == ("WF-3.5.1", "price")
    assert refusal(b, 0, Found("lamps", 25)) is None
