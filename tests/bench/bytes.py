"""How large records are, and where their bytes are: `python -m tests.bench.bytes [FILE ...]`.

First the same simulated games in either format, and as a table writes them down on a phone each: there an entry has a
secret and the key of a form, and says who wrote it wherever that changes. Then, of a long game of each or of the files
named, for each field what it takes of a step on average, its name and a comma included; of changes and effects also by
what stands in them. Counts alone, the same on every machine.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import FORMAT, FORMATS, BoardStep
from daybook.domain.kernel.record import Game
from daybook.services.play.practice import Dealer, Level, PracticeSeat, play_out, practice_game
from daybook.services.play.writing import nonce
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.services.store.printed_sheets import printed_sheet
from daybook.web.request.forms import fresh_key
from tests.bench.long_games import STEPS, long_game, written_at

OPENING = "opening"
AROUND = "braces"
GAMES = 3  # of each number of seats
LEVELS: tuple[Level, ...] = ("chance", "steady")
MOST = {  # bytes a step that simulated games should take at most
    "making_profit": 500,
    "london_markets": 600,
    "water_frame": 900,
    "arkwright_card": 700,
}


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.bytes", description=__doc__)
    arguments.add_argument("--steps", type=int, default=STEPS, help="length of the measured games")
    arguments.add_argument("--games", type=int, default=GAMES, help="simulated games of each number of seats")
    arguments.add_argument("files", nargs="*", type=Path, help="record files to look at instead")
    asked = arguments.parse_args()
    for file in asked.files:
        _show(file.stem, file.read_bytes().splitlines()[1:])
    if not asked.files:
        for level in LEVELS:
            show_sizes(level, asked.games)
        with tempfile.TemporaryDirectory() as folder:
            book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
            for ruleset, rules in RULESETS.items():
                _show(rules.title, [entry.line for entry in long_game(ruleset, asked.steps).entries])
            book.close()


class Size(NamedTuple):
    """Of some games together: their steps, all their bytes, and those of their columns and marks."""

    steps: int
    whole: int
    figures: int

    @classmethod
    def of(cls, games: Sequence[Game]) -> Size:
        entries = [entry for game in games for entry in game.entries]
        return cls(
            len(entries),
            sum(len(entry.line) for entry in entries),
            sum(
                _member(name, value)
                for entry in entries
                if isinstance(entry.event, BoardStep)
                for name in ("columns", "marks")
                if (value := getattr(entry.event, name)) is not None
            ),
        )

    @property
    def of_a_step(self) -> float:
        return self.whole / self.steps


def simulate_games(
    ruleset: str, level: Level, games: int, format: int, table: bool = False, first: int = 0
) -> Iterator[Game]:
    """So many games of each number of seats, played out: the same in every format.

    table: as people write them down on a phone each, and not as a simulation does. first: of the seeds.
    """
    rules, sheet = RULESETS[ruleset], printed_sheet(ruleset)
    for seats in rules.seats:
        seated = [PracticeSeat(colour, colour, f"p{n}") for n, colour in enumerate(rules.colours(sheet)[:seats])]
        for seed in range(first, first + games):
            game = practice_game(UUID(int=seed + 1), rules, sheet, seated, {}, written_at(0), format=format)

            def at_table(step: int, game: Game = game) -> Written:
                seat = max((*game.ruleset.waits_for(game.board)[:1], 0))
                return Written(_evening(game.id.int, step), f"seat:{seat}", fresh_key(), nonce())

            for _ in play_out(game, Dealer(seed, (level,) * seats), at_table if table else written_at):
                pass
            yield game


def _evening(seed: int, step: int) -> str:
    """When a step was written down: some seconds after the one before, on another day with each seed."""
    seconds, day = 19 * step + 7 * seed, 1 + seed % 28
    hours, minutes = 18 + seconds // 3600 % 6, seconds // 60 % 60
    return f"2026-{1 + seed % 12:02}-{day:02}T{hours:02}:{minutes:02}:{seconds % 60:02}.{step * 7919 % 1000:03}Z"


def show_sizes(level: Level, games: int) -> None:
    """The table of both formats."""
    said = [f"format {format}" for format in FORMATS]
    print(f"\nBytes a step, {games} games of each number of seats, players of level {level}")
    print(f"  {'':<26}{'steps':>8}" + "".join(f"{name:>10}{'figures':>10}" for name in said) + f"{'at a table':>12}")
    for ruleset, rules in RULESETS.items():
        played = [list(simulate_games(ruleset, level, games, format)) for format in FORMATS]
        for one, other in zip(*played, strict=True):
            assert one.document == other.document and one.figures_at(one.step) == other.figures_at(other.step)
        sizes = [Size.of(each) for each in played]
        at_table = Size.of(list(simulate_games(ruleset, level, games, FORMAT, table=True)))
        shown = "".join(f"{size.of_a_step:>10,.0f}{size.figures / size.steps:>10,.0f}" for size in sizes)
        reached = "reached" if sizes[-1].of_a_step <= MOST[ruleset] else "MISSED"
        print(
            f"  {rules.title:<26}{sizes[0].steps:>8,}{shown}{at_table.of_a_step:>12,.0f}"
            f"  at most {MOST[ruleset]}: {reached}"
        )


def bytes_by_field(lines: Sequence[bytes]) -> Counter[str]:
    """The bytes of a record's lines: of the opening as one, of the other steps field by field."""
    found: Counter[str] = Counter({OPENING: len(lines[0])})
    for line in lines[1:]:
        fields = msgspec.json.decode(line)
        found.update({name: _member(name, value) for name, value in fields.items()})
        found[AROUND] += 1  # two braces, and one comma less than members
    return found


def _member(name: str, value: Any) -> int:
    return len(msgspec.json.encode(name)) + len(msgspec.json.encode(value)) + 2


def _parts(lines: Sequence[bytes]) -> dict[str, Counter[str]]:
    changes: Counter[str] = Counter()
    effects: Counter[str] = Counter()
    for line in lines[1:]:
        fields = msgspec.json.decode(line)
        for path, (before, after) in fields.get("changes", {}).items():
            changes.update(
                places=len(msgspec.json.encode(path)) + 1,
                before=len(msgspec.json.encode(before)) + 1,
                after=len(msgspec.json.encode(after)) + 1,
            )
        for effect in fields.get("effects", []):
            effects.update({name: _member(name, value) for name, value in effect.items()})
    return {"changes": changes, "effects": effects}


def _show(title: str, lines: Sequence[bytes]) -> None:
    steps = len(lines)
    fields, parts = bytes_by_field(lines), _parts(lines)
    assert sum(fields.values()) == sum(map(len, lines)), "every byte is counted once"
    print(f"\n{title}: {steps} steps, {sum(map(len, lines)) / steps:,.1f} bytes a step")
    for name, count in fields.most_common():
        within = ", ".join(f"{part} {much / steps:.1f}" for part, much in parts.get(name, Counter()).most_common(8))
        print(f"  {name:<14}{count / steps:>8.1f}   {within}".rstrip())


if __name__ == "__main__":
    main()
