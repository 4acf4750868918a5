"""Where the bytes of photos lie: in the kept tables or, if the settings name one, in a bucket that all hosts share.

A row says which: it has its bytes, or in their place the name of an object (no JPEG begins so). Names are drawn, never
used twice, and tell nothing of whose photo it is. An object is written before the row that names it, and removed after
that row is gone. In between, its name stands among the unwanted (`kept_unwanted`), with the moment from which it may be
removed: so nothing that broke off stays in the bucket, and what cannot be reached when somebody removes a photo is
removed later, by the follower.

What the row names is the photo of that row alone: who asks for another game's photo finds no row.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import uuid4

import sqlalchemy as sa

from daybook.services.clock import later_time, now
from daybook.services.people import bucket_owner
from daybook.services.store.away import BucketAway
from daybook.services.store.bucket import Bucket
from daybook.services.store.database import insert_missing
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_photo, kept_portrait, kept_unwanted

OBJECTS = "photos/"  # how the names of all begin
NAMED = b"object:"  # how what stands in place of bytes begins
NAMED_BYTES = len(NAMED) + len(f"{OBJECTS}{uuid4().hex}.jpg")
UPLOAD_SECONDS = 3_600  # after which an object that no row names came of something that broke off
TABLES = (kept_photo, kept_portrait)
SWEPT = 100  # objects in one go
AT_ONCE = 8  # questions of one process, where many photos are moved or removed

logger = logging.getLogger(__name__)

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Laid:
    """Bytes that lie where they are to stay. object: None: they go into the row. until: as among the unwanted."""

    bytes: bytes
    object: str | None
    until: str = ""

    @property
    def columns(self) -> dict[str, Any]:
        return {"bytes": self.bytes if self.object is None else NAMED + self.object.encode()}

    def settle(self, c: sa.Connection) -> None:
        """The row that names it is written in this transaction. Raises BucketAway if all this took an hour."""
        if self.object is not None:
            wanted = kept_unwanted.c.object == self.object, kept_unwanted.c.after == self.until
            if c.execute(kept_unwanted.delete().where(*wanted)).rowcount != 1:
                raise BucketAway("the object was removed before its row was written")


def lay(book: Daybook, content: bytes) -> Laid:
    """Puts the bytes where they are to stay; the caller writes the row, and settles it. Raises BucketAway."""
    return lay_together(book, [content])[0]


def lay_together(book: Daybook, contents: Sequence[bytes]) -> list[Laid]:
    """The same of several. Raises BucketAway: then some may be there, and none has a row."""
    if book.bucket is None:
        return [Laid(content, None) for content in contents]
    names = [f"{OBJECTS}{uuid4().hex}.jpg" for _ in contents]
    until = later_time(now(), seconds=UPLOAD_SECONDS)
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_unwanted, [{"object": name, "after": until} for name in names])
    at_once(book.bucket.put, names, contents)
    return [Laid(b"", name, until) for name in names]


def at_once(ask: Callable[..., Done], *of: Iterable[Any]) -> list[Done]:
    """What the bucket answers, in the order of what is asked. The first failure is raised when all that began has ended."""
    asked = list(zip(*of, strict=True))
    if len(asked) < 2:
        return [ask(*one) for one in asked]
    with ThreadPoolExecutor(AT_ONCE, "photos") as threads:
        return [*threads.map(lambda one: ask(*one), asked)]


def read(book: Daybook, row: Any) -> bytes | None:
    """The bytes of a row; None if they are missing, or others than its hash names. Raises BucketAway."""
    content = bytes(row.bytes)
    found = bytes_of(book.bucket, content, row.hash)
    if found is None:
        object = object_of(content)
        logger.error("the photo %s is missing or damaged (object %s): `daybook doctor` counts them", row.hash, object)
    return found


def bytes_of(bucket: Bucket | None, content: bytes, hash: str) -> bytes | None:
    """The bytes that a row has or names; None if they are missing, or others than its hash. Raises BucketAway."""
    if (object := object_of(content)) is not None:
        if bucket is None:
            raise BucketAway(bucket_owner.NO_BUCKET)
        content = bucket.get(object) or b""
    return content if hashlib.sha256(content).hexdigest() == hash else None


def object_of(content: bytes) -> str | None:
    """What a row names in place of its bytes; None: these are the bytes."""
    return content.removeprefix(NAMED).decode() if content.startswith(NAMED) else None


def in_bucket(table: sa.Table) -> sa.ColumnElement[bool]:
    """Of a row; told by the length, for which no database reads the bytes."""
    return sa.func.length(table.c.bytes) == NAMED_BYTES


# --- removing --------------------------------------------------------------------------------------------------------


def unwant(c: sa.Connection, table: sa.Table, *here: sa.ColumnElement[bool]) -> None:
    """What these rows name is wanted no more: they are removed, or name something else, in this transaction."""
    found = c.scalars(sa.select(table.c.bytes).where(*here, in_bucket(table)).with_for_update())
    names = [name for content in found if (name := object_of(bytes(content))) is not None]
    insert_missing(c, kept_unwanted, [{"object": name, "after": now()} for name in names])


def sweep(book: Daybook) -> bool:
    """Remove from the bucket what is not wanted any more. False: something is left, since the bucket is away or
    another Daybook's; it is tried again by the follower."""
    due = book.kept.engine.values(sa.select(kept_unwanted.c.object).where(kept_unwanted.c.after <= now()).limit(SWEPT))
    if not due or book.bucket is None:
        return not due
    from_now = kept_unwanted.update().where(kept_unwanted.c.object.in_(due)).values(after=now())
    with book.kept.engine.begin() as c:  # from here on no row comes to name one of them (`Laid.settle`)
        taken = c.scalars(from_now.returning(kept_unwanted.c.object)).all()
    try:
        bucket_owner.require_ours(book)
        at_once(book.bucket.remove, taken)
        book.kept.engine.write(kept_unwanted.delete().where(kept_unwanted.c.object.in_(taken)))
    except BucketAway as away:
        logger.warning("%d photos are still to be removed from the bucket: %s", len(taken), away)
        return False
    return True
