"""Random games of Making Profit, with every number of players and both ways to hold hands."""

from __future__ import annotations

from functools import cache, partial
from itertools import chain

from daybook.domain.games.making_profit import MAKING_PROFIT, moves
from daybook.domain.games.making_profit.board import CARDS
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.making_profit.playing import EAGER, after, after_deal, everything, game, opening_board
from tests.domain.games.random_games import RandomGames, Steps, record_steps

TABLES = [(seats, hands) for seats in range(2, 7) for hands in ("open", "hidden")]
SMALL = {f"cards.{card}.copies": 5 for card in CARDS} | {"start.money": 30}  # the deck runs out again and again
USUAL, EAGERLY, SCARCE, PILED = range(4)
TEMPERS = ((None, None), (None, EAGER), (SMALL, EAGER), (SMALL, {moves.Develop: 20, moves.EndTurn: 1}))


@cache
def games(seats: int, hands: str) -> tuple[Steps, ...]:
    """Return a few games of different tempers; the deck of the last two runs out."""
    return tuple(
        tuple(record_steps(MAKING_PROFIT, game(opening_board(seats, hands, numbers), seats, taste)))
        for numbers, taste in TEMPERS
    )


@cache
def steps(seats: int, hands: str) -> Steps:
    return tuple(chain(*games(seats, hands)))


GAMES = RandomGames(
    MAKING_PROFIT,
    tables={f"{seats}-{hands}": partial(steps, seats, hands) for seats, hands in TABLES},
    everything=lambda b, chance: everything(b),
    interval=10,
    counts=[
        (lambda: after_deal("R1 R1", "M1 M2"), [6, 23, 91, 321]),
        (lambda: after(opening_board(3, "hidden"), (TABLE, moves.StartPlayerDrawn(0))), [13, 103, 677]),
    ],
)
