"""Work that one process does at a time, however many are started, and that outlives what it needs.

The turn ends with the process that holds it, however that ends, and another takes it over; on PostgreSQL also when the
host of that process can no longer be reached. Whoever takes a turn marks the projection's position as its own: an old
holder that comes back, after a pause or with its network, moves nothing on.
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
from daybook.services.store.away import AWAY
from daybook.services.store.daybook import Daybook

STUCK_SECONDS = 60.0  # before what went wrong is tried again
AWAY_SECONDS = 1.0  # before what could not be reached is tried again
TURN_SECONDS = 1.0  # how often whoever waits for a turn looks whether it is free
BEAT_SECONDS = 10.0

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Beat:
    """Does something at first, and then whenever the last time is BEAT_SECONDS ago, while the turn is still held.

    mark: what the position is marked with while the turn is ours.
    """

    turn: ProcessLock
    mark: str
    due: float = 0.0

    def __call__(self, act: Callable[[], object]) -> None:
        """Raises one of AWAY if the turn may have been lost."""
        if time.monotonic() >= self.due:
            self.turn.check()
            act()
            self.due = time.monotonic() + BEAT_SECONDS


def in_turn(book: Daybook, name: str, once: Callable[[Beat], object], stop: Event) -> None:
    """Do something again and again until stopped, while no other process does.

    What is away is waited for, which is said once. Any other error is told in the health rows, and it is tried again
    later.
    """
    turn, beat, said = turn_at(book.settings, name), None, ""
    try:
        while not stop.is_set():
            try:
                if beat is None and not turn.take():
                    stop.wait(TURN_SECONDS)
                    continue
                beat = beat or Beat(turn, read_models.take_turn(book.views, name))
                once(beat)
                said = ""
            except read_models.TurnLost as lost:  # whoever has it now tells how it fares
                logger.warning("%s waits: %s", name, lost)
                turn.release()
                beat = None
            except AWAY as away:
                if said != (said := str(away)):
                    logger.warning("%s waits: %s", name, away)
                if beat is not None:
                    _tell(book, name, beat, "waiting", away)
                turn.release()
                beat = None
                stop.wait(AWAY_SECONDS)
            except Exception as wrong:  # whatever is wrong, the others go on
                logger.exception("%s has stopped", name)
                if beat is not None:
                    _tell(book, name, beat, "stopped", wrong)
                    beat.due = 0.0
                stop.wait(STUCK_SECONDS)
    finally:
        turn.release()


def _tell(book: Daybook, name: str, beat: Beat, state: read_models.State, why: Exception) -> None:
    try:
        read_models.require_turn(book.views, name, beat.mark)
        read_models.note_health(
            book.views, name, state, read_models.position_of(book.views, name), f"{type(why).__name__}: {why}"
        )
    except AWAY as away:
        logger.warning("%s cannot say so: %s", name, away)


class ProcessLock(Protocol):
    """The right to do something, held by one process at most; it ends with the process that holds it."""

    def take(self) -> bool:
        """Take the turn, if nobody has it."""

    def check(self) -> None:
        """Raises one of AWAY if the turn may have been lost."""

    def release(self) -> None:
        """Let others have it. Releasing what is not held is fine."""


@dataclass(slots=True)
class FileTurn:
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
        pass  # the system keeps it for us

    def release(self) -> None:
        if self.file >= 0:
            os.close(self.file)
            self.file = -1


def turn_at(settings: Settings, name: str) -> ProcessLock:
    if settings.database_url is None:
        return FileTurn(str(settings.folder() / f"{name}.lock"))
    from daybook.services.store.locks_postgres import PostgresTurn

    number = hashlib.sha256(f"daybook {read_models.own_name(name)}".encode()).digest()[:8]
    return PostgresTurn(settings.database_url, int.from_bytes(number, "big", signed=True))
