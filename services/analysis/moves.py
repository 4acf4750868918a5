"""What a move cost: held against what the practice player would rather have done, played out from the same position.

Only moves are weighed after which the chances of who made them fell most. The alternatives are those that the policy
of the game thinks most of, on what the seat could see. The best of them is chosen by some play-outs and measured by
others: the best of several looks better than it is by those that chose it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from daybook.domain.games import PACKAGES
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.policy import decisions_by_merit
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.terms import Board, Decision, Seat
from daybook.services.analysis.play_outs import Chances, Effort, play_out, sample_board
from daybook.services.analysis.positions import LineStep
from daybook.services.certainty import mean_interval, sample

WEIGHED = 6  # moves of a game
FALL = 0.04  # of a share, from which on a move is weighed
ALTERNATIVES = 3
CHOOSING, MEASURING = 10, 30  # play-outs of each


class WeighedMove(Frozen):
    """A move beside the one that was found best. cost: by how much the better one raises the share of who moved; low,
    high: within which it likely lies, by Student; better: None where nothing better was found.
    """

    seat: Seat
    played: dict[str, Any]
    better: dict[str, Any] | None
    cost: float
    low: float
    high: float
    play_outs: int

    @property
    def is_told(self) -> bool:
        """Whether it cost more than may come of the play-outs' chance."""
        return self.better is not None and self.low > 0


def moves_to_weigh(places: Sequence[LineStep], known: Mapping[int, Chances]) -> list[LineStep]:
    """The moves after which the chances of who made them fell most, of those between two positions side by side."""
    falls = []
    for before, place in pairwise(places):
        if place.seat is not None and before.step in known and place.step in known:
            was, now = known[before.step].shares, known[place.step].shares
            if was and now and (fall := was[place.seat] - now[place.seat]) >= FALL:
                falls.append((fall, place))
    falls.sort(key=lambda one: (-one[0], one[1].at))
    return sorted((place for _, place in falls[:WEIGHED]), key=lambda place: place.at)


def weigh(
    ruleset: AnyRuleset, board: Board, at: int, seat: Seat, played: Decision, seed: int, effort: Effort
) -> WeighedMove:
    """Hold a move against its alternatives, on boards as they may lie for who makes it. board: before it; at: the steps
    that led there.
    """
    view = ruleset.secrecy.redact_board(board, seat)
    others = [alternative for alternative in alternatives(ruleset, view, seat) if alternative != played][:ALTERNATIVES]
    if not others:
        return WeighedMove(seat, plain(played), None, 0.0, 0.0, 0.0, 0)

    def shares(decision: Decision, seeds: range) -> list[float]:
        found = []
        for seed in seeds:
            world = sample_board(ruleset, view, seat, seed)
            ruleset.carry_out(world, seat, decision)
            found.append(play_out(ruleset, world, at + 1, seed, effort)[0][seat])
        return found

    choosing = range(seed, seed + CHOOSING)
    best = max(others, key=lambda one: sum(shares(one, choosing)))
    measuring = range(choosing.stop, choosing.stop + MEASURING)
    gains = [b - a for a, b in zip(shares(played, measuring), shares(best, measuring), strict=True)]
    interval = mean_interval(sample(len(gains), sum(gains), sum(gain * gain for gain in gains)))
    assert interval is not None
    cost = sum(gains) / len(gains)
    return WeighedMove(
        seat,
        plain(played),
        plain(best) if cost > 0 else None,
        round(cost, 4),
        round(interval[0], 4),
        round(interval[1], 4),
        MEASURING,
    )


def alternatives(ruleset: AnyRuleset, view: Board, seat: Seat) -> list[Decision]:
    """What a seat might do, what the policy thinks most of first."""
    package = PACKAGES.get(ruleset.id)
    if package is None or package.policy is None:
        return ruleset.legal(view, seat)
    return [decision for decision, _ in decisions_by_merit(ruleset, package.policy, view, seat)]
