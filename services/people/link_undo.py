"""Undo or confirm a sign-in by link, from the person's other devices."""

from __future__ import annotations

import sqlalchemy as sa

from daybook.domain.kernel.terms import because
from daybook.services.people import accounts, link_consent, link_sign_ins
from daybook.services.people.accounts import InvalidAccountError, Session
from daybook.services.people.link_sign_ins import LinkSignIn
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_account, kept_link_sign_in, kept_session

NOT_OPEN = because("not_open", "this sign-in can no longer be undone from this device")


def sign_ins_to_answer(book: Daybook, session: Session) -> list[LinkSignIn]:
    """Return the sign-ins by link that this session may undo, the oldest first."""
    if not session.links_used:
        return []
    return link_sign_ins.later_than(link_sign_ins.open_of(book, session.person), by_link_of(book, session))


def open_sign_in_of(book: Daybook, session: Session) -> LinkSignIn | None:
    """Return the open link sign-in that this session began with; such a session must not change the account."""
    if not session.links_used:
        return None
    by_link = by_link_of(book, session)
    return next((sign_in for sign_in in link_sign_ins.open_of(book, session.person) if sign_in.id == by_link), None)


def by_link_of(book: Daybook, session: Session) -> str | None:
    return book.kept.engine.value(sa.select(kept_session.c.by_link).where(kept_session.c.id == session.id))


def undo_link_sign_in(book: Daybook, session: Session, sign_in_id: str) -> None:
    """Restore sign-in name and password from before a link was used, and end what began with it.

    The person's consent to sign-in links ends for all clubs. Raises InvalidAccountError.
    """
    person = session.person
    with book.kept.engine.begin() as c:
        gone = _answered(c, session, sign_in_id)
        first = gone[0]
        c.execute(
            kept_account.update()
            .where(kept_account.c.person == person)
            .values(
                sign_in=first.sign_in,
                password=first.password,
                password_at=first.password_at,
                by_link=first.by_link,
                club=None,
            )
        )
        link_consent.forbid_all_links(c, person)
        accounts.end_sign_in_links(c, person)
        link_sign_ins.remove_link_sign_ins(c, gone, person)
        accounts.log_change(c, person, person, "link_undone")


def confirm_link_sign_in(book: Daybook, session: Session, sign_in_id: str) -> None:
    """Confirm that the person used the link: the new password stays, the old one ends.

    Raises InvalidAccountError.
    """
    person = session.person
    with book.kept.engine.begin() as c:
        confirmed = _answered(c, session, sign_in_id)[0]
        by_link = c.scalar(sa.select(kept_session.c.by_link).where(kept_session.c.id == session.id))
        for table in (kept_account, kept_session, kept_link_sign_in):
            c.execute(
                table.update().where(table.c.person == person, table.c.by_link == confirmed.id).values(by_link=by_link)
            )
        c.execute(kept_link_sign_in.delete().where(kept_link_sign_in.c.id == confirmed.id))
        accounts.log_change(c, person, person, "link_confirmed")


def _answered(c: sa.Connection, session: Session, sign_in_id: str) -> list[LinkSignIn]:
    """Return a sign-in that the session may undo, and the later ones. Raises InvalidAccountError."""
    c.execute(sa.select(kept_account.c.person).where(kept_account.c.person == session.person).with_for_update())
    by_link = c.execute(sa.select(kept_session.c.by_link).where(kept_session.c.id == session.id)).first()
    if by_link is None:
        raise InvalidAccountError("link", NOT_OPEN)
    later = link_sign_ins.later_than(link_sign_ins.open_in(c, session.person), by_link[0])
    place = next((place for place, sign_in in enumerate(later) if sign_in.id == sign_in_id), None)
    if place is None:
        raise InvalidAccountError("link", NOT_OPEN)
    return later[place:]
