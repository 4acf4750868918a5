"""Phase 4: auctions (LM-4.7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from daybook.domain.games.london_markets import knowledge, moves
from daybook.domain.games.london_markets.actions import stage_is
from daybook.domain.games.london_markets.board import Board, Player, none_of_each, stages_of
from daybook.domain.games.london_markets.course import begin_auction, end_auctions
from daybook.domain.games.london_markets.printed import GOODS, ICON, UNKNOWN
from daybook.domain.kernel.conditions import Awaits
from daybook.domain.kernel.terms import (
    TABLE,
    Decision,
    Effect,
    Reason,
    Seat,
    Tell,
    WhyNot,
    because,
    first_reason,
    holds,
    refuse_unless,
)

Null = Literal["", "empty", "mixed", "covered", "not_shown"]


def seats_without_offer(b: Board) -> list[Seat]:
    return [seat for seat, player in enumerate(b.players) if player.offer is None]


def offering(b: Board) -> tuple[Seat, ...]:
    """Return the seats that may make or change an offer, and the table while one is missing (LM-3.4.9)."""
    seats = tuple(seat for seat, player in enumerate(b.players) if player.offer is None or player.cards)
    return (*seats, TABLE) if seats_without_offer(b) else seats


# --- checks ---


def not_in_auction(b: Board) -> Reason:
    return because("wrong_phase", "this belongs to the auctions; the phase is {phase}", phase=b.phase)


in_auction = Awaits("in_auction", "this is the phase of auctions", stages_of("auction"), not_in_auction)


@holds("offers are being made")
def offers_open(b: Board) -> WhyNot:
    return stage_is(b, "offers")


@holds("a player offers, not the table")
def a_player(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        0 <= seat < b.seats, "not_your_turn", "the players make offers, seats 0 to {last}", last=b.seats - 1
    )


@holds("the offer names a number of cards of each type")
def offer_has_card_counts(d: moves.Offer) -> WhyNot:
    return refuse_unless(
        not d.unseen and min(moves.count_by_type(d).values()) >= 0,
        "cards_not_held",
        "an offer names a number of cards of each type",
    )


@holds("the cards can be in this hand")
def cards_held(b: Board, seat: Seat, d: moves.Offer) -> WhyNot:
    return knowledge.cannot_hold(b, seat, moves.count_by_type(d))


@holds("the offer differs from the sealed one")
def another_offer(b: Board, seat: Seat, d: moves.Offer) -> WhyNot:
    return refuse_unless(b.players[seat].offer != moves.count_by_type(d), "same_offer", "this offer is sealed already")


def one_offer(seat: Seat, player: Player, cards: moves.GoodsCards | None) -> WhyNot:
    return refuse_unless(
        player.offer is not None or cards is not None, "offer_missing", "the offer of seat {seat} is missing", seat=seat
    ) or refuse_unless(
        player.offer is None or cards is None,
        "offer_sealed",
        "seat {seat} has sealed an offer; leave it out here",
        seat=seat,
    )


@holds("each player has one offer")
def one_offer_each(b: Board, d: moves.OffersRevealed) -> WhyNot:
    return (
        refuse_unless(len(d.offers) == b.seats, "no_such_seat", "there are {seats} seats", seats=b.seats)
        or refuse_unless(seats_without_offer(b), "offers_sealed", "every seat has sealed an offer")
        or first_reason(one_offer(*row) for row in zip(range(b.seats), b.players, d.offers, strict=True))
    )


def offer_held(b: Board, seat: Seat, cards: dict[str, int]) -> WhyNot:
    return refuse_unless(
        min(cards.values()) >= 0, "cards_not_held", "an offer names a number of cards of each type"
    ) or knowledge.cannot_hold(b, seat, cards)


@holds("the cards of all offers can be in the hands")
def all_held(b: Board, d: moves.OffersRevealed) -> WhyNot:
    """Require offers that the hands can hold together, without revealing sealed ones by a refusal."""
    given = [(offerer, moves.count_by_type(cards)) for offerer, cards in enumerate(d.offers) if cards is not None]
    return first_reason(offer_held(b, offerer, cards) for offerer, cards in given) or knowledge.cannot_hold_together(
        b, [(b.players[offerer], cards) for offerer, cards in given]
    )


def readable_offer(player: Player) -> dict[str, int]:
    """Return a player's offer. Raises LookupError if it cannot be read."""
    if not isinstance(player.offer, dict):
        raise LookupError("there is no offer to read")
    return player.offer


@holds("a special card was won in the last round")
def prize_open(b: Board) -> WhyNot:
    return refuse_unless(
        b.stage == "prize",
        "choice_closed",
        "a player who wins a special card in the last round may take £{money} instead, before touching a pile",
        money=b.printed.specials_last_round_money,
    )


@holds("this player has won it")
def its_prize(b: Board, seat: Seat) -> WhyNot:
    chooser = winner(b)
    return refuse_unless(seat == chooser, "not_your_turn", "seat {seat} is to choose", seat=chooser)


