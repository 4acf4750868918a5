"""A finished game for BG Stats: what its app is told, and the address that opens it."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort
from markupsafe import Markup

from daybook.services.exchange import bgstats
from daybook.web.request.access import render_game_page, visit_game
from daybook.web.request.plays import play_of_visit
from daybook.web.request.sharing import qr_code

page = Blueprint("bg_stats", __name__)

QR_SIGNS = 1_100  # of a longer address the code is too fine for a telephone


@page.get("/games/<uuid:game_id>/bg-stats")
def offer(game_id: UUID) -> str:
    visit = visit_game(game_id)
    play = play_of_visit(visit)
    if play is None:
        abort(404)
    address = bgstats.create_link(play)
    code: Markup | str = qr_code(address, "l") if len(address) <= QR_SIGNS else ""
    return render_game_page("bg_stats.html", visit, play=play, address=address, code=code)
