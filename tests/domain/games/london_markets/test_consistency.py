"""LM-2 and LM-9: what the printed numbers have to go together with, told where a group's box says otherwise."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS
from daybook.domain.kernel.sheet import overridden
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sheets import examine_sheet

SHEET = printed_sheet("london_markets")


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({}, []),
        ({"setup.money": 5}, []),
        ({"market_cards.M02.coffee": "4"}, []),
        ({"copies.any_market": 2, "copies.rich_offer": 3}, []),
        ({"copies.any_market": 2, "specials.piles": [8, 7, 7, 7]}, ["LM-2.1.14"]),
        ({"specials.piles": [10, 10, 10]}, ["LM-2.1.15", "LM-6.31"]),
        ({"specials.piles": [10, 8, 7, 5]}, ["LM-6.31"]),
        ({"bars.each_colour": 18}, ["LM-2.1.3"]),
        ({"goods.each_type": 20}, ["LM-2.1.11", "LM-2.1.22", "LM-9.8"]),
        ({"replenishment.plain_cards": 3}, ["LM-2.1.5"]),
        ({"monopoly.pays": [4, 8, 8]}, ["LM-2.5.2"]),
        ({"monopoly.pays": [4, 7, 12]}, ["LM-9.5"]),
        ({"combined.pays": [6, 10, 12]}, ["LM-9.6"]),
        ({"combined.crates": [3, 6, 7]}, ["LM-9.6"]),
        ({"combined.crates": [3, 4, 6]}, ["LM-9.6"]),
        ({"monopoly.crates": [5, 8, 9]}, ["LM-9.5"]),
        ({"rich_offer.markets": [2, 3, 4]}, ["LM-9.7"]),
        ({"rich_offer.pays": [3, 7, 9]}, ["LM-9.7"]),
        ({"combined.crates": [5, 4, 3]}, ["LM-2.5.3"]),
        ({"rich_offer.markets": [4, 3, 5]}, ["LM-2.5.4"]),
        ({"market_cards.M01.silk": "3"}, ["LM-9.4"]),
        ({"actions.least": 2}, ["LM-9.2", "LM-9.3"]),
        ({"bars.crates": 2}, ["LM-9.5", "LM-9.6", "LM-9.7"]),
        ({"specials.forbidden_rounds": 3}, ["LM-9.11"]),
        ({"setup.bars_in_market": 4}, ["LM-9.12"]),
    ],
)
def test_what_contradicts_the_rulebook_is_told(changes, rules):
    found = examine_sheet(LONDON_MARKETS, overridden(SHEET, changes))
    assert [*dict.fromkeys(finding.rule for finding in found)] == rules
    assert not any(finding.barred for finding in found)


def test_an_example_says_what_was_expected_and_what_came_out():
    (found,) = examine_sheet(LONDON_MARKETS, overridden(SHEET, {"monopoly.pays": [4, 7, 12]}))
    assert str(found.reason) == (
        "with these numbers, an example of the rulebook has a different result: amount 7, not 8"
    )
    assert found.paths == ("monopoly.pays",)


def test_lm_2_1_22_box_without_pile_heights_says_none():
    (found,) = examine_sheet(LONDON_MARKETS, overridden(SHEET, {"box.height_of_goods_piles": {"4": 10}}))
    assert (found.rule, str(found.reason)) == (
        "LM-2.1.22",
        "after the deal the goods piles are 0, 10 high (3, 4 players); these numbers make 12, 10",
    )


@pytest.mark.parametrize(("copies", "barred"), [(8, []), (7, ["LM-2.1.20"])])
def test_lm_2_1_20_eight_cards_of_each_type_are_enough(copies, barred):
    found = examine_sheet(LONDON_MARKETS, overridden(SHEET, {"goods.each_type": copies}))
    assert [finding.rule for finding in found if finding.barred] == barred


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"monopoly.pays": [4, 8]}, "LM-2.5.2"),
        ({"specials.piles": []}, "LM-2.1.16"),
        ({"specials.piles": [8, 8, 8, 8]}, "LM-2.1.16"),
        ({"game.rounds": 11}, "LM-2.1.6"),
        ({"setup.hand": 7}, "LM-2.1.21"),
        ({"markets.ring": ["PORT", "PORT", "COVE", "PETT", "BORO"]}, "LM-2.2"),
        ({"market_cards.M03.soap": "many"}, "LM-2.3.2"),
        ({"tracks.A.actions": ["place"] * 11}, "LM-2.6"),
        ({"bars.colours": ["red", "blue"]}, "LM-1"),
    ],
)
def test_numbers_that_no_game_can_be_played_with(changes, rule):
    found = examine_sheet(LONDON_MARKETS, overridden(SHEET, changes))
    assert rule in {finding.rule for finding in found}
    assert all(finding.barred for finding in found)
