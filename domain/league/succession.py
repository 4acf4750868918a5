"""Propose divisions and groups for the season after a closed one.

Promoted and relegated players join the next division; the others keep their group. If a group is full, the next one
with room is proposed, and the smallest if none has any. Players who withdrew or left the club are not proposed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club_events import Order
from daybook.domain.league.seasons import Format

Way = Literal["up", "down", "stays", "withdrew", "left"]


class Placement(Frozen):
    """A player's place in the next season.

    division: 0: does not play. came_from: division and place in the closed season. way: why.
    """

    person: str
    division: int
    group: int
    way: Way
    came_from: tuple[int, int]


def next_placements(
    season_format: Format, orders: Sequence[Order], withdrawn: Collection[str] = (), left: Collection[str] = ()
) -> list[Placement]:
    """Return all players of a closed season by division and group, the best first.

    orders: its final orders, with people as the club knows them today. left: people who left since.
    """
    rooms = {
        (division, group): size
        for division, named in enumerate(season_format.divisions, 1)
        for group, size in enumerate(named.groups, 1)
    } or {(1, 1): 0}
    lowest = max(division for division, _ in rooms)
    found: list[Placement] = []
    moving: list[Placement] = []
    for order in sorted(orders, key=lambda order: (order.division, order.group)):
        for place, person in enumerate(order.people, 1):
            came_from = order.division, place
            if person in withdrawn or person in left:
                found.append(Placement(person, 0, 0, "withdrew" if person in withdrawn else "left", came_from))
            elif person in order.promoted and order.division > 1:
                moving.append(Placement(person, order.division - 1, 0, "up", came_from))
            elif person in order.relegated and order.division < lowest:
                moving.append(Placement(person, order.division + 1, 0, "down", came_from))
            else:
                found.append(Placement(person, order.division, order.group, "stays", came_from))
    for placement in sorted(moving, key=lambda placement: placement.came_from):
        found.append(msgspec.structs.replace(placement, group=_group_with_room(rooms, found, placement.division)))
    return sorted(found, key=lambda placement: (placement.division or lowest + 1, placement.group, placement.came_from))


def _group_with_room(rooms: dict[tuple[int, int], int], placed: Sequence[Placement], division: int) -> int:
    """Return the first group of a division with room, else the one with the fewest extra players."""

    def room_left(group: int) -> int:
        return rooms[division, group] - sum(
            (placement.division, placement.group) == (division, group) for placement in placed
        )

    groups = [group for room_division, group in sorted(rooms) if room_division == division]
    return next((group for group in groups if room_left(group) > 0), max(groups, key=room_left))
