"""Who may do what in a club."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from uuid import UUID

from daybook.domain.league.club import Club
from daybook.domain.league.club_events import Role
from daybook.services.paging import ListPage, page_of_list
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import ClubCard

OPERATOR = "whoever runs the service"  # no person's id: those hold no space, which not every door asked of them before
What = Literal["read", "evenings", "enter", "open", "rule", "schedule", "close", "settle", "people", "answer"]
# read: what is not public; evenings: when and where it meets, who comes; enter: games and results; open: games of the club; rule: void results, penalties, lots;
# schedule: players, draws, days and seats, evenings; close: seasons, and open them again; settle: leagues, seasons,
# how the club does things; people: who belongs to it, roles, who is one person; answer: whether one comes to an evening
MAY: Mapping[What, tuple[Role, ...]] = {
    "read": ("organiser", "umpire", "scorekeeper", "member"),
    "evenings": ("organiser", "umpire", "scorekeeper", "member"),
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
    if person == OPERATOR:
        return True
    if (what == "read" and club.settings.public) or (what == "evenings" and club.settings.public_evenings):
        return True
    return bool(person) and bool({*club.roles(person)} & {*MAY[what]})


def as_seen(club: Club, person: str) -> Club:
    """Return a club as somebody may see it: without its evenings, unless they are shown to them."""
    return club if may(club, person, "evenings") else club.without_evenings()


def check(club: Club, person: str, what: What) -> None:
    """Checks that a person may do something in a club. Raises NotAllowed."""
    if not may(club, person, what):
        raise NotAllowed(what)


def clubs_of(book: Daybook, person: str) -> list[Club]:
    """The clubs somebody belongs to, in the order in which they were founded."""
    return [club for club in book.clubs.with_people([person]) if club.roles(person)]


def page_of_clubs(book: Daybook, person: str, after: str, limit: int, without_own: bool = False) -> ListPage[Club]:
    """The clubs whose pages somebody may read, without those that were removed, a page at a time, in the order in which
    they were founded; one that was taken off the public lists is in those of its people alone. without_own: those of
    others. Raises UnknownPlaceError."""
    own, off = {club.id for club in clubs_of(book, person)}, book.kept.withheld("club")

    def lists(row: tuple[UUID, ClubCard]) -> bool:
        id, card = row
        if card.removed:
            return False
        return not without_own if id in own else card.public and str(id) not in off

    found = page_of_list(book.clubs.cards().items(), lambda row: str(row[0]), after, limit, lists)
    return ListPage(book.clubs.some(id for id, _ in found.rows), found.next)


def clubs_with(book: Daybook, game_id: UUID) -> list[Club]:
    """The clubs in which a game is entered."""
    book.clubs.catch_up()
    return book.clubs.with_game(game_id)
