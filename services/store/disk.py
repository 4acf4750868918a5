"""Errors of a disk that cannot be written: full, over a quota, failing, or read-only."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path
from typing import Literal

import sqlalchemy as sa

from daybook.services.store.sqlite import sqlite

Why = Literal["full", "closed"]
SAYS: dict[Why, str] = {
    "full": "the disk is full or failing, and nothing was written: free some space, then do it once more",
    "closed": "it cannot be written: make it this user's own, on a disk that is mounted for writing; or name another "
    "data folder with --data",
}
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
CLOSED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
UNWRITTEN = frozenset(  # SQLite's extended codes of failed writes; a full disk can raise any of them
    {
        10,  # IOERR: no space for the shared memory of readers
        778,  # IOERR_WRITE
        1034,  # IOERR_FSYNC
        1290,  # IOERR_DIR_FSYNC
        1546,  # IOERR_TRUNCATE
        4618,  # IOERR_SHMOPEN
        4874,  # IOERR_SHMSIZE
        5386,  # IOERR_SHMMAP
        6410,  # IOERR_GETTEMPPATH
    }
)
POSTGRES_FULL = "53100"  # a number, because psycopg is imported only with PostgreSQL


class CannotWriteError(Exception):
    """The disk cannot be written, and nothing was. A repeated request is written once."""

    def __init__(self, why: Why) -> None:
        super().__init__(SAYS[why])
        self.why = why


def why_nothing_is_taken(folder: Path) -> Why | None:
    """Return why the disk of a folder cannot be written, by an anonymous file; None if it can."""
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            file.write(bytes(4096))
    except OSError as wrong:
        return _why(wrong) or "full"
    return None


def why_unwritten(error: BaseException) -> Why | None:
    """Return why the disk refused a write, from an error or its causes; None for any other error."""
    cause: BaseException | None = error
    while cause is not None:
        if (why := _why(cause)) is not None:
            return why
        cause = (cause.orig if isinstance(cause, sa.exc.DBAPIError) else None) or cause.__cause__
    return None


def _why(error: BaseException) -> Why | None:
    """Return why an error means that the disk takes no writes, or None."""
    if isinstance(error, CannotWriteError):
        return error.why
    if getattr(error, "sqlstate", None) == POSTGRES_FULL:
        return "full"
    if isinstance(error, OSError):
        return "full" if error.errno in FULL else "closed" if error.errno in CLOSED else None
    if isinstance(error, sqlite.Error):
        code = getattr(error, "sqlite_errorcode", 0)  # a copy has none
        if code & 0xFF == sqlite.SQLITE_FULL or str(error) == "database or disk is full":
            return "full"
        if code in UNWRITTEN:
            return "full"
        if code & 0xFF in (sqlite.SQLITE_READONLY, sqlite.SQLITE_CANTOPEN, sqlite.SQLITE_PERM):
            return "closed"
    return None
