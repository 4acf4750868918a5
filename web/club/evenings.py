"""The evenings of a club: planning, answers of members, and the games of past evenings."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
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
from daybook.domain.league.club_commands import (
    DRAW_LIMIT,
    REPEATS_LIMIT,
    AnswerEvening,
    CallOffEvening,
    PlanEvening,
    SetEveningTables,
)
from daybook.domain.league.club_events import BESIDE, Answer, EveningTable
from daybook.domain.league.event_checks.common import CLUB_NAME_LIMIT
from daybook.domain.league.event_checks.evening_checks import (
    CHAIRS_LIMIT,
    GAMES_LIMIT,
    MAX_GAMES_PER_ANSWER,
    TABLES_LIMIT,
)
from daybook.services.days import day_of
from daybook.services.league import clubs, evening_draw, evening_plans
from daybook.services.league.schedule_search import CannotDrawError
from daybook.services.names import NAME_LIMIT
from daybook.services.paging import page_of_list
from daybook.services.permissions import access
from daybook.services.play.recording import NewGame
from daybook.web.club.table_choices import game_and_sheet, usual_game
from daybook.web.request.access import book, hold_grant
from daybook.web.request.clubs import (
    club_names,
    club_reason,
    games_sent,
    guest_id,
    people_offered,
    person_typed,
    render_club_page,
    require_club,
    require_role,
    run_club_write,
    step_written,
    user_id,
    user_may,
    write_in_club,
)
from daybook.web.request.counts import take_or_refuse
from daybook.web.request.days import form_time, moment_sent, zone_of_visitor
from daybook.web.request.forms import (
    BadTextError,
    fresh_key,
    key_sent,
    parse_number,
    parse_whole_number,
    record_key,
    see_other,
    text_fault,
    text_sent,
)
from daybook.web.request.lists import requested_page
from daybook.web.request.long_work import takes_long
from daybook.web.request.push_offers import push_offer_to
from daybook.web.words import league_words, say, say_n
from daybook.web.words.club_event_words import club_event_shown, people_in

page = Blueprint("evenings", __name__)

Repeat = Literal["", "weekly", "monthly"]
REPEATS: tuple[str, ...] = get_args(Repeat)
PEOPLE_SHOWN = 200  # with each answer
CHANGES_SHOWN = 60
MAX_SUGGESTED_GAMES = 200
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
    repeat_count: str = ""


@page.route("/clubs/<uuid:club_id>/evenings/new", methods=["GET", "POST"])
def new_evening(club_id: UUID) -> ResponseReturnValue:
    club = require_club(club_id, "schedule")
    if request.method != "POST":
        return _form_page(club, None, EveningForm(place=_usual_place(club)))
    return _plan(club, None)


@page.route("/clubs/<uuid:club_id>/evenings/<evening_id>/change", methods=["GET", "POST"])
def change(club_id: UUID, evening_id: str) -> ResponseReturnValue:
    """Change the day, place or games of an evening. This also restores an evening that was called off."""
    club, evening = evening_at(club_id, evening_id)
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


def evening_at(club_id: UUID, evening_id: str) -> tuple[Club, Evening]:
    """Return the club and its evening if the viewer may see it; 404 for an unknown one."""
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
        form.get("repeat_count", "").strip(),
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
        repeat_count = parse_whole_number(sent.repeat_count) if sent.repeat and sent.repeat_count else 1
    except BadTextError:
        repeat_count = 0
    if not 1 <= repeat_count <= REPEATS_LIMIT or sent.repeat not in REPEATS:
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
        repeat_count,
    )
    if against := write_in_club(club.id, command, at=parse_number(form.get("step", ""))):
        return _form_page(club, evening, sent, against), 422
    after, step = step_written(club.id)
    planned = clubs.evening_at(after, step)
    if repeat_count > 1:
        flash(say_n("{n} evening is planned.", "{n} evenings are planned.", repeat_count))
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
    return _evening_page(*evening_at(club_id, evening_id))


def _evening_page(club: Club, evening: Evening, error: str = "", opened: str = "") -> str:
    answers, events = club.answers(evening), [club.entries[step].event for step in evening.steps]
    names = club_names(club, people_in(events))
    played = evening_plans.played(book(), club, evening) if user_may(club, "read_club") else []
    return render_club_page(
        "league/evening.html",
        club,
        heading=league_words.evening_label(evening.when, zone_of_visitor(club)),
        evening=evening,
        until=form_time(evening.until, zone_of_visitor(club))[11:],  # it is less than a day later
        is_over=evening not in evening_plans.coming(club),
        answers=answers,
        most=PEOPLE_SHOWN,
        series=[other for other in club.evenings_after(evening) if other is not evening and not other.called_off],
        brought=_games_named(answers, "games_brought"),
        wanted=_games_named(answers, "games_wanted"),
        mine=answers.get(club.person(user_id())) if user_id() else None,
        push_offer=push_offer_to(user_id()) if user_id() in answers else None,
        my_guests=club.guests_of(evening, user_id()) if user_id() else [],
        games_known=clubs.games_by_name(club)[:MAX_SUGGESTED_GAMES],
        tables=[
            (
                table,
                evening_plans.opened_table(club, evening, table),
                bool(usual_game(club, table.game, "", table.people)),
            )
            for table in club.tables_set(evening)
        ],
        before=[person for person, answer in answers.items() if answer.step < evening.moved],
        day=day_of(evening.when, club.zone),
        played=played,
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


@page.route("/clubs/<uuid:club_id>/evenings/<evening_id>/tables", methods=["GET", "POST"])
@takes_long("GET", "POST")
def tables(club_id: UUID, evening_id: str) -> ResponseReturnValue:
    """Draw the tables of an evening, change them by hand, and save them."""
    club, evening = evening_at(club_id, evening_id)
    require_role(club, "schedule")
    if request.method != "POST":
        seed = parse_number(request.args.get("seed", ""))
        if seed is None and evening.tables:
            return _tables_page(club, evening, club.tables_set(evening), 0)
        seed = secrets.randbelow(DRAW_LIMIT) if seed is None else min(max(seed, 1), DRAW_LIMIT - 1)
        try:
            drawn = evening_draw.propose_tables(book(), club, evening, seed)
        except CannotDrawError as no:
            return _tables_page(club, evening, [], 0, club_reason(no.reason))
        return _tables_page(club, evening, drawn.tables, seed)
    sent = _tables_sent(club)
    seed = parse_number(request.form.get("seed", "")) or 0
    if against := write_in_club(club_id, SetEveningTables(evening.id, sent, min(max(seed, 0), DRAW_LIMIT - 1))):
        return _tables_page(club, evening, sent, seed, against), 422
    return _to_evening(club, evening)


def _tables_sent(club: Club) -> tuple[EveningTable, ...]:
    """Parse the tables of the form: a table number for each person, and a game for each table."""
    seated: dict[int, list[str]] = {}
    for name, sent in request.form.items():
        number = parse_number(sent) if name.startswith("at.") else None
        if number is not None and 1 <= number <= TABLES_LIMIT:
            seated.setdefault(number, []).append(name.removeprefix("at."))
    names = {number: " ".join(request.form.get(f"game.{number}", "").split()) for number in seated}
    return tuple(
        EveningTable(clubs.game_named(club, names[number]) if names[number] else "", tuple(people))
        for number, people in sorted(seated.items())
    )


def _tables_page(club: Club, evening: Evening, set_tables: Sequence[EveningTable], seed: int, error: str = "") -> str:
    at = {person: number for number, table in enumerate(set_tables, 1) for person in table.people}
    people = list(dict.fromkeys([*club.coming(evening), *at]))
    games = evening_draw.list_games(evening, club.answers(evening), club.coming(evening))
    return render_club_page(
        "league/evening_tables.html",
        club,
        heading=say("Tables of the evening"),
        evening=evening,
        people=sorted(people, key=lambda person: at.get(person, TABLES_LIMIT)),
        at=at,
        numbers=range(1, len(people) + 1),
        set_tables=set_tables,
        shown=range(1, max(len(set_tables) + 1, len(people) // 2 + 1)),
        games=[*games, *(key for key in clubs.games_by_name(club)[:MAX_SUGGESTED_GAMES] if key not in games)],
        seed=seed,
        another=1 + secrets.randbelow(DRAW_LIMIT - 1),
        wrong=error,
        key=fresh_key(),
        zone=zone_of_visitor(club),
        name_limit=NAME_LIMIT,
    )


@page.post("/clubs/<uuid:club_id>/evenings/<evening_id>/open")
def open_tables(club_id: UUID, evening_id: str) -> ResponseReturnValue:
    """Open the game of one planned table, or of all tables without an open game."""
    club, evening = evening_at(club_id, evening_id)
    require_role(club, "open_tables")
    wanted = request.form.get("table", "")
    opened, at = list[UUID](), club.step
    for number, table in enumerate(club.tables_set(evening), 1):
        title = say("Table {n}", n=number)
        new = usual_game(club, table.game, title, table.people)
        if (
            wanted not in ("", str(number))
            or new is None
            or evening_plans.opened_table(club, evening, table) is not None
        ):
            continue
        take_or_refuse("game")  # one request opens many
        against, at = _open_table(club, number, table, new, opened, at)
        if against:
            return _evening_page(*evening_at(club_id, evening_id), against, "tables"), 422
    if wanted and opened:
        return see_other("links.links", game_id=opened[0], new=1)
    if opened:
        flash(say_n("{n} game is open.", "{n} games are open.", len(opened)))
    return _to_evening(club, evening)


def _open_table(
    club: Club, number: int, table: EveningTable, new: NewGame, opened: list[UUID], at: int
) -> tuple[str, int]:
    """Open the game of a planned table, and give its links to this browser.

    Args:
        at: the club's step; if another game was opened since, nothing is.

    Return why it was refused, or "", with the club's next step.
    """
    key, steps = record_key(f"{key_sent()}-{number}", [table.game, table.people]), [at]

    def open_it() -> None:
        game, entry = clubs.open_table(book(), club.id, BESIDE, None, new, by=user_id(), key=key, at=at)
        opened.append(game.record)
        steps.append(entry.step)

    against = run_club_write(open_it)
    if not against:
        given = access.make_first_grants(book(), opened[-1])
        hold_grant(next(grant for grant in given if grant.role == "scorekeeper"))
    return against, steps[-1]


def _games_named(answers: Mapping[str, Answered], field: str) -> list[tuple[str, list[str]]]:
    """Return the games that people bring or want, each with its people. The games of most people come first."""
    by_game: dict[str, list[str]] = {}
    for person, answered in answers.items():
        for game in getattr(answered, field) if answered.answer != "no" else ():
            by_game.setdefault(game, []).append(person)
    return sorted(by_game.items(), key=lambda row: -len(row[1]))


@page.post("/clubs/<uuid:club_id>/evenings/<evening_id>/answer")
def answer(club_id: UUID, evening_id: str) -> ResponseReturnValue:
    """Save an answer to an evening: the visitor's own or, from an organiser, another person's or a new guest's."""
    club, evening = evening_at(club_id, evening_id)
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
    games_brought, games_wanted = _games_of_answer("games_brought"), _games_of_answer("games_wanted")
    command = AnswerEvening(evening.id, cast(Answer, given), person, guests, games_brought, games_wanted)
    require_role(club, AnswerEvening, **msgspec.structs.asdict(command))
    if against := write_in_club(club_id, command):
        return _evening_page(
            club, evening, against, "others" if person else "games" if games_brought is not None else ""
        ), 422
    return _to_evening(club, evening)


def _games_of_answer(field: str) -> tuple[str, ...] | None:
    """Parse the games of a form field, one on each line; None if the form lacks the field."""
    if field not in request.form:
        return None
    names = (" ".join(line.split()) for line in text_sent(field).splitlines())
    return tuple(dict.fromkeys(filter(None, names)))[: MAX_GAMES_PER_ANSWER + 1]


@page.post("/clubs/<uuid:club_id>/evenings/<evening_id>/call-off")
def call_off(club_id: UUID, evening_id: str) -> ResponseReturnValue:
    club, evening = evening_at(club_id, evening_id)
    require_role(club, "schedule")
    form = request.form
    command = CallOffEvening(evening.id, form.get("why", ""), bool(form.get("with_later")))
    if against := write_in_club(club_id, command, at=parse_number(form.get("step", ""))):
        return _evening_page(club, evening, against, "call_off"), 422
    flash(say("The evening is called off. Calendars that read the club’s feed say so."))
    return _to_evening(club, evening)


def _to_evening(club: Club, evening: Evening) -> Response:
    return see_other("evenings.evening", club_id=club.id, evening_id=evening.id)
