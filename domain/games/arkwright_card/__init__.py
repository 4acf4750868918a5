"""Arkwright: The Card Game: four goods, three decades, and the worth of one's shares."""

from daybook.domain.games.arkwright_card.policy import POLICY
from daybook.domain.games.arkwright_card.rules import ARKWRIGHT_CARD as ARKWRIGHT_CARD
from daybook.domain.games.arkwright_card.statistics import STATISTICS
from daybook.domain.kernel.game_package import GamePackage

GAME = GamePackage(ruleset=ARKWRIGHT_CARD, package=__name__, declares=STATISTICS, place=4, policy=POLICY)
