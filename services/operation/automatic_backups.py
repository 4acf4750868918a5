"""Automatic backups of a data folder: one a day, in the data folder or on another disk.

The backups share unchanged data (`backup_pieces`). The operator's command can copy each one to another place.
"""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import now
from daybook.services.operation import backups
from daybook.services.operation.backup_checks import MANIFEST, STORES, Backup, BadBackupError, read_manifest
from daybook.services.operation.backup_pieces import remove_unused_pieces, store_backup
from daybook.services.operation.backup_state import (
    NAME,
    BackupState,
    bytes_in,
    folder_of,
    is_due,
    read_state,
    stored_backups,
    write_state,
)
from daybook.services.settings import Settings

WHOLE, LOCK = ".whole", ".lock"
FREE_SPACE_SHARE = 0.25
NAME_POLL_SECONDS = 0.1
COMMAND_SECONDS = 6 * 3600.0
MAX_ERROR_LENGTH = 500


class Retention(Frozen):
    """Numbers of backups to keep: the newest of each of the last days, weeks and months."""

    days: int
    weeks: int = 0
    months: int = 0


KEPT_IN_DATA_FOLDER = Retention(days=3)
KEPT_IN_OWN_FOLDER = Retention(days=7, weeks=4, months=12)  # DAYBOOK_BACKUP_FOLDER


class NoSpaceError(Exception):
    """The backup would take more than its share of the free space."""


class BackupFolderError(Exception):
    """The folder of the automatic backups cannot be written."""

    def __init__(self, folder: Path, wrong: OSError) -> None:
        super().__init__(
            f"{folder} cannot be written ({wrong.strerror}): mount its disk for writing, free space there, or name"
            " another folder in DAYBOOK_BACKUP_FOLDER"
        )


def take_automatic_backup(settings: Settings, only_if_due: bool = False) -> Path | None:
    """Create a backup, copy it onward, and remove those that are not kept; return its folder, or None if none is due.

    Raises NoSpaceError, BackupFolderError, BadBackupError and the errors of `backups.take_backup`. The state names each failure.
    """
    before = read_state(settings)
    try:
        with _locked(folder_of(settings)) as folder:
            if only_if_due and not is_due(settings):
                return None
            path, taken, copied, copy_error = _store_and_copy(settings, folder)
            reasons = backups.why_not_to_rely_on(path, taken)
            if reasons:
                raise BadBackupError("; ".join(reasons))
            _remove_others(folder, taken, KEPT_IN_OWN_FOLDER if settings.backup_folder else KEPT_IN_DATA_FOLDER)
    except Exception as wrong:
        write_state(settings, BackupState(now(), str(wrong)[:MAX_ERROR_LENGTH], before.copied_at, before.copy_error))
        raise
    write_state(settings, BackupState(now(), "", now() if copied else before.copied_at, copy_error))
    return path


def _store_and_copy(settings: Settings, folder: Path) -> tuple[Path, Backup, bool, str]:
    shutil.rmtree(folder / WHOLE, ignore_errors=True)  # of a process that was killed
    _require_space(settings, folder)
    name = _next_name(folder)
    whole = folder / WHOLE / name
    try:
        taken = backups.take_backup(settings, whole)
        store_backup(whole, folder / name)
        copied, copy_error = _copy_onward(settings.backup_command, whole)
    finally:
        shutil.rmtree(folder / WHOLE, ignore_errors=True)
    return folder / name, taken, copied, copy_error


def _next_name(folder: Path) -> str:
    """Return the present second as a name. If that second has a backup already, wait for the next one."""
    while (folder / (name := datetime.now(UTC).strftime(NAME))).exists():
        time.sleep(NAME_POLL_SECONDS)
    return name


def _require_space(settings: Settings, folder: Path) -> None:
    """Check that the whole copy, which is needed for a while, takes a quarter of the free space at most."""
    needed = sum((settings.data / name).stat().st_size for name in STORES)
    free = shutil.disk_usage(folder).free
    if needed > free * FREE_SPACE_SHARE:
        raise NoSpaceError(
            f"a backup of {needed // 10**6} MB would take more than a quarter of the {free // 10**6} MB that are free"
            f" in {folder}: free space, or name a folder of a larger disk in DAYBOOK_BACKUP_FOLDER"
        )


def _copy_onward(command: Path | None, backup_folder: Path) -> tuple[bool, str]:
    """Run the operator's command with the folder of the whole backup; return if it copied, and why not."""
    if command is None:
        return False, ""
    try:
        done = subprocess.run(
            [str(command), str(backup_folder)], stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return False, str(wrong)[:MAX_ERROR_LENGTH]
    if done.returncode == 0:
        return True, ""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return False, f"{command} ended with exit code {done.returncode}: {said[-1] if said else 'no message'}"[
        :MAX_ERROR_LENGTH
    ]


# --- what is kept ----------------------------------------------------------------------------------------------------


def kept_times(times: Sequence[datetime], retention: Retention) -> set[datetime]:
    """Return the times of backups to keep: the newest of each of the last days, weeks and months that have one."""
    found = set[datetime]()
    periods: tuple[tuple[int, Callable[[datetime], object]], ...] = (
        (retention.days, lambda at: at.date()),
        (retention.weeks, lambda at: at.isocalendar()[:2]),
        (retention.months, lambda at: (at.year, at.month)),
    )
    for limit, period_of in periods:
        newest_of = dict[object, datetime]()
        for at in sorted(times, reverse=True):
            newest_of.setdefault(period_of(at), at)
        found |= {*list(newest_of.values())[:limit]}
    return found


def _remove_others(folder: Path, taken: Backup, retention: Retention) -> None:
    """Remove backups that are not kept, and the oldest ones while all take more than their share of the free space."""
    stored = {
        at: path
        for at, path in stored_backups(folder).items()
        if read_manifest(path).found.history == taken.found.history
    }
    wanted = kept_times([*stored], retention)
    for at, path in stored.items():
        if at not in wanted:
            _remove(path)
    remove_unused_pieces(folder)
    for at in sorted(wanted)[:-1]:  # the newest one stays
        size = bytes_in(folder)
        if size <= (shutil.disk_usage(folder).free + size) * FREE_SPACE_SHARE:
            return
        _remove(stored[at])
        remove_unused_pieces(folder)


def _remove(stored: Path) -> None:
    (stored / MANIFEST).unlink()  # without it, the rest is not a backup
    shutil.rmtree(stored)


@contextmanager
def _locked(folder: Path) -> Iterator[Path]:
    """Let one process at a time work in a folder of backups. Raises BackupFolderError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (folder / LOCK).open("wb")
    except OSError as wrong:
        raise BackupFolderError(folder, wrong) from wrong
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
