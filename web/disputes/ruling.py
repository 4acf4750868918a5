"""Draft a ruling: preview its effects on the board before it is proposed or given."""

from __future__ import annotations

from typing import cast, get_args
from uuid import UUID

import msgspec
from flask import Blueprint, abort, flash, make_response, request
from werkzeug import Response

from daybook.domain import commands
from daybook.domain.disputes import Claim, ruled_on_board
from daybook.domain.kernel.chronicle import TEXT_LIMIT, Refused
from daybook.domain.kernel.events import AppealedChanges, Ruling
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.disputes import claims
from daybook.services.disputes.umpires import appeal_hours, umpires_of_game
from daybook.services.permissions.actions import may, require
from daybook.services.permissions.visits import Visit
from daybook.services.play.repetition import MovedOnError
from daybook.services.store.kept import GameKept
from daybook.web.boards.table_privacy import TablePrivacy, privacy_of_visit
from daybook.web.disputes.claim_access import MOVED_ON, claim_numbered, draw_ruled_board, figure_changes, ruling_umpires
from daybook.web.request.access import book, refusal_sentence, render_game_page, visit_game, write_sent
from daybook.web.request.forms import (
    changed_values,
    fresh_key,
    see_other,
    text_sent,
    whole_number_sent,
    why_sent,
    with_typed_texts,
)
from daybook.web.request.long_work import takes_long
from daybook.web.words import say
from daybook.web.words.places import AdjustablePlace, adjustable_places

page = Blueprint("ruling", __name__)


@page.route("/games/<uuid:game_id>/claims/<int:number>/ruling", methods=["GET", "POST"])
@takes_long("GET", "POST")
def ruling(game_id: UUID, number: int) -> Response:
    """Put a ruling together, look what it would do, then propose it to the table or rule so."""
    visit = visit_game(game_id)
    game, kept = visit.game, visit.kept
    found = claim_numbered(game, number)
    mine = ruling_umpires(visit, found, umpires_of_game(book(), game, kept))
    if not mine:
        require(visit, "claim")
    if not found.awaits_ruling:
        return see_other("claims.claim", game_id=game_id, number=number)
    kind = request.values.get("ruling", "play_on")
    if kind not in get_args(Ruling):
        abort(400)
    if kind == "adjusted":
        require(visit, "see_all")
    wrong: dict[str, str] = {}
    ruling_form, places = _ruling_form(game, kept, found, cast(Ruling, kind), wrong, privacy_of_visit(visit))
    first = _first_ruling(game, found, ruling_form.ruling)
    do = text_sent("do") if request.method == "POST" else ""
    status = 422 if wrong else 200
    if not wrong and do in ("propose", "rule"):
        answer = _propose_or_rule(visit, ruling_form, first, do, wrong)
        if answer is not None:
            return answer
        status = 422
    comes_to = None
    if not wrong and (ruling_form.ruling != "adjusted" or ruling_form.values):
        try:
            comes_to = claims.preview_ruling(
                game, number, ruling_form.ruling, to=ruling_form.to_step, values=ruling_form.values, first=first
            )
        except (Refused, IllegalDecision) as no:
            wrong["form"] = refusal_sentence(visit, no)
            status = 422 if request.method == "POST" else 200
    return make_response(
        render_game_page(
            "ruling.html",
            visit,
            claim=found,
            asked=ruling_form,
            first=first,
            backs=_places_to_go_back_to(game, found) if ruling_form.ruling == "rewound" else [],
            board=draw_ruled_board(visit, comes_to, ruling_form.ruling, ruling_form.to_step),
            places=places,
            comes_to=comes_to,
            wrong=wrong,
            key=fresh_key(),
            mine=mine,
            settles=may(visit, "claim"),
            seats=visit.seats_spoken_for,
            keeps=may(visit, "manage"),
            view=privacy_of_visit(visit),
            changes=figure_changes,
            text_limit=TEXT_LIMIT,
            covered=not may(visit, "see_all"),
        ),
        status,
    )


def _places_to_go_back_to(game: Game, claim: Claim) -> list[int]:
    """Return the steps before the claimed turn and before the claimed step."""
    about = claim.raised.about_step
    return list(dict.fromkeys([claims.default_rewind_step(game, about), game.parents[about] if about else 0]))


def _first_ruling(game: Game, claim: Claim, ruling: Ruling) -> AppealedChanges | None:
    """Return what happens to the appealed ruling, by the form or default; None if it does not matter."""
    if claim.state != "appealed" or ruling == "rewound" or not ruled_on_board(game, claim):
        return None
    sent = request.form.get("appealed_changes") or claim.first_ruling(ruling, done=True)
    if sent not in get_args(AppealedChanges):
        abort(400)
    return cast(AppealedChanges, sent)


def _ruling_form(
    game: Game, filled: GameKept, claim: Claim, kind: Ruling, error: dict[str, str], view: TablePrivacy
) -> tuple[commands.ProposeRuling, dict[str, list[AdjustablePlace]]]:
    """Parse the ruling form; return the proposal and the places with what was typed."""
    why = why_sent()
    if kind == "rewound":
        to = (
            whole_number_sent("to_step")
            if "to_step" in request.values
            else claims.default_rewind_step(game, claim.raised.about_step)
        )
        if not 0 <= to <= game.step:
            error["to"] = say("The record has steps 0 to {newest}.", newest=game.step)
        return commands.ProposeRuling(claim.number, kind, to, why=why), {}
    if kind == "play_on":
        return commands.ProposeRuling(claim.number, kind, why=why), {}
    places = view.cover_texts(adjustable_places(game, filled.names))
    values, unread = changed_values(places, request.form)
    error |= unread
    return commands.ProposeRuling(claim.number, kind, values=values, why=why), with_typed_texts(places, request.form)


def _propose_or_rule(
    visit: Visit, ruling: commands.ProposeRuling, first: AppealedChanges | None, do: str, errors: dict[str, str]
) -> Response | None:
    """Propose or rule; None if the record refuses, with the reason in `wrong`."""
    game_id = visit.game.id
    back = see_other("claims.claim", game_id=game_id, number=ruling.claim)
    try:
        if do == "propose":
            seat = whole_number_sent("seat") if request.form.get("seat") else None
            write_sent(visit, msgspec.structs.replace(ruling, seat=seat))
        else:
            umpire, hours = whole_number_sent("umpire"), appeal_hours(book(), game_id)
            ruled = commands.RuleOnClaim(
                ruling.claim,
                ruling.ruling,
                ruling.why,
                umpire,
                hours,
                ruling.to_step,
                ruling.values,
                appealed_changes=first,
            )
            write_sent(visit, ruled, whole_number_sent("at"))
    except MovedOnError:
        flash(say(MOVED_ON))
        return back
    except (Refused, IllegalDecision) as refusal:
        errors["why" if refusal.reason.key == "why_missing" else "form"] = refusal_sentence(visit, refusal)
        return None
    return back
