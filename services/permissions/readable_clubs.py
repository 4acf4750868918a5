"""Clubs that a person may read, and how much of them."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from daybook.domain.league.club import Club
from daybook.services.paging import ListPage, page_of_list
from daybook.services.permissions.actions import ClubVisit, SummaryVisit, may
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import ClubSummary


def as_seen(visit: ClubVisit) -> Club:
    """Return a club as a visitor may see it: perhaps without evenings, and with the results that are no longer delayed."""
    club = visit.club if may(visit, "enter_results") else visit.club.with_delayed_results()
    return club if may(visit, "see_evenings") else club.without_evenings()


def clubs_of(book: Daybook, person: str) -> list[Club]:
    """Return a person's clubs, the oldest first, with their own log."""
    return [club for club in book.clubs.with_people([person]) if club.roles(person)]


def own_logs_of(book: Daybook, person: str) -> list[Club]:
    """Return a person's own log; a person with merged accounts may have several."""
    return [club for club in clubs_of(book, person) if club.is_own_log and not club.removed]


def page_of_clubs(book: Daybook, person: str, after: str, limit: int, without_own: bool = False) -> ListPage[Club]:
    """Return a page of the clubs that a person may read, the oldest first.

    Removed clubs are left out; one that was taken off the public lists is shown to its members only. without_own:
    clubs of others. Raises UnknownPlaceError.
    """
    own, off = {club.id for club in clubs_of(book, person)}, book.kept.withheld("club")

    def lists(row: tuple[UUID, ClubSummary]) -> bool:
        id, card = row
        if card.removed:
            return False
        return not without_own if id in own else is_listed(id, card, off)

    found = page_of_list(book.clubs.cards().items(), lambda row: str(row[0]), after, limit, lists)
    return ListPage(book.clubs.readable_among(id for id, _ in found.rows), found.next)


def is_listed(club_id: UUID, card: ClubSummary, withheld: Collection[str]) -> bool:
    """Check if everyone finds a club: everyone may read it, and the operator has not taken it off the lists."""
    return str(club_id) not in withheld and bool(may(SummaryVisit(card), "read_club"))


def clubs_with(book: Daybook, game_id: UUID) -> list[Club]:
    """Return the clubs in which a game is entered."""
    book.clubs.catch_up()
    return book.clubs.with_game(game_id)
