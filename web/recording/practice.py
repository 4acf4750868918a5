"""A practice game to look at: which game, how many players, how well they play, and out of which seed."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from daybook.domain.games import PACKAGES, PRACTISED
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.people import access
from daybook.services.people.sign_in_limits import LockedOut
from daybook.services.play.practice import QUICK_LEVELS, Level
from daybook.services.play.practice_games import record_practice_game
from daybook.services.play.recording import SeatedPerson
from daybook.web import words
from daybook.web.recording.new_game import asked_game
from daybook.web.request.access import book, hold_grant, person
from daybook.web.request.forms import (
    fresh_key,
    key_sent,
    number_in,
    option_fields,
    own_key,
    read_options,
    see_other,
    text_sent,
    wrong_options,
)
from daybook.web.request.long_work import takes_long
from daybook.web.request.origin import new_game
from daybook.web.words import game_title, say
from daybook.web.words.sign_in import too_many_games

page = Blueprint("practice", __name__)

SEEDS = 1_000_000  # a number that can be said aloud


@page.route("/practice", methods=["GET", "POST"])
@takes_long("POST")
def practice() -> ResponseReturnValue:
    rules = asked_game(PRACTISED)
    if rules is None:
        return render_template(
            "new_game_which.html", rulesets=PRACTISED, goes_to="practice.practice", title=say("Watch a practice game")
        )
    if request.method != "POST":
        return _practice_page(rules, {})
    options = read_options(option_fields(rules.types.options), request.form)
    wrong = wrong_options(option_fields(rules.types.options), options)
    seats, seed = _number_sent("seats"), _number_sent("seed")
    if seats not in rules.seats:
        wrong["seats"] = say("Choose one of these.")
    if seed is None or seed >= SEEDS:
        wrong["seed"] = say("Enter a whole number from 0 to {most}, or leave it empty.", most=SEEDS - 1)
    level = next((level for level in QUICK_LEVELS if level == request.form.get("level", "chance")), None)
    if level is None:
        wrong["level"] = say("Choose one of these.")
    if wrong or level is None or seats is None or seed is None:
        return _practice_page(rules, wrong), 422
    try:
        return _play_game(rules, seats, seed, options, level)
    except LockedOut as locked:
        return _practice_page(rules, {"form": too_many_games(locked, person())}), 429


def _number_sent(name: str) -> int | None:
    """A whole number that was sent; None for anything else. An empty seed is drawn out of the form's own key."""
    sent = text_sent(name).strip()
    if name == "seed" and not sent:
        return int(hashlib.sha256(key_sent().encode()).hexdigest(), 16) % SEEDS
    number = number_in(sent)
    return None if number is None or number < 0 else number


def _play_game(
    rules: Ruleset[Any], seats: int, seed: int, options: dict[str, Any], level: Level
) -> ResponseReturnValue:
    colours = rules.colours(book().sheets.printed_sheet(rules.id))[:seats]
    players = [SeatedPerson(say("Player {n}", n=seat + 1), colour) for seat, colour in enumerate(colours)]
    try:
        played = record_practice_game(
            book(),
            ruleset_id=rules.id,
            title=say("{game}: practice {n}", game=game_title(rules.id), n=seed),
            players=players,
            options=options,
            seed=seed,
            level=level,
            admit=new_game,
            key=own_key(key_sent(), [rules.id, players, seed, options, level]),
        )
    except IllegalDecision as no:
        return _practice_page(rules, {"form": words.reason_sentence(no.reason)}), 422
    hold_grant(access.make_first_grants(book(), played.game)[0])
    return see_other("replay.replay", game_id=played.game, step=0)


def _practice_page(rules: Ruleset[Any], wrong: dict[str, str]) -> str:
    fields = option_fields(rules.types.options)
    sent = request.method == "POST"
    chosen = read_options(fields, request.form) if sent else {field.name: field.default for field in fields}
    return render_template(
        "practice.html",
        rules=rules,
        wrong=wrong,
        options=fields,
        chosen=chosen,
        largest=SEEDS - 1,
        seats=_number_sent("seats") if sent else sorted(rules.seats)[len(rules.seats) // 2],
        key=fresh_key(),
        levels=QUICK_LEVELS if PACKAGES[rules.id].policy is not None else (),
        level=text_sent("level") if sent else "steady",
        seed=text_sent("seed"),
        several=len(PRACTISED) > 1,
    )
