"""Visibility (LM-3.3). A hand on the board is what everyone knows of it; only the rest has to be covered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from daybook.domain.games.london_markets import knowledge, moves
from daybook.domain.games.london_markets.board import Board, Player, Stage, none_of_each
from daybook.domain.games.london_markets.printed import GOODS, UNKNOWN
from daybook.domain.games.london_markets.setup import BEFORE_START
from daybook.domain.games.london_markets.specials import chooser
from daybook.domain.kernel.sampling import Choice, each_card, shuffle_cards
from daybook.domain.kernel.terms import KEEPER, Seat, Viewer


def redact_board(b: Board, viewer: Viewer) -> Board:
    seen = b.twin()
    if b.stage == "over":
        return seen
    if viewer == KEEPER:
        for player in seen.players:
            seal(player, b.stage)
        return seen
    for seat, player in enumerate(seen.players):
        if seat != viewer:
            cover(player)
            seal(player, b.stage)
    looking = b.looking if viewer == looker(b) else None
    seen.specials = [
        cards if pile == looking else [UNKNOWN] * len(cards) for pile, cards in enumerate(seen.specials, 1)
    ]
    return seen


def cover(player: Player) -> None:
    """Others know the size of a hand and what was shown of it."""
    player.unseen = None
    player.specials = [UNKNOWN] * len(player.specials)


def seal(player: Player, stage: Stage) -> None:
    """Hide a sealed offer, also from the scorekeeper; everyone knows that it is sealed (LM-3.4.9)."""
    if stage == "offers" and player.offer is not None:
        player.offer = UNKNOWN


def looker(b: Board) -> Seat | None:
    """Return the seat that looks through a pile of special cards."""
    return None if b.looking is None else chooser(b)


def sample_board(view: Board, viewer: Viewer, choose: Choice) -> Board:
    """Covered hands, special cards and sealed offers, drawn out of what the viewer does not see.

    In a record that does not see hands (`hidden`) they stay unseen, for the board in full has no more of them.
    """
    sampled = view.twin()
    if view.stage == "over":
        return sampled
    if not view.hands_are_hidden:
        deal_goods(sampled, choose)
        if view.stage != "deal" and view.stage not in BEFORE_START:
            lay_specials(sampled, choose)
    for player in sampled.players:
        if player.offer == UNKNOWN:
            player.offer = None
            player.offer = candidate_offer(sampled, player, choose)
    return sampled


def deal_goods(b: Board, choose: Choice) -> None:
    cards = shuffle_cards(each_card({goods: knowledge.cards_unseen(b, goods) for goods in GOODS}), choose)
    for player in b.players:
        if player.unseen is None:
            dealt = cards[: player.hand[UNKNOWN]]
            player.unseen = {goods: dealt.count(goods) for goods in GOODS}
            del cards[: len(dealt)]


def lay_specials(b: Board, choose: Choice) -> None:
    copies = b.printed.copies
    left = {card: copies[card] - knowledge.seen_copies(b, card) for card in copies}
    cards = iter(shuffle_cards(each_card(left), choose))
    for pile in [*b.specials, *[player.specials for player in b.players]]:
        pile[:] = [next(cards) if card == UNKNOWN else card for card in pile]


def candidate_offer(b: Board, player: Player, choose: Choice) -> dict[str, int]:
    """No cards, or some of a type that is up for auction: what the hand can hold together with the other offers."""
    told = [(other, other.offer) for other in b.players if isinstance(other.offer, dict)]
    seat = next(seat for seat, other in enumerate(b.players) if other is player)
    offers = [none_of_each()] + [
        none_of_each() | {goods: count}
        for goods in b.open_types
        for count in range(1, player.holds(goods) + player.hand[UNKNOWN] * (player.unseen is None) + 1)
    ]
    possible = [
        cards
        for cards in offers
        if knowledge.cannot_hold(b, seat, cards) is None
        and knowledge.cannot_hold_together(b, [*told, (player, cards)]) is None
    ]
    return possible[choose(len(possible))]


def redact_step(
    b: Board, seat: Seat, decision: Any, effects: Sequence[Any], viewer: Viewer
) -> tuple[Any, Sequence[Any]]:
    if b.stage == "over":
        return decision, effects
    if viewer == KEEPER:
        return redact_offers(decision, effects), effects
    return redact_decision(seat, decision, effects, viewer), [redact_effect(effect, viewer) for effect in effects]


def redact_offers(decision: Any, effects: Sequence[Any]) -> Any:
    """Return a decision as a viewer of all hands sees it."""
    if isinstance(decision, moves.Offer) and not offers_revealed(effects):
        return moves.Offer(unseen=True)
    return (
        moves.OffersRevealed(())
        if isinstance(decision, moves.OffersRevealed) and not offers_revealed(effects)
        else decision
    )


def redact_decision(seat: Seat, decision: Any, effects: Sequence[Any], viewer: Viewer) -> Any:
    """Redact the hidden cards of a decision for a viewer."""
    match decision:
        case moves.HandDealt() if effects[0].seat != viewer:
            return moves.HandDealt(unseen=True)
        case moves.SpecialStacked():
            return moves.SpecialStacked(UNKNOWN)
        case moves.TakeSpecial() if seat != viewer:
            return moves.TakeSpecial(UNKNOWN)
        case moves.Offer() if seat == viewer:
            return decision
    return redact_offers(decision, effects)


def offers_revealed(effects: Sequence[Any]) -> bool:
    """Check if the offers were revealed."""
    return any(isinstance(effect, moves.OfferShown) for effect in effects)


def redact_effect(effect: Any, viewer: Viewer) -> Any:
    match effect:
        case moves.GoodsDealt() if effect.seat != viewer:
            return msgspec.structs.replace(effect, cards=None)
        case moves.SpecialTaken() if effect.seat != viewer:
            return msgspec.structs.replace(effect, card=UNKNOWN)
    return effect
