"""Games that nobody played: a dealer for what the table decides, and players of three levels.

`chance` knows only what is legal; `steady` goes by the policy of the game, where it has one, and sees what
its seat may; of decisions that are as good, it takes any. `strong` sees no more, and plays out what that policy likes
best (`search.py`).

For practice games, simulations, fixtures and tests. Everything comes out of a seed: the same seed plays the same
game. A game dealt here is opened with kind "practice" and stays one for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from random import Random
from typing import Any
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

THOUGHTS = 2  # decisions that a player weighs against each other
QUICK_LEVELS: tuple[Level, ...] = ("chance", "steady")  # by which a whole game is played while somebody waits
PLAYOUTS = 24  # by which a strong player decides, unless it is told otherwise
TURN_SECONDS = 4.0  # at a practice table, for all that practice players do until somebody else is to decide
DECISION_SECONDS = 1.2  # and for one decision of a strong player,
SHARES = 2  # raised when strong players share the seconds of a table otherwise
TABLE_PLAYOUTS = 240  # with so many play-outs at the most
STEPS_LIMIT = 5_000  # a game that is longer than this does not end


class Dealer:
    """Decides what comes next, for the table and for every seat. Knows no game, only its lists.

    levels: how well each seat plays; seats beyond them play by chance. playouts: by which strong seats decide.
    """

    def __init__(self, seed: int, levels: Sequence[Level] = (), playouts: int = PLAYOUTS) -> None:
        self.random = Random(seed)
        self.levels = tuple(levels)
        self.played: tuple[Board, list[Effect]] | None = None  # what the newest choice came to, where it was tried out
        self.playouts = playouts

    def next(self, ruleset: AnyRuleset, board: Board) -> tuple[Seat, Decision] | None:
        """Who decides and what; None when the game is over."""
        self.played = None
        seats = ruleset.waits_for(board)
        if not seats:
            return None
        if seats == (TABLE,):
            return TABLE, self.fact(ruleset, board)
        seat = self.random.choice(seats)
        return seat, self.decision(ruleset, board, seat)

    def decision(self, ruleset: AnyRuleset, board: Board, seat: Seat) -> Decision:
        """What a seat decides, as well as it plays."""
        package = PACKAGES.get(ruleset.id)
        level = self.levels[seat] if seat < len(self.levels) else "chance"
        if package is None or package.policy is None or level == "chance":
            return self.choice(ruleset, board, seat)
        if level == "steady":
            return self.any_of(best_decisions(ruleset, package.policy, board, seat))
        return self.strong(ruleset, board, seat)

    def strong(self, ruleset: AnyRuleset, board: Board, seat: Seat) -> Decision:
        """What a strong player decides."""
        return strong_decision(ruleset, board, seat, self.random.getrandbits(32), self.playouts)

    def any_of(self, equals: Sequence[Decision]) -> Decision:
        """One of several decisions of which any will do. Nothing is drawn for a single one."""
        return equals[0] if len(equals) == 1 else self.random.choice(equals)

    def fact(self, ruleset: AnyRuleset, board: Board) -> Decision:
        """What the table turns up, as likely as the cards that are left make it."""
        facts = ruleset.facts(board)
        return self.random.choices([fact for fact, _ in facts], [weight for _, weight in facts])[0]

    def choice(self, ruleset: AnyRuleset, board: Board, seat: Seat) -> Decision:
        """The better of the legal decisions that come to mind first, usual kinds far more often than others."""
        kinds = [list(some) for _, some in groupby(ruleset.legal(board, seat), type)]
        usual = [(len(kinds) - place) ** 3 for place in range(len(kinds))]
        thoughts = [self.decision_of_kind(ruleset, some) for some in self.random.choices(kinds, usual, k=THOUGHTS)]
        if all(thought == thoughts[0] for thought in thoughts):
            return thoughts[0]
        tried = [(thought, ruleset.what_follows(board, seat, thought)) for thought in thoughts]
        best, self.played = max(tried, key=lambda one: _merit(ruleset, one[1][0], seat))
        return best

    def decision_of_kind(self, ruleset: AnyRuleset, some: Sequence[Decision]) -> Decision:
        """One decision of a kind; of those that no list holds, far rather one that stands early on the list."""
        if not ruleset.kinds[type(some[0])].open_form:
            return self.random.choice(some)
        return self.random.choices(some, [(len(some) - place) ** 3 for place in range(len(some))])[0]


class ThinkingTime:
    """The seconds that strong players think until somebody else decides: each of them has as large a share.

    A decision takes at most half of what is left of its player's share: whoever decides last, or more often than
    others, still has time. clock: seconds; what a decision really took counts.
    """

    def __init__(self, seconds: float, seats: Collection[Seat], clock: Callable[[], float]) -> None:
        self.clock = clock
        self._left = {seat: seconds / len(seats) for seat in seats}

    @contextmanager
    def of_decision(self, seat: Seat) -> Iterator[float]:
        """How long the player of a seat may think now, while it does."""
        begun = self.clock()
        yield min(DECISION_SECONDS, self._left[seat] / 2)
        self._left[seat] = max(0.0, self._left[seat] - (self.clock() - begun))


def _merit(ruleset: AnyRuleset, after: Board, seat: Seat) -> tuple[bool, int]:
    """What speaks for a decision that leads to a board: it does not end a game that others win, and how far ahead it
    puts the seat.
    """
    outcome = ruleset.scoring.outcome(after)
    totals = ruleset.totals(after)
    ahead = totals[seat] * len(totals) - sum(totals) if len(totals) > 1 else totals[seat]
    return outcome is None or outcome.ranks[seat] == 1, ahead


class PracticeSeat(Frozen):
    """Somebody at a practice table."""

    name: str
    colour: str
    person: str


def practice_game(
    game_id: UUID,
    ruleset: AnyRuleset,
    sheet: Sheet,
    seated: Sequence[PracticeSeat],
    options: dict[str, Any],
    written: Written,
    overrides: dict[str, Any] | None = None,
) -> Game:
    """A game of kind "practice", just opened. Raises IllegalDecision for seats, colours or options."""
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
    game: Game, dealer: Dealer, written: Callable[[int], Written], limit: int = STEPS_LIMIT
) -> Iterator[Entry]:
    """Play a game on, each entry taken in as it comes, and close it when it is over.

    written: for each step, who writes it down and when. limit: the last step to play; a game that has not ended by
    then is left running.
    """
    while game.step < limit:
        chosen = dealer.next(game.ruleset, game.board)
        if chosen is None:
            entry = close(game, Close(), written(game.step + 1))
            game.apply(entry, game.board)
            yield entry
            return
        played = dealer.played or game.ruleset.what_follows(game.board, *chosen)
        entry, board = decide(game, *chosen, written(game.step + 1), played)
        game.apply(entry, board)
        yield entry
