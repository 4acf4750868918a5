"""Checks before anything starts: one supervisor for each data folder, a free port, and a valid certificate."""

from __future__ import annotations

import fcntl
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daybook.services.settings import Settings

LOCK_FILE = "serve.lock"  # in the data folder: the process of the supervisor, and the address of its pages
LOCK_FILE_BYTES = 1024
LOCK_PATIENCE_SECONDS = 10.0  # for the parts of a supervisor that was killed to end


class CannotServeError(Exception):
    """Serving did not begin. The message says what to do."""


class AlreadyServingError(CannotServeError):
    """Another supervisor serves this data folder."""


class CannotListenError(CannotServeError):
    """The address is taken or belongs to another machine."""


@contextmanager
def lock_folder(folder: Path, address: str = "") -> Iterator[int]:
    """Hold the data folder's lock. Raises AlreadyServingError.

    Every part holds the lock too. After a supervisor was killed, wait until its parts have ended.

    Args:
        address: where pages are served meanwhile, for `served_address`.
    """
    lock = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        end = time.monotonic() + LOCK_PATIENCE_SECONDS
        while not _try_lock(lock):
            holder = os.pread(lock, LOCK_FILE_BYTES, 0).decode().partition("\n")[0]
            if not holder or _is_alive(int(holder)) or time.monotonic() > end:
                raise AlreadyServingError(
                    f"{folder} is served already (process {holder or 'unknown'}): stop that, or give another --data"
                )
            time.sleep(0.05)
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n{address}".encode(), 0)
        yield lock
    finally:
        os.close(lock)


def served_address(folder: Path) -> str:
    """Return the address at which a supervisor serves a data folder now; "" if none does."""
    try:
        lock = os.open(folder / LOCK_FILE, os.O_RDONLY)
    except OSError:
        return ""
    try:
        return "" if _try_lock(lock) else os.pread(lock, LOCK_FILE_BYTES, 0).decode().partition("\n")[2]
    finally:
        os.close(lock)


def _try_lock(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's
        return True
    return True


def refuse_taken(settings: Settings) -> None:
    """Raise CannotListenError if the address cannot be listened on now."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)  # without listening: clients that connect now would be turned away
    except OSError as error:
        raise CannotListenError(
            f"cannot listen on {settings.bind} ({error.strerror}): "
            "give another with --port (DAYBOOK_PORT) or --host (DAYBOOK_HOST)"
        ) from error


def refuse_several_web_processes(settings: Settings) -> None:
    """Raise CannotServeError if this system does not divide connections among several web processes."""
    if settings.web_processes > 1 and sys.platform != "linux":
        raise CannotServeError("several web processes (--web, DAYBOOK_WEB_PROCESSES) need Linux: leave that out")


def refuse_bad_certificate(settings: Settings) -> None:
    """Raise CannotServeError if TLS is wanted and the files are not a certificate and its key."""
    if settings.tls_certificate is None or settings.tls_key is None:
        return
    from daybook.services.operation import certificates

    try:
        certificates.tls_context(settings.tls_certificate, settings.tls_key)
    except certificates.BadCertificateError as error:
        raise CannotServeError(str(error)) from error
