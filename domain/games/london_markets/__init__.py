"""London Markets: bars stacked on five markets, merchants, and goods cards offered in secret."""

from daybook.domain.games.london_markets.rules import LONDON_MARKETS as LONDON_MARKETS
