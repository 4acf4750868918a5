"""Watch a practice game: choose the game, the number of players, their level, and the seed."""

from __future__ import annotations

import hashlib
from functools import partial

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.games import PRACTISED
from daybook.services.permissions import access
from daybook.services.play.practice import QUICK_LEVELS, Level
from daybook.services.play.practice_games import record_practice_game
from daybook.services.play.recording import SeatedPerson
from daybook.web.recording.new_game import requested_game
from daybook.web.recording.practice_form import PracticeForm, read_practice_form, run_practice_form
from daybook.web.request.access import book, hold_grant
from daybook.web.request.counts import take
from daybook.web.request.forms import key_sent, option_fields, parse_number, record_key, see_other, text_sent
from daybook.web.request.long_work import takes_long
from daybook.web.words import game_title, say

page = Blueprint("practice", __name__)

SEEDS = 1_000_000  # few enough digits to read aloud


@page.route("/practice", methods=["GET", "POST"])
@takes_long("POST")
def practice() -> ResponseReturnValue:
    rules = requested_game(PRACTISED)
    if rules is None:
        return render_template(
            "new_game_which.html", rulesets=PRACTISED, goes_to="practice.practice", title=say("Watch a practice game")
        )
    usual = sorted(rules.seats)[len(rules.seats) // 2]
    form = read_practice_form(rules, option_fields(rules.types.options), rules.seats, QUICK_LEVELS, usual)
    seed = _seed_sent()
    if seed not in range(SEEDS):
        form.wrong["seed"] = say("Enter a whole number from 0 to {most}, or leave it empty.", most=SEEDS - 1)
    return run_practice_form(
        "practice.html", form, lambda level: _play_game(form, seed, level), seed=text_sent("seed"), largest=SEEDS - 1
    )


def _seed_sent() -> int:
    """Return the seed in the form, a negative number if it is invalid, or one drawn from the form's key if empty."""
    sent = text_sent("seed").strip()
    if not sent:
        return int(hashlib.sha256(key_sent().encode()).hexdigest(), 16) % SEEDS
    number = parse_number(sent)
    return -1 if number is None else number


def _play_game(form: PracticeForm, seed: int, level: Level) -> Response:
    rules = form.rules
    colours = rules.colours(book().sheets.printed_sheet(rules.id))[: form.seats]
    players = [SeatedPerson(say("Player {n}", n=seat + 1), colour) for seat, colour in enumerate(colours)]
    played = record_practice_game(
        book(),
        ruleset_id=rules.id,
        title=say("{game}: practice {n}", game=game_title(rules.id), n=seed),
        players=players,
        options=form.chosen,
        seed=seed,
        level=level,
        admit=partial(take, "game"),
        key=record_key(key_sent(), [rules.id, players, seed, form.chosen, level]),
    )
    hold_grant(access.make_first_grants(book(), played.record)[0])
    return see_other("replay.replay", game_id=played.record, step=0, _anchor="play")
