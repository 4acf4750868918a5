"""The set-up: what the table draws, and the foreign bars (LM-3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import permutations, product
from math import comb, prod

from daybook.domain.games.london_markets import knowledge, moves, stacks
from daybook.domain.games.london_markets.board import Board, Stage
from daybook.domain.games.london_markets.course import begin_actions, begin_round
from daybook.domain.games.london_markets.printed import CLOSED, GENERAL, GOODS, MARKETS, MERCHANTS, UNKNOWN, Special
from daybook.domain.kernel.conditions import Awaits
from daybook.domain.kernel.terms import (
    Decision,
    Reason,
    Seat,
    Tell,
    WhyNot,
    because,
    by_number,
    first_reason,
    holds,
    refuse_unless,
)

BEFORE_START: tuple[Stage, ...] = ("offer_cards", "bottom_card", "special_cards", "start_player")


def placer(b: Board) -> Seat:
    """Return the seat that places the next foreign bar (LM-3.2.1)."""
    return (b.starter + sum(stacks.bars_on(b, market) for market in MARKETS)) % b.seats


def neighbour(b: Board, seat: Seat) -> Seat:
    """Return the right-hand neighbour, the source of the player's received bars (LM-3.1.8)."""
    return (seat - 1) % b.seats


# --- checks ---


def in_stage(stage: Stage) -> Awaits[Board]:
    """Return the condition that the set-up, or the round, has reached a stage."""
    return Awaits("awaited", "the game waits for this now", (stage,), wrong_stage)


def wrong_stage(b: Board) -> Reason:
    return because("wrong_phase", "the game waits for something else: {awaited}", awaited=b.stage)


def undealt(b: Board) -> dict[str, int]:
    """Cards set aside for the deal and not dealt yet, by type (LM-2.1.20)."""
    dealt = {goods: sum([player.unseen[goods] for player in b.players if player.unseen]) for goods in GOODS}
    return {goods: b.printed.seats_dealt - dealt[goods] for goods in GOODS}


@holds("it is a whole starting hand")
def whole_hand(b: Board, d: moves.HandDealt) -> WhyNot:
    cards = moves.count_by_type(d)
    return refuse_unless(
        not d.unseen and min(cards.values()) >= 0 and sum(cards.values()) == b.printed.setup_hand,
        "not_a_hand",
        "a starting hand is {hand} cards",
        hand=b.printed.setup_hand,
    )


LEFT_TO_DEAL = by_number("left", "{left} {goods} is left to deal", "{left} {goods} are left to deal")


@holds("these cards are left to deal")
def cards_to_deal(b: Board, d: moves.HandDealt) -> WhyNot:
    left = undealt(b)
    return first_reason(
        refuse_unless(count <= left[goods], "card_unknown", LEFT_TO_DEAL, left=left[goods], goods=goods)
        for goods, count in moves.count_by_type(d).items()
    )


@holds("each market has one offer card")
def five_markets(d: moves.OfferCardsPlaced) -> WhyNot:
    return refuse_unless(
        {d.coffee, d.soap, d.silk, d.china, d.general} == set(MARKETS), "market_twice", "each market has one offer card"
    )


@holds("the merchants are at three different markets")
def three_markets(d: moves.MerchantsPlaced) -> WhyNot:
    return refuse_unless(
        len({d.stack, d.profit, d.goods} & set(MARKETS)) == len(MERCHANTS),
        "market_twice",
        "the merchants are at three different markets",
    )


@holds("the bottom card is not a closed one")
def an_auction_card(b: Board, d: moves.BottomCardSeen) -> WhyNot:
    return refuse_unless(
        d.card == UNKNOWN or d.card in b.printed.faces,
        "card_unknown",
        "the bottom card is an auction card, not {card}",
        card=d.card,
    )


@holds("the piles of special cards are not in use yet")
def before_start(b: Board) -> WhyNot:
    return refuse_unless(
        b.stage in BEFORE_START and not any(card != UNKNOWN for pile in b.specials for card in pile),
        "wrong_phase",
        "the piles of special cards are already on the table",
    )


@holds("the piles are about equal")
def about_equal(b: Board, d: moves.SpecialsStacked) -> WhyNot:
    numbers = b.printed
    return refuse_unless(
        d.sizes in candidate_sizes(b),
        "pile_sizes",
        "{piles} piles of {least} to {most} cards, {total} in all",
        piles=len(numbers.specials_piles),
        least=numbers.specials_smallest_pile,
        most=numbers.specials_largest_pile,
        total=numbers.special_cards,
    )


def copies_left(b: Board, d: moves.SpecialStacked) -> WhyNot:
    special = b.printed.specials.get(d.card)
    return refuse_unless(
        special is not None and knowledge.seen_copies(b, d.card) < special.copies,
        "card_unknown",
        "no {card} card is left to lay",
        card=d.card,
    )


@holds("it is this player’s turn to place a bar")
def turn_to_place(b: Board, seat: Seat) -> WhyNot:
    mover = placer(b)
    return refuse_unless(seat == mover, "not_your_turn", "it is the turn of seat {seat}", seat=mover)


