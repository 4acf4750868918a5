"""From what a board is worth to its seats to how likely each wins: a curve for each game whose play-outs are cut short.

A seat's likelihood grows exponentially with what the board is worth to it, the steeper the nearer the end is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log

import msgspec


class Curve(msgspec.Struct, frozen=True):
    """slope: of a unit of worth at the opening, as a logarithm; rise: by how much it grows until the usual end.

    length: steps of a usual game, by the number of seats, of others that of the nearest number; origin: what it was
    fitted to.
    """

    slope: float
    rise: float
    length: dict[int, int]
    origin: str

    def shares(self, worths: Sequence[float], steps: int) -> list[float]:
        """How likely each seat wins, so many steps into the game."""
        return softmax(worths, exp(self.slope + self.rise * self.progress(len(worths), steps)))

    def progress(self, seats: int, steps: int) -> float:
        nearest = min(self.length, key=lambda known: abs(known - seats))
        return min(1.0, steps / self.length[nearest])


def softmax(values: Sequence[float], slope: float) -> list[float]:
    """Shares of one, the greater the greater a value is."""
    most = max(values)
    powers = [exp(slope * (value - most)) for value in values]
    return [power / sum(powers) for power in powers]


class Seen(msgspec.Struct, frozen=True):
    """A board of a game that has ended: what it was worth to each seat, how far the game had come, and who won."""

    values: list[float]
    progress: float
    won: list[float]  # of the victory, by seat


def fit(seen: Sequence[Seen]) -> tuple[float, float]:
    """Slope and rise under which what happened is likeliest, by looking closer and closer around the best so far."""
    best, reach = (-4.0, 2.0), (6.0, 6.0)
    for _ in range(14):
        around = [(best[0] + reach[0] * i / 3, best[1] + reach[1] * j / 3) for i in range(-3, 4) for j in range(-3, 4)]
        best = min(around, key=lambda one: surprise(seen, *one))
        reach = (reach[0] * 0.6, reach[1] * 0.6)
    return best


def surprise(seen: Iterable[Seen], slope: float, rise: float) -> float:
    """How unlikely the victories are under a curve: the sum of their logarithms, negated."""
    return -sum(
        won * log(max(share, 1e-9)) for one in seen
        for won, share in zip(one.won, softmax(one.values, exp(slope + rise * one.progress)), strict=True) if won)
