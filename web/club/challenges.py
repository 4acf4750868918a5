"""Pages of challenges: the list, the progress of a challenge, and the form for a new challenge."""

from __future__ import annotations

from typing import cast, get_args
from uuid import UUID

from flask import Blueprint, abort, flash, request
from flask.typing import ResponseReturnValue

from daybook.domain.league.club import Challenge, Club
from daybook.domain.league.club_commands import GiveUpChallenge, SetChallenge
from daybook.domain.league.club_events import ChallengeKind
from daybook.domain.league.event_checks.challenge_checks import MAX_GOAL, MAX_PLAYS_PER_GAME, MAX_SHELF_GAMES
from daybook.services.days import today_of
from daybook.services.league import challenges as goals
from daybook.services.league import clubs
from daybook.web.request.access import book
from daybook.web.request.clubs import render_club_page, require_club, step_written, user_may, write_in_club
from daybook.web.request.forms import BadTextError, fresh_key, parse_whole_number, see_other, text_sent
from daybook.web.words import say
from daybook.web.words.challenge_words import KIND_NAMES, challenge_state, challenge_title

page = Blueprint("challenges", __name__)

MAX_CHALLENGES_SHOWN = 60


@page.get("/clubs/<uuid:club_id>/challenges")
def challenges(club_id: UUID) -> str:
    club = require_club(club_id)
    newest = [*reversed(club.challenges.values())][:MAX_CHALLENGES_SHOWN]
    return render_club_page(
        "league/challenges.html",
        club,
        heading=say("Challenges"),
        shown=[goals.count_progress(book(), club, challenge) for challenge in newest],
    )


@page.get("/clubs/<uuid:club_id>/challenges/<challenge_id>")
def challenge(club_id: UUID, challenge_id: str) -> str:
    club = require_club(club_id)
    return _challenge_page(club, _challenge_at(club, challenge_id))


def _challenge_at(club: Club, challenge_id: str) -> Challenge:
    return club.challenges[challenge_id] if challenge_id in club.challenges else abort(404)


def _challenge_page(club: Club, challenge: Challenge, error: str = "") -> str:
    progress = goals.count_progress(book(), club, challenge)
    return render_club_page(
        "league/challenge.html",
        club,
        heading=challenge_title(challenge),
        progress=progress,
        challenge=challenge,
        person=club.person(challenge.person) if challenge.person else "",
        state=challenge_state(progress.state),
        may_give_up=progress.state == "running" and user_may(club, GiveUpChallenge, challenge=challenge.id),
        wrong=error,
        key=fresh_key(),
    )


@page.route("/clubs/<uuid:club_id>/challenges/new", methods=["GET", "POST"])
def new(club_id: UUID) -> ResponseReturnValue:
    club = require_club(club_id, "log_plays")
    if request.method != "POST":
        return _form_page(club)
    form = request.form
    if form.get("kind") not in get_args(ChallengeKind):
        abort(400)
    try:
        goal, plays_per_game = (
            parse_whole_number(form.get(name, "").strip() or "0") for name in ("goal", "plays_per_game")
        )
    except BadTextError:
        return _form_page(club, say("Enter whole numbers.")), 422
    names = [" ".join(line.split()) for line in text_sent("games").splitlines()[: MAX_SHELF_GAMES + 1]]
    kind = cast(ChallengeKind, form["kind"])
    games = tuple(dict.fromkeys(clubs.game_named(club, name) for name in names if name)) if kind == "shelf" else ()
    year = form.get("year", "")
    if year not in ("", *_years_offered(club)):
        abort(400)
    command = SetChallenge(kind, goal, max(plays_per_game, 1), games, year, "", form.get("whose") == "club")
    if against := write_in_club(club.id, command):
        return _form_page(club, against), 422
    return see_other(
        "challenges.challenge", club_id=club.id, challenge_id=clubs.challenge_at(*step_written(club.id)).id
    )


def _years_offered(club: Club) -> list[str]:
    year = int(today_of(club.zone)[:4])
    return [str(year), str(year + 1), str(year - 1)]


def _form_page(club: Club, error: str = "") -> str:
    return render_club_page(
        "league/challenge_form.html",
        club,
        heading=say("Set a challenge"),
        kinds=KIND_NAMES,
        years=_years_offered(club),
        may_set_for_club=user_may(club, SetChallenge, for_club=True, person=""),
        goal_limit=MAX_GOAL,
        max_plays_per_game=MAX_PLAYS_PER_GAME,
        given=request.form,
        wrong=error,
        key=fresh_key(),
    )


@page.post("/clubs/<uuid:club_id>/challenges/<challenge_id>/give-up")
def give_up(club_id: UUID, challenge_id: str) -> ResponseReturnValue:
    club = require_club(club_id)
    if against := write_in_club(club.id, GiveUpChallenge(challenge_id)):
        return _challenge_page(club, _challenge_at(club, challenge_id), against), 422
    flash(say("The challenge is given up. It stays in the list."))
    return see_other("challenges.challenge", club_id=club.id, challenge_id=challenge_id)
