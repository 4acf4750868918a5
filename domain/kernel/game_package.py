"""What the package of a game brings to Daybook: its rules, what is counted of it, and where its printed numbers lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from daybook.domain.kernel.policy import Policy
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.statistics import Statistics

USUAL_PLACE = 100


@dataclass(frozen=True, kw_only=True)
class GamePackage:
    """A game as an entry point of the group `daybook.games` names it; its pages are a `GamePages` of
    `web.words.game_pages`.

    package: where its sheet.toml lies, the package's `__name__`. declares: what is counted of it, beside what is
    counted of every game. place: in lists of games, the lowest first; games of the same place stand by their ids.
    policy: what a steady practice player goes by; without it practice players know only what is legal. practised:
    practice players can play it, as all that is played is decided in Daybook.
    """

    ruleset: AnyRuleset
    package: str
    declares: Statistics | None = None
    place: int = USUAL_PLACE
    policy: Policy[Any] | None = None
    practised: bool = True

    @property
    def statistics(self) -> Statistics:
        """What is counted of it; its coarsest period is the round, where it declares nothing."""
        return self.declares or Statistics(clock=self.ruleset.course.periods[:1])
