"""Work that only one process does at a time, and that waits for databases that are away.

A lock ends with its process, and another process takes over; on PostgreSQL also when the host of that process can no
longer be reached. The new holder writes its own mark next to the projection's position (a fencing token), so that an old
holder that comes back, after a pause or with its network, cannot write.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Protocol

from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.daybook import Daybook
from daybook.services.store.tracking import LockLostError, ProjectionTracking

ERROR_PAUSE_SECONDS = 60.0  # before work is tried again after an error
AWAY_PAUSE_SECONDS = 1.0  # before a database that is away is tried again
LOCK_POLL_SECONDS = 1.0  # between two attempts to take the lock
BEAT_SECONDS = 10.0

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Heartbeat:
    """Act every BEAT_SECONDS while the process has the lock. token: its fencing token (`services.store.tracking`)."""

    turn: ProcessLock
    token: str
    due: float = 0.0

    def __call__(self, act: Callable[[], object]) -> None:
        """Act if it is time. Raises one of UNAVAILABLE if the lock may be lost."""
        if time.monotonic() >= self.due:
            self.turn.check()
            act()
            self.due = time.monotonic() + BEAT_SECONDS


def run_exclusively(book: Daybook, name: str, once: Callable[[Heartbeat], object], stop: Event) -> None:
    """Repeat work until stopped, in one process at a time.

    It waits for databases that are away, with one warning. Any other error is written into the health rows, and the work is
    tried again later.
    """
    turn, beat, said = make_lock(book.settings, name), None, ""
    try:
        while not stop.is_set():
            _turned_at[name] = time.monotonic()
            try:
                if beat is None and not turn.take():
                    stop.wait(LOCK_POLL_SECONDS)
                    continue
                beat = beat or Heartbeat(turn, ProjectionTracking(book.views, name).take_over())
                once(beat)
                said = ""
            except LockLostError as lost:  # the new holder writes health
                logger.warning("%s waits: %s", name, lost)
                turn.release()
                beat = None
            except UNAVAILABLE as away:
                if said != (said := str(away)):
                    logger.warning("%s waits: %s", name, away)
                if beat is not None:
                    _write_health(book, name, beat, "waiting", away)
                turn.release()
                beat = None
                stop.wait(AWAY_PAUSE_SECONDS)
            except Exception as wrong:  # other projections continue
                logger.exception("%s has stopped", name)
                if beat is not None:
                    _write_health(book, name, beat, "stopped", wrong)
                    beat.due = 0.0
                stop.wait(ERROR_PAUSE_SECONDS)
    finally:
        turn.release()
        _turned_at.pop(name, None)


_turned_at: dict[str, float] = {}  # by name of the work: when its last step began in this process


def stuck_turns(seconds: float) -> list[str]:
    """Return the work of this process that has made no step for longer than this."""
    return [name for name, at in [*_turned_at.items()] if time.monotonic() - at > seconds]


def _write_health(
    book: Daybook, name: str, beat: Heartbeat, state: read_models.ProjectionState, why: Exception
) -> None:
    try:
        ProjectionTracking(book.views, name, beat.token).require_token()
        read_models.write_health(
            book.views, name, state, read_models.position_of(book.views, name), f"{type(why).__name__}: {why}"
        )
    except UNAVAILABLE as away:
        logger.warning("%s cannot say so: %s", name, away)


class ProcessLock(Protocol):
    """A lock between processes, which ends with the process that holds it."""

    def take(self) -> bool:
        """Try to lock the file without waiting; return False if another process has it."""

    def check(self) -> None:
        """Raise one of UNAVAILABLE if the lock may be lost."""

    def release(self) -> None:
        """Release the lock; nothing happens if it is not held."""


@dataclass(slots=True)
class FileLock:
    """A lock on a file in the data folder."""

    path: str
    file: int = -1

    def take(self) -> bool:
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        self.file = file
        return True

    def check(self) -> None:
        pass  # the operating system keeps it

    def release(self) -> None:
        if self.file >= 0:
            os.close(self.file)
            self.file = -1


def make_lock(settings: Settings, name: str) -> ProcessLock:
    if settings.database_url is None:
        return FileLock(str(settings.folder() / f"{name}.lock"))
    from daybook.services.store.locks_postgres import AdvisoryLock

    number = hashlib.sha256(f"daybook {read_models.versioned_name(name)}".encode()).digest()[:8]
    return AdvisoryLock(settings.database_url, int.from_bytes(number, "big", signed=True))
