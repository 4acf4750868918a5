"""The operator's sessions: a link opens one, once, and its actions are recorded.

Only a command on the server's machine creates the link. An account, whatever its rights, opens no such session.
"""

from __future__ import annotations

import hashlib
import secrets

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import later_time, now
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_operator_action, kept_operator_link

LINK_MINUTES = 15  # in which a link can be opened
SESSION_MINUTES = 15
ACTIONS_SHOWN = 20


class OperatorAction(Frozen):
    """Something that the operator did on the page."""

    at: str
    action: str
    details: str


def make_link(book: Daybook) -> tuple[str, str]:
    """Create a link; return its key and until when it can be opened. Ends unopened links and expired sessions."""
    key, until = secrets.token_urlsafe(24), later_time(now(), minutes=LINK_MINUTES)
    with book.kept.engine.begin() as c:
        open_session = sa.and_(kept_operator_link.c.session.is_not(None), kept_operator_link.c.until > now())
        c.execute(kept_operator_link.delete().where(sa.not_(open_session)))
        c.execute(kept_operator_link.insert().values(digest=_digest(key), until=until))
    return key, until


def open_session(book: Daybook, key: str) -> str | None:
    """Open a session with the key of a link; return its token. None if the key is wrong, used or too old."""
    token = secrets.token_urlsafe(24)
    link = kept_operator_link.c
    opened = book.kept.engine.write(
        kept_operator_link.update()
        .where(link.digest == _digest(key), link.session.is_(None), link.until > now())
        .values(session=_digest(token), until=later_time(now(), minutes=SESSION_MINUTES))
    )
    if not opened:
        return None
    note_action(book, "open", "")
    return token


def session_until(book: Daybook, token: str) -> str | None:
    """Return until when a session is open; None if it is not."""
    link = kept_operator_link.c
    until = book.kept.engine.value(
        sa.select(link.until).where(link.session == _digest(token), link.until > now())
        if token
        else sa.select(sa.null())
    )
    return until and str(until)


def end_session(book: Daybook, token: str) -> None:
    book.kept.engine.write(kept_operator_link.delete().where(kept_operator_link.c.session == _digest(token)))


def note_action(book: Daybook, action: str, details: str) -> None:
    """Record an action of the operator."""
    book.kept.engine.write(
        kept_operator_action.insert().values(id=secrets.token_hex(8), at=now(), action=action, details=details)
    )


def recent_actions(book: Daybook) -> list[OperatorAction]:
    """Return the newest actions, the newest first."""
    table = kept_operator_action.c
    rows = book.kept.engine.rows(
        sa.select(table.at, table.action, table.details).order_by(table.at.desc(), table.id).limit(ACTIONS_SHOWN)
    )
    return [OperatorAction(*row) for row in rows]


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
