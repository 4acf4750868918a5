"""Names of Water Frame, and their places on a board (WF-2)."""

from __future__ import annotations

from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.printed import GOODS, LEVELS, MARKER_NAMES, OWN, SHADES, SLOTS, economy_text
from daybook.domain.kernel.naming import Known, NamedThings


def grey_markers(b: Board) -> Known:
    """Grey markers with their shades."""
    return [f"{name}:{shade}" for name in MARKER_NAMES for shade in SHADES]


def on_charts(b: Board) -> Known:
    return ["", *OWN, *grey_markers(b), *(f"ship:{capacity}" for capacity in b.printed.ships)]


def economy(b: Board) -> Known:
    """Return the names of the economy markers."""
    return {economy_text(*marker) for markers in b.printed.economy.values() for marker in markers}


NAMES = (
    NamedThings(
        (
            "/players/*/factories",
            "/players/*/stored",
            "/players/*/contracts",
            "/players/*/tally/goods",
            "/importers",
            "/economy",
        ),
        lambda b: GOODS,
        keys=True,
    ),
    NamedThings(("/players/*/slots",), lambda b: SLOTS, keys=True),
    NamedThings(("/players/*/factories/*/level",), lambda b: range(1, len(LEVELS) + 1)),
    NamedThings(("/players/*/chart", "/closed_rows"), lambda b: {str(row) for row in b.printed.chart_rows}, keys=True),
    NamedThings(("/players/*/chart/*", "/turn/marker"), on_charts),
    NamedThings(("/players/*/markers",), grey_markers),
    NamedThings(("/players/*/ships", "/mat/*/ships"), lambda b: b.printed.ships),
    NamedThings(("/players/*/tiles/*/kind",), lambda b: b.printed.tiles),
    NamedThings(("/tiles",), lambda b: b.printed.tiles, keys=True),
    NamedThings(("/players/*/space",), lambda b: range(len(b.printed.values))),
    NamedThings(("/players/*/contracts/*",), lambda b: {0, *b.printed.seats_contract_track}),
    NamedThings(("/mat/*/markers",), lambda b: MARKER_NAMES),
    NamedThings(("/economy/*",), economy),
    NamedThings(("/events",), lambda b: b.printed.events),
    NamedThings(("/start",), lambda b: range(b.table.seats)),
    NamedThings(("/decade",), lambda b: b.printed.decades),
    NamedThings(("/closed_rows/*",), lambda b: {0, *b.printed.decades}),
)
