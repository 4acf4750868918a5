"""A player's column of a score sheet."""

from __future__ import annotations

from typing import Literal

import msgspec

from daybook.domain.kernel.points import Points

Figures = dict[str, Points | None]  # by the keys of the lines; None: nothing is entered


class Player(msgspec.Struct):
    """A player's column.

    out: 0 while in, else the number in the order of going out; team: 0 for a player without one; once: the figures of
    the lines that are counted once; away: comes later, or left early; missed: rounds without the player; agreed: the
    place of a player who left: 0 behind those who stayed, -1 by the figures; joined_with: points agreed on joining; settled: the
    table decided a tie for the player, the greatest last.
    """

    rounds: list[Figures]
    out: int = 0
    role: str | None = None
    team: int = 0
    once: Figures = {}
    away: Literal["", "later", "left"] = ""
    missed: list[int] = []
    agreed: int = 0
    joined_with: Points = 0
    settled: int = 0
