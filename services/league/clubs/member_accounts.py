"""Accounts of a club's people, and the choice to join."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from daybook.domain.league.club import Club, Merge
from daybook.domain.league.club_events import ClubFounded
from daybook.services.people import accounts, invitations
from daybook.services.people.accounts import Account
from daybook.services.store.daybook import Daybook


def account_in(book: Daybook, club: Club, person: str) -> Account | None:
    """Return the account of a person of a club, by any of their ids."""
    return accounts_in(book, club, [person]).get(person)


def accounts_in(book: Daybook, club: Club, people: Iterable[str]) -> dict[str, Account]:
    """Return the accounts of people of a club, by any of their ids."""
    ids = {id: person for person in people for id in club.ids_of(person)}
    found: dict[str, Account] = {}
    for account in accounts.accounts_of(book, [*ids]):
        found.setdefault(ids[account.person], account)
    return found


def came_by_choice(book: Daybook, club: Club, person: str) -> bool:
    """Check if a person joined a club by their own will: they founded it, or accepted an invitation."""
    return person in joined_by_choice(book, club, [person])


def joined_by_choice(book: Daybook, club: Club, people: Collection[str]) -> set[str]:
    """Return the subset of people that joined a club by their own will (`came_by_choice`)."""
    first = club.entries[0].event
    assert isinstance(first, ClubFounded)
    account_by_person = accounts_in(book, club, people)
    ids = {  # a merge with a member is not the person's own choice
        person: account_by_person[person].person if person in account_by_person else person for person in people
    }
    founders = {first.founder, *([club.moved.by] if club.moved else [])}  # of a moved club, the importer
    chose = {*founders, *invitations.accepted_by(book, club.id, {*ids.values()})}
    chose |= {kept for kept, gone in accounts.merged_pairs(book, {*ids.values()}) if gone in founders}
    return {person for person, id in ids.items() if id in chose}


def is_account_merge(book: Daybook, merge: Merge) -> bool:
    """Check if a merge is one of two accounts, which their owner merged."""
    return merge.step in account_merges(book, [merge])


def account_merges(book: Daybook, merges: Collection[Merge]) -> set[int]:
    """Return the steps of those merges that are merges of two accounts by their owner."""
    pairs = accounts.merged_pairs(book, [id for merge in merges for id in (merge.kept, merge.merged)])
    return {merge.step for merge in merges if {(merge.kept, merge.merged), (merge.merged, merge.kept)} & pairs}
