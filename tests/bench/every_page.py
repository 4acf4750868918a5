"""Opens every page and every API address for every viewer, at the steps of random games, and prints what fails.

    python -m tests.bench.every_page [--game arkwright_card] [--seats 4] [--seeds 1] [--each 1]

Each game is played with every number of seats, and with options that are drawn for each seed. --each: looks at every
step, at every second one, and so on. A step of a game of four takes about 10 s: `--each 40` is a quick round.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from daybook.domain.commands import Close, EndLease, TakeLease
from daybook.domain.games import RULESETS
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.services.people import access
from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from daybook.web.request.forms import option_fields
from tests.every_page import WatchedGame, watched_game
from tests.played import write


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--game", nargs="*", choices=[*RULESETS], default=[*RULESETS])
    arguments.add_argument("--seats", type=int, nargs="*", help="by default every number of them")
    arguments.add_argument("--seeds", type=int, default=1)
    arguments.add_argument("--each", type=int, default=1, help="steps between two looks")
    asked = arguments.parse_args()
    logging.disable(logging.WARNING)  # every refusal to a viewer without a link is logged
    failed = 0
    for ruleset_id in asked.game:
        rules = RULESETS[ruleset_id]
        for seats in asked.seats or rules.seats:
            for seed in range(asked.seeds):
                failed += show_faults(rules, seats, seed, asked.each)
    sys.exit(1 if failed else 0)


def show_faults(rules: AnyRuleset, seats: int, seed: int, each: int) -> int:
    """Watch one game, print its faults, and return their number."""
    options = options_drawn(rules, Random(seed)) if seed else {}
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        app = create_app(book)
        app.testing = True
        watched = watched_game(book, app, rules.id, seats, options, "practice" if seed % 3 == 2 else "table")
        faults = [fault for found in watch_to_the_end(watched, seed, each) for fault in found]
        print(f"{rules.id}, {seats} seats, {options or 'no options'}: {watched.game.step} steps, {len(faults)} faults")
        for fault in faults:
            print(f"  {fault}", flush=True)
        book.close()
    return len(faults)


def watch_to_the_end(watched: WatchedGame, seed: int, each: int) -> Iterator[list[str]]:
    """Play to the end; look every few steps, once in ten looks also while a device records, and when it is over."""
    dealer, played = Dealer(seed), 0
    while watched.decide(dealer):
        played += 1
        if played % each == 0:
            yield watched.faults(watched.everything())
        if played % (10 * each) == 0 and not access.holds_sealed(watched.game):
            lease = write(watched.book, watched.id, TakeLease("phone"), at=watched.game.step).step
            yield watched.faults(watched.everything())
            write(watched.book, watched.id, EndLease(lease, broken=True, why="lost"))
    write(watched.book, watched.id, Close())
    yield watched.faults(watched.everything())


def options_drawn(rules: AnyRuleset, random: Random) -> dict[str, Any]:
    return {
        field.name: random.choice(field.choices or (True, False))
        for field in option_fields(rules.types.options)
        if field.kind != "number"
    }


if __name__ == "__main__":
    main()
