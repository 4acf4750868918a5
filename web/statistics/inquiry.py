"""Scope of a statistics page, from its address: all readable games, or those of a club or a season.

    ?club=  games of a club, whose pages must be open to the viewer
    &season= of that club (`beside`: games outside of seasons), &person= one of its people
    &seats=3 &practice=yes
only &since=2026-01-01 &until=2026-12-31   further filters

Without a club, only games that the viewer may read count. Only closed games are counted, so nothing covered shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, cast
from uuid import UUID

import msgspec
from flask import abort, g, request, url_for

from daybook.domain.games import rules_of
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.league.club import Club, Season
from daybook.services.statistics import visibility
from daybook.services.statistics.figure_questions import Filter, between_days, club_filter
from daybook.services.statistics.filters import Counts
from daybook.services.statistics.namesakes import PersonNamed, name_people
from daybook.web.request.access import book, club_games, held_grants
from daybook.web.request.clubs import BESIDE_PATH, Names, person_at, require_club, season_at
from daybook.web.request.days import zone_of_visitor
from daybook.web.words import say, say_n
from daybook.web.words.league_words import person_name
from daybook.web.words.say import day_label

ALL_GAMES = "all"  # part of addresses for several games together
SEATS_MOST = 6


class Inquiry(Frozen):
    """Games that a page is about.

    Args:
        filter: which games count.
        club: of the page, if any.
        since: as requested.
        until: as requested.
    """

    filter: Filter
    club: Club | None = None
    season: Season | None = None
    person: str = ""
    since: str = ""
    until: str = ""

    @property
    def ruleset(self) -> str:
        return self.filter.ruleset

    def address(self, **more: Any) -> dict[str, Any]:
        """Return the query for another page about the same games; None removes a value."""
        narrowed = {
            "club": None if self.club is None else self.club.id,
            "season": None if self.season is None else self.season.id or BESIDE_PATH,
            "person": self.person or None,
            "seats": self.filter.seats or None,
            "practice": None if self.club is not None or self.filter.practice == "no" else self.filter.practice,
            "since": self.since or None,
            "until": self.until or None,
        }
        return {**{key: value for key, value in narrowed.items() if value is not None}, **more}

    def to(self, page: str, ruleset_id: str | None = None, **more: Any) -> str:
        """Return the address of another statistics page about the same games.

        Args:
            page: with its blueprint, if it has one of its own.
        """
        of = self.ruleset if ruleset_id is None else ruleset_id
        return url_for(
            page if "." in page else f"statistics.{page}", ruleset_id=of or ALL_GAMES, **self.address(**more)
        )

    def to_opening(self, setup: str, ruleset_id: str | None = None, page: str = "opening", **more: Any) -> str:
        """Return the address of a place in the openings of a set-up."""
        of = self.ruleset if ruleset_id is None else ruleset_id
        return url_for(f"openings.{page}", ruleset_id=of or ALL_GAMES, setup=setup, **self.address(**more))

    @property
    def has_openings(self) -> bool:
        """False for score sheets, which have no moves."""
        return not is_by_name(self.ruleset)

    @property
    def is_narrowed(self) -> bool:
        """Check if days or the number of players are restricted."""
        return bool(self.filter.seats or self.since or self.until)

    @property
    def unnarrowed(self) -> Filter:
        """Its games of all days and of all numbers of players from two on."""
        return msgspec.structs.replace(self.filter, seats=0, since="", until="")

    def readable(self) -> Filter:
        """Return the filter restricted to games that the viewer may read."""
        return msgspec.structs.replace(self.filter, readable=readable_games())


def readable_games() -> frozenset[UUID]:
    """Return the counted private games that the viewer may read."""
    return visibility.private_games(book(), {grant.game for grant in held_grants()} | club_games())


def requested_inquiry(ruleset_id: str = ALL_GAMES, club_id: UUID | None = None, season_id: str = "") -> Inquiry:
    """Parse the inquiry of the request. 404 for an unknown game, club or person."""
    if ruleset_id != ALL_GAMES and rules_of(ruleset_id) is None:
        abort(404)
    rules, since, until = (
        "" if ruleset_id == ALL_GAMES else ruleset_id,
        _requested_day("since"),
        _requested_day("until"),
    )
    club_id = club_id or _requested_club()
    if club_id is None:
        of_all = Filter(
            ruleset=rules, readable=readable_games(), practice=_requested_practice(), zone=zone_of_visitor()
        )
        return Inquiry(narrow_filter(of_all, since, until), since=since, until=until)
    club = require_club(club_id)
    season_id = season_id or request.args.get("season", "")
    season = season_at(club, season_id) if season_id else None
    person = _requested_person(club)
    of = club_filter(club, None if season is None else season.id, rules, [person] if person else [])
    return Inquiry(narrow_filter(of, since, until), club, season, person, since, until)


def narrow_filter(games_filter: Filter, since: str, until: str) -> Filter:
    """Apply the filters of the address; `until` includes its day."""
    return between_days(msgspec.structs.replace(games_filter, seats=_requested_seats()), since, until)


def _requested_club() -> UUID | None:
    requested = request.args.get("club")
    if requested is None:
        return None
    try:
        return UUID(requested)
    except ValueError:
        abort(404)


def _requested_person(club: Club) -> str:
    requested = request.args.get("person", "")
    return person_at(club, requested) if requested else ""


def _requested_practice() -> Counts:
    requested = request.args.get("practice", "no")
    return cast(Counts, requested) if requested in ("no", "yes", "only") else abort(404)


def _requested_seats() -> int:
    requested = request.args.get("seats", "")
    if requested in ("", *map(str, range(1, SEATS_MOST + 1))):
        return int(requested or 0)
    abort(404)


def _requested_day(name: str) -> str:
    """Return a day of the address, or ""; 400 if invalid."""
    day = request.args.get(name, "").strip()
    try:
        if day and (len(day) != 10 or date.fromisoformat(day).isoformat() != day):
            abort(400, "day")
    except ValueError:
        abort(400, "day")
    return day


def names_for(scope: Inquiry, people: Iterable[str]) -> Names:
    """Return display names by id, without anonymous people.

    Namesakes are numbered, the same way on all pages about these games.
    """
    requested = frozenset(people)
    known: dict[str, PersonNamed | None] = g.setdefault("people_named", {})
    if missing := requested - known.keys():
        everyone = msgspec.structs.replace(scope.unnarrowed, ruleset="", people=())
        known.update(dict.fromkeys(missing) | name_people(book(), everyone, missing))
    return {person: named.shown for person in requested if (named := known[person]) is not None}


def has_namesakes() -> bool:
    """Check if a name on this page has a number."""
    named_people: dict[str, PersonNamed | None] = g.get("people_named", {})
    return any(named is not None and named.shown != named.name for named in named_people.values())


def filter_text(scope: Inquiry) -> str:
    """Describe the filter as part of a sentence: 3 players, since 1 Jan, with practice games."""
    parts = []
    if scope.person:
        parts.append(say("with {name}", name=person_name(scope.person, names_for(scope, [scope.person]))))
    if scope.filter.seats == 1:
        parts.append(say("played alone"))
    elif scope.filter.seats:
        parts.append(say_n("{n} player", "{n} players", scope.filter.seats))
    if scope.filter.practice != "no":
        parts.append(say("only practice games") if scope.filter.practice == "only" else say("practice games too"))
    if scope.since:
        parts.append(say("from {day}", day=day_label(scope.since)))
    if scope.until:
        parts.append(say("to {day}", day=day_label(scope.until)))
    return ", ".join(parts)
