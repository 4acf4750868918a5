"""The log of a club: all its plays, the newest first, whichever way they were written down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import get_args
from uuid import UUID

from flask import Blueprint, flash, request
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.times import moment_of_play, read_day
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import AcceptWaitingPlays
from daybook.services.league import plays as log
from daybook.services.league.clubs.game_commands import MAX_APPROVED_AT_ONCE, list_waiting_plays
from daybook.services.league.plays import KINDS, MARKS, LoggedPlay, PlayFilter, PlayKind, PlayMark, SearchWord
from daybook.services.names import appearance_key
from daybook.web.club.result_form import known_step
from daybook.web.request.access import book
from daybook.web.request.clubs import Names, club_names, render_club_page, require_club, user_may, write_in_club
from daybook.web.request.forms import fresh_key, see_other
from daybook.web.request.lists import requested_page
from daybook.web.words import game_title, league_words, say
from daybook.web.words.say import day_label

page = Blueprint("plays", __name__)

CHOICES_LISTED = 100  # games and places, the most frequent ones
TEXT_LIMIT = 120  # characters of a value in an address
FILTERS = ("game", "person", "place", "year", "day", "kind", "source", "mark")


class OfferedFilter(Frozen):
    """A filter of the log. options: values with their labels; the chosen one is always among them."""

    name: str
    label: str
    everything: str  # the label of no filter
    options: list[tuple[str, str]]
    chosen: str


@page.get("/clubs/<uuid:club_id>/plays")
def plays(club_id: UUID) -> str:
    club = require_club(club_id)
    is_complete = log.wait_for_rows(book(), club)
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
        keys=fresh_key,
        wanted=wanted,
        text=text,
        is_filtered=bool(text) or wanted != PlayFilter(),
        days=by_day(found),
        is_complete=is_complete,
        in_all=log.count_plays(book(), club, wanted, words),
        more=more,
        waiting=count_waiting_plays(club) if wanted.mark == "unapproved" and user_may(club, "close_seasons") else None,
        filters=filters_offered(club, wanted, names),
    )


class WaitingPlays(Frozen):
    """Plays that wait for approval. step: the club's step at that time. at_once: the number of plays that one form approves."""

    plays: int
    at_once: int
    step: int
    by_person: list[tuple[str, int]]  # (person, number of logged plays)


def count_waiting_plays(club: Club) -> WaitingPlays:
    waiting = list_waiting_plays(club, club.step)[:MAX_APPROVED_AT_ONCE]
    logged_by = Counter(club.person(table.typed.by) for table in waiting if table.typed is not None)
    in_all = sum(table.is_unapproved for table in club.beside.tables.values())
    return WaitingPlays(in_all, len(waiting), club.step, logged_by.most_common())


@page.post("/clubs/<uuid:club_id>/plays/approve")
def approve(club_id: UUID) -> Response:
    """Approve all plays that waited when the form was rendered."""
    club = require_club(club_id, "close_seasons")
    error = write_in_club(club.id, AcceptWaitingPlays(known_step() or 0))
    flash(error or say("The plays were approved."))
    return see_other("plays.plays", club_id=club.id, mark="unapproved")


def filters_offered(club: Club, wanted: PlayFilter, names: Names) -> list[OfferedFilter]:
    """Return the filters by which the log differs, and those that are chosen."""
    has, person = log.choices(book(), club, CHOICES_LISTED), league_words.plain_name
    people = sorted((appearance_key(person(each, names)), each) for each in club.everybody())[:CHOICES_LISTED]
    rows: list[tuple[str, str, str, Iterable[str], Callable[[str], str]]] = [
        ("game", say("Game"), say("every game"), has.games, game_title),
        ("person", say("Player"), say("everyone"), (each for _, each in people), lambda each: person(each, names)),
        ("place", say("Place"), say("everywhere"), has.places, str),
        ("year", say("Year"), say("every year"), has.years, str),
        ("day", say("Day"), say("every day"), (), lambda day: day_label(moment_of_play(day)) if read_day(day) else day),
        ("kind", say("How it was recorded"), say("every way"), has.kinds, league_words.play_kind_label),
        ("source", say("Imported from"), say("every program"), has.sources, league_words.play_source_label),
        ("mark", say("Marked as"), say("all plays"), MARKS, league_words.play_mark_label),
    ]
    offered = []
    for name, label, everything, values, label_of in rows:
        chosen = getattr(wanted, name) or ""
        listed = dict.fromkeys([*values, *filter(None, (chosen,))])
        if len(listed) > 1 or chosen:
            options = [(value, label_of(value)) for value in listed]
            offered.append(OfferedFilter(name, label, everything, options, chosen))
    return offered


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
        tuple(person_id for person, name in people.items() if key in name for person_id in club.ids_of(person)),
        word,
    )


def by_day(plays: Sequence[LoggedPlay]) -> list[tuple[str, list[LoggedPlay]]]:
    """Return plays in groups of one day, in the same order."""
    return [(day, [*group]) for day, group in groupby(plays, key=lambda play: play.day)]
