"""People that a club may write into its record: its own, and guests of no other club.

Everyone can read ids of people in records and in the API, so an id proves nothing. A person with an account joins a club
only by accepting an invitation. A guest of another club or game belongs to that club or game. The rights of a club over
its people (`services.league.members`) depend on this.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import sqlalchemy as sa

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import because
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import NO_GUESTS, Guests
from daybook.services.people import accounts
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_anonymous, kept_merged_account, kept_person

STRANGER = because("stranger", "one of these people is not in the club: send an invitation first")


def strangers(book: Daybook, club: Club, ids: Iterable[str]) -> set[str]:
    """Return the ids of people outside the club that have an account, are anonymous, or are in another club."""
    unknown = {id for id in ids if not club.knows(id)}
    if not unknown:
        return set()
    found = {account.person for account in accounts.accounts_of(book, sorted(unknown))}
    for other in book.clubs.with_people(unknown):
        found |= {id for id in unknown if other.id != club.id and other.knows(id)}
    found |= _matching_ids(book, kept_merged_account.c.gone, unknown)
    return found | _matching_ids(book, kept_anonymous.c.person, unknown)


def refuse_strangers(book: Daybook, club: Club, ids: Iterable[str], guests: Guests = NO_GUESTS) -> None:
    """Refuse people that only others know, such as the umpire of a game.

    guests: new people; one may be stored already by an attempt that was interrupted. Raises Refused.
    """
    unknown = {id for id in ids if not club.knows(id)}
    if strangers(book, club, unknown) or _matching_ids(book, kept_person.c.id, unknown - guests.keys()):
        raise Refused(STRANGER)


def _matching_ids(book: Daybook, column: sa.ColumnElement[str], ids: Collection[str]) -> set[str]:
    return {id for (id,) in book.kept.engine.rows_where_in(sa.select(column), column, ids)}
