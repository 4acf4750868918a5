"""Names of the Card Game, and their places on a board (ACG-2)."""

from __future__ import annotations

from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.printed import (
    ACHIEVEMENTS,
    DISTRIBUTION_CARDS,
    GOODS,
    QUALITY_CARDS,
    SLOTS,
    STOREHOUSES,
    TRACKS,
)
from daybook.domain.kernel.naming import Known, NamedThings


def colours(b: Board) -> Known:
    """Return the colours of the automas' markers and discs."""
    return () if b.solo is None else {*b.solo.automas, *b.solo.bag}


def grid_places(b: Board) -> Known:
    """Return the places of the grid, from 1."""
    return range(1, 1 if b.solo is None else len(b.solo.grid) + 1)


NAMES = (
    NamedThings(
        ("/players/*/factories", "/demand", "/neutral", "/turn/before", "/turn/shipping", "/solo/automas/*/appeal"),
        lambda b: GOODS,
        keys=True,
    ),
    NamedThings(("/players/*/factories/*/side",), lambda b: (1, 2)),
    NamedThings(("/players/*/factories/*/slot",), lambda b: SLOTS),
    NamedThings(
        ("/players/*/factories/*/appeal", "/neutral/*", "/solo/automas/*/appeal/*"),
        lambda b: range(b.printed.market_appeal_top + 1),
    ),
    NamedThings(("/players/*/factories/*/workers/*/side",), lambda b: range(1, b.printed.game_decades + 1)),
    NamedThings(("/players/*/factories/*/quality",), lambda b: QUALITY_CARDS, keys=True),
    NamedThings(("/players/*/factories/*/distribution/card",), lambda b: DISTRIBUTION_CARDS),
    NamedThings(("/players/*/factories/*/storehouses",), lambda b: STOREHOUSES, keys=True),
    NamedThings(("/players/*/levels",), lambda b: TRACKS, keys=True),
    NamedThings(("/players/*/levels/*",), lambda b: range(3)),
    NamedThings(
        ("/players/*/share_value", "/solo/automas/*/share_value"), lambda b: range(b.printed.rules_share_value_top + 1)
    ),
    NamedThings(
        ("/players/*/cards", "/players/*/rotated", "/dealt", "/turn/discarded", "/solo/grid", "/solo/removed"),
        lambda b: b.printed.cards,
    ),
    NamedThings(("/supply",), lambda b: b.printed.cards, keys=True),
    NamedThings(("/demand/*",), lambda b: range(len(b.printed.side_demand))),
    NamedThings(("/wages",), lambda b: range(len(b.printed.market_wages))),
    NamedThings(("/start", "/mover"), lambda b: range(b.table.seats)),
    NamedThings(("/turn/inventor", "/turn/produced", "/turn/good"), lambda b: GOODS),
    NamedThings(("/production/assigned",), lambda b: STOREHOUSES),
    NamedThings(("/solo/discs",), colours, keys=True),
    NamedThings(("/solo/drawn",), colours),
    NamedThings(("/solo/discs/*", "/turn/returned"), grid_places),
    NamedThings(("/solo/achievements",), lambda b: ACHIEVEMENTS, keys=True),
    NamedThings(("/solo/earned",), lambda b: ACHIEVEMENTS),
)
