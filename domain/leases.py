"""Leases: for a while only one device records a game, so that it needs no network.

The begin and the end of a lease are entries of the record. Every seal covers the seal before it, so no entry can be
written unnoticed between the lease and the device's entries.
"""

from __future__ import annotations

from daybook.domain.kernel.chronicle import Refused, checked_text
from daybook.domain.kernel.events import LeaseEnded, LeaseTaken
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import because


def check_lease(game: Game, event: LeaseTaken | LeaseEnded) -> None:
    """Raise Refused for a beginning or an end of a lease that cannot be the record's next entry."""
    match event:
        case LeaseTaken():
            if game.lease is not None:
                raise Refused(because("leased", "since step {step} the game is recorded on a device", step=game.lease))
            if game.status != "running":
                raise Refused(because("game_closed", "the game is {status}; reopen it first", status=game.status))
        case LeaseEnded():
            checked_text(event.why)
            if game.lease is None or game.lease != event.lease:
                raise Refused(
                    because("not_a_lease", "no device is recording the game since step {step}", step=event.lease)
                )
            if event.revoked and not event.why:
                raise Refused(because("why_missing", "to end a device’s recording here, give a reason"))
