"""Measures the pages and the API of statistics with the rows of a great many games, and how soon one more is counted.

    python -m tests.bench.statistics_pages --games 100000 [--database sqlite postgres]

Rows are laid by `tests.bench.counted_games`. Each page is asked for in process three times: first by a process that
has asked nothing yet, again, and after one more game was counted. Times are of the clock, and of processors: this
process, and PostgreSQL's.
"""

from __future__ import annotations

import argparse
import gc
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from flask import Flask

from daybook.services.files import audits
from daybook.services.settings import Settings
from daybook.services.statistics import collect, explorer, month_sums, person_sums
from daybook.services.statistics.figure_questions import Filter
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from daybook.web.serving import collect_less
from tests.bench import counted_games
from tests.bench.http import postmaster, processor_seconds
from tests.bench.measuring import Figure, Progress
from tests.bench.table import BenchRow
from tests.servers import postgres

GAMES = 100_000
FEW_GAMES, FEW_SOURCES = 2_000, 6  # that are laid for `make bench`, and of how many of each kind
MEMORY = {"shared_buffers": "1GB", "max_wal_size": "1GB", "effective_cache_size": "4GB"}
ONE = "making_profit"
TIMES = 3


class PageCost(NamedTuple):
    """Milliseconds that pass, and of processors."""

    passed: float
    computed: float

    def __str__(self) -> str:
        return f"{self.passed:,.0f} ({self.computed:,.0f})"


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.statistics_pages", description=__doc__)
    arguments.add_argument("--games", type=int, default=GAMES)
    arguments.add_argument("--database", nargs="+", default=["sqlite"], choices=("sqlite", "postgres"))
    arguments.add_argument("--data", type=Path, help="a folder that holds such games already, or will keep them")
    arguments.add_argument("--measures", nargs="*", default=[], help="lay figures of these alone, and no openings")
    arguments.add_argument("--only", default="", help="addresses that contain this")
    asked = arguments.parse_args()
    for database in asked.database:
        with serve_counted(database, asked) as (book, clock):
            show(database, book, clock, asked)


@contextmanager
def serve_counted(database: str, arguments: argparse.Namespace) -> Iterator[tuple[Daybook, Callable[[], float]]]:
    """Serve this many counted games; yield a clock of the service's processor time."""
    with (
        tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder,
        postgres(MEMORY, kept=arguments.data and arguments.data / "postgres")
        if database == "postgres"
        else nullcontext() as url,
    ):
        book = open_daybook(Settings(data=arguments.data or Path(folder) / "data", database_url=url), create=True)
        start = time.monotonic()
        with book.views.connect() as connection:
            is_empty = connection.scalar(sa.text("SELECT COUNT(*) FROM counted_game")) == 0
        if is_empty:
            counted_games.lay(book, arguments.games, measures=arguments.measures)
            print(f"{arguments.games:,} games laid on {database} in {time.monotonic() - start:.0f} s")
        clock = partial(processor_clock, postmaster(url) if url else None)
        unsummed = month_sums.find_unsummed(book)
        if unsummed:
            spent = cost(lambda: [month_sums.sum_month(book, *month) for month in unsummed], clock)
            print(f"{len(unsummed)} months summed: {spent} ms")
        groups = person_sums.find_unsummed(book)
        if groups:
            spent = cost(lambda: [person_sums.sum_people(book, *group) for group in groups], clock)
            print(f"{len(groups)} groups of people summed: {spent} ms")
        yield book, clock
        book.close()


def processor_clock(server: int | None) -> float:
    """Return the processor seconds of this process and of PostgreSQL."""
    return time.process_time() + (processor_seconds(server) if server else 0.0)


