"""Possible types of unseen cards: combinations that counting excludes (MP-3.4).

In a game with open hands nothing is unseen and every question here is answered at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from daybook.domain.games.making_profit.board import CARDS, UNKNOWN, Batch, Board, Card, Player, Stocks, counts
from daybook.domain.kernel.terms import Seat


def unseen(player: Player, cards: Sequence[Card]) -> list[Card]:
    """Return the types that unseen hand cards would get if these cards left the hand.

    A known card of the type goes first (MP-3.4.2).
    """
    if not player.hand[UNKNOWN]:
        return []
    return [card for card in CARDS for _ in range(cards.count(card) - player.hand[card])]


def holds(player: Player, cards: Sequence[Card]) -> bool:
    """Check if the hand can hold these cards; `?` stands for an unseen, unnamed card."""
    hand = player.hand
    missing = sum([max(0, cards.count(card) - hand[card]) for card in set(cards) - {UNKNOWN}])
    return missing + cards.count(UNKNOWN) <= hand[UNKNOWN]


def known_by_type(b: Board) -> dict[str, int]:
    """Return the number of cards of known type, by type, wherever they are."""
    return {card: known_of(b, card) for card in CARDS}


def known_of(b: Board, card: Card) -> int:
    held = sum([player.hand[card] + player.factory.count(card) for player in b.players])
    return b.deck[card] + b.discard[card] + held


def too_many(b: Board, named: Sequence[Card]) -> Card | None:
    """Return the first type with more known cards than exist (MP-3.4.3)."""
    copies = b.printed.copies
    for card in dict.fromkeys(named):
        if known_of(b, card) + named.count(card) > copies[card]:
            return card
    return None


# --- old and new cards since the shuffle (MP-3.4.6) ---


def stocks_at_shuffle(b: Board) -> Stocks | None:
    """Return the knowledge when the pile becomes the deck; None if a card of the pile was unseen."""
    if b.discard[UNKNOWN]:
        return None
    players, hidden = b.players, b.hands_are_hidden
    old: dict[str, int]
    if hidden:
        totals = known_by_type(b)
        old = {card: b.printed.copies[card] - totals[card] for card in CARDS}
    else:
        old = {card: sum([player.hand[card] for player in players]) for card in CARDS}
        old["R1"] -= sum([player.shown for player in players])
    return Stocks(
        new={card: b.discard[card] for card in CARDS},
        old=old,
        held=[player.hand[UNKNOWN] if hidden else player.cards - player.shown for player in players],
        drawn=[0] * len(players),
        named=[[] for _ in players],
        drawn_cards=[] if hidden else [counts() for _ in players],
    )


def beyond_shown(player: Player, cards: Sequence[Card]) -> list[Card]:
    """Return the cards that leave an open hand, without those already shown in it, which go first."""
    shown = player.shown
    left: list[Card] = []
    for card in cards:
        if card == "R1" and shown:
            shown -= 1
        elif card != UNKNOWN:  # another player's card, on a board as a seat sees it
            left.append(card)
    return left


def naming(stocks: Stocks, seat: Seat, named: Iterable[str]) -> Stocks:
    """Return the stocks after a player's unseen cards turn out to be of these types."""
    batches = [Batch(batch.drawn, dict(batch.cards)) for batch in stocks.named[seat]]
    drawn = stocks.drawn[seat]
    if not batches or (batches[-1].drawn != drawn and _binds(batches)):
        batches.append(Batch(drawn, dict.fromkeys(CARDS, 0)))
    last = batches[-1]
    last.drawn = drawn
    for card in named:
        last.cards[card] += 1
    return Stocks(
        stocks.new,
        stocks.old,
        stocks.held,
        stocks.drawn,
        [batches if other == seat else old for other, old in enumerate(stocks.named)],
        stocks.drawn_cards,
    )


def _binds(batches: list[Batch]) -> bool:
    """Check if the last batch proves more old cards than those before it; otherwise it is not stored."""
    *before, last = _least_old(batches)
    return last > max(before, default=0)


def _least_old(batches: list[Batch]) -> list[int]:
    """After each batch: how many cards named so far must be old, for want of draws."""
    least, total = [], 0
    for batch in batches:
        total += sum(batch.cards.values())
        least.append(total - batch.drawn)
    return least


def can_be(stocks: Stocks | None) -> bool:
    """Check if the cards named since the shuffle can be split into old and new ones (MP-3.4.6).

    Call a named card old or new. Each type has a least and a most number of old cards, each player too, and
    each player a least number after every batch. This is a flow with bounds from types to players, and such
    a flow exists when no set of types and batches needs more than its borders let through (Hoffman). The types
    are few, so every set of them is tried; the worst batches for it are found player by player.
    """
    if stocks is None:
        return True
    named = {card: sum(batch.cards[card] for own in stocks.named for batch in own) for card in CARDS}
    least: dict[str, int] = {card: max(0, named[card] - stocks.new[card]) for card in CARDS}
    chains = [(own, _least_old(own), held) for own, held in zip(stocks.named, stocks.held, strict=True) if own]
    if not any(least.values()) and all(bound <= 0 for _, bounds, _ in chains for bound in bounds):
        return True  # every one of them may be new
    if any(least[card] > stocks.old[card] for card in CARDS):
        return False
    if any(bounds[-1] > held for _, bounds, held in chains):
        return False
    return all(_lets_through(group, stocks, least, chains) for group in GROUPS)


GROUPS = [group for size in range(len(CARDS) + 1) for group in combinations(CARDS, size)]
Chain = tuple[list[Batch], list[int], int]


def _lets_through(group: tuple[str, ...], stocks: Stocks, minima: dict[str, int], chains: list[Chain]) -> bool:
    others = 0  # old cards that must be of a type outside the group
    room = 0  # old cards of the group that players can have named
    for batches, bounds, held in chains:
        of_group = 0
        worst = 0  # old cards outside the group, after any batch
        for batch, bound in zip(batches, bounds, strict=True):
            before = worst
            of_group += sum(batch.cards[card] for card in group)
            worst = max(worst, bound - of_group)
        others += worst
        room += min(of_group, held - before)
    return others <= sum(stocks.old[card] for card in CARDS if card not in group) and (
        sum(minima[card] for card in group) <= room
    )
