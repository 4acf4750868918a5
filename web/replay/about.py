"""Record details: facts, receipt and downloadable file."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from flask import Blueprint, Response, abort, flash
from werkzeug import Response as WerkzeugResponse

from daybook.domain import commands
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import DayOfPlaySet, DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.times import FIRST_DAY
from daybook.domain.league.club import Club
from daybook.domain.sealed_entries import first_sealed
from daybook.services.files import import_export
from daybook.services.files.signed_seats import sign_file
from daybook.services.league import duplicate_games, own_seats, told_apart
from daybook.services.league.duplicate_games import GameAlike
from daybook.services.league.told_apart import SaidApart
from daybook.services.people import seated
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import ClubVisit, has_role, may, require
from daybook.services.permissions.visits import Visit
from daybook.web.request.access import (
    book,
    current_grant,
    grants_of,
    held_grants,
    render_game_page,
    require_owner,
    require_signed_in,
    visit_game,
    write_sent,
)
from daybook.web.request.forms import fresh_key, see_other, text_sent, whole_number_sent, why_sent
from daybook.web.request.long_work import takes_long
from daybook.web.request.origin import own_address
from daybook.web.request.parts import is_device
from daybook.web.request.security import file_response, file_stem
from daybook.web.request.sharing import preview_game, qr_code
from daybook.web.words import reason_sentence, say
from daybook.web.words.record_words import by_label, day_of_play_sentence

page = Blueprint("about", __name__)


@page.get("/games/<uuid:game_id>/about")
def about(game_id: UUID) -> str:
    visit = visit_game(game_id)
    game, kept = visit.game, visit.kept
    preview_game(visit)
    opening = game.opening
    published = book().sheets.published(opening.ruleset, opening.sheet.hash)
    receipt = f"{own_address()}/games/{game_id}/about#{game.step}.{game.seal}"
    return render_game_page(
        "about.html",
        visit,
        opening=opening,
        published=published,
        qr=qr_code(receipt),
        by=sorted(set(game.writers)),
        decisions=sum(isinstance(entry.event, DecisionRecorded) for entry in game.entries),
        struck=len(game.struck_steps()),
        whole=may(visit, "export"),
        saves=may(visit, "save"),
        sealed=first_sealed(game),
        role=visit.role or "",
        seats=own_seats.seats_to_claim(kept, visit.person, visit.grants) if visit.person and not is_device() else [],
        mine=own_seats.seat_of(game, kept, visit.person) if visit.person else None,
        alike=_alike_shown(visit),
        told=_day_changes(visit),
        first_day=FIRST_DAY,
        key=fresh_key(),
    )


class AlikeShown(Frozen):
    """Similar record of the same evening.

    Args:
        says: who declared them different, and who retracted that.
        clubs: readable clubs that say so.
        decides: the visitor may decide.
        keeps: the visitor keeps the other record, too.
    """

    game: GameAlike
    says: list[ApartShown]
    clubs: list[Club]
    decides: bool
    keeps: bool


class ApartShown(Frozen):
    said: SaidApart
    by: str
    back_by: str


def _alike(visit: Visit) -> list[GameAlike]:
    if is_device():
        return []
    people, held = seated.people_of(visit.game, visit.kept), {grant.game for grant in held_grants()}
    return duplicate_games.games_alike(book(), visit.game, people, held, current_grant)


def _alike_shown(visit: Visit) -> list[AlikeShown]:
    alike = _alike(visit)
    writers = told_apart.names_of_authors(book(), [statement for similar in alike for statement in similar.statements])
    return [
        AlikeShown(
            similar,
            [
                ApartShown(
                    statement,
                    by_label(statement.by, visit.names, writers),
                    by_label(statement.back_by or "", (), writers),
                )
                for statement in similar.statements
            ],
            [club for club in similar.clubs if may(ClubVisit(club, visit.person or ""), "read_club")],
            _keeper_of_either(visit, similar.kept.id) is not None,
            has_role(grants_of(similar.kept.id), similar.kept.id, "correct"),
        )
        for similar in alike
    ]


def _keeper_of_either(visit: Visit, game_id: UUID) -> Grant | None:
    """Return the visitor's grant to correct one of two records."""
    held = (*visit.grants, *grants_of(game_id))
    return next((grant for grant in held if has_role([grant], grant.game, "correct")), None)


