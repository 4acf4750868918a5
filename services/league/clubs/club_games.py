"""Games that a club plays, and the seats of its people."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

from daybook.domain.games import RULESETS
from daybook.domain.kernel.game_names import is_by_name, key_of_title, name_in_key
from daybook.domain.kernel.terms import Seat
from daybook.domain.kernel.texts import composed
from daybook.domain.league import club_events
from daybook.domain.league.club import Club, SeasonTable
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UNREADABLE, UnknownGameError


def games_by_name(club: Club) -> list[str]:
    """Return the games of a club without a ruleset, by name, the newest result first."""
    tables = [table for season in club.all_seasons() for table in season.tables.values() if is_by_name(table.ruleset)]
    newest = sorted(tables, key=lambda table: table.steps[-1], reverse=True)
    return [*dict.fromkeys(table.ruleset for table in newest)]


def sheets_played(book: Daybook, club: Club, key: str) -> list[str]:
    """Return the hash of the sheet with which a club last recorded a game known by its name, if it has."""
    events = (entry.event for entry in reversed(club.entries))
    for event in events:
        if isinstance(event, club_events.GameEntered) and event.ruleset == key and event.game in club.games:
            with suppress(UnknownGameError, *UNREADABLE):  # it was removed, or one further back may be read
                return [book.games.get(UUID(event.game)).opening.sheet.hash]
    return []


def game_named(club: Club, name: str) -> str:
    """Return the game that a name means, in any case: an installed one, one that the club has played, or a new one."""
    name = composed(" ".join(name.split()))
    meant = name.casefold()
    for id, rules in RULESETS.items():
        if rules.title_of is None and meant in (id, rules.title.casefold()):
            return id
    known = (key for key in games_by_name(club) if name_in_key(key).casefold() == meant)
    return next(known, key_of_title(name))


def table_of(club: Club, game_id: UUID) -> SeasonTable | None:
    """Return the table at which a game was entered."""
    season, table = club.games.get(str(game_id), ("", ""))
    return club.season(season).tables[table] if table else None


def meeting_place(book: Daybook, game_id: UUID, person: str | None) -> str:
    """Return where the table of a game met, as a club of the person says; empty if none does."""
    clubs = [club for club in book.clubs.with_game(game_id) if person and club.roles(person)]
    tables = [table for club in clubs if (table := table_of(club, game_id))]
    return next((table.place for table in tables if table.place), "")


class SeatsPutRight(NamedTuple):
    """A person's corrected seats: the records name others, or the person in another seat."""

    sat: dict[UUID, Seat]  # the seat by game
    not_sat: frozenset[UUID]  # games in which the person did not sit


def seats_put_right(clubs: Iterable[Club], person: str) -> SeatsPutRight:
    """Return a person's seats as these clubs corrected them; the person belongs to the clubs."""
    sat, others = dict[UUID, Seat](), set[UUID]()
    for club in clubs:
        whole = club.person(person)
        for table in (table for season in club.all_seasons() for table in season.tables.values()):
            if table.game and club.is_put_right(table):
                people = club.seats(table)
                if whole in people:
                    sat[UUID(table.game)] = people.index(whole)
                else:
                    others.add(UUID(table.game))
    return SeatsPutRight(sat, frozenset(others - sat.keys()))
