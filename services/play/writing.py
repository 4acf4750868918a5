"""Who writes an entry of a game, when, under which key, and with which secret."""

from __future__ import annotations

import secrets

from daybook.domain.kernel.chronicle import Written
from daybook.services.clock import now

NONCE_BYTES = 16


def nonce() -> str:
    """A secret of one entry's own, 22 characters: under it a seal does not tell what the entry holds.

    Seals are everybody's, also while cards lie covered. Whatever else stands in an entry can be guessed, so that
    without a secret anybody could try out covered cards until the seal fits.
    """
    return secrets.token_urlsafe(NONCE_BYTES)


def written_by(by: str, key: str, at: str | None = None, mark: str = "") -> Written:
    """at: when it was written down, if not now. mark: by which the same request is known when it comes again."""
    return Written(at or now(), by, key, mark or nonce())
