"""What-if pages: start a private line at a step of a game, continue it, and compare it with the record."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec
from flask import Blueprint, abort, flash, make_response, request, session
from werkzeug import Response

from daybook.domain import disputes
from daybook.domain.commands import ProposeRuling
from daybook.domain.kernel.chronicle import TEXT_LIMIT, Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import IllegalDecision, Seat
from daybook.domain.kernel.unique_keys import load_json
from daybook.services.disputes import forks
from daybook.services.disputes.forks import Fork, PlayedFork, UnknownForkError
from daybook.services.names import TITLE_LIMIT
from daybook.services.people.writers import role_grant_id
from daybook.services.permissions.actions import may, require
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.permissions.visits import Visit
from daybook.services.play.repetition import MovedOnError
from daybook.services.play.replay import Position
from daybook.services.store.kept import GameKept
from daybook.web import boards, words
from daybook.web.boards.table_privacy import NOTHING
from daybook.web.disputes.claim_access import MOVED_ON, figure_changes
from daybook.web.recording import choices, decision_form
from daybook.web.recording.choices import ChoiceButton, ChoiceContext, Plain, choice_context
from daybook.web.recording.decision_form import OpenForm
from daybook.web.request.access import book, render_game_page, visit_game
from daybook.web.request.forms import fresh_key, key_sent, see_other, text_sent, whole_number_sent, why_sent
from daybook.web.request.long_work import takes_long
from daybook.web.request.template_globals import as_sentence
from daybook.web.words import say

page = Blueprint("what_if", __name__)

PRACTICE_STEP_CHOICES = (1, 10, 50, 1000)  # moves for the practice players
SEED_BELOW = 2**31


def fork_owners(visit: Visit) -> list[str]:
    """Return the owner ids of the what-ifs that this browser may see."""
    mine = [grant.id for grant in visit.grants if not grant.only_reads]
    if "owner" not in session:
        session["owner"] = secrets.token_urlsafe(16)
        session.permanent = True
    return [*([role_grant_id(visit.person)] if visit.person else []), *mine, session["owner"]]


def visit_to_fork(game_id: UUID) -> Visit:
    """Return the visit of a game with full sight; 403 otherwise."""
    visit = visit_game(game_id)
    require(visit, "fork")
    return visit


def own_fork(visit: Visit, fork_id: str) -> Fork:
    """Return a fork of this browser; 404 for others."""
    for owner in fork_owners(visit):
        try:
            fork = forks.get_fork(book(), fork_id, owner)
        except UnknownForkError:
            continue
        if fork.game == visit.game.id:
            return fork
    abort(404)


# --- the list, and a new one -----------------------------------------------------------------------------------------


@page.get("/games/<uuid:game_id>/what-if")
def lines(game_id: UUID) -> str:
    visit = visit_game(game_id)
    game = visit.game
    can_fork = may(visit, "fork")
    step = whole_number_sent("step") if "step" in request.args else game.step
    if not 0 <= step <= game.step:
        abort(404)
    found = (
        [fork for owner in fork_owners(visit) for fork in forks.forks_of_owner(book(), game_id, owner)]
        if can_fork
        else []
    )
    return render_game_page("what_if.html", visit, lines=found, step=step, can_fork=can_fork, title_limit=TITLE_LIMIT)


@page.post("/games/<uuid:game_id>/what-if")
def make(game_id: UUID) -> Response:
    visit = visit_to_fork(game_id)
    try:
        fork = forks.create_fork(
            book(), game_id, whole_number_sent("step"), owner=fork_owners(visit)[0], title=text_sent("title")
        )
    except Refused as no:
        flash(as_sentence(words.reason_sentence(no.reason)))
        return see_other("what_if.lines", game_id=game_id)
    return see_other("what_if.line", game_id=game_id, fork=fork.id)


# --- a line ----------------------------------------------------------------------------------------------------------


class NextMoves(Frozen):
    """Possible next moves.

    Args:
        seat: who decides.
        ways: buttons.
        form: form if there are too many to list.
    """

    mine: list[Seat]
    seat: Seat | None
    kind: str
    question: str
    ways: list[ChoiceButton]
    form: OpenForm | None


@page.get("/games/<uuid:game_id>/what-if/<fork>")
def line(game_id: UUID, fork: str) -> Response:
    return _fork_page(visit_to_fork(game_id), fork)


def _fork_page(visit: Visit, fork_id: str, error: str = "", status: int = 200) -> Response:
    game, kept = visit.game, visit.kept
    fork = own_fork(visit, fork_id)
    played = forks.fold_fork(book(), fork)
    steps = forks.fork_steps(book(), fork)
    position = forks.fork_position(book(), fork)
    beside = forks.compare_with_record(book(), fork, EVERYTHING)
    ended = played.over or played.broken is not None
    next_moves = NextMoves([], None, "", "", [], None) if ended else _next_moves(game, kept, fork, played, position)
    differing = (
        {step for part in beside.compared.parts for step in part.one},
        {step for part in beside.compared.parts for step in part.other},
    )
    return make_response(
        render_game_page(
            "what_if_line.html",
            visit,
            fork=fork,
            line=played,
            steps=steps,
            lies=game.ruleset.typed_board(position.board, game.table),
            beside=beside,
            asked=next_moves,
            wrong=error,
            key=fresh_key(),
            view=NOTHING,
            board=boards.framed_board(game, kept.names, EVERYTHING, NOTHING, position.board),
            changes=figure_changes(game, beside.compared.columns_one, beside.compared.columns_other),
            differing=differing,
            on_by=PRACTICE_STEP_CHOICES,
            text_limit=TEXT_LIMIT,
            numbers_at_most=decision_form.MAX_NUMBER_BUTTONS,
            broken="" if played.broken is None else words.reason_sentence(played.broken, game.ruleset.id, kept.names),
            offers=[claim for claim in disputes.claims(game).values() if claim.awaits_ruling]
            if may(visit, "claim")
            else [],
            seats=visit.seats_spoken_for,
            keeps=may(visit, "manage"),
        ),
        status,
    )


def _next_moves(game: Game, draft: GameKept, fork: Fork, played: PlayedFork, position: Position) -> NextMoves:
    """Build the buttons for the deciding seat: first the kind, then each field."""
    able = list(position.to_act)
    seat = whole_number_sent("seat") if "seat" in request.values else able[0] if able else None
    if seat not in able:
        seat = able[0] if able else None
    if seat is None:
        return NextMoves([], None, "", "", [], None)
    context = choice_context(game, draft.names)
    legal = forks.legal_in_fork(book(), fork, seat)
    kinds, kind = choices.group_by_kind(legal), request.values.get("kind", "")
    if kind in kinds and choices.is_open(context.ruleset_id, kind):
        form = _next_move_form(context, kinds[kind], seat, played)[1]
        return NextMoves(able, seat, kind, "", [], form)
    chosen = choices.parse_choices(request.args) if kind in kinds else {}
    left = choices.narrow_decisions(context.ruleset_id, kinds.get(kind, []), chosen)
    question = choices.next_question(context.ruleset_id, left, chosen)
    if question is not None:
        return NextMoves(
            able,
            seat,
            kind,
            words.field_label(context.ruleset_id, kind, question.field),
            choices.answer_buttons(context, seat, kind, chosen, question),
            None,
        )
    return NextMoves(able, seat, "", *choices.first_buttons(context, seat, legal), None)


def _next_move_form(
    context: ChoiceContext, examples: list[Plain], seat: Seat, played: PlayedFork
) -> tuple[Plain | None, OpenForm]:
    sent = {name: text for name, text in request.values.items() if name in ("add", "drop") or name.startswith("n.")}
    numbers_of = played.game.ruleset.by_tag[examples[0]["type"]].most
    most = {} if numbers_of is None else numbers_of(played.game.board, seat)
    try:
        return decision_form.read_decision_form(context, examples, {}, sent, most)
    except msgspec.ValidationError:  # an address that was made up
        abort(400)


@page.post("/games/<uuid:game_id>/what-if/<fork>/play")
def play(game_id: UUID, fork: str) -> Response:
    """Try one decision."""
    visit = visit_to_fork(game_id)
    found, seat = own_fork(visit, fork), whole_number_sent("seat")
    decision: Any = None
    if "decision" in request.form:
        try:
            decision = load_json(request.form["decision"])
        except (ValueError, RecursionError):
            abort(400)
    else:
        played = forks.fold_fork(book(), found)
        kinds = (
            choices.group_by_kind(forks.legal_in_fork(book(), found, seat))
            if seat in played.game.ruleset.course.to_act(played.game.board)
            else {}
        )
        examples = kinds.get(text_sent("kind"))
        if not examples or not choices.is_open(visit.rules, examples[0]["type"]):
            abort(400)
        context = choice_context(visit.game, visit.names)
        decision = _next_move_form(context, examples, seat, played)[0]
        if decision is None:
            return _fork_page(visit, fork, status=422)
    if not isinstance(decision, dict):
        abort(400)
    return _change_and_show(visit, fork, lambda: forks.add_move(book(), fork, found.owner, seat, decision))


@page.post("/games/<uuid:game_id>/what-if/<fork>/play-on")
@takes_long("POST")
def play_on(game_id: UUID, fork: str) -> Response:
    """Let the practice player go on."""
    visit = visit_to_fork(game_id)
    found, steps = own_fork(visit, fork), whole_number_sent("steps")
    if steps not in PRACTICE_STEP_CHOICES:
        abort(400)
    return _change_and_show(
        visit, fork, lambda: forks.add_practice_moves(book(), fork, found.owner, steps, secrets.randbelow(SEED_BELOW))
    )


@page.post("/games/<uuid:game_id>/what-if/<fork>/undo")
def undo(game_id: UUID, fork: str) -> Response:
    """Keep only the first moves."""
    visit = visit_to_fork(game_id)
    own, moves = own_fork(visit, fork), whole_number_sent("moves")
    return _change_and_show(visit, fork, lambda: forks.keep_first_moves(book(), fork, own.owner, moves))


@page.post("/games/<uuid:game_id>/what-if/<fork>/throw-away")
def throw_away(game_id: UUID, fork: str) -> Response:
    visit = visit_game(game_id)
    forks.delete_fork(book(), fork, own_fork(visit, fork).owner)
    flash(say("The what-if is deleted. It was never part of the record."))
    return see_other("what_if.lines", game_id=game_id)


@page.post("/games/<uuid:game_id>/what-if/<fork>/offer")
def offer(game_id: UUID, fork: str) -> Response:
    """Propose the line as what a claim should be ruled."""
    visit = visit_to_fork(game_id)
    found, number = own_fork(visit, fork), whole_number_sent("claim")
    seat = whole_number_sent("seat") if request.form.get("seat") else None
    grant = require(visit, ProposeRuling, ruling="rewound", moves=found.moves, seat=seat)
    why, key = why_sent(), key_sent()
    try:
        forks.propose_fork(book(), found, number, why, seat=seat, by=grant.by, key=key)
    except MovedOnError:  # a page that a browser kept, from which something else was proposed before
        return _fork_page(visit, fork, say(MOVED_ON), 409)
    except (Refused, IllegalDecision) as no:
        return _fork_page(visit, fork, words.reason_sentence(no.reason, visit.rules, visit.names), 422)
    return see_other("claims.claim", game_id=game_id, number=number)


def _change_and_show(visit: Visit, fork: str, command: Callable[[], object]) -> Response:
    try:
        command()
    except (Refused, IllegalDecision) as no:
        return _fork_page(visit, fork, words.reason_sentence(no.reason, visit.rules, visit.names), 422)
    return see_other("what_if.line", game_id=visit.game.id, fork=fork)
