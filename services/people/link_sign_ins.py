"""Sign-ins with a link, and how far each device of a person is trusted while an undo is possible.

A link signs a person in besides the old password. For UNDO_DAYS, a password that was set with it works in addition to
the old one, and the person's other devices can undo the sign-in (`link_undo`). Several links can be open at once. A
session may undo those that came after its own.
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
OPEN_LIMIT = 5  # of one person; the operator's links are not limited


class LinkSignIn(Frozen):
    """A sign-in with a link that can be undone. sign_in, password: what an undo restores; by_link: the open link sign-in
    with which that password was set."""

    id: str
    person: str
    number: int
    made_by: str
    device: str
    at: str
    ends_at: str
    sign_in: str | None
    password: str | None
    password_at: str | None
    by_link: str | None


def open_of(book: Daybook, person: str) -> list[LinkSignIn]:
    """Return a person's sign-ins with links that can still be undone, the oldest first."""
    with book.kept.engine.connect() as c:
        return open_in(c, person)


def open_in(c: sa.Connection, person: str) -> list[LinkSignIn]:
    """As `open_of`, within a transaction."""
    return _read(c.execute(_open().where(kept_link_sign_in.c.person == person)))


def with_old_name(book: Daybook, sign_in: str) -> list[LinkSignIn]:
    """Return open sign-ins that would restore this sign-in name, the oldest first."""
    return _read(book.kept.engine.rows(_open().where(kept_link_sign_in.c.sign_in == sign_in)))


def is_reserved(c: sa.Connection, sign_in: str, person: str) -> bool:
    """Check if an undo could give this sign-in name back to another person. Ask after writing it."""
    other = _open().where(kept_link_sign_in.c.sign_in == sign_in, kept_link_sign_in.c.person != person)
    return c.execute(other.limit(1)).first() is not None


def _open() -> sa.Select[Any]:
    return sa.select(kept_link_sign_in).where(kept_link_sign_in.c.ends_at > now()).order_by(kept_link_sign_in.c.number)


def _read(rows: Iterable[Any]) -> list[LinkSignIn]:
    return [copy_fields(LinkSignIn, row) for row in rows]


def later_than(opened: Sequence[LinkSignIn], by_link: str | None) -> list[LinkSignIn]:
    """Return those of a person's open sign-ins that a session which began with `by_link` may undo."""
    places = {sign_in.id: place for place, sign_in in enumerate(opened)}
    return [*opened[places.get(by_link or "", -1) + 1 :]]


def is_open(opened: Sequence[LinkSignIn], by_link: str | None) -> bool:
    """Check if a session that began with `by_link` is still on trial."""
    return any(sign_in.id == by_link for sign_in in opened)


def note(c: sa.Connection, person: str, made_by: str, device: str) -> str:
    """Note that a link signed a person in, with what an undo restores. Return the id for the session."""
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


def remove(c: sa.Connection, gone: Iterable[LinkSignIn], person: str, *, but: str = "") -> None:
    """Remove sign-ins with links, and end the sessions that began with them, but one."""
    ids = [sign_in.id for sign_in in gone]
    c.execute(kept_session.delete().where(kept_session.c.by_link.in_(ids), kept_session.c.id != but))
    c.execute(kept_link_sign_in.delete().where(kept_link_sign_in.c.person == person, kept_link_sign_in.c.id.in_(ids)))
