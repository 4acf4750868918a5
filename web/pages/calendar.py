"""Planned tables as a calendar feed (iCalendar, RFC 5545), for a season or all of a club."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from flask import Blueprint
from icalendar import Calendar, Event
from werkzeug import Response

from domain.league.club import Club, Season, SeasonTable
from services.season_tables import in_order
from web.clubs import Names, club_at, names_in, real_season_at, table_name
from web.pages.links import base
from web.words import league as said
from web.words import listed

page = Blueprint("calendar", __name__)

HOURS = 3  # that a table is put down for


@page.get("/clubs/<uuid:club_id>/calendar.ics")
def club_feed(club_id: UUID) -> Response:
    club = club_at(club_id)
    return _feed(club, club.name, [
        (season, table) for season in club.seasons.values() for table in in_order(season)])


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/calendar.ics")
def season_feed(club_id: UUID, season_id: str) -> Response:
    club = club_at(club_id)
    season = real_season_at(club, season_id)
    return _feed(club, f"{season.name} – {club.name}", [(season, table) for table in in_order(season)])


def _feed(club: Club, name: str, tables: Iterable[tuple[Season, SeasonTable]]) -> Response:
    calendar = Calendar()
    calendar.add("prodid", "-//Daybook//league//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    names = names_in(club)
    for season, table in tables:
        if table.when and not table.voided:
            calendar.add_component(_event(club, season, table, names))
    answer = Response(calendar.to_ical(), mimetype="text/calendar")
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _event(club: Club, season: Season, table: SeasonTable, names: Names) -> Event:
    event, begins = Event(), datetime.fromisoformat(table.when)
    event.add("uid", f"{club.id}-{table.result_id}@daybook")
    event.add("dtstamp", datetime.fromisoformat(club.entries[max(table.steps)].event.at))
    event.add("dtstart", begins)
    event.add("dtend", begins + timedelta(hours=HOURS))
    event.add("sequence", len(table.steps))
    event.add("summary", f"{season.name}: {table_name(season, table)}")
    if table.place:
        event.add("location", table.place)
    event.add("description", listed([said.person_name(person, names) for person in club.seats(table)]))
    event.add("url", f"{base()}/clubs/{club.id}/seasons/{season.id}/tables/{table.id}")
    return event
