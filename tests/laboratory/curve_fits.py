"""Fit the curve from a board's values to each seat's chance, and the number of even play-outs to count in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log

import msgspec

from daybook.domain.kernel.curves import softmax
from daybook.services.analysis.shrinkage import shrink_shares

LEAST, MOST = -4.0, 5.0  # of the logarithm of how many even play-outs are counted in


class Seen(msgspec.Struct, frozen=True):
    """A board of a game that has ended: its value to each seat, the game's progress, and the winners."""

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
    """Return how unlikely the victories are under a curve: the negated sum of their logarithms."""
    return -sum(
        won * log(max(share, 1e-9))
        for item in seen
        for won, share in zip(item.won, softmax(item.values, exp(slope + rise * item.progress)), strict=True)
        if won
    )


class Forecast(msgspec.Struct, frozen=True):
    """Shares from this many play-outs, 0 if the game was over, and each seat's share of the victory."""

    shares: list[float]
    play_outs: int
    won: list[float]


def fit_added(forecasts: Sequence[Forecast]) -> float:
    """Return the number of even play-outs that makes the results likeliest, by a search that narrows around the best."""
    best, reach = (LEAST + MOST) / 2, (MOST - LEAST) / 2
    for _ in range(12):
        around = [min(MOST, max(LEAST, best + reach * part / 4)) for part in range(-4, 5)]
        best = min(around, key=lambda one: _surprise_of(forecasts, exp(one)))
        reach *= 0.5
    return exp(best)


def _surprise_of(forecasts: Sequence[Forecast], added: float) -> float:
    """Return how unlikely the victories are: the negated sum of their logarithms."""
    return -sum(
        won * log(max(share, 1e-9))
        for forecast in forecasts
        if forecast.play_outs
        for won, share in zip(forecast.won, shrink_shares(forecast.shares, forecast.play_outs, added), strict=True)
        if won
    )
