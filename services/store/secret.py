"""The secret that signs links, invitations and cookies: made once, and never silently another.

Which secret is meant is noted in the kept tables by its mark, which tells nothing of it. So a secret that was lost, or
one that is not the one everything was signed with, is noticed before it makes every link worthless.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from itsdangerous import BadSignature, Signer

from daybook.services.clock import now
from daybook.services.counted import counted
from daybook.services.settings import PREFIX, BadSetting, NoSecret
from daybook.services.store.database import insert_once
from daybook.services.store.kept import kept_grant, kept_invitation, kept_secret

if TYPE_CHECKING:
    from daybook.services.store.daybook import Daybook

VARIABLE = PREFIX + "SECRET_FILE"


NOW, BEFORE = hashlib.sha256, hashlib.sha1  # what keys are signed with, and what those of earlier versions were


class LostSecret(BadSetting):
    """The secret that links were signed with is not there; the message says what another would do."""


class OtherSecret(BadSetting):
    """The secret is not the one that links were signed with; the message says what to do."""


def secret_of(book: Daybook) -> bytes:
    """The secret; made if nothing was ever signed. Raises BadSetting, LostSecret."""
    found = _read_secret(book)
    if found is not None:
        return found
    book.settings.make_secret()
    return checked_secret(book)


def checked_secret(book: Daybook) -> bytes:
    """The secret, held against the one that everything was signed with. Raises BadSetting, LostSecret, OtherSecret."""
    secret = secret_of(book)
    _refuse_other(book, secret)
    if noted_mark(book) is None:
        _note_mark(book, secret)
    return secret


def examine(book: Daybook) -> bool:
    """Whether there is a secret; it is made with its first use. Changes nothing. Raises as `checked_secret` does."""
    found = _read_secret(book)
    if found is not None:
        _refuse_other(book, found)
    return found is not None


def _read_secret(book: Daybook) -> bytes | None:
    """The secret; None if there never was one. Raises BadSetting, LostSecret."""
    try:
        return book.settings.secret()
    except NoSecret:
        if noted_mark(book) is None and not _has_signed(book):
            return None
    try:
        return book.settings.secret()  # somebody else made it between the first look and the mark
    except NoSecret:
        pass
    raise LostSecret(
        VARIABLE,
        (
            f"{book.settings.secret_path} is not there. {what_would_end(book)} Restore it from a backup, or go on without "
            "it on purpose with `daybook new-secret`"
        ),
    )


def _refuse_other(book: Daybook, secret: bytes) -> None:
    if noted_mark(book) not in (None, mark_of(secret)):
        raise OtherSecret(
            VARIABLE,
            (
                f"{book.settings.secret_path} holds another secret than links were signed with. {what_would_end(book)} "
                "Name the right file, or go on with this one on purpose with `daybook new-secret`"
            ),
        )


def renew(book: Daybook) -> None:
    """Go on with another secret on purpose: the one in the file if it is another already, else a new one.

    Raises BadSetting if the file is not ours to write.
    """
    settings = book.settings
    try:
        secret: bytes | None = settings.secret()
    except NoSecret:
        secret = None
    if secret is not None and mark_of(secret) == noted_mark(book):
        if settings.secret_file is not None:
            raise BadSetting(VARIABLE, f"write another secret into {settings.secret_file} first, then repeat this")
        settings.secret_path.unlink()
    if settings.secret_file is None:
        settings.make_secret()
    _note_mark(book, settings.secret())


def sign(secret: bytes, kind: str, value: str) -> str:
    """A key of a kind ("grant"): the value and its signature."""
    return _signer(secret, kind, NOW).sign(value).decode()


def signed_value(secret: bytes, kind: str, key: str) -> str | None:
    """What a key of a kind signs, an earlier version's too; None: it was not made with this secret."""
    for digest in (NOW, BEFORE):
        try:
            return _signer(secret, kind, digest).unsign(key).decode("ascii")
        except (BadSignature, UnicodeError):
            pass
    return None


def _signer(secret: bytes, kind: str, digest: Any) -> Signer:
    return Signer(secret, salt=f"daybook.{kind}", digest_method=digest)


def what_would_end(book: Daybook) -> str:
    """Consequences of another secret, in sentences."""
    with book.kept.engine.connect() as c:
        links = c.scalar(sa.select(sa.func.count()).where(kept_grant.c.revoked_at.is_(None)))
        invitations = c.scalar(sa.select(sa.func.count()).where(kept_invitation.c.used_at.is_(None)))
    return (
        f"With another one {counted(links or 0, 'link')} to games and {counted(invitations or 0, 'invitation')} would "
        "open nothing, and everybody "
        "would be signed out; no record, name or result would change."
    )


def mark_of(secret: bytes) -> str:
    return hmac.new(secret, b"which secret", hashlib.sha256).hexdigest()[:32]


def noted_mark(book: Daybook) -> str | None:
    """The mark of the secret that is meant; None where none was noted yet."""
    mark: str | None = book.kept.engine.value(
        sa.select(kept_secret.c.mark).order_by(kept_secret.c.since.desc()).limit(1)
    )
    return mark


def _note_mark(book: Daybook, secret: bytes) -> None:
    with book.kept.engine.begin() as c:
        c.execute(kept_secret.delete().where(kept_secret.c.mark != mark_of(secret)))
        insert_once(c, kept_secret, {"mark": mark_of(secret), "since": now()})


def _has_signed(book: Daybook) -> bool:
    """Whether links or invitations were made, by an older Daybook that noted nothing."""
    with book.kept.engine.connect() as c:
        return any(c.execute(sa.select(table.c.id).limit(1)).first() for table in (kept_grant, kept_invitation))
