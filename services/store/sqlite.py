"""A SQLite without the WAL-reset bug, and how every connection to a file of ours is set up.

SQLite 3.7.0 to 3.51.2 can corrupt a file in WAL mode when several connections write and checkpoint at once. Where
the interpreter's is one of them, the `pysqlite3` wheel's takes its place: import `sqlite` from here, never `sqlite3`.
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
PAGES = 4096  # copied between two looks at anything else
FULL = 2  # what PRAGMA synchronous answers; 3 is EXTRA


class NotDurable(Exception):
    """What is acknowledged here might not survive a power cut; nothing is written. `findings` says why."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__("; ".join(findings))
        self.findings = tuple(findings)


def has_wal_reset_bug(version: tuple[int, ...]) -> bool:
    return (3, 7, 0) <= version < (3, 51, 3)


ALONE = sys.platform == "emscripten"  # in a browser: one process of one thread, so no two connections write at once

sqlite: ModuleType = sqlite3
if has_wal_reset_bug(sqlite3.sqlite_version_info) and not ALONE:
    sqlite = importlib.import_module("pysqlite3")


def connect(path: Path, synchronous: Literal["FULL", "NORMAL"], create: bool = False) -> Any:
    """A connection in WAL mode that begins no transaction by itself and may pass between threads.

    synchronous: FULL flushes at every commit, NORMAL may lose the newest commits in a power cut. Raises NotDurable
    for FULL if it is not in force; OperationalError if there is no such file and it is not to be created.
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
        if synchronous == "FULL":  # a file that cannot be rebuilt: what is deleted there is overwritten
            connection.execute("PRAGMA secure_delete=ON")
        findings = weaknesses(connection) if synchronous == "FULL" else []
        if findings:
            raise NotDurable(findings)
    except (sqlite.Error, NotDurable):
        connection.close()
        raise
    return connection


def _into_wal(connection: Any) -> None:
    """Several processes may do this to a new file at once; SQLite refuses all but one of them without waiting."""
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


def is_damaged(wrong: BaseException | None) -> bool:
    """Whether an error, or what caused it, says that a file is no database, or not a whole one."""
    while wrong is not None:
        code = getattr(wrong, "sqlite_errorcode", 0)
        if code & 0xFF in (sqlite.SQLITE_CORRUPT, sqlite.SQLITE_NOTADB):
            return True
        wrong = wrong.__cause__
    return False


def damage_of(file: Path, look: Literal["whole", "left"] = "whole") -> str:
    """What is damaged in a file; empty: nothing, or it is not there.

    look: "left": all of it is looked at only where whoever wrote it last did not close it, as in a power cut.
    """
    if not file.exists():
        return ""
    is_whole = look == "whole" or file.with_name(f"{file.name}-wal").exists()
    try:
        with closing(connect(file, "NORMAL")) as connection:
            asked = "PRAGMA quick_check(1)" if is_whole else "SELECT 'ok' FROM sqlite_schema"
            found = connection.execute(asked).fetchone()
    except sqlite.DatabaseError as wrong:  # what cannot be opened for another reason says so itself
        return str(wrong) if is_damaged(wrong) else ""
    return "" if found in (None, ("ok",)) else str(found[0])


def put_aside(file: Path) -> Path:
    """Have a file out of the way, in place of one that was put there before; where it is."""
    aside = file.with_name(f"{file.stem}-damaged{file.suffix}")
    for left in ("-wal", "-shm"):
        file.with_name(file.name + left).unlink(missing_ok=True)
    return file.replace(aside)


def copy_database(reader: Any, to: Path) -> None:
    """Copy all that a connection sees into a new file, for this user alone. It is not flushed yet."""
    with closing(sqlite.connect(to, isolation_level=None)) as copy:
        copy.execute("PRAGMA synchronous=OFF")
        reader.backup(copy, pages=PAGES)
    to.chmod(0o600)


def is_busy(wrong: Any) -> bool:
    """Whether another connection held the file for longer than the lock timeout."""
    return bool(wrong.sqlite_errorcode & 0xFF == sqlite.SQLITE_BUSY)  # the low byte; the rest says why


def weaknesses(connection: Any) -> list[str]:
    """Why what this connection commits might not survive a power cut; empty when it does."""
    found = []
    if has_wal_reset_bug(sqlite.sqlite_version_info) and not ALONE:
        found.append(f"SQLite {sqlite.sqlite_version} may corrupt its write-ahead log: install a newer pysqlite3")
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    if mode != "wal":
        found.append(f"the journal mode is {mode}, not wal: this file system cannot share memory between processes")
    if connection.execute("PRAGMA synchronous").fetchone()[0] < FULL:
        found.append("PRAGMA synchronous is not FULL: a commit may be acknowledged before it is on disk")
    return found
