"""Names of Making Profit, and their places on a board (MP-2)."""

from __future__ import annotations

from daybook.domain.games.making_profit.board import CARDS, SEEN_OR_NOT
from daybook.domain.kernel.naming import NamedThings

NAMES = (
    NamedThings(("/players/*/certificates", "/bank"), lambda b: b.table.colours, keys=True),
    NamedThings(("/players/*/hand", "/deck", "/discard"), lambda b: SEEN_OR_NOT, keys=True),
    NamedThings(("/players/*/factory",), lambda b: CARDS),
    NamedThings(("/developer", "/start"), lambda b: range(b.table.seats)),
)
