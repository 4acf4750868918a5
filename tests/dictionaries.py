"""Train the dictionary for the lines of the log: `python -m tests.dictionaries NUMBER`.

It is trained on recorded games of every ruleset: those of `fixtures/`, and simulated ones
of every number of seats, as a program and as a table of people writes them down. A dictionary is made once, because
what was compressed with it is read with it permanently. A better one gets the next number.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import zstandard

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.record import Game
from daybook.services.play.practice import Dealer, Level, PracticeSeat, open_practice_game, play_out
from daybook.services.store.compression import FOLDER, LEVEL
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.written import new_nonce
from daybook.web.request.forms import fresh_key
from tests.bench.long_games import written_at

LEVELS: tuple[Level, ...] = ("chance", "steady")
SIZE = 262_144  # bytes; at 112 KB lines take 4 to 9 % more, at 512 KB 1 to 3 % less
GAMES = 3  # of each number of seats, level and way of writing
FIRST_SEED = 1000  # benches play with low ones
FIRST, LAST = 32_768, 65_535  # numbers that zstd leaves to everybody, and that take two bytes
FIXTURES = Path(__file__).parent.parent / "fixtures"


def main() -> None:
    parser = argparse.ArgumentParser(prog="dictionaries", description=__doc__)
    parser.add_argument("number", type=int, choices=range(FIRST, LAST + 1), metavar=f"{FIRST} to {LAST}")
    arguments = parser.parse_args()
    file = FOLDER / f"lines-{arguments.number}.zdict"
    if file.exists():
        parser.error(f"dictionary {arguments.number} exists, and never changes")
    lines = [line for ruleset in RULESETS for line in lines_of(ruleset)]
    file.write_bytes(train_dictionary(lines, arguments.number))
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
            for game in simulate_games(ruleset, level, GAMES, table, FIRST_SEED):
                yield from (entry.line for entry in game.entries)


def simulate_games(ruleset: str, level: Level, games: int, table: bool = False, first: int = 0) -> Iterator[Game]:
    """Play out games of each number of seats.

    Args:
        games: number of games per number of seats.
        table: write them as people do on a phone each, with a key and a secret in every entry.
        first: the first seed.
    """
    rules, sheet = RULESETS[ruleset], printed_sheet(ruleset)
    for seats in rules.seats:
        seated = [PracticeSeat(colour, colour, f"p{n}") for n, colour in enumerate(rules.colours(sheet)[:seats])]
        for seed in range(first, first + games):
            game = open_practice_game(UUID(int=seed + 1), rules, sheet, seated, {}, written_at(0))

            def at_table(step: int, game: Game = game) -> Written:
                seat = max((*game.ruleset.waits_for(game.board)[:1], 0))
                return Written(_evening(game.id.int, step), f"seat:{seat}", fresh_key(), new_nonce())

            for _ in play_out(game, Dealer(seed, (level,) * seats), at_table if table else written_at):
                pass
            yield game


def _evening(seed: int, step: int) -> str:
    """Return the time of a step: some seconds after the one before, on another day for each seed."""
    seconds, day = 19 * step + 7 * seed, 1 + seed % 28
    hours, minutes = 18 + seconds // 3600 % 6, seconds // 60 % 60
    return f"2026-{1 + seed % 12:02}-{day:02}T{hours:02}:{minutes:02}:{seconds % 60:02}.{step * 7919 % 1000:03}Z"


if __name__ == "__main__":
    main()
