"""Idempotency: recognize a repeated request in games and clubs.

A repeated key returns the step it wrote. To detect a reused key with a different request, the entry's nonce is an HMAC
of the key and the whole request with the service's secret: the same request gives the same nonce, and no one else can
compute or guess it.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

import msgspec

from daybook.domain.kernel.chronicle import KEY, refuse_unfit
from daybook.services.store import secret
from daybook.services.store.daybook import Daybook
from daybook.services.written import NONCE_BYTES


class MovedOnError(Exception):
    """The record has changed since the caller's step; look at the new entries first."""

    def __init__(self, record: UUID, step: int, message: str) -> None:
        super().__init__(message)
        self.record = record
        self.step = step


class KeyUsedError(MovedOnError):
    """The idempotency key was used for another command, at step `step`. Send the new command with a new key."""

    def __init__(self, record: UUID, step: int) -> None:
        super().__init__(record, step, f"this idempotency key wrote step {step}, which is something else")


class BadKeyError(ValueError):
    """The idempotency key is missing or malformed: send 1 to 64 letters, digits, '_', '.', ':' or '-'."""


class Chronicle(Protocol):
    """A game or a club. keys: idempotency key -> the step that it wrote."""

    @property
    def id(self) -> UUID: ...

    @property
    def keys(self) -> Mapping[str, int]: ...

    @property
    def entries(self) -> Sequence[Any]: ...


def check_key(key: str) -> None:
    """Check an idempotency key. Raises BadKeyError."""
    if not KEY.fullmatch(key):
        raise BadKeyError("the idempotency key is 1 to 64 letters, digits, '_', '.', ':' or '-'")


def new_key() -> str:
    """Return an unpredictable key for Daybook's own writes."""
    return secrets.token_urlsafe(NONCE_BYTES)


def mark_of(book: Daybook, *request: Any) -> str:
    """Return the nonce of a request.

    Args:
        request: the key, the place of writing and the content.

    Raises Refused for content that no record can hold.
    """
    refuse_unfit(request)
    message = msgspec.json.encode(msgspec.to_builtins(request, str_keys=True), order="deterministic")
    digest = hmac.new(secret.secret_of(book), message, "sha256").digest()
    return urlsafe_b64encode(digest[:NONCE_BYTES]).decode().rstrip("=")


def repeated_step(chronicle: Chronicle, key: str, mark: str) -> int | None:
    """Return the step that this request wrote before; None for a new key. Raises KeyUsedError."""
    step = chronicle.keys.get(key)
    if step is not None and chronicle.entries[step].event.nonce != mark:
        raise KeyUsedError(chronicle.id, step)
    return step
