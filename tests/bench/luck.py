"""What luck and play of many games costs, in processor time: `python -m tests.bench.luck --games 10000`.

The rows are made up, four seats and eleven moments for each game, of two hundred people: the asking is measured.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import process_time
from uuid import UUID

from daybook.domain.games import RULESETS
from daybook.services.analysis import reports, summaries
from daybook.services.settings import Settings
from daybook.services.statistics.figure_questions import Filter
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.read_models import Row, as_json

RULES = RULESETS["making_profit"]
SEATS, MOVES, SWINGS, PEOPLE = 4, 6, 5, 200
ASKED: dict[str, Callable[[Daybook, Filter], object]] = {
    "how many are known": reports.count_analysed,
    "luck and play": reports.luck_and_play,
    "moves": reports.costly_moves,
    "swings": reports.turning_points,
}


def rows_of(number: int, random: Random) -> read_models.Rows:
    """The rows of one game that is closed, counted and analysed."""
    id, at = UUID(int=random.getrandbits(128)), f"2026-01-01T00:00:{number % 60:02}Z"
    move = summaries.CostlyMoveKept({"type": "run"}, {"type": "develop", "card": "R1"}, 0.1, 0.3)
    swing = summaries.SwingKept(1, [0.2, -0.2, 0.0, 0.0], "decided")
    kept: list[tuple[str, int, summaries.CostlyMoveKept | summaries.SwingKept]] = [
        *(("move", step, move) for step in range(MOVES)),
        *(("swing", step, swing) for step in range(SWINGS)),
    ]
    return {
        read_models.game_row: [_game_row(id, at)],
        read_models.analysed_game: [
            {"game": id, "step": 60, "made_by": "", "done": True, "at": at, "summary": summaries.mark(RULES)}
        ],
        read_models.seat_summary: [
            {
                "game": id,
                "seat": seat,
                "ruleset": RULES.id,
                "kind": "table",
                "as_played": 0,
                "provisional": 0,
                "seats": SEATS,
                "person": f"person-{random.randrange(PEOPLE)}",
                "colour": "red",
                "total": 10,
                "place": 1,
                "won_60": 15,
                "expected_60": 15,
                "at": at,
                "position": number * 100,
                "public": 1,
            }
            for seat in range(SEATS)
        ],
        read_models.analysed_seat: [
            {
                "game": id,
                "seat": seat,
                **{change: random.randint(-5_000, 5_000) for change in ("drawn", "decided", "together")},
            }
            for seat in range(SEATS)
        ],
        read_models.analysed_moment: [
            {
                "game": id,
                "part": part,
                "step": step,
                "seat": step % SEATS,
                "size": random.randint(0, 10_000),
                "found": as_json(found),
            }
            for part, step, found in kept
        ],
    }


def _game_row(id: UUID, at: str) -> Row:
    return {
        "game": id,
        "ruleset": RULES.id,
        "rules": RULES.id,
        "kind": "table",
        "status": "closed",
        "colours": "[]",
        "step": 60,
        "marks": "{}",
        "totals": "[]",
        "over": True,
        "ranks": "[]",
        "revision": 1,
        "as_played": 0,
        "claims_open": 0,
        "opened_at": at,
        "last_at": at,
        "played": "",
        "lies_open": True,
        "against_rules": 0,
        "list": "finished",
        "position": 0,
    }


def lay(book: Daybook, games: int) -> None:
    random = Random(1)
    made: Sequence[read_models.Rows] = [rows_of(number, random) for number in range(games)]
    with book.views.begin() as connection:
        for table in made[0]:
            connection.execute(table.insert(), [row for rows in made for row in rows[table]])


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.luck", description=__doc__)
    arguments.add_argument("--games", type=int, default=10_000)
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data", chances_seconds=1), create=True)
        lay(book, asked.games)
        for name, ask in ASKED.items():
            begun = process_time()
            ask(book, Filter(ruleset=RULES.id, readable=frozenset()))
            print(f"{name:<20} {1_000 * (process_time() - begun):>8.0f} ms")
        book.close()


if __name__ == "__main__":
    main()
