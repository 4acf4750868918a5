"""Measure following the log and rebuilding from it: `python -m tests.bench.following [--games 40]`.

With `--workers 1 2` it shows instead what rebuilding and auditing cost when games are shared out among so many
processes.

Events that a second of processor time takes in: a follower that catches up, with all its projections and the jobs it
lays; `daybook rebuild`, which makes rows, scores and statistics; and an audit of all games. The log holds games of all
kinds, played by chance and laid again with other people and times.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from uuid import uuid4

from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from daybook.services.files import audits
from daybook.services.following import projections
from daybook.services.play import simulate
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.game_cache import Games
from daybook.workers import follower, jobs
from tests import servers
from tests.bench.measuring import Figure, Progress
from tests.bench.table import BenchRow

GAMES = 40
ROUNDS = 3
CAUGHT_UP, REBUILT, AUDITED = "catching up, jobs laid", "rebuilding everything", "auditing everything"


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.following", description=__doc__)
    arguments.add_argument("--games", type=int, default=GAMES)
    arguments.add_argument("--workers", type=int, nargs="+", help="numbers of processes")
    asked = arguments.parse_args()
    if asked.workers:
        show_shared(asked.games, asked.workers)
        return
    for row in rows(asked.games):
        print(f"{row.name}, {row.unit}: " + ", ".join(f"{figure.value:,.0f}" for figure in row.figures.values()))


def rows(games: int = GAMES, progress: Progress = lambda done, total: None) -> list[BenchRow]:
    """Events a second of this process, the median of some rounds."""
    with lay_games(games) as book, servers.queue() as url:
        events, works = (
            book.log.newest(),
            {CAUGHT_UP: lambda: catch_up(book, url), REBUILT: lambda: rebuild(book), AUDITED: lambda: audit(book)},
        )
        rates: dict[str, list[float]] = {name: [] for name in works}
        for turn in range(ROUNDS):
            for name, work in works.items():
                progress(turn, ROUNDS)
                rates[name].append(events / processor_seconds(work))
    return [
        BenchRow(f"{name}, events", "per CPU s", "more", {"all": Figure.of(found)}) for name, found in rates.items()
    ]


def show_shared(games: int, workers: Sequence[int]) -> None:
    """Rebuilding and auditing with each number of workers, in turn."""
    with lay_games(games) as book:
        events = book.log.newest()
        print(f"{games} games, {events:,} events; load {os.getloadavg()[0]:.1f}")
        for name, work in {REBUILT: rebuild, AUDITED: audit}.items():
            for several in workers * ROUNDS:
                began = time.perf_counter()
                computed = processor_seconds(partial(work, book, several))
                passed = time.perf_counter() - began
                print(
                    f"{name}, workers {several}: {passed:.1f} s passed, {computed:.1f} s of processors, "
                    f"{events / computed:,.0f} events a processor second",
                    flush=True,
                )


@contextmanager
def lay_games(games: int) -> Iterator[Daybook]:
    """Make a service with this many closed games of all kinds in its log and empty read models."""
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        lay(book, games)
        yield book
        book.close()


def lay(book: Daybook, games: int) -> None:
    """Fill the log with copies of a few games that chance played."""
    random, played = Random(1), [*_simulate_each()]
    for number in range(games):
        source = played[number % len(played)]
        book.log.append(
            *simulate.copy_entries(
                source, uuid4(), [seat.person for seat in source.opening.seats], source.opening.at, random
            )
        )


def _simulate_each() -> Iterator[Game]:
    for rules in RULESETS.values():
        yield from simulate.simulate_games(rules, rules.seats[-1], 1, 1, {})


def catch_up(book: Daybook, queue_url: str) -> None:
    """Run all projections of a follower from the beginning."""
    book = _just_opened(book)
    with book.views.begin() as connection:
        for table in (*read_models.REBUILT, read_models.position, read_models.read_from):
            connection.execute(table.delete())
    queue = jobs.queue_at(Settings(data=book.settings.data, redis_url=queue_url))
    queue.connection.flushdb()
    for projection in (
        projections.games_projection(book),
        projections.results_projection(book),
        follower.scores(book, queue),
    ):
        projections.catch_up(book, projection)


def rebuild(book: Daybook, workers: int = 1) -> None:
    assert not projections.rebuild_read_models(_just_opened(book), workers=workers)


def audit(book: Daybook, workers: int = 1) -> None:
    assert not audits.audit_all(_just_opened(book), workers=workers).unread


def _just_opened(book: Daybook) -> Daybook:
    """Return the same service with no game in its caches."""
    return replace(book, games=Games(book.log))


def processor_seconds(work: Callable[[], object]) -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    start = _used()
    work()
    return _used() - start


def _used() -> float:
    of = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(item.ru_utime + item.ru_stime for item in of)


if __name__ == "__main__":
    main()
