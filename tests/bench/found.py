"""How long it takes to find games among a great many, and to turn page after page of them.

    python -m tests.bench.found --games 100000
    python -m tests.bench.found --games 100000 --postgres

Prints the fastest, median and slowest of each question; promises nothing.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from uuid import UUID

from daybook.services.play.game_search import GameFilter, PageEnd, Seeker, find, rulesets_named, words_of
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from tests.many_games import lay_games
from tests.servers import postgres

CLUB = UUID(int=99)


def filter_of(text: str = "", **more: object) -> GameFilter:
    words = words_of(text)
    named = rulesets_named(words, [("water_frame", "Arkwright: Water Frame")])
    return GameFilter(words=words, games_named=named, **more)  # type: ignore[arg-type]


NOBODY, PLAYER = Seeker(), Seeker(people=("r7",), clubs=(CLUB,), readable=((CLUB, "The Mill"),))
QUESTIONS: dict[str, tuple[Seeker, GameFilter]] = {
    "the newest": (NOBODY, filter_of()),
    "being recorded": (NOBODY, filter_of(list="running")),
    "of a game": (NOBODY, filter_of(ruleset="water_frame")),
    "of last year": (NOBODY, filter_of(since="2020-01-01", until="2020-01-31")),
    "a frequent name": (NOBODY, filter_of("anna")),
    "a regular, once in a while": (NOBODY, filter_of("ben 15")),
    "somebody who came once": (NOBODY, filter_of("g4711")),
    "nobody of that name": (NOBODY, filter_of("zzz")),
    "a name in a game of one title": (NOBODY, filter_of("cleo water frame")),
    "Korean": (NOBODY, filter_of("민지")),
    "another case": (NOBODY, filter_of("éVA")),
    "mine": (PLAYER, filter_of(mine=True)),
    "of a club": (PLAYER, filter_of(club=CLUB)),
    "a club's name": (PLAYER, filter_of("mill")),
    "practice, of which there is none": (NOBODY, filter_of(list="practice")),
}


def measure(name: str, ask: Callable[[], int]) -> None:
    ask()
    took = []
    for _ in range(7):
        start = time.perf_counter()
        found = ask()
        took.append(1000 * (time.perf_counter() - start))
    print(f"| {name} | {found} | {min(took):.1f} | {statistics.median(took):.1f} | {max(took):.1f} |", flush=True)


def turn_pages(book: Daybook, pages: int) -> None:
    """Page after page of what everybody may read."""
    place: PageEnd | None = None
    took = []
    for _ in range(pages):
        start = time.perf_counter()
        place = find(book, NOBODY, filter_of(), place).next
        took.append(1000 * (time.perf_counter() - start))
        if place is None:
            break
    tenth = max(1, len(took) // 10)
    print(f"{len(took)} pages: the first tenth {statistics.median(took[:tenth]):.1f} ms a page, "
          f"the last {statistics.median(took[-tenth:]):.1f} ms, the slowest {max(took):.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--public", type=int, default=5, help="of ten games so many are public")
    parser.add_argument("--postgres", action="store_true")
    given = parser.parse_args()
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(postgres()) if given.postgres else None
        book = open_daybook(Settings(data=data, database_url=url), create=True)
        stack.callback(book.close)
        start = time.perf_counter()
        lay_games(book, given.games, club=CLUB, public_of_ten=given.public)
        print(f"{given.games} games, {given.public} of 10 public, laid in {time.perf_counter() - start:.0f} s\n")
        print("| looked for | found on the page | fastest, ms | median | slowest |\n|---|---|---|---|---|")
        for name, (seeker, query) in QUESTIONS.items():
            measure(name, lambda seeker=seeker, query=query: len(find(book, seeker, query).rows))  # type: ignore[misc]
        turn_pages(book, 4000 if given.games < 50_000 else 400)


if __name__ == "__main__":
    main()
