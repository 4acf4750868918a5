"""Accounts with operator rights on the web. Only a command on the server's machine grants them."""

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
    """Give an account operator rights, and sign it out everywhere.

    Raises InvalidAccountError if the account is missing, or if a link sign-in can still be undone: an organiser may
    know its password.
    """
    if accounts.account_of(book, person) is None:
        raise accounts.InvalidAccountError("person", accounts.NO_ACCOUNT)
    if link_sign_ins.open_of(book, person):
        raise accounts.InvalidAccountError("person", LINK_OPEN)
    with book.kept.engine.begin() as c:  # first: it stops organisers from creating links
        insert_once(c, kept_operator, {"person": person, "at": now()})
    with book.kept.engine.begin() as c:
        accounts.end_sign_in_links(c, person)
    accounts.end_sessions(book, person, by=by)


def dismiss_operator(book: Daybook, person: str) -> None:
    book.kept.engine.write(kept_operator.delete().where(kept_operator.c.person == person))
