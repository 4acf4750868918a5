"""Cost of moves: each is compared with the practice player's alternatives from the same position.

Only the moves with the largest falls in chances are weighed. The alternatives are the policy's favourites on what the
seat could see. The best is chosen by some play-outs and measured by others, to avoid the bias of selection.
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
from daybook.services.analysis.play_outs import Chances, Effort, play_position_out, sample_board
from daybook.services.analysis.positions import LineStep
from daybook.services.certainty import mean_interval, sample_from_sums

MAX_MOVES_WEIGHED = 6  # of a game
MIN_FALL = 0.04  # in the mover's share, for a move to be weighed
ALTERNATIVES = 3
CHOOSING, MEASURING = 10, 30  # play-outs of each


class WeighedMove(Frozen):
    """A move and the best alternative found.

    Args:
        cost: by how much the alternative raises the mover's share.
        low: lower end of the cost's interval (Student).
        high: upper end.
        better: None if no better move was found.
    """

    seat: Seat
    played: dict[str, Any]
    better: dict[str, Any] | None
    cost: float
    low: float
    high: float
    play_outs: int

    @property
    def is_significant(self) -> bool:
        """Check if the cost exceeds the random error of the play-outs."""
        return self.better is not None and self.low > 0


def moves_to_weigh(places: Sequence[LineStep], chances: Mapping[int, Chances]) -> list[LineStep]:
    """Return the moves with the largest fall of the mover's chances, among adjacent known positions."""
    falls = []
    for before, place in pairwise(places):
        if place.seat is not None and before.step in chances and place.step in chances:
            was, now = chances[before.step].shares, chances[place.step].shares
            if was and now and (fall := was[place.seat] - now[place.seat]) >= MIN_FALL:
                falls.append((fall, place))
    falls.sort(key=lambda pair: (-pair[0], pair[1].at))
    return sorted((place for _, place in falls[:MAX_MOVES_WEIGHED]), key=lambda place: place.at)


def weigh_move(
    ruleset: AnyRuleset, board: Board, at: int, seat: Seat, played: Decision, seed: int, effort: Effort
) -> WeighedMove:
    """Compare a move with its alternatives on boards that are possible for its seat.

    Args:
        board: before the move.
        at: number of steps that led there.
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
            found.append(play_position_out(ruleset, world, at + 1, seed, effort)[0][seat])
        return found

    choosing = range(seed, seed + CHOOSING)
    best = max(others, key=lambda candidate: sum(shares(candidate, choosing)))
    measuring = range(choosing.stop, choosing.stop + MEASURING)
    gains = [b - a for a, b in zip(shares(played, measuring), shares(best, measuring), strict=True)]
    interval = mean_interval(sample_from_sums(len(gains), sum(gains), sum(gain * gain for gain in gains)))
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
    """Return a seat's decisions, those the policy prefers first."""
    package = PACKAGES.get(ruleset.id)
    if package is None or package.policy is None:
        return ruleset.legal(view, seat)
    return [decision for decision, _ in decisions_by_merit(ruleset, package.policy, view, seat)]
