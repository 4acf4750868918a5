"""Export of a finished game to BG Stats: the link that opens its app."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort
from markupsafe import Markup

from daybook.services.exchange import bgstats
from daybook.web.request.access import render_game_page, visit_game
from daybook.web.request.plays import play_of_visit
from daybook.web.request.sharing import qr_code

page = Blueprint("bg_stats", __name__)

MAX_QR_CHARACTERS = 1_100  # a longer address makes the code too fine for phones


@page.get("/games/<uuid:game_id>/bg-stats")
def offer(game_id: UUID) -> str:
    visit = visit_game(game_id)
    play = play_of_visit(visit)
    if play is None:
        abort(404)
    address = bgstats.create_link(play)
    code: Markup | str = qr_code(address, "l") if len(address) <= MAX_QR_CHARACTERS else ""
    return render_game_page("bg_stats.html", visit, play=play, address=address, code=code)
