"""How strong the practice players are: one level against another over many games, seats rotated, all out of a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from time import process_time
from typing import Any

import msgspec

from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import TABLE, Table
from daybook.services.certainty import wilson
from daybook.services.play.practice import PLAYOUTS, STEPS_LIMIT, Dealer, Level


class Strength(msgspec.Struct, frozen=True):
    """What games of a level against another came to. Half the seats, rounded down, are the level's.

    share: of games that its best seat won, a victory shared with the other level counting half, and the interval that
    holds it 95 times of a hundred; place, other_place: the mean places of the seats of both levels; unfinished: games
    stopped at the limit of steps, of which the standing counts; decisions_a_second: of processor time, by the level.
    """

    ruleset: str
    level: Level
    against: Level
    seats: int
    games: int
    unfinished: int
    share: float
    interval: tuple[float, float]
    place: float
    other_place: float
    decisions_a_second: float


class _Played(msgspec.Struct, frozen=True):
    """One game. points: of its victory, for the level."""

    points: float
    places: list[int]
    others: list[int]
    ended: bool
    decisions: int
    seconds: float


def strength(
    ruleset: Ruleset[Any], sheet: Sheet, level: Level, against: Level, *, seats: int, games: int, seed: int,
    options: Mapping[str, Any] | None = None, playouts: int = PLAYOUTS,
    on: Callable[[int], object] = lambda more: None,
) -> Strength:
    """Play them. Game n has the seed `seed` + n, and its seats of the level are n seats further on.

    Raises IllegalDecision for a number of seats or options that the game does not have.
    """
    table = ruleset.table(ruleset.colours(sheet)[:seats], options or {}, sheet)
    played = list(_games(ruleset, table, level, against, games, seed, playouts, on))
    points = sum(game.points for game in played)
    own = [place for game in played for place in game.places]
    others = [place for game in played for place in game.others]
    seconds = sum(game.seconds for game in played)
    return Strength(
        ruleset.id, level, against, seats, games, sum(not game.ended for game in played), points / games,
        wilson(points, games), sum(own) / len(own), sum(others) / len(others),
        sum(game.decisions for game in played) / seconds if seconds else 0.0)


def _games(
    ruleset: Ruleset[Any], table: Table, level: Level, against: Level, games: int, seed: int,
    playouts: int, on: Callable[[int], object],
) -> Iterator[_Played]:
    seats = table.seats
    for number in range(games):
        places = [(seat - number) % seats for seat in range(seats)]
        levels = [level if place % 2 == 0 and place // 2 < seats // 2 else against for place in places]
        yield _game(ruleset, table, level, levels, seed + number, playouts)
        on(1)


def _game(
    ruleset: Ruleset[Any], table: Table, level: Level, levels: list[Level], seed: int, playouts: int,
) -> _Played:
    board = ruleset.opening_board(table)
    dealer, decisions, seconds = Dealer(seed, levels, playouts), 0, 0.0
    for _ in range(STEPS_LIMIT):
        begun = process_time()
        chosen = dealer.next(ruleset, board)
        if chosen is None:
            break
        seat, decision = chosen
        if seat != TABLE and levels[seat] == level:
            decisions, seconds = decisions + 1, seconds + process_time() - begun
        board, _effects = ruleset.play(board, seat, decision)
    places = ruleset.ranks(board)
    own = [place for place, played in zip(places, levels, strict=True) if played == level]
    others = [place for place, played in zip(places, levels, strict=True) if played != level]
    best = min(own) - min(others)
    return _Played(
        0.5 if best == 0 else float(best < 0), own, others, ruleset.scoring.outcome(board) is not None, decisions,
        seconds)
