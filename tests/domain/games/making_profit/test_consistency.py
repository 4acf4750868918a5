"""MP-2 and MP-9: what the printed numbers have to go together with, told where a group's box says otherwise."""

from __future__ import annotations

import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT
from daybook.domain.kernel.sheet import overridden
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sheets import examine_sheet

SHEET = printed_sheet("making_profit")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, []),
        ({"start.money": 5}, []),
        ({"cards.R2.copies": 20}, ["MP-2.1.4: the box holds 84 cards; these numbers make 83"]),
        ({"cards.R2.copies": 20, "cards.M1.copies": 22}, []),
        ({"certificates.each_colour": 12}, ["MP-2.1.3: the box holds 60 certificates; these numbers make 72"]),
        (
            {"certificates.lowest_price": 6},
            ["MP-9.1: price 6, not 5", "MP-9.2: price 6, not 2", "MP-9.2: price 6, not 2"],
        ),
        ({"certificates.lowest_price": 1}, ["MP-9.2: price 1, not 2", "MP-9.2: price 1, not 2"]),
        ({"certificates.lowest_price": 0}, ["MP-9.2: price 0, not 2", "MP-9.2: price 1, not 2"]),
        ({"certificates.lowest_worth": 6}, ["MP-9.3: price 6, not 5; amount 6, not 5"]),
        (
            {"cards.M2.money": 3},
            [
                "MP-9.4: money 7, not 5; per_certificate 7, not 5; amount 14, not 10; "
                "per_certificate 7, not 5; amount 7, not 5"
            ],
        ),
        ({"cards.R2.resources": 1}, ["MP-9.4: resources 2, not 4"]),
        ({"turn.set_price": 9}, ["MP-9.5: amount 9, not 10"]),
        ({"start.hand": 3}, ["MP-9.7: MP-3.1.6: the hands are not dealt yet"]),
        ({"factories.last_level": 9}, ["MP-9.10: other things happen"]),
        ({"turn.hand_limit": 3}, ["MP-9.12: MP-4.7.3: 3 cards are kept, not 2"]),
        ({"box.card_types": 5}, ["MP-2.1.5: the box holds 5 kinds of card; the sheet has 4"]),
        ({"box.factories": 5}, ["MP-2.1.1: the box holds 5 factories; the sheet has 6 colours"]),
    ],
)
def test_what_contradicts_the_rulebook_is_told(changes, says):
    found = examine_sheet(MAKING_PROFIT, overridden(SHEET, changes))
    assert [f"{item.rule}: {item.reason.figures.get('apart', item.reason)}" for item in found] == says
    assert not any(finding.barred for finding in found)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"turn.actions": 0}, "MP-2.1.11"),
        ({"turn.set_cards": 0}, "MP-2.1.14"),
        ({"factories.last_level": 0}, "MP-2.1.17"),
        ({"factories.colours": ["red", "red"]}, "MP-2.1.2"),
        ({"start.certificates": 11}, "MP-3.1.2"),
        ({f"cards.{card}.copies": 4 for card in ("R1", "R2", "M1", "M2")}, "MP-7.5"),
        ({"factories.colours": ["red", "blue", "green"]}, "MP-1"),
    ],
)
def test_numbers_that_no_game_can_be_played_with(changes, rule):
    found = examine_sheet(MAKING_PROFIT, overridden(SHEET, changes))
    assert {(finding.rule, finding.barred) for finding in found} == {(rule, True)}


COPIES = {"cards.R1.copies": 0, "cards.R2.copies": 0, "cards.M1.copies": 0}


@pytest.mark.parametrize(
    ("enough", "too_few", "rule"),
    [
        ({"turn.actions": 1}, {"turn.actions": 0}, "MP-2.1.11"),
        ({"turn.set_cards": 1}, {"turn.set_cards": 0}, "MP-2.1.14"),
        ({"factories.last_level": 1}, {"factories.last_level": 0}, "MP-2.1.17"),
        ({"start.certificates": 10}, {"start.certificates": 11}, "MP-3.1.2"),
        # six hands of two, a third card each, and one that is left in the deck
        ({**COPIES, "cards.M2.copies": 19}, {**COPIES, "cards.M2.copies": 18}, "MP-7.5"),
        (
            {"start.hand": 3, **COPIES, "cards.M2.copies": 25},
            {"start.hand": 3, **COPIES, "cards.M2.copies": 24},
            "MP-7.5",
        ),
        ({"cards.R2.resources": 10}, {"cards.R2.resources": 11}, "MP-2.2"),
        ({"cards.M1.resources": 10}, {"cards.M1.resources": 11}, "MP-2.2"),
    ],
)
def test_where_a_game_can_just_be_played(enough, too_few, rule):
    assert not any(item.barred for item in examine_sheet(MAKING_PROFIT, overridden(SHEET, enough)))
    found = examine_sheet(MAKING_PROFIT, overridden(SHEET, too_few))
    assert {(finding.rule, finding.barred) for finding in found} == {(rule, True)}
