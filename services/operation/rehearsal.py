"""Rehearsing a restore: restore a backup to a temporary folder, rebuild its read models, and remove it again."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from daybook.domain.kernel.frozen import Frozen
from daybook.services.counted import counted
from daybook.services.following.projections import prepare_read_models
from daybook.services.operation import backups
from daybook.services.operation.backup_checks import Backup, Progress, backup_lines
from daybook.services.settings import Settings
from daybook.services.store import set_aside
from daybook.services.store.daybook import open_daybook


class Rehearsal(Frozen):
    """Result of a rehearsal.

    Args:
        unreadable: games and clubs that cannot be read after the restore.
    """

    source: Path
    backup: Backup
    restore_seconds: float
    rebuild_seconds: float
    unreadable: int

    def lines(self) -> Iterator[str]:
        """Yield what was found, line by line."""
        yield f"{self.source}, made at {self.backup.made_at}"
        yield from backup_lines(self.backup)
        yield (
            f"restored and verified in {self.restore_seconds:.1f} s, read models rebuilt in {self.rebuild_seconds:.1f} s;"
            " everything was removed again"
        )
        if self.unreadable:
            yield f"{counted(self.unreadable, 'game or club', 'games or clubs')} cannot be read"


def rehearse_restore(
    source: Path, settings: Settings, code: str | None = None, progress: Progress = backups.no_progress
) -> Rehearsal:
    """Restore a backup next to it, rebuild its read models, and remove all of it. Raises BadBackupError."""
    with tempfile.TemporaryDirectory(prefix=".rehearsal-", dir=source.absolute().parent) as folder:
        data = Path(folder) / "data"
        own = replace(settings, data=data, secret_file=None, receipt_key_file=None, database_url=None, redis_url=None)
        began = time.monotonic()
        backup = backups.restore_backup(source, own, code, damaged=True, progress=progress)
        restored = time.monotonic()
        with closing(open_daybook(own, create=True)) as book:
            prepare_read_models(book)
            unreadable = len(set_aside.select_all(book.views))
        return Rehearsal(source, backup, restored - began, time.monotonic() - restored, unreadable)
