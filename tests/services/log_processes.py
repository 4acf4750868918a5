"""Entries to write, and what other processes do to a log while a test watches."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from multiprocessing.connection import Connection
from uuid import UUID

from daybook.domain.kernel.events import DecisionRecorded, Entry, GameOpened, PinnedSheet, write_entry
from daybook.services.settings import Settings
from daybook.services.store.log import AlreadyWrittenError, GameLog, open_log

AT = "2026-11-20T19:30:00.000Z"


def opening(game: UUID) -> Entry:
    return write_entry(
        game,
        GameOpened(
            step=0,
            at=AT,
            by="anna",
            key="open",
            game=str(game),
            format=1,
            ruleset="sawmill",
            revision=1,
            kind="table",
            recorded="live",
            seats=[],
            options={},
            sheet=PinnedSheet("", {}, {}),
            board={},
            columns={},
            marks={},
        ),
        "",
    )


def after(entry: Entry, key: str = "k") -> Entry:
    """The entry that follows one, as the writer of this key would write it."""
    return write_entry(
        entry.originator_id,
        DecisionRecorded(
            step=entry.step + 1,
            at=AT,
            by="anna",
            key=f"{key}-{entry.step + 1}",
            seat=0,
            decision={"type": "chop", "trees": 3},
            effects=[{"type": "chopped", "rule": "SM-5", "seat": 0, "trees": 3}],
            changes={"/forest": [10, 7]},
            columns={"coins": [3, 3]},
            marks={"round": 1},
        ),
        entry.seal,
    )


def endless(game: UUID) -> Iterator[Entry]:
    entry = opening(game)
    while True:
        yield entry
        entry = after(entry)


def entries_played(game: UUID, entries: int) -> list[Entry]:
    return list(islice(endless(game), entries))


# --- what other processes do ------------------------------------------------------------------------------------


def writes_a_game(settings: Settings, game: UUID, entries: int, connection: Connection) -> None:
    """One entry at a time; tells each version when it is acknowledged."""
    log = open_log(settings)
    for entry in islice(endless(game), entries):
        log.append(entry)
        connection.send(entry.originator_version)
    log.close()


def writes_slowly(settings: Settings, game: UUID, entries: int, connection: Connection) -> None:
    """Tells when it begins to write each entry, and leaves a little time between them."""
    log = open_log(settings)
    for entry in islice(endless(game), entries):
        time.sleep(0.02)
        connection.send(time.monotonic())
        log.append(entry)
    log.close()


def races(settings: Settings, game: UUID, name: str, entries: int, connection: Connection) -> None:
    """Writes the next entry of a game that others write too, until it is long enough; tells what it has won."""
    log, won = open_log(settings), []
    while len(stored := log.entries(game)) < entries:
        try:
            log.append(after(stored[-1], name))
            won.append(stored[-1].originator_version + 1)
        except AlreadyWrittenError:
            continue
    connection.send(won)
    log.close()


def creates_and_writes(settings: Settings, game: UUID, start_at: float, connection: Connection) -> None:
    """Creates the log at the same moment as others do."""
    time.sleep(max(0.0, start_at - time.monotonic()))
    log: GameLog = open_log(settings, create=True)
    log.append(opening(game))
    connection.send("written")
    log.close()
