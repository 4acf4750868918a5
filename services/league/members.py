"""Members and guests of a club, and the rights of organisers over them.

`may_act_for` checks the rights over a guest, `may_make_link` those over a member with an account.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid5

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Reason, because
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import AddMember, MergePeople
from daybook.domain.league.club_events import MemberLeft, Role
from daybook.services.league import clubs
from daybook.services.league.clubs import account_in as account_in
from daybook.services.league.clubs import came_by_choice as came_by_choice
from daybook.services.league.clubs import joined_by_choice
from daybook.services.names import NAME_LIMIT, clean_name
from daybook.services.people import accounts, anonymise, invitations, link_consent, link_sign_ins, operators
from daybook.services.people.accounts import Account
from daybook.services.people.invitations import Invitation
from daybook.services.permissions.actions import ClubVisit, may, require
from daybook.services.store.daybook import Daybook


def name_of(book: Daybook, person: str) -> str:
    """Return a person's name; empty for an unknown person, such as "operator"."""
    return book.kept.names([person]).get(person, "")


def may_act_for(book: Daybook, club: Club, actor: str, person: str) -> bool:
    """Check if an organiser may rename a guest of a club, invite them, or make them anonymous.

    It takes an organiser of every club that knows the guest. For a person with an account no one may.
    """
    return person in guests_in_reach(book, club, actor, [person])


def guests_in_reach(book: Daybook, club: Club, actor: str, people: Sequence[str]) -> set[str]:
    """Return those of some people that an organiser may act for (`may_act_for`)."""
    if actor == clubs.OPERATOR:
        return {*people}
    if not may(ClubVisit(club, actor), "manage_members"):
        return set()
    ids = {person: club.ids_of(person) for person in people if club.knows(person)}
    known_in = _known_in(book, club, [*ids])
    every_id = {
        person: {
            other_id
            for other in (club, *known_in[person])
            for person_id in own_ids
            for other_id in other.ids_of(person_id)
        }
        for person, own_ids in ids.items()
    }
    found = accounts.accounts_of(book, [*{person_id for own_ids in every_id.values() for person_id in own_ids}])
    with_account = {account.person for account in found}
    return {
        person
        for person, own_ids in every_id.items()
        if own_ids.isdisjoint(with_account)
        and all(may(ClubVisit(other, actor), "manage_members") for other in known_in[person])
    }


def _known_in(book: Daybook, club: Club, people: Sequence[str]) -> dict[str, list[Club]]:
    """Return all clubs that know each of some people of a club, by whichever id."""
    ids = {person: club.ids_of(person) for person in people}
    others = book.clubs.with_people([person_id for own_ids in ids.values() for person_id in own_ids])
    return {
        person: [other for other in others if any(other.knows(person_id) for person_id in own_ids)]
        for person, own_ids in ids.items()
    }


def may_make_link(book: Daybook, club: Club, actor: str, account: Account | None) -> bool:
    """Check if an organiser of a club may create a link that signs a member in."""
    return account is not None and not link_faults(book, club, actor, [account])


def link_faults(book: Daybook, club: Club, actor: str, members: Sequence[Account]) -> dict[str, Reason]:
    """Return the reasons that keep an organiser of a club from creating sign-in links, by member.

    The member allowed it, or the club's invitation created the account and its owner has not set a password since. The
    latter holds only while the organiser organises every club of the member: a link opens them all.
    """
    if actor == clubs.OPERATOR:
        return {}
    people = [account.person for account in members]
    if not may(ClubVisit(club, actor), "manage_members"):
        return dict.fromkeys(people, because("not_organiser", "only an organiser of the club can do this"))
    facts = _MemberFacts(
        {*operators.operators(book)},
        link_consent.allowed_in(book, club.id, people),
        _known_in(book, club, people),
        joined_by_choice(book, club, people),
    )
    faults = {account.person: _link_fault(club, actor, account, facts) for account in members}
    return {person: fault for person, fault in faults.items() if fault is not None}


class _MemberFacts(Frozen):
    """Facts of members, read together."""

    operators: set[str]
    allowed_at: dict[str, str]
    clubs: dict[str, list[Club]]
    by_choice: set[str]


