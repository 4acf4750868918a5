"""Record page: legal decisions as buttons, and undo.

It consists of forms and links and works without scripts; record.js makes it faster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote
from uuid import UUID

import msgspec
from flask import Blueprint, abort, current_app, flash, make_response, redirect, request, session, url_for
from werkzeug import Response

from daybook.domain import commands
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, IllegalDecision, Seat
from daybook.domain.kernel.unique_keys import load_json
from daybook.domain.league.club import Club
from daybook.domain.sealed_entries import before_seals, is_sealed_kind
from daybook.services.league import clubs
from daybook.services.league.late_players import late_seat_fault
from daybook.services.operation.health import Pulse
from daybook.services.permissions.actions import may, require
from daybook.services.permissions.sights import stays_covered
from daybook.services.permissions.visits import Visit
from daybook.services.play import practice_tables, recording, replay
from daybook.services.play.drawing import draw_fact
from daybook.services.play.redaction import redacted_board
from daybook.services.play.repetition import MovedOnError
from daybook.services.play.replacing import can_replace, discard_game
from daybook.services.play.replay import StepShown
from daybook.services.play.writing import Writer
from daybook.web import words
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.recording import choices
from daybook.web.recording.choices import Plain
from daybook.web.recording.decision_form import MAX_NUMBER_BUTTONS
from daybook.web.recording.drafts import parse_turn
from daybook.web.recording.grid import FilledCell, UnsavedFigure, build_grid, filled_cells, newest_figures
from daybook.web.recording.record_page import (
    ClosedKind,
    RecordPage,
    build_record_page,
    build_refusal,
    draw_about,
    draw_board,
    refusal_of_decision,
    steps_since,
)
from daybook.web.request.access import SAFE_QUERY_CHARACTERS, book, render_game_page, visit_game, write_sent
from daybook.web.request.clubs import user_id, user_may
from daybook.web.request.errors import NoSuchStepError
from daybook.web.request.forms import (
    cause_sent,
    fresh_key,
    key_sent,
    parse_number,
    see_other,
    text_sent,
    whole_number_sent,
    why_sent,
)
from daybook.web.request.origin import is_https
from daybook.web.request.parts import is_device
from daybook.web.request.regions import only_regions
from daybook.web.request.sharing import preview_game
from daybook.web.words import say
from daybook.web.words.game_words import Grid

page = Blueprint("record", __name__)

SEALED_HERE = "sealed"  # in the session: game, seat and step of the last offer of an own seat that this browser sealed
DISMISSED_COOKIE = "done"  # for the page of one game
READ_COOKIE = "read"  # likewise, of notices
DONE_SECONDS = 60 * 60 * 24 * 60
MAX_STEP_DIGITS = 10
FORM_FIELDS = ("sent", "add", "drop", "change")  # besides its values: that it was sent, and taps inside it


@page.get("/games/<uuid:game_id>/record")
def record(game_id: UUID) -> Response:
    address = request.args.to_dict()
    return _show_page(
        _requested_page(
            require_writer(visit_game(game_id)),
            address.get("seat"),
            address.get("kind", ""),
            choices.parse_choices(address),
            address.get("t", ""),
            grid_round=parse_number(address.get("round", "")) or 0,
            before=parse_number(address.get("before", "")) or 0,
            seat_before=request.headers.get("X-Seat", ""),
            last_tap=parse_number(address.get("tap", "")),
        )
    )


def require_writer(visit: Visit) -> Visit:
    """Return the visit if the user may write. Raises MayNotError."""
    require(visit, "see_record_page")
    return visit


def _requested_page(
    visit: Visit,
    seat: str | None = None,
    kind: str = "",
    chosen: Mapping[str, Any] | None = None,
    turn: str = "",
    grid_round: int = 0,
    before: int = 0,
    seat_before: str = "",
    last_tap: int | None = None,
) -> RecordPage:
    """Build the page that an address or form requests; 400 for invalid values."""
    sent = {name: text for name, text in request.values.items() if name in FORM_FIELDS or name.startswith("n.")}
    return build_record_page(
        visit, seat, kind, chosen, parse_turn(turn), sent, dismissed_step(), grid_round, before, seat_before, last_tap
    )


@page.post("/games/<uuid:game_id>/record")
def write(game_id: UUID) -> Response:
    """Record what a form of the page holds. Each kind of form has a field that selects its handler."""
    visit = visit_game(game_id)
    handlers = {"draw": _record_draws, "round": _write_grid, "turn": _write_turn, "decision": _write_decision}
    handler = next((handlers[field] for field in handlers if field in request.form), _write_form)
    return handler(visit, whole_number_sent("seat"))


def _write_decision(visit: Visit, seat: Seat) -> Response:
    """Record the decision of a button. Ask first if it ends a round that lacks figures or has wrong ones."""
    decision, answer = _decision_sent(), request.form.get("missing", "")
    shown = build_grid(visit, (), 0)
    at = whole_number_sent("at")
    if shown is None or not shown.ends_doubtful(decision) or answer == "empty" or visit.game.step != at:
        return _decide(visit, seat, decision)
    if answer == "finish":
        return _to_preview(visit, seat, decision)
    if answer != "zero":
        return _show_page(_requested_page(require_writer(visit), str(seat)), 422, ending=decision)
    try:
        for place, (player, zero) in enumerate(shown.grid.zeros):
            at = write_sent(visit, commands.Decide(player, plain(zero)), at, part=f".zero{place}").step
    except MovedOnError:  # another phone recorded: its figure must not be replaced
        visit = visit_game(visit.game.id)
        return _show_page(_requested_page(require_writer(visit), str(seat)), 409, steps=steps_since(visit, at))
    visit = visit_game(visit.game.id)
    if (filled := build_grid(visit, (), 0)) is not None and filled.ends_doubtful(decision):
        return _show_page(_requested_page(require_writer(visit), str(seat)), 422, ending=decision)
    effects = recording.preview_decision(visit.game, seat, decision, visit.sight).effects
    if visit.game.ruleset.spreads(seat, effects):
        return _to_preview(visit, seat, decision)
    return _decide(visit, seat, decision, visit.game.step)


def _to_preview(visit: Visit, seat: Seat, decision: Plain) -> Response:
    """Lead to the page that shows what a decision brings before it is saved."""
    fields = {field: value for field, value in decision.items() if field != "type"}
    query = choices.address_query(seat, decision["type"], fields)
    return see_other("record.record", game_id=visit.game.id, **query)


def _write_form(visit: Visit, seat: Seat) -> Response:
    """Record the decision of an open form, or show the form again with its errors."""
    shown = _requested_page(require_writer(visit), str(seat), text_sent("kind"))
    if shown.decision is not None:
        return _decide(visit, seat, shown.decision)
    at = whole_number_sent("at")
    if shown.game.step != at:
        return _show_page(shown, 409, steps=steps_since(shown.visit, at))
    fault = say("choose again from what is possible now") if shown.form is None else shown.form.fault
    if shown.form is not None and shown.form.lacks_number and shown.refused is None:
        return _show_page(shown, 422)  # the field says it
    return _show_page(shown, 422, refused=shown.refused or _unsaved(fault))


def _unsaved(reason: str) -> ClosedKind:
    """Return a refusal that no rule made."""
    return ClosedKind("", "", say("Nothing was saved: {reason}.", reason=reason))


def _decide(visit: Visit, seat: Seat, decision: Plain, at: int | None = None) -> Response:
    """Record a decision. If the game has moved on, show the new steps and keep the decision for another try.

    at: the newest step that the user knows, if not the form's.
    """
    at = whole_number_sent("at") if at is None else at
    refused: ClosedKind | None = None
    missed: list[StepShown] = []
    status = 422
    try:
        receipt = write_sent(visit, commands.Decide(seat, decision), at)
        if seat in visit.own_seats and is_sealed_kind(visit.game, decision):
            session[SEALED_HERE] = [visit.game.id.hex, seat, receipt.step]
        if "close" in request.form:
            _close_if_over(visit_game(visit.game.id))
        return _after_decision(visit)
    except MovedOnError:  # also if a cached page is sent a second time
        visit = visit_game(visit.game.id)
        status, missed = 409, steps_since(visit, at)
    except (IllegalDecision, Refused) as no:
        visit = visit_game(visit.game.id)
        refused = build_refusal(visit, no.rule, no.reason, decision)
    fields = {field: value for field, value in decision.items() if field != "type"}
    shown = _requested_page(visit, str(seat), str(decision.get("type")), {} if refused else fields)
    if not refused and shown.decision is None:
        refused = refusal_of_decision(visit, seat, decision)
    return _show_page(shown, status, refused=refused, steps=missed)


def _clubs_to_enter(visit: Visit) -> list[Club]:
    """Return the user's clubs in which the finished game can be entered, and is not yet."""
    if visit.game.status != "closed" or not user_id() or not may(visit, "manage"):
        return []
    own = [club for club in clubs.clubs_of(book(), user_id()) if not (club.removed or club.is_own_log)]
    return [club for club in own if user_may(club, "enter_results") and str(visit.game.id) not in club.games]


