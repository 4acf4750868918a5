"""Making Profit: factories, shares and the cards that build them."""

from daybook.domain.games.making_profit.policy import POLICY
from daybook.domain.games.making_profit.rules import MAKING_PROFIT as MAKING_PROFIT
from daybook.domain.games.making_profit.statistics import STATISTICS
from daybook.domain.kernel.game_package import GamePackage

GAME = GamePackage(ruleset=MAKING_PROFIT, package=__name__, declares=STATISTICS, place=1, policy=POLICY)
