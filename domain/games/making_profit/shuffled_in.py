"""Sort unseen cards into those of the last shuffle and those that were in hands before (MP-4.7.2).

Discards are open, so every player knows which cards a new deck holds. A card that has left a hand since then is either
old (held at the shuffle) or new (drawn since). Where the record does not say, the origin is drawn by its likelihood.
"""

from __future__ import annotations

from typing import NamedTuple

from daybook.domain.games.making_profit.board import CARDS, UNKNOWN, Board, counts
from daybook.domain.kernel.sampling import Choice
from daybook.domain.kernel.terms import Seat, Viewer

SPLIT_STEPS_LIMIT = 20_000  # forwards and back; far more than the cards of a game need


class Origins(NamedTuple):
    """Unseen cards by type: old ones in hands, new ones in hands or deck; and how many of each a hand covers."""

    old: dict[str, int]
    new: dict[str, int]
    old_held: list[int]
    new_held: list[int]


class LeftHand(NamedTuple):
    """A card that left a hand since the shuffle. drawn: how many cards its player had drawn by then."""

    seat: Seat
    card: str
    drawn: int


def sort_unseen(view: Board, viewer: Viewer, unseen: dict[str, int], choose: Choice) -> Origins | None:
    """Sort the cards that a viewer does not see into old and new ones; None if no shuffle tells them apart.

    Also None after a hand or the deck was put right by hand, when what was known before no longer fits.
    """
    stocks = view.stocks
    if stocks is None or not stocks.drawn_cards:
        return None
    others = [seat for seat in range(view.seats) if seat != viewer]
    left = [
        LeftHand(seat, card, batch.drawn)
        for seat in others
        for batch in stocks.named[seat]
        for card in CARDS
        for _ in range(batch.cards[card])
    ]
    own = counts() if viewer is None or viewer < 0 else stocks.drawn_cards[viewer]
    new: dict[str, int] = {card: stocks.new[card] - own[card] for card in CARDS}
    old: dict[str, int] = {card: unseen[card] + sum(gone.card == card for gone in left) - new[card] for card in CARDS}
    held = [stocks.held[seat] if seat in others else 0 for seat in range(view.seats)]
    drawn = [stocks.drawn[seat] if seat in others else 0 for seat in range(view.seats)]
    if min(*new.values(), *old.values()) < 0 or sum(old.values()) != sum(held):
        return None
    is_old = _split(left, Origins(old, new, held, [0] * view.seats), choose)
    if is_old is None:
        return None
    for gone, came_before in zip(left, is_old, strict=True):
        (old if came_before else new)[gone.card] -= 1
        (held if came_before else drawn)[gone.seat] -= 1
    fits = all(held[seat] + drawn[seat] == view.players[seat].hand[UNKNOWN] for seat in others)
    return Origins(old, new, held, drawn) if fits else None


def _split(left: list[LeftHand], start: Origins, choose: Choice) -> list[bool] | None:
    """Draw for each card that left a hand whether it was an old one; None if no split is possible.

    start: before any left; `new_held` counts the new cards that each player has shown. Goes back where it is stuck.
    """
    is_old: list[bool] = []
    tried: list[bool] = []  # at each card, whether the other origin was tried
    old, new, held, shown = dict(start.old), dict(start.new), [*start.old_held], [*start.new_held]

    def move(gone: LeftHand, came_before: bool, by: int) -> None:
        if came_before:
            old[gone.card] -= by
            held[gone.seat] -= by
        else:
            new[gone.card] -= by
            shown[gone.seat] += by

    for _ in range(SPLIT_STEPS_LIMIT):
        if len(is_old) == len(left):
            return is_old
        gone = left[len(is_old)]
        as_old = held[gone.seat] * old[gone.card] * sum(new.values())
        as_new = (gone.drawn - shown[gone.seat]) * new[gone.card] * sum(old.values())
        possible = [held[gone.seat] > 0 and old[gone.card] > 0, gone.drawn > shown[gone.seat] and new[gone.card] > 0]
        if any(possible):
            first = choose(as_old + as_new) < as_old if all(possible) else possible[0]
            is_old.append(first)
            tried.append(not all(possible))
            move(gone, first, 1)
            continue
        while tried and tried[-1]:
            tried.pop()
            move(left[len(is_old) - 1], is_old.pop(), -1)
        if not tried:
            return None
        tried[-1] = True
        last = left[len(is_old) - 1]
        move(last, is_old[-1], -1)
        is_old[-1] = not is_old[-1]
        move(last, is_old[-1], 1)
    return None
