"""What a steady player of Water Frame reckons with."""

from __future__ import annotations

from itertools import product

from daybook.domain.games.water_frame import policy
from daybook.domain.games.water_frame.policy import WEIGHTS, Outlook, Plant
from tests.domain.games.water_frame.playing import doing, plant, player


class Watched(Outlook):
    """An outlook that fails where more is given up than a factory has."""

    def sales(self, plant: Plant) -> tuple[float, float]:
        assert plant.workers >= 0
        return super().sales(plant)


def test_wf_4_6_a_row_that_is_filled_and_given_up_again_leaves_nobody_owing_workers() -> None:
    """Where a row is partly manned, both together once brought more each time, without end."""
    for price, quality, decade in product((5, 6, 7), (0, 2, 3), (1770, 1780, 1790)):
        food = plant(price=price, quality=quality, rows="2 2 2 0")
        clothes = plant(price=6, quality=4, rows="2 2 2 0")
        board = doing(
            "workers", 2, player(cash=40, food=food, clothes=clothes), player(), decade=decade, cycle=1, fired=6)
        now = policy.plants(board, 0)
        assert policy.hiring(Watched(WEIGHTS, board, 0), now, 0) >= policy.company(Outlook(WEIGHTS, board, 0), now)