def _close_if_over(visit: Visit) -> None:
    """Close the record of a game that the decision of the same form has ended."""
    if visit.game.status == "running" and visit.game.ruleset.scoring.outcome(visit.game.board) is not None:
        write_sent(visit, commands.Close(), part=".close")


def _record_draws(visit: Visit, seat: Seat) -> Response:
    """Record random facts of the set-up until a player is to decide."""
    game_id, kinds = visit.game.id, words.GAMES[visit.rules].choosing.drawn
    at, part = whole_number_sent("at"), 0
    try:
        while (fact := draw_fact(book(), visit.game, kinds)) is not None:
            write_sent(visit, commands.Decide(TABLE, plain(fact), drawn_by_daybook=True), at, part=f".{part}")
            visit = visit_game(game_id)
            at, part = visit.game.step, part + 1
    except MovedOnError:
        return _show_page(_requested_page(visit_game(game_id)), 409, steps=steps_since(visit, whole_number_sent("at")))
    return see_other("record.record", game_id=game_id)


def _write_grid(visit: Visit, seat: Seat) -> Response:
    """Record the filled-in figures as decisions; the others stay in their cells."""
    grid_round = whole_number_sent("round")
    shown = build_grid(require_writer(visit), (), grid_round)
    if shown is None:
        abort(400)
    refused: ClosedKind | None = None
    cells = [*filled_cells(shown.grid, request.form)]
    late = [cell for cell in cells if cell.decision is not None and not shown.grid.lines[cell.place].once]
    if late and shown.grid.is_older and not may(visit, "manage") and "sure" not in request.form:
        unsaved = [UnsavedFigure(cell.seat, cell.line, cell.text, "", False) for cell in late]
        return _show_page(_page_with_unsaved(visit, seat, grid_round, unsaved), 422, asks=late)
    unsaved = []
    for cell in cells:
        if cell.decision is None:
            refused = ClosedKind("", "", cell.wrong)
        elif cell.is_stale(shown.grid) and not _wrote_figure(visit, cell, shown.grid):
            refused = ClosedKind("", "", shown.says_replaced(cell, visit.names))
            unsaved.append(UnsavedFigure(cell.seat, cell.line, cell.text, refused.reason, True))
            continue
        else:
            try:
                write_sent(
                    visit,
                    commands.Decide(cell.seat, cell.plain),
                    part=f".{grid_round}.{cell.seat}.{cell.place}.{cell.figure}",
                )
                visit = visit_game(visit.game.id)
                continue
            except (IllegalDecision, Refused) as no:
                refused = build_refusal(visit, no.rule, no.reason, cell.plain)
        unsaved.append(UnsavedFigure(cell.seat, cell.line, cell.text, refused.reason, False))
    if refused is None:
        return see_other("record.record", game_id=visit.game.id, seat=seat, round=grid_round or None)
    return _show_page(_page_with_unsaved(visit, seat, grid_round, unsaved), 422, refused=refused)


