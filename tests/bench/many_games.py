"""Measures what anybody can ask for where a great many games are: `python -m tests.bench.many_games --games 1000000`.

Rows of the lists and of who sat where are laid by `tests.many_games`, on PostgreSQL or SQLite; there is no log behind
them. Every address that names nothing is asked for as a stranger, then searches, and pages far down a list. Times are of
the clock, and of processors: this process, and PostgreSQL's.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from flask import Flask

from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from tests.bench.http import postmaster, processor_seconds
from tests.bench.statistics_pages import MEMORY, cost
from tests.many_games import lay_games
from tests.servers import postgres

GAMES = 100_000
SLOW = 100  # milliseconds that nobody should wait longer


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.many_games", description=__doc__)
    arguments.add_argument("--games", type=int, default=GAMES)
    arguments.add_argument("--public", type=int, default=5, help="of ten games so many are public")
    arguments.add_argument("--database", default="postgres", choices=("sqlite", "postgres"))
    arguments.add_argument("--all", action="store_true", help="print also what is quick")
    asked = arguments.parse_args()
    with (
        tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder,
        postgres(MEMORY) if asked.database == "postgres" else nullcontext() as url,
    ):
        book = open_daybook(Settings(data=Path(folder) / "data", database_url=url), create=True)
        server = postmaster(url) if url else None

        def clock() -> float:
            return time.process_time() + (processor_seconds(server) if server else 0.0)

        laid = cost(partial(lay_games, book, asked.games, public_of_ten=asked.public), clock)
        print(f"{asked.games:,} games on {asked.database} laid in {laid.passed / 1000:.0f} s", flush=True)
        app = create_app(book)
        quick = 0
        for address in (*unnamed(app), *searches(asked.games)):
            again = cost(partial(ask, app, address), clock)
            again = cost(partial(ask, app, address), clock)
            quick += again.passed < SLOW
            if again.passed >= SLOW or asked.all:
                print(f"  {address:<70}{again!s:>24}", flush=True)
        print(f"{quick} others in less than {SLOW} ms; load {os.getloadavg()[0]:.1f}; ms passed (and computed)")
        book.close()


def unnamed(app: Flask) -> Iterator[str]:
    """Every address that is read and names nothing."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.arguments and "events" not in rule.rule:
            yield rule.rule


def searches(games: int) -> Iterator[str]:
    deep = games // 2
    for place in ("/", "/api/v1/games"):
        yield f"{place}?q=Evening+{games - 1}"
        yield f"{place}?q=Evening+7"
        yield f"{place}?q=Anna"
        yield f"{place}?q=Anna+14"
        yield f"{place}?q=Anna+Cleo+Dora"
        yield f"{place}?q=민지"
        yield f"{place}?q=nobody-is-called-so"
        yield f"{place}?q=making&since=2017-01-01&until=2017-02-01"
        yield f"{place}?list=finished&after={deep}"
        yield f"{place}?list=running"
        yield f"{place}?list=practice"
        yield f"{place}?game=london_markets&after={deep}"


def ask(app: Flask, address: str) -> None:
    answer = app.test_client().get(address)
    if answer.status_code >= 500:
        print(f"  {address}: {answer.status_code}")


if __name__ == "__main__":
    main()
