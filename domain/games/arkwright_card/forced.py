"""Decisions that the record makes by itself where nothing else can be decided (ACG-4.1.4)."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games.arkwright_card import moves
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.solo_moves import AutomaMarkerSet, AutomaPlaced, DiscLaid, DiscPlaced
from daybook.domain.kernel.terms import Decision, Effect, Seat


def carried_out(b: Board, seat: Seat, d: Decision, effects: Sequence[Effect]) -> int:
    """Return how often these effects did what a decision says.

    It counts only effects that change nothing but the next decision. In the solo game the last disc and the last automas'
    markers follow by themselves (ACG-6.2.4, ACG-6.2.6).
    """
    match d:
        case moves.EndAction():
            return count_effects(seat, effects, moves.ActionEnded)
        case moves.ConfirmPrice():
            return count_effects(seat, effects, moves.PriceFixed)
        case moves.BeginSale():
            return count_effects(seat, effects, moves.MarketMeasured)
        case moves.SellHome(count=0):
            stored = any(isinstance(effect, moves.SoldHome) and effect.stored for effect in effects)
            return 0 if stored else count_effects(seat, effects, moves.MarketMeasured)
        case moves.Ship(count=0):
            if count_effects(seat, effects, moves.Shipped) or (b.stage == "ship" and b.mover == seat):
                return 0
            return max(count_effects(seat, effects, moves.MarketMeasured), count_effects(seat, effects, moves.SoldHome))
        case moves.EndProduction():
            return count_effects(seat, effects, moves.CostPaid)
        case DiscPlaced():
            return sum(isinstance(effect, DiscLaid) and effect.colour == d.colour for effect in effects)
        case AutomaPlaced():
            return sum(isinstance(effect, AutomaMarkerSet) and effect.colour == d.colour for effect in effects)
    return 0


def count_effects(seat: Seat, effects: Sequence[Effect], kind: type[Effect]) -> int:
    return sum(isinstance(effect, kind) and effect.seat == seat for effect in effects)  # type: ignore[attr-defined]