def show(database: str, book: Daybook, clock: Callable[[], float], arguments: argparse.Namespace) -> None:
    print(
        f"\n{database}, {counted_games.bytes_of(book) / 1e9:.1f} GB; load {os.getloadavg()[0]:.1f}; "
        "ms passed (and computed)"
    )
    print(
        f"what is due, looked for by the follower: {cost(partial(collect.games_due, book), clock)}, "
        f"{cost(partial(audits.games_due, book), clock)} for audits"
    )
    pages = [
        page
        for page in addresses(book)
        if arguments.only in page and ("/openings/" not in page or not arguments.measures)
    ]
    costs: list[list[PageCost]] = [[] for _ in pages]
    for moment in range(TIMES):
        app = create_app(book)
        collect_less()
        if moment == TIMES - 1:
            one = counted_games.add_one(book, moment)
            print(f"one more game counted: {cost(partial(collect.count_game, book, one), clock)}")
        for page, of_page in zip(pages, costs, strict=True):
            of_page.append(cost(partial(ask, app, page), clock))
            print(f"  {page[:90]:<90}{of_page[-1]!s:>24}", flush=True)
    print(f"\n{'page':<90}{'first':>24}{'again':>24}{'after one more':>24}")
    for page, of_page in zip(pages, costs, strict=True):
        print(f"{page[:88]:<90}" + "".join(f"{value!s:>24}" for value in of_page))


def rows(games: int = FEW_GAMES, progress: Progress = lambda done, total: None) -> list[BenchRow]:
    """Return rows of `make bench` for statistics of this many games on SQLite."""
    pages = {"a game's statistics": f"/statistics/{ONE}", "its records": f"/statistics/{ONE}/records"}
    figures: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        progress(0, TIMES)
        counted_games.lay(book, games, several=FEW_SOURCES)
        for moment in range(TIMES):
            progress(moment, TIMES)
            one, app = counted_games.add_one(book, moment), create_app(book)
            counted = cost(partial(collect.count_game, book, one), time.process_time)
            figures.setdefault("a game more counted", []).append(counted.computed)
            when = "first" if moment == 0 else "after one game more"
            for name, page in pages.items():
                asked = cost(partial(ask, app, page), time.process_time)
                figures.setdefault(f"{name}, {when}", []).append(asked.computed)
        book.close()
    return [
        BenchRow(f"{name} ({games:,} games)", "CPU ms", "less", {"all": Figure.of(found)})
        for name, found in figures.items()
    ]


def ask(app: Flask, page: str) -> None:
    answer = app.test_client().get(page)
    assert answer.status_code == 200, (page, answer.status_code)


def cost(work: Callable[[], object], clock: Callable[[], float]) -> PageCost:
    gc.collect()
    start, busy = time.perf_counter(), clock()
    work()
    return PageCost(1000 * (time.perf_counter() - start), 1000 * (clock() - busy))


def addresses(book: Daybook) -> list[str]:
    """Every kind of page and of question."""
    setup = explorer.find_setups(book, Filter(ruleset=ONE)).rows[0].key
    game = f"/statistics/{ONE}"
    api = "/api/v1/statistics"
    return [
        "/statistics",
        game,
        f"{game}?seats=3",
        f"{game}?since=2025-01-01",
        f"{game}/winners",
        f"{game}/records",
        "/statistics/all",
        f"{game}/ask?measure=score&split=person",
        f"{game}/ask?measure=score&split=month",
        f"{game}/ask?measure=dividends&split=what&then=number",
        f"{game}/ask?measure=level&split=person&then=number",
        f"{game}/ask?measure=dividends&split=place&then=number",
        f"{game}/ask?measure=score&split=number&then=seat",
        f"{game}/ask?measure=level&split=number",
        f"{game}/games?measure=score&split=seats&then=seat&key=3|0",
        f"{game}/openings",
        f"{game}/openings/{setup}",
        "/statistics/all/meetings?one=r1&other=r2",
        f"{game}/streaks.json",
        f"{api}/answer?measure=place&split=person",
        f"{api}/answer?ruleset={ONE}&measure=money&split=won",
        f"{api}/games?ruleset={ONE}&measure=score&row=",
        f"{api}/winners?ruleset={ONE}",
        f"{api}/records?ruleset={ONE}",
        f"{api}/streaks?ruleset={ONE}",
    ]


if __name__ == "__main__":
    main()
