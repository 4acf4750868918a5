"""Draws what a viewer cannot see, out of choices that are made elsewhere: the domain itself knows no chance.

A game's `Secrecy.sample_board` lays on a redacted board what may lie there covered. Whoever calls it brings a `Choice`,
such as `Random(seed).randrange`: the same view and the same choices give the same board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

Choice = Callable[[int], int]  # how many there are to choose from -> which one, from 0

T = TypeVar("T")


def shuffle_cards(cards: Iterable[T], choose: Choice) -> list[T]:
    """Return the cards in a uniformly random order, by a uniform `choose`."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = choose(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def each_card(counts: Mapping[T, int]) -> list[T]:
    """Every card of a pile that is written down as counts by type."""
    return [card for card, count in counts.items() for _ in range(count)]
