"""A table of a club's season, or an evening of the club, for which a game is about to be opened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from flask import abort, request

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Evening, Season, SeasonTable
from daybook.services.league import clubs, evening_plans
from daybook.services.names import appearance_key
from daybook.web.request.access import book
from daybook.web.request.clubs import (
    club_names,
    require_club,
    require_role,
    season_at,
    season_path,
    table_at,
    table_label,
    user_id,
    user_may,
)
from daybook.web.words import league_words


class Seating(Frozen):
    """Players for a new game: of a league table or of an evening.

    Args:
        people: by seat at a table; of an evening, all who come, in order of their reply; empty for a free game.
        names: in the same order.
        table: None for a free game of the evening or of the club.
    """

    club: Club
    season: Season
    table: SeasonTable | None
    people: tuple[str, ...]
    names: tuple[str, ...]
    evening: Evening | None = None

    @property
    def title(self) -> str:
        """Default title of the table's game."""
        return table_title(self.season, self.table) if self.table else ""

    @property
    def is_free(self) -> bool:
        """Check if the game is only entered in the club."""
        return self.table is None and self.evening is None and not self.club.is_own_log

    @property
    def fields(self) -> dict[str, str]:
        """Hidden form fields that identify the table or the evening; of a free game, the form has the club."""
        if self.is_free:
            return {}
        if self.table is None:
            return {"club": str(self.club.id), "evening": self.evening.id if self.evening else ""}
        return {"club": str(self.club.id), "season": season_path(self.season), "table": self.table.id}


def table_title(season: Season, table: SeasonTable) -> str:
    name = f"{season.name}: {table_label(season, table)}" if season.name else table_label(season, table)
    return name[:120].strip()


def requested_seating() -> Seating | None:
    """Return the table or evening of a request, if the user may open a game there; None if none is given."""
    if not request.values.get("club"):
        return None
    try:
        club = require_club(UUID(request.values["club"]))
    except ValueError:
        abort(404)
    require_role(club, "open_tables")
    if club.is_own_log:
        owner = (club.person(user_id()),)
        return Seating(club, club.beside, None, owner, _names_of(club, owner))
    if requested := request.values.get("evening"):
        return of_evening(club, club.evenings[requested] if requested in club.evenings else abort(404))
    if not request.values.get("season"):
        return Seating(club, club.beside, None, (), ())
    season = season_at(club, request.values["season"])
    table = table_at(season, request.values.get("table", ""))
    if table.is_settled or not table.seats:
        abort(409)
    people = club.seats(table)
    return Seating(club, season, table, people, _names_of(club, people))


def of_evening(club: Club, evening: Evening) -> Seating:
    people = tuple(club.coming(evening))
    return Seating(club, club.beside, None, people, _names_of(club, people), evening)


def _names_of(club: Club, people: Iterable[str]) -> tuple[str, ...]:
    names = club_names(club)
    return tuple(league_words.plain_name(person, names) for person in people)


def clubs_that_open_games() -> list[Club]:
    """Return the clubs in which the user may open a game."""
    own = clubs.clubs_of(book(), user_id()) if user_id() else []
    return [club for club in own if not (club.removed or club.is_own_log) and user_may(club, "open_tables")]


def evening_today() -> Seating | None:
    """Return today's evening in a club of the user."""
    today = evening_plans.today_for(book(), user_id()) if user_id() else None
    return of_evening(*today) if today else None


def match_people(at: Seating, names: Sequence[str]) -> list[str | None]:
    """Match typed names to people of a club; people with a place at the evening win over others.

    Returns:
        for each name a person id, "" for no one, or None if several match.
    """
    looks = {person: appearance_key(name) for person, name in club_names(at.club).items()}
    matches = list[str | None]()
    for name in names:
        look = appearance_key(name)
        alike = [person for person in at.club.everybody() if looks.get(person) == look]
        coming = [person for person in alike if person in at.people]
        candidates = coming if len(coming) == 1 else alike
        matches.append(None if len(candidates) > 1 else candidates[0] if candidates else "")
    return matches
