"""Statistics of a game of Water Frame, compared with the rules' effects."""

from __future__ import annotations

from daybook.domain.games import STATISTICS
from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.moves import Contract
from daybook.domain.kernel.game_statistics import Added
from tests.domain.games.water_frame.playing import doing, plant, player


def test_wf_4_10_5_contract_counts_where_it_is_placed():
    (reading,) = [
        measure.reading for measure in STATISTICS["water_frame"].measures if measure.key == "contracts_placed"
    ]
    assert isinstance(reading, Added)
    (part,) = reading.parts
    b = doing("stock_exchange", 2, player(food=plant()))
    counted = []
    for decision in (Contract("food", 2), Contract("food", 4), Contract("lamps", 4)):
        b, step = WATER_FRAME.step(b, 0, decision)
        (told,) = [effect for effect in step.effects if effect["type"] == part.tag]
        counted.append(all(told[name] in values for name, values in part.where))
    assert counted == [True, False, True]
