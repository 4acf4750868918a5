"""Standings, tables and calendar of a club for frames of other sites, if the club allows that.

They show what a stranger may read: a cookie in a frame changes nothing.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, make_response, render_template

from daybook.domain.league.club import Club, Season
from daybook.services.league import evening_plans, results
from daybook.services.league.season_tables import tables_in_order
from daybook.services.permissions.actions import ClubAction, ClubVisit, may
from daybook.services.permissions.readable_clubs import as_seen
from daybook.services.store.folded_cache import UnknownClubError
from daybook.web.club.season import results_by_table
from daybook.web.request.access import book
from daybook.web.request.clubs import club_names, real_season_at, table_label
from daybook.web.request.security import allow_framing
from daybook.web.words import game_title, league_words

page = Blueprint("club_embed", __name__)

MAX_ROWS = 200
MAX_EVENINGS = 12


def _embeddable_club(club_id: UUID, action: ClubAction) -> Club:
    """Return a club as a stranger sees it; 404 if it allows no frames, or strangers may not read this."""
    try:
        club = book().clubs.get(club_id)
    except UnknownClubError:
        abort(404)
    stranger = ClubVisit(club, "", ())
    off = str(club.id) in book().kept.withheld("club")
    if off or not club.settings.embeds or club.removed or not may(stranger, action):
        abort(404)
    return as_seen(stranger)


@page.get("/clubs/<uuid:club_id>/embed/seasons/<season_id>/standings")
def standings(club_id: UUID, season_id: str) -> Response:
    club = _embeddable_club(club_id, "read_club")
    season = real_season_at(club, season_id)
    return _framed(club, "standings", season=season, groups=results.standings_at(book(), club, season.id).groups)


@page.get("/clubs/<uuid:club_id>/embed/seasons/<season_id>/tables")
def tables(club_id: UUID, season_id: str) -> Response:
    club = _embeddable_club(club_id, "read_club")
    season = real_season_at(club, season_id)
    rounds = season.rounds
    shown = [table for table in tables_in_order(season) if not rounds or table.round == _current_round(season)]
    ended = results_by_table(club, season)
    return _framed(club, "tables", season=season, tables=[(table, ended.get(table.id)) for table in shown[:MAX_ROWS]])


def _current_round(season: Season) -> int:
    """Return the first round with a table without a result, else the last."""
    return min((table.round for table in season.tables.values() if not table.is_settled), default=season.rounds[-1])


@page.get("/clubs/<uuid:club_id>/embed/calendar")
def calendar(club_id: UUID) -> Response:
    club = _embeddable_club(club_id, "see_evenings")
    evenings = [evening for evening in evening_plans.coming(club) if not evening.called_off]
    return _framed(club, "calendar", season=None, evenings=evenings[:MAX_EVENINGS])


def _framed(club: Club, part: str, season: Season | None, **shown: Any) -> Response:
    answer = make_response(
        render_template(
            "league/embed.html",
            club=club,
            season=season,
            part=part,
            names=club_names(club),
            most=MAX_ROWS,
            table_name=table_label,
            game_title=game_title,
            **{function.__name__: function for function in league_words.IN_TEMPLATES},
            **shown,
        )
    )
    return allow_framing(answer, club.settings.embed_sites)
