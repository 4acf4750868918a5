"""Arkwright, Water Frame: factories, workers, shares and the trade with the colonies from 1760 to 1810."""

from daybook.domain.games.water_frame.policy import POLICY
from daybook.domain.games.water_frame.rules import WATER_FRAME as WATER_FRAME
from daybook.domain.games.water_frame.statistics import STATISTICS
from daybook.domain.kernel.game_package import GamePackage

GAME = GamePackage(ruleset=WATER_FRAME, package=__name__, declares=STATISTICS, place=3, policy=POLICY)
