"""The queue's server dies while games are scored, again and again: how long nothing was scored, and what came of it.

Two real servers and three sentinels (`tests.queue_servers`), `daybook follow` and `daybook work`, on SQLite. The server
that is asked is killed or frozen, in turn, while games are recorded; it comes back when another was chosen, and follows
that one before the next round. In the end every period that ended has one score, the one that the rules give.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread

import sqlalchemy as sa

from daybook.services.following import projections
from daybook.services.operation.health import Pulse
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.workers.children import start_child, stop
from tests.played import open_table_of, play
from tests.queue_servers import watched_servers
from tests.rows import all_rows
from tests.servers import wait_until
from tests.workers.test_kills import expected_rows

AFTER_SECONDS = 15.0
PAUSE_SECONDS = 0.5  # between two games
DOWN_SECONDS = 4.0
HOW = ("kill", "freeze")


@dataclass
class Scoring:
    """Games are recorded without end, and scores and health are looked at. grew: when there were more scores."""

    book: Daybook
    done: Event = field(default_factory=Event)
    games: int = 0
    grew: list[float] = field(default_factory=list)
    said: Counter[str] = field(default_factory=Counter)

    def record(self) -> None:
        while not self.done.wait(PAUSE_SECONDS):
            play(self.book, open_table_of(self.book), seed=self.games, close=True)
            self.games += 1

    def look(self) -> None:
        pulse, scores = Pulse(self.book), 0
        while not self.done.wait(0.1):
            self.said.update(pulse.check_reachability().away)
            now = how_many(self.book)
            if now > scores:
                scores = now
                self.grew.append(time.monotonic())

    def longest_silence(self, since: float) -> float:
        times = [since, *(at for at in self.grew if at >= since), time.monotonic()]
        return max(later - at for at, later in pairwise(times))


def how_many(book: Daybook) -> int:
    with book.views.connect() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(read_models.period_score)).scalar_one())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--how", nargs="+", choices=HOW, default=[*HOW])


def run(arguments: argparse.Namespace) -> None:
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        servers = held.enter_context(watched_servers(folder))
        settings = Settings(data=folder / "data", redis_url=servers.url)
        book = open_daybook(settings, create=True)
        held.callback(book.close)
        projections.prepare_read_models(book)
        log = held.enter_context((folder / "parts.log").open("wb"))
        for part in ("follow", "work"):
            process = start_child([sys.executable, "-m", "daybook", part], os.environ | settings.environ(), stderr=log)
            held.callback(stop, process)
        scoring = Scoring(book)
        threads = [Thread(target=work, daemon=True) for work in (scoring.record, scoring.look)]
        for thread in threads:
            thread.start()
        print(f"{'how':8} {'longest without a score':>24} {'games':>6}  away, of looks ten a second")
        for how in arguments.how * arguments.times:
            before = len(scoring.grew)
            wait_until(lambda before=before: len(scoring.grew) > before + 5, "some scores")  # type: ignore[misc]
            begun = time.monotonic()
            scoring.said.clear()
            with servers.without_first(how):
                time.sleep(DOWN_SECONDS)
            time.sleep(AFTER_SECONDS)
            print(
                f"{how:8} {scoring.longest_silence(begun):22.1f} s {scoring.games:6}  {dict(scoring.said)}", flush=True
            )
            wait_until(lambda: servers.servers[1].role() == "slave", "the old one to follow")
        scoring.done.set()
        for thread in threads:
            thread.join()
        wanted = expected_rows(book)["period_score"]
        wait_until(lambda: how_many(book) >= len(wanted), "every score")
        rows = all_rows(book.views, [read_models.period_score])["period_score"]
        missing, others = len({*wanted} - {*rows}), len({*rows} - {*wanted})
        print(f"{len(wanted)} scores due; missing {missing}, other {others}, twice {len(rows) - len({*rows})}")
