"""Recording at the table: who must decide what, the legal decisions as buttons, and the way back.

Everything is forms and links and works without scripts; record.js makes it quicker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote
from uuid import UUID

from flask import Blueprint, abort, current_app, flash, make_response, redirect, request, url_for
from werkzeug import Response

from daybook.domain import commands
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, IllegalDecision, Seat
from daybook.domain.kernel.unique_keys import load_json
from daybook.services.operation.health import Pulse
from daybook.services.permissions.actions import may, require
from daybook.services.permissions.visits import Visit
from daybook.services.play import practice_tables, replay
from daybook.services.play.drawing import draw_fact
from daybook.services.play.repetition import MovedOnError
from daybook.services.play.replay import StepShown
from daybook.web import words
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.recording import choices
from daybook.web.recording.choices import Plain
from daybook.web.recording.decision_form import NUMBERS
from daybook.web.recording.drafts import turn_in
from daybook.web.recording.grid import filled_cells, grid_shown
from daybook.web.recording.record_page import (
    ClosedKind,
    RecordPage,
    board_of,
    record_page_of,
    refusal,
    steps_since,
    why_not,
)
from daybook.web.request.access import SAFE_QUERY_CHARACTERS, book, render_game_page, visit_game, write_sent
from daybook.web.request.errors import NoSuchStep
from daybook.web.request.forms import (
    cause_sent,
    fresh_key,
    parse_number,
    see_other,
    text_sent,
    whole_number_sent,
    why_sent,
)
from daybook.web.request.origin import is_https
from daybook.web.request.parts import is_device
from daybook.web.words import say

page = Blueprint("record", __name__)

DONE = "done"  # a cookie of the page of one game, so that nobody else is told
DONE_SECONDS = 60 * 60 * 24 * 60
DIGITS = 10  # of a step's number, at most
FORM_TAPS = ("add", "drop", "change")  # what is tapped in a form or on the way back to it


@page.get("/games/<uuid:game_id>/record")
def record(game_id: UUID) -> Response:
    asked = request.args.to_dict()
    return _show_page(
        _page_asked(
            writer_of(visit_game(game_id)),
            asked.get("seat"),
            asked.get("kind", ""),
            choices.chosen_in(asked),
            asked.get("t", ""),
            round=parse_number(asked.get("round", "")) or 0,
        )
    )


def writer_of(visit: Visit) -> Visit:
    """The visit of somebody who may write; 403 for others."""
    if visit.only_reads:
        abort(403, "record")
    return visit


def _page_asked(
    visit: Visit,
    seat: str | None = None,
    kind: str = "",
    chosen: Mapping[str, Any] | None = None,
    turn: str = "",
    round: int = 0,
) -> RecordPage:
    """The desk as an address or a form asks for it; 400 for what was made up."""
    sent = {name: text for name, text in request.values.items() if name in FORM_TAPS or name.startswith("n.")}
    return record_page_of(visit, seat, kind, chosen, turn_in(turn), sent, done_up_to(), round)


@page.post("/games/<uuid:game_id>/record")
def write(game_id: UUID) -> Response:
    """Write a decision down. One that comes too late is shown with what was recorded meanwhile, and kept."""
    visit = visit_game(game_id)
    seat = whole_number_sent("seat")
    if "draw" in request.form:
        return _draw(visit)
    if "round" in request.form:
        return _write_grid(visit, seat, whole_number_sent("round"))
    if "turn" in request.form:
        return _write_turn(visit, seat, request.form["turn"])
    decision = _decision_sent() if "decision" in request.form else None
    if decision is None:
        desk = _page_asked(writer_of(visit), str(seat), text_sent("kind"))
        if desk.decision is None:
            moved = desk.game.step != whole_number_sent("at")
            return _show_page(
                desk, 409 if moved else 422, meanwhile=steps_since(desk.visit, whole_number_sent("at")) if moved else ()
            )
        decision = desk.decision
    refused: ClosedKind | None = None
    meanwhile: list[StepShown] = []
    status = 422
    try:
        write_sent(visit, commands.Decide(seat, decision), whole_number_sent("at"))
        return _after_decision(visit)
    except MovedOnError:  # or a page that a browser kept, of which another decision was sent before
        visit = visit_game(game_id)
        status, meanwhile = 409, steps_since(visit, whole_number_sent("at"))
    except (IllegalDecision, Refused) as no:
        visit = visit_game(game_id)
        refused = refusal(visit, no.rule, no.reason, decision)
    fields = {field: value for field, value in decision.items() if field != "type"}
    desk = _page_asked(visit, str(seat), str(decision.get("type")), {} if refused else fields)
    if not refused and desk.decision is None:
        refused = why_not(visit, seat, decision)
    return _show_page(desk, status, refused=refused, meanwhile=meanwhile)


def _draw(visit: Visit) -> Response:
    """Write what chance decides of the set-up, as if the table had drawn it, until somebody else decides."""
    game_id, kinds = visit.game.id, words.GAMES[visit.rules].choosing.drawn
    at, part = whole_number_sent("at"), 0
    try:
        while (fact := draw_fact(book(), visit.game, kinds)) is not None:
            write_sent(visit, commands.Decide(TABLE, plain(fact), drawn=True), at, part=f".{part}")
            visit = visit_game(game_id)
            at, part = visit.game.step, part + 1
    except MovedOnError:
        return _show_page(_page_asked(visit_game(game_id)), 409, meanwhile=steps_since(visit, whole_number_sent("at")))
    return see_other("record.record", game_id=game_id)


def _write_grid(visit: Visit, seat: Seat, round: int) -> Response:
    """Write the figures that were filled in, each as a decision; what cannot be written stays in its cell, and the
    others are written.
    """
    shown = grid_shown(writer_of(visit), (), round)
    if shown is None:
        abort(400)
    refused: ClosedKind | None = None
    for cell in filled_cells(shown.grid, request.form):
        if cell.decision is None:
            refused = ClosedKind("", "", cell.wrong)
            continue
        told = cell.plain
        try:
            write_sent(visit, commands.Decide(cell.seat, told), part=f".{round}.{cell.seat}.{cell.place}.{cell.text}")
        except (IllegalDecision, Refused) as no:
            refused = refusal(visit, no.rule, no.reason, told)
        visit = visit_game(visit.game.id)
    if refused is None:
        return see_other("record.record", game_id=visit.game.id, seat=seat, round=round or None)
    return _show_page(_page_asked(visit, str(seat), round=round), 422, refused=refused)


def _write_turn(visit: Visit, seat: Seat, sent: str) -> Response:
    """Write a whole turn down, or nothing of it; what was put together stays at hand as far as it still holds."""
    game_id = visit.game.id
    refused: ClosedKind | None = None
    meanwhile: list[StepShown] = []
    status = 422
    try:
        turn = turn_in(sent)
        write_sent(visit, commands.DecideTurn(seat, list(turn)), whole_number_sent("at"))
        return _after_decision(visit)
    except MovedOnError:
        visit = visit_game(game_id)
        status, meanwhile = 409, steps_since(visit, whole_number_sent("at"))
    except commands.NotInTurnError as no:
        visit = visit_game(game_id)
        refused = refusal(visit, no.rule, no.reason, turn[no.place - 1])
    except Refused as no:
        visit = visit_game(game_id)
        refused = refusal(visit, no.rule, no.reason, {})
    return _show_page(_page_asked(visit, str(seat), turn=sent), status, refused=refused, meanwhile=meanwhile)


def _after_decision(visit: Visit) -> Response:
    """Back to the desk; practice players move meanwhile, and the page follows."""
    go_on(visit)
    return see_other("record.record", game_id=visit.game.id)


def go_on(visit: Visit) -> None:
    """Practice players move on a device, which has no workers to do it."""
    if visit.game.practice_levels and is_device():
        practice_tables.play_practice_turn(book(), visit.game.id)


def _practice_state(game: Game) -> Literal["", "thinks", "no worker", "asks"]:
    """Whether practice players are to move: they think, or would, or do when they are asked to."""
    if not practice_tables.waits_for_practice(game):
        return ""
    if is_device() or not practice_tables.moves_by_itself(game):
        return "asks"
    pulse: Pulse = current_app.extensions["pulse"]
    return "thinks" if pulse.has_worker() else "no worker"


def _show_page(
    desk: RecordPage, status: int = 200, refused: ClosedKind | None = None, meanwhile: Sequence[StepShown] = ()
) -> Response:
    visit = desk.visit
    answer = make_response(
        render_game_page(
            "record.html",
            visit,
            desk=desk,
            refused=refused or desk.refused,
            waits_for=visit.game.ruleset.waits_for(visit.game.board),
            meanwhile=meanwhile,
            numbers_at_most=NUMBERS,
            choosing=choices,
            keeps=may(visit, "manage"),
            closes=may(visit, commands.Close),
            covers=practice_tables.hides_information(visit.game),
            practice=_practice_state(visit.game),
            practice_moved=bool(visit.game.practice_levels and practice_tables.practice_moves(visit.game)),
            board="" if request.headers.get("X-Desk") == "bare" else board_of(desk),
        ),
        status,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


# --- what has run by itself ---


def done_up_to() -> int | None:
    """The step up to which this browser has called done what ran by itself in the game of the address."""
    kept = request.cookies.get(DONE, "")
    return int(kept) if kept.isascii() and kept.isdecimal() and len(kept) < DIGITS else None


@page.post("/games/<uuid:game_id>/done")
def set_carried_out(game_id: UUID) -> Response:
    """This browser has done what ran by itself; record.js says so without asking anybody. Nothing is recorded."""
    writer_of(visit_game(game_id))
    desk = url_for("record.record", game_id=game_id)
    answer = redirect(f"{desk}?{quote(request.form.get('back', ''), safe=SAFE_QUERY_CHARACTERS)}", 303)
    answer.set_cookie(DONE, str(whole_number_sent("to")), DONE_SECONDS, path=desk, secure=is_https(), samesite="Lax")
    return answer


# --- the way back ----------------------------------------------------------------------------------------------------


@page.route("/games/<uuid:game_id>/undo", methods=["GET", "POST"])
def undo(game_id: UUID) -> Response:
    """Go back to a step, or to one that was undone: asks why, or does what the form on the desk says."""
    visit = writer_of(visit_game(game_id))
    game = visit.game
    to = whole_number_sent("to")
    if not 0 <= to <= game.step:
        raise NoSuchStep(game)
    require(visit, commands.TakeBack, to=to)
    wrong = ""
    status = 200
    if request.method == "POST":
        try:
            back = commands.TakeBack(to, cause_sent(), why_sent())
            write_sent(visit, back, whole_number_sent("at"))
            return see_other("record.record", game_id=game_id)
        except Refused as no:
            wrong, status = words.reason_sentence(no.reason), 422
    view = privacy_of_visit(visit)
    shown = {step.step: view.redact_step(step) for step in replay.iter_steps(game, visit.sight)}
    return make_response(
        render_game_page(
            "undo.html",
            visit,
            to=to,
            wrong=wrong,
            gone=[shown[step] for step in game.line_since(to)],
            redone=[shown[step] for step in game.line_since(game.step, to)],
            key=fresh_key(),
            why_needed=len(commands.seats_since(game, to)) > 1,
            cause=request.form.get("cause", "mistyped"),
            why=why_sent(),
        ),
        status,
    )


# --- something else happened -----------------------------------------------------------------------------------------


@page.post("/games/<uuid:game_id>/note")
def note(game_id: UUID) -> Response:
    said = commands.Note(whole_number_sent("about"), text_sent("text"))
    return _write_and_return(visit_game(game_id), said)


@page.post("/games/<uuid:game_id>/close")
def close(game_id: UUID) -> Response:
    return _write_and_return(visit_game(game_id), commands.Close(), whole_number_sent("at"))


@page.post("/games/<uuid:game_id>/abandon")
def abandon(game_id: UUID) -> Response:
    return _write_and_return(visit_game(game_id), commands.Abandon(why_sent()), whole_number_sent("at"))


@page.post("/games/<uuid:game_id>/reopen")
def reopen(game_id: UUID) -> Response:
    return _write_and_return(visit_game(game_id), commands.Reopen(why_sent()))


@page.post("/games/<uuid:game_id>/lay-open")
def lay_open(game_id: UUID) -> Response:
    """What lay covered in a game that was given up is shown to everybody."""
    return _write_and_return(visit_game(game_id), commands.LayOpen())


def _write_and_return(visit: Visit, command: commands.Command, at: int | None = None) -> Response:
    """Write a command and go back to the desk; a refusal is said there."""
    try:
        write_sent(visit, command, at)
    except Refused as no:
        flash(say("Nothing was saved: {reason}.", reason=words.reason_sentence(no.reason)))
    return see_other("record.record", game_id=visit.game.id)


# --- reading the forms -----------------------------------------------------------------------------------------------


def _decision_sent() -> Plain:
    try:
        decision = load_json(text_sent("decision"))
    except (ValueError, RecursionError):
        abort(400)
    if not isinstance(decision, dict):
        abort(400)
    return decision
