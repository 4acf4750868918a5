"""Feeds of news (Atom, RFC 4287): of a club, a season, a person, and of all clubs of a user.

A feed reader cannot sign in. For clubs that are not public, the address has the key of a person's calendar address
(`services.league.calendars`); the server's log omits it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from uuid import NAMESPACE_URL, UUID, uuid5
from xml.etree import ElementTree as ET

from flask import Blueprint, abort, request
from werkzeug import Response

from daybook.domain.kernel.texts import without_controls
from daybook.domain.league.club import Club
from daybook.domain.league.results import Result
from daybook.services.days import time_shown
from daybook.services.league import calendars, clubs, results
from daybook.services.messages import news, outbox
from daybook.services.messages.news import News
from daybook.services.permissions.actions import ClubVisit, may
from daybook.services.permissions.readable_clubs import as_seen
from daybook.web.club.message_words import describe_occasion, member_names
from daybook.web.request.access import book
from daybook.web.request.clubs import person_at, real_season_at, require_club
from daybook.web.request.origin import own_address
from daybook.web.words import league_words, say

page = Blueprint("feeds", __name__)

ATOM = "http://www.w3.org/2005/Atom"
MAX_NEWS = 50


@page.get("/clubs/<uuid:club_id>/feed.atom")
def of_club(club_id: UUID) -> Response:
    club = _readable_club(club_id)
    return _answer(
        club.id.urn,
        club.name,
        f"/clubs/{club.id}",
        _entries(club, lambda entry, _: True),
        time_shown(club, club.founded_at),
    )


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/feed.atom")
def of_season(club_id: UUID, season_id: str) -> Response:
    club = _readable_club(club_id)
    season = real_season_at(club, season_id)

    def belongs(entry: News, result: Result | None) -> bool:
        return entry.occasion in news.OF_SEASONS and entry.subject.partition(" ")[0] == season.id

    path = f"/clubs/{club.id}/seasons/{season.id}"
    title = f"{season.name} – {club.name}"
    opened_at = time_shown(club, season.opened_at)
    return _answer(uuid5(club.id, f"season {season.id}").urn, title, path, _entries(club, belongs), opened_at)


@page.get("/clubs/<uuid:club_id>/people/<person_id>/feed.atom")
def of_person(club_id: UUID, person_id: str) -> Response:
    """Serve a member's results and years in review."""
    club = _readable_club(club_id)
    person = person_at(club, person_id)
    if not club.roles(person) or person in club.anonymous_ids:
        abort(404)

    def belongs(entry: News, result: Result | None) -> bool:
        if entry.occasion == "year_in_review":
            return entry.subject.partition(" ")[2] == person
        return result is not None and person in map(club.person, result.people)

    name = league_words.person_name(person, member_names(book(), club))
    id_ = uuid5(club.id, f"person {person}").urn
    found = _entries(club, belongs, person)
    return _answer(
        id_, f"{name} – {club.name}", f"/clubs/{club.id}/people/{person}", found, time_shown(club, club.founded_at)
    )


@page.get("/feed.atom")
def own() -> Response:
    """Serve the news of all clubs of a person, found by the secret key in the query."""
    person = calendars.person_of_key(book(), request.args.get("key", ""))
    if person is None:
        abort(404)
    found = [
        element
        for club in clubs.clubs_of(book(), person)
        if not club.removed and not club.is_own_log
        for element in _entries(as_seen(ClubVisit(club, person, (), False)), lambda entry, _: True)
    ]
    newest = sorted(found, key=lambda element: element.findtext("updated") or "", reverse=True)[:MAX_NEWS]
    return _answer(uuid5(NAMESPACE_URL, f"feed {person}").urn, say("News of your clubs"), "/clubs", newest, "")


def _readable_club(club_id: UUID) -> Club:
    """Return a club as the reader may see it: by the key in the query, or by the session."""
    key = request.args.get("key", "")
    if not key:
        return require_club(club_id)
    person = calendars.person_of_key(book(), key)
    if person is None:
        abort(404)
    visit = ClubVisit(book().clubs.get(club_id), person, (), False)
    if not may(visit, "read_club"):
        abort(404)
    return as_seen(visit)


def _entries(club: Club, belongs: Callable[[News, Result | None], bool], person: str = "") -> list[ET.Element]:
    """Return the newest news as elements. person: read their years in review instead of the club's."""
    ended = {news.subject_of(result): result for result in results.club_results(book(), club)}
    found = [
        *news.of_club(club, ended.values()),
        *news.of_years(book(), club, person),
        *news.of_evenings(book(), club, outbox.reviews_skipped(book(), club.id)),
    ]
    kept = [
        entry for entry in found if belongs(entry, ended.get(entry.subject) if entry.occasion == "result" else None)
    ]
    newest = news.newest(club, kept, MAX_NEWS)
    return [element for entry in newest if (element := _entry(club, entry, ended)) is not None]


def _entry(club: Club, entry: News, ended: Mapping[str, Result]) -> ET.Element | None:
    described = describe_occasion(book(), club, entry.occasion, entry.subject, ended)
    if described is None:
        return None
    text, path = described
    kind = "evening" if entry.occasion in news.EVENING_PLANS else entry.occasion  # a change keeps the entry
    element = ET.Element("entry")
    _add(element, "id", uuid5(club.id, f"{kind} {entry.subject}").urn)
    _add(element, "title", text.partition("\n")[0])
    _add(element, "updated", time_shown(club, entry.at))
    ET.SubElement(element, "link", rel="alternate", href=f"{own_address()}{path}")
    _add(element, "content", text)
    return element


def _answer(feed_id: str, title: str, path: str, entries: Iterable[ET.Element], begun: str) -> Response:
    """Return a feed; 304 if the reader has it already."""
    entries = [*entries]
    root = ET.Element("feed", xmlns=ATOM)
    _add(root, "id", feed_id)
    _add(root, "title", title)
    _add(
        root, "updated", max((element.findtext("updated") or "" for element in entries), default=begun or FIRST_MOMENT)
    )
    ET.SubElement(root, "link", rel="alternate", href=f"{own_address()}{path}")
    _add(ET.SubElement(root, "author"), "name", title)
    root.extend(entries)
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    response = Response(content, mimetype="application/atom+xml")
    response.set_etag(hashlib.sha256(content).hexdigest())
    response.headers["Cache-Control"] = "private, no-cache"
    return response.make_conditional(request)


FIRST_MOMENT = "1970-01-01T00:00:00.000Z"


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = without_controls(text) if name != "content" else text
