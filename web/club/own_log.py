"""One person's own log of plays, and bringing its plays into a club.

An own log is a club that only its owner has: the pages of plays, imports, exports and statistics are those of clubs.
"""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import RestoreClub, SetTimeZone
from daybook.services.league import club_imports, clubs, results
from daybook.services.league import plays as log
from daybook.web.club.exchange import import_page, pack_plays
from daybook.web.club.plays import filters_offered, requested_plays
from daybook.web.people.me import require_account_owner, signed_in_account
from daybook.web.request.access import book
from daybook.web.request.clubs import club_names, render_club_page, require_club, user_id, write_in_club
from daybook.web.request.days import zone_of_visitor
from daybook.web.request.forms import fresh_key, key_sent, see_other
from daybook.web.request.long_work import takes_long
from daybook.web.words import say

page = Blueprint("own_log", __name__)

PLAYS_OFFERED = 200  # to choose from, the newest
CHOSEN = "play."  # before the id of a result, as the name of its box
FILTERS_OFFERED = ("game", "place", "year", "kind", "source")


@page.get("/me/plays")
def own_log() -> ResponseReturnValue:
    """Show the user's own log, or offer to start it."""
    _, account = signed_in_account()
    for club in clubs.own_logs_of(book(), account.person):
        return see_other("plays.plays", club_id=club.id)
    mine = [club for club in clubs.clubs_of(book(), account.person) if not club.removed]
    return render_template("sign_in/own_log.html", key=fresh_key(), clubs=mine)


@page.post("/me/plays")
def start() -> Response:
    """Start the user's own log. Its days are those of the user's device."""
    _, account = require_account_owner()
    log_id = clubs.found_own_log(book(), say("My plays"), account.person)
    if book().clubs.get(log_id).removed:
        write_in_club(log_id, RestoreClub(say("started again")), key=f"{key_sent()[:60]}-back")
    if (zone := zone_of_visitor()) != book().clubs.get(log_id).zone:
        write_in_club(log_id, SetTimeZone(zone), key=f"{key_sent()[:60]}-zone")
    return see_other("plays.plays", club_id=log_id)


@page.get("/clubs/<uuid:club_id>/import/own")
def choose(club_id: UUID) -> str:
    return _choice(require_club(club_id, "log_plays"))


def _choice(club: Club, error: str = "") -> str:
    """Render the plays of the user's own log, to choose those for a club."""
    own = _own_log_of_user(club)
    wanted = requested_plays()
    mine = log.PlayFilter(
        game=wanted.game, place=wanted.place, year=wanted.year, kind=wanted.kind, source=wanted.source, person=user_id()
    )
    rows = log.list_plays(book(), own, mine, "", PLAYS_OFFERED).rows
    found = results.results_of_tables(book(), own, [own.season(play.season).tables[play.table] for play in rows])
    names = club_names(own)
    return render_club_page(
        "league/bring.html",
        club,
        heading=say("Plays of your own log"),
        wrong=error,
        names=names,
        key=fresh_key(),
        filters=[offered for offered in filters_offered(own, mine, names) if offered.name in FILTERS_OFFERED],
        shown=[(play.id, club_imports.shown_result(own, found[play.id])) for play in rows if play.id in found],
        in_all=log.count_plays(book(), own, mine),
    )


def _own_log_of_user(club: Club) -> Club:
    """Return the own log of the user, or the other one of a user with merged accounts; 404 without one."""
    return next((own for own in clubs.own_logs_of(book(), user_id()) if own.id != club.id), None) or abort(404)


@page.post("/clubs/<uuid:club_id>/import/own")
@takes_long("POST")
def preview(club_id: UUID) -> ResponseReturnValue:
    """Preview the chosen plays as an import. This writes nothing."""
    club = require_club(club_id, "log_plays")
    chosen = [name.removeprefix(CHOSEN) for name in request.form if name.startswith(CHOSEN)][:PLAYS_OFFERED]
    if not chosen:
        return _choice(club, say("Choose at least one play.")), 422
    incoming, answers = club_imports.plays_to_bring(book(), _own_log_of_user(club), user_id(), chosen)
    previewed = club_imports.preview_import(book(), club, incoming, answers)
    return import_page(club, previewed, pack_plays(club, incoming), answers=answers)
