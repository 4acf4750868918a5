"""Why no game counts on a page of statistics, as far as who asks may know it, each reason with the way on if there is
one.

That a record is for its players alone is said of this Daybook as a whole: what the page is narrowed down to must not
tell a stranger whether such a game was played on that day, or by so many people.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from flask import url_for

from daybook.services.league.seekers import seeker_of
from daybook.services.play.game_search import GameFilter, search_games
from daybook.services.statistics import collect, typed_results, visibility
from daybook.services.statistics.figure_questions import count_games
from daybook.web.request.access import book, current_person, held_grants
from daybook.web.statistics.inquiry import Inquiry, readable_games
from daybook.web.words import say, say_n

NEWEST = 100  # closed games, among which those are that were not counted yet

Reason = tuple[str, str]  # in words, and an address


def why_none(of: Inquiry) -> list[Reason]:
    return [*_elsewhere(of), *(_in_public(of) if of.club is None else _in_club(of))]


def _elsewhere(of: Inquiry) -> Iterator[Reason]:
    """Games that count without what the page is narrowed down to, and those that count apart."""
    if of.is_narrowed and count_games(book(), of.unnarrowed):
        yield say("Without these limits there are games that count."), of.to("game", seats=None, since=None, until=None)
    alone = 0 if of.filter.seats == 1 else count_games(book(), msgspec.structs.replace(of.filter, seats=1))
    if alone:
        yield (
            say_n(
                "{n} game was played alone: such games are counted apart.",
                "{n} games were played alone: such games are counted apart.",
                alone,
            ),
            of.to("game", seats=1),
        )


def _in_public(of: Inquiry) -> Iterator[Reason]:
    """Games that who asks may find and that are not counted yet, and that there are some for their players alone."""
    seeker = seeker_of(book(), current_person(), (grant.game for grant in held_grants()))
    if search_games(book(), seeker, GameFilter(list="running", ruleset=of.ruleset), limit=1).rows:
        yield (
            say("Games are still being played: each counts as soon as it is closed."),
            url_for("home.home", list="running", game=of.ruleset or None),
        )
    closed = search_games(book(), seeker, GameFilter(list="finished", ruleset=of.ruleset), limit=NEWEST).rows
    if n := len({row.game for row in closed} & {*collect.games_due(book())}):
        yield (
            say_n(
                "{n} game was closed just now and is being counted.",
                "{n} games were closed just now and are being counted.",
                n,
            ),
            "",
        )
    if visibility.has_others(book(), readable_games()):
        yield (
            say(
                "Some games here are for their players alone: they count for who has a link to them, or is in their club."
            ),
            "",
        )


def _in_club(of: Inquiry) -> Iterator[Reason]:
    """Games of the club that are not closed, and those that its settings leave out."""
    assert of.club is not None
    games = of.filter.games or frozenset()
    if n := visibility.count_running(book(), games, of.ruleset):
        yield (
            say_n(
                "{n} game is still being played: it counts as soon as it is closed.",
                "{n} games are still being played: each counts as soon as it is closed.",
                n,
            ),
            "",
        )
    every = msgspec.structs.replace(of.unnarrowed, practice="yes", as_played=True, provisional=True)
    left_out = count_games(book(), every) - count_games(book(), of.unnarrowed)
    if of.filter.typed == "no":
        seasons = None if of.season is None else [of.season]
        left_out += len(typed_results.tables(of.club, seasons))
    if left_out:
        yield (
            say_n(
                "{n} game does not count, as the club’s settings say.",
                "{n} games do not count, as the club’s settings say.",
                left_out,
            ),
            "",
        )
