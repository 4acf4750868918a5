"""How a steady player of Making Profit decides: the board after each decision, valued in dollars at the end."""

from __future__ import annotations

from functools import partial

import msgspec

from daybook.domain.games.making_profit.board import UNKNOWN, Board, Player
from daybook.domain.games.making_profit.course import carry_on, draw
from daybook.domain.games.making_profit.moves import SellAdd
from daybook.domain.games.making_profit.rules import MAKING_PROFIT, unheard
from daybook.domain.games.making_profit.scoring import totals
from daybook.domain.kernel.policy import Policy, ShortPlayOut
from daybook.domain.kernel.terms import Decision, Seat

WON = 1_000.0  # dollars that a victory is worth


class Weights(msgspec.Struct, frozen=True):
    """In dollars at the end, unless it says otherwise."""

    card: dict[str, float]  # the first of its kind in hand
    fade: float  # of that, each card more: an action sells three, and hands are long when the game ends
    runs: float  # of the own factory, still to come from level 0 on
    other_runs: float  # of a strange one
    resource: float  # for a card drawn in each of the own runs
    level: float  # of the levels that the own factory still lacks, so many will come, per certificate
    spare: float  # for a card to develop in the next turn, when the game may end without
    quiet: float  # how likely somebody's turn passes without development
    ending: float  # for ending the game now as far ahead as `ahead`, or more
    ahead: float  # so far ahead, or behind, counts whole
    envy: float  # of a dollar of the best of the others


# Origin: set by hand from the sheet's prices, then each tried greater and smaller in games of four seats, two by
# chance, and kept where the others won more of them and stood higher. A hand is worth little after its first card. The
# weights of the end were tried over a thousand games each: where they are small, games are lost that end at once.
WEIGHTS = Weights(
    card={"R1": 6.0, "R2": 3.4, "M1": 3.2, "M2": 2.4, UNKNOWN: 0.4}, fade=0.42, runs=1.1, other_runs=5.0, resource=5.2,
    level=0.34, spare=0.9, quiet=0.6, ending=40.0, ahead=10.0, envy=0.16)


def merit(weights: Weights, b: Board, seat: Seat, d: Decision) -> float:
    """What the board is worth to the seat after a decision, and after the best that it can do then in the same turn.

    Nothing is sold, for each certificate counts at the end.
    """
    if isinstance(d, SellAdd):
        return -2 * WON
    after = played(b, seat, d)
    if after.ended or after.mover != seat or after.turn != b.turn or MAKING_PROFIT.course.to_act(after) != (seat,):
        return worth(weights, after, seat)
    return max(
        worth(weights, played(after, seat, then), seat) for then in MAKING_PROFIT.legal(after, seat)
        if not isinstance(then, SellAdd))


def played(b: Board, seat: Seat, d: Decision) -> Board:
    """The board after a decision, what is drawn being unknown."""
    after = MAKING_PROFIT.play(b, seat, d)[0]
    while after.draws and not after.nationalising and not after.ended:
        draw(after, UNKNOWN, 1, unheard)
        carry_on(after, unheard)
    return after


def worth(weights: Weights, b: Board, seat: Seat) -> float:
    amounts = totals(b)
    others = max(amount for other, amount in enumerate(amounts) if other != seat)
    if b.ended is not None:
        return (WON if amounts[seat] > others else -WON) + amounts[seat] - others
    player = b.players[seat]
    best = max(amounts[other] + prospects(weights, b, other) for other in range(b.seats) if other != seat)
    spare = weights.spare if player.cards and b.developer != seat else 0
    ahead = max(-1.0, min(1.0, (amounts[seat] - others) / weights.ahead))
    return amounts[seat] + prospects(weights, b, seat) + hand(weights, player) + spare - weights.envy * best + (
        weights.ending * weights.quiet ** quiet_turns(b) * ahead)


def quiet_turns(b: Board) -> int:
    """How many turns without development would end the game (MP-4.8)."""
    last = b.start if b.developer is None else b.developer
    return (last - b.mover) % b.seats or b.seats if last is not None else b.seats


def hand(weights: Weights, player: Player) -> float:
    """The cards in hand, the best first."""
    cards = sorted((weights.card[card] for card, count in player.hand.items() for _ in range(count)), reverse=True)
    return sum(value * weights.fade ** place for place, value in enumerate(cards))


def prospects(weights: Weights, b: Board, seat: Seat) -> float:
    """What the factories will still bring to a seat."""
    held, last = b.players[seat].certificates, b.printed.last_level
    left = 1 - max(player.level for player in b.players) / last  # of the game, as far as levels tell
    amount = 0.0
    for other, (colour, player) in enumerate(zip(b.table.colours, b.players, strict=True)):
        yields = [b.printed.yields[card] for card in player.factory]
        runs = left * (weights.runs if other == seat else weights.other_runs)
        amount += held[colour] * runs * sum(of_card.money for of_card in yields)
        amount += held[colour] * left * weights.level * (last - player.level)
        if other == seat:
            amount += runs * weights.resource * sum(of_card.resources for of_card in yields)
    return amount


SHORT = ShortPlayOut(
    steps=300, least=10, far=60, slope=-3.28, rise=-0.04, length={2: 13, 3: 31, 4: 66},
    origin="fitted to the ends of periods by `daybook calibrate making_profit --players 4 --games 200 --positions 1 "
           "--seed 2000000 --option hands=open`")


def policy(weights: Weights) -> Policy[Board]:
    return Policy(revision=3, merit=partial(merit, weights), worth=partial(worth, weights), short=SHORT)


POLICY = policy(WEIGHTS)
