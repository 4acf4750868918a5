"""Chances out of few play-outs, drawn towards even ones: as they come, few look surer than they are.

So many play-outs are counted in beside those that were made, in which all seats win alike: the more were made, the less
they change. That is the mean of what the shares may be, if all shares were as likely before (a Dirichlet prior).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

import msgspec

from daybook.services.analysis.play_outs import Chances

LEAST, MOST = -4.0, 5.0  # of the logarithm of how many are counted in


class Forecast(msgspec.Struct, frozen=True):
    """Shares out of so many play-outs, 0 where the game was over, and what of the victory each seat had in the end."""

    shares: list[float]
    play_outs: int
    won: list[float]


def shrink(found: Chances, added: float) -> Chances:
    """Chances with so many even play-outs counted in, their intervals too."""
    return msgspec.structs.replace(
        found,
        **{
            name: [round(share, 4) for share in shrink_shares(getattr(found, name), found.play_outs, added)]
            for name in ("shares", "low", "high")
        },
    )


def shrink_shares(shares: Sequence[float], play_outs: int, added: float) -> list[float]:
    """Shares with so many even play-outs counted in; what is certain stays so."""
    if not play_outs:
        return list(shares)
    return [(share * play_outs + added / len(shares)) / (play_outs + added) for share in shares]


def fit_added(forecasts: Sequence[Forecast]) -> float:
    """How many even play-outs are to be counted in, so that what happened is likeliest; looked for closer and closer
    around the best so far."""
    best, reach = (LEAST + MOST) / 2, (MOST - LEAST) / 2
    for _ in range(12):
        around = [min(MOST, max(LEAST, best + reach * part / 4)) for part in range(-4, 5)]
        best = min(around, key=lambda one: _surprise(forecasts, exp(one)))
        reach *= 0.5
    return exp(best)


def _surprise(forecasts: Sequence[Forecast], added: float) -> float:
    """How unlikely the victories are: the sum of their logarithms, negated."""
    return -sum(
        won * log(max(share, 1e-9))
        for one in forecasts
        if one.play_outs
        for won, share in zip(one.won, shrink_shares(one.shares, one.play_outs, added), strict=True)
        if won
    )
