"""Phase 3: replenish (LM-4.6)."""

from __future__ import annotations

from itertools import permutations

from daybook.domain.games.london_markets import knowledge
from daybook.domain.games.london_markets.actions import empty
from daybook.domain.games.london_markets.board import Board, stages_of
from daybook.domain.games.london_markets.course import end_takes, go_on_with_takes
from daybook.domain.games.london_markets.moves import EndReplenish, Exchange, GoodsExchanged, GoodsTaken, Replenish
from daybook.domain.games.london_markets.printed import GOODS
from daybook.domain.kernel.conditions import Awaits
from daybook.domain.kernel.terms import Reason, Seat, Tell, WhyNot, because, by_number, holds, refuse_unless

# --- checks ---


def not_in_replenish(b: Board) -> Reason:
    return because("wrong_phase", "this belongs to the replenishment; the phase is {phase}", phase=b.phase)


in_replenish = Awaits("in_replenish", "this is the phase of replenishment", stages_of("replenish"), not_in_replenish)


@holds("a card is left to take")
def take_left(b: Board) -> WhyNot:
    return refuse_unless(b.takes, "no_takes_left", "all cards are taken")


STILL_TO_TAKE = by_number("takes", "take {takes} card first", "take {takes} cards first")


@holds("all cards are taken")
def takes_done(b: Board) -> WhyNot:
    return refuse_unless(not b.takes, "takes_open", STILL_TO_TAKE, takes=b.takes)


@holds("the pile has cards")
def pile_stocked(b: Board, d: Replenish) -> WhyNot:
    return empty(b, d.goods)


ALL_EXCHANGED = by_number(
    "cards", "{cards} card in play allows no further exchange", "{cards} cards in play allow no further exchange"
)


@holds("an exchange is left")
def exchange_left(b: Board, seat: Seat) -> WhyNot:
    cards = b.players[seat].in_play.count("replenishment")
    return refuse_unless(b.exchanges, "no_exchange_left", ALL_EXCHANGED, cards=cards)


@holds("the types given and taken are different")
def another_type(d: Exchange) -> WhyNot:
    return refuse_unless(d.give != d.take, "same_type", "the card taken is of another type than the card given")


@holds("the card given can be in this hand")
def given_held(b: Board, seat: Seat, d: Exchange) -> WhyNot:
    return knowledge.cannot_hold(b, seat, {d.give: 1})


@holds("the pile taken from has cards")
def taken_stocked(b: Board, d: Exchange) -> WhyNot:
    return empty(b, d.take)


# --- actions ---


def replenish(b: Board, seat: Seat, d: Replenish, tell: Tell) -> None:
    b.takes -= 1
    b.piles[d.goods] -= 1
    b.players[seat].hand[d.goods] += 1
    tell(GoodsTaken("LM-4.6.4", seat, d.goods))
    go_on_with_takes(b, tell)


def exchange(b: Board, seat: Seat, d: Exchange, tell: Tell) -> None:
    player = b.players[seat]
    b.exchanges -= 1
    knowledge.show(player, d.give, 1)
    player.hand[d.give] -= 1
    player.hand[d.take] += 1
    b.piles[d.give] += 1
    b.piles[d.take] -= 1
    tell(GoodsExchanged("LM-4.6.5", seat, d.give, d.take))
    go_on_with_takes(b, tell)


def end_replenish(b: Board, seat: Seat, d: EndReplenish, tell: Tell) -> None:
    end_takes(b, tell)


# --- candidates ---


TAKES = tuple(Replenish(goods) for goods in GOODS)
EXCHANGES = tuple(Exchange(give, take) for give, take in permutations(GOODS, 2))
