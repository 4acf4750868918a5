"""Random games of Water Frame, with every number of players and four set-ups."""

from __future__ import annotations

from functools import cache, partial
from itertools import chain

from daybook.domain.games.water_frame import WATER_FRAME, moves
from tests.domain.games.random_games import RandomGames, Step, Steps, record_steps
from tests.domain.games.water_frame.playing import (
    everything,
    first_turn,
    opening_board,
    predetermined_board,
    random_game,
)
from tests.domain.games.water_frame.sound import sound_game

SETUPS: tuple[dict[str, str], ...] = (
    {},
    {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"},
    {"mat": "patrons", "events": "shuffled"},
    {"factories": "predetermined", "mat": "patrons"},
)
TABLES = [(seats, number) for seats in (2, 3, 4) for number in range(len(SETUPS))]
SEEDS = {(3, 1): 17}  # a game in which a ship fulfils a contract

UNMET = frozenset(
    {
        *(moves.LayOutMat, moves.LayOutTiles, moves.StartMarker, moves.MatLaidOut, moves.TilesLaidOut),  # test_setup
        *(moves.MoneyGiven, moves.MarkGone, moves.OfficePaid, moves.WorkersLacking),  # test_events, test_production
    }
)


@cache
def games(seats: int, setup: int) -> tuple[Steps, ...]:
    """Return a game of careful players and one of careless players."""
    board = opening_board(seats, **SETUPS[setup])
    seed = SEEDS.get((seats, setup), 100 + seats + 10 * setup)
    found = sound_game(board, seed, custom=0.4), random_game(board, 100 + seats)
    return tuple(tuple(record_steps(WATER_FRAME, moves)) for moves in found)


@cache
def steps(seats: int, setup: int) -> Steps:
    return tuple(chain(*games(seats, setup)))


def everywhere() -> list[Step]:
    return GAMES.all_steps()


GAMES = RandomGames(
    WATER_FRAME,
    tables={f"{seats}-{setup}": partial(steps, seats, setup) for seats, setup in TABLES},
    everything=everything,
    interval=60,
    unlisted=tuple(kind for kind, row in WATER_FRAME.kinds.items() if row.open_form),
    unmet=UNMET,
    counts=[
        *zip(
            [lambda seats=seats: predetermined_board(seats) for seats in (2, 3, 4)],
            [[6, 210, 2052], [6, 210, 2490], [6, 210, 2466]],
            strict=True,
        ),
        *zip(
            [lambda seats=seats: first_turn(seats) for seats in (2, 3, 4)],
            [[35, 342, 4971], [35, 415, 8657], [35, 411, 8667]],
            strict=True,
        ),
    ],
)
