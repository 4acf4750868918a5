"""WF-2.5: a box in which a factory of one good makes other than those of all goods."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.moves import FactoryProduced, GoodsProduced, Produce
from daybook.domain.games.water_frame.production import begin
from daybook.domain.kernel.sheet import InvalidSheetError, overridden
from daybook.services.store import sheetfile
from daybook.services.store.sheets import examine_sheet
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import SHEET, doing, opening_board, plant, play, player, set_up

SHIPPED = "d9e97c285ed18c42e948a7504c7412c404c3cd91a71c19c1c48e28b9a4d4c193"
FOOD = {"output.food.I.1": 2, "output.food.I.2": 3}
ALL = ((1, 2, 1, 0), (1, 2, 2, 1), (2, 2, 2, 2), (3, 3, 2, 2))  # by level and row


def rules(numbers: dict[str, int]) -> list[tuple[str, Any]]:
    """Return the refusals of these numbers: the rule and its good."""
    return [
        (finding.rule, finding.reason.figures.get("good"))
        for finding in examine_sheet(WATER_FRAME, overridden(SHEET, numbers))
    ]


def test_sheet_of_old_records_is_the_current_one():
    assert SHEET.digest() == SHIPPED
    assert opening_board(2).printed.output == dict.fromkeys(("food", "clothes", "cutlery", "lamps"), ALL)


def test_wf_2_5_good_has_its_own_output_others_the_common():
    output = opening_board(2, {**FOOD, "output.lamps.IV.4": 5}).printed.output
    assert output["food"] == ((2, 3, 1, 0), *ALL[1:]) and output["lamps"] == (*ALL[:3], (3, 3, 2, 5))
    assert output["clothes"] == output["cutlery"] == ALL


def test_unsaid_row_values_are_those_of_all_goods():
    sheet = overridden(SHEET, {"output.food.III.1": 4, "output.III.2": 3})
    assert sheet.under("output.food") == {"III.1": 4, "III.2": 3, "III.3": 2, "III.4": 2}
    assert {sheet.numbers[f"output.food.III.{row}"].rule for row in range(1, 5)} == {"WF-2.5"}


def test_wf_4_16_1_a_factory_makes_what_its_good_makes():
    b = set_up(player(food=plant()), player(food=plant(rows="2 1 0 0")), numbers=FOOD, stage="economy")
    effects: list[Any] = []
    begin(b, effects.append)
    assert [(e.rule, e.seat, e.made) for e in only(effects, FactoryProduced)] == [
        ("WF-4.16.1", 0, 5),
        ("WF-4.16.1", 1, 2),
    ]


@pytest.mark.parametrize(("good", "made"), [("food", 5), ("clothes", 3)])
def test_wf_4_12_2_the_production_action_too(good, made):
    b = doing(
        "production:light", 2, player(markers="production:light", slots=f"1 {good}", **{good: plant()}), numbers=FOOD
    )
    _, effects = play(b, (0, Produce(good, 2)))  # type: ignore[arg-type]
    assert only(effects, GoodsProduced) == [GoodsProduced("WF-4.12.2", 0, good, 2, made, 0)]  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["output.food.V.1", "output.food.I.5", "output.coal.I.1", "output.food.1"])
def test_only_goods_levels_and_rows_have_an_output(path):
    with pytest.raises(InvalidSheetError, match=path):
        overridden(SHEET, {path: 1})


def test_an_output_is_a_number():
    for value in (-1, "two", 10**7, True):
        with pytest.raises(InvalidSheetError):
            overridden(SHEET, {"output.food.I.1": value})


def test_wf_2_5_a_better_factory_of_this_good_makes_no_less():
    assert rules({"output.food.II.1": 0, "output.food.II.3": 0, "output.lamps.IV.1": 4}) == [("WF-2.5", "food")]
    assert rules({"output.lamps.I.1": 1}) == []


def test_wf_9_33_the_example_is_asked_of_its_own_good():
    assert ("WF-9.33", None) in rules({"output.clothes.I.1": 2}) and rules({"output.food.I.3": 2}) == []


def test_a_file_holds_it():
    sheet = overridden(SHEET, FOOD)
    file = sheetfile.sheet_toml(sheet, "Another box", "")
    read = sheetfile.read_sheet_file(SHEET, file.encode())
    assert "[output.food.I]" in file and read.wrong == []
    assert overridden(SHEET, read.overrides).digest() == sheet.digest()
    by_hand = '[sheet]\nformat = 1\ngame = "water_frame"\n[output.food.I]\n1 = 2\n2 = 3\n'
    assert overridden(SHEET, sheetfile.read_sheet_file(SHEET, by_hand.encode()).overrides).digest() == sheet.digest()
