"""Random games of one ruleset, step by step, as the tests of every ruleset take them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import Decision, Seat


class Step(NamedTuple):
    """A decision of a game, with the board before and after it."""

    before: Any
    seat: Seat
    decision: Decision
    after: Any
    effects: list[Any]


Steps = tuple[Step, ...]


@dataclass(frozen=True)
class RandomGames:
    """The random games of one ruleset.

    Args:
        tables: the steps of the games of each table, by its name. A table may have several games.
        everything: decisions that can be written down on a board, possible or not.
        interval: the steps from one board on which everything is tried to the next.
        unlisted: decisions that are accepted although no list holds them.
        unmet: decisions and effects that these games do not meet.
        further: steps from positions that games hardly reach; none by default.
        counts: positions, each with the number of games of 1, 2, ... decisions that begin there.
    """

    rules: Ruleset[Any]
    tables: Mapping[str, Callable[[], Steps]]
    everything: Callable[[Any, Random], Iterable[Decision]]
    interval: int
    unlisted: tuple[type, ...] = ()
    unmet: frozenset[type] = frozenset()
    further: Callable[[], Steps] = tuple
    counts: Sequence[tuple[Callable[[], Any], list[int]]] = ()

    def all_steps(self) -> list[Step]:
        return [step for steps in (*self.tables.values(), self.further) for step in steps()]


def record_steps(rules: Ruleset[Any], moves: Iterable[tuple[Any, Seat, Decision]]) -> Iterator[Step]:
    for board, seat, decision in moves:
        yield Step(board, seat, decision, *rules.play(board, seat, decision))
