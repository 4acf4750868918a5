"""Reasons why no game counts on a statistics page, with links to what the viewer can do.

The page mentions private games only for the whole service. With filters it would reveal if such a game was played on a
day or with a number of players.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from flask import url_for

from daybook.services.league.seekers import seeker_of
from daybook.services.play.game_search import GameFilter, search_games
from daybook.services.statistics import collect, visibility
from daybook.services.statistics.figure_questions import count_games
from daybook.web.request.access import book, current_person, held_grants
from daybook.web.statistics.inquiry import Inquiry, readable_games
from daybook.web.words import say, say_n

MAX_CLOSED_GAMES = 100  # searched for games that are not counted yet

Reason = tuple[str, str]  # sentence and address


def reasons_for_none(scope: Inquiry) -> list[Reason]:
    return [*_reasons_by_filter(scope), *(_reasons_in_public(scope) if scope.club is None else _reasons_in_club(scope))]


def _reasons_by_filter(scope: Inquiry) -> Iterator[Reason]:
    """Yield reasons about games that the filters exclude or that count separately."""
    if scope.is_narrowed and count_games(book(), scope.unnarrowed):
        yield (
            say("Remove some of these filters: without them there are games that count."),
            scope.to("game", seats=None, since=None, until=None),
        )
    alone = 0 if scope.filter.seats == 1 else count_games(book(), msgspec.structs.replace(scope.filter, seats=1))
    if alone:
        yield (
            say_n(
                "{n} game was played alone. Such games are counted separately.",
                "{n} games were played alone. Such games are counted separately.",
                alone,
            ),
            scope.to("game", seats=1),
        )


def _reasons_in_public(scope: Inquiry) -> Iterator[Reason]:
    """Yield reasons about findable games that are not counted yet, and about private games."""
    seeker = seeker_of(book(), current_person(), (grant.game for grant in held_grants()))
    if search_games(book(), seeker, GameFilter(list="running", ruleset=scope.ruleset), limit=1).rows:
        yield (
            say("Some games are still being played. Each counts when it is closed."),
            url_for("home.home", list="running", game=scope.ruleset or None),
        )
    closed = search_games(
        book(), seeker, GameFilter(list="finished", ruleset=scope.ruleset), limit=MAX_CLOSED_GAMES
    ).rows
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
            say("Some games here are only for their players: they count for people with a link, or in the club."),
            "",
        )


def _reasons_in_club(scope: Inquiry) -> Iterator[Reason]:
    """Yield reasons about open games of the club, and practice games."""
    assert scope.club is not None
    if n := visibility.count_running(book(), scope.club.id, scope.filter.season, scope.ruleset):
        yield (
            say_n(
                "{n} game is still being played. It counts when it is closed.",
                "{n} games are still being played. Each counts when it is closed.",
                n,
            ),
            "",
        )
    every = msgspec.structs.replace(scope.unnarrowed, practice="yes")
    left_out = count_games(book(), every) - count_games(book(), scope.unnarrowed)
    if left_out:
        yield (say_n("{n} practice game does not count.", "{n} practice games do not count.", left_out), "")
