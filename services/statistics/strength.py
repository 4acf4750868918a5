"""How strong the practice players are: one level against another over many games, seats rotated, all out of a seed.

Long runs are kept in a file, game by game, and go on there when they are asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import TABLE, Table
from daybook.services.certainty import wilson
from daybook.services.play.practice import PLAYOUTS, STEPS_LIMIT, Dealer, Level
from daybook.services.play.search import REVISION, policy_of
from daybook.services.statistics.kept_runs import keep, kept_games


class Strength(msgspec.Struct, frozen=True):
    """What games of a level against another came to. Half the seats, rounded down, are the level's; in a solo game the
    only one, and nobody is against it.

    share: of games that its best seat won, a victory shared with the other level counting half, and the interval that
    holds it 95 times of a hundred; place, other_place: the mean places of the seats of both levels; unfinished: games
    stopped at the limit of steps, of which the standing counts; decisions_a_second: of processor time, by the level.
    """

    ruleset: str
    level: Level
    against: Level | None
    seats: int
    games: int
    unfinished: int
    share: float
    interval: tuple[float, float]
    place: float
    other_place: float | None
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
    options: Mapping[str, Any] | None = None, playouts: int = PLAYOUTS, kept: Path | None = None,
    on: Callable[[int], object] = lambda more: None,
) -> Strength:
    """Play them. Game n has the seed `seed` + n, and its seats of the level are n seats further on.

    playouts: by which strong players decide. kept: a file to which each game is added, and in which those
    that are there already need not be played again.
    Raises IllegalDecision for a number of seats or options that the game does not have, OtherRun.
    """
    table = ruleset.table(ruleset.colours(sheet)[:seats], options or {}, sheet)
    asked = _Asked(
        ruleset.id, ruleset.revision, policy_of(ruleset).revision, level, against, seats, seed, dict(options or {}),
        playouts, REVISION)
    played = kept_games(kept, asked, _Played)[:games]
    on(len(played))
    for number in range(len(played), games):
        played.append(_game(ruleset, table, level, _levels(level, against, seats, number), seed + number, playouts))
        keep(kept, asked, played[-1])
        on(1)
    points = sum(game.points for game in played)
    own = [place for game in played for place in game.places]
    others = [place for game in played for place in game.others]
    seconds = sum(game.seconds for game in played)
    return Strength(
        ruleset.id, level, against if others else None, seats, games, sum(not game.ended for game in played),
        points / games, wilson(points, games), sum(own) / len(own), sum(others) / len(others) if others else None,
        sum(game.decisions for game in played) / seconds if seconds else 0.0)


def _levels(level: Level, against: Level, seats: int, number: int) -> list[Level]:
    """Who sits where in a game: every second seat is the level's."""
    places = [(seat - number) % seats for seat in range(seats)]
    return [level if place % 2 == 0 and place // 2 < max(1, seats // 2) else against for place in places]


# --- playing ---------------------------------------------------------------------------------------------------------


class _Asked(msgspec.Struct, frozen=True):
    """The first line of a file of games: what they were asked for, and by which rules and players."""

    ruleset: str
    rules: int
    policy: int
    level: Level
    against: Level
    seats: int
    seed: int
    options: dict[str, Any]
    playouts: int
    search: int


# --- one game --------------------------------------------------------------------------------------------------------


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
    best = min(own) - min(others, default=1.5)  # alone, the first place is won and no other
    return _Played(
        0.5 if best == 0 else float(best < 0), own, others, ruleset.scoring.outcome(board) is not None, decisions,
        seconds)
