"""What holds on every board (MP-7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.games.making_profit import knowledge
from domain.games.making_profit.board import CARDS, UNKNOWN, Board
from domain.ruleset import TABLE, Breach, because


def breaches(b: Board) -> Iterator[Breach]:
    yield from cards_add_up(b)
    yield from certificates_add_up(b)
    yield from levels_fit(b)
    yield from nothing_below_zero(b)
    yield from deck_rebuilt(b)
    if not 0 <= b.actions <= b.printed.actions:
        yield Breach("MP-7.6", because("actions", "{actions} actions are left in the turn", actions=b.actions))
    if not knowledge.can_be(b.stocks):
        yield Breach("MP-7.14", because(
            "card_unknown", "the cards named since the shuffle cannot all have been in these hands"))


def cards_add_up(b: Board) -> Iterator[Breach]:
    known = knowledge.known(b)
    unseen = b.deck[UNKNOWN] + b.discard[UNKNOWN] + sum(player.hand[UNKNOWN] for player in b.players)
    total = sum(known.values()) + unseen
    if total != b.printed.cards:
        yield Breach("MP-7.1", because(
            "cards", "there are {total} cards, not {all}", total=total, all=b.printed.cards))
    for card in CARDS:
        if known[card] > b.printed.copies[card]:
            yield Breach("MP-7.1", because(
                "copies", "there are {known} cards {card}, not {copies}",
                known=known[card], card=card, copies=b.printed.copies[card]))


def certificates_add_up(b: Board) -> Iterator[Breach]:
    for colour, banked in b.bank.items():
        total = banked + sum(player.certificates[colour] for player in b.players)
        if total != b.printed.certificates:
            yield Breach("MP-7.2", because(
                "certificates", "there are {total} {colour} certificates, not {all}",
                total=total, colour=colour, all=b.printed.certificates))


def levels_fit(b: Board) -> Iterator[Breach]:
    last = b.printed.last_level
    full = sum(player.level == last for player in b.players)
    if any(player.level > last for player in b.players) or full != (b.ended == "level_ten"):
        yield Breach("MP-7.3", because(
            "levels", "a factory has level {last} exactly when that ended the game", last=last))


def nothing_below_zero(b: Board) -> Iterator[Breach]:
    if any(player.money < 0 for player in b.players):
        yield Breach("MP-7.4", because("money", "a player has less than no money"))
    if any(amount < 0 for place in places(b) for amount in place.values()):
        yield Breach("MP-7.1", because("places", "a place holds less than nothing"))


def places(b: Board) -> Iterable[dict[str, int]]:
    yield from (b.bank, b.deck, b.discard, b.sale)
    for player in b.players:
        yield player.hand
        yield player.certificates


def deck_rebuilt(b: Board) -> Iterator[Breach]:
    """Between actions the deck is empty only if no card is to be had (MP-4.7.5)."""
    if b.mover == TABLE or b.ended or b.draws or b.discarder is not None or b.deck_size:
        return
    if any(b.discard.values()) or any(player.cards > b.printed.hand_limit for player in b.players):
        yield Breach("MP-7.5", because("deck", "the deck is empty although there are cards to rebuild it"))
