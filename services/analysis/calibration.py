"""Calibration of win chances: results of a laboratory run, stored in the game's folder.

Chances are displayed with even play-outs added (`services.analysis.shrinkage`); their number was fitted to other games.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec

from daybook.domain.games import PACKAGES
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.ruleset import AnyRuleset

REVISION = 1  # raised when chances are computed differently
CALIBRATION_FILE = "calibration.json"  # in the folder of a game


class Tenth(Frozen):
    """Forecasts between two tenths: how many, their mean, and what of a victory came of them in the mean."""

    forecasts: int
    predicted: float
    actual: float


class BrierAdvantage(Frozen):
    """Mean advantage in Brier score over another forecast, with its interval; above 0, chances are better."""

    mean: float
    low: float
    high: float


class Calibration(Frozen):
    """Results of a calibration run.

    Brier scores are the squared errors of all seats' shares together, averaged over positions.

    Args:
        made_by: revisions of what was measured.
        brier: of chances as displayed; so are `ahead` and `tenths`.
        brier_as_played: of the raw play-out shares.
        added: even play-outs to add, fitted to all of these games.
        curve: slope and rise of the value of boards at period ends, fitted to these games; None if play-outs are not
            cut.
        length: steps of a game.
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
    ahead_of_leader: BrierAdvantage
    ahead_of_standing: BrierAdvantage
    tenths: list[Tenth]
    added: float
    curve: tuple[float, float] | None
    length: float

    @property
    def is_clearly_better(self) -> bool:
        """Check if chances predict significantly better than the leader and the standing."""
        return self.ahead_of_leader.low > 0 and self.ahead_of_standing.low > 0


def chances_revision(ruleset: AnyRuleset) -> str:
    """Return what chances depend on besides the record: revisions of computation, policy and rules."""
    package = PACKAGES.get(ruleset.id)
    policy = package.policy.revision if package is not None and package.policy is not None else 0
    return f"{REVISION}.{policy}.{ruleset.revision}"


def calibration_of(ruleset: AnyRuleset) -> Calibration | None:
    """Return the calibration of a game; None if there is none of the current revisions."""
    package = PACKAGES.get(ruleset.id)
    kept = None if package is None else files(package.package).joinpath(CALIBRATION_FILE)
    if kept is None or not kept.is_file():
        return None
    calibration = msgspec.json.decode(kept.read_bytes(), type=Calibration)
    return calibration if calibration.made_by == chances_revision(ruleset) else None


def added_play_outs(ruleset: AnyRuleset) -> float:
    """Return how many even play-outs are added to displayed chances; 0 without calibration."""
    calibration = calibration_of(ruleset)
    return 0.0 if calibration is None else calibration.added
