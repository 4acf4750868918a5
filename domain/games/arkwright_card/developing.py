"""Step C: one development (ACG-4.11)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

from daybook.domain.games.arkwright_card import cards, costs, exchange, moves, points, setup, turns
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.printed import TRACKS
from daybook.domain.kernel.terms import Decision, Seat, Table, Tell, WhyNot, holds, refuse_unless

# --- checks ---


@holds("the track has a next step")
def track_open(b: Board, seat: Seat, d: moves.TakeDevelopment) -> WhyNot:
    return cards.track_full(b, seat, d.track)


@holds("no decade restriction prevents it")
def not_restricted(b: Board, seat: Seat, d: moves.TakeDevelopment) -> WhyNot:
    return cards.decade_too_early(b, seat, d.track)


@holds("the card lies in the supply")
def in_supply(b: Board, d: moves.TakeCard) -> WhyNot:
    return cards.not_in_supply(b, d.card)


@holds("the card lies at this place of the grid")
def at_place(b: Board, d: moves.TakeCard) -> WhyNot:
    return cards.not_at_place(b, d.card, d.place)


@holds("the card was not returned there in this turn")
def not_returned(b: Board, d: moves.TakeCard) -> WhyNot:
    return cards.returned_this_turn(b, d.card, d.place)


@holds("the player does not have the card")
def not_owned(b: Board, seat: Seat, d: moves.TakeCard) -> WhyNot:
    return cards.already_owned(b, seat, d.card)


@holds("the card was not discarded in this turn")
def not_discarded(b: Board, d: moves.TakeCard) -> WhyNot:
    return cards.discarded_this_turn(b, d.card)


@holds("the card differs from the one discarded")
def another_type(b: Board, d: moves.TakeCard) -> WhyNot:
    """Require another type than the one that just made room, whatever the ruling on copies (ACG-4.11.3)."""
    return refuse_unless(
        b.stage != "take_card" or d.card != b.turn.discarded[-1],
        "card_same_turn",
        "{card} was discarded in this turn",
        card=d.card,
    )


@holds("the player may have one more card")
def under_limit(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        not at_limit(b, seat),
        "card_limit",
        "seat {seat} may have {most} development cards",
        seat=seat,
        most=cards.limit(b, b.players[seat]),
    )


def at_limit(b: Board, seat: Seat) -> bool:
    player = b.players[seat]
    return len(player.cards) >= cards.limit(b, player)


@holds("the player has the card")
def card_owned(b: Board, seat: Seat, d: moves.DiscardForLimit) -> WhyNot:
    return cards.not_owned(b, seat, d.card)


@holds("the player has no room for another card")
def no_room_left(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(at_limit(b, seat), "not_at_limit", "there is room for another card")


@holds("another card can be taken")
def another_to_take(b: Board, seat: Seat, d: moves.DiscardForLimit) -> WhyNot:
    """Require another type in the supply that could be taken (ACG-4.11.3)."""
    return refuse_unless(
        any(card != d.card and takeable(b, seat, card) for card in b.supply),
        "not_at_limit",
        "no card could be taken in return",
    )


def takeable(b: Board, seat: Seat, card: str) -> bool:
    """Check if a card is in the supply and the seat may take it."""
    return not (
        cards.not_in_supply(b, card) or cards.already_owned(b, seat, card) or cards.discarded_this_turn(b, card)
    )


@holds("the player has Broker (6)")
def broker_owned(b: Board, seat: Seat) -> WhyNot:
    return cards.not_owned(b, seat, "broker")


@holds("the Broker can buy this many shares")
def broker_shares(b: Board, d: moves.UseBroker) -> WhyNot:
    most = b.printed.cards_broker_shares
    return refuse_unless(1 <= d.shares <= most, "nothing_done", "the Broker buys 1 to {most} shares", most=most)


@holds("the player can pay for the shares")
def broker_affordable(b: Board, seat: Seat, d: moves.UseBroker) -> WhyNot:
    player = b.players[seat]
    price = costs.half_price(player)
    return refuse_unless(
        d.shares * price <= player.money,
        "no_money",
        "a share costs £{price}, and the player has £{money}",
        price=price,
        money=player.money,
    )


@holds("the share track has room")
def shares_left(b: Board, seat: Seat, d: moves.UseBroker) -> WhyNot:
    return exchange.beyond_track(b, seat, d.shares)


@holds("decade restrictions are part of this game")
def limits_in_use(b: Board) -> WhyNot:
    return setup.option(b.options.restrictions)


@holds("the player has Inventor (8)")
def inventor_owned(b: Board, seat: Seat) -> WhyNot:
    return cards.not_owned(b, seat, "inventor")


@holds("they are two different tracks")
def two_tracks(d: moves.UseInventorDouble) -> WhyNot:
    return refuse_unless(d.first != d.second, "same_track", "two different tracks are developed")


@holds("both tracks have a next step")
def both_open(b: Board, seat: Seat, d: moves.UseInventorDouble) -> WhyNot:
    return cards.track_full(b, seat, d.first) or cards.track_full(b, seat, d.second)


@holds("no card has to be taken first")
def card_taken_first(b: Board) -> WhyNot:
    return refuse_unless(b.stage != "take_card", "must_take", "a card was discarded for another; take that card now")


# --- actions ---


def take_development(b: Board, seat: Seat, d: moves.TakeDevelopment, tell: Tell) -> None:
    cards.develop(b, seat, d.track, "ACG-4.11.1", tell)
    turns.end_turn(b, tell)


def take_card(b: Board, seat: Seat, d: moves.TakeCard, tell: Tell) -> None:
    cards.take(b, seat, d.card, "ACG-4.11.2", tell, d.place)
    if d.card == "foreman":
        b.stage = "foreman"
    else:
        turns.end_turn(b, tell)


def place_foreman(b: Board, seat: Seat, d: moves.PlaceForeman, tell: Tell) -> None:
    """Place the Foreman, in the set-up or right after the card was taken (ACG-4.12.6)."""
    if b.phase == "setup":
        setup.place_foreman(b, seat, d, tell)
    else:
        setup.put_foreman(b, seat, d, tell)
        turns.end_turn(b, tell)


def discard_for_limit(b: Board, seat: Seat, d: moves.DiscardForLimit, tell: Tell) -> None:
    """Quality in the reserve may take the place of an Engineer (ACG-4.12.12)."""
    player = b.players[seat]
    good = player.where("QE") if d.card == "engineer" else None
    lost = player.factory(good).quality["QE"].value if good is not None else 0
    cards.discard(b, seat, d.card, "ACG-4.11.3", tell)
    b.stage = "take_card"
    if lost and points.can_replace(b, seat, lost):
        b.turn.good, b.turn.points, b.stage = good, lost, "replace"


def use_broker(b: Board, seat: Seat, d: moves.UseBroker, tell: Tell) -> None:
    cards.discard(b, seat, "broker", "ACG-4.11.4", tell)
    exchange.buy(b, seat, d.shares, costs.half_price(b.players[seat]), True, "ACG-4.11.4", tell)
    turns.end_turn(b, tell)


def use_inventor_double(b: Board, seat: Seat, d: moves.UseInventorDouble, tell: Tell) -> None:
    cards.discard(b, seat, "inventor", "ACG-4.11.5", tell)
    cards.develop(b, seat, d.first, "ACG-4.11.5", tell)
    cards.develop(b, seat, d.second, "ACG-4.11.5", tell)
    turns.end_turn(b, tell)


def skip_development(b: Board, seat: Seat, d: moves.SkipDevelopment, tell: Tell) -> None:
    tell(moves.DevelopmentSkipped("ACG-4.11", seat))
    turns.end_turn(b, tell)


def tracks_in_order(table: Table, seat: Seat, d: moves.UseInventorDouble) -> Decision:
    """Return the decision with its two tracks in the usual order."""
    return moves.UseInventorDouble(*sorted((d.first, d.second), key=TRACKS.index))


# --- candidates ---


DEVELOPMENTS = tuple(moves.TakeDevelopment(track) for track in TRACKS)
PAIRS = tuple(moves.UseInventorDouble(first, second) for first, second in combinations(TRACKS, 2))


def candidate_cards(b: Board, seat: Seat) -> Iterable[Decision]:
    if b.solo is not None:
        return [moves.TakeCard(card, place) for place, card in b.solo.free().items()]
    return takings(tuple(b.printed.cards))


@lru_cache
def takings(named: tuple[str, ...]) -> tuple[moves.TakeCard, ...]:
    """Return a decision to take each named card."""
    return tuple(moves.TakeCard(card) for card in named)


def candidate_discards(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.DiscardForLimit(card) for card in b.players[seat].cards]


def candidate_brokers(b: Board, seat: Seat) -> Iterable[Decision]:
    """Return the decisions to buy shares with the Broker, the most first."""
    if "broker" not in b.players[seat].cards:
        return ()
    return [moves.UseBroker(count) for count in range(b.printed.cards_broker_shares, 0, -1)]


def candidate_doubles(b: Board, seat: Seat) -> Iterable[Decision]:
    return PAIRS if b.options.restrictions else ()
