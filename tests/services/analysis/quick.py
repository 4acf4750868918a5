"""Little effort, for tests of what becomes of chances and not of how good they are."""

from __future__ import annotations

import pytest

from daybook.services.analysis import moves, positions, win_chances
from daybook.services.analysis.curves import Curve
from daybook.services.analysis.play_outs import Effort

LITTLE = Effort(steps=1, least=2, far=1, curve=Curve(-5.0, 2.0, {3: 31}, ""))


def little_effort(patch: pytest.MonkeyPatch) -> None:
    """Have little played out from each position in this process, of few positions."""
    patch.setattr(win_chances, "effort_for", lambda ruleset: LITTLE)
    patch.setattr(positions, "EVENLY", 40)
    patch.setattr(positions, "A_ROUND", 2)
    for name, number in (("CHOOSING", 1), ("MEASURING", 2), ("WEIGHED", 2)):
        patch.setattr(moves, name, number)
