"""Impossible results, and impossible changes of a season's format: the message names each fault."""

from __future__ import annotations

import msgspec
import pytest

from daybook.domain.league import results, seasons
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import DEFAULTS, KINDS, TIEBREAKS, Division, Format, Points
from daybook.domain.league.tiebreaks import BY_CODE


@pytest.mark.parametrize(
    ("placed", "message"),
    [
        ([], "a table has 1 to 8 seats, not 0"),
        ([("A", 0, 1)] * 9, "a table has 1 to 8 seats, not 9"),
        ([("A", 0, 1), ("A", 1, 2)], "A is in the result 2 times"),
        ([("A", 0, 1), ("B", 0, 2)], "seat 1 is taken 2 times"),
        ([("A", 0, 1), ("B", 2, 2)], "there is no seat 3 at a table of 2"),
        ([("A", 0, 1), ("B", 1, 3)], "B has place 3, but 1 player is placed better: that makes place 2"),
        ([("A", 0, 1), ("B", 1, 1), ("C", 2, 2)], "C has place 2, but 2 players are placed better: that makes place 3"),
        ([("A", 0, 2), ("B", 1, 2)], "A has place 2, but 0 players are placed better: that makes place 1"),
        ([("A", 0, 1, 10**9), ("B", 1, 2)], "the points of A are from -1000000 to 1000000"),
        ([("A", 0, 1), ("B", 1, 2, -(10**9))], "the points of B are from -1000000 to 1000000"),
        ([("A", 0, 1, 9, True), ("B", 1, 2)], "A dropped out, and is placed after everyone who stayed"),
        ([("A", 0, 1), ("B", 1, 1, None, True)], "B dropped out, and is placed after everyone who stayed"),
    ],
)
def test_a_result_that_cannot_be(placed, message):
    assert str(results.places_fault([Placed(*place) for place in placed])) == message


@pytest.mark.parametrize(
    "placed",
    [
        [("A", 0, 1)],
        [("A", None, 1), ("B", None, 1)],
        [("A", 1, 1, 9), ("B", 0, 2, 8), ("C", 2, 2, 8)],
        [("A", 0, 1), ("B", 1, 2, None, True), ("C", 2, 2, None, True)],
    ],
)
def test_a_result_that_can_be(placed):
    assert results.places_fault([Placed(*place) for place in placed]) is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"table_sizes": ()}, "enter how many may sit at a table"),
        ({"table_sizes": (4, 9)}, "a table seats 2 to 8, not 9"),
        ({"table_sizes": (4, 4)}, "4 is listed twice"),
        ({"rounds": -1}, "a season has up to 60 rounds, not -1"),
        ({"rounds": 61}, "a season has up to 60 rounds, not 61"),
        ({"best": 0}, "at least 1 result of each person counts, not 0"),
        ({"points": Points({"3": (5, 3, 1)})}, "say what the places at a table of 4 are worth"),
        ({"points": Points({"4": (5, 3, 1)})}, "a table of 4 has 4 places, but there are points for 3"),
        ({"points": Points({"4": (5, 3, 1, 2)})}, "at a table of 4 a worse place is worth more than a better one"),
        ({"points": Points({"4": (5, 3, 1, 0), "x": ()})}, "points can be set for tables of 1 to 8, not of x"),
        ({"tiebreaks": ()}, "choose what decides the order"),
        ({"tiebreaks": ("points", "luck")}, "there is no tie-break “luck”"),
        ({"tiebreaks": ("points", "points")}, "points is listed twice"),
        ({"divisions": (Division("Oak", (4,)),)}, "a season in divisions names them, and other seasons have none"),
        ({"kind": "divisions"}, "a season in divisions names them, and other seasons have none"),
        ({"kind": "divisions", "divisions": (Division(" ", (4,)),)}, "give each division a name"),
        ({"kind": "divisions", "divisions": (Division("Oak", ()),)}, "division Oak has no group"),
        ({"kind": "divisions", "divisions": (Division("Oak", (4,) * 41),)}, "a division has up to 40 groups, not 41"),
        (
            {"kind": "divisions", "divisions": (Division("Oak", (3,)),)},
            "a group of 3 in division Oak cannot fill a table of 4",
        ),
        ({"kind": "divisions", "divisions": (Division("Oak", (4,)), Division("Oak", (4,)))}, "Oak is listed twice"),
        (
            {
                "kind": "divisions",
                "divisions": (Division("Oak", (4,)), Division("Elm", (4,))),
                "promote": 3,
                "relegate": 2,
            },
            "5 players of a group of 4 would go up or down: too many",
        ),
        ({"promote": -1}, "the number that goes up or down cannot be below 0"),
        ({"appeal_hours": -1}, "the time for corrections or appeals is 0 to 366"),
        ({"appeal_hours": 9000}, "the time for corrections or appeals is 0 to 366"),
        ({"correction_days": 10**9}, "the time for corrections or appeals is 0 to 366"),
        ({"counts": ("typed", "drunk")}, "there is no mark “drunk”"),
    ],
)
def test_a_format_that_cannot_be(changes, message):
    format = msgspec.structs.replace(Format(), **changes)
    assert str(seasons.format_fault(format)) == message


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_default_format_that_reads_back(kind):
    format = DEFAULTS[kind]
    assert format.kind == kind
    assert seasons.format_fault(format) is None
    written = msgspec.json.encode(format)
    assert msgspec.json.decode(written, type=Format) == format
    assert set(msgspec.json.decode(written)) == set(Format.__struct_fields__)  # whole, whatever is the default later


def test_every_tie_break_a_format_may_name_is_there():
    assert tuple(BY_CODE) == TIEBREAKS
