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


def inconsistencies(**overrides: Any) -> list[tuple[str, bool, str]]:
    """What does not hold: rule, whether no game can be played, what was expected and found."""
    sheet = overridden(SHEET, {path.replace("__", "."): value for path, value in overrides.items()})
    needed = [
        each_item for each_item in CONSISTENCY if each_item.needed and each_item.of(sheet)[0] != each_item.of(sheet)[1]
    ]
    missed = needed or [item for item in CONSISTENCY if item.of(sheet)[0] != item.of(sheet)[1]]
    return [
        (one.rule, one.needed, one.says.format(expected=one.of(sheet)[0], found=one.of(sheet)[1], **one.figures))
        for one in missed
    ]


def inconsistencies_with(changes: dict[str, Any]) -> list[tuple[str, bool, str]]:
    return inconsistencies(**{path.replace(".", "__"): value for path, value in changes.items()})


def test_daybook_sheet_meets_every_expectation():
    assert inconsistencies() == []
    assert len(CONSISTENCY) > 60


ADDED = [
    f"{table}.{key}.{column}"
    for table, addition in SHEET.additions.items()
    for key in addition.keys
    for column in addition.row
]


@pytest.mark.parametrize("one", CONSISTENCY, ids=lambda one: one.rule)
def test_every_expectation_names_numbers_of_the_sheet(one):
    """Those that it has, or takes in a row that a group adds."""
    assert one.paths
    for path in one.paths:
        assert any(known.startswith(path) for known in (*SHEET.numbers, *ADDED)), path
    assert "{found}" in one.says
    assert "{expected}" in one.says


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
    assert {item.rule for item in found} == rules
    assert not any(finding.barred for finding in found)


def test_an_example_says_what_was_expected_and_what_came_out():
    found = examine_sheet(WATER_FRAME, overridden(SHEET, {"share_track.1.up_to": 12, "box.machines": 49}))
    (said,) = [item for item in found if item.rule == "WF-9.48"]
    assert said.reason.figures["apart"] == "each 20, not 19; amount 40, not 38; cash 10, not 8"
    assert said.paths == ("share_track.1.up_to",)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"thresholds.quality.colour": [5, 12]}, []),
        ({"thresholds.quality.colour": [6, 11]}, []),
        ({"thresholds.quality.colour": [6, 13]}, ["WF-9.51: WF-8.2: this is not what is awaited: additional"]),
        ({"thresholds.machinery.colour": [3, 5, 13]}, []),
        ({"thresholds.machinery.colour": [3, 6, 11]}, []),
        ({"thresholds.machinery.colour": [3, 6, 14]}, ["WF-9.16: other things happen"]),
        ({"thresholds.machinery.light": [2, 5, 11]}, ["WF-9.17: other things happen"]),
        ({"thresholds.machinery.dark": [2, 3, 7]}, ["WF-9.17: other things happen"]),
        ({"distribution_cap.light": 9}, ["WF-9.19: other things happen"]),
        ({"distribution_cap.light": 6}, ["WF-9.19: WF-4.9.2: this level costs £3; £6 of £8 are spent"]),
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
def test_wf_9_examples_use_the_numbers_of_the_sheet(changes, said):
    found = [item for item in examine_sheet(WATER_FRAME, overridden(SHEET, changes)) if item.example]
    assert [f"{finding.rule}: {finding.reason.figures['apart']}" for finding in found] == said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"share_track.3.spaces": 1},
            ["WF-2.7: the bands of the share track grow wider: [1, 1, 2, 4], not [1, 2, 1, 4]"],
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
def test_what_is_told_of_a_box_that_contradicts_itself(changes, said):
    assert [f"{rule}: {text}" for rule, _, text in inconsistencies_with(changes)] == said


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
def test_where_a_game_can_just_be_played(enough, beyond, rule):
    assert not any(needed for _, needed, _ in inconsistencies_with(enough))
    assert {(value, needed) for value, needed, _ in inconsistencies_with(beyond)} == {(rule, True)}


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
def test_numbers_that_no_game_can_be_played_with(changes, rule):
    found = inconsistencies_with(changes)
    assert {(value, needed) for value, needed, _ in found} == {(rule, True)}


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


def test_wf_2_7_a_share_track_that_is_too_long_is_barred():
    assert inconsistencies_with({"share_track.4.up_to": 1001}) == [
        ("WF-2.7", True, "the share track ends on space 1000 at the latest, not 1001")
    ]
