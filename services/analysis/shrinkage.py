"""Chances out of few play-outs, drawn towards even ones: as they come, few look surer than they are.

So many play-outs are counted in beside those that were made, in which all seats win alike: the more were made, the less
they change. That is the mean of what the shares may be, if all shares were as likely before (a Dirichlet prior).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from daybook.services.analysis.play_outs import Chances


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
