"""Measures backups taken while people record: how many of the decisions acknowledged before are in the copy.

    python -m tests.bench.backup [--recorders 2] [--backups 10] [--fill 0]

Processes record as fast as they can; each backup is restored, and every decision whose acknowledgement was read before
the backup began is looked up in it. Beside it stands what copying the three files by hand would have kept.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import statistics
import tempfile
import time
from contextlib import ExitStack, closing
from multiprocessing.connection import Connection
from pathlib import Path
from uuid import UUID, uuid4

from daybook.domain.commands import Decide
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import plain
from daybook.services.backups import restore, take
from daybook.services.play import simulate
from daybook.services.play.practice import Dealer
from daybook.services.play.recording import write
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from tests.played import open_seats
from tests.services.log_processes import running

QUIET_SECONDS = 1.0  # of recording between two backups
Acknowledged = tuple[UUID, int, str, float]  # game, step, seal, seconds that writing it took


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.backup", description=__doc__)
    arguments.add_argument("--recorders", type=int, default=2)
    arguments.add_argument("--backups", type=int, default=10)
    arguments.add_argument("--fill", type=int, default=0, help="games that are there before")
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder, ExitStack() as held:
        settings = Settings(data=Path(folder) / "data")
        book = held.enter_context(closing(open_daybook(settings, create=True)))
        fill(book, asked.fill)
        book.log.close()  # nobody but the recorders holds the files
        recorders = [held.enter_context(running(records, settings, seed))[1] for seed in range(asked.recorders)]
        known: list[Acknowledged] = [told.recv() for told in recorders]
        quiet: list[float] = []
        during: list[float] = []
        print("acknowledged before   in the copy   lost   by hand   seconds to back up, to restore   MB")
        for number in range(asked.backups):
            time.sleep(QUIET_SECONDS)
            between = read(recorders)
            quiet += [took for *_, took in between]
            known += between
            by_hand = copied_by_hand(settings.data, Path(folder) / f"hand-{number}", known)
            start = time.perf_counter()
            take(settings, Path(folder) / f"copy-{number}")
            taken = time.perf_counter()
            meanwhile = read(recorders)
            during += [took for *_, took in meanwhile]
            restored = Settings(data=Path(folder) / f"again-{number}")
            begun = time.perf_counter()
            restore(Path(folder) / f"copy-{number}", restored)
            done = time.perf_counter()
            there = count_kept(restored, known)
            size = restored.sqlite_file("log").stat().st_size / 1e6
            print(f"{len(known):19,}   {there:11,}   {len(known) - there:4,}   {by_hand:7,}   {taken - start:18.2f}, "
                  f"{done - begun:10.2f}   {size:4.1f}")
            known += [*meanwhile, *read(recorders)]
            for path in (f"copy-{number}", f"again-{number}", f"hand-{number}"):
                shutil.rmtree(Path(folder) / path)
        print(f"a decision takes {spread_of(quiet)} between backups and {spread_of(during)} during one, "
              f"{asked.recorders} recorders at once")


def fill(book: Daybook, games: int) -> None:
    if games:
        played = list(simulate.simulate(RULESETS["making_profit"], 4, 5, 1, {}))
        list(simulate.fill(book, played, games, simulate.regulars(20, 1), 1))


def records(settings: Settings, seed: int, told: Connection) -> None:
    """Plays game after game; tells each decision when it is acknowledged."""
    book, dealer = open_daybook(settings), Dealer(seed)
    while True:
        id = open_seats(book, ("Anna", "Ben"), title="Bench")
        while (chosen := dealer.next(book.games.get(id).ruleset, book.games.get(id).board)) is not None:
            start = time.perf_counter()
            receipt = write(
                book, id, Decide(chosen[0], plain(chosen[1])),
                at=book.games.get(id).step, by="scorekeeper", key=uuid4().hex)
            told.send((id, receipt.step, receipt.seal, time.perf_counter() - start))


def read(recorders: list[Connection]) -> list[Acknowledged]:
    """What has been acknowledged since."""
    answers = []
    for told in recorders:
        while told.poll():
            answers.append(told.recv())
    return answers


def count_kept(settings: Settings, known: list[Acknowledged]) -> int:
    """How many of these decisions a data folder has."""
    with closing(open_daybook(settings)) as book:
        games = {id: book.games.get(id).entries for id in {id for id, *_ in known}}
        return sum(step < len(games[id]) and games[id][step].seal == seal for id, step, seal, _ in known)


def copied_by_hand(data: Path, to: Path, known: list[Acknowledged]) -> int:
    """How many decisions a copy of log.db alone has."""
    to.mkdir()
    shutil.copy(data / "log.db", to / "log.db")
    try:
        with closing(sqlite3.connect(f"{(to / 'log.db').as_uri()}?immutable=1", uri=True)) as log:
            stored = {state[-66:-2].decode() for (state,) in log.execute("SELECT state FROM games_events")}
    except sqlite3.DatabaseError:
        return 0
    return sum(seal in stored for _, _, seal, _ in known)


def spread_of(seconds: list[float]) -> str:
    if not seconds:
        return "nothing"
    ordered = sorted(seconds)
    most = ordered[len(ordered) * 99 // 100]
    return f"{1000 * statistics.median(ordered):.1f} ms (99 of 100 within {1000 * most:.1f})"


if __name__ == "__main__":
    main()
