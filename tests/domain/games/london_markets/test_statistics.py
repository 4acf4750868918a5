"""Statistics of a game of London Markets, compared with its record."""

from __future__ import annotations

from daybook.domain.games import STATISTICS
from daybook.domain.kernel.game_statistics import facts
from daybook.services.files.recordfile import read_record_file
from tests.services.fixture_files import FIXTURES, NOW


def test_lm_4_7_9_special_prizes_are_auctions_won():
    with (FIXTURES / "market-day.daybook").open("rb") as file:
        game = read_record_file(file, NOW).game
    won = [
        (effect["seat"], effect["special"])
        for step in game.line()
        for effect in getattr(game.entries[step].event, "effects", ())
        if effect["type"] == "auction_won"
    ]
    counted = {
        (fact.seat, fact.measure): fact.value for fact in facts(game, STATISTICS["london_markets"]) if not fact.is_part
    }
    prizes = [counted[seat, "special_prizes"] for seat in range(4)]
    assert prizes == [won.count((seat, True)) for seat in range(4)]
    assert 0 < sum(prizes) < len(won)
