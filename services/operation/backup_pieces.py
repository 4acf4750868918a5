"""Stored backups: files cut into pieces, and backups in one folder share the pieces that they have in common.

A stored backup is a folder with `backup.json`, as every backup has, and `pieces.json`, which lists the pieces of each
file. The pieces are in `pieces` next to it, each named by its SHA-256.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec

from daybook.domain.kernel.frozen import Exact
from daybook.services.atomic_files import draft_of, flush_to_disk, new_folder, write
from daybook.services.operation.backup_checks import MANIFEST, NAMES, BadBackupError, content_of, read_manifest
from daybook.services.operation.backup_state import PIECE_LIST

PIECE_BYTES = 256 * 1024
PIECES, LIST = "pieces", PIECE_LIST
MAX_LIST_BYTES = 256 * 2**20


class PieceList(Exact):
    """The pieces of each file of a backup, in order."""

    files: dict[str, list[str]]


def store_backup(backup_folder: Path, stored: Path) -> None:
    """Store a whole backup in the folder of stored ones. It appears when all of its pieces are on disk."""
    backup = read_manifest(backup_folder)
    files = {name: [*_store_pieces(backup_folder / name, stored.parent / PIECES)] for name in backup.files}
    with new_folder(stored) as draft:
        write(draft / MANIFEST, content_of(backup))
        write(draft / LIST, msgspec.json.encode(PieceList(files)))
    for name, part in backup.files.items():
        digest = hashlib.sha256()
        for content in _read_pieces(stored, name):
            digest.update(content)
        if digest.hexdigest() != part.sha256:
            raise BadBackupError(f"{stored} is not what was written: the disk has damaged {name}")


def _store_pieces(file: Path, folder: Path) -> Iterator[str]:
    """Store the pieces of a file that the folder lacks; yield the name of each."""
    with file.open("rb") as content:
        while piece := content.read(PIECE_BYTES):
            name = hashlib.sha256(piece).hexdigest()
            path = _path_of(folder, name)
            if not path.exists():
                if not path.parent.exists():
                    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    flush_to_disk(folder)
                with draft_of(path, piece) as draft:
                    os.rename(draft, path)
            yield name


def _path_of(folder: Path, name: str) -> Path:
    return folder / name[:2] / name


def is_stored(source: Path) -> bool:
    """Check if a backup is a list of pieces."""
    return (source / LIST).is_file()


def read_list(stored: Path) -> PieceList:
    """Read the list of pieces. Raises BadBackupError."""
    file = stored / LIST
    try:
        content = file.read_bytes() if file.stat().st_size <= MAX_LIST_BYTES else b""
        found = msgspec.json.decode(content, type=PieceList)
    except (OSError, msgspec.DecodeError) as wrong:
        raise BadBackupError(f"{file} cannot be read: {wrong}") from wrong
    for name, pieces in found.files.items():
        if name not in NAMES or not all(len(piece) == 64 and piece.isalnum() and piece.isascii() for piece in pieces):
            raise BadBackupError(f"{file} names other files than a backup has")
    return found


def copy_file(source: Path, name: str, to: Path) -> None:
    """Copy a file of a backup, whether it is whole or in pieces. Raises BadBackupError."""
    if not is_stored(source):
        shutil.copyfile(source / name, to, follow_symlinks=False)
        return
    with to.open("xb") as file:
        for content in _read_pieces(source, name):
            file.write(content)


def _read_pieces(stored: Path, name: str) -> Iterator[bytes]:
    for piece in read_list(stored).files.get(name, ()):
        path = _path_of(stored.parent / PIECES, piece)
        try:
            yield path.read_bytes()
        except OSError as wrong:
            raise BadBackupError(f"{stored} is not whole: {path} cannot be read ({wrong.strerror})") from wrong


def remove_unused_pieces(folder: Path) -> int:
    """Remove the pieces that no stored backup in a folder has; return their bytes.

    Removes nothing while a list of pieces cannot be read. Raises BadBackupError.
    """
    lists = [read_list(path.parent) for path in folder.glob(f"*/{LIST}")]
    used = {piece for file_list in lists for pieces in file_list.files.values() for piece in pieces}
    removed = 0
    for path in (folder / PIECES).glob("*/*"):
        if path.name not in used:
            removed += path.stat().st_size
            path.unlink()
    return removed
