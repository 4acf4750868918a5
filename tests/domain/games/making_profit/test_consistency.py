"""MP-2 and MP-9: what the printed numbers have to go together with, told where a group's box says otherwise."""

from __future__ import annotations

import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT
from daybook.domain.kernel.sheet import overridden
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sheets import examine_sheet

SHEET = printed_sheet("making_profit")


@pytest.mark.parametrize(
    ("changes", "message"),
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
        ({"turn.hand_limit": 3}, ["MP-9.12: MP-4.7.3: keep 3 cards, not 2"]),
        ({"box.card_types": 5}, ["MP-2.1.5: the box holds 5 kinds of card; the sheet has 4"]),
        ({"box.factories": 5}, ["MP-2.1.1: the box holds 5 factories; the sheet has 6 colours"]),
    ],
)
def test_what_contradicts_the_rulebook_is_told(changes, message):
    found = examine_sheet(MAKING_PROFIT, overridden(SHEET, changes))
    assert [f"{finding.rule}: {finding.reason.figures.get('apart', finding.reason)}" for finding in found] == message
    assert not any(finding.barred for finding in found)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"factories.last_level": 0}, "MP-7.3"),
        ({"factories.colours": ["red", "red"]}, "MP-1"),
        ({"start.certificates": 11}, "MP-7.1"),
        ({"factories.colours": ["red", "blue", "green"]}, "MP-1"),
    ],
)
def test_numbers_that_open_no_game_are_barred(changes, rule):
    found = examine_sheet(MAKING_PROFIT, overridden(SHEET, changes))
    assert {(finding.rule, finding.barred) for finding in found} == {(rule, True)}


@pytest.mark.parametrize("changes", [{"factories.last_level": 1}, {"start.certificates": 10}])
def test_numbers_that_just_open_a_game_pass(changes):
    assert not any(finding.barred for finding in examine_sheet(MAKING_PROFIT, overridden(SHEET, changes)))
