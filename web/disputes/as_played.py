"""Illegal moves that stood: the rules say no, the table says it happened, and the record says both."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
from flask import Blueprint, abort, make_response, request
from werkzeug import Response

from daybook.domain.commands import RecordAsPlayed
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.kernel.unique_keys import load_json
from daybook.services.disputes.as_played import game_as_seen
from daybook.services.permissions.sights import Sight
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.services.store.kept import GameKept
from daybook.web import words
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.disputes.as_played_form import AsPlayedForm, fill_as_played_form
from daybook.web.recording import any_decision_form
from daybook.web.recording.any_decision_form import AnyDecisionForm
from daybook.web.recording.choices import Plain, choice_context
from daybook.web.request.access import render_game_page, require_keeper, visit_game, write_sent
from daybook.web.request.forms import fresh_key, see_other, whole_number_sent, why_sent
from daybook.web.words import say

page = Blueprint("as_played", __name__)


@page.route("/games/<uuid:game_id>/as-played", methods=["GET", "POST"])
def as_played(game_id: UUID) -> Response:
    """Enter an illegal move, show the rules' objections, complete its effects, preview and record it."""
    visit = visit_game(game_id)
    game, kept, sight = visit.game, visit.kept, visit.sight
    require_keeper(visit)
    told = requested_decision(game, kept, sight, replay.board_for_legality(game, game.step, sight))
    if told.decision is None or told.seat is None:
        return _as_played_page(visit, told, None)
    one = fill_as_played_form(
        game_as_seen(game, sight),
        kept,
        sight,
        privacy_of_visit(visit),
        told.seat,
        told.decision,
        request.form if request.method == "POST" else {},
        computed=request.values.get("rules_applied") != "no",
    )
    if request.method != "POST" or one.preview is None:
        return _as_played_page(visit, told, one, 200 if request.method != "POST" else 422)
    why = why_sent()
    if one.wrong or request.form.get("do") != "write" or request.form.get("looked") != one.looked:
        return _as_played_page(visit, told, one, 422 if one.wrong else 200, looked=True)
    if not why.strip():
        one = msgspec.structs.replace(one, wrong={"why": say("Say why you let it stand.")})
        return _as_played_page(visit, told, one, 422, looked=True)
    return _write_as_played(visit, told, one, why)


def _write_as_played(visit: Visit, form: AnyDecisionForm, as_played: AsPlayedForm, why: str) -> Response:
    try:
        stood = RecordAsPlayed(as_played.seat, as_played.decision, as_played.values, why, as_played.computed)
        receipt = write_sent(visit, stood, whole_number_sent("at"))
    except Refused as no:
        wrong = {"form": words.reason_sentence(no.reason, visit.rules, visit.names)}
        return _as_played_page(visit, form, msgspec.structs.replace(as_played, wrong=wrong), 422, looked=True)
    return see_other("replay.replay", game_id=visit.game.id, step=receipt.step)


def _as_played_page(
    visit: Visit, form: AnyDecisionForm, as_played: AsPlayedForm | None, status: int = 200, looked: bool = False
) -> Response:
    answer = make_response(
        render_game_page(
            "as_played.html",
            visit,
            told=form,
            one=as_played,
            kinds=any_decision_form.kinds_of_game(visit.game),
            key=fresh_key(),
            seats=(*range(len(visit.names)), TABLE),
            why=why_sent(),
            looked=looked,
        ),
        status,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


# --- decision of the request ----------------------------------------------------------------------------------------


def requested_decision(game: Game, game_row: GameKept, sight: Sight, board: Any) -> AnyDecisionForm:
    """Parse the decision of the request, whole (`decision`) or field by field.

    Args:
        board: before the move.
    """
    seat = requested_seat(game)
    if "decision" in request.values:
        decision = _decision_sent(game, request.values["decision"])
        kind = str(decision["type"])
        if seat is not None and "change" in request.args:
            return any_decision_form.edit_decision(
                choice_context(game, game_row.names),
                seat,
                decision,
                any_decision_form.example_decisions(game, board, kind, sight),
            )
        return AnyDecisionForm(seat, kind, [], decision)
    kind = request.values.get("kind", "")
    if kind and kind not in any_decision_form.kinds_of_game(game):
        abort(400)
    known = any_decision_form.example_decisions(game, board, kind, sight) if kind else []
    return any_decision_form.read_any_decision(choice_context(game, game_row.names), seat, kind, request.values, known)


def requested_seat(game: Game) -> Seat | None:
    if not request.values.get("seat"):
        return None
    seat = whole_number_sent("seat")
    if seat not in (TABLE, *range(len(game.opening.seats))):
        abort(400)
    return seat


def _decision_sent(game: Game, text: str) -> Plain:
    try:
        decision: Plain = msgspec.to_builtins(game.ruleset.decision(load_json(text)))
    except (ValueError, RecursionError):
        abort(400)
    return decision
