"""Who may do what in a club."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal
from uuid import UUID

from daybook.domain.league.club import Club
from daybook.domain.league.club_events import Role
from daybook.services.paging import ListPage, page_of_list
from daybook.services.store.daybook import Daybook

OPERATOR = "the operator"  # no person's id: those hold no space
What = Literal["read", "enter", "open", "rule", "schedule", "close", "settle", "people", "answer"]
# read: what is not public; enter: games and results; open: games of the club; rule: void results, penalties, lots;
# schedule: players, draws, days and seats, evenings; close: seasons, and open them again; settle: leagues, seasons,
# how the club does things; people: who belongs to it, roles, who is one person; answer: whether one comes to an evening
MAY: Mapping[What, tuple[Role, ...]] = {
    "read": ("organiser", "umpire", "scorekeeper", "member"),
    "enter": ("organiser", "scorekeeper"),
    "open": ("organiser", "scorekeeper"),
    "rule": ("organiser", "umpire"),
    "schedule": ("organiser",),
    "close": ("organiser",),
    "settle": ("organiser",),
    "people": ("organiser",),
    "answer": ("organiser", "umpire", "scorekeeper", "member"),
}


class NotAllowed(Exception):
    """This person may not do this: ask one of those with one of these roles."""

    def __init__(self, what: What) -> None:
        super().__init__(f"this is for: {', '.join(MAY[what])}")
        self.what = what
        self.roles = MAY[what]


def may(club: Club, person: str, what: What) -> bool:
    """Whether somebody may do something in a club. person: an id; empty for who is not signed in."""
    if person == OPERATOR or (what == "read" and club.settings.public):
        return True
    return bool(person) and bool({*club.roles(person)} & {*MAY[what]})


def check(club: Club, person: str, what: What) -> None:
    """Checks that a person may do something in a club. Raises NotAllowed."""
    if not may(club, person, what):
        raise NotAllowed(what)


def clubs_of(book: Daybook, person: str) -> list[Club]:
    """The clubs somebody belongs to, in the order in which they were founded."""
    return [club for club in book.clubs.all() if club.roles(person)]


def readable_clubs(book: Daybook, person: str = "") -> list[Club]:
    """The clubs whose pages somebody may read, without those that were removed; one that was taken off the public
    lists is in those of its people alone."""
    lists = _listed_for(book, person)
    return [club for club in book.clubs.all() if lists(club)]


def page_of_clubs(book: Daybook, person: str, after: str, limit: int, without_own: bool = False) -> ListPage[Club]:
    """The same a page at a time, in the order in which they were founded; without_own: those of others. Raises
    UnknownPlace."""
    lists = _listed_for(book, person)
    return page_of_list(
        book.clubs.all(),
        lambda club: str(club.id),
        after,
        limit,
        lambda club: lists(club) and not (without_own and club.roles(person)),
    )


def _listed_for(book: Daybook, person: str) -> Callable[[Club], bool]:
    off = book.kept.withheld("club")

    def lists(club: Club) -> bool:
        if club.removed or not may(club, person, "read"):
            return False
        return str(club.id) not in off or bool(person and club.roles(person))

    return lists


def clubs_with(book: Daybook, game_id: UUID) -> list[Club]:
    """The clubs in which a game is entered."""
    book.clubs.catch_up()
    return book.clubs.with_game(game_id)
