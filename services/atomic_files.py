"""Files and folders that appear whole or not at all, whatever ends the process that writes them."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class OccupiedError(Exception):
    """The path exists already and is not overwritten; the message says what to do."""


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield a draft folder; flush and rename it to `folder` at the end, or remove it on an error.

    A killed process leaves only the draft, named ".*.part". Raises OccupiedError if something exists there, except an
    empty folder.
    """
    refuse_occupied(folder)
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.", suffix=".part"))
    try:
        yield draft
        for path in draft.iterdir():
            flush_to_disk(path)
        flush_to_disk(draft)
        _rename_folder(draft, folder)
    except BaseException:
        shutil.rmtree(draft)
        raise
    flush_to_disk(folder.parent)


def refuse_occupied(folder: Path) -> None:
    """Raise OccupiedError for a path that is in use; an empty folder is not."""
    if folder.is_dir() and not folder.is_symlink():
        if any(folder.iterdir()):
            raise OccupiedError(
                f"{folder} is not empty, and nothing is overwritten: name a folder that is not there yet"
            )
        if folder.is_mount():
            raise OccupiedError(
                f"{folder} is where a disk is mounted, which cannot appear at once: name a folder below it"
            )
    elif os.path.lexists(folder):
        raise OccupiedError(f"{folder} already exists, and nothing is overwritten: name another folder")


def _rename_folder(draft: Path, folder: Path) -> None:
    """Rename a draft to a missing or empty folder; the system refuses other targets."""
    try:
        os.rename(draft, folder)
    except OSError as wrong:
        if wrong.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            raise
        raise OccupiedError(f"{folder} has come into being meanwhile: name another folder") from wrong


def flush_to_disk(path: Path) -> None:
    """Flush a file, or the names in a folder, to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a new file that only this user may read. Raises FileExistsError."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)


def replace_file(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file atomically in place of an old one, if any; it is on disk when this returns."""
    with draft_of(path, content) as draft:
        os.chmod(draft, mode)
        os.rename(draft, path)


def write_once(path: Path, content: bytes) -> bool:
    """Write a file that only this user may read, whole or not at all; the first of several writers wins.

    Whether it was written, and nothing stood there.
    """
    with draft_of(path, content) as draft:
        try:
            os.link(draft, path)
        except FileExistsError:
            return False
    return True


@contextmanager
def draft_of(path: Path, content: bytes) -> Iterator[Path]:
    """Yield a private temporary file with the content, on disk; flush what was made of it, and remove the draft."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield draft
        flush_to_disk(path.parent)
    finally:
        draft.unlink(missing_ok=True)
