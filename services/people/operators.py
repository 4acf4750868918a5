"""Accounts that stand in for whoever runs the service on the web: named by a command on its machine, and by no page."""

from __future__ import annotations

import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.people import accounts
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_operator


def is_operator(book: Daybook, person: str) -> bool:
    return book.kept.engine.value(sa.select(kept_operator.c.person).where(kept_operator.c.person == person)) is not None


def operators(book: Daybook) -> list[str]:
    return [
        *book.kept.engine.values(sa.select(kept_operator.c.person).order_by(kept_operator.c.at, kept_operator.c.person))
    ]


def name_operator(book: Daybook, person: str, *, by: str) -> None:
    """An account may take things off the public lists. Whoever was let into it before, by an organiser's link for
    instance, is let in no more: it signs in anew. Raises BadAccount where there is none."""
    if accounts.account(book, person) is None:
        raise accounts.BadAccount("person", accounts.NO_ACCOUNT)
    with book.kept.engine.begin() as c:  # first: from here on no organiser makes a link
        insert_once(c, kept_operator, {"person": person, "at": now()})
    with book.kept.engine.begin() as c:
        accounts.end_sign_in_links(c, person)
    accounts.end_sessions(book, person, by=by)


def dismiss(book: Daybook, person: str) -> None:
    book.kept.engine.write(kept_operator.delete().where(kept_operator.c.person == person))
