"""What a step takes in the database, and what it costs to write it there and to replay it: `python -m tests.bench.stored`.

The same games on SQLite and on PostgreSQL: long ones by chance, and such as a table of steady players writes them down
on a phone each, with a secret and a key in every entry. Bytes of the entry itself, and of the whole database with its
indexes; processor time of this process, per step.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import FORMAT
from daybook.domain.kernel.record import Game, documents_after
from daybook.services.settings import Settings
from daybook.services.store.log import GameLog, open_log
from tests.bench.bytes import simulate_games
from tests.bench.http import DURABLE
from tests.bench.long_games import long_game, title_of
from tests.servers import postgres

ROUNDS = 15
WRITTEN_AGAIN = 2
SIZES = {
    "sqlite": (
        "SELECT sum(length(state)) FROM games_events",
        "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
    ),
    "postgres": (
        "SELECT sum(length(state)) FROM daybook_log.games_events",
        "SELECT pg_total_relation_size('daybook_log.games_events')",
    ),
}


class Cost(NamedTuple):
    """Of a step: bytes of its line, of what is stored for it, and in the database; microseconds of the processor to
    write and to replay it, and what that is of the same with all lines stored as they are."""

    line: float
    stored: float
    database: float
    write: float
    of_plain: float
    replay: float
    of_plain_replay: float


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.stored", description=__doc__)
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    arguments.add_argument("--database", nargs="*", choices=[*SIZES], default=[*SIZES])
    asked = arguments.parse_args()
    print(f"{'a step':<34}{'':<10}" + "".join(f"{name:>{len(name) + 4}}" for name in Cost._fields))
    for database in asked.database:
        for ruleset in RULESETS:
            for name, games in games_of(ruleset).items():
                cost = measure(database, games, asked.rounds)
                shown = "".join(
                    f"{value:>{len(name) + 4},.{1 + name.startswith('of')}f}" for name, value in cost._asdict().items()
                )
                print(f"{title_of(games[0]):<22}{name:<12}{database:<10}{shown}", flush=True)


def games_of(ruleset: str) -> dict[str, list[Game]]:
    return {
        "by chance": [long_game(ruleset)],
        "at a table": list(simulate_games(ruleset, "steady", 1, FORMAT, table=True))[-1:],
    }


def measure(database: str, games: Sequence[Game], rounds: int) -> Cost:
    """Two logs take turns in every round: one as it is, and one that stores lines as they are."""
    steps = sum(len(game.entries) for game in games)
    with empty_log(database) as log, empty_log(database) as plain:
        plain.mapper.packing.pack_with(())
        before = sizes(log)
        writes = [[write_all(one, games)] for one in (log, plain)]
        entry, whole = (now - earlier for now, earlier in zip(sizes(log), before, strict=True))
        for _ in range(WRITTEN_AGAIN):
            for one, found in zip((log, plain), writes, strict=True):
                found.append(write_all(one, games, again=True))
        replays = [[replay_all(one, games) for one in (log, plain)] for _ in range(rounds)]
    write, write_plain = map(statistics.median, writes)
    replay, replay_plain = map(statistics.median, zip(*replays, strict=True))
    return Cost(
        sum(game.size for game in games) / steps,
        entry / steps,
        whole / steps,
        1e6 * write / steps,
        write / write_plain,
        1e6 * replay / steps,
        replay / replay_plain,
    )


@contextmanager
def empty_log(database: str) -> Iterator[GameLog]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder) / "data")
        if database == "sqlite":
            with closing(open_log(settings, create=True)) as log:
                yield log
            return
        with postgres(DURABLE) as url, closing(open_log(replace(settings, database_url=url), create=True)) as log:
            yield log


def sizes(log: GameLog) -> list[int]:
    """Bytes of what is stored for all lines, and of the table and its indexes."""
    kind = "postgres" if hasattr(log.recorder.datastore, "url") else "sqlite"  # type: ignore[attr-defined]
    asked = SIZES[kind]
    return [int(log.recorder._rows(one)[0][0] or 0) for one in asked]  # type: ignore[attr-defined]


def write_all(log: GameLog, games: Sequence[Game], again: bool = False) -> float:
    """Seconds. again: as other games with the same lines."""
    ids = {game.id: uuid4() if again else game.id for game in games}
    entries = [msgspec.structs.replace(entry, originator_id=ids[game.id]) for game in games for entry in game.entries]
    start = time.process_time_ns()
    for entry in entries:
        log.append(entry)
    return (time.process_time_ns() - start) / 1e9


def replay_all(log: GameLog, games: Sequence[Game]) -> float:
    """Seconds."""
    start = time.process_time_ns()
    for game in games:
        for _ in documents_after(log.entries(game.id)):
            pass
    return (time.process_time_ns() - start) / 1e9


if __name__ == "__main__":
    main()
