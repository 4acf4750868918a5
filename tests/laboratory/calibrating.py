"""Check win chances: games are played to their end, and the chances of sampled positions compared with the winners.

The players are steady ones who waver, as those of the play-outs; games come out of a seed, and none of them was used
for tuning. Chances are measured as they are shown, with even play-outs counted in (`services.analysis.shrinkage`): how
many is fitted to the other half of the games. Beside them stand two simple forecasts of the same positions: whoever
leads wins, and the standing put through a curve that was fitted to the other half. Long runs are kept in a file, game
by game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import exp
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from daybook.domain.games import PACKAGES
from daybook.domain.kernel.curves import softmax
from daybook.domain.kernel.policy import Policy
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import Board, Table
from daybook.services.analysis.calibration import BrierAdvantage, Calibration, Tenth, chances_revision
from daybook.services.analysis.play_outs import WaveringDealer, effort_for, estimate_chances, won_shares
from daybook.services.analysis.shrinkage import shrink_shares
from daybook.services.certainty import Interval, mean_interval, sample_from_sums
from daybook.services.play.practice import MAX_GAME_STEPS
from tests.laboratory.curve_fits import Forecast, Seen, fit, fit_added
from tests.laboratory.kept_runs import keep, kept_games

POSITIONS = 4  # of a game
TENTHS = 10


class TooFewGames(ValueError):
    """Too few games for an interval."""


# --- playing ---------------------------------------------------------------------------------------------------------


class _Forecast(msgspec.Struct, frozen=True):
    """A position. at: its step; totals: the standing; shares: from this many play-outs."""

    at: int
    totals: Sequence[float]
    shares: list[float]
    play_outs: int


class _PeriodEnd(msgspec.Struct, frozen=True):
    at: int
    worths: list[float]


class _Played(msgspec.Struct, frozen=True):
    """One game. won: of its victory, by seat."""

    steps: int
    won: list[float]
    forecasts: list[_Forecast]
    ends: list[_PeriodEnd]


class _CalibrationRun(msgspec.Struct, frozen=True):
    """The first line of a file of games: the parameters of the run."""

    ruleset: str
    made_by: str
    seats: int
    seed: int
    positions: int
    options: dict[str, Any]


def calibrate(
    ruleset: Ruleset[Any],
    sheet: Sheet,
    *,
    seats: int,
    games: int,
    seed: int,
    positions: int = POSITIONS,
    options: Mapping[str, Any] | None = None,
    folder: Path | None = None,
    on: Callable[[int], object] = lambda more: None,
) -> Calibration:
    """Play games and hold the chances of their positions against what came of them. Game n has the seed `seed` + n.

    kept: a file to which each game is added, and in which those that are already here need not be played again.
    Raises IllegalDecision for a number of seats or options that the game does not have, OtherRun, TooFewGames.
    """
    if games < 2:
        raise TooFewGames("a calibration takes two games at least")
    table = ruleset.table(ruleset.colours(sheet)[:seats], options or {}, sheet)
    asked = _CalibrationRun(ruleset.id, chances_revision(ruleset), seats, seed, positions, dict(options or {}))
    played = kept_games(folder, asked, _Played)[:games]
    on(len(played))
    for number in range(len(played), games):
        played.append(_game(ruleset, table, seed + number, positions))
        keep(folder, asked, played[-1])
        on(1)
    return measure_calibration(asked, played)


def _game(ruleset: Ruleset[Any], table: Table, seed: int, positions: int) -> _Played:
    """Play a game, and the positions of it out. A game that does not end counts as it stands."""
    policy, dealer = PACKAGES[ruleset.id].policy, WaveringDealer(seed, table.seats)
    boards = [ruleset.opening_board(table)]
    while len(boards) <= MAX_GAME_STEPS and (chosen := dealer.next_decision(ruleset, boards[-1])) is not None:
        board = boards[-1].twin()
        ruleset.carry_out(board, *chosen)
        boards.append(board)
    steps, random = len(boards) - 1, Random(f"positions {seed}")
    sampled = sorted({int(steps * (number + random.random()) / positions) for number in range(positions)})
    return _Played(
        steps,
        won_shares(ruleset.ranks(boards[-1])),
        [_forecast(ruleset, boards[at], at, random.getrandbits(32)) for at in sampled],
        _period_ends(ruleset, policy, boards),
    )


def _forecast(ruleset: Ruleset[Any], board: Board, at: int, seed: int) -> _Forecast:
    found = estimate_chances(ruleset, board, at, seed, effort_for(ruleset))
    return _Forecast(at, list(ruleset.totals(board)), found.shares, found.play_outs)


def _period_ends(ruleset: Ruleset[Any], policy: Policy[Any] | None, boards: Sequence[Board]) -> list[_PeriodEnd]:
    """The boards by which play-outs are valued that are cut short."""
    if policy is None or policy.worth is None or policy.short is None:
        return []
    reached = [ruleset.marks_reached(board) for board in boards]
    return [
        _PeriodEnd(at + 1, [policy.worth(boards[at + 1], seat) for seat in range(boards[0].table.seats)])
        for at, (before, after) in enumerate(pairwise(reached))
        if not after.over and ruleset.periods_ended(before, after)
    ]


# --- judging ---------------------------------------------------------------------------------------------------------


def measure_calibration(run: _CalibrationRun, played: Sequence[_Played]) -> Calibration:
    """Compare forecasts with results.

    The curve of the standing and the even play-outs of each half are fitted to the other half.
    """
    length = sum(game.steps for game in played) / len(played)
    halves = [played[0::2], played[1::2]]
    fits = [fit([seen for game in half for seen in _standings(game, length)]) for half in halves]
    added = [fit_added([seen for game in half for seen in _forecasts(game)]) for half in halves]
    shown = [_shrunk(game, added[1 - number % 2]) for number, game in enumerate(played)]
    errors: list[tuple[float, float, float]] = []  # of each game: chances, whoever leads, the standing
    for number, game in enumerate(played):
        slope, rise = fits[1 - number % 2]
        by_standing = [softmax(seen.values, exp(slope + rise * seen.progress)) for seen in _standings(game, length)]
        errors.append(
            (
                _brier([forecast.shares for forecast in shown[number].forecasts], game.won),
                _brier([whoever_leads(item.totals) for item in game.forecasts], game.won),
                _brier(by_standing, game.won),
            )
        )
    ends = [Seen(end.worths, min(1.0, end.at / length), game.won) for game in played for end in game.ends]
    brier, leader, standing = (sum(of_kind) / len(played) for of_kind in zip(*errors, strict=True))
    return Calibration(
        run.ruleset,
        run.made_by,
        run.seats,
        len(played),
        sum(len(game.forecasts) for game in played),
        run.seed,
        run.options,
        round(brier, 4),
        round(_as_played(played), 4),
        round(leader, 4),
        round(standing, 4),
        _ahead([other - own for own, other, _ in errors]),
        _ahead([other - own for own, _, other in errors]),
        _tenths(shown),
        round(fit_added([seen for game in played for seen in _forecasts(game)]), 2),
        _round_curve(fit(ends)) if ends else None,
        round(length, 1),
    )


def _forecasts(game: _Played) -> list[Forecast]:
    return [Forecast(forecast.shares, forecast.play_outs, game.won) for forecast in game.forecasts]


def _shrunk(game: _Played, added: float) -> _Played:
    """A game with chances as they are shown."""
    return msgspec.structs.replace(
        game,
        forecasts=[
            msgspec.structs.replace(forecast, shares=shrink_shares(forecast.shares, forecast.play_outs, added))
            for forecast in game.forecasts
        ],
    )


def _as_played(played: Sequence[_Played]) -> float:
    """The Brier score of chances as play-outs gave them."""
    return sum(_brier([forecast.shares for forecast in game.forecasts], game.won) for game in played) / len(played)


def _standings(game: _Played, length: float) -> list[Seen]:
    return [
        Seen([float(total) for total in forecast.totals], min(1.0, forecast.at / length), game.won)
        for forecast in game.forecasts
    ]


def whoever_leads(totals: Sequence[float]) -> list[float]:
    """Forecast that the leader wins; several leaders share the victory."""
    most = max(totals)
    return [float(total == most) / list(totals).count(most) for total in totals]


def _brier(forecasts: Sequence[Sequence[float]], won: Sequence[float]) -> float:
    """The squared errors of all seats together, in the mean of a game's forecasts."""
    return sum((share - value) ** 2 for shares in forecasts for share, value in zip(shares, won, strict=True)) / len(
        forecasts
    )


