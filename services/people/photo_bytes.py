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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import sqlalchemy as sa

from daybook.services.clock import later_time, now
from daybook.services.store.away import BucketAway, NotOurBucket
from daybook.services.store.bucket import Bucket, Owner
from daybook.services.store.database import insert_missing
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_bucket, kept_photo, kept_portrait, kept_unwanted

OBJECTS = "photos/"  # how the names of all begin
NAMED = b"object:"  # how what stands in place of bytes begins
NAMED_BYTES = len(NAMED) + len(f"{OBJECTS}{uuid4().hex}.jpg")
UPLOAD_SECONDS = 3_600  # after which an object that no row names came of something that broke off
TABLES = (kept_photo, kept_portrait)
SWEPT = 100  # objects in one go

logger = logging.getLogger(__name__)


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
    if book.bucket is None:
        return Laid(content, None)
    laid = Laid(b"", f"{OBJECTS}{uuid4().hex}.jpg", later_time(now(), seconds=UPLOAD_SECONDS))
    with book.kept.engine.begin() as c:
        c.execute(kept_unwanted.insert().values(object=laid.object, after=laid.until))
    assert laid.object is not None
    book.bucket.put(laid.object, content)
    return laid


def read(book: Daybook, row: Any) -> bytes | None:
    """The bytes of a row; None if they are missing, or others than its hash names. Raises BucketAway."""
    content = bytes(row.bytes)
    if (object := object_of(content)) is not None:
        content = _bucket(book).get(object) or b""
    if hashlib.sha256(content).hexdigest() == row.hash:
        return content
    logger.error("the photo %s is missing or damaged (object %s): `daybook doctor` counts them", row.hash, object)
    return None


def object_of(content: bytes) -> str | None:
    """What a row names in place of its bytes; None: these are the bytes."""
    return content.removeprefix(NAMED).decode() if content.startswith(NAMED) else None


def in_bucket(table: sa.Table) -> sa.ColumnElement[bool]:
    """Of a row; told by the length, for which no database reads the bytes."""
    return sa.func.length(table.c.bytes) == NAMED_BYTES


def _bucket(book: Daybook) -> Bucket:
    """Raises BucketAway."""
    if book.bucket is None:
        raise BucketAway("DAYBOOK_PHOTOS_URL names no bucket")
    return book.bucket


# --- removing --------------------------------------------------------------------------------------------------------


def unwant(c: sa.Connection, table: sa.Table, *here: sa.ColumnElement[bool]) -> None:
    """What these rows name is wanted no more: they are removed, or name something else, in this transaction."""
    found = c.scalars(sa.select(table.c.bytes).where(*here, in_bucket(table)).with_for_update())
    names = [name for content in found if (name := object_of(bytes(content))) is not None]
    insert_missing(c, kept_unwanted, [{"object": name, "after": now()} for name in names])


def sweep(book: Daybook) -> bool:
    """Remove from the bucket what is not wanted any more. False: something is left, since the bucket is away or
    another Daybook's; it is tried again by the follower."""
    with book.kept.engine.connect() as c:
        due = c.scalars(sa.select(kept_unwanted.c.object).where(kept_unwanted.c.after <= now()).limit(SWEPT)).all()
    if not due or book.bucket is None:
        return not due
    from_now = kept_unwanted.update().where(kept_unwanted.c.object.in_(due)).values(after=now())
    with book.kept.engine.begin() as c:  # from here on no row comes to name one of them (`Laid.settle`)
        taken = c.scalars(from_now.returning(kept_unwanted.c.object)).all()
    try:
        require_ours(book)
        for name in taken:
            book.bucket.remove(name)
            with book.kept.engine.begin() as c:
                c.execute(kept_unwanted.delete().where(kept_unwanted.c.object == name))
    except BucketAway as away:
        logger.warning("%d photos are still to be removed from the bucket: %s", len(taken), away)
        return False
    return True


# --- whose the bucket is ---------------------------------------------------------------------------------------------


def mark_of(book: Daybook) -> str:
    """By what the bucket knows this Daybook. A copy of its data has another: a dump in another database, or a file that
    was copied; a standby that takes over has the same."""
    if book.settings.database_url is None:
        home = f"file {book.settings.sqlite_file('log').stat().st_ino}"
    else:
        with book.kept.engine.connect() as c:
            home = "database {}/{}".format(*c.execute(sa.text(DATABASE)).one())
    return hashlib.sha256(f"daybook {home}".encode()).hexdigest()[:32]


DATABASE = """SELECT (SELECT system_identifier FROM pg_control_system()),
    (SELECT oid FROM pg_database WHERE datname = current_database())"""


def require_ours(book: Daybook) -> None:
    """That the bucket has our mark, and none that was set by somebody who went on from where a backup of ours was taken:
    each time the mark is set, it is counted there and here. Raises BucketAway, NotOurBucket."""
    bucket = _bucket(book)
    owner = bucket.owner()
    if owner is None or owner.daybook != mark_of(book) or owner.times > _times(book):
        whose = "nobody yet" if owner is None else f"another Daybook, last heard of at {owner.at}"
        raise NotOurBucket(f"{bucket.address} belongs to {whose}")


def mark(book: Daybook) -> None:
    """Make the bucket ours if it is nobody's, and count that it is. Raises BucketAway, NotOurBucket."""
    bucket = _bucket(book)
    if bucket.owner() is None:
        bucket.make_owner(Owner(mark_of(book), 0, now()))
    require_ours(book)
    bucket.set_owner(Owner(mark_of(book), _count(book), now()))


