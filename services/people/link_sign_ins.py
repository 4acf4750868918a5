"""Sign-ins by link, and which of a person's sessions may undo them.

A link signs a person in while the old password stays valid. For UNDO_DAYS, a password that was set with it works in
addition to the old one, and the person's other devices can undo the sign-in (`link_undo`). Several can be open at once.
A session may undo those that came after its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import uuid4

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import later_time, now
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_account, kept_link_sign_in, kept_session
from daybook.services.structs import copy_fields

UNDO_DAYS = 14
OPEN_LIMIT = 5  # per person; the operator's links are not limited


class LinkSignIn(Frozen):
    """Sign-in by link that can be undone."""

    id: str
    person: str
    number: int
    made_by: str
    device: str
    at: str
    ends_at: str
    sign_in: str | None  # this and the next three are what an undo restores
    password: str | None
    password_at: str | None
    by_link: str | None  # the open link sign-in with which that password was set


def open_of(book: Daybook, person: str) -> list[LinkSignIn]:
    """Return a person's sign-ins by link that can still be undone, the oldest first."""
    with book.kept.engine.connect() as c:
        return open_in(c, person)


def open_in(c: sa.Connection, person: str) -> list[LinkSignIn]:
    """Return the same as `open_of`, within a transaction."""
    return _read(c.execute(_select_open().where(kept_link_sign_in.c.person == person)))


def with_old_name(book: Daybook, sign_in: str) -> list[LinkSignIn]:
    """Return open sign-ins that would restore this sign-in name, the oldest first."""
    return _read(book.kept.engine.rows(_select_open().where(kept_link_sign_in.c.sign_in == sign_in)))


def is_reserved(c: sa.Connection, sign_in: str, person: str) -> bool:
    """Check if an undo could restore this sign-in name for another person. Call it after writing the name."""
    other = _select_open().where(kept_link_sign_in.c.sign_in == sign_in, kept_link_sign_in.c.person != person)
    return c.execute(other.limit(1)).first() is not None


def _select_open() -> sa.Select[Any]:
    return sa.select(kept_link_sign_in).where(kept_link_sign_in.c.ends_at > now()).order_by(kept_link_sign_in.c.number)


def _read(rows: Iterable[Any]) -> list[LinkSignIn]:
    return [copy_fields(LinkSignIn, row) for row in rows]


def later_than(opened: Sequence[LinkSignIn], by_link: str | None) -> list[LinkSignIn]:
    """Return those open sign-ins that a session which began with `by_link` may undo: the later ones."""
    places = {sign_in.id: place for place, sign_in in enumerate(opened)}
    return [*opened[places.get(by_link or "", -1) + 1 :]]


def is_open(opened: Sequence[LinkSignIn], by_link: str | None) -> bool:
    """Check if the link sign-in of a session can still be undone."""
    return any(sign_in.id == by_link for sign_in in opened)


def note_link_sign_in(c: sa.Connection, person: str, made_by: str, device: str) -> str:
    """Record a sign-in by link with what an undo restores; return its id for the session."""
    at = now()
    c.execute(kept_link_sign_in.delete().where(kept_link_sign_in.c.ends_at <= at))
    account = c.execute(sa.select(kept_account).where(kept_account.c.person == person).with_for_update()).one()
    opened = open_in(c, person)
    new = LinkSignIn(
        uuid4().hex,
        person,
        opened[-1].number + 1 if opened else 1,
        made_by,
        device,
        at,
        later_time(at, days=UNDO_DAYS),
        account.sign_in,
        account.password,
        account.password_at,
        account.by_link,
    )
    c.execute(kept_link_sign_in.insert().values({name: getattr(new, name) for name in new.__struct_fields__}))
    return new.id


def remove_link_sign_ins(c: sa.Connection, gone: Iterable[LinkSignIn], person: str, *, but: str = "") -> None:
    """Delete sign-ins by link, and the sessions that began with them except `but`."""
    ids = [sign_in.id for sign_in in gone]
    c.execute(kept_session.delete().where(kept_session.c.by_link.in_(ids), kept_session.c.id != but))
    c.execute(kept_link_sign_in.delete().where(kept_link_sign_in.c.person == person, kept_link_sign_in.c.id.in_(ids)))
