"""Arkwright, Water Frame: factories, workers, shares and the trade with the colonies from 1760 to 1810."""

from daybook.domain.games.water_frame.rules import WATER_FRAME as WATER_FRAME
