"""A person in a club: games, expected and actual wins, ratings, opponents, and all games."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

from flask import Blueprint

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club
from daybook.domain.league.results import Result
from daybook.services.league import plays, ratings, results
from daybook.services.league.plays import PlayFilter
from daybook.services.league.ratings import RatingAfterGame
from daybook.web.club.season_charts import rating_chart
from daybook.web.request.access import book
from daybook.web.request.clubs import club_names, person_at, preview_club_page, render_club_page, require_club
from daybook.web.request.lists import requested_page, rows_from
from daybook.web.statistics.answers import person_figures
from daybook.web.words import league_words, say_n, statistics_words

page = Blueprint("person", __name__)

HISTORY_SHOWN = 200  # newest ratings; the chart shows all of them


class Rivalry(Frozen):
    """The record of a person against an opponent."""

    person: str
    games: int
    ahead: int  # games in which the person placed better than the opponent
    behind: int


@page.get("/clubs/<uuid:club_id>/people/<person_id>")
def person(club_id: UUID, person_id: str) -> str:
    club = require_club(club_id)
    merged = person_at(club, person_id)
    names = club_names(club)
    played = [result for result in results.club_results(book(), club) if result.of(merged) is not None]
    name = league_words.person_name(merged, names)
    preview_club_page(club, f"{name} – {club.name}", say_n("{n} game", "{n} games", len(played)))
    history = ratings.rating_history(book(), club.id, merged)
    games, more = requested_page(
        "person.person", lambda after, limit: plays.list_plays(book(), club, PlayFilter(person=merged), after, limit)
    )
    opponents, more_opponents = rows_from("person.person", rivalries_of(merged, played), lambda rivalry: rivalry.person)
    return render_club_page(
        "league/person.html",
        club,
        person=merged,
        heading=name,
        names=names,
        played=len(played),
        opponents=opponents,
        more_opponents=more_opponents and f"{more_opponents}#opponents",
        rated=ratings_of_person(club, merged),
        chart=rating_chart(history),
        history=history[-HISTORY_SHOWN:],
        is_current=ratings.is_current(book(), club.id),
        games=games,
        more=more and f"{more}#games",
        roles=club.roles(merged),
        told=person_figures(club, merged),
        said=statistics_words,
    )


def ratings_of_person(club: Club, person: str) -> list[tuple[str, RatingAfterGame]]:
    """Return the person's current ratings: over all games, then for each game."""
    rated = []
    for ruleset_id in (ratings.OVERALL, *ratings.rated_rulesets(book(), club.id)):
        history = ratings.rating_history(book(), club.id, person, ruleset_id)
        if history:
            rated.append((statistics_words.games_label(ruleset_id), history[-1]))
    return rated


def rivalries_of(person: str, played: list[Result]) -> list[Rivalry]:
    """Return the person's opponents, the most frequent first."""
    games, ahead, behind = Counter[str](), Counter[str](), Counter[str]()
    for result in played:
        own = result.of(person)
        assert own is not None
        for other in result.placed:
            if other.person != person:
                games[other.person] += 1
                ahead[other.person] += own.place < other.place
                behind[other.person] += own.place > other.place
    return [Rivalry(other, n, ahead[other], behind[other]) for other, n in games.most_common()]
