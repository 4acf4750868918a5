"""Share addresses: a game as a spectator sees it, at an address that is not a key (`services.permissions.access.share_game`)."""

from __future__ import annotations

from flask import Blueprint, abort
from werkzeug import Response

from daybook.services.permissions import access
from daybook.services.permissions.access import Grant
from daybook.web.replay import evidence
from daybook.web.replay.pictures import step_picture
from daybook.web.replay.replay import replay
from daybook.web.request.access import book, hold_share
from daybook.web.request.long_work import takes_long
from daybook.web.request.security import forbid_storing

page = Blueprint("shared", __name__)


@page.get("/s/<share>")
def shared(share: str) -> Response | str:
    """Show the replay; from now on this browser opens the game's other pages too."""
    grant = _share_or_404(share)
    hold_share(grant)
    return replay(grant.game)


@page.get("/s/<share>/receipt")
def receipt(share: str) -> Response:
    """Show the receipt of a step, where the QR code of a shared game leads."""
    grant = _share_or_404(share)
    hold_share(grant)
    return evidence.receipt(grant.game)


@page.get("/s/<share>/steps/<int:step>.png")
@takes_long("GET")
def picture(share: str, step: int) -> Response:
    """Show the picture of a step to programs that preview links, which send no cookie."""
    return forbid_storing(step_picture(_share_or_404(share).game, step, share))


def _share_or_404(share: str) -> Grant:
    return access.read_share(book(), share) or abort(404, "share")
