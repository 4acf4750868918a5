"""Estimates of a steady player of Water Frame."""

from __future__ import annotations

from itertools import product

from daybook.domain.games.water_frame import policy
from daybook.domain.games.water_frame.moves import SetPrice
from daybook.domain.games.water_frame.policy import WEIGHTS, Outlook, Plant
from daybook.domain.games.water_frame.rules import WATER_FRAME
from daybook.services.play.practice import Dealer
from tests.domain.games.moves import deal_steps
from tests.domain.games.water_frame.playing import doing, plant, player


class Watched(Outlook):
    """An outlook that fails where more is given up than a factory has."""

    def gain(self, plant: Plant) -> float:
        assert plant.workers >= 0
        return super().gain(plant)


def test_wf_4_6_abandoned_full_row_owes_no_workers():
    """A partly manned row must not make the sum of both grow without end."""
    for price, quality, decade in product((5, 6, 7), (0, 2, 3), (1770, 1780, 1790)):
        food = plant(price=price, quality=quality, rows="2 2 2 0")
        clothes = plant(price=6, quality=4, rows="2 2 2 0")
        board = doing(
            "workers", 2, player(cash=40, food=food, clothes=clothes), player(), decade=decade, cycle=1, fired=6
        )
        assert policy.hiring(Watched(WEIGHTS, board, 0)) >= 0


def test_wf_4_13_price_is_set_for_gain_not_to_end_the_action():
    """The last price of an action leads on as `done` does; what the next stage changes speaks for neither."""
    prices = 0
    for board, seat, decision, *_ in deal_steps(WATER_FRAME, Dealer(104, ["steady", "steady"]), 2):
        if isinstance(decision, SetPrice):
            repriced = board.twin()
            repriced.factory(seat, decision.good).price = decision.price
            assert policy.worth(WEIGHTS, repriced, seat) > policy.worth(WEIGHTS, board, seat)
            prices += 1
    assert prices > 10
