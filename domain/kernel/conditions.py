"""Conditions of whole kinds of decisions: looked up by the board's stage, or evaluated once for many rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from daybook.domain.kernel.rule_parts import Candidates, Condition, DecisionKind
from daybook.domain.kernel.terms import TABLE, Board, Decision, Seat, WhyNot, refuse_unless

B = TypeVar("B", bound=Board)


class Awaits(Generic[B]):
    """The condition that the board awaits one of these (`Board.awaits`). Lists look up its rows and need not evaluate it.

    holds: as of a check. but: (board), the reason where something else is awaited.
    """

    def __init__(self, name: str, holds: str, what: Iterable[str], but: Callable[[B], WhyNot]) -> None:
        self.__name__, self.holds = name, holds
        self.what, self.but = tuple(what), but

    def __call__(self, board: B, seat: Seat) -> WhyNot:
        return None if board.awaits in self.what else self.but(board)


def by_table(seat: Seat) -> WhyNot:
    return refuse_unless(seat == TABLE, "table_decides", "the table decides this, not a player")


def at_table(b: Board, d: Any) -> WhyNot:
    """Require that the seat named by a decision exists."""
    seats = b.table.seats
    return refuse_unless(0 <= d.seat < seats, "no_such_seat", "there are {seats} seats, numbered from 0", seats=seats)


def while_awaited(kinds: Mapping[type[Decision], DecisionKind[B]]) -> dict[type[Decision], DecisionKind[B]]:
    """Return a table of decisions that offers nothing while the board awaits another one."""
    return {kind: replace(row, offers=_offered_while_awaited(row)) for kind, row in kinds.items()}


def _offered_while_awaited(row: DecisionKind[B]) -> Candidates[B]:
    awaited = [what for _, condition in row.when if isinstance(condition, Awaits) for what in condition.what]
    if not awaited:
        return row.offers
    return lambda board, seat: row.offers(board, seat) if board.awaits in awaited else ()


class AskedConditions(Generic[B]):
    """The conditions of all rows in order; a common beginning of several rows is evaluated once.

    rows: the places of the rows that have none. asked: each condition, the rows that have no more after it, and where
    to go on if it does not hold.
    """

    def __init__(self, conditions: Mapping[int, Sequence[Condition[B]]]) -> None:
        self.rows, self.asked = list[int](), list[tuple[Condition[B], list[int], int]]()
        self._add([(place, tuple(of_row)) for place, of_row in conditions.items()], self.rows)

    def _add(self, left: list[tuple[int, tuple[Condition[B], ...]]], done: list[int]) -> None:
        """Sort rows with the conditions that are left of each by the next one; what has none left is done."""
        groups: dict[Condition[B], list[tuple[int, tuple[Condition[B], ...]]]] = {}
        for place, conditions in left:
            if conditions:
                groups.setdefault(conditions[0], []).append((place, conditions[1:]))
            else:
                done.append(place)
        for condition, rows in groups.items():
            at, after = len(self.asked), list[int]()
            self.asked.append((condition, after, 0))
            self._add(rows, after)
            self.asked[at] = condition, after, len(self.asked)