class DayTold(Frozen):
    """Statement about the day of play."""

    says: str
    at: str
    by: str


def _day_changes(visit: Visit) -> list[DayTold]:
    """Return each change of the day of play, with its time and author."""
    game = visit.game
    events = [(step, game.entries[step].event) for step in game.side_steps]
    return [
        DayTold(day_of_play_sentence(event.day, event.previous_day), event.at, game.writers[step])
        for step, event in events
        if isinstance(event, DayOfPlaySet)
    ]


@page.post("/games/<uuid:game_id>/day-of-play")
def day_of_play(game_id: UUID) -> WerkzeugResponse:
    """Record the day of play, as the scorekeeper says."""
    command = commands.SetDayOfPlay(text_sent("day").strip() or None)
    return _acted(game_id, lambda: write_sent(visit_game(game_id), command))


@page.post("/games/<uuid:game_id>/similar-games/<uuid:other_id>/separate")
def confirm_separate_games(game_id: UUID, other_id: UUID) -> WerkzeugResponse:
    """Declare two similar records different, by a keeper of either."""
    grant = _require_keeper_of_either(visit_game(game_id), other_id)
    return _acted(game_id, lambda: told_apart.say_apart(book(), (game_id, other_id), why_sent(), grant))


@page.post("/games/<uuid:game_id>/similar-games/<uuid:other_id>/separate/undo")
def withdraw_separate_games(game_id: UUID, other_id: UUID) -> WerkzeugResponse:
    """Withdraw the statement that two similar records are of two games."""
    grant = _require_keeper_of_either(visit_game(game_id), other_id)
    return _acted(game_id, lambda: told_apart.take_back(book(), (game_id, other_id), grant))


def _require_keeper_of_either(visit: Visit, game_id: UUID) -> Grant:
    """Return the keeper's grant; 404 if the records are not similar, 403 without one."""
    if all(similar.kept.id != game_id for similar in _alike(visit)):
        abort(404)
    grant: Grant = _keeper_of_either(visit, game_id) or require(visit, "correct")
    return grant


@page.post("/games/<uuid:game_id>/give-up-for-another")
def give_up_for_another(game_id: UUID) -> WerkzeugResponse:
    """Abandon this record, even if closed, in favour of another one of the same evening."""
    visit, why, at = visit_game(game_id), why_sent(), whole_number_sent("at")

    def give_up() -> None:
        if visit.game.status == "closed":
            opened = write_sent(visit, commands.Reopen(why), at, ".reopened")
            write_sent(visit_game(game_id), commands.Abandon(why), opened.step)
        else:
            write_sent(visit, commands.Abandon(why), at)

    return _acted(game_id, give_up)


@page.post("/games/<uuid:game_id>/seats/<int:seat>/mine")
def claim_seat(game_id: UUID, seat: int) -> WerkzeugResponse:
    """Let a user claim a seat."""
    visit = visit_game(game_id)
    person = require_signed_in()
    require_owner()
    require(visit, "claim_seat", seat=seat)
    return _acted(game_id, lambda: own_seats.claim_seat(book(), game_id, seat, person=person))


@page.post("/games/<uuid:game_id>/seats/not-mine")
def leave_seat(game_id: UUID) -> WerkzeugResponse:
    """Let a user state that they had no seat in this game."""
    visit_game(game_id)
    person = require_signed_in()
    require_owner()
    return _acted(game_id, lambda: own_seats.leave_seat(book(), game_id, person=person))


def _acted(game_id: UUID, act: Callable[[], object]) -> WerkzeugResponse:
    try:
        act()
    except Refused as no:
        flash(say("Nothing was saved: {reason}.", reason=reason_sentence(no.reason)), "wrong")
    return see_other("about.about", game_id=game_id)


@page.get("/games/<uuid:game_id>/export")
@takes_long("GET")
def export(game_id: UUID) -> Response:
    """Return the record file, without sealed entries; while hands are covered, only with full sight."""
    visit = visit_game(game_id)
    require(visit, "save")
    name = file_stem(visit.kept.title, "game")
    file = import_export.export_unsealed(book(), game_id)
    return file_response(file if is_device() else sign_file(book(), file), f"{name}.daybook", "application/jsonl")
