"""Policies of `steady` practice players: the merit of each decision, judged by what the seat may see.

A game brings a `Policy` with its package; a game without one is played by chance. Pure: the same view gives the same
decision.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from daybook.domain.kernel.curves import Curve
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.terms import Board, Decision, Seat

B = TypeVar("B", bound=Board)


@dataclass(frozen=True, kw_only=True)
class ShortPlayOut:
    """Limits of a play-out that ends before the game, and the curve that values its last board.

    steps: played from one position, after which no play-out is begun any more, beyond the `least`; far: steps after
    which a play-out ends with its period; curve: from what its board is worth then to how likely each seat wins.
    """

    steps: int
    far: int
    curve: Curve
    least: int = 12


@dataclass(frozen=True, kw_only=True)
class Policy(Generic[B]):
    """A game's steady player.

    Args:
        revision: increased when the policy would decide differently.
        weigh: (view, seat) -> function that returns the merit of a legal decision; the greatest is taken, or the first
            of equals.
        lots: kinds of decisions whose order means nothing; a player takes any of the equals.
        proposes: legal decisions of kinds that are too many to list, weighed in addition to the listed ones.
        worth: (board, seat) -> value of a full board to a seat at the end, for play-outs that end early.
        lead: (board, seat) -> points ahead of the best opponent; default: by the standing.
        close: a final lead of at most this many points counts as close.
        short: the limits of play-outs that `worth` values; None: they are played to the end.
        few: by kind, how many of its similar decisions a strong player tries, so that other kinds are tried too.
        regardless: returns a decision without irrelevant fields, such as the slot of a bar; only the first of decisions
            that are then equal is weighed.
    """

    revision: int
    weigh: Callable[[B, Seat], Callable[[Any], float]]
    proposes: Callable[[B, Seat], Iterable[Decision]] | None = None
    worth: Callable[[B, Seat], float] | None = None
    close: float = 10.0
    lead: Callable[[B, Seat], float] | None = None
    short: ShortPlayOut | None = None
    few: Mapping[type[Decision], int] = field(default_factory=dict)
    lots: frozenset[type[Decision]] = frozenset()
    regardless: Callable[[Decision], Hashable] | None = None

    def merit(self, view: B, seat: Seat, decision: Decision) -> float:
        """Return the merit of a legal decision; `weigh` is quicker for several."""
        return self.weigh(view, seat)(decision)


def steady_decision(ruleset: AnyRuleset, policy: Policy[Any], board: Board, seat: Seat) -> Decision:
    """Return the first of the `best_decisions`."""
    return best_decisions(ruleset, policy, board, seat)[0]


def best_decisions(ruleset: AnyRuleset, policy: Policy[Any], board: Board, seat: Seat) -> list[Decision]:
    """Return the decisions of the greatest merit for a seat; hidden cards are covered first.

    There are several only for kinds in `Policy.lots`.
    """
    return equals_of_first(policy, decisions_by_merit(ruleset, policy, ruleset.secrecy.redact_board(board, seat), seat))


def equals_of_first(policy: Policy[Any], listed: Sequence[tuple[Decision, float]]) -> list[Decision]:
    """Return the first of decisions listed by merit, and its equals of the same kind if any will do."""
    first, most = listed[0]
    alike = [decision for decision, merit in listed if merit == most and type(decision) is type(first)]
    return alike if type(first) in policy.lots else [first]


def decisions_by_merit(
    ruleset: AnyRuleset, policy: Policy[Any], view: Board, seat: Seat
) -> list[tuple[Decision, float]]:
    """Return the legal decisions of a seat on its view with their merits, the best first.

    Equal merits keep the order of the list. Of decisions that are equal under `Policy.regardless`, only the first is
    weighed. A single decision is not weighed and has merit 0.
    """
    decisions = ruleset.legal(view, seat)
    if policy.proposes is not None:
        decisions += [d for d in policy.proposes(view, seat) if ruleset.first_refusal(view, seat, d) is None]
    if policy.regardless is not None:
        various: dict[Hashable, Decision] = {}
        for decision in decisions:
            various.setdefault(policy.regardless(decision), decision)
        decisions = list(various.values())
    if len(decisions) == 1:
        return [(decisions[0], 0.0)]
    merit = policy.weigh(view, seat)
    weighed = [(decision, merit(decision)) for decision in decisions]
    return sorted(weighed, key=lambda entry: -entry[1])
