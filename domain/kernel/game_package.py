"""The package of a game: its rules, its statistics, and the place of its printed numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from daybook.domain.kernel.game_statistics import Statistics
from daybook.domain.kernel.policy import Policy
from daybook.domain.kernel.ruleset import AnyRuleset

USUAL_PLACE = 100


@dataclass(frozen=True, kw_only=True)
class GamePackage:
    """A game, named by an entry point of the group `daybook.games`. Its pages are a `web.words.game_pages.GamePages`.

    package: `__name__` of the package that has sheet.toml.
    declares: its figures, besides those of every game. place: in lists of games, the lowest first; games of the same
    place are sorted by id. policy: of steady practice players; without it practice players choose at random among legal
    decisions. practised: practice players can play it, because everything in it is decided in Daybook.
    """

    ruleset: AnyRuleset
    package: str
    declares: Statistics | None = None
    place: int = USUAL_PLACE
    policy: Policy[Any] | None = None
    practised: bool = True

    @property
    def statistics(self) -> Statistics:
        """The game's figures; without a declaration, its coarsest period is the round."""
        return self.declares or Statistics(clock=self.ruleset.course.periods[:1])
