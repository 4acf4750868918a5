"""Stored goods: the large warehouse, the small one, and what has no room (WF-4.1.9, WF-4.1.10, WF-4.20)."""

from __future__ import annotations

from collections.abc import Iterator

from daybook.domain.games.water_frame.board import Ask, Board, Sale
from daybook.domain.games.water_frame.deciding import something_else
from daybook.domain.games.water_frame.moves import CycleEnded, Discard, Done, GoodsLost, GoodsStored
from daybook.domain.games.water_frame.printed import GOODS, Good
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, holds, refuse_unless

# --- room ---


def room(b: Board, seat: Seat, good: str) -> int:
    """Spaces of the large warehouse for a good: a staffed column has all of them, each staffed row has one."""
    slots = b.players[seat].slots
    return b.printed.harbour_rows if slots[good] else slots["row"]


def overflow(b: Board, seat: Seat, good: str) -> int:
    """Goods that lie in the small warehouse, on the top spaces of the price scale; 0 without one."""
    player = b.players[seat]
    return max(0, player.stored[good] - room(b, seat, good)) if player.owns("small_warehouse") else 0


def overflowing(b: Board, seat: Seat) -> list[Good]:
    """Return the goods in the small warehouse."""
    return [good for good in GOODS if overflow(b, seat, good)]


def highest_price(b: Board, seat: Seat, good: str) -> int:
    """Goods in the small warehouse block the top of the price scale."""
    return b.printed.price_most - overflow(b, seat, good)


def price_fault(b: Board, good: str, price: int, most: int) -> WhyNot:
    """Return why a good cannot have this price, if the scale is free up to another one."""
    least = b.printed.price_least
    return refuse_unless(
        least <= price <= most,
        "price",
        "the price of {good} is from £{least} to £{most}, not £{price}",
        good=good,
        least=least,
        most=most,
        price=price,
    )


def scale_room(b: Board, seat: Seat, good: str) -> int:
    """Spaces of the price scale above the price; without a factory all of them."""
    factory = b.players[seat].factories[good]
    return b.printed.price_most - (b.printed.price_least - 1 if factory is None else factory.price)


def misplaced_good(b: Board, seat: Seat) -> Good | None:
    """Return a good at a forbidden place; the last one if the small warehouse is too full (WF-4.1.9)."""
    player = b.players[seat]
    if not player.owns("small_warehouse"):
        return next((good for good in GOODS if player.stored[good] > room(b, seat, good)), None)
    for good in GOODS:
        if overflow(b, seat, good) > scale_room(b, seat, good):
            return good
    too_much = sum(overflow(b, seat, good) for good in GOODS) > b.printed.tiles_small_warehouse_goods
    return overflowing(b, seat)[-1] if too_much else None


# --- putting it right ---


def fix(b: Board, seat: Seat, tell: Tell) -> None:
    """Lose goods without room; ask the player if there is a choice (WF-4.1.10)."""
    small = b.players[seat].owns("small_warehouse")
    for good in GOODS:
        if not small:
            lose(b, seat, good, b.players[seat].stored[good] - room(b, seat, good), tell)
        elif b.players[seat].factories[good] is not None:
            lose(b, seat, good, overflow(b, seat, good) - scale_room(b, seat, good), tell)
    if not fits_small(b, seat, tell):
        b.asked.append(Ask(seat, "discard"))


def fits_small(b: Board, seat: Seat, tell: Tell) -> bool:
    """Check if the small warehouse holds its goods; a single good first loses its surplus."""
    goods = overflowing(b, seat)
    too_many = sum(overflow(b, seat, good) for good in goods) - b.printed.tiles_small_warehouse_goods
    if len(goods) == 1:
        lose(b, seat, goods[0], too_many, tell)
        return True
    return too_many <= 0


def lose(b: Board, seat: Seat, good: Good, count: int, tell: Tell, *, chosen: bool = False) -> None:
    """Remove stored goods; chosen: by the player's decision."""
    if count > 0:
        b.players[seat].stored[good] -= count
        tell(GoodsLost("WF-4.1.10", seat, good, count, chosen))


def put_in(b: Board, seat: Seat, good: Good, count: int, tell: Tell) -> None:
    """Store goods of a production, then resolve what the storage cannot hold."""
    if count:
        b.players[seat].stored[good] += count
        tell(GoodsStored("WF-4.20.1", seat, good, count))
    fix(b, seat, tell)


# --- decisions ---


def can_discard(b: Board) -> bool:
    """Because it must be, or may be with the goods of this production (WF-6.44)."""
    return b.asked[-1].what == "discard" if b.asked else b.stage == "storage"


def candidate_discards(b: Board, seat: Seat) -> Iterator[Discard]:
    return (Discard(good) for good in GOODS if can_discard(b))


@holds("the player must discard something")
def discard_awaited(b: Board) -> WhyNot:
    return None if can_discard(b) else something_else(b)


@holds("the small warehouse holds this good")
def in_small(b: Board, seat: Seat, d: Discard) -> WhyNot:
    return refuse_unless(overflow(b, seat, d.good), "not_in_small", "the small warehouse holds no {good}", good=d.good)


def discard(b: Board, seat: Seat, d: Discard, tell: Tell) -> None:
    """Discard a stored good until the rest fits into the small warehouse."""
    lose(b, seat, d.good, 1, tell, chosen=True)
    if b.asked and fits_small(b, seat, tell):
        b.asked.pop()


def end_storage(b: Board, seat: Seat, d: Done, tell: Tell) -> None:
    """Keep a player's stored goods."""
    next_player(b)


# --- the step ---


def store(b: Board, tell: Tell) -> bool:
    """Store the player's unsold goods; return False to wait for a choice in the small warehouse (WF-4.20.1)."""
    if b.turns == b.seats:
        end_production(b, tell)
        return True
    seat, sale = b.mover, b.sale
    if sale.at_hand[seat]:
        count, sale.at_hand[seat] = sale.at_hand[seat], 0
        sale.storing = True
        put_in(b, seat, b.good, count, tell)
        return True
    if sale.storing and overflowing(b, seat):
        return False
    next_player(b)
    return True


def next_player(b: Board) -> None:
    b.turns += 1
    b.sale.storing = False


def end_production(b: Board, tell: Tell) -> None:
    """Take back the tokens of the sale (WF-4.21.1)."""
    b.sale = Sale()
    b.turns = 0
    b.stage = "cycle_end"
    tell(CycleEnded("WF-4.21.1", b.decade, b.cycle))
