"""Backups: copy a data folder while Daybook runs, and restore one into an empty folder.

A backup is a folder with copies of the log, the kept tables, the secret and the receipt key, and `backup.json`, which
describes them. Read models and the queue are rebuilt from the log.

Both stores are copied as of one moment. For less than a millisecond, as a rule, the write locks of both are held while
a reader of each is opened; then SQLite's backup interface copies from those two snapshots, however long it takes. So
every decision acknowledged before the backup is in it, and the kept tables name no game that the log lacks, except one
being opened at that moment. In that case the moment is chosen again; what still remains was interrupted long ago and is
reported.

The secret and the key are copied after the stores: what a store holds was signed with keys that existed before.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from daybook.services.atomic_files import new_folder, refuse_occupied, write
from daybook.services.clock import now
from daybook.services.counted import counted
from daybook.services.operation.backup_checks import (
    FORMAT,
    KEPT,
    LOG,
    MANIFEST,
    NAMES,
    RECEIPT_KEY,
    SECRET,
    STORES,
    Backup,
    Progress,
    content_of,
    describe_file,
    examine_stores,
    games_without_log,
    read_manifest,
    require_contents,
    require_names,
    require_parts,
)
from daybook.services.operation.backup_checks import BadBackupError as BadBackupError  # re-exported for callers
from daybook.services.operation.backup_pieces import copy_file, is_stored
from daybook.services.settings import Settings
from daybook.services.store import history
from daybook.services.store.log import NoLogError
from daybook.services.store.migrations import newest_version
from daybook.services.store.sqlite import connect, copy_database

MAX_SNAPSHOT_TRIES = 20  # for a moment when no game is being opened
MOMENT_SECONDS = 0.1

logger = logging.getLogger(__name__)


class UsesPostgresError(Exception):
    """The data is in PostgreSQL, which has its own backup programs: see docs/backup.md."""


def no_progress(_done: int, _total: int) -> None:
    """Ignore progress."""


# --- taking ----------------------------------------------------------------------------------------------------------


def take_backup(settings: Settings, to: Path, progress: Progress = no_progress) -> Backup:
    """Back up a data folder into a new folder, and verify the copy before it appears.

    Raises UsesPostgresError, NoLogError, LostDataError, BadBackupError for a faulty copy, and Occupied.
    """
    _refuse_postgres(settings)
    history.refuse_lost_data(settings, create=False)
    for name in STORES:
        if not (settings.data / name).is_file():
            raise NoLogError(f"there is no {name} in {settings.data}: name the data folder with --data")
    with new_folder(to) as draft:
        _copy_stores(settings.data, draft)
        for name, file in ((SECRET, settings.secret_path), (RECEIPT_KEY, settings.receipt_key_path)):
            if file.exists():
                write(draft / name, file.read_bytes())
        found = examine_stores(draft, progress)
        history.refuse_other_history(settings, found.history)
        files = {name: describe_file(draft / name) for name in NAMES if (draft / name).exists()}
        backup = Backup(FORMAT, now(), found, files)
        write(draft / MANIFEST, content_of(backup))
    return backup


def _refuse_postgres(settings: Settings) -> None:
    if settings.database_url is not None:
        raise UsesPostgresError(
            "the data is in PostgreSQL: back it up and restore it with pg_dump and pg_restore, as docs/backup.md shows"
        )


def _copy_stores(data: Path, draft: Path) -> None:
    with _readers_between_openings(data) as readers:
        for name, reader in readers.items():
            copy_database(reader, draft / name)  # flushed as a whole before it appears


@contextmanager
def _readers_between_openings(data: Path) -> Iterator[dict[str, Any]]:
    """Readers of both stores at a moment at which no game is being opened, if there is one."""
    for trial in range(1, MAX_SNAPSHOT_TRIES + 1):
        with readers_at_one_moment(data) as readers:
            if trial == MAX_SNAPSHOT_TRIES or not games_without_log(readers[LOG], readers[KEPT]):
                yield readers
                return
        time.sleep(MOMENT_SECONDS)


@contextmanager
def readers_at_one_moment(data: Path) -> Iterator[dict[str, Any]]:
    """Readers of both stores, which see what was committed at one and the same moment, however long they read."""
    with ExitStack() as held:
        writers = {name: held.enter_context(closing(connect(data / name, "FULL"))) for name in STORES}
        readers = {name: held.enter_context(closing(connect(data / name, "FULL"))) for name in STORES}
        for name in (KEPT, LOG):
            writers[name].execute("BEGIN IMMEDIATE")
        for reader in readers.values():
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # a transaction begins with its first look
        for writer in writers.values():
            writer.execute("ROLLBACK")
        yield readers


# --- keeping ---------------------------------------------------------------------------------------------------------


def why_not_to_rely_on(folder: Path, taken: Backup) -> list[str]:
    """Say why the backups next to a new one must stay: it is damaged, or it holds less than one of them."""
    found = (
        [f"{counted(len(taken.found.broken), 'game or club is', 'games or clubs are')} damaged in the log"]
        if taken.found.broken
        else []
    )
    for other, backup in backups_beside(folder):
        if backup.found.history != taken.found.history and backup.found.entries:
            found.append(f"{other} is of another history")
        elif backup.found.position > taken.found.position:
            found.append(f"{other} goes to entry {backup.found.position}, and this one to {taken.found.position}")
    return found


def backups_beside(folder: Path) -> list[tuple[Path, Backup]]:
    """Return the other backups in the folder of a backup; what cannot be read is none."""
    found = []
    for other in sorted(folder.absolute().parent.iterdir()):
        if other != folder.absolute() and (other / MANIFEST).is_file():
            with suppress(BadBackupError):
                found.append((other, read_manifest(other)))
    return found


def remove_older(folder: Path, taken: Backup, keep: int) -> list[Path]:
    """Remove the oldest backups next to a new one, so that `keep` are left with it; return them.

    Only backups of the same history count, and nothing is removed where `why_not_to_rely_on` has a reason.
    """
    if why_not_to_rely_on(folder, taken):
        return []
    ours = [(other, backup) for other, backup in backups_beside(folder) if backup.found.history == taken.found.history]
    ours.sort(key=lambda pair: (pair[1].found.position, pair[1].made_at), reverse=True)  # a clock may have gone back
    removed = [other for other, _ in ours[max(keep - 1, 0) :]]
    for other in removed:
        shutil.rmtree(other)
    return removed


# --- verifying, restoring --------------------------------------------------------------------------------------------


def verify_backup(folder: Path, progress: Progress = no_progress) -> Backup:
    """Verify a backup and return its contents. Raises BadBackupError."""
    backup = read_manifest(folder)
    require_names(folder, backup)
    require_parts(folder, backup)
    require_contents(folder, backup, progress)
    return backup


def restore_backup(
    source: Path, settings: Settings, code: str | None = None, damaged: bool = False, progress: Progress = no_progress
) -> Backup:
    """Restore a backup into the data folder, which must be missing or empty.

    It is copied, verified and then moved into place.

    Args:
        code: the check code, or its beginning, that the backup must have.
        damaged: accept entries that were damaged in the log when the backup was taken.

    Raises UsesPostgresError, BadBackupError, Occupied.
    """
    _refuse_postgres(settings)
    refuse_occupied(settings.data)
    backup = read_manifest(source)
    if code is not None and not backup.code.startswith(code):
        raise BadBackupError(
            f"{source} has the check code {backup.code}, not {code}: it is another backup, or was changed"
        )
    if backup.found.kept > newest_version():
        raise BadBackupError(
            f"{source} was made by a newer Daybook (its kept tables have version {backup.found.kept}, and "
            f"this one knows {newest_version()}): restore it with that one"
        )
    if not is_stored(source):
        require_names(source, backup)
    with new_folder(settings.data) as draft:
        write(draft / MANIFEST, content_of(backup))
        for name in backup.files:
            copy_file(source, name, draft / name)
            (draft / name).chmod(0o600)
        try:
            verified = verify_backup(draft, progress)
        except BadBackupError as fault:  # of the copy, which is gone then: name the backup
            reason = str(fault).replace(str(draft), str(source))
            raise BadBackupError(f"{reason}. Nothing was restored: take another backup") from fault
        if verified != backup:
            raise BadBackupError(f"{source} was changed while it was copied: try again")
        if backup.found.broken and not damaged:
            first = backup.found.broken[0]
            raise BadBackupError(
                f"{first.id} is broken at step {first.step} ({first.says}), and was when this backup was taken: "
                "restore an older one, or this one as it is with --damaged"
            )
        (draft / MANIFEST).unlink()
    return backup
