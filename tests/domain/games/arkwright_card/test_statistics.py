"""What is counted of a game of Arkwright: The Card Game, held to its record."""

from __future__ import annotations

from daybook.domain.games import STATISTICS
from daybook.domain.kernel.statistics import facts
from daybook.services.files.recordfile import read
from tests.services.fixture_files import FIXTURES, NOW


def test_acg_2_2_4_and_acg_4_3_3_the_factories_of_the_start_are_none_that_were_built():
    with (FIXTURES / "emergency-fund.daybook").open("rb") as file:
        game = read(file, NOW).game
    opened = [
        effect["worker"] for step in game.line() for effect in getattr(game.entries[step].event, "effects", ())
        if effect["type"] == "factory_opened"]
    counted = [fact for fact in facts(game, STATISTICS["arkwright_card"]) if not fact.is_part]
    sums = {name: sum(fact.value for fact in counted if fact.measure == name)
            for name in ("start_factories", "factories_built")}
    assert sums == {"start_factories": 4, "factories_built": 3}
    assert sums == {"start_factories": opened.count(True), "factories_built": opened.count(False)}
