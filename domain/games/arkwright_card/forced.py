"""Decisions that the record makes by itself where nothing else can be decided (ACG-4.1.4)."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.moves import (
    ActionEnded,
    BeginSale,
    ConfirmPrice,
    CostPaid,
    EndAction,
    EndProduction,
    MarketMeasured,
    PriceFixed,
    SellHome,
    Ship,
    Shipped,
    SoldHome,
)
from daybook.domain.games.arkwright_card.solo_moves import AutomaMarkerSet, AutomaPlaced, DiscLaid, DiscPlaced
from daybook.domain.kernel.terms import Decision, Effect, Seat


def carried_out(b: Board, seat: Seat, d: Decision, effects: Sequence[Effect]) -> int:
    """How often these effects carried out what a decision says, which changes nothing but what is to be decided next.

    In the solo game the last disc and the last automas' markers follow by themselves (ACG-6.2.4, ACG-6.2.6).
    """
    match d:
        case EndAction():
            return count_effects(seat, effects, ActionEnded)
        case ConfirmPrice():
            return count_effects(seat, effects, PriceFixed)
        case BeginSale():
            return count_effects(seat, effects, MarketMeasured)
        case SellHome(count=0):
            stored = any(isinstance(effect, SoldHome) and effect.stored for effect in effects)
            return 0 if stored else count_effects(seat, effects, MarketMeasured)
        case Ship(count=0):
            if count_effects(seat, effects, Shipped) or (b.stage == "ship" and b.mover == seat):
                return 0
            return max(count_effects(seat, effects, MarketMeasured), count_effects(seat, effects, SoldHome))
        case EndProduction():
            return count_effects(seat, effects, CostPaid)
        case DiscPlaced():
            return sum(isinstance(effect, DiscLaid) and effect.colour == d.colour for effect in effects)
        case AutomaPlaced():
            return sum(isinstance(effect, AutomaMarkerSet) and effect.colour == d.colour for effect in effects)
    return 0


def count_effects(seat: Seat, effects: Sequence[Effect], kind: type[Effect]) -> int:
    return sum(isinstance(effect, kind) and effect.seat == seat for effect in effects)  # type: ignore[attr-defined]
