"""State of the automatic backups of a data folder: where they are, how old they are, and why the last one failed."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.services.atomic_files import replace_file
from daybook.services.settings import Settings

NAME = "%Y-%m-%dT%H%M%SZ"  # of each backup: its time in UTC
BACKUPS = "backups"  # the folder in the data folder
STATE = "state.json"  # in that folder also if backups are on another disk, which may be full or away
PIECE_LIST = "pieces.json"  # of each backup (`backup_pieces`)
STORES = ("log.db", "kept.db")
INTERVAL = timedelta(hours=24)
RETRY = timedelta(hours=1)  # after a failure
SAME_DISK = "the automatic backups are on the disk of the data: they are lost with it"
SAME_DISK_REMEDY = "name a folder of another disk in DAYBOOK_BACKUP_FOLDER, or a program in DAYBOOK_BACKUP_COMMAND"


class BackupState(Frozen):
    """Result of the last try.

    Args:
        tried_at: its time.
        error: why it failed; empty if it did not.
        copied_at: the time when the operator's command last copied a backup onward.
        copy_error: why the command failed; empty if it did not.
    """

    tried_at: str = ""
    error: str = ""
    copied_at: str = ""
    copy_error: str = ""


class BackupSummary(Frozen):
    """Summary of the automatic backups of a data folder.

    Args:
        newest: folder of the newest one.
        age_seconds: None if there is none.
        shares_disk: the backups are on the disk of the data.
        bytes: of all of them.
    """

    folder: Path
    newest: Path | None
    age_seconds: float | None
    shares_disk: bool
    count: int
    bytes: int
    state: BackupState


def is_automatic(settings: Settings) -> bool:
    """Check if backups of this data are created automatically: SQLite, unless switched off."""
    return settings.database_url is None and settings.automatic_backups


def folder_of(settings: Settings) -> Path:
    """Return the folder of the automatic backups, whether it exists or not."""
    return settings.backup_folder or settings.data / BACKUPS


def shares_disk(settings: Settings) -> bool:
    """Check if the backups are lost with the disk of the data."""
    folder = folder_of(settings)
    while not folder.exists():
        folder = folder.parent
    return folder.stat().st_dev == settings.data.stat().st_dev


def stored_backups(folder: Path) -> dict[datetime, Path]:
    """Return the automatic backups in a folder by their time, the newest first."""
    found = dict[datetime, Path]()
    if folder.is_dir():
        for path in folder.iterdir():
            with suppress(ValueError):
                at = datetime.strptime(path.name, NAME).replace(tzinfo=UTC)
                if (path / PIECE_LIST).is_file():
                    found[at] = path
    return dict(sorted(found.items(), reverse=True))


def read_state(settings: Settings) -> BackupState:
    try:
        return msgspec.json.decode((settings.data / BACKUPS / STATE).read_bytes(), type=BackupState)
    except (OSError, msgspec.DecodeError):
        return BackupState()


def write_state(settings: Settings, state: BackupState) -> None:
    folder = settings.data / BACKUPS
    folder.mkdir(mode=0o700, exist_ok=True)
    replace_file(folder / STATE, msgspec.json.encode(state))


def summarise(settings: Settings) -> BackupSummary:
    """Return what is known about the automatic backups."""
    folder = folder_of(settings)
    stored = stored_backups(folder)
    newest = next(iter(stored), None)
    return BackupSummary(
        folder,
        stored.get(newest) if newest else None,
        max(0.0, (datetime.now(UTC) - newest).total_seconds()) if newest else None,
        shares_disk(settings),
        len(stored),
        bytes_in(folder),
        read_state(settings),
    )


def backup_age_seconds(settings: Settings) -> float | None:
    """Return the age of the newest automatic backup; None if there is none."""
    newest = next(iter(stored_backups(folder_of(settings))), None)
    return max(0.0, (datetime.now(UTC) - newest).total_seconds()) if newest else None


def age_or_wait_seconds(settings: Settings) -> float:
    """Return the age of the newest automatic backup; without one, how long the data folder has waited for the first."""
    age = backup_age_seconds(settings)
    return age if age is not None else max(0.0, time.time() - settings.data.stat().st_ctime)


def is_due(settings: Settings) -> bool:
    """Check if the newest automatic backup is older than a day, and no try has just failed."""
    if not is_automatic(settings) or not all((settings.data / name).is_file() for name in STORES):
        return False
    folder, at = folder_of(settings), datetime.now(UTC)
    state = read_state(settings)
    if state.error and at - datetime.fromisoformat(state.tried_at) < RETRY:
        return False
    newest = next(iter(stored_backups(folder)), None)
    return newest is None or not timedelta(0) <= at - newest < INTERVAL


def bytes_in(folder: Path) -> int:
    total = 0
    for place, _, files in os.walk(folder):
        for file in files:
            with suppress(OSError):  # removed meanwhile
                total += os.stat(Path(place) / file).st_size
    return total
