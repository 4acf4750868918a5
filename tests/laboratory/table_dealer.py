"""Strong players as at a practice table, for measuring what a table meets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from time import process_time
from typing import Any

from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import Board, Decision, Seat
from daybook.services.play.practice import DECISION_SECONDS, TABLE_PLAYOUTS, TURN_SECONDS, Dealer, Level, ThinkingTime
from daybook.services.play.search import strong_decision


class TableDealer(Dealer):
    """Strong players as at a practice table: they share the seconds until one of them decides.

    person: whose seat they wait for. clock: by default of the processor, so that on a busy machine they do what they
    would on a quiet one.
    """

    def __init__(
        self, seed: int, levels: Sequence[Level], person: Seat, clock: Callable[[], float] = process_time
    ) -> None:
        super().__init__(seed, levels, TABLE_PLAYOUTS)
        self.person, self.clock = person, clock
        self.thinking = self._thinking_time()

    def _thinking_time(self) -> ThinkingTime:
        strong = [seat for seat, level in enumerate(self.levels) if level == "strong" and seat != self.person]
        return ThinkingTime(TURN_SECONDS, strong, self.clock)

    def choose_decision(self, ruleset: Ruleset[Any], board: Board, seat: Seat) -> Decision:
        if seat == self.person:
            self.thinking = self._thinking_time()
        return super().choose_decision(ruleset, board, seat)

    def choose_strong(self, ruleset: Ruleset[Any], board: Board, seat: Seat) -> Decision:
        with nullcontext(DECISION_SECONDS) if seat == self.person else self.thinking.decision_time(seat) as seconds:
            return strong_decision(
                ruleset, board, seat, self.random.getrandbits(32), self.playouts, seconds, self.clock
            )
