"""Check every seal of the log: at once for the doctor, and slowly in the background.

A disk can corrupt data silently, and old games may not be read for years. So the background check reads all games, with
a few hundredths of a processor, and sets a damaged one aside. Health, the doctor and an alert name it while a good
backup still exists.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator
from threading import Event
from uuid import UUID

from daybook.services.files.verify import SealCheck
from daybook.services.operation.backup_checks import verify_chronicle
from daybook.services.store import read_models, set_aside
from daybook.services.store.daybook import Daybook
from daybook.services.store.locks import BEAT_SECONDS, Heartbeat, run_exclusively
from daybook.services.store.set_aside import SEALS

ROUND_SECONDS = 86_400.0  # between the starts of two rounds through the log
PAUSE_FACTOR = 30.0  # pause after a check, as a multiple of its CPU time
LEAST_PAUSE_SECONDS = 0.05
RECHECK_SECONDS = 60.0  # between two checks of what is set aside: restored records soon take entries again

logger = logging.getLogger(__name__)


def check_record(book: Daybook, record_id: UUID) -> SealCheck:
    """Check every seal of a game or club, and that each line is where it belongs."""
    stored = book.log.recorder.select_events(record_id)
    return verify_chronicle(
        record_id.hex, [(event.originator_version, event.topic, book.log.line_of(event)) for event in stored]
    )


def check_all_records(book: Daybook) -> Iterator[tuple[UUID, SealCheck]]:
    """Yield every game and club of the log with what was found."""
    for record_id in book.log.recorder.select_ids():
        yield record_id, check_record(book, record_id)


def scrub_in_turn(book: Daybook, stop: Event) -> None:
    """Check the log again and again until stopped, in one process at a time."""
    run_exclusively(book, SEALS, scrub_step(book, stop), stop)


def scrub_step(book: Daybook, stop: Event) -> Callable[[Heartbeat], None]:
    """Return what checks the next record, or waits for the next round."""
    waiting: list[UUID] = []
    due = recheck_due = 0.0

    def once(beat: Heartbeat) -> None:
        nonlocal due, recheck_due
        if time.monotonic() >= recheck_due:
            recheck_due = time.monotonic() + RECHECK_SECONDS
            for damaged_id in set_aside.select_ids(book.views, SEALS):
                note_check(book, damaged_id)
        beat(lambda: read_models.write_health(book.views, SEALS, "running", book.log.newest()))
        if not waiting:
            if time.monotonic() < due:
                stop.wait(min(due - time.monotonic(), BEAT_SECONDS))
                return
            due = time.monotonic() + ROUND_SECONDS
            waiting.extend(book.log.recorder.select_ids())
            random.shuffle(waiting)  # so that a process that is restarted often still reaches every record
        if waiting:
            began = time.thread_time()
            note_check(book, waiting.pop())
            stop.wait(max(LEAST_PAUSE_SECONDS, PAUSE_FACTOR * (time.thread_time() - began)))

    return once


def note_check(book: Daybook, record_id: UUID) -> None:
    """Check a record; set it aside if it is damaged, and take it up again if it is whole."""
    found, was_aside = check_record(book, record_id), record_id in set_aside.select_ids(book.views, SEALS)
    if found.intact and not was_aside:
        return
    with book.views.begin() as connection:
        if found.intact:
            set_aside.remove(connection, SEALS, record_id)
            return
        positions = book.log.positions(record_id)
        step = min(found.broken_at or 0, len(positions) - 1)
        set_aside.add(
            connection,
            [SEALS],
            record_id,
            positions[step] if positions else 0,
            f"step {found.broken_at}: {found.message}",
        )
    if not was_aside:
        logger.error("%s is damaged at step %s: %s", record_id, found.broken_at, found.message)
