"""Measure the pages of a long recorded game: first request, and again.

    python -m tests.bench.replay_pages [--game water_frame] [--rounds 5]

Pages are requested in process by a visitor. Before the first request the game and its drawings leave all caches, as for
an old game that no one has opened since the process started. Times are processor time in milliseconds: least, and
median of the rounds.
"""

from __future__ import annotations

import argparse
import gc
import os
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID

from flask import Flask

from daybook.services.files.import_export import import_file
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from daybook.web.boards import DRAWN
from daybook.web.replay.replay import reset_caches
from tests.bench.replay_view import FIXTURES, LARGEST

ROUNDS = 5
PAGES = (
    "",
    "?step={middle}",
    "/replay.json",
    "/replay.json?from=160",
    "/moments",
    "/figures",
    "/transcript",
    "/score",
    "/why?step={middle}",
)


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.replay_pages", description=__doc__)
    arguments.add_argument("--game", nargs="+", default=[*LARGEST], choices=LARGEST)
    arguments.add_argument("--pages", nargs="+", default=PAGES)
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        app = create_app(book)
        print(f"{'CPU ms: least (median)':<44}{'first':>14}{'again':>14}{'bytes':>12}")
        for ruleset in options.game:
            game = import_file(book, (FIXTURES / f"{LARGEST[ruleset]}.daybook").read_bytes(), public=True)
            show(book, app, game, ruleset, options)
        book.close()


def show(book: Daybook, app: Flask, game: UUID, ruleset: str, options: argparse.Namespace) -> None:
    client, steps = app.test_client(), book.games.get(game).step
    for page in options.pages:
        address = f"/games/{game}{page.format(middle=steps // 2)}"
        assert client.get(address).status_code == 200, address
        first, again = [], []
        for _ in range(options.rounds):
            book.games.cache.clear()
            reset_caches(app)
            DRAWN.forget()
            first.append(cost(client, address))
            again.append(cost(client, address))
        size = len(client.get(address).data)
        print(f"{ruleset}{page} ({steps} steps)"[:44].ljust(44) + figures(first) + figures(again) + f"{size:>12,}")


def figures(costs: list[float]) -> str:
    return f"{min(costs):.0f} ({median(costs):.0f})".rjust(14)


def cost(client: Any, address: str) -> float:
    gc.collect()
    start = time.process_time()
    client.get(address)
    return 1000 * (time.process_time() - start)


if __name__ == "__main__":
    main()
