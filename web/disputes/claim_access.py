"""Disputes as a visitor meets them: the claims of a game, and with which grant they raise, settle and rule on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import abort
from markupsafe import Markup

from daybook.domain import disputes
from daybook.domain.disputes import Claim
from daybook.domain.kernel.events import Move, Ruling
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.services.disputes import claims
from daybook.services.disputes.claims import RulingPreview
from daybook.services.disputes.umpires import Umpire
from daybook.services.permissions.actions import may
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.web.boards import framed_board
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.recording.record_page import FigureChange
from daybook.web.words import N_

MOVED_ON = N_("The game has continued in the meantime. Nothing was saved: check and try again.")


def ruling_umpires(visit: Visit, claim: Claim, umpires: Sequence[Umpire]) -> list[Umpire]:
    """Return the umpires that may rule on a claim now through this visitor's links."""
    able = [umpire for umpire in umpires if may(visit, "rule", umpire=umpire.number)]
    appeal = claim.appeal
    return [
        umpire
        for umpire in able
        if claim.state != "appealed" or (appeal is not None and appeal.umpire == umpire.number)
    ]


# --- what is shown ---------------------------------------------------------------------------------------------------


def claim_numbered(game: Game, number: int) -> Claim:
    found = disputes.claims(game).get(number)
    if found is None:
        abort(404)
    return found


def figure_changes(
    game: Game, before: Mapping[str, Sequence[Points]], after: Mapping[str, Sequence[Points]]
) -> list[FigureChange]:
    """Return the figures that differ."""
    return [
        FigureChange(column, seat, was, become)
        for column in game.ruleset.ledger.columns
        for seat, (was, become) in enumerate(zip(before[column], after[column], strict=True))
        if was != become
    ]


def draw_ruled_board(
    visit: Visit, comes_to: RulingPreview | None, ruling: Ruling, to: int | None, moves: Sequence[Move] = ()
) -> Markup | None:
    """Draw the board after a ruling with its changes marked; None if nothing changes or may be shown."""
    if comes_to is None or not comes_to.changes:
        return None
    game, sight = visit.game, visit.sight
    document = claims.redact_ruled_board(game, comes_to, ruling, to, moves, sight, bool(may(visit, "see_all")))
    if document is None:
        return None
    now = replay.position_at(game, None, sight).board
    return framed_board(game, visit.names, sight, privacy_of_visit(visit), document, now)
