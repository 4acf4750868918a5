"""What a long record and many games cost: `python -m tests.bench.growth [--games 1000] [--steps 2000]`.

A decision, by processor time, at the beginning of a record and after so many steps, for each game: the record is made
long by taking back what was decided. And the memory of a process that has so many open games at hand, and has shown the
record of each as a page would.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import tempfile
import time
from pathlib import Path
from random import Random
from uuid import UUID, uuid4

from daybook.domain.commands import Decide, TakeBack
from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from daybook.services.people.access import EVERYTHING
from daybook.services.play.recording import write
from daybook.services.play.replay import position, steps
from daybook.services.play.simulate import copy_entries
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from tests.bench.__main__ import long_game, opened_again, replayed_decisions

DECISIONS = 9  # measured at a place of the record
LIMIT_MIB = 400


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.growth", description=__doc__)
    arguments.add_argument("--steps", type=int, default=2000)
    arguments.add_argument("--games", type=int, default=1000)
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        played = {ruleset: long_game(book, ruleset, 500) for ruleset in RULESETS}
        print("a decision through the service, CPU ms")
        for game in played.values():
            early, late = _early_and_late(book, game, asked.steps)
            print(f"  {game.ruleset.title:<26} at step 10 {early:>7.2f}   at step {asked.steps:,} {late:>7.2f}"
                  f"   {late / early:>5.2f} times")
        book.close()
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        _show_memory(book, [*played.values()], asked.games)
        book.close()


def _early_and_late(book: Daybook, game: Game, most: int) -> tuple[float, float]:
    """Milliseconds of processor time of the same decisions of a game, at its beginning and after so many steps."""
    id, events = opened_again(book, game), replayed_decisions(game, 10 + DECISIONS)
    for step, event in enumerate(events[:10]):
        write(book, id, Decide(event.seat, event.decision), at=step, by="scorekeeper", key=uuid4().hex)
    board = book.games.get(id).step
    early = _milliseconds(book, id, game)
    while book.games.get(id).step + DECISIONS + 1 < most:
        write(book, id, TakeBack(board, why="again"), by="scorekeeper", key=uuid4().hex)
        _milliseconds(book, id, game)
    write(book, id, TakeBack(board, why="again"), by="scorekeeper", key=uuid4().hex)
    return early, _milliseconds(book, id, game)


def _milliseconds(book: Daybook, id: UUID, game: Game) -> float:
    """Of one of the decisions that come next, which are written."""
    took = []
    for event in replayed_decisions(game, 10 + DECISIONS)[10:]:
        start = time.process_time_ns()
        write(book, id, Decide(event.seat, event.decision), by="scorekeeper", key=uuid4().hex)
        took.append(time.process_time_ns() - start)
    return statistics.median(took) / 1e6


def _show_memory(book: Daybook, played: list[Game], count: int) -> None:
    random, ids = Random(1), []
    for number in range(count):
        source = played[number % len(played)]
        id = uuid4()
        book.log.append(*copy_entries(
            source, id, [seat.person for seat in source.opening.seats], source.opening.at, random))
        ids.append(id)
    gc.collect()
    before = _mebibytes()
    for id in ids:
        game = book.games.get(id)
        position(game, None, EVERYTHING)
    folded = _mebibytes()
    for id in ids:
        game = book.games.get(id)
        for _ in steps(game, EVERYTHING):
            pass
    shown = _mebibytes()
    print(f"\n{count:,} open games of {sum(len(game.entries) for game in played) / len(played):,.0f} steps, MiB")
    print(f"  before {before:,.0f}   each asked for {folded:,.0f}   each replayed {shown:,.0f}"
          f"   at most {LIMIT_MIB}: {'reached' if shown <= LIMIT_MIB else 'MISSED'}")


def _mebibytes() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
