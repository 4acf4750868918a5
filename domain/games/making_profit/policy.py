"""Policy of a steady player of Making Profit: the board after each decision, valued in dollars at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import mul
from typing import NamedTuple

from daybook.domain.games.making_profit.board import UNKNOWN, Board, Card, Player
from daybook.domain.games.making_profit.course import carry_on, draw
from daybook.domain.games.making_profit.moves import SellAdd, SellResources
from daybook.domain.games.making_profit.rules import MAKING_PROFIT, unheard
from daybook.domain.kernel.curves import Curve
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.policy import Policy, ShortPlayOut
from daybook.domain.kernel.terms import Decision, Seat
from daybook.domain.kernel.weights import weights_of

WON = 1_000.0  # dollars that a victory is worth
GIVEN = 0.01  # and of a card in another player's hand at the end, where it is worthless


class Weights(Exact):
    """Weights, in dollars at the end unless stated otherwise."""

    card: dict[str, float]  # the first of its kind in hand
    fade: float  # of that, each card more: an action sells three, and hands are long when the game ends
    runs: float  # of the own factory, still to come from level 0 on
    other_runs: float  # of a strange one
    resource: float  # for a card drawn in each of the own runs
    level: float  # share of the levels that the own factory lacks which will come, per certificate
    spare: float  # for a card to develop in the next turn, when the game may end without
    quiet: float  # probability that a player's turn passes without development
    ending: float  # for ending the game now as far ahead as `ahead`, or more
    ahead: float  # so far ahead, or behind, counts whole
    envy: float  # of a dollar of the best of the others


WEIGHTS = weights_of(__package__, Weights)


class Factories(NamedTuple):
    """Values of the factories, each by its seat.

    worths: of a certificate now; to_come: its future yield; to_owner: the owner's surplus or deficit; cards: the yield
    of the owner's cards.
    """

    worths: list[int]
    to_come: list[float]
    to_owner: list[float]
    cards: list[float]


class Outlook:
    """A seat's view in one decision; the value of factories is computed once for each state of them."""

    def __init__(self, weights: Weights, b: Board, seat: Seat) -> None:
        self.weights, self.board, self.seat = weights, b, seat
        self.known: dict[tuple[tuple[Card, ...], ...], Factories] = {}

    def factories(self, b: Board) -> Factories:
        standing = tuple([tuple(player.factory) for player in b.players])
        found = self.known.get(standing)
        if found is None:
            found = self.known[standing] = factories(self.weights, b)
        return found


def weigh(weights: Weights, b: Board, seat: Seat) -> Callable[[Decision], float]:
    return partial(merit, Outlook(weights, b, seat))


def merit(outlook: Outlook, d: Decision) -> float:
    """Return the value of the board for the seat after a decision and its best continuation in the same turn.

    Nothing is sold, for each certificate counts at the end.
    """
    b, seat = outlook.board, outlook.seat
    if isinstance(d, SellAdd):
        return -2 * WON
    after = board_after(b, seat, d)
    if after.ended or after.mover != seat or after.turn != b.turn or MAKING_PROFIT.course.to_act(after) != (seat,):
        return value(outlook, after)
    return max(
        value(outlook, board_after(after, seat, then))
        for then in MAKING_PROFIT.legal(after, seat)
        if not isinstance(then, SellAdd)
    )


def board_after(b: Board, seat: Seat, d: Decision) -> Board:
    """Return the board after a decision; drawn cards stay unknown."""
    after = MAKING_PROFIT.what_follows(b, seat, d)[0]
    while after.draws and not after.nationalising and not after.ended:
        draw(after, UNKNOWN, 1, unheard)
        carry_on(after, unheard)
    return after


def worth(weights: Weights, b: Board, seat: Seat) -> float:
    return value(Outlook(weights, b, seat), b)


