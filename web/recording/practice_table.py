"""A game against practice players: open it, let them move, and explain their moves."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain import commands
from daybook.domain.games import PRACTISED
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.services.names import NAME_LIMIT
from daybook.services.people.writers import opening_writer
from daybook.services.permissions import access
from daybook.services.permissions.actions import require
from daybook.services.play import practice_tables, practice_turns, replay
from daybook.services.play.practice import LEVELS, Level
from daybook.services.play.practice_tables import Opponents, open_practice_table, play_practice_turn
from daybook.services.play.recording import OtherGameError
from daybook.services.play.search import Considered
from daybook.web import words
from daybook.web.recording.new_game import requested_game
from daybook.web.recording.practice_form import PracticeForm, read_practice_form, run_practice_form
from daybook.web.request.access import book, hold_grant, render_game_page, visit_game
from daybook.web.request.clubs import user_id
from daybook.web.request.counts import take
from daybook.web.request.forms import (
    key_sent,
    opened_before,
    option_fields,
    parse_number,
    record_key,
    see_other,
    text_fault,
    text_sent,
    whole_number_sent,
)
from daybook.web.request.long_work import takes_long
from daybook.web.request.origin import client_address
from daybook.web.request.parts import is_device
from daybook.web.words import game_title, say
from daybook.web.words.say import Texts

page = Blueprint("practice_table", __name__)

MIN_PLAYOUTS_FOR_INTERVAL = 6
LEVEL_NAMES: Texts = {"chance": "Chance", "steady": "Steady", "strong": "Strong"}


@page.route("/practice/table", methods=["GET", "POST"])
def table() -> ResponseReturnValue:
    """Open a game against practice players."""
    rules = requested_game(PRACTISED)
    if rules is None:
        return render_template(
            "new_game_which.html",
            rulesets=PRACTISED,
            goes_to="practice_table.table",
            title=say("Play against practice players"),
        )
    counts = [seats for seats in rules.seats if seats > 1]
    # Hands are always recorded here.
    options = [field for field in option_fields(rules.types.options) if field.name not in practice_tables.OPEN_HANDS]
    form = read_practice_form(rules, options, counts, LEVELS, counts[0])
    name, seat = text_sent("name"), 1
    if request.method == "POST":
        if says := text_fault(name, NAME_LIMIT, say("Enter your name.")):
            form.wrong["name"] = says
        seat = parse_number(text_sent("seat")) or 0
        if form.seats in counts and seat not in range(1, form.seats + 1):
            form.wrong["seat"] = say("Choose one of these.")
    return run_practice_form(
        "practice_table.html",
        form,
        lambda level: _open_table(form, name, seat - 1, level),
        name=name,
        name_limit=NAME_LIMIT,
        seat=seat,
    )


def _open_table(form: PracticeForm, name: str, seat: Seat, level: Level) -> Response:
    rules = form.rules
    names = [say("{level} player {n}", level=say(LEVEL_NAMES[level]), n=number) for number in range(1, form.seats)]
    try:
        game_id = open_practice_table(
            book(),
            ruleset_id=rules.id,
            title=say("{game}: {name} against practice players", game=game_title(rules.id), name=name),
            name=name,
            seat=seat,
            opponents=Opponents(level, names),
            options=form.chosen,
            by=opening_writer(user_id()),
            admit=partial(take, "game"),
            key=record_key(key_sent(), [rules.id, name, form.seats, seat, level, form.chosen]),
        ).record
        practice_turns.store_client(book(), game_id, user_id() or client_address())
    except OtherGameError as other:
        game_id = opened_before(other)
    for grant in access.make_first_grants(book(), game_id):
        hidden = practice_tables.hides_information(book().games.get(game_id))
        if grant.role == ("seat" if hidden else "scorekeeper") and grant.seat in (None, seat):
            hold_grant(grant)  # the player also keeps the record, which shows no more than the seat sees
    if is_device():  # a device has no workers
        play_practice_turn(book(), game_id)
    return see_other("record.record", game_id=game_id)


@page.post("/games/<uuid:game_id>/practice-turn")
@takes_long("POST")
def practice_turn(game_id: UUID) -> Response:
    """Let practice players continue where they do not move by themselves, such as after an undo."""
    require(visit_game(game_id), commands.Note)
    play_practice_turn(book(), game_id)
    return see_other("record.record", game_id=game_id)


class ConsideredMove(Frozen):
    """Decision that a practice player considered.

    Args:
        chance: in percent.
        low: lower end of its interval; None with too few play-outs.
        high: upper end.
    """

    label: str
    made: bool
    chance: int
    low: int | None
    high: int | None
    playouts: int


@page.get("/games/<uuid:game_id>/practice-why")
@takes_long("GET")
def why(game_id: UUID) -> str:
    """Explain a decision of a practice player, by default its newest."""
    visit = visit_game(game_id)
    game = visit.game
    moves = practice_tables.practice_moves(game)
    if not moves:
        abort(404)
    step = whole_number_sent("step") if "step" in request.args else moves[0]
    if step not in moves:
        abort(404)
    open_to = practice_tables.may_explain(game, visit.sights)
    weighed: list[ConsideredMove] = []
    if open_to:
        weighed = _weighed_moves(visit.rules, visit.names, game, step)
    place = moves.index(step)
    return render_game_page(
        "practice_why.html",
        visit,
        step=next(replay.iter_steps(game, visit.sight, step - 1)),
        weighed=weighed,
        open_to=open_to,
        later=moves[place - 1] if place else None,
        earlier=moves[place + 1] if place + 1 < len(moves) else None,
    )


def _weighed_moves(rules: str, names: words.Names, game: Game, step: int) -> list[ConsideredMove]:
    reckoned, event = practice_tables.explain_move(book(), game, step), game.entries[step].event
    if reckoned is None or not isinstance(event, DecisionRecorded):
        return []
    made = event.decision
    return [weighed_move(rules, names, considered, made) for considered in reckoned.considered if considered.playouts]


def weighed_move(rules: str, names: words.Names, considered: Considered, made: dict[str, Any]) -> ConsideredMove:
    low, high = (
        (None, None)
        if considered.interval is None or considered.playouts < MIN_PLAYOUTS_FOR_INTERVAL
        else considered.interval
    )
    return ConsideredMove(
        words.sentence(rules, considered.decision, names),
        considered.decision == made,
        _to_percent(considered.value),
        None if low is None else _to_percent(low),
        None if high is None else _to_percent(high),
        considered.playouts,
    )


def _to_percent(share: float) -> int:
    return round(100 * min(1.0, max(0.0, share)))
