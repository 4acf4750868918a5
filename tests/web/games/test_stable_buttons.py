"""Buttons keep their places from decision to decision of a player, in random games."""

from __future__ import annotations

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.terms import TABLE
from daybook.services.play.practice import Dealer
from daybook.web import words
from daybook.web.words.game_words import Chart
from tests.domain.games.moves import deal_steps

NAMES = ("Anna", "Ben", "Cleo")


def places(charts: list[Chart]) -> dict[str, tuple[int, int, int]]:
    """Return the place of each button: chart, lane and cell."""
    return {
        cell.aloud or cell.label: (at, row, column)
        for at, chart in enumerate(charts)
        for row, lane in enumerate(chart.lanes)
        for column, cell in enumerate(lane.cells)
        if cell is not None and not cell.closed and not lane.words
    }


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("hands", ["hidden", "open"])
def test_buttons_of_making_profit_keep_their_places(seed, hands):
    rules, charts_of = RULESETS["making_profit"], words.GAMES["making_profit"].choosing.charts
    before: dict[str, tuple[int, int, int]] = {}
    compared, player = 0, None
    for step in deal_steps(rules, Dealer(seed), hands=hands):
        if step.seat == TABLE:
            continue
        charts = list(charts_of(step.board, step.seat, rules.legal(step.board, step.seat), NAMES))
        now = places(charts)
        if step.seat == player:
            shared = before.keys() & now.keys()
            assert {label: before[label] for label in shared} == {label: now[label] for label in shared}
            compared += len(shared)
        before, player = now, step.seat
    assert compared


@pytest.mark.parametrize("seed", range(3))
def test_storehouses_of_the_card_game_keep_their_order(seed):
    rules, charts_of = RULESETS["arkwright_card"], words.GAMES["arkwright_card"].choosing.charts
    before: list[str] = []
    compared, player = 0, None
    for step in deal_steps(rules, Dealer(seed)):
        if step.board.stage != "store":
            before, player = [], None
            continue
        charts = list(charts_of(step.board, step.seat, rules.legal(step.board, step.seat), NAMES))
        now = [
            cell.closed.card if cell.closed else cell.adds[0].card
            for chart in charts
            for lane in chart.lanes
            for cell in lane.cells
            if cell.closed or hasattr(cell.adds[0], "card")
        ]
        if step.seat == player:
            assert now[: len(before)] == before
            compared += len(before)
        before, player = now, step.seat
    assert compared
