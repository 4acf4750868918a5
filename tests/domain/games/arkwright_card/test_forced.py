"""ACG-4.1.4: what leaves no choice is carried out by itself, and counts as often as effects tell it."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, moves
from daybook.domain.games.arkwright_card.solo_moves import AutomaMarkerSet, AutomaPlaced, DiscLaid, DiscPlaced
from daybook.domain.kernel.terms import Decision, Effect
from tests.domain.games.arkwright_card.playing import BLUE, RED, player, set_up


def effect(kind: type[Any], **fields: Any) -> Effect:
    """An effect of which only these fields matter."""
    made: Effect = kind(**(dict.fromkeys(kind.__struct_fields__, 0) | fields))
    return made


def carried_out(decision: Decision, *effects: Effect, stage: str = "action", seat: int = RED) -> int:
    by_itself = ARKWRIGHT_CARD.course.by_itself
    assert by_itself is not None
    return by_itself(set_up(player(), player(), stage=stage), seat, decision, effects)


@pytest.mark.parametrize(
    ("decision", "kind"),
    [
        (moves.EndAction(), moves.ActionEnded),
        (moves.ConfirmPrice(), moves.PriceFixed),
        (moves.BeginSale(), moves.MarketMeasured),
        (moves.SellHome(0), moves.MarketMeasured),
        (moves.Ship(0), moves.MarketMeasured),
        (moves.Ship(0), moves.SoldHome),
        (moves.EndProduction(), moves.CostPaid),
    ],
)
def test_acg_4_1_4_decision_counts_as_often_as_carried_out(decision, kind):
    own, other = effect(kind, seat=RED), effect(kind, seat=BLUE)
    assert [carried_out(decision, *effects) for effects in ([], [own], [other], [own, other, own])] == [0, 1, 0, 2]
    assert carried_out(decision, own, own, seat=BLUE) == 0


def test_acg_4_1_4_choices_are_never_carried_out_by_themselves():
    told = [
        effect(kind, seat=RED)
        for kind in (moves.ActionEnded, moves.PriceFixed, moves.MarketMeasured, moves.SoldHome, moves.CostPaid)
    ]
    assert carried_out(moves.PassAction(), *told) == 0
    assert carried_out(moves.SellHome(1), *told) == 0
    assert carried_out(moves.Ship(1), *told) == 0


def test_acg_4_13_6_no_stored_goods_are_sold_where_none_were():
    measured = effect(moves.MarketMeasured, seat=RED)
    assert carried_out(moves.SellHome(0), measured, effect(moves.SoldHome, seat=RED, stored=2)) == 0
    assert carried_out(moves.SellHome(0), measured, effect(moves.SoldHome, seat=RED, stored=0)) == 1


def test_acg_4_13_9_open_choices_prevent_automatic_shipping():
    measured, sold, shipped = (effect(kind, seat=RED) for kind in (moves.MarketMeasured, moves.SoldHome, moves.Shipped))
    assert carried_out(moves.Ship(0), measured, sold) == 1
    assert carried_out(moves.Ship(0), measured, measured, sold) == 2
    assert carried_out(moves.Ship(0), measured, sold, shipped) == 0
    assert carried_out(moves.Ship(0), measured, effect(moves.Shipped, seat=BLUE)) == 1
    assert carried_out(moves.Ship(0), measured, stage="ship") == 0
    assert carried_out(moves.Ship(0), effect(moves.MarketMeasured, seat=BLUE), stage="ship", seat=BLUE) == 1


@pytest.mark.parametrize(("decision", "kind"), [(DiscPlaced, DiscLaid), (AutomaPlaced, AutomaMarkerSet)])
def test_acg_6_2_4_rest_of_a_solo_set_up_follows_by_itself(decision, kind):
    # also ACG-6.2.6
    effects = [
        effect(kind, colour="blue"),
        effect(kind, colour="green"),
        effect(kind, colour="blue"),
        effect(moves.ActionEnded, seat=RED),
    ]
    assert [carried_out(decision(colour), *effects) for colour in ("blue", "green", "yellow")] == [2, 1, 0]
