"""Photos as encrypted rows of a table of their own; the row that names a photo holds its key.

A deleted photo is unreadable once its key is gone. Cleaning the files after a person was made anonymous therefore
rewrites the small tables with names and keys (`services.people.anonymise`), never the photos.
"""

from __future__ import annotations

import hashlib
import logging
from secrets import token_bytes
from typing import Any

import sqlalchemy as sa

from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_photo_bytes

KEY_BYTES = 32
NONCE = bytes(12)  # a key encrypts one photo

logger = logging.getLogger(__name__)


def insert_photo(c: sa.Connection, content: bytes) -> dict[str, Any]:
    """Store the bytes of a photo; return the columns with which another row refers to it."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    key = token_bytes(KEY_BYTES)
    row = {"id": _id_of(key), "bytes": AESGCM(key).encrypt(NONCE, content, None)}
    c.execute(kept_photo_bytes.insert().values(row))
    return {"key": key}


def read_photo(book: Daybook, row: Any) -> bytes | None:
    """Return the bytes of the photo that a row refers to; None if they are missing or damaged."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    key = bytes(row.key)
    stored = book.kept.engine.value(sa.select(kept_photo_bytes.c.bytes).where(kept_photo_bytes.c.id == _id_of(key)))
    try:
        return None if stored is None else AESGCM(key).decrypt(NONCE, bytes(stored), None)
    except InvalidTag:
        logger.error("the photo %s is damaged: restore it from a backup", row.hash)
        return None


def delete_photos(c: sa.Connection, table: sa.Table, *where: sa.ColumnElement[bool]) -> int:
    """Delete rows that refer to photos, and the photos; return how many."""
    keys = [bytes(key) for key in c.scalars(sa.delete(table).where(*where).returning(table.c.key))]
    c.execute(kept_photo_bytes.delete().where(kept_photo_bytes.c.id.in_([_id_of(key) for key in keys])))
    return len(keys)


def _id_of(key: bytes) -> str:
    return hashlib.sha256(b"photo " + key).hexdigest()
