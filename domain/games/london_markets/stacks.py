"""Bars on a market: where they may lie, and which crates are on display (LM-4.2)."""

from __future__ import annotations

from daybook.domain.games.london_markets.board import Board, Layer
from daybook.domain.kernel.terms import Seat, WhyNot, refuse_unless


def bars_on(b: Board, market: str) -> int:
    return sum(len(layer) - layer.count(None) for layer in b.stacks[market])


def crates(b: Board, seat: Seat, market: str) -> int:
    """Return a player's crates on display at a market."""
    stack = b.stacks[market]
    return crates_on_display(stack, seat, b.printed.bars_crates) if stack else 0


def crates_on_display(stack: list[Layer], seat: Seat, crates_of_a_bar: int) -> int:
    """Return a player's crates on display on a stack of at least one layer (LM-4.2.7).

    A bar of the open layer shows all its crates; one of the layer below a crate for each slot still free above it.
    """
    top = stack[-1]
    count = crates_of_a_bar * top.count(seat)
    if len(stack) > 1:
        count += top.count(None) * stack[-2].count(seat)
    return count


def on_display(b: Board) -> list[int]:
    """Each player's crates on display at all markets together."""
    counts = [0] * b.seats
    for stack in b.stacks.values():
        if stack:
            for owner in {*stack[-1], *(stack[-2] if len(stack) > 1 else ())} - {None}:
                counts[owner] += crates_on_display(stack, owner, b.printed.bars_crates)
    return counts


def free_slots(b: Board, market: str) -> list[int]:
    """Return the slots of the next bar (LM-4.2.4, LM-4.2.5)."""
    stack = b.stacks[market]
    if not stack or None not in stack[-1]:
        return list(range(b.printed.bars_layer))
    return [slot for slot, owner in enumerate(stack[-1]) if owner is None]


def slot_taken(b: Board, market: str, slot: int | None) -> WhyNot:
    """Return why the next bar cannot take a slot; None: any slot will do."""
    return refuse_unless(
        slot is None or slot in free_slots(b, market),
        "slot_taken",
        "slot {slot} of the open layer is not free",
        slot=slot,
    )


def place(b: Board, owner: Seat, market: str, slot: int | None) -> tuple[int, int]:
    """Place a bar on a market; return its layer and slot. slot None: the lowest free one (LM-4.2.8)."""
    here = free_slots(b, market)[0] if slot is None else slot
    stack = b.stacks[market]
    if not stack or None not in stack[-1]:
        layer: Layer = [None] * b.printed.bars_layer
        stack.append(layer)
    stack[-1][here] = owner
    b.players[owner].bars -= 1
    return len(stack) - 1, here
