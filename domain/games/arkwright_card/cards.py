"""Development cards: limits on taking them, and the effects of coming and going (ACG-4.11, ACG-4.12)."""

from __future__ import annotations

from daybook.domain.games.arkwright_card import moves
from daybook.domain.games.arkwright_card.board import Board, Player
from daybook.domain.games.arkwright_card.printed import LIFTS
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, refuse_unless

# --- why not ---


def not_owned(b: Board, seat: Seat, card: str) -> WhyNot:
    return refuse_unless(
        card in b.players[seat].cards,
        "card_not_available",
        "{card} is not one of the cards of seat {seat}",
        card=card,
        seat=seat,
    )


def already_rotated(b: Board, seat: Seat, card: str) -> WhyNot:
    return refuse_unless(
        card not in b.players[seat].rotated, "card_rotated", "{card} has been used in this decade", card=card
    )


def available(b: Board, card: str) -> int:
    """Cards of a type in the supply; in a solo game, in the grid and without a disc."""
    return list(b.solo.free().values()).count(card) if b.solo is not None and b.solo.grid else b.supply.get(card, 0)


def not_in_supply(b: Board, card: str) -> WhyNot:
    free = available(b, card)
    return refuse_unless(
        free or b.solo is None or card not in b.solo.grid,
        "under_disc",
        "{card} has a disc on it and counts as taken",
        card=card,
    ) or refuse_unless(free, "card_not_available", "there is no {card} in the supply", card=card)


def not_at_place(b: Board, card: str, place: int) -> WhyNot:
    """Require the card at its place in the grid of a solo game (ACG-6.2.4, ACG-6.3.10)."""
    if b.solo is None:
        return refuse_unless(not place, "not_in_grid", "this game has no grid of cards")
    return refuse_unless(
        b.solo.card(place) == card, "not_in_grid", "{card} is not at place {place} of the grid", card=card, place=place
    ) or refuse_unless(place in b.solo.free(), "under_disc", "{card} has a disc on it and counts as taken", card=card)


def already_owned(b: Board, seat: Seat, card: str) -> WhyNot:
    return refuse_unless(
        card not in b.players[seat].cards, "card_owned", "seat {seat} has a {card} already", seat=seat, card=card
    )


def discarded_this_turn(b: Board, card: str) -> WhyNot:
    """Refuse a card discarded in this turn; with `same_turn_by_copy`, another copy is allowed (ACG-4.11.2)."""
    gone = b.turn.discarded.count(card)
    return refuse_unless(
        not gone or (b.options.same_turn_by_copy and available(b, card) > gone),
        "card_same_turn",
        "{card} was discarded in this turn",
        card=card,
    )


def returned_this_turn(b: Board, card: str, place: int) -> WhyNot:
    """Refuse the very card that was discarded in this turn, by its place in the grid (ACG-7.1.8)."""
    return refuse_unless(place not in b.turn.returned, "card_same_turn", "{card} was discarded in this turn", card=card)


def limit(b: Board, player: Player) -> int:
    """Return the number of development cards that a player may own."""
    return b.level(player, "cards")


def track_full(b: Board, seat: Seat, track: str) -> WhyNot:
    player = b.players[seat]
    return refuse_unless(
        player.levels[track] + 1 < len(b.printed.tracks[track].levels),
        "track_full",
        "the {track} track is at its end",
        track=track,
    )


def decade_too_early(b: Board, seat: Seat, track: str) -> WhyNot:
    """Require the decade of the next step, unless a card lifts the limit (ACG-4.11.1, ACG-4.11.9)."""
    player = b.players[seat]
    if not b.options.restrictions or any(LIFTS.get(card) == track for card in player.cards):
        return None
    decade = b.printed.tracks[track].limits[player.levels[track]]
    return refuse_unless(
        b.decade >= decade,
        "restricted",
        "the next step on the {track} track is open from decade {decade} on",
        track=track,
        decade=decade,
    )


# --- what happens ---


def develop(b: Board, seat: Seat, track: str, rule: str, tell: Tell) -> None:
    """Take one step on a development track."""
    player = b.players[seat]
    player.levels[track] += 1
    tell(moves.DevelopmentTaken(rule, seat, track, player.levels[track], b.level(player, track)))


def take(b: Board, seat: Seat, card: str, rule: str, tell: Tell, place: int = 0) -> None:
    """place: of the card, in the grid of a solo game."""
    player = b.players[seat]
    if b.solo is None:
        b.supply[card] -= 1
    else:
        b.solo.grid[place - 1] = None
    player.cards.append(card)
    tell(moves.CardTaken(rule, seat, card))
    if card == "engineer" and player.quality_cap != b.printed.rules_quality_cap:
        player.quality_cap = b.printed.rules_quality_cap
        tell(moves.QualityCapRaised("ACG-4.12.11", seat, player.quality_cap))
    if b.options.restrictions and card in LIFTS:
        tell(moves.LimitLifted("ACG-4.11.9", seat, LIFTS[card], card))


def rotate_card(b: Board, seat: Seat, card: str, rule: str, tell: Tell) -> None:
    b.players[seat].rotated.append(card)
    tell(moves.CardRotated(rule, seat, card))


def discard(b: Board, seat: Seat, card: str, rule: str, tell: Tell) -> None:
    """Return a player's card to the supply, and remove it from its factory (ACG-4.11.6, ACG-4.11.7)."""
    player = b.players[seat]
    player.cards.remove(card)
    if card in player.rotated:
        player.rotated.remove(card)
    put_back(b, card)
    if b.phase == "action":
        b.turn.discarded.append(card)
    tell(moves.CardDiscarded(rule, seat, card))
    leave(b, seat, card, tell)
    if b.options.restrictions and card in LIFTS:
        tell(moves.LimitReturned("ACG-4.11.9", seat, LIFTS[card], card))


def put_back(b: Board, card: str) -> None:
    """Put a card back into the supply; in a solo game, onto the first empty place of the grid (ACG-6.3.10)."""
    if b.solo is None:
        b.supply[card] += 1
        return
    place = b.solo.grid.index(None) + 1
    b.solo.grid[place - 1] = card
    if b.phase == "action":
        b.turn.returned.append(place)


def leave(b: Board, seat: Seat, card: str, tell: Tell) -> None:
    """Remove from the mat what a development card that leaves had put there."""
    for good, factory in b.players[seat].open():
        if card == "foreman" and factory.foreman:
            factory.foreman = False
            tell(moves.ForemanLeft("ACG-4.11.7", seat, good))
        if card == "engineer" and "QE" in factory.quality:
            lost = factory.quality.pop("QE")
            tell(moves.CardLifted("ACG-4.11.7", seat, good, "QE", lost.value, factory.quality_value))
        lying = factory.distribution
        if card == "patent" and lying is not None and lying.card == "DP":
            factory.distribution = None
            tell(moves.CardLifted("ACG-4.11.7", seat, good, "DP", lying.value, 0))
        if card == "big_storehouse" and "SC" in factory.storehouses:
            goods = factory.storehouses.pop("SC")
            if goods:
                tell(moves.GoodsWasted("ACG-4.11.7", seat, good, goods))
