"""What the win chances of a recorded game cost, in processor time: `python -m tests.bench.analysing four-mills`.

Some positions are played out, as far apart as they can be, and what one takes in the mean is told for all of those that
a game has first. Moves that are weighed afterwards come on top.
"""

from __future__ import annotations

import argparse
from statistics import mean
from time import process_time

from daybook.services.analysis.play_outs import chances, effort_for
from daybook.services.analysis.positions import evenly, places_of
from daybook.services.analysis.win_chances import seed_of
from daybook.services.clock import now
from daybook.services.files.recordfile import read
from tests.services.fixture_files import FIXTURES


def seconds_each(name: str, positions: int) -> tuple[int, list[float]]:
    """How many positions a game has first, and what some of them took."""
    with (FIXTURES / f"{name}.daybook").open("rb") as file:
        game = read(file, now()).game
    places, found = evenly(places_of(game)), []
    for place in places[::max(1, len(places) // positions)][:positions]:
        begun = process_time()
        chances(
            game.ruleset, game.board_at(place.step), place.at, seed_of(game.id, place.step), effort_for(game.ruleset))
        found.append(process_time() - begun)
    return len(places), found


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.analysing", description=__doc__)
    arguments.add_argument("games", nargs="+", help="recorded games in fixtures/, without their ending")
    arguments.add_argument("--positions", type=int, default=12)
    asked = arguments.parse_args()
    print(f"{'game':<16} {'positions':>9} {'seconds each':>12} {'most':>6} {'all':>6}")
    for name in asked.games:
        positions, found = seconds_each(name, asked.positions)
        print(f"{name:<16} {positions:>9} {mean(found):>12.2f} {max(found):>6.2f} {positions * mean(found):>6.0f}",
              flush=True)


if __name__ == "__main__":
    main()
