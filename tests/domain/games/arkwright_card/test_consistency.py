"""ACG-2 and ACG-10: what the printed numbers have to go together with, told where a group's box says otherwise."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD
from daybook.domain.kernel.sheet import overridden
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sheets import examine_sheet

SHEET = printed_sheet("arkwright_card")


def arrows(good: str, *without: int) -> dict[str, list[int]]:
    """The red arrows of a good without those on the way to these spaces."""
    path = f"market.red.{good}"
    return {path: [0 if space in without else arrow for space, arrow in enumerate(SHEET[path], 1)]}


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({}, []),
        ({"box.development_cards": 23}, ["ACG-2.1.4"]),
        ({"supply.2.entrepreneur": 0}, ["ACG-2.8.21"]),
        ({"supply.3.patent": 4}, ["ACG-2.8.21"]),
        ({"supply.4.inventor": 1}, ["ACG-2.8.21"]),
        ({"start.slot": 3}, ["ACG-2.4.9"]),
        ({"office.clothes": 3}, ["ACG-10.5"]),
        ({"office.food": 3}, []),
        (arrows("clothes", 4), ["ACG-2.6.3", "ACG-10.5"]),
        (arrows("clothes", 7), ["ACG-10.5"]),
        (arrows("clothes", 3), ["ACG-2.6.3"]),
        (arrows("clothes", 8), []),
        (arrows("cutlery", 3), ["ACG-2.6.3"]),
        (arrows("cutlery", 4), []),
        (arrows("lamps", 3), ["ACG-2.6.3"]),
        (arrows("lamps", 4), []),
        ({"factories.food.1.goods": 3}, ["ACG-10.6"]),
        ({"workers.1.goods": [3, 3]}, ["ACG-10.6"]),
        ({"workers.1.goods": [2, 4]}, []),
        ({"tracks.stock.levels": [0, 1, 3]}, ["ACG-2.3"]),
        ({"tracks.stock.levels": [0, 2, 3]}, ["ACG-2.3", "ACG-10.10"]),
        ({"random_supply.below_players": 0}, ["ACG-10.12"]),
        ({"neutral.step": 2}, ["ACG-10.13"]),
        ({"neutral.start": [3, 3, 2, 3]}, ["ACG-10.13"]),
        ({"start.money": 60}, ["ACG-10.15"]),
        ({"start.money": 59}, ["ACG-10.15"]),
        ({"start.ships": 0}, []),
        ({"start.quality_cap": 0}, ["ACG-10.2", "ACG-10.3"]),
        ({"tracks.quality.levels": [1, 2, 4]}, ["ACG-2.3"]),
        ({"tracks.ship.levels": [2, 4, 4]}, ["ACG-2.3"]),
        ({"cards.contract.pays": [2, 4, 6, 8, 9, 10, 12, 11]}, ["ACG-2.7.7"]),
        ({"scoring.share_value_less": [0, 1, 1, 2, 2, 3, 3, 4, 5, 4]}, ["ACG-2.7.5"]),
    ],
)
def test_what_contradicts_the_rulebook_is_told(changes, rules):
    found = examine_sheet(ARKWRIGHT_CARD, overridden(SHEET, changes))
    assert [*dict.fromkeys(item.rule for item in found)] == rules
    assert not any(finding.barred for finding in found)


@pytest.mark.parametrize(
    ("changes", "rules"),
    [({"factories.clothes.1.prices": [2, 3, 5, 5]}, ["ACG-2.4.10"]), ({"random_supply.dealt": 5}, ["ACG-3.3.4"])],
)
def test_numbers_that_no_game_can_be_played_with(changes, rules):
    found = examine_sheet(ARKWRIGHT_CARD, overridden(SHEET, changes))
    assert [finding.rule for finding in found if finding.barred] == rules


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"factories.food.1.prices": [1, 2, 3, 3], "factories.food.1.appeals": [3, 2, 1, 1]},
            "ACG-2.4.9: a factory opens on a slot with the appeals 0, 0, 0, 0, 0, 0, 0, 0; with these numbers "
            "1, 0, 0, 0, 0, 0, 0, 0",
        ),
        (
            {"market.red.clothes": [1] * 20},
            "ACG-2.6.3: up to appeal 4 of clothes, 3 of cutlery and 3 of lamps there are 2, 1, 1 red arrows, not 4, 1, 1",
        ),
    ],
)
def test_what_is_told_of_a_box_that_contradicts_itself(changes, message):
    found = examine_sheet(ARKWRIGHT_CARD, overridden(SHEET, changes))
    assert [f"{finding.rule}: {finding.reason}" for finding in found] == [message]


def test_an_example_says_what_was_expected_and_what_came_out():
    [found] = examine_sheet(ARKWRIGHT_CARD, overridden(SHEET, {"office.clothes": 3}))
    assert str(found.reason).startswith(
        "with these numbers, an example of the rulebook has a different result: appeal 6, not 7"
    )
    assert found.paths == ("office.clothes",)