@holds("a special card is left")
def piles_left(b: Board, d: moves.SpecialOrMoney) -> WhyNot:
    return refuse_unless(d.choice == "money" or any(b.specials), "pile_empty", "no special card is left")


# --- offers ---


def offer(b: Board, seat: Seat, d: moves.Offer, tell: Tell) -> None:
    """Seal an offer; the last one opens all of them (LM-4.7.2)."""
    b.players[seat].offer = moves.count_by_type(d)
    tell(moves.OfferSealed("LM-4.7.2", seat))
    if not seats_without_offer(b):
        open_offers(b, tell)


def offers_revealed(b: Board, seat: Seat, d: moves.OffersRevealed, tell: Tell) -> None:
    for player, cards in zip(b.players, d.offers, strict=True):
        if cards is not None:
            player.offer = moves.count_by_type(cards)
    open_offers(b, tell)


def open_offers(b: Board, tell: Tell) -> None:
    """All are revealed if hands can hold all of them; if not, they stay sealed, and one has to be changed (LM-3.4.4).

    A board that does not show all of them leaves them sealed too.
    """
    if any(player.offer == UNKNOWN for player in b.players):
        return
    if knowledge.cannot_hold_together(b, [(player, readable_offer(player)) for player in b.players]) is None:
        reveal(b, tell)
    else:
        tell(moves.OffersImpossible("LM-3.4.4"))


def reveal(b: Board, tell: Tell) -> None:
    """Null offers go back to the hand, all others lie on the table until every type is settled (LM-4.7.3)."""
    for seat in b.in_order():
        player = b.players[seat]
        cards = readable_offer(player)
        null = null_because(b, cards)
        for goods, count in cards.items():
            if count:
                knowledge.show(player, goods, count)
                if not null:
                    player.hand[goods] -= count
        if null:
            player.offer = None
        tell(moves.OfferShown("LM-4.7.3", seat, {goods: count for goods, count in cards.items() if count}, null))
    b.settling = [goods for goods in GOODS if bids(b, goods)]
    settle(b, tell)


def null_because(b: Board, cards: dict[str, int]) -> Null:
    offered = [goods for goods, count in cards.items() if count]
    if not offered:
        return "empty"
    if len(offered) > 1:
        return "mixed"
    if offered[0] in b.covered:
        return "covered"
    return "" if offered[0] in b.face else "not_shown"


def bids(b: Board, goods: str) -> dict[Seat, int]:
    """Cards of a type on the table, by seat."""
    return {
        seat: player.offer[goods]
        for seat, player in enumerate(b.players)
        if isinstance(player.offer, dict) and player.offer[goods]
    }


# --- settling ---


def settle(b: Board, tell: Tell) -> None:
    """Settle type by type, until a player has to choose or the auction is over (LM-4.7.5)."""
    while b.settling:
        goods = b.settling[0]
        tied, highest = highest_bidders(b, goods)
        winners = after_tiebreaker(b, tied)
        if winners != tied:
            tell(moves.TieBroken("LM-4.7.8", winners[0], goods, tuple(seat for seat in tied if seat != winners[0])))
        if award(b, goods, winners, highest, tell):
            return
        b.settling.pop(0)
    end_auction(b, tell)


def settle_next(b: Board, tell: Tell) -> None:
    """Finish the first open type after its winner's choice, and settle the next."""
    b.settling.pop(0)
    settle(b, tell)


def highest_bidders(b: Board, goods: str) -> tuple[list[Seat], int]:
    """Return the seats with the highest offer of a type, in order, and its number of cards (LM-4.7.6)."""
    bid = bids(b, goods)
    highest = max(bid.values())
    return [seat for seat in b.in_order() if bid.get(seat) == highest], highest


def after_tiebreaker(b: Board, tied: list[Seat]) -> list[Seat]:
    """Return the winners of a tie: the owner of a Tiebreaker; several owners cancel out (LM-4.5.7, LM-6.16)."""
    owners = [seat for seat in tied if "tiebreaker" in b.players[seat].in_play]
    return owners if len(owners) == 1 else tied


def winner(b: Board) -> Seat:
    """Return the winner of the special card that is being settled."""
    return after_tiebreaker(b, highest_bidders(b, b.settling[0])[0])[0]


def award(b: Board, goods: str, winners: list[Seat], count: int, tell: Tell) -> bool:
    """Pay the best offer of a type; return if a player has to choose (LM-4.7.6, LM-4.7.7)."""
    result = build_award(b, goods, winners, count)
    for seat in winners:
        b.players[seat].money += result.each if isinstance(result, moves.AuctionShared) else result.amount
    tell(result)
    return isinstance(result, moves.AuctionWon) and result.special and special_to_choose(b, winners[0], tell)


def build_award(b: Board, goods: str, winners: list[Seat], count: int) -> moves.AuctionWon | moves.AuctionShared:
    """Return the effect that pays the best offer of a type."""
    amount = b.face[goods]
    special = amount == ICON
    pounds = 0 if isinstance(amount, str) else amount
    if len(winners) > 1:
        rule, each = "LM-4.7.10" if special else "LM-4.7.7", pounds // len(winners)
        return moves.AuctionShared(rule, tuple(winners), goods, count, pounds, each, special)
    lost = tuple(moves.Bid(seat, bid) for seat, bid in bids(b, goods).items() if seat != winners[0])
    return moves.AuctionWon("LM-4.7.6", winners[0], goods, count, pounds, special, lost)


