"""What the win chances of a recorded game cost, in processor time: `python -m tests.bench.analysing four-mills`.

Some positions are played out, as far apart as they can be, and what one takes in the mean is told for all of those that
a game has first. With --whole all of them are, then those around swings, and the moves are weighed that cost most, each
told separately: what one worker takes for the game.
"""

from __future__ import annotations

import argparse
from statistics import mean
from time import process_time

from daybook.domain.kernel.record import Game
from daybook.services.analysis import win_chances
from daybook.services.analysis.moves import moves_to_weigh
from daybook.services.analysis.play_outs import Chances, chances, effort_for
from daybook.services.analysis.positions import evenly, line_steps, missing_positions
from daybook.services.analysis.win_chances import seed_of
from daybook.services.clock import now
from daybook.services.files.recordfile import read_record_file
from tests.services.fixture_files import FIXTURES


def read_fixture_game(name: str) -> Game:
    with (FIXTURES / f"{name}.daybook").open("rb") as file:
        return read_record_file(file, now()).game


def seconds_each(game: Game, positions: int) -> tuple[int, list[float]]:
    """How many positions a game has first, and what some of them took."""
    places, found = evenly(line_steps(game)), []
    for place in places[:: max(1, len(places) // positions)][:positions]:
        begun = process_time()
        chances(
            game.ruleset, game.board_at(place.step), place.at, seed_of(game.id, place.step), effort_for(game.ruleset)
        )
        found.append(process_time() - begun)
    return len(places), found


def seconds_of_whole(game: Game) -> list[tuple[int, float]]:
    """How many pieces and what they took: positions at first, around swings, moves."""
    places, known, begun, found = line_steps(game), dict[int, Chances](), process_time(), list[tuple[int, float]]()
    while lacking := missing_positions(places, known):
        for place in lacking:
            known[place.step] = win_chances._chances_at(game, place.step, seed_of(game.id, place.step))
        found.append((len(lacking), process_time() - begun))
        begun = process_time()
    moves = moves_to_weigh(places, known)
    for place in moves:
        win_chances._weigh_step(game, place.step, seed_of(game.id, place.step))
    first, *closer = found
    return [
        first,
        (sum(n for n, _ in closer), sum(seconds for _, seconds in closer)),
        (len(moves), process_time() - begun),
    ]


def tell_whole(name: str, game: Game) -> None:
    parts = seconds_of_whole(game)
    print(
        f"{name:<16} {' '.join(f'{n:>6} {seconds:>7.1f}' for n, seconds in parts)} "
        f"{sum(seconds for _, seconds in parts):>8.1f}",
        flush=True,
    )


def tell_each(name: str, game: Game, positions: int) -> None:
    n, found = seconds_each(game, positions)
    print(f"{name:<16} {n:>9} {mean(found):>12.2f} {max(found):>6.2f} {n * mean(found):>6.0f}", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.analysing", description=__doc__)
    arguments.add_argument("games", nargs="+", help="recorded games in fixtures/, without their ending")
    arguments.add_argument("--positions", type=int, default=12)
    arguments.add_argument("--whole", action="store_true", help="everything that is made of a game")
    asked = arguments.parse_args()
    if asked.whole:
        print(f"{'game':<16} {'first':>6} {'s':>7} {'closer':>6} {'s':>7} {'moves':>6} {'s':>7} {'all s':>8}")
    else:
        print(f"{'game':<16} {'positions':>9} {'seconds each':>12} {'most':>6} {'all':>6}")
    for name in asked.games:
        if asked.whole:
            tell_whole(name, read_fixture_game(name))
        else:
            tell_each(name, read_fixture_game(name), asked.positions)


if __name__ == "__main__":
    main()
