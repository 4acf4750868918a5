"""Makes the dictionary of a game for the lines of the log: `python -m tests.dictionaries GAME NUMBER`.

It is trained on recorded games: those of `fixtures/`, and simulated ones of every number of seats, as a program and as a
table of people writes them down. It is made once, and never again: what was packed with it is read with it for ever. A
better one gets the next number, which is one of all games' together.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import zstandard

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import FORMAT
from daybook.services.store.packing import FOLDER, LEVEL
from tests.bench.bytes import LEVELS, simulate_games

SIZE = 112_640  # bytes; what zstd proposes. with 64 KB lines of tables take 3 to 6 bytes more
GAMES = 3  # of each number of seats, level and way of writing
FIRST_SEED = 1000  # benches play with low ones
FIRST, LAST = 32_768, 65_535  # numbers that zstd leaves to everybody, and that take two bytes
FIXTURES = Path(__file__).parent.parent / "fixtures"


def main() -> None:
    arguments = argparse.ArgumentParser(prog="dictionaries", description=__doc__)
    arguments.add_argument("game", choices=[*RULESETS])
    arguments.add_argument("number", type=int, choices=range(FIRST, LAST + 1), metavar=f"{FIRST} to {LAST}")
    asked = arguments.parse_args()
    if list(FOLDER.glob(f"*-{asked.number}.zdict")):
        arguments.error(f"dictionary {asked.number} is there already, and is never made anew")
    file = FOLDER / f"{asked.game}-{asked.number}.zdict"
    file.write_bytes(train_dictionary(list(lines_of(asked.game)), asked.number))
    print(f"{file}: {file.stat().st_size:,} bytes")


def train_dictionary(lines: list[bytes], number: int, size: int = SIZE) -> bytes:
    return zstandard.train_dictionary(size, lines, level=LEVEL, dict_id=number).as_bytes()


def lines_of(ruleset: str) -> Iterator[bytes]:
    for file in sorted(FIXTURES.glob("**/*.daybook")):
        _header, *lines = file.read_bytes().splitlines()
        if b'"ruleset":"' + ruleset.encode() + b'"' in lines[0]:
            yield from lines
    for level in LEVELS:
        for table in (False, True):
            for game in simulate_games(ruleset, level, GAMES, FORMAT, table, FIRST_SEED):
                yield from (entry.line for entry in game.entries)


if __name__ == "__main__":
    main()
