"""The players of the season after a closed one, and their groups."""

from __future__ import annotations

import msgspec

from daybook.domain.league.club_events import Order
from daybook.domain.league.seasons import DEFAULTS, Division, Format
from daybook.domain.league.succession import next_placements

TWO = msgspec.structs.replace(
    DEFAULTS["divisions"], divisions=(Division("1", (4,)), Division("2", (4, 4))), promote=1, relegate=2
)
ORDERS = (
    Order(("a", "b", "c", "d"), 1, 1, relegated=("c", "d")),
    Order(("e", "f", "g", "h"), 2, 1, promoted=("e",)),
    Order(("i", "j", "k", "l"), 2, 2, promoted=("i",)),
)


def groups(season_format: Format, orders: tuple[Order, ...], withdrawn: tuple[str, ...] = ()) -> dict[str, str]:
    """People by "division.group", in order."""
    found: dict[str, str] = {}
    for placement in next_placements(season_format, orders, withdrawn):
        found[f"{placement.division}.{placement.group}"] = (
            found.get(f"{placement.division}.{placement.group}", "") + placement.person
        )
    return found


def test_who_goes_up_and_down_takes_the_places_that_become_free():
    assert groups(TWO, ORDERS) == {"1.1": "abei", "2.1": "cfgh", "2.2": "djkl"}


def test_each_is_told_where_they_come_from_and_why():
    told = {
        placement.person: (placement.way, placement.came_from) for placement in next_placements(TWO, ORDERS, ("l",))
    }
    assert told["e"] == ("up", (2, 1)) and told["d"] == ("down", (1, 4)) and told["b"] == ("stays", (1, 2))
    assert told["l"] == ("withdrew", (2, 4))


def test_who_withdrew_leaves_a_place_that_is_not_filled_up():
    assert groups(TWO, ORDERS, ("a", "l")) == {"1.1": "bei", "2.1": "cfgh", "2.2": "djk", "0.0": "al"}


def test_where_no_group_has_room_the_emptiest_takes_one_more():
    crowded = (
        Order(("a", "b", "c", "d"), 1, 1, relegated=("b", "c", "d")),
        Order(("e", "f", "g", "h"), 2, 1),
        Order(("i", "j", "k", "l"), 2, 2),
    )
    assert groups(TWO, crowded) == {"1.1": "a", "2.1": "bdefgh"[:1] + "defgh", "2.2": "cijkl"}


def test_no_one_rises_above_the_first_or_falls_below_the_last():
    odd = (Order(("a", "b"), 1, 1, promoted=("a",)), Order(("c", "d"), 2, 1, relegated=("d",)), Order((), 2, 2))
    assert groups(TWO, odd) == {"1.1": "ab", "2.1": "cd"}


def test_without_divisions_everybody_plays_on():
    assert groups(DEFAULTS["rounds"], (Order(("b", "a", "c")),), ("c",)) == {"1.1": "ba", "0.0": "c"}
