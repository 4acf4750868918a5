"""Sealed offers on the one phone that records: it goes from hand to hand, and is covered in between.

A covered page names who comes next; a tap uncovers a form for that player alone, and what was sealed covers the page
again. No page holds what was typed before: forms are not kept, a refusal does not repeat them, and the address of a
form leads to the covered page once it was sent.
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
from daybook.services.permissions.sights import holds_sealed
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.services.play.sealing import Sealing, current_sealing, listed_decisions
from daybook.services.play.turn_draft import redacted_present_board
from daybook.web import words
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.recording import choices, decision_form
from daybook.web.recording.choices import Plain
from daybook.web.recording.decision_form import NUMBERS, OpenForm
from daybook.web.request.access import book, render_game_page, require_keeper, visit_game, write_sent
from daybook.web.request.forms import fresh_key, parse_number, see_other, whole_number_sent
from daybook.web.request.security import forbid_storing

page = Blueprint("passing", __name__)

UNCOVERED = "uncovered"  # in the session: the game and the seat whose form this browser shows


@page.get("/games/<uuid:game_id>/pass")
def cover(game_id: UUID) -> Response:
    """Covered: says whose hands the phone goes to. seat: of somebody who changes what is sealed."""
    visit, sealing = _visit_sealing(game_id)
    session.pop(UNCOVERED, None)
    if sealing is None:
        return see_other("record.record", game_id=game_id)
    asked = parse_number(request.args.get("seat", ""))
    seat = asked if asked is not None and sealing.needs_decision(asked) else next(iter(sealing.missing), None)
    return _show("passing.html", visit, sealing=sealing, seat=seat)


@page.post("/games/<uuid:game_id>/pass")
def uncover(game_id: UUID) -> Response:
    """Whoever has the phone now is at this seat."""
    _, sealing = _visit_sealing(game_id)
    seat = whole_number_sent("seat")
    if sealing is None or not sealing.needs_decision(seat):
        return see_other("passing.cover", game_id=game_id)
    session[UNCOVERED] = [game_id.hex, seat, ""]
    return see_other("passing.form", game_id=game_id)


@page.get("/games/<uuid:game_id>/pass/offer")
def form(game_id: UUID) -> Response:
    """The form of the seat that was uncovered, always empty; for anybody else the covered page."""
    visit, sealing = _visit_sealing(game_id)
    of, seat, wrong = session.get(UNCOVERED) or ("", -1, "")
    if sealing is None or of != game_id.hex or not sealing.needs_decision(seat):
        return see_other("passing.cover", game_id=game_id)
    asked = _read_decision(visit, sealing.kind, seat, {})[1]
    rules = visit.game.ruleset
    board = rules.typed_board(replay.position_at(visit.game, None, visit.sight).board, visit.game.table)
    held = words.GAMES[rules.id].seat.holds(board, seat)
    return _show(
        "passing_form.html",
        visit,
        sealing=sealing,
        seat=seat,
        form=asked,
        wrong=wrong,
        key=fresh_key(),
        at=visit.game.step,
        prompt=words.prompt(rules.id, board, seat, visit.names),
        holds=held,
        view=privacy_of_visit(visit),
    )


@page.post("/games/<uuid:game_id>/pass/offer")
def seal(game_id: UUID) -> Response:
    """Seal what the form says, and cover the page; after the last one the table shows what was revealed. Sent again,
    it changes nothing.
    """
    visit, sealing = _visit_sealing(game_id)
    seat = whole_number_sent("seat")
    session.pop(UNCOVERED, None)
    covered = see_other("passing.cover", game_id=game_id)
    if sealing is None or not sealing.needs_decision(seat):
        return covered
    try:
        decision, asked = _read_decision(visit, sealing.kind, seat, request.form)
        if decision is None:
            return _again(game_id, seat, next((leaf.wrong for leaf in asked.leaves if leaf.wrong), ""))
        write_sent(visit, Decide(seat, decision), whole_number_sent("at"))
    except msgspec.ValidationError:
        abort(400)
    except (IllegalDecision, Refused) as no:
        return _again(game_id, seat, words.reason_sentence(no.reason, visit.rules, visit.names))
    if not holds_sealed(book().games.get(game_id)):
        return see_other("record.record", game_id=game_id)
    return covered


def _visit_sealing(game_id: UUID) -> tuple[Visit, Sealing | None]:
    """The visit of who keeps the record, and what is to be sealed now."""
    visit = visit_game(game_id)
    require_keeper(visit)
    return visit, None if visit.is_elsewhere else current_sealing(visit.game)


def _again(game_id: UUID, seat: Seat, wrong: str) -> Response:
    """The form once more, with the reason, and without what it held: no page keeps that."""
    session[UNCOVERED] = [game_id.hex, seat, wrong]
    return see_other("passing.form", game_id=game_id)


def _read_decision(visit: Visit, kind: str, seat: Seat, sent: Any) -> tuple[Plain | None, OpenForm]:
    """The decision that a form holds, and the form; of an empty one the form alone."""
    asking, board = choices.asking_of(visit.game, visit.names), redacted_present_board(visit.game, visit.sight)
    return decision_form.read_decision_form(
        asking,
        listed_decisions(visit.game, kind, seat),
        {},
        {name: text for name, text in sent.items() if name.startswith("n.")},
        replay.greatest_numbers(visit.game, seat, kind, visit.sight),
        lambda path: asking.words.choosing.seldom_told(board, kind, path),
    )


def _show(template: str, visit: Visit, **more: Any) -> Response:
    return forbid_storing(make_response(render_game_page(template, visit, numbers_at_most=NUMBERS, **more)))
