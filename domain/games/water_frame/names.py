"""What there is in Water Frame, and where a board names it (WF-2)."""

from __future__ import annotations

from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.printed import GOODS, LEVELS, OWN, SHADES, SLOTS
from daybook.domain.games.water_frame.printed import NAMES as MARKERS
from daybook.domain.kernel.naming import Known, Named


def grey(b: Board) -> Known:
    """Grey markers with their shades."""
    return [f"{name}:{shade}" for name in MARKERS for shade in SHADES]


def on_charts(b: Board) -> Known:
    return ["", *OWN, *grey(b), *(f"ship:{capacity}" for capacity in b.printed.ships)]


def economy(b: Board) -> Known:
    return {f"{spaces}/{workers}" for markers in b.printed.economy.values() for spaces, workers in markers}


NAMES = (
    Named(("/players/*/factories", "/players/*/stored", "/players/*/contracts", "/players/*/tally/goods", "/importers",
           "/economy"), lambda b: GOODS, keys=True),
    Named(("/players/*/slots",), lambda b: SLOTS, keys=True),
    Named(("/players/*/factories/*/level",), lambda b: range(1, len(LEVELS) + 1)),
    Named(("/players/*/chart", "/closed_rows"), lambda b: {str(row) for row in b.printed.chart_rows}, keys=True),
    Named(("/players/*/chart/*", "/turn/marker"), on_charts),
    Named(("/players/*/markers",), grey),
    Named(("/players/*/ships", "/mat/*/ships"), lambda b: b.printed.ships),
    Named(("/players/*/tiles/*/kind",), lambda b: b.printed.tiles),
    Named(("/tiles",), lambda b: b.printed.tiles, keys=True),
    Named(("/players/*/space",), lambda b: range(len(b.printed.values))),
    Named(("/players/*/contracts/*",), lambda b: {0, *b.printed.contract_track}),
    Named(("/mat/*/markers",), lambda b: MARKERS),
    Named(("/economy/*",), economy),
    Named(("/events",), lambda b: b.printed.events),
    Named(("/start",), lambda b: range(b.table.seats)),
    Named(("/decade",), lambda b: b.printed.decades),
    Named(("/closed_rows/*",), lambda b: {0, *b.printed.decades}),
)
