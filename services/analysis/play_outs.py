"""Win chances of a position by play-outs of steady players, with hidden facts sampled and draws random.

Results depend only on the seed, and effort is counted in steps, not seconds: the same position gives the same chances
on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from daybook.domain.games import PACKAGES
from daybook.domain.kernel.curves import Curve
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.policy import steady_decision
from daybook.domain.kernel.ruleset import CANNOT_GO_ON, AnyRuleset
from daybook.domain.kernel.terms import KEEPER, Board, Decision, Seat, Viewer
from daybook.services.certainty import wilson
from daybook.services.play.playing_out import play_board_out
from daybook.services.play.practice import MAX_GAME_STEPS, Dealer

CHANCE_DECISION_SHARE = 0.1  # of decisions made as by a player of the level `chance`
NARROW_INTERVAL = 0.1  # an interval of at most this width is good enough


class Effort(Frozen):
    """Limits for the play-outs of one position.

    Args:
        steps: no further play-out begins after this many steps, beyond the minimum.
        curve: play-outs end with the first period that ends after `far` steps and are valued by it; None plays to the
            end.
    """

    steps: int = 6_000
    least: int = 12  # play-outs
    most: int = 150
    far: int = MAX_GAME_STEPS
    curve: Curve | None = None


EFFORT = Effort()


class Chances(Frozen):
    """Win probability of each seat. A shared victory counts in parts.

    Args:
        low: lower ends of the Wilson intervals.
        high: upper ends of the Wilson intervals.
        cut: play-outs that were valued before their end.
    """

    play_outs: int
    cut: int
    shares: list[float]
    low: list[float]
    high: list[float]


class WaveringDealer(Dealer):
    """Dealer for steady players that sometimes decide at random.

    People err too, and a game without draws would otherwise always be played out the same way.
    """

    def __init__(self, seed: int, seats: int) -> None:
        super().__init__(seed, ["steady"] * seats)

    def choose_decision(self, ruleset: AnyRuleset, board: Board, seat: Seat) -> Decision:
        if self.random.random() < CHANCE_DECISION_SHARE:
            return self.choose_by_chance(ruleset, board, seat)
        return self.steady_choice(ruleset, board, seat)

    def steady_choice(self, ruleset: AnyRuleset, board: Board, seat: Seat) -> Decision:
        """Return the seat's steady decision, the first of equals."""
        policy = PACKAGES[ruleset.id].policy
        return (
            self.choose_by_chance(ruleset, board, seat)
            if policy is None
            else steady_decision(ruleset, policy, board, seat)
        )


def effort_for(ruleset: AnyRuleset) -> Effort:
    policy = PACKAGES[ruleset.id].policy
    short = None if policy is None else policy.short
    if short is None:
        return EFFORT
    return Effort(steps=short.steps, least=short.least, far=short.far, curve=short.curve)


def estimate_chances(ruleset: AnyRuleset, board: Board, at: int, seed: int, effort: Effort) -> Chances:
    """Play a position out until the intervals are narrow or the effort is spent.

    Args:
        at: the position's step in the game.
    """
    if ruleset.scoring.outcome(board) is not None:
        won = won_shares(ruleset.ranks(board))
        return Chances(0, 0, won, won, won)
    results: list[list[float]] = []
    played = cut = 0
    while len(results) < effort.least or (
        len(results) < effort.most and played < effort.steps and not are_intervals_narrow(results)
    ):
        play_seed = seed + len(results)
        shares, steps, ended = play_position_out(
            ruleset, sample_board(ruleset, board, KEEPER, play_seed), at, play_seed, effort
        )
        results.append(shares)
        played, cut = played + steps, cut + (not ended)
    return average_chances(results, cut)


def sample_board(ruleset: AnyRuleset, view: Board, viewer: Viewer, seed: int) -> Board:
    """Return a board with what the viewer cannot see sampled. The keeper of a record sees its content."""
    board: Board = ruleset.secrecy.sample_board(view, viewer, Random(f"board {seed}").randrange)
    return board


def average_chances(samples: Sequence[Sequence[float]], cut: int) -> Chances:
    n = len(samples)
    sums = [sum(of_seat) for of_seat in zip(*samples, strict=True)]
    intervals = [wilson(min(total, n), n) for total in sums]
    return Chances(
        n,
        cut,
        [round(total / n, 4) for total in sums],
        [round(low, 4) for low, _ in intervals],
        [round(high, 4) for _, high in intervals],
    )


def are_intervals_narrow(samples: Sequence[Sequence[float]]) -> bool:
    so_far = average_chances(samples, 0)
    return all(high - low <= NARROW_INTERVAL for low, high in zip(so_far.low, so_far.high, strict=True))


def play_position_out(
    ruleset: AnyRuleset, board: Board, at: int, seed: int, effort: Effort
) -> tuple[list[float], int, bool]:
    """Play one game from a position on, changing the board, and value what is unfinished.

    Returns:
        each seat's share of the victory, the steps it took, and whether it reached the end.
    """
    dealer, curve = WaveringDealer(seed, board.table.seats), effort.curve

    def decide(ruleset: AnyRuleset, board: Board) -> tuple[Seat, Decision] | None:
        try:
            return dealer.next_decision(ruleset, board)
        except CANNOT_GO_ON:  # after an illegal move that stood, no legal decision may exist
            return None

    played = play_board_out(
        ruleset, board, decide, limit=MAX_GAME_STEPS, period_steps=None if curve is None else effort.far
    )
    if curve is not None and played.is_cut:
        return value_unfinished(ruleset, board, at + played.steps, curve), played.steps, False
    return won_shares(ruleset.ranks(board)), played.steps, True


def value_unfinished(ruleset: AnyRuleset, board: Board, at: int, curve: Curve) -> list[float]:
    """Return each seat's share of the victory for an unfinished board, by the policy's valuation."""
    policy = PACKAGES[ruleset.id].policy
    assert policy is not None and policy.worth is not None, ruleset.id
    return curve.shares([policy.worth(board, seat) for seat in range(board.table.seats)], at)


def won_shares(ranks: Sequence[int]) -> list[float]:
    """Return each seat's share of the victory."""
    first = ranks.count(1)
    return [1 / first if rank == 1 else 0.0 for rank in ranks]
