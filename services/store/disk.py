"""A disk that takes nothing: full, over a quota, failing, or not to be written at all."""

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
UNWRITTEN = frozenset(  # SQLite's own numbers of what it could not write; it tells of a full disk by any of them
    {
        10,  # IOERR alone: no room for the memory that readers share
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
POSTGRES_FULL = "53100"  # told by its number: psycopg is there only where PostgreSQL is used


class CannotWrite(Exception):
    """Nothing was written, because the disk takes nothing; the same again when it does is written once."""

    def __init__(self, why: Why) -> None:
        super().__init__(SAYS[why])
        self.why = why


def why_nothing_is_taken(folder: Path) -> Why | None:
    """Why the disk of a folder takes nothing now, found out with a file that has no name; None where it does."""
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            file.write(bytes(4096))
    except OSError as wrong:
        return _why(wrong) or "full"
    return None


def why_unwritten(wrong: BaseException) -> Why | None:
    """Why the disk did not take what was to be written; None for any other error. Looks at its causes, too."""
    seen: BaseException | None = wrong
    while seen is not None:
        if (why := _why(seen)) is not None:
            return why
        seen = (seen.orig if isinstance(seen, sa.exc.DBAPIError) else None) or seen.__cause__
    return None


def _why(wrong: BaseException) -> Why | None:
    if isinstance(wrong, CannotWrite):
        return wrong.why
    if getattr(wrong, "sqlstate", None) == POSTGRES_FULL:
        return "full"
    if isinstance(wrong, OSError):
        return "full" if wrong.errno in FULL else "closed" if wrong.errno in CLOSED else None
    if isinstance(wrong, sqlite.Error):
        code = getattr(wrong, "sqlite_errorcode", 0)  # copying gives none
        if code & 0xFF == sqlite.SQLITE_FULL or str(wrong) == "database or disk is full":
            return "full"
        if code in UNWRITTEN:
            return "full"
        if code & 0xFF in (sqlite.SQLITE_READONLY, sqlite.SQLITE_CANTOPEN, sqlite.SQLITE_PERM):
            return "closed"
    return None
