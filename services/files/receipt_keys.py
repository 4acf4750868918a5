"""Keys that sign receipts, and all public keys that ever did.

The private key is a file in the data folder or at DAYBOOK_RECEIPT_KEY_FILE, the same on every web host. Its public key
is stored on first use and published permanently, so a receipt stays valid after a key change and for every host.
"""

from __future__ import annotations

import stat
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.unique_keys import decode_json
from daybook.services.atomic_files import replace_file, write_once
from daybook.services.clock import now
from daybook.services.settings import Settings
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_receipt_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class BadSigningKeyError(ValueError):
    """Receipts cannot be signed; the message says what to do."""


class Published(Frozen):
    """A public key, hexadecimal. since: of its first use here; until: when it was replaced, None while it is in use."""

    public_key: str
    since: str
    until: str | None


def published_keys(book: Daybook) -> list[Published]:
    """Return every key that ever signed receipts of this service, oldest first."""
    rows = book.kept.engine.rows(
        sa.select(kept_receipt_key).order_by(kept_receipt_key.c.since, kept_receipt_key.c.public)
    )
    return [Published(row.public, row.since, row.until) for row in rows]


def find_signing_key(book: Daybook) -> Ed25519PrivateKey | None:
    """Return the key in use, or None if there never was one. Changes nothing. Raises BadSigningKeyError."""
    settings, published_list = book.settings, published_keys(book)
    file = settings.receipt_key_path
    if not file.exists():
        if current := [published.public_key for published in published_list if published.until is None]:
            raise BadSigningKeyError(
                f"{file} is not there, and receipts are signed with the key {current[-1][:12]}...: put its file there, "
                "from a backup or another web host, or begin a new key with `daybook new-receipt-key`"
            )
        if settings.receipt_key_file is not None:
            raise BadSigningKeyError(
                f"{file} is not there: make a key with `daybook new-receipt-key`, and put the same "
                "file on every web host"
            )
        return None
    key = _read_key(settings)
    for published in published_list:
        if published.public_key == public_half(key) and published.until is not None:
            raise BadSigningKeyError(
                f"the key in {file} was replaced at {published.until}: put the new one there, which another web host has"
            )
    return key


def ensure_signing_key(book: Daybook) -> Ed25519PrivateKey:
    """Return the service's key; create and publish it on first use. Raises BadSigningKeyError."""
    key = find_signing_key(book)
    if key is None:
        book.settings.folder()
        write_once(book.settings.receipt_key_path, _encode_pem(_new_key()))
        key = _read_key(book.settings)
    if public_half(key) not in {published.public_key for published in published_keys(book)}:
        _publish_key(book, public_half(key))
    return key


def current_public_key(book: Daybook) -> str:
    """Return the public key in use, even if this host cannot sign. Raises BadSigningKeyError."""
    try:
        return public_half(ensure_signing_key(book))
    except BadSigningKeyError:
        current = [key.public_key for key in published_keys(book) if key.until is None]
        if not current:
            raise
        return current[-1]


def renew_key(book: Daybook) -> str:
    """Sign with a new key from now on and return its public key; earlier keys stay published.

    The new key is published before it is saved, so that an interruption never leaves receipts with an unknown key.
    """
    book.settings.receipt_key_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = _new_key()
    public = public_half(key)
    earlier = [published.public_key for published in published_keys(book) if published.until is None]
    with suppress(BadSigningKeyError):  # an unreadable key signed nothing that is not published already
        earlier.append(public_half(_read_key(book.settings)))
    for public_key in (*earlier, public):
        _publish_key(book, public_key)
    replace_file(book.settings.receipt_key_path, _encode_pem(key))
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
    """Check if a signature of this content was made with this public key; both hexadecimal."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True


def parse_published_keys(content: bytes) -> Collection[str]:
    """Parse the saved response of GET /api/v1/receipt-key. Raises ValueError."""
    shown: PublishedKeys = decode_json(content, PublishedKeys)
    return {shown.public_key, *(published.public_key for published in shown.earlier)}


class PublishedKeys(Frozen):
    """Current and earlier public keys of the service (Ed25519, hexadecimal); a genuine receipt has one of them."""

    public_key: str
    earlier: list[Published] = []


def keys_shown(book: Daybook) -> PublishedKeys:
    """Keys of receipts as they are published. Raises BadSigningKeyError."""
    now_used = current_public_key(book)
    return PublishedKeys(now_used, [key for key in published_keys(book) if key.public_key != now_used])


def _publish_key(book: Daybook, public: str) -> None:
    with book.kept.engine.begin() as c:
        insert_once(c, kept_receipt_key, {"public": public, "since": now(), "until": None})


def _new_key() -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate()


def _encode_pem(key: Ed25519PrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _read_key(settings: Settings) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    file = settings.receipt_key_path
    theirs = 0o077 if settings.receipt_key_file is None else 0o007  # a named one may be a group's
    try:
        if stat.S_IMODE(file.stat().st_mode) & theirs:
            raise BadSigningKeyError(f"others may read {file}: chmod 600 it")
        key = load_pem_private_key(file.read_bytes(), None)
    except OSError as wrong:
        raise BadSigningKeyError(f"{file} cannot be read: {wrong.strerror}") from wrong
    except (ValueError, TypeError) as wrong:
        if isinstance(wrong, BadSigningKeyError):
            raise
        raise BadSigningKeyError(
            f"{file} holds no key: restore it from a backup, or begin a new one with `daybook new-receipt-key`"
        ) from wrong
    if not isinstance(key, Ed25519PrivateKey):
        raise BadSigningKeyError(f"{file} holds a key of another kind: Ed25519 is wanted")
    return key
