"""Measure every game beside its floors, by processor time, in one run, and print one table.

    make bench                                 the table
    make bench PEERS=1                         with python-chess and OpenSpiel beside it
    make bench SAVE=before.json                writes it down
    make bench AGAINST=before.json             and holds it against an earlier one: what is slower is marked
    make bench ONLY="games sizes"              some of its parts

Reading, judging and playing take turns in every round, the floors and the peers among them. Only ratios of one run say
something of the code: against an earlier run every figure is divided by the yardstick of its own.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from daybook.services.clock import now
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.bench import deciding, following, growth, http, peers, replaying, score_latency, statistics_pages
from tests.bench.long_games import STEPS, long_game, title_of
from tests.bench.measuring import ROUNDS, YARDSTICK, Figure, Progress, Work, measure, yardstick
from tests.bench.table import BenchRow, Run, load, rows_of, save, shares, show

ALL = "all"  # the column of what is no game's alone
TARGETS = {replaying.REPLAY: 0.8}  # of a raw SELECT with msgspec's decoding
PEER_OF = {  # the peer's figure that one of ours is a share of
    replaying.AUDIT: "replay with legality",
    replaying.RULES: "random play",
    replaying.RECORDED: "random play",
}


def main() -> None:
    arguments = argparse.ArgumentParser(
        prog="bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--steps", type=int, default=STEPS, help="length of the measured games")
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    arguments.add_argument("--only", nargs="*", choices=PARTS, default=[*PARTS], help="parts to measure")
    arguments.add_argument("--peers", action="store_true", help="measure python-chess and OpenSpiel too")
    arguments.add_argument("--save", type=Path, metavar="FILE", help="write the figures there as JSON")
    arguments.add_argument("--against", type=Path, metavar="FILE", help="hold them against these")
    asked = arguments.parse_args()
    against = load(asked.against) if asked.against else None
    run = measure_parts(asked)
    print(show(run, against))
    print(remarks(run))
    if asked.save:
        save(run, asked.save)


def measure_parts(arguments: argparse.Namespace) -> Run:
    at, load_before = now(), os.getloadavg()[0]
    games = [long_game(ruleset, arguments.steps) for ruleset in RULESETS]
    rows = [row for part in arguments.only for row in PARTS[part](games, arguments, progress_of(part))]
    return Run(at, load_before, os.cpu_count() or 1, rows)


def progress_of(part: str) -> Progress:
    """A line on a terminal that says how far a part has come."""
    start = time.monotonic()

    def say(done: int, count: int) -> None:
        line = f"{part}: {done} of {count}, {time.monotonic() - start:.0f} s"
        print(f"\r{line:<60}" + ("\r" if done == count else ""), end="", file=sys.stderr, flush=True)

    return say


# --- parts -----------------------------------------------------------------------------------------------------------


def games_part(games: Sequence[Game], arguments: argparse.Namespace, progress: Progress) -> list[BenchRow]:
    """Reading, judging and playing, with the floors, the peers and the yardstick in the same rounds."""
    with log_games(games) as works:
        works = [Work(YARDSTICK, ALL, 1, yardstick), *works, *(peers.works() if arguments.peers else ())]
        figures = measure(works, arguments.rounds, progress)
    return rows_of([(work.row, work.column) for work in works], figures, "per CPU s", "more")


@contextmanager
def log_games(games: Sequence[Game]) -> Iterator[list[Work]]:
    """Yield rows for reading and writing these games in the log of a service."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        for game in games:
            book.log.append(*game.entries)
        yield [work for game in games for work in replaying.works(book, game)]
        book.close()


def sizes_part(games: Sequence[Game], arguments: argparse.Namespace, progress: Progress) -> list[BenchRow]:
    """Bytes of a record."""
    return [
        BenchRow(
            "a step of a record",
            "bytes",
            "less",
            {title_of(game): Figure.of([game.size / len(game.entries)]) for game in games},
        )
    ]


def decisions_part(games: Sequence[Game], arguments: argparse.Namespace, progress: Progress) -> list[BenchRow]:
    """A decision through the service, early and late in a record."""
    return growth.decision_rows(games, progress=progress)


def http_part(games: Sequence[Game], arguments: argparse.Namespace, progress: Progress) -> list[BenchRow]:
    """A decision over HTTP."""
    return [*deciding.rows(games, progress), *http.rows(games[0], progress=progress)]


def score_part(games: Sequence[Game], arguments: argparse.Namespace, progress: Progress) -> list[BenchRow]:
    """Yield rows for the time from a decision to the score of its period, with a whole service at work."""
    return score_latency.rows(games[0], progress)


def statistics_part(games: Sequence[Game], arguments: argparse.Namespace, progress: Progress) -> list[BenchRow]:
    """Pages of statistics with the rows of many games."""
    return statistics_pages.rows(progress=progress)


def following_part(games: Sequence[Game], arguments: argparse.Namespace, progress: Progress) -> list[BenchRow]:
    """Yield rows for catching up with the log and for rebuilding from it."""
    return following.rows(progress=progress)


def memory_part(games: Sequence[Game], arguments: argparse.Namespace, progress: Progress) -> list[BenchRow]:
    """A process with many games; before the peers are loaded, which take memory too."""
    return growth.memory_rows(games, progress=progress)


PARTS: dict[str, Callable[[Sequence[Game], argparse.Namespace, Progress], list[BenchRow]]] = {
    "memory": memory_part,
    "games": games_part,
    "sizes": sizes_part,
    "decisions": decisions_part,
    "http": http_part,
    "following": following_part,
    "score": score_part,
    "statistics": statistics_part,
}


# --- what is to be said of it ----------------------------------------------------------------------------------------


def remarks(run: Run) -> str:
    """Return what the table was measured on, and the ratios that matter."""
    lines = [f"\n{run.at}, {run.processors} processors; {run.load:.1f} processes wanted one when it began"]
    lines += [_shares_line(run, name, replaying.DECODED, least) for name, least in TARGETS.items()]
    dominoes = peers.OF_OPENSPIEL["python_block_dominoes"]
    lines += [_shares_line(run, name, (f"{dominoes}, {peer}", peers.PEERS)) for name, peer in PEER_OF.items()]
    return "\n".join(line for line in lines if line)


def _shares_line(run: Run, row: str, base: tuple[str, str] | str, minimum: float | None = None) -> str:
    found = shares(run, row, base)
    if not found:
        return ""
    said = ", ".join(f"{column} {share:.2f}" for column, share in found.items())
    wanted = "" if minimum is None else f" (at least {minimum}{'' if min(found.values()) >= minimum else ', MISSED'})"
    return f"{row} to {base if isinstance(base, str) else base[0]}: {said}{wanted}"


if __name__ == "__main__":
    main()
