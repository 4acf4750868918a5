"""The inventor: one level beyond the development level, and what his next use costs (WF-4.15.11)."""

from __future__ import annotations

from daybook.domain.games.water_frame import bank
from daybook.domain.games.water_frame.board import Ask, Board, OwnedTile
from daybook.domain.games.water_frame.moves import InventorKeep, InventorKept, InventorReturn, InventorUsed
from daybook.domain.games.water_frame.tiles import give_back
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, holds

KIND = "inventor"


def use(b: Board, seat: Seat, rule: str, tell: Tell) -> None:
    """Use the Inventor once; the owner then decides to keep it, or it goes back after the last use."""
    tile = inventor_tile(b, seat)
    tile.uses += 1
    tell(InventorUsed(rule, seat, tile.uses))
    if tile.uses <= len(b.printed.tiles_inventor_next_use):
        b.asked.append(Ask(seat, "inventor"))
    else:
        give_back(b, seat, KIND, "WF-4.15.11", tell)


def inventor_tile(b: Board, seat: Seat) -> OwnedTile:
    """Return the player's inventor. Raises LookupError."""
    tile = b.players[seat].tile(KIND)
    if tile is None:
        raise LookupError(f"seat {seat} has no inventor")
    return tile


def next_cost(b: Board, seat: Seat) -> int:
    """Return the price of keeping the inventor for its next use."""
    return b.printed.tiles_inventor_next_use[inventor_tile(b, seat).uses - 1]


@holds("the player can pay for the next use of the inventor")
def next_use_paid(b: Board, seat: Seat) -> WhyNot:
    """Require the cash for the next use, unless an emergency sale may pay it (WF-6.51)."""
    return None if b.printed.rulings.inventor_keep_by_emergency else bank.too_dear(b, seat, next_cost(b, seat))


def keep(b: Board, seat: Seat, d: InventorKeep, tell: Tell) -> None:
    """Pay to keep the inventor for another use (WF-4.15.11)."""
    b.asked.pop()
    cost = next_cost(b, seat)
    bank.pay(b, seat, cost, "inventor", "WF-4.15.11", tell)
    tell(InventorKept("WF-4.15.11", seat, cost))


def give_up(b: Board, seat: Seat, d: InventorReturn, tell: Tell) -> None:
    b.asked.pop()
    give_back(b, seat, KIND, "WF-4.15.11", tell)
