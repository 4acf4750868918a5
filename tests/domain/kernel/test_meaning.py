"""A decision may be written in any way that means the same, and is written down in one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any
from uuid import UUID

import msgspec
import pytest

from daybook.domain import entries
from daybook.domain.games import RULESETS
from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD
from daybook.domain.games.arkwright_card.moves import UseInventorDouble
from daybook.domain.games.making_profit import MAKING_PROFIT
from daybook.domain.games.making_profit.moves import Develop, Run, SellResources
from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.moves import ShipContract
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import TABLE, Decision, IllegalDecision
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.store.printed_sheets import printed_sheet
from tests.domain.games.arkwright_card.test_price_and_development import developing
from tests.services.fixture_files import written_at

OPTIONS: dict[str, dict[str, Any]] = {"arkwright_card": {"restrictions": True, "extra_actions": True}}
EACH = 5  # steps between two looks at the lists


def positions(rules: Ruleset[Any], seed: int) -> Iterator[Game]:
    """A game as it lay every few steps, played once."""
    return iter(_positions_played(rules.id, seed))


@cache
def _positions_played(ruleset: str, seed: int) -> list[Game]:
    rules, sheet = RULESETS[ruleset], printed_sheet(ruleset)
    seated = [
        PracticeSeat(colour, colour, f"person-{colour}") for colour in rules.colours(sheet)[: max(rules.seats) - 1]
    ]
    game = open_practice_game(UUID(int=seed), rules, sheet, seated, OPTIONS.get(rules.id, {}), written_at(0))
    return [game.twin() for entry in play_out(game, Dealer(seed), written_at) if entry.step % EACH == 0]


def other_ways(decision: Decision) -> Iterator[Decision]:
    """The same with what it lists in other orders."""
    for name in decision.__struct_fields__:
        value = getattr(decision, name)
        if isinstance(value, tuple) and len(set(map(repr, value))) > 1:
            yield msgspec.structs.replace(decision, **{name: value[::-1]})
            yield msgspec.structs.replace(decision, **{name: value[1:] + value[:1]})


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)
def test_what_is_listed_in_another_order_is_never_off_the_table(rules):
    """It means the same, or a rule says why not."""
    for seed in (1, 2):
        for game in positions(rules, seed):
            for seat in rules.course.to_act(game.board):
                for decision in rules.legal(game.board, seat):
                    for other in other_ways(decision):
                        said = refusal_of(rules, game, seat, other)
                        assert said is None or said.reason.key != "not_on_offer", (decision, other)


def refusal_of(rules: Ruleset[Any], game: Game, seat: int, decision: Decision) -> IllegalDecision | None:
    try:
        rules.refuse(game.board, seat, decision)
    except IllegalDecision as no:
        return no
    return None


def test_mp_4_1_6_the_own_factory_may_be_named():
    seen = set()
    for game in positions(MAKING_PROFIT, 3):
        for seat in game.ruleset.course.to_act(game.board):
            for decision in game.ruleset.legal(game.board, seat):
                if isinstance(decision, Develop | Run) and seat != TABLE:
                    own = msgspec.structs.replace(decision, factory=game.table.colours[seat])
                    entry, board = entries.decide(game, seat, own, written_at(game.step + 1))
                    again, same = entries.decide(game, seat, decision, written_at(game.step + 1))
                    assert entry.line == again.line and board == same
                    others = msgspec.structs.replace(decision, factory=game.table.colours[seat - 1])
                    assert (no := refusal_of(MAKING_PROFIT, game, seat, others)) and no.rule == "MP-4.1.6"
                    seen.add(type(decision))
    assert seen == {Develop, Run}


def test_mp_4_6_1_a_set_is_written_down_in_one_order():
    for game in positions(MAKING_PROFIT, 4):
        [seat] = game.ruleset.waits_for(game.board)
        mixed = [
            d for d in game.ruleset.legal(game.board, seat) if isinstance(d, SellResources) and len(set(d.cards)) > 1
        ]
        if mixed:
            entry, _ = entries.decide(game, seat, SellResources(mixed[0].cards[::-1]), written_at(game.step + 1))
            assert entry.event.decision == plain(mixed[0])  # type: ignore[union-attr]
            return
    raise AssertionError("no set of different cards")


def test_acg_4_11_5_inventors_two_tracks_may_be_named_either_way():
    b = developing("inventor", seats=4, options={"restrictions": True})
    one, _ = ARKWRIGHT_CARD.play(b, 0, UseInventorDouble("quality", "machinery"))
    other, _ = ARKWRIGHT_CARD.play(b, 0, UseInventorDouble("machinery", "quality"))
    assert one == other and one.players[0].levels["quality"] == other.players[0].levels["quality"] > 0


def test_wf_4_19_3_ships_may_be_named_in_any_order():
    table = WATER_FRAME.table(("blue", "red"), {}, printed_sheet("water_frame"))
    assert WATER_FRAME.as_listed(table, 0, ShipContract((6, 4), 1)) == ShipContract((4, 6), 1)
