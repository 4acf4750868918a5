"""The log of a club: all its plays, the newest first, whichever way they were written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import get_args
from uuid import UUID

from flask import Blueprint, request

from daybook.domain.league.club import Club
from daybook.services.league import plays as log
from daybook.services.league.plays import KINDS, MARKS, LoggedPlay, PlayFilter, PlayKind, PlayMark, SearchWord
from daybook.services.names import appearance_key
from daybook.web.request.access import book
from daybook.web.request.clubs import Names, club_names, render_club_page, require_club
from daybook.web.request.lists import requested_page
from daybook.web.words import game_title, league_words, say

page = Blueprint("plays", __name__)

CHOICES_LISTED = 100  # games and places, the most frequent ones
MAX_WAIT_SECONDS = 1.0  # for plays that were written a moment ago
TEXT_LIMIT = 120  # characters of a value in an address
FILTERS = ("game", "person", "place", "year", "kind", "source", "mark")


@page.get("/clubs/<uuid:club_id>/plays")
def plays(club_id: UUID) -> str:
    club = require_club(club_id)
    is_complete = log.wait_for_rows(book(), club, MAX_WAIT_SECONDS)
    wanted, names = requested_plays(), club_names(club)
    text = request.args.get("q", "").strip()[: log.SEARCH_LIMIT]
    words = search_words(club, text, names)
    found, more = requested_page(
        "plays.plays", lambda after, limit: log.list_plays(book(), club, wanted, after, limit, words)
    )
    return render_club_page(
        "league/log.html",
        club,
        heading=say("Plays"),
        names=names,
        wanted=wanted,
        text=text,
        is_filtered=bool(text) or wanted != PlayFilter(),
        days=by_day(found),
        is_complete=is_complete,
        in_all=log.count_plays(book(), club, wanted, words),
        more=more,
        choices=log.choices(book(), club, CHOICES_LISTED),
        everybody=sorted(
            ((league_words.plain_name(person, names), person) for person in club.everybody()),
            key=lambda named: appearance_key(named[0]),
        )[:CHOICES_LISTED],
        kinds=league_words.PLAY_KINDS,
        marks=league_words.PLAY_MARKS,
        sources=league_words.PLAY_SOURCES,
        all_marks=MARKS,
    )


def requested_plays() -> PlayFilter:
    """Return the filter that the address names; unknown values of a choice are ignored."""
    given = {name: request.args.get(name, "")[:TEXT_LIMIT] for name in FILTERS}
    kind, mark = given.pop("kind"), given.pop("mark")
    return PlayFilter(**given, kind=_kind(kind), mark=_mark(mark))


def _kind(text: str) -> PlayKind | None:
    return next((kind for kind in KINDS if kind == text), None)


def _mark(text: str) -> PlayMark | None:
    return next((mark for mark in get_args(PlayMark) if mark == text), None)


def search_words(club: Club, text: str, names: Names) -> list[SearchWord]:
    """Return the words of a search with the games and people of the club that they name."""
    if not text:
        return []
    titles = {key: appearance_key(game_title(key)) for key in log.choices(book(), club, CHOICES_LISTED * 10).games}
    people = {person: appearance_key(names.get(person, "")) for person in club.everybody()}
    return [_search_word(club, word, titles, people) for word in text.split()]


def _search_word(club: Club, word: str, titles: Mapping[str, str], people: Mapping[str, str]) -> SearchWord:
    key = appearance_key(word)
    return SearchWord(
        tuple(game for game, title in titles.items() if key in title),
        tuple(known for person, name in people.items() if key in name for known in club.ids_of(person)),
        word,
    )


def by_day(found: Sequence[LoggedPlay]) -> list[tuple[str, list[LoggedPlay]]]:
    """Return plays in groups of one day, in the same order."""
    return [(day, [*group]) for day, group in groupby(found, key=lambda play: play.day)]
