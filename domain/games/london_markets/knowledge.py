"""Possible contents of hands, as far as the record knows (LM-3.4).

After the deal every change of a goods hand is public by type. So the "?" of a hand are cards of the deal that were
not shown since, and a record is possible exactly when no hand needs more of them than it has, and no type needs more
than were dealt and not seen since (LM-3.4.4): what is left over can always be filled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from daybook.domain.games.london_markets.board import Board, Player
from daybook.domain.games.london_markets.printed import GOODS, UNKNOWN, Card
from daybook.domain.kernel.terms import Seat, WhyNot, because, by_number

Cards = Mapping[str, int]

# --- goods cards ---


def cards_known(b: Board, goods: str) -> int:
    """Cards of a type that the record sees, wherever they lie."""
    total = b.piles[goods] + on_table(b, goods)
    for player in b.players:
        total += player.hand[goods]
        if player.unseen is not None:
            total += player.unseen[goods]
    return total


def on_table(b: Board, goods: str) -> int:
    """Cards of a type in offers that are being settled."""
    if not b.settling:
        return 0
    return sum([player.offer[goods] for player in b.players if isinstance(player.offer, dict)])


def cards_unseen(b: Board, goods: str) -> int:
    """Cards of a type that were dealt and that the record has not seen."""
    return b.printed.goods_each_type - cards_known(b, goods)


def missing(player: Player, cards: Cards) -> dict[str, int]:
    """Return the cards beyond the known ones of a hand, which its unseen cards would have to be."""
    hand = player.hand
    return {goods: count - hand[goods] for goods, count in cards.items() if count > hand[goods]}


UNSEEN_NEEDED = by_number(
    "needed",
    "the hand would need {needed} unseen card ({cards}); it has {unseen}",
    "the hand would need {needed} unseen cards ({cards}); it has {unseen}",
)


def cannot_hold(b: Board, seat: Seat, cards: Cards) -> WhyNot:
    """Return why a hand cannot hold these cards, or None."""
    player = b.players[seat]
    if player.unseen is not None:
        return lacking(player, cards)
    needed = missing(player, cards)
    if sum(needed.values()) > player.hand[UNKNOWN]:
        return because(
            "cards_not_held",
            UNSEEN_NEEDED,
            needed=sum(needed.values()),
            cards=cards_in_words(needed),
            unseen=player.hand[UNKNOWN],
        )
    return dealt_too_few(b, needed)


def lacking(player: Player, cards: Cards) -> WhyNot:
    """Return why a hand cannot hold these cards, or None."""
    for goods, count in cards.items():
        if count > player.holds(goods):
            return because(
                "cards_not_held",
                "the hand holds {held} {goods}, not {given}",
                held=player.holds(goods),
                goods=goods,
                given=count,
            )
    return None


def dealt_too_few(b: Board, needed: Cards) -> WhyNot:
    for goods, count in needed.items():
        unseen = cards_unseen(b, goods)
        if count > unseen:
            return because(
                "cards_not_held",
                "{needed} more {goods} would have been dealt; {unseen} of those dealt are unseen yet",
                needed=count,
                goods=goods,
                unseen=unseen,
            )
    return None


def cannot_hold_together(b: Board, offers: Iterable[tuple[Player, Cards]]) -> WhyNot:
    """Return why hands cannot hold offers together that each could hold alone, or None (LM-3.4.4)."""
    total: dict[str, int] = dict.fromkeys(GOODS, 0)
    for player, cards in offers:
        if player.unseen is None:
            for goods, count in missing(player, cards).items():
                total[goods] += count
    return dealt_too_few(b, total)


def show(player: Player, goods: str, count: int) -> None:
    """Note that everyone sees this many cards of a type in the hand (LM-3.4.3)."""
    seen = count - player.hand[goods]
    if seen <= 0:
        return
    player.hand[goods] += seen
    player.hand[UNKNOWN] -= seen
    if player.unseen is not None:
        player.unseen[goods] -= seen


def cards_in_words(cards: Cards) -> str:
    return ", ".join(f"{count} {goods}" for goods, count in cards.items())


# --- special cards ---


def seen_copies(b: Board, card: Card) -> int:
    """Return the number of copies of a special card that the record sees, wherever they are."""
    copies = b.removed.count(card)
    for pile in b.specials:
        copies += pile.count(card)
    for player in b.players:
        copies += player.specials.count(card) + player.in_play.count(card)
    return copies


def can_be_in_hand(b: Board, seat: Seat, card: Card) -> bool:
    """Check if a player can hold a special card, seen or not (LM-3.4.6)."""
    held, copies = b.players[seat].specials, b.printed.copies.get(card, 0)
    return copies > 0 and (card in held or (UNKNOWN in held and seen_copies(b, card) < copies))