@holds("the market has room in the set-up")
def market_open(b: Board, d: moves.SetupBar) -> WhyNot:
    limit = b.printed.setup_bars_in_market
    return refuse_unless(
        stacks.bars_on(b, d.market) < limit,
        "setup_market_full",
        "{market} holds {limit} bars",
        market=d.market,
        limit=limit,
    )


@holds("the place in the open layer is free")
def slot_free(b: Board, d: moves.SetupBar) -> WhyNot:
    return stacks.slot_taken(b, d.market, d.slot)


@holds("the market card was not revealed before")
def not_revealed(b: Board, d: moves.MarketCardRevealed) -> WhyNot:
    return refuse_unless(
        copies_unrevealed(b, d.card), "card_unknown", "no {card} card is left in the pile", card=d.card
    )


CLOSED_TO_COME = by_number(
    "closed",
    "{closed} closed card is still to come before the bottom card",
    "{closed} closed cards are still to come before the bottom card",
)


@holds("it fits the card at the bottom")
def fits_bottom(b: Board, d: moves.MarketCardRevealed) -> WhyNot:
    """Require that the bottom card, an auction card, can come last (LM-3.4.7)."""
    if b.last_round:
        return None  # one card is left, which the rounds before have kept
    closed = copies_unrevealed(b, CLOSED)
    return refuse_unless(d.card != b.bottom, "card_unknown", "{card} is the bottom card", card=d.card) or refuse_unless(
        d.card == CLOSED or closed < b.printed.game_rounds - b.round, "card_unknown", CLOSED_TO_COME, closed=closed
    )


def copies_unrevealed(b: Board, card: str) -> int:
    """Return the number of copies of a market card that are not revealed yet."""
    copies = b.printed.market_cards_closed_copies if card == CLOSED else card in b.printed.faces
    return copies - b.revealed.count(card)


@holds("money was just shown")
def just_shown(b: Board) -> WhyNot:
    return refuse_unless(b.money_shown, "wrong_phase", "money is compared when it was shown at a Reveal symbol")


@holds("the record has the same amount")
def agrees(b: Board, d: moves.MoneyCounted) -> WhyNot:
    """Require that the count equals the record; a difference is an error in the record (LM-3.4.8)."""
    return refuse_unless(
        len(d.money) == b.seats, "no_such_seat", "there are {seats} seats", seats=b.seats
    ) or first_reason(
        refuse_unless(
            player.money == counted,
            "money_differs",
            "the record has £{money} for seat {seat}, not £{counted}",
            money=player.money,
            seat=other,
            counted=counted,
        )
        for other, (player, counted) in enumerate(zip(b.players, d.money, strict=True))
    )


# --- actions ---


def hand_dealt(b: Board, seat: Seat, d: moves.HandDealt, tell: Tell) -> None:
    """Deal a hand; the last one is what remains."""
    deal(b, moves.count_by_type(d), tell)
    rest = undealt(b)
    if sum(rest.values()) == b.printed.setup_hand:
        deal(b, rest, tell)
    if all(player.cards for player in b.players):
        b.stage = "offer_cards"


def deal(b: Board, cards: dict[str, int], tell: Tell) -> None:
    """Deal a hand of goods to the first player without one (LM-3.1.2)."""
    seat = next(seat for seat, player in enumerate(b.players) if not player.cards)
    player = b.players[seat]
    player.hand[UNKNOWN] = b.printed.setup_hand
    player.unseen = cards
    tell(moves.GoodsDealt("LM-3.1.2", seat, b.printed.setup_hand, dict(cards)))


def offer_cards_placed(b: Board, seat: Seat, d: moves.OfferCardsPlaced, tell: Tell) -> None:
    b.traded.update({getattr(d, goods): goods for goods in (*GOODS, GENERAL)})
    b.stage = "bottom_card"
    traded = {market: goods for market, goods in b.traded.items() if goods is not None}
    tell(moves.OfferCardsLaid("LM-3.1.3", traded, b.piles[GOODS[0]]))


def bottom_card_seen(b: Board, seat: Seat, d: moves.BottomCardSeen, tell: Tell) -> None:
    b.bottom = d.card
    b.stage = "start_player" if b.hands_are_hidden else "special_cards"
    tell(moves.BottomCardShown("LM-3.1.4", d.card))


def specials_stacked(b: Board, seat: Seat, d: moves.SpecialsStacked, tell: Tell) -> None:
    b.specials = [[UNKNOWN] * size for size in d.sizes]
    tell(moves.SpecialsLaid("LM-6.31", d.sizes))


def special_stacked(b: Board, seat: Seat, d: moves.SpecialStacked, tell: Tell) -> None:
    pile = next(pile for pile, cards in enumerate(b.specials) if UNKNOWN in cards)
    cards = b.specials[pile]
    cards[cards.index(UNKNOWN)] = d.card
    if not any(UNKNOWN in cards for cards in b.specials):
        b.stage = "start_player"
    tell(moves.SpecialLaid("LM-3.1.5", pile + 1))


