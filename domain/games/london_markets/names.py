"""What there is in London Markets, and where a board names it (LM-2)."""

from __future__ import annotations

from daybook.domain.games.london_markets.board import Board
from daybook.domain.games.london_markets.printed import CLOSED, GENERAL, GOODS, MARKETS, MERCHANTS, UNKNOWN
from daybook.domain.kernel.naming import Known, Named


def special_cards(b: Board) -> Known:
    return {*b.printed.specials, UNKNOWN}


def market_cards(b: Board) -> Known:
    return {*b.printed.faces, CLOSED, UNKNOWN}


NAMES = (
    Named(("/players/*/hand",), lambda b: {*GOODS, UNKNOWN}, keys=True),
    Named(("/players/*/unseen", "/players/*/offer", "/piles"), lambda b: GOODS, keys=True),
    Named(("/players/*/specials", "/players/*/in_play", "/specials", "/removed"), special_cards),
    Named(("/players/*/specials_from", "/players/*/in_play_from"), lambda b: range(len(b.specials) + 1)),
    Named(("/covered", "/settling"), lambda b: GOODS),
    Named(("/traded/*",), lambda b: (*GOODS, GENERAL)),
    Named(("/traded", "/stacks"), lambda b: MARKETS, keys=True),
    Named(("/merchants",), lambda b: MERCHANTS, keys=True),
    Named(("/merchants/*", "/market"), lambda b: MARKETS),
    Named(("/stacks/*", "/start"), lambda b: range(b.seats)),
    Named(("/assistants",), lambda b: b.printed.tracks, keys=True),
    Named(("/assistants/*",), lambda b: range(1, b.printed.rounds + 1)),
    Named(("/used",), lambda b: {*MERCHANTS, *b.printed.tracks}),
    Named(("/bottom", "/revealed"), market_cards),
    Named(("/looking", "/drafted"), lambda b: range(1, len(b.specials) + 1)),
)
