"""Files and folders that appear whole or not at all, whatever ends the process that writes them."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Occupied(Exception):
    """Something is there already, and nothing is overwritten; the message says what to do."""


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A draft beside a folder that is to be: flushed and renamed to it at the end, removed if anything raises.

    Whoever kills the process leaves the draft, whose name begins with a dot and ends with ".part", and no `folder`.
    Raises Occupied if something is there; an empty folder is taken for nothing.
    """
    refuse_occupied(folder)
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.", suffix=".part"))
    try:
        yield draft
        for path in draft.iterdir():
            flush(path)
        flush(draft)
        _rename(draft, folder)
    except BaseException:
        shutil.rmtree(draft)
        raise
    flush(folder.parent)


def refuse_occupied(folder: Path) -> None:
    """Refuses a path at which something lies already. Raises Occupied."""
    if folder.is_dir() and not folder.is_symlink():
        if any(folder.iterdir()):
            raise Occupied(f"{folder} is not empty, and nothing is overwritten: name a folder that is not there yet")
        if folder.is_mount():
            raise Occupied(f"{folder} is where a disk is mounted, which cannot appear at once: name a folder below it")
    elif os.path.lexists(folder):
        raise Occupied(f"{folder} already exists, and nothing is overwritten: name another folder")


def _rename(draft: Path, folder: Path) -> None:
    """Only onto nothing or an empty folder: the system refuses the rest."""
    try:
        os.rename(draft, folder)
    except OSError as wrong:
        if wrong.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            raise
        raise Occupied(f"{folder} has come into being meanwhile: name another folder") from wrong


def flush(path: Path) -> None:
    """Have the disk keep a file, or the names in a folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a new file that only this user may read. Raises FileExistsError."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)


def replace(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file in place of what was there, if anything; on disk when this returns."""
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
    """The content in a file beside `path`, on disk, for its owner alone; afterwards what was made of it is on disk as
    well, and the draft is gone.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield draft
        flush(path.parent)
    finally:
        draft.unlink(missing_ok=True)
