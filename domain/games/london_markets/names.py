"""Names of London Markets, and their places on a board (LM-2)."""

from __future__ import annotations

from daybook.domain.games.london_markets.board import Board
from daybook.domain.games.london_markets.printed import CLOSED, GENERAL, GOODS, MARKETS, MERCHANTS, UNKNOWN
from daybook.domain.kernel.naming import Known, NamedThings


def special_card_names(b: Board) -> Known:
    """Return the names that a place for a special card may hold."""
    return {*b.printed.specials, UNKNOWN}


def market_card_names(b: Board) -> Known:
    """Return the names that a place for a market card may hold."""
    return {*b.printed.faces, CLOSED, UNKNOWN}


NAMES = (
    NamedThings(("/players/*/hand",), lambda b: {*GOODS, UNKNOWN}, keys=True),
    NamedThings(("/players/*/unseen", "/players/*/offer", "/piles"), lambda b: GOODS, keys=True),
    NamedThings(("/players/*/specials", "/players/*/in_play", "/specials", "/removed"), special_card_names),
    NamedThings(("/players/*/specials_from", "/players/*/in_play_from"), lambda b: range(len(b.specials) + 1)),
    NamedThings(("/covered", "/settling"), lambda b: GOODS),
    NamedThings(("/traded/*",), lambda b: (*GOODS, GENERAL)),
    NamedThings(("/traded", "/stacks"), lambda b: MARKETS, keys=True),
    NamedThings(("/merchants",), lambda b: MERCHANTS, keys=True),
    NamedThings(("/merchants/*", "/market"), lambda b: MARKETS),
    NamedThings(("/stacks/*", "/start"), lambda b: range(b.seats)),
    NamedThings(("/assistants",), lambda b: b.printed.tracks, keys=True),
    NamedThings(("/assistants/*",), lambda b: range(1, b.printed.game_rounds + 1)),
    NamedThings(("/used",), lambda b: {*MERCHANTS, *b.printed.tracks}),
    NamedThings(("/bottom", "/revealed"), market_card_names),
    NamedThings(("/looking", "/drafted"), lambda b: range(1, len(b.specials) + 1)),
)
