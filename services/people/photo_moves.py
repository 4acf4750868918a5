"""Photos moved between the kept tables and the bucket, and both compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.people import bucket_owner
from daybook.services.people.photo_bytes import (
    OBJECTS,
    SWEPT,
    TABLES,
    at_once,
    in_bucket,
    lay,
    lay_together,
    object_of,
    read,
    sweep,
    unwant,
)
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
TOGETHER = 32  # photos in memory at a time, some megabytes


def move_into_bucket(book: Daybook, progress: Progress = lambda done, of: None) -> Iterator[bool]:
    """Each photo that lies in the tables: whether it was moved, and not removed meanwhile. What broke off goes on.

    Raises BucketAway, NotOurBucket.
    """
    bucket_owner.mark(book)
    for table, rows in _rows_in_turn(book, lambda table: ~in_bucket(table), progress):
        rows = [row for row in rows if row.bytes]
        for row, laid in zip(rows, lay_together(book, [bytes(row.bytes) for row in rows]), strict=True):
            with book.kept.engine.begin() as c:
                still = *_here(table, row), ~in_bucket(table), table.c.hash == row.hash
                moved = c.execute(table.update().where(*still).values(**laid.columns)).rowcount == 1
                if moved:
                    laid.settle(c)
            yield moved


def move_into_tables(book: Daybook, progress: Progress = lambda done, of: None) -> Iterator[bool]:
    """Each photo that lies in the bucket: whether it was moved; one that is missing there stays named.

    Raises BucketAway.
    """
    for table, rows in _rows_in_turn(book, in_bucket, progress):
        for row, content in zip(rows, at_once(partial(read, book), rows), strict=True):
            moved = content is not None
            if moved:
                with book.kept.engine.begin() as c:
                    still = *_here(table, row), table.c.bytes == row.bytes
                    unwant(c, table, *still)
                    moved = c.execute(table.update().where(*still).values(bytes=content)).rowcount == 1
            yield moved
        sweep(book)


def _rows_in_turn(
    book: Daybook, those: Callable[[sa.Table], sa.ColumnElement[bool]], progress: Progress
) -> Iterator[tuple[sa.Table, Sequence[sa.Row[Any]]]]:
    """Of the rows that are there now: some of one table at a time, as they are when it is their turn."""
    with book.kept.engine.connect() as c:
        keys = {table: c.execute(sa.select(*table.primary_key.columns).where(those(table))).all() for table in TABLES}
    of, done = sum(map(len, keys.values())), 0
    for table, found in keys.items():
        for at in range(0, len(found), TOGETHER):
            progress(done, of)
            turn = found[at : at + TOGETHER]
            here = sa.or_(*(sa.and_(*_here(table, key)) for key in turn))
            rows = book.kept.engine.rows(sa.select(table).where(here, those(table)))
            yield table, rows
            done += len(turn)
    progress(of, of)


def _here(table: sa.Table, row: sa.Row[Any]) -> Iterator[sa.ColumnElement[bool]]:
    return (key == row._mapping[key] for key in table.primary_key.columns)


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