def _page_with_unsaved(visit: Visit, seat: Seat, grid_round: int, unsaved: Sequence[UnsavedFigure]) -> RecordPage:
    page = _requested_page(visit, str(seat), grid_round=grid_round)
    grid = page.grid and msgspec.structs.replace(page.grid, unsaved=tuple(unsaved))
    return msgspec.structs.replace(page, grid=grid)


def _wrote_figure(visit: Visit, cell: FilledCell, grid: Grid) -> bool:
    """Check if the user wrote the present figure of a cell, such as with the key before."""
    step = newest_figures(visit.game, grid).get((cell.seat, cell.line))
    return (
        step is not None
        and visit.game.writers[step] == require(visit, commands.Decide, seat=cell.seat, decision=cell.plain).by
    )


def _write_turn(visit: Visit, seat: Seat) -> Response:
    """Record a whole turn or nothing. A refused turn is shown again, as far as it is still legal."""
    game_id, sent = visit.game.id, request.form["turn"]
    refused: ClosedKind | None = None
    missed: list[StepShown] = []
    status = 422
    try:
        turn = parse_turn(sent)
        write_sent(visit, commands.DecideTurn(seat, list(turn)), whole_number_sent("at"))
        return _after_decision(visit)
    except MovedOnError:
        visit = visit_game(game_id)
        status, missed = 409, steps_since(visit, whole_number_sent("at"))
    except commands.NotInTurnError as no:
        visit = visit_game(game_id)
        refused = build_refusal(visit, no.rule, no.reason, turn[no.place - 1])
    except Refused as no:
        visit = visit_game(game_id)
        refused = build_refusal(visit, no.rule, no.reason, {})
    return _show_page(_requested_page(visit, str(seat), turn=sent), status, refused=refused, steps=missed)


