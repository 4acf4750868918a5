"""What follows a sign-in with a link: the person's other devices undo it, or say that it was them."""

from __future__ import annotations

import sqlalchemy as sa

from daybook.domain.kernel.terms import because
from daybook.services.people import accounts, link_consent, link_sign_ins
from daybook.services.people.accounts import BadAccount, Session
from daybook.services.people.link_sign_ins import LinkSignIn
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_account, kept_link_sign_in, kept_session

NOT_OPEN = because("not_open", "this sign-in can no longer be undone from this device")


def answerable(book: Daybook, session: Session) -> list[LinkSignIn]:
    """Return the sign-ins with links that this session may undo, the oldest first."""
    if not session.links_used:
        return []
    return link_sign_ins.later_than(link_sign_ins.open_of(book, session.person), by_link_of(book, session))


def on_trial(book: Daybook, session: Session) -> LinkSignIn | None:
    """Return the open sign-in with a link that this session began with: it must not change the account."""
    if not session.links_used:
        return None
    by_link = by_link_of(book, session)
    return next((one for one in link_sign_ins.open_of(book, session.person) if one.id == by_link), None)


def by_link_of(book: Daybook, session: Session) -> str | None:
    return book.kept.engine.value(sa.select(kept_session.c.by_link).where(kept_session.c.id == session.id))


def undo(book: Daybook, session: Session, id: str) -> None:
    """Restore sign-in name and password as they were before a link was used, and end what began with it.

    From then on the clubs' organisers can create no link for the person until the person allows it. Raises BadAccount.
    """
    person = session.person
    with book.kept.engine.begin() as c:
        gone = _answered(c, session, id)
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
        link_consent.forbid_all(c, person)
        accounts.end_sign_in_links(c, person)
        link_sign_ins.remove(c, gone, person)
        accounts.log_change(c, person, person, "link_undone")


def confirm(book: Daybook, session: Session, id: str) -> None:
    """Say that the person used the link: what was set with it stays, and the old password ends. Raises BadAccount."""
    person = session.person
    with book.kept.engine.begin() as c:
        confirmed = _answered(c, session, id)[0]
        by_link = c.scalar(sa.select(kept_session.c.by_link).where(kept_session.c.id == session.id))
        for table in (kept_account, kept_session, kept_link_sign_in):
            c.execute(
                table.update().where(table.c.person == person, table.c.by_link == confirmed.id).values(by_link=by_link)
            )
        c.execute(kept_link_sign_in.delete().where(kept_link_sign_in.c.id == confirmed.id))
        accounts.log_change(c, person, person, "link_confirmed")


def _answered(c: sa.Connection, session: Session, id: str) -> list[LinkSignIn]:
    """Return a sign-in that the session may undo, and those after it. Raises BadAccount."""
    c.execute(sa.select(kept_account.c.person).where(kept_account.c.person == session.person).with_for_update())
    by_link = c.execute(sa.select(kept_session.c.by_link).where(kept_session.c.id == session.id)).first()
    if by_link is None:
        raise BadAccount("link", NOT_OPEN)
    later = link_sign_ins.later_than(link_sign_ins.open_in(c, session.person), by_link[0])
    place = next((place for place, sign_in in enumerate(later) if sign_in.id == id), None)
    if place is None:
        raise BadAccount("link", NOT_OPEN)
    return later[place:]
