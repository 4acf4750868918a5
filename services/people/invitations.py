"""Invitations: links that work once, into a club or back into an account.

An invitation is stored by its id. Its key is the id signed with this Daybook's secret, as for a game's links
(`services.permissions.access`): it can be shown again to the inviter and cannot be derived from the database.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import ReasonedError, because
from daybook.services.clock import later_time, now
from daybook.services.people import accounts, link_sign_ins
from daybook.services.store import secret
from daybook.services.store.database import lock_subject
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_invitation, kept_join_request
from daybook.services.structs import copy_fields

CLUB_DAYS = 14
SIGN_IN_DAYS = 2
OPEN_LIMIT = 100  # unused invitations per club


class InvalidInvitationError(ReasonedError):
    """The link does not work, or no longer; the reason says why."""


class Invitation(Frozen):
    """Link that works once."""

    id: str
    club: UUID | None  # the club that it opens; None: the account of `person`
    person: str | None  # None: it works for any holder
    roles: tuple[str, ...]  # that the person gets in the club
    made_by: str  # a person's id, or "operator"
    made_at: str
    ends_at: str


def invite_to_club(
    book: Daybook, club: UUID, roles: Sequence[str], *, person: str | None = None, by: str
) -> Invitation:
    """Create an invitation to a club. The caller checks if `by` may give these roles.

    Raises InvalidAccountError.
    """
    secret.secret_of(book)  # create the secret before the rows that depend on it
    count = sa.select(sa.func.count()).select_from(kept_invitation).where(kept_invitation.c.club == club, *_is_open())
    with book.kept.engine.begin() as c:
        lock_subject(c, "invitations", club)
        if c.scalars(count).one() >= OPEN_LIMIT:
            raise accounts.InvalidAccountError(
                "invitation",
                because("too_many", "{limit} invitations are already open: revoke one first", limit=OPEN_LIMIT),
            )
        return _store_invitation(
            c,
            Invitation(
                secrets.token_urlsafe(16), club, person, tuple(roles), by, now(), later_time(now(), days=CLUB_DAYS)
            ),
        )


def sign_in_link(book: Daybook, person: str, *, by: str) -> Invitation:
    """Create a link that signs a person in; the old password keeps working. An older link ends.

    The caller checks if `by` may do that for the person. Raises InvalidAccountError for a person without an account.
    """
    if accounts.account_of(book, person) is None:
        raise accounts.InvalidAccountError("person", accounts.NO_ACCOUNT)
    secret.secret_of(book)
    with book.kept.engine.begin() as c:
        accounts.end_sign_in_links(c, person)
        return _store_invitation(
            c, Invitation(secrets.token_urlsafe(16), None, person, (), by, now(), later_time(now(), days=SIGN_IN_DAYS))
        )


def _store_invitation(c: sa.Connection, new: Invitation) -> Invitation:
    """Insert an invitation; if it is for one person, note it in their account's history."""
    c.execute(
        kept_invitation.insert().values(
            id=new.id,
            club=new.club,
            person=new.person,
            roles=msgspec.json.encode(new.roles).decode(),
            made_by=new.made_by,
            made_at=new.made_at,
            ends_at=new.ends_at,
        )
    )
    if new.person is not None:
        accounts.log_change(c, new.person, new.made_by, "link_made" if new.club is None else "invited")
    return new


def key_of(book: Daybook, invitation: Invitation) -> str:
    """Return the key of an invitation. It lets any holder in: never log it or put it into a path or query."""
    return key_of_id(book, invitation.id)


def key_of_id(book: Daybook, invitation_id: str) -> str:
    return secret.sign(secret.secret_of(book), "invitation", invitation_id)


def read_invitation(book: Daybook, key: str) -> Invitation:
    """Return the invitation with a key. Raises InvalidInvitationError if it is unknown or spent."""
    invitation_id = secret.signed_value(secret.secret_of(book), "invitation", key)
    row = book.kept.engine.row(sa.select(kept_invitation).where(kept_invitation.c.id == (invitation_id or "")))
    if row is None:
        raise InvalidInvitationError(because("unknown", "the link was mistyped or cut off"))
    _refuse_spent(row)
    return _invitation_of_row(row)


def _refuse_spent(row: Any) -> None:
    if row.used_at is not None:
        raise InvalidInvitationError(because("used", "the link was already used; it works once, for one person"))
    if row.revoked_at is not None:
        raise InvalidInvitationError(because("revoked", "the link was revoked, or replaced by a newer one"))
    if row.ends_at <= now():
        raise InvalidInvitationError(because("over", "the link was valid until {until}", until=row.ends_at))


