"""People who asked to be forgotten, recognised by keyed digests when a file of another program names them again.

A digest is made with the secret of this Daybook. An id of another program is recognised in every club; a name only in the
clubs that knew the person, because others may have the same name elsewhere.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterable
from uuid import UUID

import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.store import secret
from daybook.services.store.database import insert_missing
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_forgotten


def digest_of_id(book: Daybook, foreign_id: str) -> str:
    return _digest(book, f"id {foreign_id}")


def digest_of_name(book: Daybook, club: UUID, name: str) -> str:
    return _digest(book, f"name {club} {' '.join(name.split()).casefold()}")


def _digest(book: Daybook, subject: str) -> str:
    return hmac.new(secret.secret_of(book), f"forgotten {subject}".encode(), hashlib.sha256).hexdigest()


def remember_forgotten(book: Daybook, digests: Iterable[str]) -> None:
    """Note whom imports leave out from now on."""
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_forgotten, [{"digest": digest, "at": now()} for digest in {*digests}])


def forgotten_among(book: Daybook, digests: Collection[str]) -> set[str]:
    """Return those of some digests that belong to people who asked to be forgotten."""
    column = kept_forgotten.c.digest
    return {row.digest for row in book.kept.engine.among(sa.select(column), column, digests)}
