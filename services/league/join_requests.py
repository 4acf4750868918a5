"""Joining a club by its own link: every holder of the link can ask, and an organiser admits or refuses them.

The link's key is its id signed with this Daybook's secret, as for invitations. A new link ends the previous one.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import because
from daybook.domain.league.club import Club
from daybook.services.clock import now
from daybook.services.league import joining
from daybook.services.people import accounts, invitations
from daybook.services.people.invitations import InvalidInvitationError
from daybook.services.permissions.actions import ClubVisit, may, require
from daybook.services.store import secret
from daybook.services.store.database import lock_subject, upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import UnknownClubError
from daybook.services.store.kept import kept_club_link, kept_join_request

MAX_OPEN_REQUESTS_PER_CLUB = 100
MAX_OPEN_REQUESTS_PER_PERSON = 20


class ClubLink(Frozen):
    """The link of a club for requests to join it."""

    id: str
    club: UUID
    made_by: str
    made_at: str


class JoinRequest(Frozen):
    """Request of a person to join a club. refused_at: None while the request is open."""

    club: UUID
    person: str
    at: str
    refused_at: str | None = None


# --- the link --------------------------------------------------------------------------------------------------------


def make_club_link(book: Daybook, club_id: UUID, *, by: str) -> ClubLink:
    """Create the link of a club; an older one ends. Raises MayNotError."""
    require(ClubVisit(book.clubs.get(club_id), by), "manage_members")
    secret.secret_of(book)  # create the secret before the rows that depend on it
    link = ClubLink(secrets.token_urlsafe(16), club_id, by, now())
    row = {"club": link.club, "id": link.id, "made_by": link.made_by, "made_at": link.made_at}
    with book.kept.engine.begin() as c:
        upsert(c, kept_club_link, [row], ["club"])
    return link


def close_club_link(book: Daybook, club_id: UUID, *, by: str) -> None:
    """End the link of a club. Requests that wait stay. Raises MayNotError."""
    require(ClubVisit(book.clubs.get(club_id), by), "manage_members")
    book.kept.engine.write(kept_club_link.delete().where(kept_club_link.c.club == club_id))


def find_club_link(book: Daybook, club_id: UUID) -> ClubLink | None:
    row = book.kept.engine.row(sa.select(kept_club_link).where(kept_club_link.c.club == club_id))
    return None if row is None else ClubLink(row.id, row.club, row.made_by, row.made_at)


def sign_club_link(book: Daybook, link: ClubLink) -> str:
    """Return the key of a link. Never log it or put it into a path or query."""
    return secret.sign(secret.secret_of(book), "club link", link.id)


def read_club_link(book: Daybook, key: str) -> Club | None:
    """Return the club of a link's key, or None if it is not the key of a club's link.

    Raises InvalidInvitationError if the link was replaced, or its creator may no longer invite.
    """
    link_id = secret.signed_value(secret.secret_of(book), "club link", key)
    if link_id is None:
        return None
    row = book.kept.engine.row(sa.select(kept_club_link).where(kept_club_link.c.id == link_id))
    revoked = InvalidInvitationError(because("revoked", "the link was revoked, or replaced by a newer one"))
    if row is None:
        raise revoked
    try:
        club = book.clubs.get(row.club)
    except UnknownClubError as error:
        raise revoked from error
    if club.removed or not may(ClubVisit(club, row.made_by), "manage_members"):
        raise revoked
    return club


# --- requests --------------------------------------------------------------------------------------------------------


def ask_to_join(book: Daybook, key: str, person: str) -> Club:
    """Ask to join the club of a link. A repeated request changes nothing. Raises InvalidInvitationError, Refused."""
    club = read_club_link(book, key)
    if club is None:
        raise InvalidInvitationError(because("unknown", "the link was mistyped or cut off"))
    if club.roles(person):
        raise Refused(because("member_already", "you are already a member of this club"))
    table = kept_join_request
    waiting = sa.select(sa.func.count()).select_from(table).where(table.c.refused_at.is_(None))
    with book.kept.engine.begin() as c:
        lock_subject(c, "join requests", club.id)
        accounts.require_person(c, person)
        if c.execute(sa.select(table).where(table.c.club == club.id, table.c.person == person)).first():
            return club
        if (
            c.scalars(waiting.where(table.c.club == club.id)).one() >= MAX_OPEN_REQUESTS_PER_CLUB
            or c.scalars(waiting.where(table.c.person == person)).one() >= MAX_OPEN_REQUESTS_PER_PERSON
        ):
            raise Refused(because("requests_wait", "too many requests wait for an answer: try again later"))
        c.execute(table.insert().values(club=club.id, person=person, at=now()))
    return club


def withdraw_request(book: Daybook, club_id: UUID, person: str) -> None:
    """Withdraw an open request."""
    waiting = kept_join_request.c.club == club_id, kept_join_request.c.person == person
    book.kept.engine.write(kept_join_request.delete().where(*waiting, kept_join_request.c.refused_at.is_(None)))


def find_request(book: Daybook, club_id: UUID, person: str) -> JoinRequest | None:
    is_request = kept_join_request.c.club == club_id, kept_join_request.c.person == person
    row = book.kept.engine.row(sa.select(kept_join_request).where(*is_request))
    return None if row is None else JoinRequest(row.club, row.person, row.at, row.refused_at)


def list_requests_of_person(book: Daybook, person: str) -> list[JoinRequest]:
    query = sa.select(kept_join_request).where(kept_join_request.c.person == person).order_by(kept_join_request.c.at)
    return [JoinRequest(row.club, row.person, row.at, row.refused_at) for row in book.kept.engine.rows(query)]


def list_open_requests(book: Daybook, club: Club) -> list[JoinRequest]:
    """Return the open requests of a club, oldest first, without requests of present members."""
    table = kept_join_request
    query = sa.select(table).where(table.c.club == club.id, table.c.refused_at.is_(None))
    return [
        JoinRequest(row.club, row.person, row.at)
        for row in book.kept.engine.rows(query.order_by(table.c.at, table.c.person))
        if not club.roles(row.person)
    ]


def admit_person(book: Daybook, club_id: UUID, person: str, *, by: str, guest: str = "") -> None:
    """Admit a person with a request to join.

    Args:
        guest: the guest of the club that the person is, if any.

    Raises MayNotError, Refused, InvalidAccountError.
    """
    club = book.clubs.get(club_id)
    require(ClubVisit(club, by), "manage_members")
    if club.roles(person):  # a repeated request, or another organiser admitted the person
        return
    request = find_request(book, club_id, person)
    if request is None or request.refused_at:  # a refused person cannot withdraw the request
        raise Refused(because("no_request", "this person has not asked to join"))
    if guest and not club.knows(guest):
        raise Refused(because("not_of_club", "this person is not in the club"))
    invitation = invitations.invite_to_club(book, club_id, (), person=guest or None, by=by)
    try:
        joining.accept_invitation(book, invitation, person)
    except Refused:
        invitations.revoke_invitation(book, club_id, invitation.id)
        raise
    except InvalidInvitationError as error:  # another organiser admits the person just now
        raise Refused(because("no_request", "this person has not asked to join")) from error


def refuse_request(book: Daybook, club_id: UUID, person: str, *, by: str) -> None:
    """Refuse a request. The person cannot ask again, but can be invited. Raises MayNotError."""
    require(ClubVisit(book.clubs.get(club_id), by), "manage_members")
    is_request = kept_join_request.c.club == club_id, kept_join_request.c.person == person
    book.kept.engine.write(
        kept_join_request.update().where(*is_request, kept_join_request.c.refused_at.is_(None)).values(refused_at=now())
    )


def export_requests(book: Daybook, person: str) -> list[dict[str, str]]:
    """Return the requests of a person for their data export."""
    found = list[dict[str, str]]()
    for request in list_requests_of_person(book, person):
        with suppress(UnknownClubError):
            found.append({"club": book.clubs.get(request.club).name, "at": request.at})
    return found
