"""Planned tables as a calendar feed (iCalendar, RFC 5545), for a season, all of a club, or all clubs of a person.

A calendar program cannot sign in: for clubs that are not public a person has a secret address
(`services.league.calendars`). Its key stands in the query, which the server's log leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from flask import Blueprint, abort, request
from werkzeug import Response

from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.event_checks.schedules import PLAN_DAYS
from daybook.services.clock import later_time, now
from daybook.services.league import calendars, clubs
from daybook.services.league.season_tables import tables_in_order
from daybook.web.request.access import book
from daybook.web.request.clubs import Names, club_at, names_in, real_season_at, table_name
from daybook.web.request.origin import own_address
from daybook.web.words import join_words, league_words, say

if TYPE_CHECKING:
    from icalendar import Event

page = Blueprint("calendar", __name__)

HOURS = 3  # that a table is put down for


@page.get("/clubs/<uuid:club_id>/calendar.ics")
def club_feed(club_id: UUID) -> Response:
    club = club_at(club_id)
    return _feed(
        club, club.name, [(season, table) for season in club.seasons.values() for table in tables_in_order(season)]
    )


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/calendar.ics")
def season_feed(club_id: UUID, season_id: str) -> Response:
    club = club_at(club_id)
    season = real_season_at(club, season_id)
    return _feed(club, f"{season.name} – {club.name}", [(season, table) for table in tables_in_order(season)])


@page.get("/calendar.ics")
def own_feed() -> Response:
    """The tables of all clubs of a person, for whoever has their secret address."""
    person = calendars.person_of_key(book(), request.args.get("key", ""))
    if person is None:
        abort(404)
    return _feed_answer(
        say("Tables of your clubs"),
        [
            event
            for club in clubs.clubs_of(book(), person)
            for event in _events(
                club,
                [(season, table) for season in club.seasons.values() for table in tables_in_order(season)],
                within=club.name,
            )
        ],
    )


def _feed(club: Club, name: str, tables: Iterable[tuple[Season, SeasonTable]]) -> Response:
    return _feed_answer(name, _events(club, tables))


def _events(club: Club, tables: Iterable[tuple[Season, SeasonTable]], within: str = "") -> list[Event]:
    names = names_in(club)
    latest = later_time(now(), days=PLAN_DAYS)  # plans of before there was a limit may lie beyond the calendar itself
    return [
        _event(club, season, table, names, within)
        for season, table in tables
        if table.when and table.when <= latest and not table.voided
    ]


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


def _event(club: Club, season: Season, table: SeasonTable, names: Names, within: str) -> Event:
    """within: the club's name, where the tables of several stand together."""
    from icalendar import Event

    event, begins = Event(), datetime.fromisoformat(table.when)
    event.add("uid", f"{club.id}-{table.result_id}@daybook")
    event.add("dtstamp", datetime.fromisoformat(club.entries[max(table.steps)].event.at))
    event.add("dtstart", begins)
    event.add("dtend", begins + timedelta(hours=HOURS))
    event.add("sequence", len(table.steps))
    event.add("summary", ": ".join(part for part in (within, season.name, table_name(season, table)) if part))
    if table.place:
        event.add("location", table.place)
    event.add("description", join_words([league_words.person_name(person, names) for person in club.seats(table)]))
    event.add("url", f"{own_address()}/clubs/{club.id}/seasons/{season.id}/tables/{table.id}")
    return event
