"""A person in a club: a head with figures, then tabs of plays, games, opponents, ratings and answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from flask import Blueprint, request, url_for

from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.results import StandIn
from daybook.services.league import challenges, plays, ratings, year_reviews
from daybook.services.league.plays import PlayFilter
from daybook.services.league.ratings import RatingAfterGame
from daybook.services.statistics import reports
from daybook.services.statistics.figure_questions import club_filter
from daybook.services.statistics.queries import remember_answers
from daybook.services.statistics.reports import PersonSummary
from daybook.web.club.season_charts import rating_chart
from daybook.web.request.access import book
from daybook.web.request.clubs import Names, club_names, person_at, preview_club_page, render_club_page, require_club
from daybook.web.request.lists import requested_page, rows_from
from daybook.web.statistics.answers import person_figures
from daybook.web.statistics.inquiry import Inquiry
from daybook.web.statistics.tiles import Tile, together_tiles
from daybook.web.words import N_, game_title, league_words, say, say_n, statistics_words
from daybook.web.words.say import day_label

page = Blueprint("person", __name__)

MAX_CHALLENGES_SHOWN = 2
HISTORY_SHOWN = 10  # newest ratings, and games with a rating; the chart shows all of them
TABS = {
    "plays": N_("Plays"),
    "games": N_("Games"),
    "opponents": N_("Opponents"),
    "rating": N_("Rating"),
    "figures": N_("In figures"),
}


@page.get("/clubs/<uuid:club_id>/people/<person_id>")
def person(club_id: UUID, person_id: str) -> str:
    club = require_club(club_id)
    merged = person_at(club, person_id)
    names = club_names(club)
    name = league_words.person_name(merged, names)
    with remember_answers(book()):
        of = Inquiry(club_filter(club, people=[merged]), club, None, merged)
        summary = reports.summarize_person(book(), of.filter, merged)
        preview_club_page(club, f"{name} – {club.name}", say_n("{n} game", "{n} games", summary.played))
        tab = request.args.get("tab", "")
        tab = tab if tab in TABS else "plays"
        return render_club_page(
            "league/person.html",
            club,
            person=merged,
            heading=name,
            names=names,
            played=summary.played,
            tiles=[*tiles_of(club, merged, summary, names), *together_tiles(summary.together)],
            tab=tab,
            person_tabs=[
                (
                    say(label),
                    url_for("person.person", club_id=club.id, person_id=merged, tab=None if key == "plays" else key),
                    "page" if key == tab else "",
                )
                for key, label in TABS.items()
            ],
            left_out=summary.left_out,
            left_out_at=of.to("left_out", ""),
            roles=club.roles(merged),
            year=year_reviews.newest_year(book(), club, merged),
            goals=challenges.list_running_challenges(book(), club, merged, MAX_CHALLENGES_SHOWN),
            said=statistics_words,
            **TAB_CONTEXTS[tab](club, merged, summary),
        )


def tiles_of(club: Club, person: str, summary: PersonSummary, names: Names) -> list[Tile]:
    """Return the figures at the top of a person's page; what is not known is left out."""
    log = url_for("plays.plays", club_id=club.id, person=person)
    tiles = [
        Tile(say("Played"), str(summary.played), address=log),
        Tile(say("Won"), statistics_words.format_number(summary.won, 1)),
    ]
    if summary.games:
        most = summary.games[0]
        of_game = url_for("plays.plays", club_id=club.id, person=person, game=most.ruleset)
        plays_of_it = say_n("{n} play", "{n} plays", most.n)
        tiles.append(Tile(say("Favourite game"), game_title(most.ruleset), plays_of_it, of_game))
    if summary.runs is not None and summary.runs.longest > 1:
        since = day_label(summary.runs.since, club.zone)
        tiles.append(Tile(say("Longest run of wins"), str(summary.runs.longest), since))
    for label, row, place in ((say("Nemesis"), summary.rivals.nemesis, 4), (say("Rival"), summary.rivals.rival, 3)):
        if row is not None:
            other = row.cells[1]
            detail = say("{n} of {games} games", n=row.cells[place], games=row.n)
            to = url_for("person.person", club_id=club.id, person_id=other) if other not in club.anonymous_ids else ""
            tiles.append(Tile(label, league_words.person_name(other, names), detail, to))
    tiles.append(
        Tile(say("H-index"), str(summary.h_index), say("that many games, each played at least that many times"))
    )
    if summary.timed:
        hours = statistics_words.format_hours(summary.seconds)
        tiles.append(Tile(say("Hours"), hours, say_n("{n} play", "{n} plays", summary.timed)))
    return tiles


# --- tabs ------------------------------------------------------------------------------------------------------------


def _plays_tab(club: Club, person: str, _summary: PersonSummary) -> dict[str, Any]:
    games, more = requested_page(
        "person.person", lambda after, limit: plays.list_plays(book(), club, PlayFilter(person=person), after, limit)
    )
    return {"games": games, "more": more, "absences": absences_of(club, person)}


def absences_of(club: Club, person: str) -> list[tuple[Season, SeasonTable, StandIn]]:
    """Return the newest tables at which a person was a substitute, was replaced, or did not come."""
    found = [
        (season, table, seat)
        for season in club.seasons.values()
        for table in season.tables.values()
        if table.stand_ins
        for seat in club.stand_ins(table)
        if person in (seat.person, seat.replacement)
    ]
    return found[: -HISTORY_SHOWN - 1 : -1]


def _games_tab(_club: Club, _person: str, summary: PersonSummary) -> dict[str, Any]:
    rows, more = rows_from("person.person", summary.games, lambda row: row.ruleset)
    return {"by_game": rows, "more": more}


def _opponents_tab(club: Club, person: str, _summary: PersonSummary) -> dict[str, Any]:
    met = reports.pairs_that_met(book(), club_filter(club, people=[person]))
    rows, more = rows_from("person.person", [row for row in met if row.cells[0] == person], lambda row: row.cells[1])
    return {"opponents": rows, "more": more}


def _rating_tab(club: Club, person: str, _summary: PersonSummary) -> dict[str, Any]:
    history = ratings.rating_history(book(), club.id, person)
    return {
        "rated": ratings_of_person(club, person)[:HISTORY_SHOWN],
        "chart": rating_chart(history),
        "history": history[-HISTORY_SHOWN:],
        "is_current": ratings.is_current(book(), club.id),
    }


def _figures_tab(club: Club, person: str, _summary: PersonSummary) -> dict[str, Any]:
    return {"told": person_figures(club, person)}


TAB_CONTEXTS: dict[str, Callable[[Club, str, PersonSummary], dict[str, Any]]] = {
    "plays": _plays_tab,
    "games": _games_tab,
    "opponents": _opponents_tab,
    "rating": _rating_tab,
    "figures": _figures_tab,
}


def ratings_of_person(club: Club, person: str) -> list[tuple[str, RatingAfterGame]]:
    """Return the person's current ratings: over all games, then for each game."""
    rated = []
    for ruleset_id in (ratings.OVERALL, *ratings.rated_rulesets(book(), club.id)):
        history = ratings.rating_history(book(), club.id, person, ruleset_id)
        if history:
            rated.append((statistics_words.games_label(ruleset_id), history[-1]))
    return rated
