"""What a record is: its facts, its receipt, and the file that anyone can check."""

from __future__ import annotations

import re
from collections.abc import Callable
from uuid import UUID

import msgspec
from flask import Blueprint, Response, abort, flash, make_response, redirect, request, url_for
from werkzeug import Response as WerkzeugResponse

from daybook.domain import commands
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import DayOfPlayTold, DecisionRecorded
from daybook.domain.kernel.times import FIRST_DAY
from daybook.domain.sealed_entries import first_sealed
from daybook.services.files import import_export
from daybook.services.files.signed_seats import sign_file
from daybook.services.league import evenings, own_seats
from daybook.services.people import seated
from daybook.services.visits import Visit
from daybook.web.request.access import (
    book,
    current_grant,
    held_grants,
    page_of,
    require_signed_in,
    visit_game,
    write_sent,
)
from daybook.web.request.forms import fresh_key
from daybook.web.request.origin import own_address
from daybook.web.request.parts import is_device
from daybook.web.request.sharing import qr, share_game
from daybook.web.words import reason_sentence, say
from daybook.web.words.record_words import day_of_play_sentence

page = Blueprint("about", __name__)


@page.get("/games/<uuid:game_id>/about")
def about(game_id: UUID) -> str:
    visit = visit_game(game_id)
    game, kept = visit.game, visit.kept
    share_game(visit)
    opening = game.opening
    published = book().sheets.published(opening.ruleset, opening.sheet.hash)
    receipt = f"{own_address()}/games/{game_id}/about#{game.step}.{game.seal}"
    return page_of(
        "about.html",
        visit,
        opening=opening,
        published=published,
        qr=qr(receipt),
        by=sorted(set(game.writers)),
        decisions=sum(isinstance(entry.event, DecisionRecorded) for entry in game.entries),
        struck=len(game.struck_steps()),
        whole=visit.may_export,
        saves=visit.may_save,
        sealed=first_sealed(game),
        role=visit.role or "",
        seats=own_seats.seats_to_claim(kept, visit.person, visit.grants) if visit.person and not is_device() else [],
        mine=own_seats.seat_of(game, kept, visit.person) if visit.person else None,
        alike=[]
        if is_device()
        else evenings.games_alike(
            book(), game, seated.people_of(game, kept), {grant.game for grant in held_grants()}, current_grant
        ),
        told=_days_told(visit),
        first_day=FIRST_DAY,
        key=fresh_key(),
    )


class DayTold(msgspec.Struct, frozen=True):
    """What somebody said of the day of play."""

    says: str
    at: str
    by: str


def _days_told(visit: Visit) -> list[DayTold]:
    game = visit.game
    events = [(step, game.entries[step].event) for step in game.asides]
    return [
        DayTold(day_of_play_sentence(event.day, event.before), event.at, game.writers[step])
        for step, event in events
        if isinstance(event, DayOfPlayTold)
    ]


@page.post("/games/<uuid:game_id>/day-of-play")
def day_of_play(game_id: UUID) -> WerkzeugResponse:
    """The scorekeeper says on which day the game was played."""
    said = commands.TellDayOfPlay(request.form.get("day", "").strip())
    try:
        write_sent(visit_game(game_id), said)
    except Refused as no:
        flash(say("Nothing was saved: {reason}.", reason=reason_sentence(no.reason)))
    return redirect(url_for("about.about", game_id=game_id), 303)


@page.post("/games/<uuid:game_id>/seats/<int:seat>/mine")
def claim_seat(game_id: UUID, seat: int) -> WerkzeugResponse:
    """Somebody with an account says that they sat there."""
    visit = visit_game(game_id)
    person = require_signed_in()
    if not any(own_seats.may_claim(grant, seat) for grant in visit.grants):
        abort(403, "scorekeeper")
    return _seated(game_id, lambda: own_seats.claim_seat(book(), game_id, seat, person=person))


@page.post("/games/<uuid:game_id>/seats/not-mine")
def leave_seat(game_id: UUID) -> WerkzeugResponse:
    """Somebody says that they sat nowhere in this game, whatever brought them there."""
    visit_game(game_id)
    person = require_signed_in()
    return _seated(game_id, lambda: own_seats.leave_seat(book(), game_id, person=person))


def _seated(game_id: UUID, act: Callable[[], None]) -> WerkzeugResponse:
    try:
        act()
    except Refused as no:
        flash(say("Nothing was saved: {reason}.", reason=reason_sentence(no.reason)))
    return redirect(url_for("about.about", game_id=game_id), 303)


@page.get("/games/<uuid:game_id>/export")
def export(game_id: UUID) -> Response:
    """The record file. While hands are covered, only who sees everything may have it, and what lies sealed is left out."""
    visit = visit_game(game_id)
    if not visit.may_save:
        abort(403, "running")
    name = re.sub(r"[^A-Za-z0-9]+", "-", visit.kept.title).strip("-").lower()[:40] or "game"
    file = import_export.export_unsealed(book(), game_id)
    answer = make_response(file if is_device() else sign_file(book(), file))
    answer.mimetype = "application/jsonl"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.daybook"'
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer
