"""Tunes the weights of a game's policy by self-play: steady players of other weights against each other, out of a seed.

The method is simultaneous perturbation (SPSA), as chess engines are tuned: each step moves all weights a little, each
up or down by chance, plays that against the opposite move, and goes some way towards whichever won more. A game so
tells of all weights at once, where trying them one by one would take as many times more games as there are weights.
Weights move by parts of themselves. What is proposed is the mean of the second half of the way, which chance has moved
less.

Whether it is better is another question, answered by other games: tuned against untuned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from daybook.domain.kernel.policy import Policy, steady_decision
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import Board, Decision, Seat, Table
from daybook.domain.kernel.weights import W, Weighted
from daybook.services.analysis.play_outs import Wavering
from daybook.services.certainty import Interval, wilson
from tests.laboratory.kept_runs import keep, kept_games
from tests.laboratory.strength import play_between, rotated_seats

REACH = 0.25  # by which part of itself a weight is moved to be tried, at first
STRIDE = 0.03  # how far a step goes at first, where one side won all games
CALM = 0.1  # of all steps, so many more make the first ones shorter
FARTHEST = log(3)  # a weight stays between a third and three times what it was
DIGITS = 3  # of a tuned weight


class Tried(msgspec.Struct, frozen=True):
    """One step. moves: which weights were moved up and which down, "+-", in their order; share: of games that the
    weights so moved won against those moved the other way, with its interval."""

    moves: str
    share: float
    interval: Interval


class _TuningRun(msgspec.Struct, frozen=True):
    """What a run was asked for, the first line of a kept one. made_by: the revisions of rules and policy; games: of
    each step; before: weights by their paths."""

    ruleset: str
    made_by: str
    seats: int
    seed: int
    options: dict[str, Any]
    steps: int
    games: int
    before: dict[str, float]


class Tuning(_TuningRun, frozen=True):
    """What a run came to. after: weights by their paths; compared: games between both that were not used for tuning;
    share: of these that the tuned ones won, a victory shared counting half, and the interval that holds it 95 times of
    a hundred."""

    after: dict[str, float]
    compared: int
    share: float
    interval: Interval
    tried: list[Tried]

    @property
    def is_better(self) -> bool:
        return self.interval[0] > 0.5


class NotTuned(ValueError):
    """The game has no weights, or the games that were asked for are not as many for either side."""


class _Batch(msgspec.Struct, frozen=True):
    """Games between two sets of weights. points: of the first."""

    points: float
    games: int


def tune(
    ruleset: Ruleset[Any],
    policy: Policy[Any],
    sheet: Sheet,
    *,
    seats: int,
    steps: int,
    games: int,
    compared: int,
    seed: int,
    options: Mapping[str, Any] | None = None,
    kept: Path | None = None,
    on: Callable[[int], object] = lambda more: None,
) -> Tuning:
    """Tune the weights of a policy: play `games` games in each step and `compared` at the end.

    kept: a file to which each step is added, and in which those that are there already need not be played again.
    Raises NotTuned, OtherRun, IllegalDecision for a number of seats or options that the game does not have.
    """
    if policy.weights is None or policy.by_weights is None:
        raise NotTuned(f"{ruleset.title} has no weights to tune")
    if seats % 2 or games % 2 or compared % games:
        raise NotTuned("seats and games of a step are even numbers, and so many games are compared as make whole steps")
    before = figures_of(policy.weights)
    asked = _TuningRun(
        ruleset.id, f"{ruleset.revision}.{policy.revision}", seats, seed, dict(options or {}), steps, games, before
    )
    table = ruleset.table(ruleset.colours(sheet)[:seats], options or {}, sheet)
    match = _Match(ruleset, table, policy, asked, kept, on)
    moves, shares, way = [_moves(seed, step, len(before)) for step in range(steps)], list[float](), [0.0] * len(before)
    ways = []
    for step, flips in enumerate(moves):
        reach = REACH / (step + 1) ** 0.101
        up, down = (
            _move_weights(before, [at + side * reach * flip for at, flip in zip(way, flips, strict=True)])
            for side in (1, -1)
        )
        shares.append(match.share(up, down))
        stride = STRIDE * ((1 + CALM * steps) / (step + 1 + CALM * steps)) ** 0.602 * (2 * shares[-1] - 1) / reach
        way = [max(-FARTHEST, min(FARTHEST, at + stride * flip)) for at, flip in zip(way, flips, strict=True)]
        ways.append(way)
    second = ways[steps // 2 :]
    after = _move_weights(before, [sum(of_weight) / len(second) for of_weight in zip(*second, strict=True)])
    after = {path: float(f"{number:.{DIGITS}g}") for path, number in after.items()}
    won = sum(match.share(after, before) * games for _ in range(compared // games))
    return Tuning(
        **msgspec.structs.asdict(asked),
        after=after,
        compared=compared,
        share=won / compared,
        interval=wilson(won, compared),
        tried=[
            Tried("".join("-+"[flip > 0] for flip in flips), share, wilson(share * games, games))
            for flips, share in zip(moves, shares, strict=True)
        ],
    )


def write_if_better(file: Path, policy: Policy[Any], tuned: Tuning) -> None:
    """Write the file of a game's folder, where tuned weights are better beyond doubt."""
    if tuned.is_better:
        file.write_bytes(weights_file(policy, tuned))


def weights_file(policy: Policy[Any], tuned: Tuning) -> bytes:
    """The file of a game's folder, with the tuned weights and their origin."""
    assert policy.weights is not None
    low, high = (f"{100 * bound:.1f}" for bound in tuned.interval)
    said = "".join(f" --option {name}={value}" for name, value in tuned.options.items())
    origin = (
        f"`python -m tests.laboratory tune {tuned.ruleset} --players {tuned.seats} --steps {tuned.steps} --games {tuned.games} "
        f"--compared {tuned.compared} --seed {tuned.seed}{said}`, from those of revision "
        f"{tuned.made_by.partition('.')[2]}, against which it won {100 * tuned.share:.1f} % of {tuned.compared} games "
        f"(95 % interval {low} to {high})"
    )
    weights = msgspec.to_builtins(with_figures(policy.weights, tuned.after))
    return msgspec.json.format(msgspec.json.encode(Weighted(origin, weights))) + b"\n"


def _moves(seed: int, step: int, weights: int) -> list[int]:
    """Up or down, for each weight."""
    random = Random(f"{seed} step {step}")
    return [random.choice((-1, 1)) for _ in range(weights)]


def _move_weights(figures: Mapping[str, float], by: Sequence[float]) -> dict[str, float]:
    """Weights that are moved by parts of themselves, as logarithms."""
    return {path: number * exp(part) for (path, number), part in zip(figures.items(), by, strict=True)}


# --- playing ---------------------------------------------------------------------------------------------------------


class _Match:
    """Plays batch after batch, each with seeds of its own; batches that are kept are not played again."""

    def __init__(
        self,
        ruleset: Ruleset[Any],
        table: Table,
        policy: Policy[Any],
        asked: _TuningRun,
        kept: Path | None,
        on: Callable[[int], object],
    ) -> None:
        self.ruleset, self.table, self.policy, self.asked, self.kept, self.on = ruleset, table, policy, asked, kept, on
        self.known: Iterator[_Batch] = iter(kept_games(kept, asked, _Batch))
        self.seed = asked.seed

    def share(self, one: dict[str, float], other: dict[str, float]) -> float:
        """What the first weights win of a batch against the others. Each deal is played twice, with seats changed."""
        batch = next(self.known, None)
        if batch is None:
            points = sum(self.points(one, other, self.seed + number // 2, number) for number in range(self.asked.games))
            batch = _Batch(points, self.asked.games)
            keep(self.kept, self.asked, batch)
        self.seed += self.asked.games // 2
        self.on(self.asked.games)
        return batch.points / batch.games

    def points(self, one: dict[str, float], other: dict[str, float], seed: int, number: int) -> float:
        own = rotated_seats(self.table.seats, number)
        players = [self.by(one if seat in own else other) for seat in range(self.table.seats)]
        return play_between(self.ruleset, self.table, WaveringPlayers(seed, players), own).points

    def by(self, figures: dict[str, float]) -> Policy[Any]:
        assert self.policy.weights is not None and self.policy.by_weights is not None
        return self.policy.by_weights(with_figures(self.policy.weights, figures))


class WaveringPlayers(Wavering):
    """Steady players who now and then decide as a chance player would, each by a policy of their own.

    Where little is drawn, those who never waver play the same game over and over, and nothing is learnt from many.
    """

    def __init__(self, seed: int, policies: Sequence[Policy[Any]]) -> None:
        super().__init__(seed, len(policies))
        self.policies = policies

    def firm_decision(self, ruleset: Ruleset[Any], board: Board, seat: Seat) -> Decision:
        return steady_decision(ruleset, self.policies[seat], board, seat)


# --- weights by their paths ---


def figures_of(weights: msgspec.Struct) -> dict[str, float]:
    """Each weight by its path."""
    figures: dict[str, float] = {}
    for name, value in msgspec.to_builtins(weights).items():
        if isinstance(value, dict):
            figures |= {f"{name}.{key}": number for key, number in value.items()}
        else:
            figures[name] = value
    return figures


def with_figures(weights: W, figures: dict[str, float]) -> W:
    """The same kind of weights with other numbers, by their paths."""
    document = msgspec.to_builtins(weights)
    for path, number in figures.items():
        name, _, key = path.partition(".")
        if key:
            document[name][key] = number
        else:
            document[name] = number
    return msgspec.convert(document, type(weights))
