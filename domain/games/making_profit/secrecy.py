"""Visibility of cards (MP-3.3). The record knows hidden hands only as far as everyone knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from daybook.domain.games.making_profit import knowledge, shuffled_in
from daybook.domain.games.making_profit.board import CARDS, UNKNOWN, Board, Player, counts
from daybook.domain.games.making_profit.moves import CardDrawn, Drawn
from daybook.domain.kernel.sampling import Choice, each_card, shuffle_cards
from daybook.domain.kernel.terms import Seat, Viewer


def redact_board(b: Board, viewer: Viewer) -> Board:
    seen = b.twin()
    if all_open(b):
        return seen
    for seat, player in enumerate(seen.players):
        if seat != viewer:
            cover(player)
    seen.deck = counts() | {UNKNOWN: b.deck_size}
    if seen.stocks is not None:
        seen.stocks.drawn_cards = [
            cards if seat == viewer else counts() | {UNKNOWN: sum(cards.values())}
            for seat, cards in enumerate(seen.stocks.drawn_cards)
        ]
    return seen


def all_open(b: Board) -> bool:
    return b.hands_are_hidden or b.ended is not None


def cover(player: Player) -> None:
    """Hide a hand from others, except its size and the cards that were shown (MP-3.2.2)."""
    cards, shown = player.cards, min(player.shown, player.hand["R1"])
    player.hand = counts() | {"R1": shown, UNKNOWN: cards - shown}


def sample_board(view: Board, viewer: Viewer, choose: Choice) -> Board:
    """Hands of the others and the deck dealt out of the cards that the viewer does not see (MP-3.3)."""
    sampled = view.twin()
    if all_open(view):
        return sampled
    seen = knowledge.known_by_type(view)
    unseen: dict[str, int] = {card: view.printed.copies[card] - seen[card] for card in CARDS}
    hands = [player.hand for player in sampled.players]
    origins = shuffled_in.sort_unseen(view, viewer, unseen, choose)
    if origins is None:
        deal([*hands, sampled.deck], [pile[UNKNOWN] for pile in (*hands, sampled.deck)], unseen, choose)
        return sampled
    deal(hands, origins.old_held, origins.old, choose)
    deal([*hands, sampled.deck], [*origins.new_held, sampled.deck[UNKNOWN]], origins.new, choose)
    return sampled


def deal(piles: Sequence[dict[str, int]], covered: Sequence[int], unseen: Mapping[str, int], choose: Choice) -> None:
    """Lay these cards, shuffled, where some of each pile are covered."""
    cards = shuffle_cards(each_card(unseen), choose)
    for pile, count in zip(piles, covered, strict=True):
        pile[UNKNOWN] -= count
        for card in cards[:count]:
            pile[card] += 1
        del cards[:count]


def redact_step(
    b: Board, seat: Seat, decision: Any, effects: Sequence[Any], viewer: Viewer
) -> tuple[Any, Sequence[Any]]:
    """Hide a drawn card from all but its player."""
    if all_open(b):
        return decision, effects
    drawers = {effect.seat for effect in effects if isinstance(effect, CardDrawn)}
    if drawers <= {viewer}:
        return decision, effects
    return (
        Drawn(UNKNOWN) if isinstance(decision, Drawn) else decision,
        [redact_effect(effect, viewer) for effect in effects],
    )


def redact_effect(effect: Any, viewer: Viewer) -> Any:
    if isinstance(effect, CardDrawn) and effect.seat != viewer:
        return msgspec.structs.replace(effect, card=UNKNOWN)
    return effect
