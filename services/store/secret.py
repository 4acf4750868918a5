"""The secret that signs links, invitations and cookies: created once, and never replaced silently.

The kept tables store its mark, a keyed digest. So a lost or another secret is noticed before every link stops working.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from itsdangerous import BadSignature, Signer

from daybook.services.clock import now
from daybook.services.counted import counted
from daybook.services.settings import PREFIX, BadSettingError, NoSecretError
from daybook.services.store.database import insert_once
from daybook.services.store.kept import kept_grant, kept_invitation, kept_secret

if TYPE_CHECKING:
    from daybook.services.store.daybook import Daybook

VARIABLE = PREFIX + "SECRET_FILE"


NOW, BEFORE = hashlib.sha256, hashlib.sha1  # digests of signatures, of this and of earlier versions


class LostSecretError(BadSettingError):
    """The secret that signed the links is missing; the message says what another one would cause."""


class OtherSecretError(BadSettingError):
    """The secret is not the one that signed the links; the message says what to do."""


def secret_of(book: Daybook) -> bytes:
    """Return the secret; create it if nothing was ever signed. Raises BadSettingError, LostSecretError."""
    found = _read_secret(book)
    if found is not None:
        return found
    book.settings.make_secret()
    return checked_secret(book)


def checked_secret(book: Daybook) -> bytes:
    """Return the secret, compared with its stored mark. Raises BadSettingError, LostSecretError, OtherSecretError."""
    secret = secret_of(book)
    _refuse_other(book, secret)
    if noted_mark(book) is None:
        _note_mark(book, secret)
    return secret


def has_secret(book: Daybook) -> bool:
    """Check if a secret exists, without creating one. Raises as `checked_secret` does."""
    found = _read_secret(book)
    if found is not None:
        _refuse_other(book, found)
    return found is not None


def _read_secret(book: Daybook) -> bytes | None:
    """Return the secret; None if there never was one. Raises BadSettingError, LostSecretError."""
    try:
        return book.settings.secret()
    except NoSecretError:
        if noted_mark(book) is None and not _has_signed(book):
            return None
    try:
        return book.settings.secret()  # another process created it after the first look
    except NoSecretError:
        pass
    raise LostSecretError(
        VARIABLE,
        (
            f"{book.settings.secret_path} is not there. {what_would_end(book)} Restore it from a backup, or go on without "
            "it on purpose with `daybook new-secret`"
        ),
    )


def _refuse_other(book: Daybook, secret: bytes) -> None:
    if noted_mark(book) not in (None, mark_of(secret)):
        raise OtherSecretError(
            VARIABLE,
            (
                f"{book.settings.secret_path} holds another secret than links were signed with. {what_would_end(book)} "
                "Name the right file, or go on with this one on purpose with `daybook new-secret`"
            ),
        )


def replace_secret(book: Daybook) -> None:
    """Replace the secret on purpose: by the one in the file if it differs, otherwise by a new one.

    Raises BadSettingError if Daybook may not write the file.
    """
    settings = book.settings
    try:
        secret: bytes | None = settings.secret()
    except NoSecretError:
        secret = None
    if secret is not None and mark_of(secret) == noted_mark(book):
        if settings.secret_file is not None:
            raise BadSettingError(VARIABLE, f"write another secret into {settings.secret_file} first, then repeat this")
        settings.secret_path.unlink()
    if settings.secret_file is None:
        settings.make_secret()
    _note_mark(book, settings.secret())


def sign(secret: bytes, kind: str, value: str) -> str:
    """Return a key of a kind ("grant"): the value and its signature."""
    return _signer(secret, kind, NOW).sign(value).decode()


def signed_value(secret: bytes, kind: str, key: str) -> str | None:
    """Return the value of a key of a kind, an earlier version's, too; None: it has another secret."""
    for digest in (NOW, BEFORE):
        try:
            return _signer(secret, kind, digest).unsign(key).decode("ascii")
        except (BadSignature, UnicodeError):
            pass
    return None


def _signer(secret: bytes, kind: str, digest: Any) -> Signer:
    return Signer(secret, salt=f"daybook.{kind}", digest_method=digest)


def what_would_end(book: Daybook) -> str:
    """Return the consequences of another secret, in sentences."""
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
    """Return the stored mark of the secret; None if there is none yet."""
    mark: str | None = book.kept.engine.value(
        sa.select(kept_secret.c.mark).order_by(kept_secret.c.since.desc()).limit(1)
    )
    return mark


def _note_mark(book: Daybook, secret: bytes) -> None:
    with book.kept.engine.begin() as c:
        c.execute(kept_secret.delete().where(kept_secret.c.mark != mark_of(secret)))
        insert_once(c, kept_secret, {"mark": mark_of(secret), "since": now()})


def _has_signed(book: Daybook) -> bool:
    """Check if there are links or invitations, from a Daybook that stored no mark."""
    with book.kept.engine.connect() as c:
        return any(c.execute(sa.select(table.c.id).limit(1)).first() for table in (kept_grant, kept_invitation))