def _ahead(differences: Sequence[float]) -> BrierAdvantage:
    found: Interval | None = mean_interval(
        sample_from_sums(len(differences), sum(differences), sum(difference * difference for difference in differences))
    )
    assert found is not None
    return BrierAdvantage(round(sum(differences) / len(differences), 4), round(found[0], 4), round(found[1], 4))


def _tenths(played: Sequence[_Played]) -> list[Tenth]:
    found: list[list[tuple[float, float]]] = [[] for _ in range(TENTHS)]
    for game in played:
        for forecast in game.forecasts:
            for share, won in zip(forecast.shares, game.won, strict=True):
                found[min(TENTHS - 1, int(share * TENTHS))].append((share, won))
    return [
        Tenth(len(pairs), *(round(sum(values) / len(pairs), 4) for values in zip(*pairs, strict=True)))
        if pairs
        else Tenth(0, 0.0, 0.0)
        for pairs in found
    ]


def _round_curve(curve: tuple[float, float]) -> tuple[float, float]:
    return round(curve[0], 2), round(curve[1], 2)


# --- telling ---------------------------------------------------------------------------------------------------------


def markdown_rows(calibration: Calibration, title: str) -> list[str]:
    """A run as a row of a table of scores, and as a column of tenths."""
    scores = (calibration.brier, calibration.brier_as_played, calibration.brier_leader, calibration.brier_standing)
    intervals = (calibration.ahead_of_leader, calibration.ahead_of_standing)
    better = [f"{_decimal(interval.low)} to {_decimal(interval.high)}" for interval in intervals]
    tenths = [
        f"| {10 * number} to {10 * number + 10} % | {_percent(tenth.predicted)} → {_percent(tenth.actual)} "
        f"({tenth.forecasts:,}) |"
        if tenth.forecasts
        else f"| {10 * number} to {10 * number + 10} % | – |"
        for number, tenth in enumerate(calibration.tenths)
    ]
    row = [
        title,
        f"{calibration.games:,}, {calibration.positions:,}",
        *(f"{score:.3f}" for score in scores),
        *better,
        f"{calibration.added:.1f}",
    ]
    return [f"| {' | '.join(row)} |", *tenths]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _decimal(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")
