"""Sealed offers on a shared phone, which is covered while it changes hands.

A covered page names the next player; a tap shows that player's form, and sealing covers the page again. No page repeats
typed values: forms are not cached, refusals do not echo input, and a form's address shows the covered page once it
was sent.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
from flask import Blueprint, abort, make_response, request, session
from werkzeug import Response

from daybook.domain.commands import Decide
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import IllegalDecision, Seat
from daybook.services.permissions.actions import may
from daybook.services.permissions.sights import holds_sealed
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.services.play.sealing import Sealing, current_sealing, listed_decisions
from daybook.services.play.turn_draft import redacted_present_board
from daybook.web import words
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.recording import choices, decision_form
from daybook.web.recording.choices import Plain
from daybook.web.recording.decision_form import MAX_NUMBER_BUTTONS, OpenForm
from daybook.web.request.access import book, render_game_page, require_keeper, visit_game, write_sent
from daybook.web.request.forms import fresh_key, parse_number, see_other, whole_number_sent
from daybook.web.request.security import forbid_storing

page = Blueprint("passing", __name__)

UNCOVERED_KEY = "uncovered"  # in the session: game and seat of the visible form


@page.get("/games/<uuid:game_id>/pass")
def cover(game_id: UUID) -> Response:
    """Show the covered page with the next player's name, or that of a seat that changes its offer."""
    visit, sealing = _visit_sealing(game_id)
    session.pop(UNCOVERED_KEY, None)
    if sealing is None:
        return see_other("record.record", game_id=game_id)
    wanted = parse_number(request.args.get("seat", ""))
    seat = wanted if wanted is not None and sealing.needs_decision(wanted) else next(iter(sealing.missing), None)
    return _render_uncached("passing.html", visit, sealing=sealing, seat=seat)


@page.post("/games/<uuid:game_id>/pass")
def uncover(game_id: UUID) -> Response:
    """Show the form of a seat to the person with the phone."""
    _, sealing = _visit_sealing(game_id)
    seat = whole_number_sent("seat")
    if sealing is None or not sealing.needs_decision(seat):
        return see_other("passing.cover", game_id=game_id)
    session[UNCOVERED_KEY] = [game_id.hex, seat, ""]
    return see_other("passing.form", game_id=game_id)


@page.get("/games/<uuid:game_id>/pass/offer")
def form(game_id: UUID) -> Response:
    """Show the empty form of the uncovered seat; the covered page to others."""
    visit, sealing = _visit_sealing(game_id)
    shown_game, seat, error = session.get(UNCOVERED_KEY) or ("", -1, "")
    if sealing is None or shown_game != game_id.hex or not sealing.needs_decision(seat):
        return see_other("passing.cover", game_id=game_id)
    requested = _read_decision(visit, sealing.kind, seat, {})[1]
    rules = visit.game.ruleset
    board = rules.typed_board(replay.position_at(visit.game, None, visit.sight).board, visit.game.table)
    holdings = words.GAMES[rules.id].seat.holds(board, seat)
    return _render_uncached(
        "passing_form.html",
        visit,
        sealing=sealing,
        seat=seat,
        form=msgspec.structs.replace(requested, warned=bool(error) and error == requested.mixed),
        wrong=error,
        key=fresh_key(),
        at=visit.game.step,
        prompt=words.prompt(rules.id, board, seat, visit.names),
        holds=holdings,
        view=privacy_of_visit(visit),
    )


@page.post("/games/<uuid:game_id>/pass/offer")
def seal(game_id: UUID) -> Response:
    """Seal the form's offer and cover the page; after the last one, show the revealed offers. May be repeated."""
    visit, sealing = _visit_sealing(game_id)
    seat = whole_number_sent("seat")
    session.pop(UNCOVERED_KEY, None)
    covered = see_other("passing.cover", game_id=game_id)
    if sealing is None or not sealing.needs_decision(seat):
        return covered
    try:
        decision, requested = _read_decision(visit, sealing.kind, seat, {**request.form, "sent": "yes"})
        if decision is None:
            return _redirect_with_fault(game_id, seat, requested.fault)
        write_sent(visit, Decide(seat, decision), whole_number_sent("at"))
    except msgspec.ValidationError:
        abort(400)
    except (IllegalDecision, Refused) as no:
        return _redirect_with_fault(game_id, seat, words.reason_sentence(no.reason, visit.rules, visit.names))
    if not holds_sealed(book().games.get(game_id)):
        return see_other("record.record", game_id=game_id)
    return covered


def _visit_sealing(game_id: UUID) -> tuple[Visit, Sealing | None]:
    """Return the scorekeeper's visit and the current sealing, without what players sealed on their own phones."""
    visit = visit_game(game_id)
    require_keeper(visit)
    sealing = None if visit.is_elsewhere else current_sealing(visit.game)
    if sealing is None:
        return visit, None
    decision = {"type": sealing.kind}
    able = tuple(seat for seat in sealing.sealed if may(visit, Decide, seat=seat, decision=decision))
    return visit, msgspec.structs.replace(sealing, sealed=able)


def _redirect_with_fault(game_id: UUID, seat: Seat, fault: str) -> Response:
    """Redirect to the empty form with a fault."""
    session[UNCOVERED_KEY] = [game_id.hex, seat, fault]
    return see_other("passing.form", game_id=game_id)


def _read_decision(visit: Visit, kind: str, seat: Seat, sent: Any) -> tuple[Plain | None, OpenForm]:
    """Return the decision of a form, or None, and the form."""
    context, board = choices.choice_context(visit.game, visit.names), redacted_present_board(visit.game, visit.sight)
    return decision_form.read_decision_form(
        context,
        listed_decisions(visit.game, kind, seat),
        {},
        {name: text for name, text in sent.items() if name == "sent" or name.startswith("n.")},
        replay.greatest_numbers(visit.game, seat, kind, visit.sight),
        lambda path: context.words.choosing.seldom_told(board, kind, path),
        lambda path: context.words.choosing.number_note(board, kind, path),
        mixed=context.words.choosing.warning(kind),
    )


def _render_uncached(template: str, visit: Visit, **more: Any) -> Response:
    return forbid_storing(make_response(render_game_page(template, visit, numbers_at_most=MAX_NUMBER_BUTTONS, **more)))