def _after_decision(visit: Visit) -> Response:
    """Return to the record page after letting practice players move; a script gets its regions at once."""
    play_practice_on_device(visit)
    if only_regions():
        return _show_page(build_record_page(visit_game(visit.game.id), dismissed=dismissed_step()))
    return see_other("record.record", game_id=visit.game.id)


def play_practice_on_device(visit: Visit) -> None:
    """Let practice players move on a device, which has no workers."""
    if visit.game.practice_levels and is_device():
        practice_tables.play_practice_turn(book(), visit.game.id)


def _practice_state(game: Game) -> Literal["", "thinks", "no worker", "asks"]:
    """Return if practice players are to move: thinking, without a worker, or on request."""
    if not practice_tables.waits_for_practice(game):
        return ""
    if is_device() or not practice_tables.moves_by_itself(game):
        return "asks"
    pulse: Pulse = current_app.extensions["pulse"]
    return "thinks" if pulse.has_worker() else "no worker"


def _show_page(
    content: RecordPage,
    status: int = 200,
    refused: ClosedKind | None = None,
    steps: Sequence[StepShown] = (),
    ending: Plain | None = None,
    asks: Sequence[FilledCell] = (),
) -> Response:
    """Render the page.

    Args:
        ending: a decision that is not recorded yet, because figures are missing.
        asks: figures of a finished round that are not recorded yet, because the player has to confirm them.
    """
    visit = content.visit
    if not visit.running:
        preview_game(visit)  # which the Share button passes on
    answer = make_response(
        render_game_page(
            "record.html",
            visit,
            content=content,
            refused=refused or content.refused,
            sealed=content.sealed or content.sealed_in(session.get(SEALED_HERE)),
            clubs=_clubs_to_enter(visit),
            waits_for=visit.game.ruleset.waits_for(visit.game.board),
            meanwhile=steps,
            ending=ending or content.ending_doubtful,
            numbers_at_most=MAX_NUMBER_BUTTONS,
            choosing=choices,
            keeps=may(visit, "manage"),
            read_to=_step_in_cookie(READ_COOKIE) or 0,
            asks=asks,
            holds_to_see=may(visit, "manage") and visit.game.ruleset.secrecy.covers_something,
            admits_player=may(visit, "manage") and late_seat_fault(book(), visit.game, visit.person or "") is None,
            replaceable=may(visit, "manage") and can_replace(book(), visit.game),
            closes=may(visit, commands.Close),
            covers=practice_tables.hides_information(visit.game),
            opens=redacted_board(visit.game, visit.game.step, None)[1] != visit.game.document,
            practice=_practice_state(visit.game),
            practice_moved=bool(visit.game.practice_levels and practice_tables.practice_moves(visit.game)),
            bare=request.headers.get("X-Desk") == "bare",
            draw_about=draw_about,
            draw_board=draw_board,
        ),
        status,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


# --- automatic actions ---


def dismissed_step() -> int | None:
    """Return the last step of automatic actions that this browser has dismissed."""
    return _step_in_cookie(DISMISSED_COOKIE)


def _step_in_cookie(name: str) -> int | None:
    cookie = request.cookies.get(name, "")
    return int(cookie) if cookie.isascii() and cookie.isdecimal() and len(cookie) < MAX_STEP_DIGITS else None


@page.post("/games/<uuid:game_id>/done")
def set_carried_out(game_id: UUID) -> Response:
    """Dismiss automatic actions, or notices of corrections, in this browser; nothing is recorded."""
    require_writer(visit_game(game_id))
    path = url_for("record.record", game_id=game_id)
    answer = redirect(f"{path}?{quote(request.form.get('back', ''), safe=SAFE_QUERY_CHARACTERS)}", 303)
    answer.set_cookie(
        READ_COOKIE if "read" in request.form else DISMISSED_COOKIE,
        str(whole_number_sent("to_step")),
        DONE_SECONDS,
        path=path,
        secure=is_https(),
        samesite="Lax",
    )
    return answer


# --- undo ----------------------------------------------------------------------------------------------------


@page.route("/games/<uuid:game_id>/undo", methods=["GET", "POST"])
def undo(game_id: UUID) -> Response:
    """Go back to a step, or forward to an undone one. GET asks for the reason."""
    visit = require_writer(visit_game(game_id))
    game = visit.game
    to = whole_number_sent("to_step")
    if not 0 <= to <= game.step:
        raise NoSuchStepError(game)
    to = before_seals(game, to)
    require(visit, commands.TakeBack, to_step=to)
    error = ""
    status = 200
    if request.method == "POST":
        try:
            back = commands.TakeBack(to, cause_sent(), why_sent())
            write_sent(visit, back, whole_number_sent("at"))
            typing = request.form.get("back") == "type"
            return see_other("typed_line.type_it" if typing else "record.record", game_id=game_id)
        except Refused as no:
            error, status = words.reason_sentence(no.reason), 422
    view = privacy_of_visit(visit)
    shown = {step.step: view.redact_step(step) for step in replay.iter_steps(game, visit.sight)}
    return make_response(
        render_game_page(
            "undo.html",
            visit,
            to=to,
            wrong=error,
            stays=shown.get(to),
            view=view,
            columns=words.GAMES[game.ruleset.id].ledger.at_hand or tuple(game.ruleset.ledger.columns),
            gone=[shown[step] for step in game.line_since(to)],
            redone=[shown[step] for step in game.line_since(game.step, to)],
            key=fresh_key(),
            why_needed=len(commands.seats_since(game, to)) > 1,
            cause=request.form.get("cause", "mistyped"),
            why=why_sent(),
        ),
        status,
    )


# --- other commands -----------------------------------------------------------------------------------------


@page.post("/games/<uuid:game_id>/note")
def note(game_id: UUID) -> Response:
    command = commands.Note(whole_number_sent("about_step"), text_sent("text"))
    return _write_and_return(visit_game(game_id), command)


@page.post("/games/<uuid:game_id>/close")
def close(game_id: UUID) -> Response:
    return _write_and_return(visit_game(game_id), commands.Close(), whole_number_sent("at"))


@page.post("/games/<uuid:game_id>/abandon")
def abandon(game_id: UUID) -> Response:
    """Abandon the game, and reveal what it covered if the form says so."""
    visit = visit_game(game_id)
    answer = _write_and_return(visit, commands.Abandon(why_sent()), whole_number_sent("at"))
    stopped = book().games.get(game_id)
    if request.form.get("reveal") and stays_covered(stopped):
        return _write_and_return(visit, commands.RevealGame(), part=".reveal")
    return answer


@page.post("/games/<uuid:game_id>/discard")
def discard(game_id: UUID) -> Response:
    """Discard a game that has not begun."""
    visit = visit_game(game_id)
    grant = require(visit, "manage")
    try:
        discard_game(book(), visit.game, by=Writer(grant.by, visit.grants), key=key_sent())
    except Refused as no:
        flash(say("Nothing was saved: {reason}.", reason=words.reason_sentence(no.reason)), "wrong")
        return see_other("record.record", game_id=game_id)
    flash(say("The game is discarded. No list shows it any more."))
    return see_other("home.home")


@page.post("/games/<uuid:game_id>/reopen")
def reopen(game_id: UUID) -> Response:
    return _write_and_return(visit_game(game_id), commands.Reopen(why_sent()))


@page.post("/games/<uuid:game_id>/reveal")
def reveal(game_id: UUID) -> Response:
    """Reveal the covered cards of an abandoned game to everyone."""
    return _write_and_return(visit_game(game_id), commands.RevealGame())


def _write_and_return(visit: Visit, command: commands.Command, at: int | None = None, part: str = "") -> Response:
    """Write a command and return to the record page, which shows a refusal."""
    try:
        write_sent(visit, command, at, part)
    except Refused as no:
        flash(say("Nothing was saved: {reason}.", reason=words.reason_sentence(no.reason)), "wrong")
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
