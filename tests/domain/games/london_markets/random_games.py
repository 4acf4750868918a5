"""Random games of London Markets, with three and four players and both ways to hold hands."""

from __future__ import annotations

from functools import cache, partial

from daybook.domain.games.london_markets import LONDON_MARKETS, moves
from tests.domain.games.london_markets.playing import (
    EAGER,
    SHEET,
    board_at_first_card,
    everything,
    game,
    offering,
    opening_board,
    player,
    set_up,
)
from tests.domain.games.random_games import RandomGames, Step, Steps, record_steps

TABLES = [(seats, hands) for seats in (3, 4) for hands in ("open", "hidden")]
SCARCE = {  # few cards and bars, so that everything that can run out does
    "goods.each_type": 9,
    "bars.each_colour": 9,
    "setup.money": 20,
    "specials.forbidden_rounds": 1,
    "specials.piles": [4, 4, 4, 3],
    "specials.smallest_pile": 3,
    "specials.largest_pile": 5,
} | {path: 0 for path in SHEET.numbers if path.startswith(("copies.combined.", "copies.monopoly."))}


@cache
def games(seats: int, hands: str) -> Steps:
    """Return the steps of a usual game, then of one in which things run out."""
    return tuple(
        step
        for numbers in ({}, SCARCE)
        for step in record_steps(LONDON_MARKETS, game(opening_board(seats, hands, numbers), seats + 20, EAGER))
    )


def everywhere() -> list[Step]:
    return GAMES.all_steps()


GAMES = RandomGames(
    LONDON_MARKETS,
    tables={f"{seats}-{hands}": partial(games, seats, hands) for seats, hands in TABLES},
    everything=everything,
    interval=12,
    unlisted=(moves.Offer, moves.OffersRevealed),
    counts=[
        (lambda: board_at_first_card(3), [10, 50, 200]),
        (
            lambda: set_up(player(9, specials="any_market tiebreaker"), player(), player(), bars={"PORT": "R R B / G"}),
            [11, 60, 280],
        ),
        (lambda: offering(player(hand="1 coffee"), player(hand="1 silk"), player()), [6, 31, 142]),
    ],
)
