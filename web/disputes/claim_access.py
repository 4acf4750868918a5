"""Disputes as a visitor meets them: the claims of a game, and with which grant they raise, settle and rule on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import abort

from daybook.domain import disputes
from daybook.domain.disputes import Claim
from daybook.domain.kernel.record import Game
from daybook.services.disputes.umpires import Umpire
from daybook.services.people.access import Grant
from daybook.services.visits import Visit
from daybook.web.recording.record_page import FigureChange
from daybook.web.words import N_

MOVED_ON = N_("The game has moved on meanwhile. Nothing was saved: look again.")


def require_claimant(visit: Visit) -> Grant:
    """The grant that may raise and settle claims; 403 without one."""
    return visit.claimant or abort(403, "claim")


def ruling_umpires(visit: Visit, claim: Claim, umpires: Sequence[Umpire]) -> list[Umpire]:
    """The umpires who may rule on a claim now, and for whom the visitor speaks."""
    able = [one for one in umpires if visit.umpire(one.number)]
    appeal = claim.appeal
    return [one for one in able if claim.state != "appealed" or (appeal is not None and appeal.umpire == one.number)]


# --- what is shown ---------------------------------------------------------------------------------------------------


def claim_numbered(game: Game, number: int) -> Claim:
    found = disputes.claims(game).get(number)
    if found is None:
        abort(404)
    return found


def figure_changes(
    game: Game, before: Mapping[str, Sequence[int]], after: Mapping[str, Sequence[int]]
) -> list[FigureChange]:
    """The figures that differ."""
    return [
        FigureChange(column, seat, was, become)
        for column in game.ruleset.ledger.columns
        for seat, (was, become) in enumerate(zip(before[column], after[column], strict=True))
        if was != become
    ]
