"""A table of a club's season, or an evening of the club, for which a game is about to be opened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from flask import abort, request

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Evening, Season, SeasonTable
from daybook.services.league import evening_plans
from daybook.web.request.access import book
from daybook.web.request.clubs import club_at, me, names_in, require_role, season_at, season_path, table_at, table_name
from daybook.web.words import league_words


class Seating(Frozen):
    """people: by seat, at a table; of an evening those who come, in the order in which they said so. names: what they
    are called, in the same order. table: None: of the evening whoever is at hand sits down.
    """

    club: Club
    season: Season
    table: SeasonTable | None
    people: tuple[str, ...]
    names: tuple[str, ...]
    evening: Evening | None = None

    @property
    def title(self) -> str:
        """What the game of the table is called, if nobody calls it otherwise."""
        return table_title(self.season, self.table) if self.table else ""

    @property
    def fields(self) -> dict[str, str]:
        """By which a form names the table, or the evening."""
        if self.table is None:
            return {"club": str(self.club.id), "evening": self.evening.id if self.evening else ""}
        return {"club": str(self.club.id), "season": season_path(self.season), "table": self.table.id}


def table_title(season: Season, table: SeasonTable) -> str:
    name = f"{season.name}: {table_name(season, table)}" if season.name else table_name(season, table)
    return name[:120].strip()


def seating() -> Seating | None:
    """The table or the evening that a request names, for who may open a game there; None: it names none."""
    if not request.values.get("club"):
        return None
    try:
        club = club_at(UUID(request.values["club"]))
    except ValueError:
        abort(404)
    require_role(club, "open")
    if asked := request.values.get("evening"):
        return of_evening(club, club.evenings[asked] if asked in club.evenings else abort(404))
    season = season_at(club, request.values.get("season", ""))
    table = table_at(season, request.values.get("table", ""))
    if table.is_settled or not table.seats:
        abort(409)
    people = club.seats(table)
    return Seating(club, season, table, people, _names_of(club, people))


def of_evening(club: Club, evening: Evening) -> Seating:
    people = tuple(club.expected(evening, "yes"))
    return Seating(club, club.beside, None, people, _names_of(club, people), evening)


def _names_of(club: Club, people: Iterable[str]) -> tuple[str, ...]:
    names = names_in(club)
    return tuple(league_words.plain_name(person, names) for person in people)


def today_of_visitor() -> Seating | None:
    """The evening of today in a club of who asks."""
    today = evening_plans.today_for(book(), me()) if me() else None
    return of_evening(*today) if today else None


def people_called(at: Seating, names: Sequence[str]) -> list[str | None]:
    """Who of a club is meant by names that were typed for an evening: of namesakes the one who comes; empty: nobody,
    None: it could be several.
    """
    known, found = names_in(at.club), list[str | None]()
    for name in names:
        alike = [id for id in at.club.everybody() if known.get(id, "").casefold() == name.casefold()]
        coming = [id for id in alike if id in at.people]
        one = coming if len(coming) == 1 else alike
        found.append(None if len(one) > 1 else one[0] if one else "")
    return found
