"""The evenings of a club: planning, answers of members, and the games of past evenings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast, get_args
from uuid import UUID

import msgspec
from flask import Blueprint, abort, flash, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import TEXT_LIMIT
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import is_by_name, name_in_key
from daybook.domain.league.club import Answered, Club, Evening
from daybook.domain.league.club_commands import REPEATS_LIMIT, AnswerEvening, CallOffEvening, PlanEvening
from daybook.domain.league.club_events import Answer
from daybook.domain.league.event_checks.common import CLUB_NAME_LIMIT
from daybook.domain.league.event_checks.evening_checks import CHAIRS_LIMIT, GAMES_LIMIT, GAMES_OF_PERSON
from daybook.services.days import day_of
from daybook.services.league import clubs, evening_plans
from daybook.services.names import NAME_LIMIT
from daybook.services.paging import page_of_list
from daybook.web.club.table_choices import game_and_sheet
from daybook.web.request.access import book
from daybook.web.request.clubs import (
    club_names,
    games_sent,
    guest_id,
    people_offered,
    person_typed,
    render_club_page,
    require_club,
    require_role,
    step_written,
    user_id,
    user_may,
    write_in_club,
)
from daybook.web.request.days import form_time, moment_sent, zone_of_visitor
from daybook.web.request.forms import (
    BadTextError,
    fresh_key,
    parse_number,
    parse_whole_number,
    see_other,
    text_fault,
    text_sent,
)
from daybook.web.request.lists import requested_page
from daybook.web.words import league_words, say, say_n
from daybook.web.words.club_event_words import club_event_shown, people_in

page = Blueprint("evenings", __name__)

Repeat = Literal["", "weekly", "monthly"]
REPEATS: tuple[str, ...] = get_args(Repeat)
PEOPLE_SHOWN = 200  # with each answer
CHANGES_SHOWN = 60
NAMES_KNOWN = 200  # games that a form suggests
NAMED_GAMES_OFFERED = 12  # the last played games without rules of ours


@page.get("/clubs/<uuid:club_id>/evenings")
def evenings(club_id: UUID) -> str:
    club = require_club(club_id, "see_evenings")
    over, more = requested_page(
        "evenings.evenings",
        lambda after, limit: page_of_list(evening_plans.over(club), lambda evening: evening.id, after, limit),
    )
    return render_club_page(
        "league/evenings.html",
        club,
        heading=say("Evenings"),
        coming=[] if request.args.get("after") else evening_plans.coming(club),
        over=over,
        more=more,
        zone=zone_of_visitor(club),
        keys=fresh_key,
    )


class EveningForm(Frozen):
    """The form of an evening as it was typed."""

    when: str = ""
    place: str = ""
    games: tuple[str, ...] = ()
    chairs: str = ""
    until: str = ""
    remark: str = ""
    repeat: str = ""
    times: str = ""


@page.route("/clubs/<uuid:club_id>/evenings/new", methods=["GET", "POST"])
def new_evening(club_id: UUID) -> ResponseReturnValue:
    club = require_club(club_id, "schedule")
    if request.method != "POST":
        return _form_page(club, None, EveningForm(place=_usual_place(club)))
    return _plan(club, None)


@page.route("/clubs/<uuid:club_id>/evenings/<evening_id>/change", methods=["GET", "POST"])
def change(club_id: UUID, evening_id: str) -> ResponseReturnValue:
    """Change the day, place or games of an evening. This also restores an evening that was called off."""
    club, evening = _evening_at(club_id, evening_id)
    require_role(club, "schedule")
    if request.method != "POST":
        zone = zone_of_visitor(club)
        return _form_page(club, evening, _form_of(evening, zone))
    return _plan(club, evening)


def _form_of(evening: Evening, zone: str) -> EveningForm:
    chairs = str(evening.chairs or "")
    until = form_time(evening.until, zone)
    return EveningForm(form_time(evening.when, zone), evening.place, evening.games, chairs, until, evening.remark)


def _usual_place(club: Club) -> str:
    """Return the place of the evening that was planned or changed last."""
    return max(club.evenings.values(), key=lambda evening: evening.steps, default=Evening("", "")).place


def _evening_at(club_id: UUID, evening_id: str) -> tuple[Club, Evening]:
    club = require_club(club_id, "see_evenings")
    return club, club.evenings[evening_id] if evening_id in club.evenings else abort(404)


def _plan(club: Club, evening: Evening | None) -> ResponseReturnValue:
    form = request.form
    games = games_sent(club, GAMES_LIMIT + 1)
    sent = EveningForm(
        form.get("when", ""),
        form.get("place", ""),
        games,
        form.get("chairs", "").strip(),
        form.get("until", ""),
        form.get("remark", ""),
        form.get("repeat", ""),
        form.get("times", "").strip(),
    )
    try:
        when, until = moment_sent(), moment_sent("until")
    except BadTextError:
        when = until = ""
    if not when:
        return _form_page(club, evening, sent, say("Enter day and time as 2026-11-20T19:30.")), 422
    try:
        chairs = parse_whole_number(sent.chairs) if sent.chairs else 0
    except BadTextError:
        return _form_page(club, evening, sent, say("Enter the number of chairs, or leave it empty.")), 422
    try:
        times = parse_whole_number(sent.times) if sent.repeat and sent.times else 1
    except BadTextError:
        times = 0
    if not 1 <= times <= REPEATS_LIMIT or sent.repeat not in REPEATS:
        return _form_page(club, evening, sent, say("Plan 1 to {n} evenings at once.", n=REPEATS_LIMIT)), 422
    command = PlanEvening(
        when,
        sent.place,
        games,
        evening.id if evening else "",
        chairs,
        until,
        sent.remark.strip(),
        cast(Repeat, sent.repeat),
        times,
    )
    if against := write_in_club(club.id, command, at=parse_number(form.get("step", ""))):
        return _form_page(club, evening, sent, against), 422
    after, step = step_written(club.id)
    planned = clubs.evening_at(after, step)
    if times > 1:
        flash(say_n("{n} evening is planned.", "{n} evenings are planned.", times))
        planned = after.evenings[planned.series or planned.id]
    return _to_evening(club, planned)


def _form_page(club: Club, evening: Evening | None, sent: EveningForm, error: str = "") -> str:
    offered = [ruleset_id for ruleset_id, rules in RULESETS.items() if rules.title_of is None]
    offered += clubs.games_by_name(club)[:NAMED_GAMES_OFFERED]
    return render_club_page(
        "league/evening_form.html",
        club,
        heading=say("Another day, place or games") if evening else say("Plan an evening"),
        evening=evening,
        sent=sent,
        offered=offered,
        named=[name_in_key(key) for key in sent.games if is_by_name(key) and key not in offered],
        zone=zone_of_visitor(club),
        wrong=error,
        key=fresh_key(),
        place_limit=CLUB_NAME_LIMIT,
        chairs_limit=CHAIRS_LIMIT,
        repeats_limit=REPEATS_LIMIT,
        text_limit=TEXT_LIMIT,
    )


@page.get("/clubs/<uuid:club_id>/evenings/<evening_id>")
def evening(club_id: UUID, evening_id: str) -> str:
    return _evening_page(*_evening_at(club_id, evening_id))


def _evening_page(club: Club, evening: Evening, error: str = "", opened: str = "") -> str:
    answers, events = club.answers(evening), [club.entries[step].event for step in evening.steps]
    names = club_names(club, people_in(events))
    return render_club_page(
        "league/evening.html",
        club,
        heading=league_words.evening_label(evening.when, zone_of_visitor(club)),
        evening=evening,
        is_over=evening not in evening_plans.coming(club),
        answers=answers,
        most=PEOPLE_SHOWN,
        series=[other for other in club.evenings_after(evening) if other is not evening and not other.called_off],
        brought=_games_named(answers, "brings"),
        wanted=_games_named(answers, "wants"),
        mine=answers.get(club.person(user_id())) if user_id() else None,
        my_guests=club.guests_of(evening, user_id()) if user_id() else [],
        games_known=clubs.games_by_name(club)[:NAMES_KNOWN],
        before=[person for person, answer in answers.items() if answer.step < evening.moved],
        day=day_of(evening.when, club.zone),
        played=evening_plans.played(book(), club, evening) if user_may(club, "read_club") else [],
        games=[(key, game_and_sheet(club, key) is not None) for key in evening.games],
        history=[
            (club_event_shown(club, event, names), getattr(event, "when", ""))
            for event in reversed(events[-CHANGES_SHOWN:])
        ],
        names=names,
        others=people_offered(club, [person for person in club.everybody() if person not in answers]),
        zone=zone_of_visitor(club),
        wrong=error,
        opened=opened,
        keys=fresh_key,
        name_limit=NAME_LIMIT,
    )


def _games_named(answers: Mapping[str, Answered], field: str) -> list[tuple[str, list[str]]]:
    """Return the games that people bring or would like to play, each with the people; those of most people first."""
    by_game: dict[str, list[str]] = {}
    for person, answered in answers.items():
        for game in getattr(answered, field) if answered.answer != "no" else ():
            by_game.setdefault(game, []).append(person)
    return sorted(by_game.items(), key=lambda row: -len(row[1]))


@page.post("/clubs/<uuid:club_id>/evenings/<evening_id>/answer")
def answer(club_id: UUID, evening_id: str) -> ResponseReturnValue:
    """Save an answer to an evening: the visitor's own or, from an organiser, another person's or a new guest's."""
    club, evening = _evening_at(club_id, evening_id)
    require_role(club, "answer_evenings")
    form, given = request.form, text_sent("answer")
    if given not in get_args(Answer):
        abort(400)
    person, guest = form.get("person", ""), " ".join(form.get("guest", "").split())
    guests: dict[str, str] = {}
    if user_may(club, "schedule"):
        person = person or person_typed(club, guest, club.everybody())
    if guest and not person:
        if error := text_fault(guest, NAME_LIMIT, ""):
            return _evening_page(club, evening, error, "others"), 422
        person = guest_id(club, guest, form.get("key", ""))
        guests = {person: guest}
    brings, wants = _games_of_answer("brings"), _games_of_answer("wants")
    command = AnswerEvening(evening.id, cast(Answer, given), person, guests, brings, wants)
    require_role(club, AnswerEvening, **msgspec.structs.asdict(command))
    if against := write_in_club(club_id, command):
        return _evening_page(club, evening, against, "others" if person else "games" if brings is not None else ""), 422
    return _to_evening(club, evening)


def _games_of_answer(field: str) -> tuple[str, ...] | None:
    """Return the games that a form names, one on each line; None if the form does not ask."""
    if field not in request.form:
        return None
    names = (" ".join(line.split()) for line in text_sent(field).splitlines())
    return tuple(dict.fromkeys(filter(None, names)))[: GAMES_OF_PERSON + 1]


@page.post("/clubs/<uuid:club_id>/evenings/<evening_id>/call-off")
def call_off(club_id: UUID, evening_id: str) -> ResponseReturnValue:
    club, evening = _evening_at(club_id, evening_id)
    require_role(club, "schedule")
    form = request.form
    command = CallOffEvening(evening.id, form.get("why", ""), bool(form.get("following")))
    if against := write_in_club(club_id, command, at=parse_number(form.get("step", ""))):
        return _evening_page(club, evening, against, "call_off"), 422
    flash(say("The evening is called off. Calendars that read the club’s feed say so."))
    return _to_evening(club, evening)


def _to_evening(club: Club, evening: Evening) -> Response:
    return see_other("evenings.evening", club_id=club.id, evening_id=evening.id)
