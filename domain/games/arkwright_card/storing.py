"""Storehouses, in the production phase and in extra production (ACG-4.13.12 to ACG-4.13.15)."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.arkwright_card import factories
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.moves import AssignStorehouse, GoodsStored, GoodsWasted, StorehouseAssigned
from daybook.domain.games.arkwright_card.printed import STOREHOUSES
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, holds, refuse_unless

# --- checks ---


@holds("the storehouse is the player’s")
def own_storehouse(b: Board, seat: Seat, d: AssignStorehouse) -> WhyNot:
    return refuse_unless(
        d.card in STOREHOUSES and b.players[seat].has(d.card),
        "card_not_available",
        "{card} is not one of the cards of seat {seat}",
        card=d.card,
        seat=seat,
    )


@holds("the storehouse is not in use yet")
def elsewhere(b: Board, seat: Seat, d: AssignStorehouse) -> WhyNot:
    """Refuse a storehouse that is assigned already."""
    return refuse_unless(
        d.card not in b.production.assigned and b.players[seat].where(d.card) != at_work(b),
        "already_done",
        "{card} is already assigned",
        card=d.card,
    )


def at_work(b: Board) -> str:
    """Return the factory of the goods that are being stored."""
    return b.active if b.phase == "production" else b.turn.good or ""


# --- actions ---


def assign(b: Board, seat: Seat, card: str, tell: Tell) -> None:
    """Move a storehouse from the reserve or from another factory, which wastes the goods in it (ACG-4.13.14)."""
    player, good = b.players[seat], at_work(b)
    origin = player.where(card)
    tell(StorehouseAssigned("ACG-4.13.14", seat, good, card, origin))
    if origin is not None:
        wasted = player.factory(origin).storehouses.pop(card)
        if wasted:
            tell(GoodsWasted("ACG-4.13.14", seat, origin, wasted))
    player.factory(good).storehouses[card] = 0
    b.production.assigned.append(card)


def pack(b: Board, seat: Seat, good: str, goods: int, tell: Tell) -> None:
    """Pack the goods at a factory; without room they are wasted (ACG-4.13.12, ACG-4.13.13)."""
    factory = b.players[seat].factory(good)
    before = dict(factory.storehouses)
    wasted = factories.put_in_storehouses(b, factory, goods)
    if factory.storehouses != before or wasted:
        tell(GoodsStored("ACG-4.13.13", seat, good, dict(factory.storehouses), factory.goods_stored))
    if wasted:
        tell(GoodsWasted("ACG-4.13.12", seat, good, wasted))


# --- candidates ---


ASSIGNMENTS = tuple(AssignStorehouse(card) for card in STOREHOUSES)


def candidate_assignments(b: Board, seat: Seat) -> Iterable[Decision]:
    if b.stage == "store" or (b.stage == "extra_production" and b.turn.good is not None):
        return [d for d in ASSIGNMENTS if b.players[seat].has(d.card)]
    return ()


def goods_to_pack(b: Board, seat: Seat) -> int:
    """Count the goods at the working factory that were neither sold nor shipped (ACG-4.13.12)."""
    return b.production.left + b.players[seat].factory(at_work(b)).goods_stored


def any_assignment(b: Board, seat: Seat) -> bool:
    return any(elsewhere(b, seat, d) is None for d in ASSIGNMENTS if b.players[seat].has(d.card))
