"""Invitations: links that let a person in once, into a club or back into an account.

An invitation is kept by its id; its key is the id signed with the service's secret, as the key of a game's link is
(`services.permissions.access`), so that it can be shown again to who made it and cannot be made from what the database
holds.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
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
from daybook.services.store.kept import kept_invitation
from daybook.services.structs import copy_fields

CLUB_DAYS = 14
SIGN_IN_DAYS = 2
OPEN_LIMIT = 100  # of one club that wait to be used


class NoInvitation(ReasonedError):
    """The link lets nobody in (any more): ask for a new one. The reason says why."""


class Invitation(Frozen):
    """One link that lets a person in once.

    club: into which; None: back into the account of `person`. person: whom it is for; None: whoever has the link.
    roles: what the person becomes in the club. made_by: a person's id, or "operator".
    """

    id: str
    club: UUID | None
    person: str | None
    roles: tuple[str, ...]
    made_by: str
    made_at: str
    ends_at: str


def invite(book: Daybook, club: UUID, roles: Sequence[str], *, person: str | None = None, by: str) -> Invitation:
    """A link into a club. The caller asks whether `by` may give these roles. Raises BadAccount."""
    secret.secret_of(book)  # there is one before anything is kept that it signs
    count = sa.select(sa.func.count()).select_from(kept_invitation).where(kept_invitation.c.club == club, *_is_open())
    with book.kept.engine.begin() as c:
        lock_subject(c, "invitations", club)
        if c.scalars(count).one() >= OPEN_LIMIT:
            raise accounts.BadAccount(
                "invitation",
                because("too_many", "{limit} invitations are open already: revoke one first", limit=OPEN_LIMIT),
            )
        return _store_invitation(
            c,
            Invitation(
                secrets.token_urlsafe(16), club, person, tuple(roles), by, now(), later_time(now(), days=CLUB_DAYS)
            ),
        )


def sign_in_link(book: Daybook, person: str, *, by: str) -> Invitation:
    """Create a link that signs a person in, who may then set a password besides the old one. An older link ends.

    The caller checks that `by` may do that for the person. Raises BadAccount for somebody without an account.
    """
    if accounts.account(book, person) is None:
        raise accounts.BadAccount("person", accounts.NO_ACCOUNT)
    secret.secret_of(book)
    with book.kept.engine.begin() as c:
        accounts.end_sign_in_links(c, person)
        return _store_invitation(
            c, Invitation(secrets.token_urlsafe(16), None, person, (), by, now(), later_time(now(), days=SIGN_IN_DAYS))
        )


def _store_invitation(c: sa.Connection, new: Invitation) -> Invitation:
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
    """The key of an invitation. Whoever has it is let in: never log it, never put it into a URL's path or query."""
    return secret.sign(secret.secret_of(book), "invitation", invitation.id)


def read_invitation(book: Daybook, key: str) -> Invitation:
    """Reads an invitation by its key: what it lets in to. Raises NoInvitation."""
    id = secret.signed_value(secret.secret_of(book), "invitation", key)
    row = book.kept.engine.row(sa.select(kept_invitation).where(kept_invitation.c.id == (id or "")))
    if row is None:
        raise NoInvitation(because("unknown", "the link was mistyped or cut off"))
    _refuse_spent(row)
    return _invitation_of_row(row)


def _refuse_spent(row: Any) -> None:
    if row.used_at is not None:
        raise NoInvitation(because("used", "the link was already used; it works once, for one person"))
    if row.revoked_at is not None:
        raise NoInvitation(because("revoked", "the link was revoked, or replaced by a newer one"))
    if row.ends_at <= now():
        raise NoInvitation(because("over", "the link was valid until {until}", until=row.ends_at))


def use(book: Daybook, invitation: Invitation, person: str) -> None:
    """Let a person in: from now on the link lets in nobody else. Raises NoInvitation where another was quicker."""
    with book.kept.engine.begin() as c:
        spend(c, invitation, person)


def spend(c: sa.Connection, invitation: Invitation, person: str) -> None:
    """Spends an invitation, as part of a transaction. Whoever it is for has come: other links for them into the club,
    one for each organiser say, let nobody in any more, of several at once neither."""
    others = kept_invitation.c.club == invitation.club, kept_invitation.c.person == invitation.person
    if invitation.club is not None and invitation.person is not None:
        for_them = sa.select(kept_invitation.c.id).where(*others).order_by(kept_invitation.c.id)
        c.execute(for_them.with_for_update()).all()
    used = c.execute(
        kept_invitation.update()
        .where(kept_invitation.c.id == invitation.id, *_is_open())
        .values(used_at=now(), used_by=person)
    )
    if used.rowcount != 1:
        _refuse_spent(c.execute(sa.select(kept_invitation).where(kept_invitation.c.id == invitation.id)).one())
        raise NoInvitation(because("used", "the link was already used; it works once, for one person"))
    if invitation.club is not None and invitation.person is not None:
        c.execute(kept_invitation.update().where(*others, *_is_open()).values(revoked_at=now()))
    accounts.log_change(c, person, invitation.made_by, "signed_in_by_link" if invitation.club is None else "joined")


def let_in(book: Daybook, invitation: Invitation, device: str) -> str:
    """Sign a person in with a link of `sign_in_link`. Return what the browser's cookie is to hold.

    Raises NoInvitation, and BadAccount for who was made anonymous meanwhile.
    """
    person = invitation.person
    assert person is not None

    def along(c: sa.Connection) -> str:
        spend(c, invitation, person)
        return link_sign_ins.note(c, person, invitation.made_by, device[: accounts.DEVICE_LIMIT])

    return accounts.begin_session(book, person, device, along)


def open_invitations(book: Daybook, club: UUID) -> list[Invitation]:
    """The links into a club that wait to be used, the newest first."""
    query = sa.select(kept_invitation).where(kept_invitation.c.club == club, *_is_open())
    return [
        _invitation_of_row(row)
        for row in book.kept.engine.rows(query.order_by(kept_invitation.c.made_at.desc(), kept_invitation.c.id))
    ]


def used_into_clubs(book: Daybook, after: str, before: str) -> list[tuple[Invitation, str, str]]:
    """The links into clubs that were used between two times, each with who used it, and when."""
    used = kept_invitation.c.used_at
    query = sa.select(kept_invitation).where(kept_invitation.c.club.is_not(None), used > after, used < before)
    return [(_invitation_of_row(row), row.used_by, row.used_at) for row in book.kept.engine.rows(query.order_by(used))]


def has_accepted(book: Daybook, club: UUID, person: str) -> bool:
    """Whether somebody came into a club by a link."""
    query = sa.select(kept_invitation.c.id).where(kept_invitation.c.club == club, kept_invitation.c.used_by == person)
    return book.kept.engine.row(query.limit(1)) is not None


def revoke(book: Daybook, club: UUID, id: str) -> bool:
    """From now on a link into a club lets nobody in; False if the club has none of this id that waits."""
    with book.kept.engine.begin() as c:
        gone = c.execute(
            kept_invitation.update()
            .where(kept_invitation.c.id == id, kept_invitation.c.club == club, *_is_open())
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