def take_over(book: Daybook) -> None:
    """Make the bucket ours, when the Daybook whose it was is gone. Raises BucketAway."""
    bucket = _bucket(book)
    owner = bucket.owner()
    bucket.set_owner(Owner(mark_of(book), _count(book, owner.times if owner else 0), now()))


def _times(book: Daybook) -> int:
    with book.kept.engine.connect() as c:
        return c.scalar(sa.select(kept_bucket.c.times).where(kept_bucket.c.address == str(_bucket(book).address))) or 0


def _count(book: Daybook, least: int = 0) -> int:
    """Here before there: so what is there is never more than what is here, but for a copy that has less."""
    here = kept_bucket.c.address == str(_bucket(book).address)
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_bucket, [{"address": str(_bucket(book).address), "times": 0}])
        more = sa.case((kept_bucket.c.times > least, kept_bucket.c.times), else_=least) + 1
        c.execute(kept_bucket.update().where(here).values(times=more))
        return int(c.scalar(sa.select(kept_bucket.c.times).where(here)) or 0)


def check(book: Daybook) -> None:
    """That the bucket is ours, or becomes ours now, and that it takes, gives and removes. Raises BucketAway."""
    bucket = _bucket(book)
    mark(book)
    content = b"tried by Daybook"
    laid = lay(book, content)
    assert laid.object is not None
    if bucket.get(laid.object) != content:
        raise BucketAway(f"the bucket {bucket.address.bucket} does not give back what was written")
    bucket.remove(laid.object)
    with book.kept.engine.begin() as c:
        laid.settle(c)


# --- moving ----------------------------------------------------------------------------------------------------------


def move_into_bucket(book: Daybook) -> Iterator[bool]:
    """Each photo that lies in the tables: whether it was moved, and not removed meanwhile. What broke off goes on.

    Raises BucketAway, NotOurBucket.
    """
    mark(book)
    for table, here in _rows_in_turn(book, lambda table: ~in_bucket(table)):
        with book.kept.engine.connect() as c:
            row = c.execute(sa.select(table.c.hash, table.c.bytes).where(here)).first()
        if row is None or not row.bytes:
            continue
        laid = lay(book, bytes(row.bytes))
        with book.kept.engine.begin() as c:
            still = here, ~in_bucket(table), table.c.hash == row.hash
            moved = c.execute(table.update().where(*still).values(**laid.columns)).rowcount == 1
            if moved:
                laid.settle(c)
        yield moved


def move_into_tables(book: Daybook) -> Iterator[bool]:
    """Each photo that lies in the bucket: whether it was moved; one that is missing there stays named.

    Raises BucketAway.
    """
    for table, here in _rows_in_turn(book, in_bucket):
        with book.kept.engine.connect() as c:
            row = c.execute(sa.select(table.c.hash, table.c.bytes).where(here)).first()
        content = None if row is None else read(book, row)
        if row is None or content is None:
            yield False
            continue
        with book.kept.engine.begin() as c:
            still = here, table.c.bytes == row.bytes
            unwant(c, table, *still)
            moved = c.execute(table.update().where(*still).values(bytes=content)).rowcount == 1
        sweep(book)
        yield moved


def _rows_in_turn(
    book: Daybook, those: Callable[[sa.Table], sa.ColumnElement[bool]]
) -> Iterator[tuple[sa.Table, sa.ColumnElement[bool]]]:
    """Of the rows that are there now: the table, and which row it is."""
    for table in TABLES:
        keys = list(table.primary_key.columns)
        with book.kept.engine.connect() as c:
            found = c.execute(sa.select(*keys).where(those(table))).all()
        for one in found:
            yield table, sa.and_(*(key == value for key, value in zip(keys, one, strict=True)))


# --- looking ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PhotosFound:
    """How many photos lie where. missing: rows whose object is not there, by hash; strange: objects that no row names."""

    in_tables: int
    in_bucket: int
    missing: list[str]
    strange: list[str]
    overdue: int  # objects that could not be removed yet


def look(book: Daybook) -> PhotosFound:
    """Compares the tables with the bucket. Raises BucketAway."""
    named_before, _, _ = _rows(book)
    there = set(book.bucket.names(OBJECTS)) if book.bucket else set()
    named, unwanted, in_tables = _rows(book)
    at = now()
    return PhotosFound(
        in_tables,
        len(named),
        sorted(hash for name, hash in named.items() if name in named_before and name not in there),
        sorted(there - named.keys() - unwanted.keys()),
        sum(after <= at for after in unwanted.values()),
    )


def _rows(book: Daybook) -> tuple[dict[str, str], dict[str, str], int]:
    """The hashes of what rows name, by object; the unwanted, which are read first: from there a name comes into a row;
    and how many photos lie in the tables."""
    with book.kept.engine.connect() as c:
        unwanted = {row.object: row.after for row in c.execute(sa.select(kept_unwanted))}
        named, in_tables = dict[str, str](), 0
        for table in TABLES:
            for content, hash in c.execute(sa.select(table.c.bytes, table.c.hash).where(in_bucket(table))):
                if (object := object_of(bytes(content))) is not None:
                    named[object] = hash
            in_tables += c.scalar(sa.select(sa.func.count()).select_from(table).where(~in_bucket(table))) or 0
    return named, unwanted, in_tables


def remove_strange(book: Daybook, strange: Sequence[str]) -> None:
    """Remove what no photo of ours names (`look`): it came after the backup that was restored.

    Raises BucketAway, NotOurBucket.
    """
    require_ours(book)
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_unwanted, [{"object": name, "after": now()} for name in strange])
    for _ in range(0, len(strange), SWEPT):
        sweep(book)
