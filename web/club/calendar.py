"""Evenings and planned tables as a calendar feed (iCalendar, RFC 5545), for a season, a club, or all clubs of a person.

A calendar program cannot sign in: for clubs that are not public a person has a secret address
(`services.league.calendars`). Its key stands in the query, which the server's log leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from flask import Blueprint, abort, request
from werkzeug import Response

from daybook.domain.kernel.texts import without_controls
from daybook.domain.league.club import Club, Evening, Season, SeasonTable
from daybook.domain.league.club_events import Answer
from daybook.domain.league.event_checks.common import PLAN_DAYS
from daybook.services.clock import later_time, now
from daybook.services.league import calendars, clubs
from daybook.services.league.season_tables import tables_in_order
from daybook.web.request.access import book
from daybook.web.request.clubs import Names, club_names, require_club, require_season, table_label, user_may
from daybook.web.request.origin import own_address
from daybook.web.words import join_words, league_words, say

if TYPE_CHECKING:
    from icalendar import Event

page = Blueprint("calendar", __name__)

COMING: tuple[Answer, ...] = ("yes", "maybe")
HOURS = 3  # that an evening or a table is put down for
LATEST = 400  # evenings, and tables, of a club or a season: a calendar program asks for all of them again and again


@page.get("/clubs/<uuid:club_id>/calendar.ics")
def club_feed(club_id: UUID) -> Response:
    club = require_club(club_id, "evenings")
    return _feed_answer(club.name, _events_of_club(club))


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/calendar.ics")
def season_feed(club_id: UUID, season_id: str) -> Response:
    club, season = require_season(club_id, season_id)
    require_club(club_id, "evenings")
    return _feed_answer(f"{season.name} – {club.name}", _events(club, [season]))


@page.get("/calendar.ics")
def own_feed() -> Response:
    """The evenings and tables of all clubs of a person, for whoever has their secret address."""
    person = calendars.person_of_key(book(), request.args.get("key", ""))
    if person is None:
        abort(404)
    events = (event for club in clubs.clubs_of(book(), person) for event in _events_of_club(club, within=club.name))
    return _feed_answer(say("Evenings and tables of your clubs"), events)


def _events_of_club(club: Club, within: str = "") -> list[Event]:
    names = club_names(club)
    latest = sorted(club.evenings.values(), key=lambda one: (one.when, int(one.id)))[-LATEST:]
    evenings = [_evening_event(club, evening, names, within) for evening in latest]
    return [*evenings, *(_events(club, club.seasons.values(), within) if within or user_may(club, "read") else [])]


def _events(club: Club, seasons: Iterable[Season], within: str = "") -> list[Event]:
    names = club_names(club)
    latest = later_time(now(), days=PLAN_DAYS)  # plans of before there was a limit may lie beyond the calendar itself
    planned = [
        (season, table)
        for season in seasons
        for table in tables_in_order(season)
        if table.when and table.when <= latest
    ]
    newest = sorted(planned, key=lambda one: one[1].when)[-LATEST:]
    return [_table_event(club, season, table, names, within) for season, table in newest]


def _feed_answer(name: str, events: Iterable[Event]) -> Response:
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", "-//Daybook//league//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    for event in events:
        calendar.add_component(event)
    answer = Response(calendar.to_ical(), mimetype="text/calendar")
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _table_event(club: Club, season: Season, table: SeasonTable, names: Names, within: str) -> Event:
    event = _event(club, table.result_id, table.when, table.place, table.steps, max(table.steps))
    event.add("status", "CANCELLED" if table.voided else "CONFIRMED")
    event.add("summary", ": ".join(part for part in (within, season.name, table_label(season, table)) if part))
    event.add("description", join_words([league_words.person_name(person, names) for person in club.seats(table)]))
    event.add("url", f"{own_address()}/clubs/{club.id}/seasons/{season.id}/tables/{table.id}")
    return event


def _evening_event(club: Club, evening: Evening, names: Names, within: str) -> Event:
    """One that was moved or called off says so: a calendar that has it already goes by its sequence and status."""
    newest = max([*evening.steps, *(said.step for said in evening.answers.values())])
    event = _event(club, f"evening-{evening.id}", evening.when, evening.place, evening.steps, newest)
    is_off = evening.called_off is not None or bool(club.removed)
    event.add("status", "CANCELLED" if is_off else "CONFIRMED")
    title = say("{name}: evening", name=within or club.name)
    event.add("summary", say("Called off: {what}", what=title) if is_off else title)
    told = [without_controls(evening.called_off.why)] if evening.called_off else []
    told += [league_words.games_shown(evening.games)] if evening.games else []
    yes, maybe = ([league_words.person_name(one, names) for one in club.expected(evening, said)] for said in COMING)
    told += [say("Come: {names}", names=join_words(yes))] if yes else []
    told += [say("May come: {names}", names=join_words(maybe))] if maybe else []
    event.add("description", "\n".join(filter(None, told)))
    event.add("url", f"{own_address()}/clubs/{club.id}/evenings/{evening.id}")
    return event


def _event(club: Club, id: str, when: str, place: str, plans: Sequence[int], newest: int) -> Event:
    """plans: the steps that changed when or where it is; newest: the step of the newest word about it."""
    from icalendar import Event

    event, begins = Event(), datetime.fromisoformat(when)
    event.add("uid", f"{club.id}-{id}@daybook")
    event.add("dtstamp", datetime.fromisoformat(club.entries[newest].event.at))
    event.add("dtstart", begins)
    event.add("dtend", begins + timedelta(hours=HOURS))
    event.add("sequence", len(plans))
    if place:
        event.add("location", place)
    return event
