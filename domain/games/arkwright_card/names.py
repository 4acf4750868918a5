"""What there is in the Card Game, and where a board names it (ACG-2)."""

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
from daybook.domain.kernel.naming import Known, Named


def colours(b: Board) -> Known:
    """Of the automas' markers and discs."""
    return () if b.solo is None else {*b.solo.automas, *b.solo.bag}


def places(b: Board) -> Known:
    """Of the grid, from 1."""
    return range(1, 1 if b.solo is None else len(b.solo.grid) + 1)


NAMES = (
    Named(("/players/*/factories", "/demand", "/neutral", "/turn/before", "/turn/shipping", "/solo/automas/*/appeal"),
          lambda b: GOODS, keys=True),
    Named(("/players/*/factories/*/side",), lambda b: (1, 2)),
    Named(("/players/*/factories/*/slot",), lambda b: SLOTS),
    Named(("/players/*/factories/*/appeal", "/neutral/*", "/solo/automas/*/appeal/*"),
          lambda b: range(b.printed.appeal_top + 1)),
    Named(("/players/*/factories/*/workers/*/side",), lambda b: range(1, b.printed.decades + 1)),
    Named(("/players/*/factories/*/quality",), lambda b: QUALITY_CARDS, keys=True),
    Named(("/players/*/factories/*/distribution/card",), lambda b: DISTRIBUTION_CARDS),
    Named(("/players/*/factories/*/storehouses",), lambda b: STOREHOUSES, keys=True),
    Named(("/players/*/levels",), lambda b: TRACKS, keys=True),
    Named(("/players/*/levels/*",), lambda b: range(3)),
    Named(("/players/*/share_value", "/solo/automas/*/share_value"), lambda b: range(b.printed.share_value_top + 1)),
    Named(("/players/*/cards", "/players/*/rotated", "/dealt", "/turn/discarded", "/solo/grid", "/solo/removed"),
          lambda b: b.printed.cards),
    Named(("/supply",), lambda b: b.printed.cards, keys=True),
    Named(("/demand/*",), lambda b: range(len(b.printed.demand))),
    Named(("/wages",), lambda b: range(len(b.printed.wages))),
    Named(("/start", "/mover"), lambda b: range(b.table.seats)),
    Named(("/turn/inventor", "/turn/produced", "/turn/good"), lambda b: GOODS),
    Named(("/production/assigned",), lambda b: STOREHOUSES),
    Named(("/solo/discs",), colours, keys=True),
    Named(("/solo/drawn",), colours),
    Named(("/solo/discs/*", "/turn/returned"), places),
    Named(("/solo/achievements",), lambda b: ACHIEVEMENTS, keys=True),
    Named(("/solo/earned",), lambda b: ACHIEVEMENTS),
)
