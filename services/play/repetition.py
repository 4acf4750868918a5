"""Whether what is asked for under an idempotency key is what that key wrote before: in a game and in a club alike.

A key that is sent again is answered with where it wrote; were it something else that is asked for now, an entry would
be lost without a word. So the entry that carries the key has a nonce made of the key and of all that was asked for,
out of the service's secret: the same request makes the same one, and nobody else can make it or try it out. An entry
that was written before there was such a mark is answered as a used key.
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

NONCE_BYTES = 16


class MovedOn(Exception):
    """What is asked for was decided before something else was written: look at that first. step: of the record."""

    def __init__(self, record: UUID, step: int, says: str) -> None:
        super().__init__(says)
        self.record = record
        self.step = step


class KeyUsed(MovedOn):
    """The idempotency key wrote step `step`, which is something else: look at it, and send what is new under a new key."""

    def __init__(self, record: UUID, step: int) -> None:
        super().__init__(record, step, f"this idempotency key wrote step {step}, which is something else")


class BadKey(ValueError):
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
    """Checks an idempotency key. Raises BadKey."""
    if not KEY.fullmatch(key):
        raise BadKey("the idempotency key is 1 to 64 letters, digits, '_', '.', ':' or '-'")


def own_key() -> str:
    """A key for what Daybook writes by itself. No client can foretell it, and so none can have used it before."""
    return secrets.token_urlsafe(NONCE_BYTES)


def mark_of(book: Daybook, *asked: Any) -> str:
    """The nonce of what is asked for under a key. asked: the key, where it writes, and all that is said.

    Raises Refused for what no record can hold.
    """
    refuse_unfit(asked)
    said = msgspec.json.encode(msgspec.to_builtins(asked, str_keys=True), order="deterministic")
    digest = hmac.new(secret.secret_of(book), said, "sha256").digest()
    return urlsafe_b64encode(digest[:NONCE_BYTES]).decode().rstrip("=")


def repeated_step(chronicle: Chronicle, key: str, mark: str) -> int | None:
    """The step that this very request wrote before; None: its key is new. Raises KeyUsed."""
    step = chronicle.keys.get(key)
    if step is not None and chronicle.entries[step].event.nonce != mark:
        raise KeyUsed(chronicle.id, step)
    return step
