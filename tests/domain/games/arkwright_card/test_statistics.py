"""Statistics of Arkwright: The Card Game."""

from __future__ import annotations

from uuid import UUID

from daybook.domain import entries
from daybook.domain.commands import Close
from daybook.domain.games import STATISTICS
from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD
from daybook.domain.games.arkwright_card.moves import (
    Build,
    ChooseAction,
    ConfirmPrice,
    EndAction,
    PassAction,
    PlaceForeman,
    SkipDevelopment,
    StartPlayerDetermined,
)
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import SeatTaken
from daybook.domain.kernel.game_statistics import facts
from daybook.domain.kernel.opening import opening_entry
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.arkwright_card.playing import BLUE, RED, plain_rank, red, table


def record_game(*moves):
    """Record a closed game for two without money or credit, so that the first costs end it."""
    game = Game(UUID(int=1), ARKWRIGHT_CARD)

    def next_written():
        return Written("2026-01-02T03:04:05.000Z", "scorekeeper", f"k{len(game.entries)}")

    poor = table(2, {"start.money": 0, "start.share_value": 0})
    seats = [SeatTaken("p1", "red"), SeatTaken("p2", "blue")]
    game.apply(opening_entry(UUID(int=1), ARKWRIGHT_CARD, poor, seats, {}, {}, "practice", "live", next_written()))
    for seat, decision in moves:
        game.apply(*entries.decide(game, seat, decision, next_written()))
    while game.board.stage != "over":
        seat = game.board.moving
        plainest = min(ARKWRIGHT_CARD.legal(game.board, seat), key=lambda d: (plain_rank(d), str(d)))
        game.apply(*entries.decide(game, seat, plainest, next_written()))
    game.apply(entries.close(game, Close(), next_written()))
    return game


def test_acg_2_2_4_start_factories_do_not_count_as_built():
    # also ACG-4.3.3
    skipped = [PassAction(), ConfirmPrice(), SkipDevelopment()]
    game = record_game(
        (TABLE, StartPlayerDetermined(RED)),
        *red(PlaceForeman("food"), ChooseAction("build"), Build("lamps"), EndAction(), *skipped[1:]),
        *((BLUE, d) for d in skipped),
    )
    counted = {
        (fact.measure, fact.seat): fact.value for fact in facts(game, STATISTICS["arkwright_card"]) if not fact.is_part
    }
    assert [counted["start_factories", seat] for seat in (RED, BLUE)] == [2, 2]
    assert [counted["factories_built", seat] for seat in (RED, BLUE)] == [1, 0]
