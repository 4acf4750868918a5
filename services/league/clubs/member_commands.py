"""Writing of the commands about a club's people."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid5

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import because
from daybook.domain.league import blanking
from daybook.domain.league import club_commands as commands
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import Guests
from daybook.domain.league.club_events import MemberJoined, MemberLeft, PeopleMerged, RolesGiven, TextsBlanked
from daybook.domain.league.club_writing import ClubDraft, added_roles, produce
from daybook.services.league.clubs.member_accounts import account_in, came_by_choice, is_account_merge
from daybook.services.league.clubs.newcomers import refuse_strangers
from daybook.services.names import NAME_LIMIT, appearance_key, clean_name
from daybook.services.people import accounts, anonymise
from daybook.services.people.blanking import find_names
from daybook.services.store.daybook import Daybook

TEXTS_IN_ONE_EVENT = 500  # a line of a club's file stays short
INVITED_AS = "invited under this id"
MERGED_AS = "two accounts of one person"


class NothingToWriteError(Exception):
    """The club has it already."""


def admit_guests(book: Daybook, draft: ClubDraft, people: Sequence[str], guests: Guests) -> None:
    """Admit guests of the club, and new ones. Raises Refused for people of other clubs."""
    refuse_strangers(book, draft.club, people, guests)
    draft.new_people |= guests


def add_member(book: Daybook, draft: ClubDraft, command: commands.AddMember) -> None:
    """Add a member without an account; a person with one accepts an invitation. Raises Refused."""
    person = draft.club.person(command.person)
    if not draft.club.knows(person) and person not in command.guests:
        raise Refused(because("not_of_club", "this person is not in the club"))
    if account_in(book, draft.club, person) is not None:
        raise Refused(because("invite_them", "{person} has an account: send an invitation", person=person))
    admit_guests(book, draft, [person], command.guests)
    draft.add(MemberJoined, person=person, roles=added_roles(command.roles))


def add_members(book: Daybook, draft: ClubDraft, command: commands.AddMembers) -> None:
    """Add new people. Raises Refused if all names are there already, BadNameError."""
    new = new_names(book, draft.club, command.names)
    if not new:
        raise Refused(because("nobody_new", "all of them are already in the club"))
    for place, name in enumerate(new):
        person = uuid5(draft.club.id, f"member {draft.key} {place} {name}").hex  # the same if this is interrupted
        draft.new_people[person] = clean_name("name", name, NAME_LIMIT)
        draft.add(MemberJoined, person=person, roles=())


def new_names(book: Daybook, club: Club, names: Sequence[str]) -> list[str]:
    """Return the names that no member of a club has."""
    here = {appearance_key(name) for name in book.kept.names(club.people()).values()}
    return [name for name in names if appearance_key(name) not in here]


def merge_people(book: Daybook, draft: ClubDraft, command: commands.MergePeople) -> None:
    """Make two ids one person; the one with an account stays. Raises Refused."""
    club, kept, gone = draft.club, command.kept, command.merged
    if not club.knows(kept) or not club.knows(gone):
        raise Refused(because("not_of_club", "this person is not in the club"))
    if account_in(book, club, gone) is not None:
        if account_in(book, club, kept) is not None:
            raise _two_accounts(kept, gone)
        kept, gone = gone, kept
    if account_in(book, club, kept) is not None:
        if not came_by_choice(book, club, kept):
            raise Refused(because("not_joined", "{person} has an account and has not joined the club", person=kept))
        if club.roles(gone) and not club.roles(kept):  # only the person can come back after leaving
            raise Refused(because("has_left", "{person} has an account and has left the club", person=kept))
    if any(anonymise.is_anonymous(book, id) for id in (kept, gone)):
        raise Refused(because("anonymous", "a person who was made anonymous cannot be merged"))
    _merge(draft, kept, gone, command.why.strip())


def _merge(draft: ClubDraft, person: str, gone: str, why: str) -> None:
    """Add the event that two people of the club are one."""
    draft.add(PeopleMerged, kept=draft.club.person(person), merged=draft.club.person(gone), why=why)


def _two_accounts(person: str, namesake: str) -> Refused:
    return Refused(
        because(
            "two_sign_ins",
            "{person} and {other} both have an account: if they are one person, that person merges them on My page",
            person=person,
            other=namesake,
        )
    )


def merge_accounts(book: Daybook, draft: ClubDraft, command: commands.MergeAccounts) -> None:
    _merge(draft, command.kept, command.merged, MERGED_AS)


def split_people(book: Daybook, draft: ClubDraft, command: commands.SplitPeople) -> None:
    """Undo the merge of a step. Raises Refused, also for two accounts that their owner merged."""
    merge = draft.club.merges.get(command.merge)
    if merge is not None and is_account_merge(book, merge):
        raise Refused(because("own_merge", "{person} merged two accounts: that stays", person=merge.kept))
    produce(draft, command)


def admit_invited(book: Daybook, draft: ClubDraft, command: commands.AdmitInvited) -> None:
    """Merge the person with the invitation's guest, make them a member, and give them the invitation's roles.

    Raises Refused if another person has come as the guest meanwhile, NothingToWriteError.
    """
    person, guest = command.person, command.guest
    if command.used_at and _has_written_about(draft.club, person, command.used_at):
        raise NothingToWriteError
    if guest and (other := _other_account(book, draft.club, guest, person)):
        raise _two_accounts(person, other)
    if guest and draft.club.person(guest) != draft.club.person(person):
        _merge(draft, person, guest, INVITED_AS)
    whole = draft.club.person(person)
    held = draft.club.roles(whole)
    if not held:
        draft.add(MemberJoined, person=whole, roles=command.roles)
    elif {*command.roles} - {*held}:
        draft.add(RolesGiven, person=whole, roles=added_roles((*held, *command.roles)))
    if not draft.entries:
        raise NothingToWriteError


def _other_account(book: Daybook, club: Club, guest: str, person: str) -> str:
    """Return the other person that has an account as a guest of a club: by the guest's id or by one merged with it since."""
    found = (account.person for account in accounts.accounts_of(book, club.ids_of(guest)))
    return next((id for id in found if id != person), "")


def _has_written_about(club: Club, person: str, since: str) -> bool:
    """Check if a club has written since a time that a person joined, left, has roles, or was merged."""
    ids, kinds = club.ids_of(person), (MemberJoined, MemberLeft, RolesGiven, PeopleMerged)
    written = (entry.event for entry in club.entries if isinstance(entry.event, kinds) and entry.event.at >= since)
    return any(getattr(event, name, "") in ids for event in written for name in ("person", "kept", "merged"))


def blank_names(book: Daybook, draft: ClubDraft, command: commands.BlankNames) -> None:
    """Blank the names of a person in the texts of the club. Raises NothingToWriteError if no text has them."""
    names = anonymise.names_of(book, command.people)
    texts = [
        text
        for entry in draft.club.entries
        for text in blanking.find_texts(entry.event, lambda text: find_names(text, names))
    ]
    if not texts:
        raise NothingToWriteError
    for start in range(0, len(texts), TEXTS_IN_ONE_EVENT):
        draft.add(TextsBlanked, texts=tuple(texts[start : start + TEXTS_IN_ONE_EVENT]))
