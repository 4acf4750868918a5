"""How likely each seat wins from a position: played out many times by steady players, what is hidden and drawn anew.

Everything comes out of a seed, and how much is played is counted in steps and not in seconds: the same position gives
the same chances on every machine.
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
from daybook.services.play.practice import STEPS_LIMIT, Dealer

WAVERING = 0.1  # of a player's decisions, those that are made as by a player of the level `chance`
NARROW = 0.1  # an interval no wider than this is good enough


class Effort(Frozen):
    """How much is played out from one position. steps: after which no play-out is begun any more, beyond the least.

    curve: play-outs end with the first period that ends after `far` steps, and are valued by it; None: they are played
    to the end.
    """

    steps: int = 6_000
    least: int = 12  # play-outs
    most: int = 150
    far: int = STEPS_LIMIT
    curve: Curve | None = None


EFFORT = Effort()


class Chances(Frozen):
    """How likely each seat wins. A shared victory counts in parts, so that all shares together are 1 where somebody
    wins.

    low, high: within which each share likely lies, by Wilson, for so many play-outs; cut: how many of them were valued
    before their end.
    """

    play_outs: int
    cut: int
    shares: list[float]
    low: list[float]
    high: list[float]


class Wavering(Dealer):
    """Steady players who now and then decide as a chance player would.

    People err too; and a game that draws nothing would be played out the same way each time.
    """

    def __init__(self, seed: int, seats: int) -> None:
        super().__init__(seed, ["steady"] * seats)

    def decision(self, ruleset: AnyRuleset, board: Board, seat: Seat) -> Decision:
        if self.random.random() < WAVERING:
            return self.choice(ruleset, board, seat)
        return self.firm_decision(ruleset, board, seat)

    def firm_decision(self, ruleset: AnyRuleset, board: Board, seat: Seat) -> Decision:
        """What the seat decides where it does not waver: of decisions that are as good, the first."""
        policy = PACKAGES[ruleset.id].policy
        return self.choice(ruleset, board, seat) if policy is None else steady_decision(ruleset, policy, board, seat)


def effort_for(ruleset: AnyRuleset) -> Effort:
    policy = PACKAGES[ruleset.id].policy
    short = None if policy is None else policy.short
    if short is None:
        return EFFORT
    return Effort(steps=short.steps, least=short.least, far=short.far, curve=short.curve)


def chances(ruleset: AnyRuleset, board: Board, at: int, seed: int, effort: Effort) -> Chances:
    """Play a position out until the intervals are narrow or the effort is spent. at: its step in the game."""
    if ruleset.scoring.outcome(board) is not None:
        won = won_shares(ruleset.ranks(board))
        return Chances(0, 0, won, won, won)
    found: list[list[float]] = []
    played = cut = 0
    while len(found) < effort.least or (len(found) < effort.most and played < effort.steps and not narrow(found)):
        one = seed + len(found)
        shares, steps, ended = play_out(ruleset, sample_board(ruleset, board, KEEPER, one), at, one, effort)
        found.append(shares)
        played, cut = played + steps, cut + (not ended)
    return average_chances(found, cut)


def sample_board(ruleset: AnyRuleset, view: Board, viewer: Viewer, seed: int) -> Board:
    """A board of one's own, with what the viewer does not see drawn as it may lie there. The keeper of a record sees
    what is in it.
    """
    board: Board = ruleset.secrecy.sample_board(view, viewer, Random(f"board {seed}").randrange)
    return board


def average_chances(found: Sequence[Sequence[float]], cut: int) -> Chances:
    n = len(found)
    sums = [sum(of_seat) for of_seat in zip(*found, strict=True)]
    intervals = [wilson(min(total, n), n) for total in sums]
    return Chances(
        n,
        cut,
        [round(total / n, 4) for total in sums],
        [round(low, 4) for low, _ in intervals],
        [round(high, 4) for _, high in intervals],
    )


def narrow(found: Sequence[Sequence[float]]) -> bool:
    so_far = average_chances(found, 0)
    return all(high - low <= NARROW for low, high in zip(so_far.low, so_far.high, strict=True))


def play_out(ruleset: AnyRuleset, board: Board, at: int, seed: int, effort: Effort) -> tuple[list[float], int, bool]:
    """Play a board out, on itself: what of the victory each seat has, the steps it took, and whether it was played to
    the end.
    """
    dealer, curve = Wavering(seed, board.table.seats), effort.curve

    def decide(ruleset: AnyRuleset, board: Board) -> tuple[Seat, Decision] | None:
        try:
            return dealer.next(ruleset, board)
        except CANNOT_GO_ON:  # after an illegal move that stood nobody may have anything to decide
            return None

    played = play_board_out(ruleset, board, decide, limit=STEPS_LIMIT, far=None if curve is None else effort.far)
    if curve is not None and played.is_cut:
        return cut_short(ruleset, board, at + played.steps, curve), played.steps, False
    return won_shares(ruleset.ranks(board)), played.steps, True


def cut_short(ruleset: AnyRuleset, board: Board, at: int, curve: Curve) -> list[float]:
    """What a play-out comes to that is not played to its end, by what the board is worth to each seat."""
    policy = PACKAGES[ruleset.id].policy
    assert policy is not None and policy.worth is not None, ruleset.id
    return curve.shares([policy.worth(board, seat) for seat in range(board.table.seats)], at)


def won_shares(ranks: Sequence[int]) -> list[float]:
    """What of the victory each seat has."""
    first = ranks.count(1)
    return [1 / first if rank == 1 else 0.0 for rank in ranks]
