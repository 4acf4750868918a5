"""Fits the curve by which what a board is worth tells how likely each seat wins, to what came of boards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log

import msgspec

from daybook.domain.kernel.curves import softmax


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
        won * log(max(share, 1e-9))
        for one in seen
        for won, share in zip(one.won, softmax(one.values, exp(slope + rise * one.progress)), strict=True)
        if won
    )