def use_invitation(book: Daybook, invitation: Invitation, person: str) -> None:
    """Mark an invitation as used by a person. Raises InvalidInvitationError if another user was first."""
    with book.kept.engine.begin() as c:
        spend_invitation(c, invitation, person)


def spend_invitation(c: sa.Connection, invitation: Invitation, person: str) -> None:
    """Mark an invitation as used, within a transaction; end the person's other invitations and request to the club.

    Several organisers may have invited the same person; even of simultaneous uses only one succeeds.
    """
    if invitation.club is not None:
        lock_subject(c, "invitations", invitation.club)  # rows locked one by one can deadlock with a new invitation
    used = c.execute(
        kept_invitation.update()
        .where(kept_invitation.c.id == invitation.id, *_is_open())
        .values(used_at=now(), used_by=person)
    )
    if used.rowcount != 1:
        _refuse_spent(c.execute(sa.select(kept_invitation).where(kept_invitation.c.id == invitation.id)).one())
        raise InvalidInvitationError(because("used", "the link was already used; it works once, for one person"))
    if invitation.club is not None and invitation.person is not None:
        others = kept_invitation.c.club == invitation.club, kept_invitation.c.person == invitation.person
        c.execute(kept_invitation.update().where(*others, *_is_open()).values(revoked_at=now()))
    if invitation.club is not None:  # an old request must not readmit a former member
        answered = kept_join_request.c.club == invitation.club, kept_join_request.c.person == person
        c.execute(kept_join_request.delete().where(*answered))
    accounts.log_change(c, person, invitation.made_by, "signed_in_by_link" if invitation.club is None else "joined")


def sign_in_by_link(book: Daybook, invitation: Invitation, device: str) -> str:
    """Sign a person in with a link of `sign_in_link`; return the token for the browser's cookie.

    Raises InvalidInvitationError, and InvalidAccountError for a person who has been made anonymous meanwhile.
    """
    person = invitation.person
    assert person is not None

    def along(c: sa.Connection) -> str:
        spend_invitation(c, invitation, person)
        return link_sign_ins.note_link_sign_in(c, person, invitation.made_by, device[: accounts.DEVICE_LIMIT])

    return accounts.begin_session(book, person, device, along)


def open_invitations(book: Daybook, club: UUID) -> list[Invitation]:
    """Return the unused invitations to a club, the newest first."""
    query = sa.select(kept_invitation).where(kept_invitation.c.club == club, *_is_open())
    return [
        _invitation_of_row(row)
        for row in book.kept.engine.rows(query.order_by(kept_invitation.c.made_at.desc(), kept_invitation.c.id))
    ]


def used_into_clubs(book: Daybook, after: str, before: str) -> list[tuple[Invitation, str, str]]:
    """Return club invitations used between two times, as (invitation, user, time)."""
    used = kept_invitation.c.used_at
    query = sa.select(kept_invitation).where(kept_invitation.c.club.is_not(None), used > after, used < before)
    return [(_invitation_of_row(row), row.used_by, row.used_at) for row in book.kept.engine.rows(query.order_by(used))]


def accepted_by(book: Daybook, club: UUID, people: Collection[str]) -> set[str]:
    """Return the subset of people that joined a club by invitation."""
    query = sa.select(kept_invitation.c.used_by).where(kept_invitation.c.club == club)
    return {row.used_by for row in book.kept.engine.rows_where_in(query, kept_invitation.c.used_by, people)}


def revoke_invitation(book: Daybook, club: UUID, invitation_id: str) -> bool:
    """Revoke an invitation to a club; return False if the club has no unused one with this id."""
    with book.kept.engine.begin() as c:
        gone = c.execute(
            kept_invitation.update()
            .where(kept_invitation.c.id == invitation_id, kept_invitation.c.club == club, *_is_open())
            .values(revoked_at=now())
        )
    return bool(gone.rowcount)


def _is_open() -> tuple[sa.ColumnElement[bool], ...]:
    return (
        kept_invitation.c.used_at.is_(None),
        kept_invitation.c.revoked_at.is_(None),
        kept_invitation.c.ends_at > now(),
    )


def _invitation_of_row(row: Any) -> Invitation:
    return copy_fields(Invitation, row, roles=tuple(msgspec.json.decode(row.roles)))
