"""Opens every page and every API address for every viewer, at the steps of random games, and prints what fails.

    python -m tests.bench.every_page [--game arkwright_card] [--seats 4] [--seeds 1] [--each 1] [--minutes 10]

Each game is played with every number of seats, and with options that are drawn for each seed, in a process of its own.
--each: looks at every step, at every second one, and so on. A step of a game of four takes about 10 s: `--each 40` is a
quick round. --minutes: begins no look after that time. Progress is written to the standard error.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from math import inf
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from daybook.domain.commands import Close, EndLease, TakeLease
from daybook.domain.games import RULESETS
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.services.permissions.sights import holds_sealed
from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from daybook.web.request.forms import option_fields
from tests.every_page import Request, Viewer, WatchedGame, watched_game
from tests.played import write

PROGRESS_SECONDS = 10


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--game", nargs="*", choices=[*RULESETS], default=[*RULESETS])
    arguments.add_argument("--seats", type=int, nargs="*", help="by default every number of them")
    arguments.add_argument("--seeds", type=int, default=1)
    arguments.add_argument("--each", type=int, default=1, help="steps between two looks")
    arguments.add_argument("--minutes", type=float, default=inf, help="for all games together")
    arguments.add_argument("--processes", type=int, default=os.cpu_count())
    asked = arguments.parse_args()
    until = time.time() + 60 * asked.minutes
    games = [
        (ruleset_id, seats, seed)
        for ruleset_id in asked.game
        for seats in RULESETS[ruleset_id].seats
        if not asked.seats or seats in asked.seats
        for seed in range(asked.seeds)
    ]
    failed = 0
    with ProcessPoolExecutor(asked.processes, get_context("spawn"), max_tasks_per_child=1) as pool:
        running = [pool.submit(show_faults, *game, asked.each, until) for game in games]
        for done, item in enumerate(as_completed(running), 1):
            failed += item.result()
            print(f"{done} of {len(games)} games, {failed} faults", file=sys.stderr, flush=True)
    sys.exit(1 if failed else 0)


def show_faults(ruleset_id: str, seats: int, seed: int, each: int, until: float) -> int:
    """Watch one game, print its faults, and return their number."""
    logging.disable(logging.WARNING)  # every refusal to a viewer without a link is logged
    rules = RULESETS[ruleset_id]
    options = options_drawn(rules, Random(seed)) if seed else {}
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        app = create_app(book)
        app.testing = True
        watched = watched_game(book, app, rules.id, seats, options, "practice" if seed % 3 == 2 else "table")
        about, faults = f"{rules.id}, {seats} seats, {options or 'no options'}", list[str]()
        for viewer, request in watch_to_the_end(watched, about, seed, each):
            if time.time() > until:
                about += ", not to the end"
                break
            faults += watched.faults([(viewer, request)])
        print("\n  ".join([f"{about}: {watched.game.step} steps, {len(faults)} faults", *faults]), flush=True)
        book.close()
    return len(faults)


def watch_to_the_end(watched: WatchedGame, about: str, seed: int, each: int) -> Iterator[tuple[Viewer, Request]]:
    """Play to the end; look every few steps, once in ten looks also while a device records, and when it is over."""
    dealer, played = Dealer(seed), 0
    while watched.decide(dealer):
        played += 1
        if played % each == 0:
            yield from look(watched, about)
        if played % (10 * each) == 0 and not holds_sealed(watched.game):
            lease = write(watched.book, watched.id, TakeLease("phone"), at=watched.game.step).step
            yield from look(watched, about)
            write(watched.book, watched.id, EndLease(lease, revoked=True, why="lost"))
    write(watched.book, watched.id, Close())
    yield from look(watched, about)


def look(watched: WatchedGame, about: str) -> Iterator[tuple[Viewer, Request]]:
    """Yield what everyone can ask for now, and say how far it has come."""
    requests, said = [*watched.everything()], time.time()
    for done, request in enumerate(requests):
        if done == 0 or time.time() > said + PROGRESS_SECONDS:
            print(f"{about}: step {watched.game.step}, page {done} of {len(requests)}", file=sys.stderr, flush=True)
            said = time.time()
        yield request


def options_drawn(rules: AnyRuleset, random: Random) -> dict[str, Any]:
    return {
        field.name: random.choice(field.choices or (True, False))
        for field in option_fields(rules.types.options)
        if field.kind != "number"
    }


if __name__ == "__main__":
    main()
