"""Whose the bucket of photos is: this Daybook's, nobody's yet, or another's, who must not remove what is ours."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.store.away import BucketAway, NotOurBucket
from daybook.services.store.bucket import Bucket, Owner
from daybook.services.store.database import insert_missing
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_bucket

NO_BUCKET = "DAYBOOK_PHOTOS_URL names no bucket"


def bucket_of(book: Daybook) -> Bucket:
    """Raises BucketAway."""
    if book.bucket is None:
        raise BucketAway(NO_BUCKET)
    return book.bucket


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
    bucket = bucket_of(book)
    owner = bucket.owner()
    if owner is None or owner.daybook != mark_of(book) or owner.times > _times(book):
        whose = "nobody yet" if owner is None else f"another Daybook, last heard of at {owner.at}"
        raise NotOurBucket(f"{bucket.address} belongs to {whose}")


def mark(book: Daybook) -> None:
    """Make the bucket ours if it is nobody's, and count that it is. Raises BucketAway, NotOurBucket."""
    bucket = bucket_of(book)
    if bucket.owner() is None:
        bucket.make_owner(Owner(mark_of(book), 0, now()))
    require_ours(book)
    bucket.set_owner(Owner(mark_of(book), _count(book), now()))


def take_over(book: Daybook) -> None:
    """Make the bucket ours, when the Daybook whose it was is gone. Raises BucketAway."""
    bucket = bucket_of(book)
    owner = bucket.owner()
    bucket.set_owner(Owner(mark_of(book), _count(book, owner.times if owner else 0), now()))


def _times(book: Daybook) -> int:
    return (
        book.kept.engine.value(
            sa.select(kept_bucket.c.times).where(kept_bucket.c.address == str(bucket_of(book).address))
        )
        or 0
    )


def _count(book: Daybook, least: int = 0) -> int:
    """Here before there: so what is there is never more than what is here, but for a copy that has less."""
    here = kept_bucket.c.address == str(bucket_of(book).address)
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_bucket, [{"address": str(bucket_of(book).address), "times": 0}])
        more = sa.case((kept_bucket.c.times > least, kept_bucket.c.times), else_=least) + 1
        c.execute(kept_bucket.update().where(here).values(times=more))
        return int(c.scalar(sa.select(kept_bucket.c.times).where(here)) or 0)