def _link_fault(club: Club, actor: str, account: Account, facts: _MemberFacts) -> Reason | None:
    """Return why an organiser may not create a sign-in link for a member's account, or None."""
    person = account.person
    if not club.roles(person):
        return because("not_member", "{person} is not a member of the club", person=person)
    if person in facts.operators:
        return because(
            "is_operator", "{person} is an operator: only the administrator can create a link", person=person
        )
    allowed_at = facts.allowed_at.get(person)
    if allowed_at is not None and not _left_since(club, person, allowed_at):
        return None
    if not all(may(ClubVisit(other, actor), "manage_members") for other in facts.clubs[person]):
        return because("other_clubs", "{person} belongs to a club that you do not organise", person=person)
    if not _is_account_of(club, account, person in facts.by_choice):
        return because(
            "not_allowed",
            "{person} has not allowed links for signing in: members allow it on their own page, and the administrator"
            " can create a link",
            person=person,
        )
    return None


def is_account_of(book: Daybook, club: Club, account: Account) -> bool:
    """Check if an account belongs to a club: its invitation created it, and the owner has set no password since."""
    return _is_account_of(club, account, came_by_choice(book, club, account.person))


def _is_account_of(club: Club, account: Account, by_choice: bool) -> bool:
    return account.club == club.id and by_choice and not _left_since(club, account.person, account.made_at)


def forbid_links(book: Daybook, account: Account, club_id: UUID) -> None:
    """Let no organiser of a club create links that sign a person in, also where its invitation created the account."""
    link_consent.forbid_links(book, account.person, club_id)
    if account.club == club_id:
        accounts.release_from_club(book, account.person)


def _left_since(club: Club, person: str, at: str) -> bool:
    ids = club.ids_of(person)
    left = (entry.event for entry in club.entries if isinstance(entry.event, MemberLeft))
    return any(event.person in ids and event.at >= at for event in left)


def add_member(book: Daybook, club_id: UUID, name: str, roles: Sequence[Role] = (), *, by: str, key: str) -> str:
    """Add a new member without an account and return the id. Raises BadNameError, and as `clubs.write` does."""
    name = clean_name("name", name, NAME_LIMIT)
    person = uuid5(club_id, f"member {key} {name}").hex  # the same again, should this break off half-way
    clubs.write(book, club_id, AddMember(person, tuple(roles), {person: name}), by=by, key=key)
    return person


def can_merge(book: Daybook, club: Club, kept_id: str, gone: str) -> bool:
    """Check if two ids can be made one person."""
    try:
        clubs.preview(book, club.id, MergePeople(kept_id, gone, "x"), by=clubs.OPERATOR)
    except Refused:
        return False
    return True


def rename_guest(book: Daybook, club_id: UUID, person: str, name: str, *, by: str) -> None:
    """Rename a person without an account. Raises Refused, BadNameError."""
    club = book.clubs.get(club_id)
    require(ClubVisit(club, by), "manage_members")
    if account_in(book, club, person) is not None:
        raise Refused(because("own_name", "{person} has an account and can change the name there", person=person))
    _refuse_beyond_reach(book, club, by, person)
    accounts.rename_person(book, person, name, by=by)


def _refuse_beyond_reach(book: Daybook, club: Club, actor: str, person: str) -> None:
    """Raise Refused if an organiser may not act for a person."""
    if anonymise.is_anonymous(book, person):
        raise Refused(because("anonymous_name", "a person who was made anonymous cannot have a name"))
    if not may_act_for(book, club, actor, person):
        raise Refused(because("other_clubs", "{person} belongs to a club that you do not organise", person=person))


def invite(
    book: Daybook, club_id: UUID, roles: Sequence[Role] = (), *, person: str | None = None, by: str
) -> Invitation:
    """Create a link into a club. Raises MayNotError, Refused.

    person: a guest or a member without an account.
    """
    club = book.clubs.get(club_id)
    require(ClubVisit(club, by), "manage_members")
    if person is not None:
        if account_in(book, club, person) is not None:
            raise Refused(because("has_sign_in", "{person} already has an account", person=person))
        _refuse_beyond_reach(book, club, by, person)
    return invitations.invite_to_club(book, club_id, tuple(roles), person=person, by=by)


def sign_in_link(book: Daybook, club_id: UUID, person: str, *, by: str) -> Invitation:
    """Create a link that signs a member in without the password. Raises Refused, InvalidAccountError."""
    club = book.clubs.get(club_id)
    require(ClubVisit(club, by), "manage_members")
    account = account_in(book, club, person)
    if account is not None:
        for fault in link_faults(book, club, by, [account]).values():
            raise Refused(fault)
        if len(link_sign_ins.open_of(book, account.person)) >= link_sign_ins.OPEN_LIMIT:
            raise Refused(
                because(
                    "links_used",
                    "{limit} links were used within {days} days: the member confirms them on another device first",
                    limit=link_sign_ins.OPEN_LIMIT,
                    days=link_sign_ins.UNDO_DAYS,
                )
            )
    return invitations.sign_in_link(book, account.person if account else person, by=by)