def value(outlook: Outlook, b: Board) -> float:
    """Return the value of a board for the seat."""
    weights, seat, factories, player = outlook.weights, outlook.seat, outlook.factories(b), b.players[outlook.seat]
    amounts = [  # as they count at the end (MP-5.2)
        player_of_seat.money + worth_of_certificates(b, player_of_seat, factories.worths)
        for player_of_seat in b.players
    ]
    others = max(amounts[:seat] + amounts[seat + 1 :])
    if b.ended is not None:
        given = sum(player_of_seat.cards for other, player_of_seat in enumerate(b.players) if other != seat)
        return (WON if amounts[seat] > others else -WON) + amounts[seat] - others - GIVEN * given
    prospects = [amount + to_come(b, other, factories) for other, amount in enumerate(amounts)]
    best = max(prospects[:seat] + prospects[seat + 1 :])
    spare = weights.spare if player.cards and b.developer != seat else 0
    ahead = max(-1.0, min(1.0, (amounts[seat] - others) / weights.ahead))
    return (
        prospects[seat]
        + hand(weights, player)
        + spare
        - weights.envy * best
        + (weights.ending * weights.quiet ** quiet_turns(b) * ahead)
    )


def worth_of_certificates(b: Board, player: Player, each: Sequence[float]) -> float:
    """Return the value of a seat's certificates, at the given value per seat's factory."""
    amount: float = sum(map(mul, map(player.certificates.__getitem__, b.table.colours), each))
    return amount


def to_come(b: Board, seat: Seat, factories: Factories) -> float:
    """Return the future yield of the factories for a seat."""
    player = b.players[seat]
    own = player.certificates[b.table.colours[seat]]
    return worth_of_certificates(b, player, factories.to_come) + own * factories.to_owner[seat] + factories.cards[seat]


def quiet_turns(b: Board) -> int:
    """Return the number of turns without development that would end the game (MP-4.8)."""
    last = b.start if b.developer is None else b.developer
    return (last - b.mover) % b.seats or b.seats if last is not None else b.seats


def hand(weights: Weights, player: Player) -> float:
    """Return the value of a hand; each card counts less than the next better one."""
    amount = 0.0
    for value in sorted([weights.card[card] for card, count in player.hand.items() for _ in range(count)]):
        amount = value + weights.fade * amount
    return amount


def factories(weights: Weights, b: Board) -> Factories:
    last = b.printed.factories_last_level
    left = 1 - max(player.level for player in b.players) / last  # of the game, as far as levels tell
    yields = [[b.printed.cards[card] for card in player.factory] for player in b.players]
    money = [sum(of_card.money for of_card in of_factory) for of_factory in yields]
    resources = [sum(of_card.resources for of_card in of_factory) for of_factory in yields]
    return Factories(
        [b.worth_of(player) for player in b.players],
        [
            left * (weights.other_runs * amount + weights.level * (last - player.level))
            for amount, player in zip(money, b.players, strict=True)
        ],
        [left * (weights.runs - weights.other_runs) * pounds for pounds in money],
        [left * weights.runs * weights.resource * units for units in resources],
    )


SHORT = ShortPlayOut(
    steps=300,
    least=10,
    far=60,
    curve=Curve(
        slope=-3.28,
        rise=-0.04,
        length={2: 13, 3: 31, 4: 66},
        origin="fitted to the ends of periods by `python -m tests.laboratory calibrate making_profit --players 4 --games 200 "
        "--positions 1 --seed 2000000 --option hands=open`",
    ),
)


CLOSE = 0.3  # dollars: to win by one is to win, and a game that ends behind by one is lost

SETS = 2  # of up to twenty sets with the same price, the number that is tried with every other action


def policy(weights: Weights) -> Policy[Board]:
    return Policy(
        revision=5,
        weigh=partial(weigh, weights),
        worth=partial(worth, weights),
        close=CLOSE,
        short=SHORT,
        few={SellResources: SETS},
    )


POLICY = policy(WEIGHTS)
