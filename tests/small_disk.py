"""Real file systems that are small or may not be written."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

READ_ONLY, REMOUNT, DETACH = 1, 32, 2
libc = ctypes.CDLL(None, use_errno=True)


def mount_disk(at: Path, options: str, flags: int = 0) -> None:
    """Raises OSError."""
    if libc.mount(b"daybook-test", os.fsencode(at), b"tmpfs", flags, options.encode()):
        raise OSError(ctypes.get_errno(), "cannot mount", str(at))


@contextmanager
def disk(at: Path, size: str) -> Iterator[Path]:
    """A file system of this size, such as "2m", at a folder. Skips the test where mounting is not allowed."""
    at.mkdir()
    try:
        mount_disk(at, f"size={size}")
    except OSError as no:
        pytest.skip(f"only who may mount can fill a disk: {no}")
    try:
        yield at
    finally:
        unmount(at)


def close_for_writing(at: Path) -> None:
    mount_disk(at, "", REMOUNT | READ_ONLY)


def unmount(at: Path) -> None:
    libc.umount2(os.fsencode(at), DETACH)


def fill(at: Path, leave: int = 0) -> Path:
    """A file that takes all the room there is; removing it makes room again."""
    ballast = at / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            file.truncate(max(0, file.tell() - leave))
    return ballast
