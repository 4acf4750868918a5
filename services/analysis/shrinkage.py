"""Shrinkage of chances from few play-outs toward even shares, so that few look surer than they are.

A number of even play-outs, in which all seats win equally, is added to those made: the more were made, the less they
matter. This is the posterior mean under a Dirichlet prior.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from daybook.services.analysis.play_outs import Chances


def shrink_chances(chances: Chances, added: float) -> Chances:
    """Return chances, including intervals, with `added` even play-outs."""
    return msgspec.structs.replace(
        chances,
        **{
            name: [round(share, 4) for share in shrink_shares(getattr(chances, name), chances.play_outs, added)]
            for name in ("shares", "low", "high")
        },
    )


def shrink_shares(shares: Sequence[float], play_outs: int, added: float) -> list[float]:
    """Return shares with `added` even play-outs; certain shares stay."""
    if not play_outs:
        return list(shares)
    return [(share * play_outs + added / len(shares)) / (play_outs + added) for share in shares]
