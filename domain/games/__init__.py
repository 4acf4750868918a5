"""The games Daybook knows, by the name that stands in their records."""

from __future__ import annotations

from typing import Any

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD
from daybook.domain.games.arkwright_card.statistics import STATISTICS as ARKWRIGHT_CARD_STATISTICS
from daybook.domain.games.london_markets import LONDON_MARKETS
from daybook.domain.games.london_markets.statistics import STATISTICS as LONDON_MARKETS_STATISTICS
from daybook.domain.games.making_profit import MAKING_PROFIT
from daybook.domain.games.making_profit.statistics import STATISTICS as MAKING_PROFIT_STATISTICS
from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.statistics import STATISTICS as WATER_FRAME_STATISTICS
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.statistics import Statistics

RULESETS: dict[str, Ruleset[Any]] = {
    "making_profit": MAKING_PROFIT, "london_markets": LONDON_MARKETS, "water_frame": WATER_FRAME,
    "arkwright_card": ARKWRIGHT_CARD,
}

STATISTICS: dict[str, Statistics] = {
    "making_profit": MAKING_PROFIT_STATISTICS, "london_markets": LONDON_MARKETS_STATISTICS,
    "water_frame": WATER_FRAME_STATISTICS, "arkwright_card": ARKWRIGHT_CARD_STATISTICS,
}
