"""Whether win chances came true: what a run of the laboratory found of a game, as it is kept in the game's folder.

Chances are shown with even play-outs counted in (`services.analysis.shrinkage`), as many as were fitted to other games.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec

from daybook.domain.games import PACKAGES
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.ruleset import AnyRuleset

REVISION = 1  # raised when chances are reckoned otherwise
KEPT_AS = "calibration.json"  # in the folder of a game


class Tenth(Frozen):
    """Forecasts between two tenths: how many, their mean, and what of a victory came of them in the mean."""

    forecasts: int
    predicted: float
    actual: float


class Ahead(Frozen):
    """By how much lower the Brier score of chances is than that of another forecast, in the mean of the games, and
    where that likely lies; above 0 chances are better.
    """

    mean: float
    low: float
    high: float


class Calibration(Frozen):
    """What a run came to. Brier scores: the squared errors of all seats' shares together, in the mean of positions.

    made_by: the revisions of what was measured. brier, ahead, tenths: of chances as they are shown; brier_as_played: of
    those that play-outs gave; added: even play-outs to be counted in, fitted to all of these games. curve: slope and
    rise of the worth of boards at the ends of periods, fitted to all of these games; None where the game's play-outs
    are not cut short. length: steps of a game.
    """

    ruleset: str
    made_by: str
    seats: int
    games: int
    positions: int
    seed: int
    options: dict[str, Any]
    brier: float
    brier_as_played: float
    brier_leader: float
    brier_standing: float
    ahead_of_leader: Ahead
    ahead_of_standing: Ahead
    tenths: list[Tenth]
    added: float
    curve: tuple[float, float] | None
    length: float

    @property
    def is_clearly_better(self) -> bool:
        """Whether chances foretell more than who leads, and more than the standing, beyond what chance explains."""
        return self.ahead_of_leader.low > 0 and self.ahead_of_standing.low > 0


def revisions(ruleset: AnyRuleset) -> str:
    """What chances depend on beside the record: how they are reckoned, the policy and the rules."""
    package = PACKAGES.get(ruleset.id)
    policy = package.policy.revision if package is not None and package.policy is not None else 0
    return f"{REVISION}.{policy}.{ruleset.revision}"


def calibration_of(ruleset: AnyRuleset) -> Calibration | None:
    """What is known of the chances of a game, from its folder; None if they were not measured as they are made now."""
    package = PACKAGES.get(ruleset.id)
    kept = None if package is None else files(package.package).joinpath(KEPT_AS)
    if kept is None or not kept.is_file():
        return None
    found = msgspec.json.decode(kept.read_bytes(), type=Calibration)
    return found if found.made_by == revisions(ruleset) else None


def added_play_outs(ruleset: AnyRuleset) -> float:
    """How many even play-outs are counted in where chances of a game are shown; none where it was not measured."""
    found = calibration_of(ruleset)
    return 0.0 if found is None else found.added
