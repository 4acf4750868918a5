"""Practice games: a dealer for the table's decisions, and players of three levels.

`chance` only knows what is legal. `steady` follows the game's policy on what its seat may see, and picks at random
among equal decisions. `strong` sees no more, but plays out the policy's best decisions (`search.py`).

Used for practice games, simulations, fixtures and tests. The same seed plays the same game. A game dealt here has the
kind "practice" permanently.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from random import Random
from typing import Any, Literal, get_args
from uuid import UUID

from daybook.domain.commands import Close
from daybook.domain.entries import close, decide
from daybook.domain.games import PACKAGES
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import Entry, SeatTaken
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.opening import opening_entry
from daybook.domain.kernel.policy import best_decisions
from daybook.domain.kernel.practice_seats import LEVELS as LEVELS
from daybook.domain.kernel.practice_seats import Level as Level
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import TABLE, Board, Decision, Effect, Seat
from daybook.services.play.search import strong_decision

DECISIONS_WEIGHED = 2  # legal decisions that a `chance` player compares
QuickLevel = Literal["chance", "steady"]
QUICK_LEVELS: tuple[Level, ...] = get_args(QuickLevel)  # levels fast enough to play a whole game during a request
DEFAULT_PLAYOUTS = 24  # of a strong player's decision
TURN_SECONDS = 4.0  # total thinking time of practice players until a user is to decide
DECISION_SECONDS = 1.2  # maximum for one decision of a strong player
TIME_SHARING_REVISION = 2  # raised when strong players share the seconds of a table differently
TABLE_PLAYOUTS = 240  # maximum number of play-outs for a decision at a practice table
MAX_GAME_STEPS = 5_000  # a game that is longer does not end


class Dealer:
    """Makes the next decision, for the table and for every seat, in every game.

    levels: the level of each seat; further seats play by chance. playouts: number of play-outs of strong seats.
    """

    def __init__(self, seed: int, levels: Sequence[Level] = (), playouts: int = DEFAULT_PLAYOUTS) -> None:
        self.random = Random(seed)
        self.levels = tuple(levels)
        self.played: tuple[Board, list[Effect]] | None = None  # what the newest choice came to, where it was tried out
        self.playouts = playouts

    def next_decision(self, ruleset: AnyRuleset, board: Board) -> tuple[Seat, Decision] | None:
        """Choose the next seat and its decision; None when the game is over."""
        self.played = None
        seats = ruleset.waits_for(board)
        if not seats:
            return None
        if seats == (TABLE,):
            return TABLE, self.draw_fact(ruleset, board)
        seat = self.random.choice(seats)
        return seat, self.choose_decision(ruleset, board, seat)

    def choose_decision(self, ruleset: AnyRuleset, board: Board, seat: Seat) -> Decision:
        """Choose a seat's decision according to its level."""
        package = PACKAGES.get(ruleset.id)
        level = self.levels[seat] if seat < len(self.levels) else "chance"
        if package is None or package.policy is None or level == "chance":
            return self.choose_by_chance(ruleset, board, seat)
        if level == "steady":
            return self.any_of(best_decisions(ruleset, package.policy, board, seat))
        return self.choose_strong(ruleset, board, seat)

    def choose_strong(self, ruleset: AnyRuleset, board: Board, seat: Seat) -> Decision:
        """Choose a strong player's decision."""
        return strong_decision(ruleset, board, seat, self.random.getrandbits(32), self.playouts)

    def any_of(self, equals: Sequence[Decision]) -> Decision:
        """One of several decisions of which any will do. Nothing is drawn for a single one."""
        return equals[0] if len(equals) == 1 else self.random.choice(equals)

    def draw_fact(self, ruleset: AnyRuleset, board: Board) -> Decision:
        """Draw a fact of the table, weighted by the cards that are left."""
        facts = ruleset.facts(board)
        return self.random.choices([fact for fact, _ in facts], [weight for _, weight in facts])[0]

    def choose_by_chance(self, ruleset: AnyRuleset, board: Board, seat: Seat) -> Decision:
        """Choose the better of a few random legal decisions, preferring usual kinds."""
        kinds = [list(some) for _, some in groupby(ruleset.legal(board, seat), type)]
        usual = [(len(kinds) - place) ** 3 for place in range(len(kinds))]
        thoughts = [
            self.decision_of_kind(ruleset, some) for some in self.random.choices(kinds, usual, k=DECISIONS_WEIGHED)
        ]
        if all(thought == thoughts[0] for thought in thoughts):
            return thoughts[0]
        tried = [(thought, ruleset.what_follows(board, seat, thought)) for thought in thoughts]
        best, self.played = max(tried, key=lambda pair: _merit(ruleset, pair[1][0], seat))
        return best

    def decision_of_kind(self, ruleset: AnyRuleset, some: Sequence[Decision]) -> Decision:
        """One decision of a kind; of those that no list holds, far rather one that stands early on the list."""
        if not ruleset.kinds[type(some[0])].open_form:
            return self.random.choice(some)
        return self.random.choices(some, [(len(some) - place) ** 3 for place in range(len(some))])[0]


