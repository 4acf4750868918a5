"""Writer, time, key and secret of entries."""

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
    """Return the data of a new entry's writer, with a time (by default now) and a new secret.

    Args:
        mark: recognises a repetition of the request.
    """
    return Written(at or now(), by, key, mark or new_nonce())
