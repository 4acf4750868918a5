"""Reading records beside their floors, by processor time: `python -m tests.bench.reading [FILE ...]`.

Of a practice game of each game, the same in either format, or of the record files named: what a second of one
processor reads of the log raw, decodes, replays by changes, folds to a game, shows and audits. Every figure is the
median of rounds in which all take turns, several times in a row; only ratios of one run say something.
"""

from __future__ import annotations

import argparse
import gc
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import FORMATS
from daybook.domain.kernel.record import Game, documents_after
from daybook.services.files.audit import audit
from daybook.services.people.access import EVERYTHING
from daybook.services.play.replay import position, steps
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.games import fold_game
from tests.bench.long_games import STEPS, long_game
from tests.services.fixture_files import read_fixture

ROUNDS, RUNS = 15, 5
JSON, DECODED, REPLAYED = "raw SELECT, json.loads", "raw SELECT, msgspec decode", "replay by changes"
FLOORS = {REPLAYED: 0.8}  # of a raw SELECT with msgspec's decoding: what replay should reach


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.reading", description=__doc__)
    arguments.add_argument("--steps", type=int, default=STEPS, help="length of the measured games")
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    arguments.add_argument("--formats", type=int, nargs="*", choices=FORMATS, default=FORMATS[::-1])
    arguments.add_argument("files", nargs="*", type=Path, help="record files to measure instead")
    asked = arguments.parse_args()
    for what in asked.files or [(ruleset, format) for ruleset in RULESETS for format in asked.formats]:
        with tempfile.TemporaryDirectory() as folder:
            book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
            game = read_fixture(what.read_bytes()).game if isinstance(what, Path) else long_game(
                what[0], asked.steps, what[1])
            title = what.stem if isinstance(what, Path) else game.ruleset.title
            _show(title, game, _rates(book, game, asked.rounds))
            book.close()


def _rates(book: Daybook, game: Game, rounds: int) -> dict[str, float]:
    """Steps a second of processor time, by what is done with them."""
    for entry in game.entries:
        book.log.append(entry)
    database = sqlite3.connect(book.settings.sqlite_file("log"))
    select = "SELECT state FROM games_events WHERE originator_id = ? ORDER BY originator_version"

    def raw(decode: Callable[[bytes], object]) -> None:
        for (state,) in database.execute(select, (game.id.hex,)).fetchall():
            decode(state)

    def load_game() -> Game:
        return fold_game(game.id, book.log.entries(game.id))

    kept = load_game()
    count = len(game.entries)
    runs: dict[str, Callable[[], object]] = {
        JSON: lambda: raw(json.loads),
        DECODED: lambda: raw(msgspec.json.decode),
        REPLAYED: lambda: sum(1 for _ in documents_after(book.log.entries(game.id))),
        "whole game loaded": load_game,
        "every step shown": lambda: sum(1 for _ in steps(load_game(), EVERYTHING)),
        "audit": lambda: audit(kept),
    }
    gc.collect()
    gc.freeze()
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(rounds + 1):
        for name, run in runs.items():
            took = _processor_seconds(run)
            if turn:  # the first is to warm up
                seconds[name].append(took)
    figures = {name: count / statistics.median(took) for name, took in seconds.items()}
    database.close()
    for step in (1, count // 2):
        took = [_processor_seconds(lambda step=step: position(kept, step, EVERYTHING)) for _ in range(rounds)]
        figures[f"board after step {step}, ms"] = 1000 * statistics.median(took)
    return figures


def _processor_seconds(run: Callable[[], object]) -> float:
    """Of one of a few runs in a row."""
    start = time.process_time_ns()
    for _ in range(RUNS):
        run()
    return (time.process_time_ns() - start) / 1e9 / RUNS


def _show(title: str, game: Game, figures: dict[str, float]) -> None:
    size = sum(len(entry.line) for entry in game.entries) / len(game.entries)
    print(f"\n{title}: {len(game.entries)} steps of format {game.opening.format}, {size:,.0f} bytes a step")
    for name, figure in figures.items():
        if name.endswith(", ms"):
            print(f"  {name:<30}{figure:>12,.2f}")
            continue
        share = figure / figures[DECODED]
        wanted = FLOORS.get(name)
        said = "" if wanted is None else f"  at least {wanted}: {'reached' if share >= wanted else 'MISSED'}"
        print(f"  {name:<30}{figure:>12,.0f} a CPU second{share:>8.2f} of the decoding{said}")


if __name__ == "__main__":
    main()
