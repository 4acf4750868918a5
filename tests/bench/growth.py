"""Measure a long record and many games: `python -m tests.bench.growth [--games 1000] [--steps 2000]`.

A decision through the service, by processor time, at the beginning of a record and after so many steps, for each game:
the record is made long by taking back what was decided. And the memory of a process that has so many open games at
hand, and has shown the record of each as a page would.
"""

from __future__ import annotations

import argparse
import gc
import os
import tempfile
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from random import Random
from uuid import UUID, uuid4

from daybook.domain.commands import Decide, TakeBack
from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.play.recording import append_command
from daybook.services.play.replay import iter_steps, position_at
from daybook.services.play.simulate import copy_entries
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from tests.bench.long_games import long_game, opened_again, replayed_decisions, title_of
from tests.bench.measuring import Figure, Progress, milliseconds
from tests.bench.table import BenchRow

DECISIONS, ROUNDS = 9, 9  # measured at a place of a record
BEGINNING = 10  # the step after which a record is young
STEPS, GAMES = 2000, 1000
LIMIT_MIB = 400


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.growth", description=__doc__)
    arguments.add_argument("--steps", type=int, default=STEPS)
    arguments.add_argument("--games", type=int, default=GAMES)
    asked = arguments.parse_args()
    played = [long_game(ruleset) for ruleset in RULESETS]
    for row in decision_rows(played, asked.steps):
        print(
            f"{row.name}, {row.unit}: "
            + ", ".join(f"{title} {figure.value:.2f}" for title, figure in row.figures.items())
        )
    for row in memory_rows(played, asked.games):
        print(
            f"{row.name}, {row.unit}: "
            + ", ".join(f"{figure.value:,.0f}" for figure in row.figures.values())
            + f", at most {LIMIT_MIB}"
        )


def decision_rows(
    played: Sequence[Game], limit: int = STEPS, progress: Progress = lambda done, total: None
) -> list[BenchRow]:
    """A decision at the beginning of a record and after `most` steps, and how many times as much that is."""
    early, late, times = dict[str, Figure](), dict[str, Figure](), dict[str, Figure]()
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        for done, game in enumerate(played):
            progress(done, len(played))
            title, rounds = title_of(game), _rounds(book, game, limit)
            early[title] = milliseconds(chain(*(young for young, _ in rounds)))
            late[title] = milliseconds(chain(*(old for _, old in rounds)))
            times[title] = Figure.of([sum(old) / sum(young) for young, old in rounds])
        book.close()
    return [
        BenchRow(f"decision at step {BEGINNING}", "CPU ms", "less", early),
        BenchRow(f"decision at step {limit:,}", "CPU ms", "less", late),
        BenchRow("the latter to the former", "times", "less", times),
    ]


def _rounds(book: Daybook, game: Game, limit: int) -> list[tuple[list[float], list[float]]]:
    """Processor time of the same decisions in a game that has just begun, a new one each round, and late in a long one.

    Both take turns, decision by decision: measured one after the other, the machine's own speed decides, which doubles
    and halves within seconds. To make a record long its decisions are taken back and written again and again: it grows,
    and the board does not.
    """
    long = _begin_like(book, game)
    while book.games.get(long).step < limit:
        _decide(book, [long], game)
        _take_back(book, long)
    rounds = []
    for _ in range(ROUNDS):
        young, old = _decide(book, [_begin_like(book, game), long], game)
        rounds.append((young, old))
        _take_back(book, long)
    return rounds


def _begin_like(book: Daybook, game: Game) -> UUID:
    """A game like it, at the step at which a record is young."""
    id = opened_again(book, game)
    for step, event in enumerate(replayed_decisions(game, BEGINNING)):
        append_command(book, id, Decide(event.seat, event.decision), at=step, by="scorekeeper", key=uuid4().hex)
    return id


def _take_back(book: Daybook, game_id: UUID) -> None:
    append_command(book, game_id, TakeBack(BEGINNING, why="again"), by="scorekeeper", key=uuid4().hex)


def _decide(book: Daybook, ids: Sequence[UUID], game: Game) -> list[list[float]]:
    """Seconds of each of the decisions that come next, which are written in these games in turn."""
    took: list[list[float]] = [[] for _ in ids]
    for event in replayed_decisions(game, BEGINNING + DECISIONS)[BEGINNING:]:
        for id, of_game in zip(ids, took, strict=True):
            start = time.process_time_ns()
            append_command(book, id, Decide(event.seat, event.decision), by="scorekeeper", key=uuid4().hex)
            of_game.append((time.process_time_ns() - start) / 1e9)
    return took


def memory_rows(
    played: Sequence[Game], count: int = GAMES, progress: Progress = lambda done, total: None
) -> list[BenchRow]:
    """Measure the memory of a process with this many open games in its cache, before and after it has shown every step
    of each."""
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        ids = [*_lay_copies(book, played, count)]
        for done, id in enumerate(ids):
            if done % 50 == 0:
                progress(done, count)
            position_at(book.games.get(id), None, EVERYTHING)
        gc.collect()
        asked = _mebibytes()
        for id in ids:
            for _ in iter_steps(book.games.get(id), EVERYTHING):
                pass
        shown = _mebibytes()
        book.close()
    return [
        BenchRow(f"process with {count:,} open games, each asked for", "MiB", "less", {"all": Figure.of([asked])}),
        BenchRow(f"process with {count:,} open games, each replayed", "MiB", "less", {"all": Figure.of([shown])}),
    ]


def _lay_copies(book: Daybook, played: Sequence[Game], count: int) -> list[UUID]:
    random, ids = Random(1), [uuid4() for _ in range(count)]
    for number, id in enumerate(ids):
        source = played[number % len(played)]
        book.log.append(
            *copy_entries(source, id, [seat.person for seat in source.opening.seats], source.opening.at, random)
        )
    return ids


def _mebibytes() -> float:
    """Return the memory of this process in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
