"""Photos moved between the kept tables and the bucket, and both compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.people import bucket_owner
from daybook.services.people.photo_bytes import OBJECTS, SWEPT, TABLES, in_bucket, lay, object_of, read, sweep, unwant
from daybook.services.store.away import BucketAway
from daybook.services.store.database import insert_missing
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_unwanted


def check(book: Daybook) -> None:
    """That the bucket is ours, or becomes ours now, and that it takes, gives and removes. Raises BucketAway."""
    bucket = bucket_owner.bucket_of(book)
    bucket_owner.mark(book)
    content = b"tried by Daybook"
    laid = lay(book, content)
    assert laid.object is not None
    if bucket.get(laid.object) != content:
        raise BucketAway(f"the bucket {bucket.address.bucket} does not give back what was written")
    bucket.remove(laid.object)
    with book.kept.engine.begin() as c:
        laid.settle(c)


# --- moving ----------------------------------------------------------------------------------------------------------


Progress = Callable[[int, int], object]  # told how many are done, of how many


def move_into_bucket(book: Daybook, progress: Progress = lambda done, of: None) -> Iterator[bool]:
    """Each photo that lies in the tables: whether it was moved, and not removed meanwhile. What broke off goes on.

    Raises BucketAway, NotOurBucket.
    """
    bucket_owner.mark(book)
    for table, here in _rows_in_turn(book, lambda table: ~in_bucket(table), progress):
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


def move_into_tables(book: Daybook, progress: Progress = lambda done, of: None) -> Iterator[bool]:
    """Each photo that lies in the bucket: whether it was moved; one that is missing there stays named.

    Raises BucketAway.
    """
    for table, here in _rows_in_turn(book, in_bucket, progress):
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
    book: Daybook, those: Callable[[sa.Table], sa.ColumnElement[bool]], progress: Progress
) -> Iterator[tuple[sa.Table, sa.ColumnElement[bool]]]:
    """Of the rows that are there now: the table, and which row it is."""
    keys = {table: list(table.primary_key.columns) for table in TABLES}
    with book.kept.engine.connect() as c:
        found = [(table, one) for table in TABLES for one in c.execute(sa.select(*keys[table]).where(those(table)))]
    for done, (table, one) in enumerate(found):
        progress(done, len(found))
        yield table, sa.and_(*(key == value for key, value in zip(keys[table], one, strict=True)))
    progress(len(found), len(found))


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
    bucket_owner.require_ours(book)
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_unwanted, [{"object": name, "after": now()} for name in strange])
    for _ in range(0, len(strange), SWEPT):
        sweep(book)
