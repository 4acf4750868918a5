"""Practice players at a table: known by the ids of who sits there, which stand in the record's opening.

So a record alone says which seats play by themselves, and how well; nothing else has to be kept, and nobody else's id
can be one of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal
from uuid import UUID, uuid5

from daybook.domain.kernel.terms import Seat

Level = Literal["chance", "steady", "strong"]
LEVELS: tuple[Level, ...] = ("chance", "steady", "strong")


def practice_person(game_id: UUID, seat: Seat, level: Level) -> str:
    """The id of a practice player in a seat of a game."""
    return uuid5(game_id, f"practice player {level} {seat}").hex


def practice_levels(game_id: UUID, people: Sequence[str]) -> Mapping[Seat, Level]:
    """How well the practice players among the people of a game play, by seat."""
    return {
        seat: level
        for seat, person in enumerate(people)
        for level in LEVELS
        if person == practice_person(game_id, seat, level)
    }
