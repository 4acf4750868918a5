"""The games Daybook knows, by the name that stands in their records."""

from __future__ import annotations

from typing import Any

from domain.games.arkwright_card import ARKWRIGHT_CARD
from domain.games.london_markets import LONDON_MARKETS
from domain.games.making_profit import MAKING_PROFIT
from domain.games.water_frame import WATER_FRAME
from domain.ruleset import Ruleset

RULESETS: dict[str, Ruleset[Any]] = {
    "making_profit": MAKING_PROFIT, "london_markets": LONDON_MARKETS, "water_frame": WATER_FRAME,
    "arkwright_card": ARKWRIGHT_CARD,
}
