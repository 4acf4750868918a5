"""Measure the pages of a club with many imported plays: first request after a play was counted, and again.

    python -m tests.bench.club_pages --plays 20000 [--people 40] [--database sqlite postgres]

Each page is requested in process by the organiser. The club is in memory, and each page was shown before, as in a running
service. Times are the median processor time of this process and of PostgreSQL, in milliseconds.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from random import Random
from statistics import median

from daybook.services.exchange.plays_file import read_plays
from daybook.services.league import club_imports, ratings
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from tests.bench.http import postmaster, processor_seconds
from tests.bench.statistics_pages import MEMORY
from tests.played import key, update_results
from tests.servers import postgres
from tests.web.leagues import ClubAtHand

PLAYS_PER_FILE = 5_000
ROUNDS = 5
YEARS = 8
LAST_DAY = date(2026, 11, 29)
PLACES = ("Home", "Hafen", "The Mill", "Anna's")
TITLES = ("Azul", "Catan", "Carcassonne", "Love Letter", "Hanabi", "Wingspan", "Skull King", "Brass: Birmingham")


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.club_pages", description=__doc__)
    arguments.add_argument("--plays", type=int, default=20_000)
    arguments.add_argument("--people", type=int, default=40)
    arguments.add_argument("--games", type=int, default=60)
    arguments.add_argument("--database", nargs="+", default=["sqlite"], choices=("sqlite", "postgres"))
    options = arguments.parse_args()
    for database in options.database:
        with (
            tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder,
            postgres(MEMORY) if database == "postgres" else nullcontext() as url,
        ):
            book = open_daybook(Settings(data=Path(folder) / "data", database_url=url), create=True)
            server = postmaster(url) if url else None
            show(
                database,
                book,
                options,
                lambda server=server: time.process_time() + (processor_seconds(server) if server else 0.0),  # type: ignore[misc]
            )
            book.close()


def show(database: str, book: Daybook, options: argparse.Namespace, clock: Callable[[], float]) -> None:
    app = create_app(book)
    club = fill_club(ClubAtHand(book, app), options.plays, options.people, options.games)
    olga = club.signed_in()
    print(f"\n{database}, {options.plays:,} plays; CPU ms: first, again; bytes", flush=True)
    for address in addresses(club):
        size = len(olga.get(address).html.encode())
        rounds = [first_and_again(book, partial(olga.get, address), clock) for _ in range(ROUNDS)]
        figures = [median(figure) for figure in zip(*rounds, strict=True)]
        print(f"  {address.removeprefix(club.path):<60}" + "".join(f"{ms:>8,.0f}" for ms in figures) + f"{size:>10,}")


def first_and_again(book: Daybook, request: Callable[[], object], clock: Callable[[], float]) -> tuple[float, float]:
    """Return the cost of a request after a play was counted, and of the same request."""
    with book.views.begin() as connection:
        read_models.note_change(connection)
    return cost(request, clock), cost(request, clock)


def fill_club(club: ClubAtHand, plays: int, people: int, games: int) -> ClubAtHand:
    """Import plays of many years into a club."""
    for text in files_of_plays(plays, people, games):
        club_imports.import_plays(club.book, club.id, read_plays(text.encode()), by=club.olga, key=key())
    update_results(club.book)
    ratings.rate_club(club.book, club.id)
    return club


def files_of_plays(plays: int, people: int, games: int) -> Iterator[str]:
    """Yield spreadsheets of random plays; some people and games are frequent, and one play in ten is cooperative."""
    random = Random(1)
    titles = [TITLES[at] if at < len(TITLES) else f"Game {at}" for at in range(games)]
    for start in range(0, plays, PLAYS_PER_FILE):
        rows = ["date,game,players,scores,winner,location"]
        for number in range(start, min(start + PLAYS_PER_FILE, plays)):
            day = LAST_DAY - timedelta(days=365 * YEARS * (plays - number - 1) // plays)
            seated = sample(random, people, random.choice((2, 3, 3, 4, 4, 5)))
            scores = random.sample(range(10, 120), len(seated))
            winner = seated[scores.index(max(scores))]
            title = titles[int(games * random.random() ** 2)]
            names = "; ".join(f"Player {person}" for person in seated)
            rows.append(f"{day},{title},{names},{'; '.join(map(str, scores))},Player {winner},{random.choice(PLACES)}")
        yield "\n".join(rows) + "\n"


def sample(random: Random, people: int, seats: int) -> list[int]:
    """Draw people who play together; the first ones come often."""
    found = dict[int, None]()
    while len(found) < seats:
        found[int(people * random.random() ** 2)] = None
    return list(found)


def addresses(club: ClubAtHand) -> list[str]:
    """Return every kind of page about plays."""
    people = [*club.club.everybody()]
    person = next(
        person for person in people if person != club.olga and club.book.kept.names([person]).get(person) == "Player 1"
    )
    statistics = f"{club.path}/statistics"
    return [
        club.path,
        f"{club.path}/plays",
        f"{club.path}/plays?person={person}",
        f"{club.path}/people/{person}",
        f"/statistics/:Azul?club={club.id}",
        f"/statistics/all?club={club.id}",
        statistics,
    ]


def cost(work: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    work()
    return 1000 * (clock() - start)


if __name__ == "__main__":
    main()