def start_player_drawn(b: Board, seat: Seat, d: moves.StartPlayerDrawn, tell: Tell) -> None:
    b.start = d.seat
    b.stage = "setup_bars"
    tell(moves.StartPlayerChosen("LM-3.1.7", d.seat))


def set_up_bar(b: Board, seat: Seat, d: moves.SetupBar, tell: Tell) -> None:
    owner = neighbour(b, seat)
    layer, slot = stacks.place(b, owner, d.market, d.slot)
    tell(moves.BarPlaced("LM-3.2.3", seat, owner, d.market, layer, slot, stacks.crates(b, owner, d.market)))
    if sum(stacks.bars_on(b, market) for market in MARKETS) == b.printed.setup_bars_passed * b.seats:
        b.stage = "merchants"


def merchants_placed(b: Board, seat: Seat, d: moves.MerchantsPlaced, tell: Tell) -> None:
    markets: dict[str, str] = {merchant: getattr(d, merchant) for merchant in MERCHANTS}
    b.merchants.update(markets)
    tell(moves.MerchantsLaid("LM-3.1.11", markets))
    begin_round(b)


def market_card_revealed(b: Board, seat: Seat, d: moves.MarketCardRevealed, tell: Tell) -> None:
    b.revealed.append(d.card)
    b.money_shown = False
    tell(moves.MarketCardTurned("LM-4.3.1", b.round, d.card, dict(b.face)))
    begin_actions(b, tell)


def money_counted(b: Board, seat: Seat, d: moves.MoneyCounted, tell: Tell) -> None:
    b.money_shown = False
    tell(moves.MoneyAgreed("LM-3.4.8", d.money))


# --- candidates ---


def candidate_hands(b: Board, seat: Seat) -> Iterable[Decision]:
    return hands(b.printed.setup_hand)


@lru_cache
def hands(size: int) -> tuple[moves.HandDealt, ...]:
    """Return every hand of a size that the deck can deal."""
    split = product(range(size + 1), repeat=len(GOODS))
    return tuple(moves.HandDealt(*cards) for cards in split if sum(cards) == size)


OFFER_CARDS = tuple(moves.OfferCardsPlaced(*markets) for markets in permutations(MARKETS))


def candidate_bottom_cards(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.BottomCardSeen(card) for card in (*b.printed.faces, UNKNOWN)]


def candidate_piles(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.SpecialsStacked(split) for split in candidate_sizes(b)] if b.stage in BEFORE_START else ()


def candidate_sizes(b: Board) -> tuple[tuple[int, ...], ...]:
    numbers = b.printed
    return sizes(numbers.specials_piles, numbers.specials_smallest_pile, numbers.specials_largest_pile)


@lru_cache
def sizes(usual: tuple[int, ...], smallest: int, largest: int) -> tuple[tuple[int, ...], ...]:
    """Return the ways to split the special cards into piles of about equal size, the usual one first (LM-6.31)."""
    split = product(range(smallest, largest + 1), repeat=len(usual))
    return (usual, *(piles for piles in split if sum(piles) == sum(usual) and piles != usual))


def candidate_special_cards(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.SpecialStacked(card) for card in b.printed.specials]


def candidate_seats(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.StartPlayerDrawn(other) for other in range(b.seats)]


def setup_bar_choices(b: Board, seat: Seat) -> Iterable[Decision]:
    """Return every market and slot for a set-up bar, legal or not."""
    return setup_bars(b.printed.bars_layer)


@lru_cache
def setup_bars(layer: int) -> tuple[moves.SetupBar, ...]:
    return tuple(moves.SetupBar(market, slot) for market in MARKETS for slot in (None, *range(layer)))


MERCHANT_PLACES = tuple(moves.MerchantsPlaced(*markets) for markets in permutations(MARKETS, len(MERCHANTS)))


def candidate_market_cards(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.MarketCardRevealed(card) for card in (*b.printed.faces, CLOSED)]


def candidate_counts(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.MoneyCounted(tuple(player.money for player in b.players))] if b.money_shown else ()


# --- how likely ---


def deals_with_hand(b: Board, d: moves.HandDealt) -> int:
    """Return the number of deals with this hand."""
    there = undealt(b)
    return prod(comb(there[goods], count) for goods, count in moves.count_by_type(d).items())


def known_bottom_card(b: Board, d: moves.BottomCardSeen) -> int:
    return int(d.card != UNKNOWN)


def copies_unseen(b: Board, d: moves.SpecialStacked) -> int:
    special: Special = b.printed.specials[d.card]
    return special.copies - knowledge.seen_copies(b, d.card)


def orders_with_card(b: Board, d: moves.MarketCardRevealed) -> int:
    """Return the number of possible orders with this card on top.

    The last card is not a closed one. With the bottom card noted all other cards are equally likely. Otherwise, with a
    auction cards and c closed ones left, a closed one is on top in c of the a + c - 1 places that it may have.
    """
    closed = copies_unrevealed(b, CLOSED)
    auction = sum(copies_unrevealed(b, card) for card in b.printed.faces)
    if b.bottom != UNKNOWN:
        return copies_unrevealed(b, d.card)
    return closed * auction if d.card == CLOSED else max(1, auction - 1)
