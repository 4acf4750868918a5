"""Marks of imports by visitors without an account, on a Daybook that its operator declared public."""

from __future__ import annotations

import shutil
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.settings import Settings
from daybook.services.store.database import upsert
from daybook.services.store.kept import kept_stranger_file

GIGABYTE = 1_000_000_000


class DiskNearlyFullError(Exception):
    """Less is free than the operator wants for files of strangers; nothing was written."""


def mark_import(c: sa.Connection, kind: str, about: str, size: int, client: str, game: UUID | None = None) -> None:
    """Mark a game, a photo or a sheet as imported by a stranger. client: as in `byte_limits`."""
    row: dict[str, Any] = {"kind": kind, "about": about, "game": game, "bytes": size, "client": client, "at": now()}
    upsert(c, kept_stranger_file, [row], ["kind", "about"])


def unmark_import(c: sa.Connection, kind: str, about: str) -> None:
    """Remove a mark: the file is gone, or belongs to an account now."""
    c.execute(kept_stranger_file.delete().where(kept_stranger_file.c.kind == kind, kept_stranger_file.c.about == about))


def require_free_disk(settings: Settings) -> None:
    """Check if enough is free on the disk of the data folder. Raises DiskNearlyFullError."""
    if shutil.disk_usage(settings.data).free < settings.visitor_files_min_free_gb * GIGABYTE:
        raise DiskNearlyFullError("the disk is nearly full: files are taken again when there is room")
