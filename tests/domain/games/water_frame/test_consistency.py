"""WF-2 and WF-9: what the printed numbers have to go together with, told where a group's box says otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.consistency import (
    CONSISTENCY,
    demand_when_empty,
    emergency,
    purchase,
    share_value_at,
    wage_when_empty,
)
from daybook.domain.kernel.sheet import overridden
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.store.printed_sheets import printed_sheet

SHEET = printed_sheet("water_frame")


def inconsistencies(**overrides: Any) -> list[tuple[str, bool, str]]:
    """What does not hold: rule, whether no game can be played, what was expected and found."""
    sheet = overridden(SHEET, {path.replace("__", "."): value for path, value in overrides.items()})
    needed = [one for one in CONSISTENCY if one.needed and one.of(sheet)[0] != one.of(sheet)[1]]
    missed = needed or [one for one in CONSISTENCY if one.of(sheet)[0] != one.of(sheet)[1]]
    return [
        (one.rule, one.needed, one.says.format(expected=one.of(sheet)[0], found=one.of(sheet)[1], **one.figures))
        for one in missed
    ]


def inconsistencies_with(changes: dict[str, Any]) -> list[tuple[str, bool, str]]:
    return inconsistencies(**{path.replace(".", "__"): value for path, value in changes.items()})


def test_the_sheet_that_daybook_comes_with_holds_every_expectation() -> None:
    assert inconsistencies() == []
    assert len(CONSISTENCY) > 90


ADDED = [
    f"{table}.{key}.{column}"
    for table, addition in SHEET.additions.items()
    for key in addition.keys
    for column in addition.row
]


@pytest.mark.parametrize("one", CONSISTENCY, ids=lambda one: one.rule)
def test_every_expectation_names_numbers_of_the_sheet(one: Any) -> None:
    """Those that it has, or takes in a row that a group adds."""
    assert one.paths
    for path in one.paths:
        assert any(known.startswith(path) for known in (*SHEET.numbers, *ADDED)), path
    assert "{found}" in one.says
    assert "{expected}" in one.says


def test_every_worked_example_that_rests_on_printed_numbers_is_asked() -> None:
    asked = {one.rule for one in CONSISTENCY if one.rule.startswith("WF-9.")}
    without = {5, 18, 22, 25, 28, 31, 35, 36, 38, 52, 53, 54}  # these rest on no printed number
    assert asked == {f"WF-9.{n}" for n in range(1, 55) if n not in without}


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"share_track.2.up_to": 26}, {"WF-2.7", "WF-9.50"}),
        ({"share_track.1.up_to": 12}, {"WF-2.7", "WF-9.20", "WF-9.46", "WF-9.48", "WF-9.50"}),
        ({"factories.food.II": 11}, {"WF-9.11", "WF-9.12"}),
        ({"factories.food.I": 7}, {"WF-9.1", "WF-9.3", "WF-9.4", "WF-9.10"}),
        ({"factories.clothes.II": 14}, {"WF-2.3.2"}),
        ({"rows.clothes.1.spaces": 3}, {"WF-9.4", "WF-9.40"}),
        ({"rows.clothes.1.spaces": 3, "rows.clothes.2.spaces": 1, "rows.clothes.2.machines": 0}, set()),
        ({"wages.1.up_to": 7}, {"WF-9.34"}),
        ({"wages.4.up_to": 25}, {"WF-2.6.1"}),
        ({"wages.4.wage": 3}, {"WF-2.6.5", "WF-9.47"}),
        ({"goods.food.unnumbered": 1}, {"WF-2.6.2"}),
        ({"tiles.inventor.copies": 3}, {"WF-2.1.13"}),
        ({"tiles.inventor.copies": 3, "tiles.unknown_a.copies": 1}, set()),
        ({"tiles.windmill.name": "Windmill"}, {"WF-2.1.13"}),
        ({"events.corn_riots.name": "Corn Riots"}, {"WF-2.1.11"}),
        ({"events.unknown_a.name": "Corn Riots", "events.unknown_a.effect": "pay"}, set()),
        ({"thresholds.machinery.colour": [3, 6, 9]}, {"WF-9.15"}),
        ({"thresholds.quality.light": [8, 5, 12]}, {"WF-2.10.2"}),
        ({"output.IV.1": 0, "output.IV.2": 0}, {"WF-2.5"}),
        ({"economy.food": ["0/1"] * 8}, {"WF-2.1.12"}),
        ({"ships.2.copies": 3}, {"WF-2.1.14"}),
        ({"predetermined.players.4.blue.capital": 70}, {"WF-9.4"}),
    ],
)
def test_what_contradicts_the_rulebook_is_told_and_forbids_nothing(changes: dict[str, Any], rules: set[str]) -> None:
    found = inconsistencies_with(changes)
    assert {rule for rule, _, _ in found} == rules
    assert not any(needed for _, needed, _ in found)


def test_an_example_says_what_was_expected_and_what_came_out() -> None:
    (said,) = [text for rule, _, text in inconsistencies_with({"share_track.1.up_to": 12}) if rule == "WF-9.48"]
    assert said == "an emergency sale for £30 on space 28 (shares, space, £ left): [2, 24, 8]; here [2, 24, 10]"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"share_track.3.spaces": 1},
            [
                "three shares on space 36 cost £66; with these numbers £78",
                "19 shares on space 35, and on space 41, are worth £[418, 456]; with these numbers £[475, 589]",
            ],
        ),
        (
            {"rows.food.1.spaces": 3, "rows.food.2.spaces": 4},
            [
                "rows 1 and 2 of food take [2, 2] workers; with these numbers [3, 4]",
                "rows 1 and 2 of food, clothes, cutlery and lamps take [4, 4, 5, 6] workers; here [7, 4, 5, 6]",
                "that row has [2, 1] spaces, of which machines take; with these numbers [3, 1]",
            ],
        ),
        ({"thresholds.quality.colour": [5, 12]}, []),
        ({"thresholds.quality.colour": [6, 11]}, []),
        (
            {"thresholds.quality.colour": [6, 13]},
            ["the own quality marker for £12 raises quality 2 times; with these numbers 1"],
        ),
        (
            {"thresholds.machinery.colour": [3, 7, 13]},
            ["the own machinery marker for £6, £4 and £10 brings [2, 1, 2] machines; here [1, 1, 2]"],
        ),
        ({"thresholds.machinery.colour": [3, 5, 13]}, []),
        ({"thresholds.machinery.colour": [3, 6, 11]}, []),
        (
            {"thresholds.machinery.colour": [3, 6, 14]},
            ["the same for £10 with the workshop brings 3 machines; with these numbers 2"],
        ),
        (
            {"thresholds.machinery.light": [2, 5, 11]},
            ["the light machinery marker for £10 and the dark one for £6 bring [3, 3]; here [2, 3]"],
        ),
        (
            {"thresholds.machinery.dark": [2, 3, 7]},
            ["the light machinery marker for £10 and the dark one for £6 bring [3, 3]; here [3, 2]"],
        ),
        (
            {"distribution_cap.light": 9},
            ["the light distribution marker for £8, with the patent, makes 9 usable; here 10"],
        ),
        (
            {"shares.purchase_minimum": 5},
            ["on space 9 a share is sold and bought for £[9, 10]; with these numbers £[9, 9]"],
        ),
        ({"output.III.1": 1}, ["row 1 of food of level III, with a worker and a machine, makes 2; here 1"]),
        ({"price.unaffected": 2}, ["a distribution level and three prices cost £4; with these numbers £6"]),
        (
            {"rows.cutlery.2.spaces": 4, "rows.cutlery.3.spaces": 5, "rows.cutlery.4.spaces": 7},
            [
                "rows 1 and 2 of food, clothes, cutlery and lamps take [4, 4, 5, 6] workers; here [4, 4, 6, 6]",
                "rows 1 to 3 of cutlery hold [8, 5] workers, without row 3; with these numbers [11, 6]",
            ],
        ),
        (
            {f"output.cutlery.II.{row}": goods for row, goods in ((1, 1), (2, 2), (3, 4), (4, 8))},
            ["at level II rows 1 to 3 make [5, 3], without row 3; with these numbers [7, 3]"],
        ),
        (
            {"rows.lamps.2.spaces": 4, "rows.lamps.3.spaces": 5, "rows.lamps.4.spaces": 7},
            [
                "rows 1 and 2 of food, clothes, cutlery and lamps take [4, 4, 5, 6] workers; here [4, 4, 5, 7]",
                "rows 1 to 3 of lamps take 9 workers and machines; with these numbers 12",
            ],
        ),
        (
            {"machines.upkeep": 2},
            [
                "three workers at £2 and a machine cost £7; with these numbers £8",
                "six workers at £4 and three machines cost £[27, 19, 17] (foreman, workshop); here £[30, 22, 17]",
            ],
        ),
        ({"harbour.ship_spaces": 2}, ["its two ships go 2 spaces back; with these numbers 4"]),
        (
            {"ships.4.crew": 2},
            [
                "ships of capacity 4 and 6 have a crew of 3; with these numbers 4",
                "the crews of ships 2 and 4 cost £4 at a wage of £4; with these numbers £8",
            ],
        ),
    ],
)
def test_wf_9_the_examples_are_worked_out_with_the_numbers_of_the_sheet(
    changes: dict[str, Any], said: list[str]
) -> None:
    assert [text for rule, _, text in inconsistencies_with(changes) if rule.startswith("WF-9.")] == said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"share_track.3.spaces": 1},
            [
                "WF-2.7: the bands of the share track grow wider: [1, 1, 2, 4], not [1, 2, 1, 4]",
                "WF-2.7: the share track has the values [9, 10, 16, 19, 22, 22, 24] on spaces 9, 10, 22, 28, 35, 36 and 41; "
                "here [9, 10, 16, 19, 25, 26, 31]",
            ],
        ),
        ({"seats.3.contract_track": [0, 2]}, ["WF-2.12.4: the contract track rises: [2], not [0, 2]"]),
        ({"seats.3.contract_track": []}, ["WF-2.12.4: the contract track rises: [2], not []"]),
        ({"goods.order": ["lamps", "food", "clothes", "cutlery"]}, []),
        (
            {"goods.order": ["tea", "food", "clothes", "cutlery"]},
            ["WF-2.2: the goods are food, clothes, cutlery, lamps, not food, clothes, cutlery, tea"],
        ),
        ({"predetermined.mat.2.I": ["steam"]}, ["WF-2.19: of steam, the game knows "]),
        (
            {"output.food.IV.1": 0, "output.food.IV.2": 0},
            ["WF-2.5: a better factory of food makes no less: [4, 4, 6, 8], not [4, 6, 8, 4]"],
        ),
    ],
)
def test_what_is_told_of_a_box_that_contradicts_itself(changes: dict[str, Any], said: list[str]) -> None:
    assert [
        f"{rule}: {text}" for rule, _, text in inconsistencies_with(changes) if not rule.startswith("WF-9.")
    ] == said


@pytest.mark.parametrize(
    ("enough", "beyond", "rule"),
    [
        ({"share_track.4.up_to": 1000}, {"share_track.4.up_to": 1001}, "WF-2.7"),
        ({"tiles.inventor.next_use": [4]}, {"tiles.inventor.next_use": []}, "WF-2.16.3"),
        ({"thresholds.quality.dark": [3]}, {"thresholds.quality.dark": []}, "WF-2.10"),
        ({"thresholds.machinery.light": [3]}, {"thresholds.machinery.light": []}, "WF-2.10"),
        ({"seats.3.contract_track": [1]}, {"seats.3.contract_track": [0]}, "WF-2.12.4"),
    ],
)
def test_where_a_game_can_just_be_played(enough: dict[str, Any], beyond: dict[str, Any], rule: str) -> None:
    assert not any(needed for _, needed, _ in inconsistencies_with(enough))
    assert {(one, needed) for one, needed, _ in inconsistencies_with(beyond)} == {(rule, True)}


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"wages.2.up_to": 8}, "WF-2.6.5"),
        ({"share_track.3.up_to": 20}, "WF-2.7"),
        ({"goods.order": ["food", "clothes", "cutlery"]}, "WF-2.2"),
        ({"seats.colours": ["blue", "blue", "green", "yellow"]}, "WF-2.20"),
        ({"predetermined.order.2.colours": ["blue", "green"]}, "WF-2.20"),
        ({"predetermined.players.2.red.goods": ["food"]}, "WF-2.20"),
        ({"predetermined.players.2.red.goods": ["food", "tea"]}, "WF-2.20"),
        ({"predetermined.players.3.red.marker": "steam"}, "WF-2.20"),
        ({"predetermined.mat.2.I": ["machinery", "steam"]}, "WF-2.19"),
        ({"predetermined.events.1770": "corn_riots"}, "WF-3.2.3"),
        ({"seats.3.contract_track": []}, "WF-2.12.4"),
        ({"seats.3.contract_track": [4, 2]}, "WF-2.12.4"),
        ({"tiles.inventor.next_use": []}, "WF-2.16.3"),
        ({"thresholds.quality.dark": []}, "WF-2.10"),
    ],
)
def test_numbers_that_no_game_can_be_played_with(changes: dict[str, Any], rule: str) -> None:
    found = inconsistencies_with(changes)
    assert {(one, needed) for one, needed, _ in found} == {(rule, True)}


def test_what_the_numbers_come_to() -> None:
    assert [share_value_at(SHEET, space) for space in (1, 10, 11, 30, 31, 100, 400)] == [1, 10, 11, 20, 21, 40, 40]
    assert [wage_when_empty(SHEET, empty) for empty in (1, 32, 33, 80)] == [2, 2, 3, 5]
    assert [demand_when_empty(SHEET, 80, good) for good in ("food", "clothes", "cutlery", "lamps")] == [20, 19, 18, 17]
    assert emergency(SHEET, 28, 30) == [2, 24, 8]
    assert (demand_when_empty(SHEET, 0, "food"), demand_when_empty(SHEET, 1, "lamps")) == (0, 0)
    longer = overridden(SHEET, {"share_track.4.up_to": 97})
    assert share_value_at(longer, 400) == 40, "the last space has a value of its own"
    dearer = overridden(SHEET, {"shares.purchase_minimum": 12})
    assert [purchase(dearer, space) for space in (10, 11)] == [12, 11]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_added_event_and_a_tile_are_played_with(seats: int) -> None:
    """WF-4.22.6, WF-2.16: a game opens with them, and they lie there like the others."""
    sheet = overridden(
        SHEET,
        {
            "events.corn_riots.name": "Corn Riots",
            "events.corn_riots.effect": "pay",
            "events.corn_riots.amount": 2,
            "tiles.windmill.name": "Windmill",
            "tiles.windmill.copies": 2,
        },
    )
    board = WATER_FRAME.opening_board(WATER_FRAME.table(WATER_FRAME.colours(sheet)[:seats], {}, sheet))
    assert board.printed.events["corn_riots"].amount == 2
    assert board.printed.tiles["windmill"] == 2


def test_an_effect_that_the_game_does_not_know_opens_no_game() -> None:
    sheet = overridden(SHEET, {"events.unknown_a.effect": "earthquake"})
    with pytest.raises(IllegalDecision, match=r"WF-2\.15: unknown_a has no effect earthquake"):
        WATER_FRAME.opening_board(WATER_FRAME.table(("blue", "red"), {}, sheet))


def test_wf_2_7_a_share_track_that_is_too_long_is_barred() -> None:
    assert inconsistencies_with({"share_track.4.up_to": 1001}) == [
        ("WF-2.7", True, "the share track ends on space 1000 at the latest, not 1001")
    ]
