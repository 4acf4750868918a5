"""Any game by its score sheet: what is printed is the definition of a game."""

from daybook.domain.games.score_sheet.rules import SCORE_SHEET as SCORE_SHEET
from daybook.domain.games.score_sheet.statistics import STATISTICS
from daybook.domain.kernel.game_package import GamePackage

GAME = GamePackage(ruleset=SCORE_SHEET, package=__name__, declares=STATISTICS, place=9, practised=False)
