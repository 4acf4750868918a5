"""A cache of files in a folder, limited in bytes; the oldest are removed first.

The folder may be deleted at any time and is in no backup. Each file begins with the hash of the rest, so that a torn file
is a miss. Several processes may share a folder.
"""

from __future__ import annotations

import hashlib
import logging
import os
from contextlib import suppress
from pathlib import Path

from daybook.services import atomic_files

HASH_BYTES = 32

logger = logging.getLogger(__name__)


class FileCache:
    """Bytes by name. A name never gets other bytes, so it has to contain everything that they depend on."""

    def __init__(self, folder: Path, bytes_limit: int) -> None:
        self.folder = folder
        self.bytes_limit = bytes_limit

    def get(self, name: str) -> bytes | None:
        try:
            stored = (self.folder / name).read_bytes()
        except OSError:
            return None
        content = stored[HASH_BYTES:]
        return content if hashlib.sha256(content).digest() == stored[:HASH_BYTES] else None

    def keep(self, name: str, content: bytes) -> bytes:
        """Store bytes, unless the disk is full, and return them."""
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            atomic_files.replace_file(self.folder / name, hashlib.sha256(content).digest() + content)
            self._trim()
        except OSError as full:
            logger.warning("%s cannot be kept in %s: %s", name, self.folder, full)
        return content

    def remove_older(self, moment: float) -> None:
        """Remove what was written before a moment, in seconds since 1970."""
        with suppress(FileNotFoundError), os.scandir(self.folder) as files:
            for file in files:
                with suppress(FileNotFoundError):
                    if file.stat(follow_symlinks=False).st_mtime < moment:
                        Path(file.path).unlink(missing_ok=True)

    def _trim(self) -> None:
        """Remove the oldest files, drafts of killed processes included."""
        stored = []
        with os.scandir(self.folder) as files:
            for file in files:
                try:
                    about = file.stat(follow_symlinks=False)
                except FileNotFoundError:  # another process was first
                    continue
                stored.append((about.st_mtime_ns, about.st_size, file.path))
        total = sum(size for _, size, _ in stored)
        for _, size, path in sorted(stored):
            if total <= self.bytes_limit:
                break
            Path(path).unlink(missing_ok=True)
            total -= size
