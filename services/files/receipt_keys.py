"""The key that signs receipts, and the public keys of all that ever did.

The private key is a file: in the data folder, or where DAYBOOK_RECEIPT_KEY_FILE says, the same for every web host. Its
public half is kept with the service's data from its first use on, and published for ever, so that a receipt stays good
when the key is replaced, and whichever host gave it out.
"""

from __future__ import annotations

import stat
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.unique_keys import decode_json
from daybook.services.atomic_files import replace, write_once
from daybook.services.clock import now
from daybook.services.settings import Settings
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_receipt_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class BadSigningKey(ValueError):
    """Receipts cannot be signed; the message says what to do."""


class Published(Frozen):
    """A public key, hexadecimal. since: of its first use here; until: when it was replaced, None while it is in use."""

    public_key: str
    since: str
    until: str | None


def published_keys(book: Daybook) -> list[Published]:
    """Every key that receipts of this service were signed with, the first one first."""
    rows = book.kept.engine.rows(
        sa.select(kept_receipt_key).order_by(kept_receipt_key.c.since, kept_receipt_key.c.public)
    )
    return [Published(row.public, row.since, row.until) for row in rows]


def find_signing_key(book: Daybook) -> Ed25519PrivateKey | None:
    """The key in use; None if there never was one, so that it may be made. Changes nothing. Raises BadSigningKey."""
    settings, known = book.settings, published_keys(book)
    file = settings.receipt_key_path
    if not file.exists():
        if current := [one.public_key for one in known if one.until is None]:
            raise BadSigningKey(
                f"{file} is not there, and receipts are signed with the key {current[-1][:12]}...: put its file there, "
                "from a backup or another web host, or begin a new key with `daybook new-receipt-key`"
            )
        if settings.receipt_key_file is not None:
            raise BadSigningKey(
                f"{file} is not there: make a key with `daybook new-receipt-key`, and put the same "
                "file on every web host"
            )
        return None
    key = _read_key(settings)
    for one in known:
        if one.public_key == public_half(key) and one.until is not None:
            raise BadSigningKey(
                f"the key in {file} was replaced at {one.until}: put the new one there, which another web host has"
            )
    return key


def signing_key(book: Daybook) -> Ed25519PrivateKey:
    """The service's key; made on its first use, for this user alone, and published. Raises BadSigningKey."""
    key = find_signing_key(book)
    if key is None:
        book.settings.folder()
        write_once(book.settings.receipt_key_path, _pem(_new_key()))
        key = _read_key(book.settings)
    if public_half(key) not in {one.public_key for one in published_keys(book)}:
        _publish(book, public_half(key))
    return key


def public_key(book: Daybook) -> str:
    """The public key that receipts are signed with now, whether this host can sign or not. Raises BadSigningKey."""
    try:
        return public_half(signing_key(book))
    except BadSigningKey:
        current = [key.public_key for key in published_keys(book) if key.until is None]
        if not current:
            raise
        return current[-1]


def renew(book: Daybook) -> str:
    """Sign with a new key from now on; its public half. The earlier ones stay published.

    The new one is published first, so that whatever breaks off in between no receipt has a key that nobody knows.
    """
    book.settings.receipt_key_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = _new_key()
    public = public_half(key)
    earlier = [one.public_key for one in published_keys(book) if one.until is None]
    with suppress(BadSigningKey):  # what cannot be read has signed nothing that is not published already
        earlier.append(public_half(_read_key(book.settings)))
    for one in (*earlier, public):
        _publish(book, one)
    replace(book.settings.receipt_key_path, _pem(key))
    book.kept.engine.write(
        kept_receipt_key.update()
        .where(kept_receipt_key.c.public != public, kept_receipt_key.c.until.is_(None))
        .values(until=now())
    )
    return public


def public_half(key: Ed25519PrivateKey) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def fits_signature(public_key: str, signature: str, content: bytes) -> bool:
    """Whether a signature is of this content, by the key of this public half; both hexadecimal."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True


def keys_in(content: bytes) -> Collection[str]:
    """The public keys in what GET /api/v1/receipt-key answers, as somebody saved it. Raises ValueError."""
    shown: Shown = decode_json(content, Shown)
    return {shown.public_key, *(one.public_key for one in shown.earlier)}


class Shown(Frozen):
    """The key that receipts are signed with now (Ed25519, hexadecimal), and every other one that they were signed with
    before. A receipt is the service's if its key is one of them.
    """

    public_key: str
    earlier: list[Published] = []


def keys_shown(book: Daybook) -> Shown:
    """Keys of receipts as they are published. Raises BadSigningKey."""
    now_used = public_key(book)
    return Shown(now_used, [key for key in published_keys(book) if key.public_key != now_used])


def _publish(book: Daybook, public: str) -> None:
    with book.kept.engine.begin() as c:
        insert_once(c, kept_receipt_key, {"public": public, "since": now(), "until": None})


def _new_key() -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate()


def _pem(key: Ed25519PrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _read_key(settings: Settings) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    file = settings.receipt_key_path
    theirs = 0o077 if settings.receipt_key_file is None else 0o007  # a named one may be a group's
    try:
        if stat.S_IMODE(file.stat().st_mode) & theirs:
            raise BadSigningKey(f"others may read {file}: chmod 600 it")
        key = load_pem_private_key(file.read_bytes(), None)
    except OSError as wrong:
        raise BadSigningKey(f"{file} cannot be read: {wrong.strerror}") from wrong
    except (ValueError, TypeError) as wrong:
        if isinstance(wrong, BadSigningKey):
            raise
        raise BadSigningKey(
            f"{file} holds no key: restore it from a backup, or begin a new one with `daybook new-receipt-key`"
        ) from wrong
    if not isinstance(key, Ed25519PrivateKey):
        raise BadSigningKey(f"{file} holds a key of another kind: Ed25519 is wanted")
    return key