class ThinkingTime:
    """Thinking time of strong players until a user decides, shared equally.

    A decision uses at most half of its player's remaining share, so that later or repeated decisions still have time.

    Args:
        clock: seconds; the time actually used is subtracted.
    """

    def __init__(self, seconds: float, seats: Collection[Seat], clock: Callable[[], float]) -> None:
        self.clock = clock
        self._left = {seat: seconds / len(seats) for seat in seats}

    @contextmanager
    def decision_time(self, seat: Seat) -> Iterator[float]:
        """Yield the seconds for a seat's decision and charge the time used inside the block."""
        begun = self.clock()
        yield min(DECISION_SECONDS, self._left[seat] / 2)
        self._left[seat] = max(0.0, self._left[seat] - (self.clock() - begun))


def _merit(ruleset: AnyRuleset, after: Board, seat: Seat) -> tuple[bool, float]:
    """Rate the board after a decision: first that it does not end a game others win, then the seat's lead."""
    outcome = ruleset.scoring.outcome(after)
    totals = ruleset.totals(after)
    ahead = totals[seat] * len(totals) - sum(totals) if len(totals) > 1 else totals[seat]
    return outcome is None or outcome.ranks[seat] == 1, ahead


class PracticeSeat(Frozen):
    """Player at a practice table."""

    name: str
    colour: str
    person: str


def open_practice_game(
    game_id: UUID,
    ruleset: AnyRuleset,
    sheet: Sheet,
    seated: Sequence[PracticeSeat],
    options: dict[str, Any],
    written: Written,
    overrides: dict[str, Any] | None = None,
) -> Game:
    """Return a new game of kind "practice". Raises IllegalDecision for seats, colours or options."""
    table = ruleset.table([seat.colour for seat in seated], options, sheet)
    game = Game(game_id, ruleset)
    game.apply(
        opening_entry(
            game_id,
            ruleset,
            table,
            [SeatTaken(seat.person, seat.colour) for seat in seated],
            plain(table.options),
            overrides or {},
            "practice",
            "live",
            written,
        )
    )
    return game


def play_out(
    game: Game, dealer: Dealer, written: Callable[[int], Written], limit: int = MAX_GAME_STEPS
) -> Iterator[Entry]:
    """Play a game on, apply and yield each entry, and close the game when it is over.

    Args:
        written: returns the author and time for a step.
        limit: the last step to play; a game that has not ended by then stays open.
    """
    while game.step < limit:
        chosen = dealer.next_decision(game.ruleset, game.board)
        if chosen is None:
            entry = close(game, Close(), written(game.step + 1))
            game.apply(entry, game.board)
            yield entry
            return
        played = dealer.played or game.ruleset.what_follows(game.board, *chosen)
        entry, board = decide(game, *chosen, written(game.step + 1), played)
        game.apply(entry, board)
        yield entry
