"""Serve calendar feeds (iCalendar, RFC 5545): evenings and planned tables.

A feed is of a season, a club, or all clubs of a person. A calendar program cannot sign in. For clubs that are not
public
a person has a secret address (`services.league.calendars`). Its key is in the query, which the server's log omits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from flask import Blueprint, abort, request
from werkzeug import Response

from daybook.domain.kernel.texts import without_controls
from daybook.domain.league.club import Club, Evening, Season, SeasonTable
from daybook.domain.league.club_events import RoundDeadlineSet
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

EVENT_HOURS = 3  # records have no end of an evening or a table
MAX_EVENTS = 400  # of each kind; calendar programs fetch the whole feed often


@page.get("/clubs/<uuid:club_id>/calendar.ics")
def club_feed(club_id: UUID) -> Response:
    club = require_club(club_id, "see_evenings")
    return _feed_answer(club.name, _events_of_club(club))


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/calendar.ics")
def season_feed(club_id: UUID, season_id: str) -> Response:
    club, season = require_season(club_id, season_id)
    require_club(club_id, "see_evenings")
    return _feed_answer(f"{season.name} – {club.name}", _events(club, [season]))


@page.get("/calendar.ics")
def own_feed() -> Response:
    """Serve the evenings and tables of all clubs of a person, found by the secret key in the query."""
    person = calendars.person_of_key(book(), request.args.get("key", ""))
    if person is None:
        abort(404)
    events = (event for club in clubs.clubs_of(book(), person) for event in _events_of_club(club, within=club.name))
    return _feed_answer(say("Evenings and tables of your clubs"), events)


def _events_of_club(club: Club, within: str = "") -> list[Event]:
    names = club_names(club)
    latest = sorted(club.evenings.values(), key=lambda evening: (evening.when, int(evening.id)))[-MAX_EVENTS:]
    evenings = [_evening_event(club, evening, names, within) for evening in latest]
    return [*evenings, *(_events(club, club.seasons.values(), within) if within or user_may(club, "read_club") else [])]


def _events(club: Club, seasons: Collection[Season], within: str = "") -> list[Event]:
    names = club_names(club)
    latest = later_time(now(), days=PLAN_DAYS)  # older plans may be later than iCalendar can express
    planned = [
        (season, table)
        for season in seasons
        for table in tables_in_order(season)
        if table.when and table.when <= latest
    ]
    newest = sorted(planned, key=lambda row: row[1].when)[-MAX_EVENTS:]
    ends = [
        _round_event(club, season, dated, within)
        for season in seasons
        if not (season.cancelled or season.removed)
        for dated in season.round_deadlines.values()
    ]
    return [*(_table_event(club, season, table, names, within) for season, table in newest), *ends[-MAX_EVENTS:]]


def _feed_answer(name: str, events: Iterable[Event]) -> Response:
    from icalendar import Calendar, vText

    calendar = Calendar()
    calendar.add("prodid", "-//Daybook//league//EN")
    calendar.add("version", "2.0")
    calendar["X-WR-CALNAME"] = vText(name)  # `add` would not escape a name that the library does not know
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


def _round_event(club: Club, season: Season, dated: RoundDeadlineSet, within: str) -> Event:
    """Build the event of a round's last day, without an hour."""
    from icalendar import Event

    event, title = Event(), say("Last day of round {n}", n=dated.round)
    event.add("uid", f"{club.id}-round-{season.id}-{dated.round}@daybook")
    event.add("dtstamp", datetime.fromisoformat(dated.at))
    event.add("dtstart", date.fromisoformat(dated.until))
    event.add("sequence", dated.step)
    event.add("summary", ": ".join(part for part in (within, season.name, title) if part))
    event.add("url", f"{own_address()}/clubs/{club.id}/seasons/{season.id}/tables")
    return event


def _evening_event(club: Club, evening: Evening, names: Names, within: str) -> Event:
    """Build the event of an evening. Calendar programs see a move or a cancellation by its sequence and status."""
    newest = max([*evening.steps, *(answer.step for answer in evening.answers.values())])
    event = _event(club, f"evening-{evening.id}", evening.when, evening.place, evening.steps, newest)
    if evening.until:
        event.pop("dtend")
        event.add("dtend", datetime.fromisoformat(evening.until))
    is_off = evening.called_off is not None or bool(club.removed)
    event.add("status", "CANCELLED" if is_off else "CONFIRMED")
    title = say("{name}: evening", name=within or club.name)
    event.add("summary", say("Called off: {what}", what=title) if is_off else title)
    lines = [without_controls(evening.called_off.why)] if evening.called_off else []
    lines += [league_words.games_shown(evening.games)] if evening.games else []
    yes, maybe, waiting = (
        [league_words.person_name(person, names) for person in people]
        for people in (club.coming(evening), club.expected(evening, "maybe"), club.waiting(evening))
    )
    lines += [say("Coming: {names}", names=join_words(yes))] if yes else []
    lines += [say("Maybe: {names}", names=join_words(maybe))] if maybe else []
    lines += [say("Wait for a chair: {names}", names=join_words(waiting))] if waiting else []
    event.add("description", "\n".join(filter(None, lines)))
    event.add("url", f"{own_address()}/clubs/{club.id}/evenings/{evening.id}")
    return event


def _event(club: Club, event_id: str, when: str, place: str, plans: Sequence[int], newest: int) -> Event:
    """Build a calendar event.

    Args:
        plans: the steps that changed its time or place.
        newest: the newest step that concerns it.
    """
    from icalendar import Event

    event, begins = Event(), datetime.fromisoformat(when)
    event.add("uid", f"{club.id}-{event_id}@daybook")
    event.add("dtstamp", datetime.fromisoformat(club.entries[newest].event.at))
    event.add("dtstart", begins)
    event.add("dtend", begins + timedelta(hours=EVENT_HOURS))
    event.add("sequence", len(plans))
    if place:
        event.add("location", place)
    return event
