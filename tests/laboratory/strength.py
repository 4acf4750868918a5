"""Measure practice players: one level against another over many seeded games with rotated seats.

Long runs are kept in a file, game by game, and go on there when they are asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import Seat, Table
from daybook.services.certainty import Interval, mean_interval, sample_of, wilson
from daybook.services.play.practice import DEFAULT_PLAYOUTS, MAX_GAME_STEPS, TIME_SHARING_REVISION, Dealer, Level
from daybook.services.play.search import REVISION, policy_of
from tests.laboratory.kept_runs import keep, kept_games
from tests.laboratory.table_dealer import TableDealer


class Strength(msgspec.Struct, frozen=True):
    """The results of a level against another. Half the seats, rounded down, are the level's; in a solo game the only
    one, without an opponent.

    rotations: how often each deal was played, with seats changed. share: of games that its best seat won, a victory
    shared with the other level counting half, and the interval that holds it 95 times of a hundred; place, other_place:
    the mean places of the seats of both levels; unfinished: games stopped at the limit of steps, of which the standing
    counts; decisions_a_second: of processor time, by the level.
    """

    ruleset: str
    level: Level
    against: Level | None
    seats: int
    games: int
    rotations: int
    unfinished: int
    share: float
    interval: Interval
    place: float
    other_place: float | None
    decisions_a_second: float


class Played(msgspec.Struct, frozen=True):
    """A game between two sides.

    points: the first side's share of the victory; places, others: of either side's seats; decisions, seconds: of the
    first side, by processor time.
    """

    points: float
    places: list[int]
    others: list[int]
    ended: bool
    decisions: int
    seconds: float


def measure_strength(
    ruleset: Ruleset[Any],
    sheet: Sheet,
    level: Level,
    against: Level,
    *,
    seats: int,
    games: int,
    seed: int,
    options: Mapping[str, Any] | None = None,
    playouts: int | None = DEFAULT_PLAYOUTS,
    rotations: int = 1,
    folder: Path | None = None,
    on: Callable[[int], object] = lambda more: None,
) -> Strength:
    """Play them. Deal n has the seed `seed` + n. The level's seats are one seat further on in each game.

    rotations: games of each deal, the last one's too, so that there may be some more; by `seatings` both levels play
    each deal from every seat. playouts: by which strong players decide; None: by the seconds of a practice table, at
    which the first seat of the others is somebody's. kept: a file to which each game is added, and in which those that
    are already here need not be played again.
    Raises IllegalDecision for a number of seats or options that the game does not have, OtherRun.
    """
    table = ruleset.table(ruleset.colours(sheet)[:seats], options or {}, sheet)
    games = ceil(games / rotations) * rotations
    asked = _StrengthRun(
        ruleset.id,
        ruleset.revision,
        policy_of(ruleset).revision,
        level,
        against,
        seats,
        seed,
        dict(options or {}),
        playouts,
        REVISION,
        rotations,
        TIME_SHARING_REVISION if playouts is None else 1,
    )
    played = kept_games(folder, asked, Played)[:games]
    on(len(played))
    for number in range(len(played), games):
        deal, own = seed + number // rotations, rotated_seats(seats, number)
        levels = [level if seat in own else against for seat in range(seats)]
        person = next((seat for seat in range(seats) if seat not in own), own[0])
        dealer = TableDealer(deal, levels, person) if playouts is None else Dealer(deal, levels, playouts)
        played.append(play_between(ruleset, table, dealer, own))
        keep(folder, asked, played[-1])
        on(1)
    points = [game.points for game in played]
    own = [place for game in played for place in game.places]
    others = [place for game in played for place in game.others]
    seconds = sum(game.seconds for game in played)
    return Strength(
        ruleset.id,
        level,
        against if others else None,
        seats,
        games,
        rotations,
        sum(not game.ended for game in played),
        sum(points) / games,
        share_interval(points, rotations),
        sum(own) / len(own),
        sum(others) / len(others) if others else None,
        sum(game.decisions for game in played) / seconds if seconds else 0.0,
    )


def share_interval(points: Sequence[float], rotations: int) -> Interval:
    """Return the interval of the share of games that a side wins.

    Games of one deal are no independent ones. Of deals that were played more than once the mean of each is taken for
    one value, by Student's t. Where all deals came out alike these do not vary, and each counts for one game.
    """
    deals = [sum(points[first : first + rotations]) / rotations for first in range(0, len(points), rotations)]
    low, high = mean_interval(sample_of(deals)) or (0.0, 0.0)
    if rotations == 1 or low == high:
        return wilson(sum(deals), len(deals))
    return max(0.0, low), min(1.0, high)


def rotated_seats(seats: int, number: int) -> list[Seat]:
    """The seats of the first side in a game: every second one, as many seats further on as the number says."""
    return [
        seat for seat in range(seats) if (place := (seat - number) % seats) % 2 == 0 and place // 2 < max(1, seats // 2)
    ]


def seatings(seats: int) -> int:
    """Return the number of games until the seats of the first side repeat."""
    first = set(rotated_seats(seats, 0))
    return next(number for number in range(1, seats + 1) if set(rotated_seats(seats, number)) == first)


# --- playing ---------------------------------------------------------------------------------------------------------


class _StrengthRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line of a file of games: the parameters, rules and players of the run.

    What has a default came later: it is left out where it has that, as in files that were begun before.
    """

    ruleset: str
    rules: int
    policy: int
    level: Level
    against: Level
    seats: int
    seed: int
    options: dict[str, Any]
    playouts: int | None
    search: int
    rotations: int = 1
    shares: int = 1


# --- one game --------------------------------------------------------------------------------------------------------


def play_between(ruleset: Ruleset[Any], table: Table, dealer: Dealer, own: Sequence[Seat]) -> Played:
    """Play a game between the seats of a side and all others."""
    board = ruleset.opening_board(table)
    decisions, seconds = 0, 0.0
    for _ in range(MAX_GAME_STEPS):
        begun = process_time()
        chosen = dealer.next_decision(ruleset, board)
        if chosen is None:
            break
        if chosen[0] in own:
            decisions, seconds = decisions + 1, seconds + process_time() - begun
        ruleset.carry_out(board, *chosen)
    ranks = ruleset.ranks(board)
    places, others = (
        [place for seat, place in enumerate(ranks) if (seat in own) == is_own] for is_own in (True, False)
    )
    best = min(places) - min(others, default=1.5)  # alone, the first place is won and no other
    return Played(
        0.5 if best == 0 else float(best < 0),
        places,
        others,
        ruleset.scoring.outcome(board) is not None,
        decisions,
        seconds,
    )
