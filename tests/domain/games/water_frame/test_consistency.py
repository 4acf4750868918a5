"""WF-2 and WF-9: what the printed numbers have to go together with, told where a group's box says otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.games.water_frame import WATER_FRAME, bank, people
from daybook.domain.games.water_frame.consistency import CONSISTENCY
from daybook.domain.kernel.sheet import overridden
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sheets import examine_sheet
from tests.domain.games.water_frame.playing import opening_board

SHEET = printed_sheet("water_frame")


def inconsistencies_with(changes: dict[str, Any]) -> list[str]:
    """Return the expectations that a sheet with these changes misses: rule, expected and found."""
    sheet = overridden(SHEET, changes)
    return [
        f"{finding.rule}: {finding.says.format(expected=finding.of(sheet)[0], found=finding.of(sheet)[1], **finding.figures)}"
        for finding in CONSISTENCY
        if finding.of(sheet)[0] != finding.of(sheet)[1]
    ]


def test_daybook_sheet_meets_every_expectation():
    assert inconsistencies_with({}) == []
    assert len(CONSISTENCY) > 20


ADDED = [
    f"{table}.{key}.{column}"
    for table, addition in SHEET.additions.items()
    for key in addition.keys
    for column in addition.row
]


@pytest.mark.parametrize("finding", CONSISTENCY, ids=lambda finding: finding.rule)
def test_every_expectation_names_numbers_of_the_sheet(finding):
    """Existing numbers, or those of a row that a group adds."""
    assert finding.paths
    for path in finding.paths:
        assert any(known.startswith(path) for known in (*SHEET.numbers, *ADDED)), path
    assert "{found}" in finding.says
    assert "{expected}" in finding.says


def test_wf_9_worked_examples_with_effects_are_played():
    played = {example.rule for example in WATER_FRAME.integrity.examples}
    tested = {52, 53}  # test_production.py: who is skipped, and who is not
    assert played == {f"WF-9.{n}" for n in range(1, 55) if n not in tested}


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"share_track.2.up_to": 26}, {"WF-9.49", "WF-9.50"}),
        ({"share_track.1.up_to": 12}, {f"WF-9.{n}" for n in (20, 37, 46, 48, 49, 50)}),
        ({"factories.food.II": 11}, {"WF-9.11", "WF-9.12"}),
        ({"factories.food.I": 7}, {f"WF-9.{n}" for n in (1, 4, 9, 10, 18, 19, 30, 38, 51)}),
        ({"factories.clothes.II": 14}, {"WF-2.3.2"}),
        ({"rows.clothes.1.spaces": 3}, {f"WF-9.{n}" for n in (2, 33, 35, 36, 37, 42, 43)}),
        ({"wages.1.up_to": 7}, {"WF-9.34", "WF-9.39", "WF-9.40"}),
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
        ({"economy.food": ["0/1"] * 8}, {"WF-2.1.12", "WF-9.5"}),
        ({"ships.2.copies": 3}, {"WF-2.1.14"}),
        ({"predetermined.players.4.blue.capital": 70}, {"WF-9.4"}),
    ],
)
def test_contradiction_of_rulebook_is_told_and_allowed(changes, rules):
    found = examine_sheet(WATER_FRAME, overridden(SHEET, changes))
    assert {finding.rule for finding in found} == rules
    assert not any(finding.barred for finding in found)


def test_an_example_says_what_was_expected_and_what_came_out():
    found = examine_sheet(WATER_FRAME, overridden(SHEET, {"share_track.1.up_to": 12, "box.machines": 49}))
    (said,) = [finding for finding in found if finding.rule == "WF-9.48"]
    assert said.reason.figures["apart"] == "each 20, not 19; amount 40, not 38; cash 10, not 8"
    assert said.paths == ("share_track.1.up_to",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"thresholds.quality.colour": [5, 12]}, []),
        ({"thresholds.quality.colour": [6, 11]}, []),
        ({"thresholds.quality.colour": [6, 13]}, ["WF-9.51: WF-8.2: the game waits for something else: additional"]),
        ({"thresholds.machinery.colour": [3, 5, 13]}, []),
        ({"thresholds.machinery.colour": [3, 6, 11]}, []),
        ({"thresholds.machinery.colour": [3, 6, 14]}, ["WF-9.16: other things happen"]),
        ({"thresholds.machinery.light": [2, 5, 11]}, ["WF-9.17: other things happen"]),
        ({"thresholds.machinery.dark": [2, 3, 7]}, ["WF-9.17: other things happen"]),
        ({"distribution_cap.light": 9}, ["WF-9.19: other things happen"]),
        ({"distribution_cap.light": 6}, ["WF-9.19: WF-4.9.2: this level costs £3; £6 of £8 are already spent"]),
        ({"shares.purchase_minimum": 5}, ["WF-9.21: each 9, not 10; amount 9, not 10"]),
        ({"output.III.1": 1}, ["WF-9.29: made 1, not 2"]),
        ({"price.unaffected": 2}, ["WF-9.30: WF-4.0.6: seat 1 is to decide"]),
        (
            {f"output.cutlery.II.{row}": goods for row, goods in ((1, 1), (2, 2), (3, 4), (4, 8))},
            ["WF-9.39: made 7, not 5; less 4, not 2"],
        ),
        ({"harbour.ship_spaces": 2}, ["WF-9.42: spaces -4, not -2; to 6, not 8; value 6, not 8"]),
        ({"ships.4.crew": 2}, ["WF-9.32: market 3, not 2; crew 4, not 3"]),
        ({"tiles.small_warehouse.goods": 6}, ["WF-9.44: other things happen"]),
        ({"obsolescence.workers": 1}, ["WF-9.47: other things happen"]),
    ],
)
def test_wf_9_examples_use_the_numbers_of_the_sheet(changes, message):
    found = [finding for finding in examine_sheet(WATER_FRAME, overridden(SHEET, changes)) if finding.example]
    assert [f"{finding.rule}: {finding.reason.figures['apart']}" for finding in found] == message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"share_track.3.spaces": 1},
            ["WF-2.7: the bands of the share track grow wider: [1, 1, 2, 4], not [1, 2, 1, 4]"],
        ),
        (
            {"output.food.IV.1": 0, "output.food.IV.2": 0},
            ["WF-2.5: a better factory of food makes no less: [4, 4, 6, 8], not [4, 6, 8, 4]"],
        ),
    ],
)
def test_what_is_told_of_a_box_that_contradicts_itself(changes, message):
    assert inconsistencies_with(changes) == message


def test_what_the_numbers_come_to():
    b = opening_board(4)
    assert [b.printed.values[space] for space in (1, 10, 11, 30, 31, 100)] == [1, 10, 11, 20, 21, 40]
    total = b.printed.workers_total
    wages = []
    for b.market in (total - 1, total - 32, total - 33, 0):
        wages.append(people.wage(b))
    assert wages == [2, 2, 3, 5]
    assert [people.demand(b, good) for good in ("food", "clothes", "cutlery", "lamps")] == [20, 19, 18, 17]
    b.market = total
    assert people.demand(b, "food") == 0
    assert opening_board(4, {"share_track.4.up_to": 97}).printed.values[97] == 40, "the last space has its own value"
    dearer = opening_board(4, {"shares.purchase_minimum": 12})
    prices = []
    for dearer.players[0].space in (10, 11, 13):
        prices.append(bank.purchase_price(dearer, 0))
    assert prices == [12, 11, 12]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_added_event_and_a_tile_are_played_with(seats):
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


def test_an_effect_that_the_game_does_not_know_opens_no_game():
    sheet = overridden(SHEET, {"events.unknown_a.effect": "earthquake"})
    with pytest.raises(IllegalDecision, match=r"WF-2\.15: unknown_a has no effect earthquake"):
        WATER_FRAME.opening_board(WATER_FRAME.table(("blue", "red"), {}, sheet))


@pytest.mark.parametrize(("end", "barred"), [(1000, []), (1001, ["WF-2.7"])])
def test_wf_2_7_longest_share_track_is_1000_spaces(end, barred):
    found = examine_sheet(WATER_FRAME, overridden(SHEET, {"share_track.4.up_to": end}))
    assert [finding.rule for finding in found if finding.barred] == barred
