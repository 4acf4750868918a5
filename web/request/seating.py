"""A table of a club's season for which a game is about to be opened: who sits there is settled already."""

from __future__ import annotations

from uuid import UUID

import msgspec
from flask import abort, request

from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.web.request.clubs import club_at, names_in, require_role, season_at, season_path, table_at, table_name
from daybook.web.words import league_words


class Seating(msgspec.Struct, frozen=True):
    """people: by seat; names: what they are called, in the same order."""

    club: Club
    season: Season
    table: SeasonTable
    people: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def title(self) -> str:
        """What the game of the table is called, if nobody calls it otherwise."""
        return table_title(self.season, self.table)

    @property
    def fields(self) -> dict[str, str]:
        """By which a form names the table."""
        return {"club": str(self.club.id), "season": season_path(self.season), "table": self.table.id}


def table_title(season: Season, table: SeasonTable) -> str:
    name = f"{season.name}: {table_name(season, table)}" if season.name else table_name(season, table)
    return name[:120].strip()


def seating() -> Seating | None:
    """The table that a request names, for who may open its game; None: it names none."""
    if not request.values.get("club"):
        return None
    try:
        club = club_at(UUID(request.values["club"]))
    except ValueError:
        abort(404)
    require_role(club, "open")
    season = season_at(club, request.values.get("season", ""))
    table = table_at(season, request.values.get("table", ""))
    if table.is_settled or not table.seats:
        abort(409)
    people, names = club.seats(table), names_in(club)
    return Seating(club, season, table, people, tuple(league_words.plain_name(person, names) for person in people))
