"""Curves from the value of a board to each seat's chance to win, for games with shortened play-outs.

A seat's chance grows exponentially with the value of the board for it, and more steeply towards the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from daybook.domain.kernel.frozen import Frozen


class Curve(Frozen):
    """slope: of a unit of worth at the opening, as a logarithm; rise: by how much it grows until the usual end.

    length: steps of a usual game, by the number of seats, of others that of the nearest number; origin: what it was
    fitted to.
    """

    slope: float
    rise: float
    length: dict[int, int]
    origin: str

    def shares(self, worths: Sequence[float], steps: int) -> list[float]:
        """Return each seat's chance to win after this many steps."""
        return softmax(worths, exp(self.slope + self.rise * self.progress(len(worths), steps)))

    def progress(self, seats: int, steps: int) -> float:
        nearest = min(self.length, key=lambda length_seats: abs(length_seats - seats))
        return min(1.0, steps / self.length[nearest])


def softmax(values: Sequence[float], slope: float) -> list[float]:
    """Shares of one, the greater the greater a value is."""
    most = max(values)
    powers = [exp(slope * (value - most)) for value in values]
    return [power / sum(powers) for power in powers]
