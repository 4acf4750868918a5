"""Encryption of stored secrets (addresses, keys) with Daybook's secret: a stolen database does not show them."""

from __future__ import annotations

import hmac
import secrets

from daybook.services.store import secret
from daybook.services.store.daybook import Daybook

NONCE_BYTES = 12


def seal(book: Daybook, purpose: str, context: bytes, content: bytes) -> bytes:
    """Encrypt content for a purpose. context: of the row that stores it, so that it opens in no other row."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + AESGCM(key_for(book, purpose)).encrypt(nonce, content, context)


def unseal(book: Daybook, purpose: str, context: bytes, sealed: bytes) -> bytes | None:
    """Return the content; None if Daybook's secret is another one now."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(key_for(book, purpose)).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], context)
    except InvalidTag:
        return None


def key_for(book: Daybook, purpose: str) -> bytes:
    """Return a key of 32 bytes for a purpose, derived from Daybook's secret."""
    return hmac.digest(secret.secret_of(book), purpose.encode(), "sha256")
