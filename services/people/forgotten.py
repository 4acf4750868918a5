"""Recognise forgotten people when an imported file names them again.

Keyed digests are compared; the key is this Daybook's secret. An id of another program is recognised in every club, a
name only in the clubs that knew the person, because others may have the same name elsewhere.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection, Iterable
from uuid import UUID

import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.people.blanking import name_key
from daybook.services.store import secret
from daybook.services.store.database import insert_missing
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_forgotten

MAX_WORDS_PER_NAME = 3  # in the texts of an import
_WORD = re.compile(r"[^\W_](?:[^\W_]|['’ʼ](?=[^\W_s])|[\u0300-\u036f\u200c\u200d])*")


def digest_of_id(book: Daybook, foreign_id: str) -> str:
    return _digest(secret.secret_of(book), f"id {foreign_id}")


def digest_of_name(book: Daybook, club: UUID, name: str) -> str:
    return _digest_of_key(secret.secret_of(book), club, name_key(name))


def _digest_of_key(signing: bytes, club: UUID, key: str) -> str:
    return _digest(signing, f"name {club} {key}")


def _digest(signing: bytes, subject: str) -> str:
    """Return the keyed digest of a foreign id, so that the id itself is not stored."""
    return hmac.digest(signing, f"forgotten {subject}".encode(), "sha256").hex()


def remember_forgotten(book: Daybook, digests: Iterable[str]) -> None:
    """Store digests of ids and names that imports leave out from now on."""
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_forgotten, [{"digest": digest, "at": now()} for digest in {*digests}])


def forgotten_in_texts(book: Daybook, club: UUID, texts: Collection[str]) -> set[str]:
    """Return the names of forgotten people in texts of a club, as the texts spell them."""
    forgotten = {*book.kept.engine.values(sa.select(kept_forgotten.c.digest))}
    names, keys, signing = set[str](), dict[str, str](), secret.secret_of(book)
    for text in texts if forgotten else ():
        words = [*_WORD.finditer(text)]
        word_keys = [keys.setdefault(word[0], name_key(word[0])) for word in words]
        for first in range(len(words)):
            for after in range(first + 1, min(first + MAX_WORDS_PER_NAME, len(words)) + 1):
                key = " ".join(sorted(word_keys[first:after]))
                if _digest_of_key(signing, club, key) in forgotten:
                    names.add(text[words[first].start() : words[after - 1].end()])
    return names


def forgotten_among(book: Daybook, digests: Collection[str]) -> set[str]:
    """Return those digests that belong to forgotten people."""
    column = kept_forgotten.c.digest
    return {row.digest for row in book.kept.engine.rows_where_in(sa.select(column), column, digests)}
