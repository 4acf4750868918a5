"""Which games a page of statistics is about, as its address says: all that may be read, or a club's, or a season's.

    ?club=  a club's games, as its settings say; its pages have to be open to who asks
    &season= of it (`beside`: what is played beside every season), &person= one of its people
    &seats=3 &practice=yes|only &since=2026-01-01 &until=2026-12-31   narrow it down

Without a club only games count that everybody may read, or that who asks may. Only closed games are ever counted, so
nothing that lies covered can show.
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
from daybook.services.statistics.figure_questions import Counts, Filter, between_days, of_club
from daybook.services.statistics.namesakes import PersonNamed, name_people
from daybook.web.request.access import book, club_games, held_grants
from daybook.web.request.clubs import BESIDE_PATH, Names, person_at, require_club, season_at
from daybook.web.request.days import zone_of_visitor
from daybook.web.words import say, say_n
from daybook.web.words.league_words import person_name
from daybook.web.words.say import day_label

ALL = "all"  # how addresses name several games together
SEATS_MOST = 6


class Inquiry(Frozen):
    """filter: which games count; club, season, person: where the page belongs; since, until: as they were asked."""

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
        """What an address needs so that another page is about the same games; None leaves something out."""
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
        """The address of another page of statistics about the same games. page: with its blueprint where it has one of
        its own.
        """
        of = self.ruleset if ruleset_id is None else ruleset_id
        return url_for(page if "." in page else f"statistics.{page}", ruleset_id=of or ALL, **self.address(**more))

    def to_opening(self, setup: str, ruleset_id: str | None = None, page: str = "opening", **more: Any) -> str:
        """The address of a place in the openings of a set-up."""
        of = self.ruleset if ruleset_id is None else ruleset_id
        return url_for(f"openings.{page}", ruleset_id=of or ALL, setup=setup, **self.address(**more))

    @property
    def has_openings(self) -> bool:
        """Who fills in a score sheet makes no moves that could be told apart."""
        return not is_by_name(self.ruleset)

    @property
    def is_narrowed(self) -> bool:
        """Whether only some days, or one number of players, are asked about."""
        return bool(self.filter.seats or self.since or self.until)

    @property
    def unnarrowed(self) -> Filter:
        """Its games of all days and of all numbers of players from two on."""
        return msgspec.structs.replace(self.filter, seats=0, since="", until="")

    def readable(self) -> Filter:
        """The same games, those alone whose records who asks may read."""
        return msgspec.structs.replace(self.filter, readable=readable_games())


def readable_games() -> frozenset[UUID]:
    """The counted games that who asks may read beside those that everybody may."""
    return visibility.private_games(book(), {grant.game for grant in held_grants()} | club_games())


def inquiry(ruleset_id: str = ALL, club_id: UUID | None = None, season_id: str = "") -> Inquiry:
    """What the address of this request asks about. 404 for a game, a club or a person that there is not."""
    if ruleset_id != ALL and rules_of(ruleset_id) is None:
        abort(404)
    rules, since, until = "" if ruleset_id == ALL else ruleset_id, _day_asked("since"), _day_asked("until")
    club_id = club_id or _club_asked()
    if club_id is None:
        of_all = Filter(ruleset=rules, readable=readable_games(), practice=_practice_asked(), zone=zone_of_visitor())
        return Inquiry(narrow_filter(of_all, since, until), since=since, until=until)
    club = require_club(club_id)
    season_id = season_id or request.args.get("season", "")
    season = season_at(club, season_id) if season_id else None
    person = _person_asked(club)
    of = of_club(club, None if season is None else season.id, rules, [person] if person else [])
    return Inquiry(narrow_filter(of, since, until), club, season, person, since, until)


def narrow_filter(of: Filter, since: str, until: str) -> Filter:
    """The filter with what the address narrows it down to; `until` counts with its whole day."""
    return between_days(msgspec.structs.replace(of, seats=_seats_asked()), since, until)


def _club_asked() -> UUID | None:
    asked = request.args.get("club")
    if asked is None:
        return None
    try:
        return UUID(asked)
    except ValueError:
        abort(404)


def _person_asked(club: Club) -> str:
    asked = request.args.get("person", "")
    return person_at(club, asked) if asked else ""


def _practice_asked() -> Counts:
    asked = request.args.get("practice", "no")
    return cast(Counts, asked) if asked in ("no", "yes", "only") else abort(404)


def _seats_asked() -> int:
    asked = request.args.get("seats", "")
    if asked in ("", *map(str, range(1, SEATS_MOST + 1))):
        return int(asked or 0)
    abort(404)


def _day_asked(name: str) -> str:
    """A day of the address; empty where it has none. 400 for what is no day."""
    asked = request.args.get(name, "").strip()
    try:
        if asked and (len(asked) != 10 or date.fromisoformat(asked).isoformat() != asked):
            abort(400, "day")
    except ValueError:
        abort(400, "day")
    return asked


def names_for(of: Inquiry, people: Iterable[str]) -> Names:
    """What people are called; who was made anonymous has no name. Of those who look alike each has a number, the same on
    all pages about these games, whoever else is asked for.
    """
    asked = frozenset(people)
    known: dict[str, PersonNamed | None] = g.setdefault("people_named", {})
    if missing := asked - known.keys():
        everyone = msgspec.structs.replace(of.unnarrowed, ruleset="", people=())
        known.update(dict.fromkeys(missing) | name_people(book(), everyone, missing))
    return {id: named.shown for id in asked if (named := known[id]) is not None}


def has_namesakes() -> bool:
    """Whether somebody has a number on this page."""
    known: dict[str, PersonNamed | None] = g.get("people_named", {})
    return any(named is not None and named.shown != named.name for named in known.values())


def filter_text(asked: Inquiry) -> str:
    """Which games count, in a sentence's part: 3 players, since 1 Jan, with practice games."""
    parts = []
    if asked.person:
        parts.append(say("with {name}", name=person_name(asked.person, names_for(asked, [asked.person]))))
    if asked.filter.seats == 1:
        parts.append(say("played alone"))
    elif asked.filter.seats:
        parts.append(say_n("{n} player", "{n} players", asked.filter.seats))
    if asked.filter.practice != "no":
        parts.append(say("only practice games") if asked.filter.practice == "only" else say("practice games too"))
    if asked.since:
        parts.append(say("from {day}", day=day_label(asked.since)))
    if asked.until:
        parts.append(say("to {day}", day=day_label(asked.until)))
    return ", ".join(parts)
