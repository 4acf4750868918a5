"""Who writes an entry, when, and under which key and secret."""

from __future__ import annotations

import secrets

from daybook.domain.kernel.chronicle import Written
from daybook.services.clock import now

NONCE_BYTES = 16


def new_nonce() -> str:
    """Return a secret for one entry, 22 characters: under it a seal does not tell what the entry holds.

    Seals are public, also while cards are covered. The rest of an entry can be guessed, so without a secret anyone
    could try covered cards until the seal fits.
    """
    return secrets.token_urlsafe(NONCE_BYTES)


def new_written(by: str, key: str, at: str | None = None, mark: str = "") -> Written:
    """Return who writes an entry, when (by default now) and under which key.

    Args:
        mark: by which the same request is recognised when it comes again.
    """
    return Written(at or now(), by, key, mark or new_nonce())
