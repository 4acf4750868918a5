"""Policy of a steady player of London Markets: the board after a decision, valued in pounds at the end.

What is hidden is reckoned with: an offer by the cards that the others may hold of its type.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import exp

from daybook.domain.games.london_markets import moves, specials, stacks
from daybook.domain.games.london_markets.board import Board, Player
from daybook.domain.games.london_markets.printed import GOODS, ICON, LATE, UNKNOWN
from daybook.domain.games.london_markets.rules import LONDON_MARKETS
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.policy import Policy
from daybook.domain.kernel.terms import Decision, Seat
from daybook.domain.kernel.weights import weights_of


class Weights(Exact):
    """Weights, in pounds unless stated otherwise."""

    card: float  # a goods card in hand, while three rounds or more are left
    like: float  # for each other card of the type, more
    chance: float  # share of an amount on the market card that is counted before the auction
    bid: float  # share of the cards the others may hold of a type that they are thought to offer
    doubt: float  # cards, by which that may be wrong
    crate: float  # on display, for each round left
    kind: dict[str, float]  # value of a special card in hand, in addition to its payout now
    refill: float  # a replenishment card in play, for each round left
    unseen: float  # a special card not seen yet
    kept: float  # share of what a special card would pay now, while it may still be played later
    envy: float  # of a pound of the richest of the others


WEIGHTS = weights_of(__package__, Weights)


def weigh(weights: Weights, b: Board, seat: Seat) -> Callable[[Decision], float]:
    return partial(merit, weights, b, seat)


def merit(weights: Weights, b: Board, seat: Seat, d: Decision) -> float:
    match d:
        case moves.Offer():
            return offer_merit(weights, b, seat, d)
        case moves.TakePile():
            return len(b.specials[d.pile - 1])
        case moves.TakeSpecial():
            return special(weights, b, seat, d.card)
    after = LONDON_MARKETS.what_follows(b, seat, d)[0]
    while after.stage == "place":
        LONDON_MARKETS.carry_out(after, seat, moves.PlaceBar())
    return worth(weights, after, seat)


def offer_merit(weights: Weights, b: Board, seat: Seat, d: moves.Offer) -> float:
    """Return the expected yield of an offer, less the cards that go back; no offer is 0."""
    offered = [(goods, count) for goods, count in moves.count_by_type(d).items() if count]
    if not offered:
        return 0
    goods, count = offered[0]
    if len(offered) > 1 or goods not in b.open_types or count > b.players[seat].holds(goods):
        return -1  # where a hand is not recorded, only what was seen of it goes together with what the others offer
    return prize(weights, b, goods) * wins(weights, b, seat, goods, count) - count * (weights.card * pace(b) + 0.01)


def prize(weights: Weights, b: Board, goods: str) -> float:
    """Return the estimated worth of a market card's prize, in pounds."""
    amount = b.face[goods]
    if amount != ICON:
        return float(amount)
    return b.printed.specials_last_round_money if b.last_round else weights.unseen


def wins(weights: Weights, b: Board, seat: Seat, goods: str, count: float) -> float:
    """Return the probability that this many cards are the highest offer of their type."""
    if not count:
        return 0
    highest = max(may_hold(player, goods) for other, player in enumerate(b.players) if other != seat)
    return 1 / (1 + exp((weights.bid * highest - count + 0.5) / weights.doubt))


def may_hold(player: Player, goods: str) -> float:
    """Cards of a type that a hand holds, as far as this seat can tell."""
    return player.holds(goods) + player.hand[UNKNOWN] / len(GOODS)


def pace(b: Board) -> float:
    """Return the value of cards in this round, which falls in the last rounds."""
    return min(1.0, rounds_left(b) / 3)


def rounds_left(b: Board) -> int:
    """Return the number of rounds with actions to come."""
    return max(0, b.printed.game_rounds - max(b.round, 1))


def worth(weights: Weights, b: Board, seat: Seat) -> float:
    player, displayed = b.players[seat], display(weights, b)
    amount = player.money + goods_worth(weights, b, seat) + displayed[seat]
    amount += sum(special(weights, b, seat, card) for card in player.specials)
    if "tiebreaker" in player.in_play:
        amount += 2 * weights.kind["tiebreaker"]
    amount += weights.refill * rounds_left(b) * player.in_play.count("replenishment")
    return amount - weights.envy * max(
        other.money + displayed[place] for place, other in enumerate(b.players) if place != seat
    )


def goods_worth(weights: Weights, b: Board, seat: Seat) -> float:
    player = b.players[seat]
    held: dict[str, float] = {goods: may_hold(player, goods) for goods in GOODS}
    amount = sum(count * (weights.card + weights.like * (count - 1)) for count in held.values()) * pace(b)
    if b.stage != "over" and b.phase in ("actions", "replenish"):
        amount += weights.chance * sum(
            prize(weights, b, goods) * wins(weights, b, seat, goods, held[goods]) for goods in b.open_types
        )
    quota = b.quota if b.phase == "actions" and b.mover == seat else 0
    return amount + weights.card * quota * max(pace(b), 0.3)


def display(weights: Weights, b: Board) -> list[float]:
    """Return the value of each seat's crates on display."""
    each = weights.crate * (rounds_left(b) + 0.5)
    return [each * count for count in stacks.on_display(b)]


def special(weights: Weights, b: Board, seat: Seat, card: str) -> float:
    """Return the estimated worth of a special card in hand; 0 after the last actions."""
    left = rounds_left(b)
    last_turn = b.phase == "actions" and b.turn <= b.in_order().index(seat) if b.start is not None else False
    if not left and not last_turn:
        return 0
    if card == UNKNOWN:
        return weights.unseen * pace(b)
    printed = b.printed.specials[card]
    pays = specials.pay(b, printed, specials.counting(b, seat, printed))
    grows = weights.kind[printed.kind] * pace(b)
    if printed.kind in LATE or printed.kind == "clientele":
        return (weights.kept if left else 0.3) * pays + grows
    return grows


LOTS: frozenset[type[Decision]] = frozenset(
    {moves.SetupBar, moves.Replenish, moves.TakePile, moves.TakeSpecial, moves.UseAssistant}
)


def regardless_of_slots(d: Decision) -> Decision:
    """Return the decision without the slot of a bar, which does not matter (LM-4.2.7)."""
    match d:
        case moves.SetupBar():
            return moves.SetupBar(d.market)
        case moves.PlaceBar():
            return moves.PlaceBar()
    return d


def policy(weights: Weights) -> Policy[Board]:
    return Policy(revision=2, weigh=partial(weigh, weights), lots=LOTS, regardless=regardless_of_slots)


POLICY = policy(WEIGHTS)