def awards_to_come(b: Board) -> list[moves.AuctionWon | moves.AuctionShared]:
    """Return the awards of the offered types that wait for a winner's choice (LM-4.7.5)."""
    offers = [(goods, *highest_bidders(b, goods)) for goods in b.settling[1:]]
    return [build_award(b, goods, after_tiebreaker(b, tied), highest) for goods, tied, highest in offers]


def special_to_choose(b: Board, seat: Seat, tell: Tell) -> bool:
    """Check if the winner of an icon has anything to choose (LM-4.7.9, LM-4.7.11)."""
    if b.last_round:
        b.stage = "prize"
    elif any(b.specials):
        b.stage = "pile"
    else:
        tell(moves.SpecialLacking("LM-4.7.9", seat))
        return False
    return True


def special_or_money(b: Board, seat: Seat, d: moves.SpecialOrMoney, tell: Tell) -> None:
    if d.choice == "special":
        b.stage = "pile"
        return
    b.players[seat].money += b.printed.specials_last_round_money
    tell(moves.MoneyInstead("LM-4.7.11", seat, b.printed.specials_last_round_money))
    settle_next(b, tell)


def end_auction(b: Board, tell: Tell) -> None:
    """Offered cards go back, their types are covered, and another auction follows unless there is an end to it."""
    offered = none_of_each()
    for seat in b.in_order():
        player = b.players[seat]
        if isinstance(player.offer, dict):
            goods, count = next((goods, count) for goods, count in player.offer.items() if count)
            b.piles[goods] += count
            offered[goods] += count
            tell(moves.GoodsReturned("LM-4.7.12", seat, goods, count))
        player.offer = None
    for goods in GOODS:
        if offered[goods]:
            b.covered.append(goods)
            tell(moves.GoodsCovered("LM-4.7.13", goods))
    over = auctions_over(b, any(offered.values()))
    if over is None:
        begin_auction(b, tell)
    else:
        tell(moves.AuctionsEnded("LM-4.7.14", over))
        end_auctions(b, tell)


def auctions_over(b: Board, anything_offered: bool) -> Literal["all_covered", "all_null"] | None:
    if not anything_offered:
        return "all_null"
    return None if b.open_types else "all_covered"


def apart(d: Decision, effects: Sequence[Effect]) -> bool:
    """Check if a decision only sealed an offer, which leaves the options of others unchanged (LM-4.7.2)."""
    return isinstance(d, moves.Offer) and all(isinstance(effect, moves.OfferSealed) for effect in effects)


# --- candidates ---


def most_offered(b: Board, seat: Seat) -> dict[str, int]:
    """Return the most cards of each type in an offer; for the table, in all offers."""
    if 0 <= seat < b.seats:
        return {goods: highest(b, b.players[seat], goods) for goods in GOODS}
    return most_revealed(b, seat)


def most_revealed(b: Board, seat: Seat) -> dict[str, int]:
    """Return the most cards of each type in each unsealed offer."""
    return {
        f"offers.{open_seat}.{goods}": highest(b, b.players[open_seat], goods)
        for open_seat in seats_without_offer(b)
        for goods in GOODS
    }


NO_CARDS = moves.Offer()


def candidate_offers(b: Board, seat: Seat) -> Iterable[Decision]:
    """No offer, and those of one type: few cards before many, and last the types that are not open for auction.

    Offers of several types, and null offers, are possible (LM-4.11), but no player intends them.
    """
    if b.stage != "offers" or not 0 <= seat < b.seats:
        return ()
    most, open_types = most_offered(b, seat), b.open_types
    others = [goods for goods in GOODS if goods not in open_types]
    counts = range(1, max(most.values()) + 1)
    return [
        NO_CARDS,
        *(
            of_one_type(goods, cards)
            for types in (open_types, others)
            for cards in counts
            for goods in types
            if cards <= most[goods]
        ),
    ]


@lru_cache
def of_one_type(goods: str, cards: int) -> moves.Offer:
    return moves.Offer(*(cards if goods == other else 0 for other in GOODS))


def highest(b: Board, player: Player, goods: str) -> int:
    """Return the most cards of a type that a hand can hold."""
    if player.unseen is not None:
        return player.holds(goods)
    return player.hand[goods] + min(player.hand[UNKNOWN], knowledge.cards_unseen(b, goods))


def candidate_reveals(b: Board, seat: Seat) -> Iterable[Decision]:
    """Return an example: no seat offers anything."""
    if b.stage == "offers" and seats_without_offer(b):
        yield moves.OffersRevealed(tuple(moves.GoodsCards() if player.offer is None else None for player in b.players))


def candidate_prizes(b: Board, seat: Seat) -> Iterable[Decision]:
    return (moves.SpecialOrMoney("special"), moves.SpecialOrMoney("money")) if b.stage == "prize" else ()
