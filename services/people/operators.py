"""Accounts that stand in for whoever runs the service on the web: named by a command on its machine, and by no page."""

from __future__ import annotations

import sqlalchemy as sa

from daybook.domain.kernel.terms import because
from daybook.services.clock import now
from daybook.services.people import accounts, link_sign_ins
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_operator

LINK_OPEN = because("link_open", "a link signed this person in: they confirm it on their own page first")


def is_operator(book: Daybook, person: str) -> bool:
    return book.kept.engine.value(sa.select(kept_operator.c.person).where(kept_operator.c.person == person)) is not None


def operators(book: Daybook) -> list[str]:
    return [
        *book.kept.engine.values(sa.select(kept_operator.c.person).order_by(kept_operator.c.at, kept_operator.c.person))
    ]


def name_operator(book: Daybook, person: str, *, by: str) -> None:
    """Let an account take things off the public lists, and sign it out everywhere.

    Raises BadAccount where there is none, and while a link that signed it in can be undone: an organiser may know the
    password.
    """
    if accounts.account(book, person) is None:
        raise accounts.BadAccount("person", accounts.NO_ACCOUNT)
    if link_sign_ins.open_of(book, person):
        raise accounts.BadAccount("person", LINK_OPEN)
    with book.kept.engine.begin() as c:  # first: from here on no organiser makes a link
        insert_once(c, kept_operator, {"person": person, "at": now()})
    with book.kept.engine.begin() as c:
        accounts.end_sign_in_links(c, person)
    accounts.end_sessions(book, person, by=by)


def dismiss(book: Daybook, person: str) -> None:
    book.kept.engine.write(kept_operator.delete().where(kept_operator.c.person == person))
