"""How many reads one standby adds: what each kind of page costs the primary, without a standby and with one.

    python -m tests.bench.reading --games 40 --times 100

A real pair on this machine, and pages answered in this process. What is counted is processor time of the two servers, so
that it does not matter what else the machine does. One standby, with as much of a processor as the primary, adds reads
for what it does itself, as far as the primary has less to do.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
from flask import Flask

from daybook.services.following import projections
from daybook.services.settings import Settings
from daybook.services.statistics import collect
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from tests import servers
from tests.played import record_game
from tests.servers import PATIENCE_SECONDS, REPLICATED, standby_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--times", type=int, default=100)
    asked = parser.parse_args()
    with ExitStack() as held:
        primary = held.enter_context(servers.postgres({**REPLICATED, "full_page_writes": "on"}))
        standby = held.enter_context(standby_of(primary))
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        book = open_daybook(Settings(data=folder / "data", database_url=primary, read_url=standby), create=True)
        held.callback(book.close)
        games = [record_game(book, seed) for seed in range(asked.games)]
        for game in games:
            book.kept.show(game, public=True)
        for projection in (projections.games_projection(book), projections.results_projection(book)):
            projections.catch_up(book, projection)
        for game in games:
            collect.count(book, game)
        with psycopg.connect(primary, autocommit=True) as there:
            there.execute("VACUUM ANALYZE")
        assert book.standby is not None and book.standby.fitness.wait(PATIENCE_SECONDS)
        alone, pair = create_app(replace(book, standby=None)), create_app(book)
        print(f"{asked.games} games, {book.log.newest()} entries; milliseconds of a server's processor for one read")
        print(f"{'':34} {'alone':>8} {'primary':>8} {'standby':>8} {'adds':>7}")
        for name, path, forgets in (
            ("replay of a game at hand", f"/games/{games[0]}/replay.json", False),
            ("replay of a game not at hand", f"/games/{games[0]}/replay.json", True),
            ("list of games", "/api/v1/games", False),
            ("first page", "/", False),
            ("statistics: winners", "/api/v1/statistics/winners?ruleset=making_profit", False),
            ("statistics: luck", "/api/v1/statistics/luck?ruleset=making_profit", False),
            ("statistics: the page of a game", "/statistics/making_profit", False),
        ):
            p, _ = cost(alone, book, path, asked.times, forgets, (primary, standby))
            less, own = cost(pair, book, path, asked.times, forgets, (primary, standby))
            adds = f"{1000 / own * (1 - less / p):6.0f}/s" if own and p else ""
            print(f"{name:34} {p:8.2f} {less:8.2f} {own:8.2f} {adds:>7}", flush=True)


def cost(app: Flask, book: Daybook, path: str, times: int, forgets: bool, urls: tuple[str, str]) -> tuple[float, float]:
    """Milliseconds of the primary's and the standby's processors for one request. forgets: no game is at hand."""
    client = app.test_client()
    assert book.standby is not None

    def ask() -> None:
        if forgets:
            book.games.held.clear()
            there = book.standby and book.standby.caught_up()
            assert there is not None
            there.games.held.clear()
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)

    for _ in range(5):
        ask()
    before = [processor_of(url) for url in urls]
    for _ in range(times):
        ask()
    at_primary, at_standby = (processor_of(url) - was for url, was in zip(urls, before, strict=True))
    return at_primary / times, at_standby / times


def processor_of(url: str) -> float:
    """Milliseconds of processor that the processes of a server have taken."""
    data = Path(parse_qs(urlsplit(url).query)["host"][0]) / "data"
    first = (data / "postmaster.pid").read_text().split()[0]
    found = subprocess.run(["pgrep", "-P", first], capture_output=True, text=True, check=True).stdout.split()
    return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in (first, *found)) / 1e6


if __name__ == "__main__":
    main()
