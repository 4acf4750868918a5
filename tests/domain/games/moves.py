"""Moves of a game in its tests: carried out, refused, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from daybook.domain.kernel.board import fold
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import Board, Decision, IllegalDecision, Seat
from daybook.services.play.practice import Dealer
from daybook.services.store.printed_sheets import printed_sheet

B = TypeVar("B", bound=Board)


class DealtStep(NamedTuple):
    """A decision of a dealer, with the boards before and after it."""

    board: Any
    seat: Seat
    decision: Decision
    after: Any
    effects: list[Any]


def deal_steps(
    rules: Ruleset[Any], dealer: Dealer, seats: int = 3, sheet: Sheet | None = None, **options: Any
) -> Iterator[DealtStep]:
    """Yield each step of a game that a dealer plays, from the opening to its end."""
    sheet = sheet or printed_sheet(rules.id)
    board = rules.opening_board(rules.table(rules.colours(sheet)[:seats], options, sheet))
    while (chosen := dealer.next_decision(rules, board)) is not None:
        step = DealtStep(board, *chosen, *rules.play(board, *chosen))
        yield step
        board = step.after


def only(effects: Sequence[Any], *kinds: type) -> list[Any]:
    return [effect for effect in effects if isinstance(effect, kinds)]


@dataclass(frozen=True)
class Moves(Generic[B]):
    """Random legal moves of one game. also: a further condition on each move beside the invariants."""

    rules: Ruleset[B]
    also: Callable[[B, Seat, Decision], bool] = lambda board, seat, decision: True

    def play(self, board: B, *moves: tuple[Seat, Decision]) -> tuple[B, list[Any]]:
        """The board after some decisions, and the effects of all of them. Every step holds the invariants."""
        effects: list[Any] = []
        for seat, decision in moves:
            assert self.also(board, seat, decision)
            board, followed = self.rules.play(board, seat, decision)
            effects += followed
            assert list(self.rules.integrity.breaches(board)) == []
        return board, effects

    def with_values(self, board: B, values: Mapping[str, Any]) -> B:
        """The board with these values in their places, as an adjustment lays them."""
        document = board.document()
        fold(document, {path: (None, value) for path, value in values.items()})
        return self.rules.typed_board(document, board.table)

    def broken(self, board: B) -> list[str]:
        """The invariants that do not hold."""
        return [breach.rule for breach in self.rules.integrity.breaches(board)]

    def after(self, board: B, *moves: tuple[Seat, Decision]) -> B:
        """The board after some decisions."""
        return self.play(board, *moves)[0]

    def effects_after(self, board: B, *moves: tuple[Seat, Decision]) -> list[Any]:
        """The effects of some decisions."""
        return self.play(board, *moves)[1]

    def refusal(self, board: B, seat: Seat, decision: Decision) -> tuple[str, str] | None:
        """Rule and key of a refusal; None if the decision is accepted."""
        try:
            self.rules.refuse(board, seat, decision)
        except IllegalDecision as refused:
            return refused.rule, refused.reason.key
        return None
