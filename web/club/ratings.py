"""Ratings of a club: games and wins first, then the estimated strength and its uncertainty."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, request
from werkzeug import Response

from daybook.domain.league.club import Club
from daybook.services.league.ratings import (
    OVERALL,
    PROVISIONAL_GAMES,
    RatingAfterGame,
    count_left_out,
    current_ratings,
    is_current,
    rated_rulesets,
)
from daybook.services.statistics.plain_tables import ExportTable
from daybook.web.request.access import book
from daybook.web.request.clubs import Names, club_names, preview_club_page, render_club_page, require_club
from daybook.web.request.lists import rows_from
from daybook.web.request.security import file_response, forbid_storing
from daybook.web.words import say
from daybook.web.words.statistics_words import games_label

page = Blueprint("ratings", __name__)


@page.get("/clubs/<uuid:club_id>/ratings")
def ratings(club_id: UUID) -> str:
    club = require_club(club_id)
    rulesets = rated_rulesets(book(), club_id)
    ruleset_id = _requested_ruleset(rulesets)
    rated, more = rows_from("ratings.ratings", _ratings_shown(club, ruleset_id), lambda rating: rating.person)
    preview_club_page(club, say("Ratings of {club}", club=club.name), games_label(ruleset_id))
    return render_club_page(
        "league/ratings.html",
        club,
        heading=say("Ratings"),
        ruleset_id=ruleset_id,
        known=rulesets,
        title=games_label(ruleset_id),
        rated=rated,
        more=more,
        is_current=is_current(book(), club_id),
        left_out=count_left_out(book(), club, ruleset_id),
        least=PROVISIONAL_GAMES,
    )


def _requested_ruleset(rulesets: list[str]) -> str:
    """Return the game in the address; empty for all games together."""
    ruleset_id = request.args.get("game", OVERALL)
    return ruleset_id if not ruleset_id or ruleset_id in rulesets else abort(404)


def _ratings_shown(club: Club, ruleset_id: str) -> list[RatingAfterGame]:
    return current_ratings(book(), club.id, ruleset_id)


@page.get("/clubs/<uuid:club_id>/ratings.<any(csv,json):kind>")
def ratings_file(club_id: UUID, kind: str) -> Response:
    club = require_club(club_id)
    ruleset_id = _requested_ruleset(rated_rulesets(book(), club_id))
    table = ratings_table(
        _ratings_shown(club, ruleset_id),
        club_names(club),
        {"club": club.name, "ruleset": ruleset_id or None},
        count_left_out(book(), club, ruleset_id),
    )
    body = table.csv() if kind == "csv" else table.json()
    return forbid_storing(file_response(body, f"ratings.{kind}", "text/csv" if kind == "csv" else "application/json"))


def ratings_table(
    rated: list[RatingAfterGame], names: Names, about: dict[str, str | None], left_out: int
) -> ExportTable:
    columns = (
        "person",
        "name",
        "games",
        "wins",
        "expected_wins",
        "average_place",
        "rating",
        "uncertainty",
        "provisional",
    )
    return ExportTable(
        "ratings",
        columns,
        tuple(
            (
                rating.person,
                names.get(rating.person, ""),
                rating.games,
                rating.wins,
                rating.expected_wins,
                rating.average_place,
                f"{rating.mu:.2f}",
                f"{rating.sigma:.2f}",
                rating.provisional,
            )
            for rating in rated
        ),
        about,
        left_out,
    )
