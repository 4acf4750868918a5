"""Measure the milliseconds from the acknowledged decision that ends a period to its readable score.

`python -m tests.bench.score_latency` runs all of `daybook serve` (web, follower, worker, queue), records games by the
API, one decision every few milliseconds as a table would in a hurry, and asks for the scores until the new one is
written down. --python: the interpreters of the installations that are measured, in turn. --finished: recorded games
that are already here, so that win chances are reckoned meanwhile.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game
from daybook.services.play import simulate
from daybook.services.play.period_scores import periods_ended
from daybook.services.settings import Settings
from daybook.workers.children import start_child, stop
from tests.bench.http import Recorder, decisions_of
from tests.bench.long_games import long_game, title_of
from tests.bench.measuring import Figure, Progress, milliseconds
from tests.bench.table import BenchRow
from tests.servers import free_port, listens, wait_until
from tests.services.fixture_files import FIXTURES

BETWEEN_SECONDS = 0.02  # two decisions
LOOK_SECONDS = 0.002  # between two looks at the scores
PATIENCE_SECONDS = 60.0
GAMES = 4  # of a run of `make bench`, the first of them to load everything


@contextmanager
def serving(python: str, finished: Sequence[str] = ()) -> Iterator[int]:
    """All of a service of an installation, on a new daybook on SQLite; its port. finished: games of fixtures/ in it."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        settings = Settings(data=Path(folder) / "data", port=free_port(), workers=1, win_chances_seconds_per_day=0)
        environ = os.environ | settings.environ()
        subprocess.run(
            [python, "-m", "daybook", "init"], env=environ, cwd=folder, check=True, stdout=subprocess.DEVNULL
        )
        server = start_child(
            [python, "-m", "daybook", "serve"],
            environ,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: listens(settings.port), "the service")
            if finished:
                files = [str(FIXTURES / f"{name}.daybook") for name in finished]
                subprocess.run(
                    [python, "-m", "daybook", "import", *files],
                    env=environ,
                    cwd=folder,
                    check=True,
                    stdout=subprocess.DEVNULL,
                )
            yield settings.port
        finally:
            stop(server)


class Waiting(Recorder):
    """A program that records a game, and waits for each score."""

    def settled_sheets(self) -> int:
        """Return the number of stored score sheets."""
        scores = json.loads(self.exchange("GET", f"/api/v1/games/{self.game}/scores", None, self.headers, 200))
        return sum(sheet["settled"] for sheet in scores["sheets"])

    def seconds_until_settled(self, sheets: int) -> float:
        """Return the seconds until this many score sheets are stored."""
        began = time.perf_counter()
        while self.settled_sheets() < sheets:
            if time.perf_counter() - began > PATIENCE_SECONDS:
                raise TimeoutError(f"no score within {PATIENCE_SECONDS:.0f} s")
            time.sleep(LOOK_SECONDS)
        return time.perf_counter() - began


def latencies(port: int, game: Game) -> list[float]:
    """Seconds to each score of one game."""
    recorder = Waiting(http.client.HTTPConnection("127.0.0.1", port), game)
    found, sheets = list[float](), 0
    decisions = [entry for entry in game.entries if isinstance(entry.event, DecisionRecorded)]
    for step, entry in enumerate(decisions):
        assert isinstance(entry.event, DecisionRecorded)
        recorder.record(step, (entry.event.seat, entry.event.decision))
        if ended := len(periods_ended(entry.event)):
            sheets += ended
            found.append(recorder.seconds_until_settled(sheets))
        time.sleep(BETWEEN_SECONDS)
    recorder.connection.close()
    return found


def counted_latency(port: int, game: Game) -> float:
    """Seconds from the acknowledged closing of a game to an answer of the statistics that counts it."""
    recorder = Waiting(http.client.HTTPConnection("127.0.0.1", port), game)

    def games_counted() -> int:
        answer = json.loads(
            recorder.exchange(
                "GET", f"/api/v1/statistics/answer?measure=score&ruleset={game.ruleset.id}", None, recorder.headers, 200
            )
        )
        return int(answer["n"])

    before = games_counted()
    decisions = decisions_of(game)
    for step, decided in enumerate(decisions):
        recorder.record(step, decided)
    recorder.exchange(
        "POST",
        f"/api/v1/games/{recorder.game}/close",
        json.dumps({"at": len(decisions)}),
        recorder.headers | {"Idempotency-Key": "bench-close"},
        201,
    )
    began = time.perf_counter()
    while games_counted() == before:
        if time.perf_counter() - began > PATIENCE_SECONDS:
            raise TimeoutError(f"not counted within {PATIENCE_SECONDS:.0f} s")
        time.sleep(LOOK_SECONDS)
    recorder.connection.close()
    return time.perf_counter() - began


def show_counted(games: int) -> None:
    """Whole games, one after the other, on one service."""
    whole = next(simulate.simulate_games(RULESETS["making_profit"], 3, 1, 1, {}))
    with serving(sys.executable) as port:
        seconds = [counted_latency(port, whole) for _ in range(games)]
    print(
        f"until a closed game is counted: {games} games, the first {1000 * seconds[0]:.0f} ms, then at most "
        f"{1000 * max(seconds[1:]):.0f} ms, median {1000 * statistics.median(seconds[1:]):.0f} ms; "
        f"load {os.getloadavg()[0]:.1f}"
    )


def rows(game: Game, progress: Progress = lambda done, total: None) -> list[BenchRow]:
    """Return rows of `make bench` in wall time, so that a busy machine shows."""
    with serving(sys.executable) as port:
        progress(0, GAMES)
        latencies(port, game)
        found = list[float]()
        for number in range(1, GAMES):
            progress(number, GAMES)
            found += latencies(port, game)
    spread = milliseconds(found)
    return [
        BenchRow("event to score, median", "ms", "less", {title_of(game): spread}),
        BenchRow(
            "event to score, p95",
            "ms",
            "less",
            {title_of(game): Figure.of([1000 * statistics.quantiles(found, n=20)[-1]])},
        ),
    ]


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.score_latency", description=__doc__)
    arguments.add_argument("--ruleset", default="making_profit", choices=RULESETS)
    arguments.add_argument("--steps", type=int, default=260)
    arguments.add_argument("--games", type=int, default=5, help="of each, in turn")
    arguments.add_argument("--python", nargs="+", default=[sys.executable], help="PATH or NAME=PATH of each")
    arguments.add_argument("--counted", action="store_true", help="how long until a closed game is counted, instead")
    arguments.add_argument("--finished", nargs="+", default=[], metavar="NAME", help="games of fixtures/")
    asked = arguments.parse_args()
    if asked.counted:
        show_counted(asked.games)
        return
    game = long_game(asked.ruleset, asked.steps)
    found: dict[str, list[float]] = {python: [] for python in asked.python}
    for _ in range(asked.games):
        for python in asked.python:
            with serving(python.rpartition("=")[2], asked.finished) as port:
                latencies(port, game)  # the first game of a service, which everything is loaded for
                found[python] += latencies(port, game)
    print(f"{'of':<10} {'scores':>7} {'median':>8} {'p95 ms':>8} {'most':>8}   load {os.getloadavg()[0]:.1f}")
    for python, seconds in found.items():
        name = python.partition("=")[0] if "=" in python else Path(python).parents[2].name
        print(
            f"{name:<10} {len(seconds):>7} {1000 * statistics.median(seconds):>8.0f}"
            f" {1000 * statistics.quantiles(seconds, n=20)[-1]:>8.0f} {1000 * max(seconds):>8.0f}"
        )


if __name__ == "__main__":
    main()
