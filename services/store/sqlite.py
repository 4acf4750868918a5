"""SQLite without the WAL-reset bug, and the settings of every connection.

SQLite 3.7.0 to 3.51.2 can corrupt a file in WAL mode when several connections write and checkpoint at once. If the
interpreter has one of these, the `pysqlite3` wheel is used instead: import `sqlite` from here, never `sqlite3`.
"""

from __future__ import annotations

import importlib
import sqlite3
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

LOCK_TIMEOUT_SECONDS = 30  # the busy handler is unfair: under load a writer may wait for seconds
PAGES_PER_STEP = 4096  # copied before other connections may write
FULL = 2  # the value of PRAGMA synchronous; 3 is EXTRA


class NotDurableError(Exception):
    """An acknowledged entry might not survive a power cut, so nothing is written. `findings` has the reasons."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__("; ".join(findings))
        self.findings = tuple(findings)


def has_wal_reset_bug(version: tuple[int, ...]) -> bool:
    return (3, 7, 0) <= version < (3, 51, 3)


IN_BROWSER = sys.platform == "emscripten"  # a browser: one process with one thread

sqlite: ModuleType = sqlite3
if has_wal_reset_bug(sqlite3.sqlite_version_info) and not IN_BROWSER:
    sqlite = importlib.import_module("pysqlite3")


def connect(path: Path, synchronous: Literal["FULL", "NORMAL"], create: bool = False) -> Any:
    """Open a connection in WAL mode and autocommit that threads may share.

    synchronous: FULL flushes every commit, NORMAL may lose the newest commits in a power cut. Raises NotDurableError for FULL
    if it is not in force; OperationalError if the file is missing and `create` is False.
    """
    connection = sqlite.connect(
        f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}",
        uri=True,
        timeout=LOCK_TIMEOUT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        _into_wal(connection)
        connection.execute(f"PRAGMA synchronous={synchronous}")
        if synchronous == "FULL":  # the file has personal data: deleted rows are overwritten
            connection.execute("PRAGMA secure_delete=ON")
        findings = weaknesses(connection) if synchronous == "FULL" else []
        if findings:
            raise NotDurableError(findings)
    except (sqlite.Error, NotDurableError):
        connection.close()
        raise
    return connection


def _into_wal(connection: Any) -> None:
    """Switch to WAL mode; on a new file SQLite refuses all but one process without waiting, so retry."""
    deadline = time.monotonic() + LOCK_TIMEOUT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite.OperationalError as wrong:
            if not is_busy(wrong) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def inode_of(file: Path) -> int | None:
    """Return which file a path names now; None if there is none. A file that was removed stays open for its users."""
    try:
        return file.stat().st_ino
    except OSError:
        return None


def is_damaged(error: BaseException | None) -> bool:
    """Check if an error, or one of its causes, means that a file is damaged or not a database."""
    while error is not None:
        code = getattr(error, "sqlite_errorcode", 0)
        if code & 0xFF in (sqlite.SQLITE_CORRUPT, sqlite.SQLITE_NOTADB):
            return True
        error = error.__cause__
    return False


def find_damage(file: Path, look: Literal["whole", "left"] = "whole") -> str:
    """Return what is damaged in a file; "" for nothing, or a missing file.

    look: "left": check the whole file only if its last writer did not close it, as in a power cut.
    """
    if not file.exists():
        return ""
    is_whole = look == "whole" or file.with_name(f"{file.name}-wal").exists()
    try:
        with closing(connect(file, "NORMAL")) as connection:
            check = "PRAGMA quick_check(1)" if is_whole else "SELECT 'ok' FROM sqlite_schema"
            found = connection.execute(check).fetchone()
    except sqlite.DatabaseError as wrong:  # other errors are raised when the file is opened
        return str(wrong) if is_damaged(wrong) else ""
    return "" if found in (None, ("ok",)) else str(found[0])


def move_damaged_file(file: Path) -> Path:
    """Move a damaged file out of the way, over an earlier one; return its new path."""
    aside = file.with_name(f"{file.stem}-damaged{file.suffix}")
    for left in ("-wal", "-shm"):
        file.with_name(file.name + left).unlink(missing_ok=True)
    return file.replace(aside)


def copy_database(reader: Any, to: Path) -> None:
    """Copy a database into a new file that only this user can read. It is not flushed yet."""
    with closing(sqlite.connect(to, isolation_level=None)) as copy:
        copy.execute("PRAGMA synchronous=OFF")
        reader.backup(copy, pages=PAGES_PER_STEP)
    to.chmod(0o600)


def is_busy(error: Any) -> bool:
    """Check if another connection held the file for longer than the lock timeout."""
    return bool(error.sqlite_errorcode & 0xFF == sqlite.SQLITE_BUSY)  # the low byte; the rest is the reason


def weaknesses(connection: Any) -> list[str]:
    """Return why commits of this connection might not survive a power cut; empty if they do."""
    found = []
    if has_wal_reset_bug(sqlite.sqlite_version_info) and not IN_BROWSER:
        found.append(f"SQLite {sqlite.sqlite_version} may corrupt its write-ahead log: install a newer pysqlite3")
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    if mode != "wal":
        found.append(f"the journal mode is {mode}, not wal: this file system cannot share memory between processes")
    if connection.execute("PRAGMA synchronous").fetchone()[0] < FULL:
        found.append("PRAGMA synchronous is not FULL: a commit may be acknowledged before it is on disk")
    return found
