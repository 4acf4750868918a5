"""Draw the parts of a board that a viewer cannot see. The domain has no random numbers: the caller passes them in.

A game's `Secrecy.sample_board` fills a redacted board with possible hidden cards. The caller passes a `Choice`, such as
`Random(seed).randrange`. The same view and the same choices give the same board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

Choice = Callable[[int], int]  # number of options -> index of the chosen one

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
