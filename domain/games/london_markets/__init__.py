"""London Markets: bars stacked on five markets, merchants, and goods cards offered in secret."""

from daybook.domain.games.london_markets.policy import POLICY
from daybook.domain.games.london_markets.rules import LONDON_MARKETS as LONDON_MARKETS
from daybook.domain.games.london_markets.statistics import STATISTICS
from daybook.domain.kernel.game_package import GamePackage

GAME = GamePackage(ruleset=LONDON_MARKETS, package=__name__, declares=STATISTICS, place=2, policy=POLICY)
