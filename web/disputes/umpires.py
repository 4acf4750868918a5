"""Umpires pages: naming, links, and the time limit for appeals."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, flash
from werkzeug import Response

from daybook.domain import disputes
from daybook.domain.commands import NameUmpire
from daybook.domain.kernel.chronicle import Refused
from daybook.services.disputes import umpires
from daybook.services.disputes.umpires import HOURS_LIMIT
from daybook.services.names import BadNameError
from daybook.services.permissions import club_roles
from daybook.services.permissions.actions import require
from daybook.web.request.access import book, require_keeper, visit_game
from daybook.web.request.forms import key_sent, see_other, text_sent, whole_number_sent
from daybook.web.words import reason_sentence, say, say_n

page = Blueprint("umpires", __name__)


@page.post("/games/<uuid:game_id>/umpires")
def name_umpire(game_id: UUID) -> Response:
    """Name an umpire: a player, or a person outside the game with a link."""
    by, key = require(visit_game(game_id), NameUmpire).by, key_sent()
    back = see_other("links.links", game_id=game_id, _anchor="umpires")
    try:
        if text_sent("seat"):
            umpires.name_umpire(book(), game_id, seat=whole_number_sent("seat"), by=by, key=key)
        else:
            umpires.name_umpire(book(), game_id, text_sent("name"), by=by, key=key)
            umpires.umpire_grant(book(), game_id, len(disputes.umpires(book().games.get(game_id))) - 1)
    except BadNameError:
        flash(say("Enter the umpire’s name, or choose a player."))
    except Refused as no:
        flash(say("Nothing was saved: {reason}.", reason=reason_sentence(no.reason)), "wrong")
    return back


@page.post("/games/<uuid:game_id>/umpires/me")
def name_me(game_id: UUID) -> Response:
    """Make a club umpire an umpire of this game; the record shows it."""
    visit = visit_game(game_id)
    who = visit.person or ""
    require(visit, "umpire_game", club_umpire=club_roles.may_umpire(book(), who, visit.game, visit.kept))
    number = len(disputes.umpires(visit.game))
    umpires.name_umpire(book(), game_id, person=who, by=f"umpire:{number}@{who}", key=key_sent())
    flash(say("You are an umpire of this game now, and its record says so."))
    return see_other("claims.all_claims", game_id=game_id)


@page.post("/games/<uuid:game_id>/umpires/<int:number>/link")
def umpire_link(game_id: UUID, number: int) -> Response:
    """Create a link for an umpire without a valid one."""
    require_keeper(visit_game(game_id))
    try:
        umpires.umpire_grant(book(), game_id, number)
    except Refused:
        abort(404)
    return see_other("links.links", game_id=game_id, _anchor="umpires")


@page.post("/games/<uuid:game_id>/appeal-hours")
def appeal_hours(game_id: UUID) -> Response:
    """Set the appeal period for later rulings."""
    require_keeper(visit_game(game_id))
    hours = whole_number_sent("hours")
    if not 0 <= hours <= HOURS_LIMIT:
        flash(say("An appeal is possible for 0 to {most} hours.", most=HOURS_LIMIT))
    else:
        umpires.set_appeal_hours(book(), game_id, hours)
        flash(
            say_n(
                "Rulings from now on may be appealed for {n} hour.",
                "Rulings from now on may be appealed for {n} hours.",
                hours,
            )
            if hours
            else say("Rulings from now on are final.")
        )
    return see_other("links.links", game_id=game_id, _anchor="umpires")
