"""Practice players, identified by the ids of people in a record's opening.

The record therefore says which seats practice players have, and their level. No person can have such an id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal
from uuid import UUID, uuid5

from daybook.domain.kernel.terms import Seat

Level = Literal["chance", "steady", "strong"]
LEVELS: tuple[Level, ...] = ("chance", "steady", "strong")


def practice_person(game_id: UUID, seat: Seat, level: Level) -> str:
    """Return the id of a practice player in a seat of a game."""
    return uuid5(game_id, f"practice player {level} {seat}").hex


def practice_levels(game_id: UUID, people: Sequence[str]) -> Mapping[Seat, Level]:
    """Return the levels of the practice players in a game, by seat."""
    return {
        seat: level
        for seat, person in enumerate(people)
        for level in LEVELS
        if person == practice_person(game_id, seat, level)
    }
