"""The decisions of London Markets and what follows from them."""

from __future__ import annotations

from typing import Literal

from daybook.domain.games.london_markets.board import Phase
from daybook.domain.games.london_markets.printed import Card, Goods, Market, Merchant, Track
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.terms import Decision, Effect, Seat, SeatEffect


class GoodsCards(Exact, omit_defaults=True):
    """A number of goods cards of each type."""

    coffee: int = 0
    soap: int = 0
    silk: int = 0
    china: int = 0


class CardsNamed(Decision, omit_defaults=True):
    """Base of what names a number of cards of each type."""

    coffee: int = 0
    soap: int = 0
    silk: int = 0
    china: int = 0


def count_by_type(cards: GoodsCards | CardsNamed) -> dict[str, int]:
    return {"coffee": cards.coffee, "soap": cards.soap, "silk": cards.silk, "china": cards.china}


# --- the table's facts ---


class HandDealt(CardsNamed, tag="hand_dealt", kw_only=True):
    """The starting hand of the next player, from seat 0 on. unseen: redacted for other viewers."""

    unseen: bool = False


class OfferCardsPlaced(Decision, tag="offer_cards_placed"):
    """The market of each offer card."""

    coffee: Market
    soap: Market
    silk: Market
    china: Market
    general: Market


class BottomCardSeen(Decision, tag="bottom_card_seen"):
    """The bottom market card, an auction card; "?": not noted."""

    card: str


class SpecialsStacked(Decision, tag="specials_stacked"):
    """The piles of special cards have other sizes than usual; told before the starting player is drawn."""

    sizes: tuple[int, ...]


class SpecialStacked(Decision, tag="special_stacked"):
    """The next special card, pile by pile; "?" for other viewers."""

    card: Card


class StartPlayerDrawn(Decision, tag="start_player_drawn"):
    seat: Seat


class MerchantsPlaced(Decision, tag="merchants_placed"):
    stack: Market
    profit: Market
    goods: Market


class MarketCardRevealed(Decision, tag="market_card_revealed"):
    """card: an auction card, or "closed"."""

    card: str


class OffersRevealed(Decision, tag="offers_revealed"):
    """All offers of an auction at once, by seat; null: the one that the seat has sealed.

    An empty list is what others are told of offers that turn out impossible and stay sealed.
    """

    offers: tuple[GoodsCards | None, ...]


class MoneyCounted(Decision, tag="money_counted"):
    """The money that the players showed at a Reveal symbol, by seat."""

    money: tuple[int, ...]


# --- the players' decisions ---


class SetupBar(Decision, tag="setup_bar", omit_defaults=True):
    """A bar of the right-hand neighbour is placed. slot: from 0; left out: the lowest free one."""

    market: Market
    slot: int | None = None


class UseMerchant(Decision, tag="use_merchant"):
    merchant: Merchant


class UseAssistant(Decision, tag="use_assistant"):
    track: Track
    market: Market


class PlaySpecial(Decision, tag="play_special", omit_defaults=True):
    """market: for Any market alone."""

    card: Card
    market: Market | None = None


class PlaceBar(Decision, tag="place_bar", omit_defaults=True):
    """slot: from 0; left out: the lowest free one."""

    slot: int | None = None


class NameGoods(Decision, tag="name_goods"):
    goods: Goods


class DrawGoods(Decision, tag="draw_goods"):
    goods: Goods


class EndTurn(Decision, tag="end_turn"):
    pass


class Replenish(Decision, tag="replenish"):
    goods: Goods


class Exchange(Decision, tag="exchange"):
    give: Goods
    take: Goods


class EndReplenish(Decision, tag="end_replenish"):
    pass


class Offer(CardsNamed, tag="offer", kw_only=True):
    """A sealed offer, or a change of one. unseen: redacted for other viewers until all are revealed."""

    unseen: bool = False


class SpecialOrMoney(Decision, tag="special_or_money"):
    choice: Literal["special", "money"]


class TakePile(Decision, tag="take_pile"):
    """pile: from 1."""

    pile: int


class TakeSpecial(Decision, tag="take_special"):
    """card: "?" where the record does not see it."""

    card: Card


AnyDecision = (
    HandDealt
    | OfferCardsPlaced
    | BottomCardSeen
    | SpecialsStacked
    | SpecialStacked
    | StartPlayerDrawn
    | MerchantsPlaced
    | MarketCardRevealed
    | OffersRevealed
    | MoneyCounted
    | SetupBar
    | UseMerchant
    | UseAssistant
    | PlaySpecial
    | PlaceBar
    | NameGoods
    | DrawGoods
    | EndTurn
    | Replenish
    | Exchange
    | EndReplenish
    | Offer
    | SpecialOrMoney
    | TakePile
    | TakeSpecial
)


# --- effects: the set-up ---


class GoodsDealt(SeatEffect, tag="goods_dealt"):
    """A hand was dealt. cards: by type; None in a redacted effect."""

    count: int
    cards: dict[str, int] | None


class OfferCardsLaid(Effect, tag="offer_cards_laid"):
    """traded: by market, the type sold there or "general"; height: of each pile of goods cards."""

    traded: dict[str, str]
    height: int


class BottomCardShown(Effect, tag="bottom_card_shown"):
    card: str


class SpecialsLaid(Effect, tag="specials_laid"):
    sizes: tuple[int, ...]


class SpecialLaid(Effect, tag="special_laid"):
    pile: int


class StartPlayerChosen(SeatEffect, tag="start_player_chosen"):
    pass


class BarPlaced(SeatEffect, tag="bar_placed"):
    """A bar was placed.

    owner: its seat; layer and slot: from 0; crates: the owner's on display at the market now.
    """

    owner: Seat
    market: str
    layer: int
    slot: int
    crates: int


class MerchantsLaid(Effect, tag="merchants_laid"):
    markets: dict[str, str]


# --- effects: rounds, phases and turns ---


class MarketCardTurned(Effect, tag="market_card_turned"):
    """shows: each type with its pounds, "S" for a special card; nothing if the markets are closed."""

    round: int
    card: str
    shows: dict[str, int | str]


class PhaseSkipped(Effect, tag="phase_skipped"):
    phase: Phase


class PhaseBegun(Effect, tag="phase_begun"):
    phase: Phase


class TurnPassed(SeatEffect, tag="turn_passed"):
    """The next player is to choose a token, or to replenish."""

    to: Seat


class MerchantsMoved(Effect, tag="merchants_moved"):
    markets: dict[str, str]


class AssistantMoved(Effect, tag="assistant_moved"):
    track: str
    space: int
    symbol: str


class MoneyShown(Effect, tag="money_shown"):
    """The official standing at a Reveal symbol (LM-5.6)."""

    money: tuple[int, ...]


class MoneyAgreed(Effect, tag="money_agreed"):
    """The counted money agrees with the record."""

    money: tuple[int, ...]


class CoachPassed(SeatEffect, tag="coach_passed"):
    to: Seat


class RoundEnded(Effect, tag="round_ended"):
    round: int


class GameEnded(Effect, tag="game_ended"):
    round: int


# --- effects: actions and special cards ---


class MerchantUsed(SeatEffect, tag="merchant_used"):
    merchant: str
    market: str


class AssistantUsed(SeatEffect, tag="assistant_used"):
    track: str
    market: str
    action: str


class BarsLacking(SeatEffect, tag="bars_lacking"):
    """Bars that could be placed if the player had them."""

    count: int


class ProfitGained(SeatEffect, tag="profit_gained"):
    """amount: a pound for each crate on display, or the least income."""

    market: str
    crates: int
    amount: int


class GoodsGranted(SeatEffect, tag="goods_granted"):
    """count: cards to draw, one for each crate on display, or the least number."""

    market: str
    crates: int
    count: int


class GoodsNamed(SeatEffect, tag="goods_named"):
    goods: str


class GoodsDrawn(SeatEffect, tag="goods_drawn"):
    goods: str
    count: int


class GoodsLost(SeatEffect, tag="goods_lost"):
    """Cards that could be taken if any pile had one."""

    count: int


class SpecialPlayed(SeatEffect, tag="special_played"):
    """fee: paid for it; stays: it stays in front of the player to the end."""

    card: Card
    fee: int
    stays: bool


class SpecialPaid(SeatEffect, tag="special_paid"):
    """crates: on display at each market that counts."""

    card: Card
    crates: dict[str, int]
    amount: int


# --- effects: replenishment ---


class TakesBegun(SeatEffect, tag="takes_begun"):
    """takes: cards to take; exchanges: how many are possible besides."""

    takes: int
    exchanges: int


class GoodsTaken(SeatEffect, tag="goods_taken"):
    goods: str


class GoodsExchanged(SeatEffect, tag="goods_exchanged"):
    gave: str
    took: str


# --- effects: auctions ---


class OfferSealed(SeatEffect, tag="offer_sealed"):
    pass


class OffersImpossible(Effect, tag="offers_impossible"):
    """All offers are sealed, and no deal explains all of them: one has to be corrected."""


class OfferShown(SeatEffect, tag="offer_shown"):
    """cards: by type, without those of which there are none; null: why it is a null offer, or nothing."""

    cards: dict[str, int]
    null: Literal["", "empty", "mixed", "covered", "not_shown"]


class TieBroken(SeatEffect, tag="tie_broken"):
    """The owner of a Tiebreaker wins alone against these."""

    goods: str
    others: tuple[Seat, ...]


class Bid(Exact):
    """The cards that a seat offered of a type."""

    seat: Seat
    count: int


class AuctionWon(SeatEffect, tag="auction_won"):
    """count: cards offered; amount: pounds, or 0 for a special card; lost: what others offered of the type.

    Records of a time when `lost` was not written down yet have nothing there.
    """

    goods: str
    count: int
    amount: int
    special: bool
    lost: tuple[Bid, ...] = ()


class AuctionShared(Effect, tag="auction_shared"):
    """each: what each of the tied players gets of the amount; nothing of a special card."""

    seats: tuple[Seat, ...]
    goods: str
    count: int
    amount: int
    each: int
    special: bool


class SpecialLacking(SeatEffect, tag="special_lacking"):
    """No special card is left for this player."""


class MoneyInstead(SeatEffect, tag="money_instead"):
    amount: int


class GoodsReturned(SeatEffect, tag="goods_returned"):
    """The cards of a valid offer go back to their pile."""

    goods: str
    count: int


class GoodsCovered(Effect, tag="goods_covered"):
    goods: str


class AuctionBegun(Effect, tag="auction_begun"):
    """number: of the auction in its round; open: the types still to be auctioned."""

    number: int
    open: tuple[str, ...]


class AuctionsEnded(Effect, tag="auctions_ended"):
    cause: Literal["all_covered", "all_null"]


class PilePicked(SeatEffect, tag="pile_picked"):
    pile: int
    count: int


class SpecialTaken(SeatEffect, tag="special_taken"):
    """A special card was taken. card: "?" in a redacted effect."""

    pile: int
    card: Card


class DraftBegun(Effect, tag="draft_begun"):
    track: str


AnyEffect = (
    GoodsDealt
    | OfferCardsLaid
    | BottomCardShown
    | SpecialsLaid
    | SpecialLaid
    | StartPlayerChosen
    | BarPlaced
    | MerchantsLaid
    | MarketCardTurned
    | PhaseSkipped
    | PhaseBegun
    | TurnPassed
    | MerchantsMoved
    | AssistantMoved
    | MoneyShown
    | MoneyAgreed
    | CoachPassed
    | RoundEnded
    | GameEnded
    | MerchantUsed
    | AssistantUsed
    | BarsLacking
    | ProfitGained
    | GoodsGranted
    | GoodsNamed
    | GoodsDrawn
    | GoodsLost
    | SpecialPlayed
    | SpecialPaid
    | TakesBegun
    | GoodsTaken
    | GoodsExchanged
    | OfferSealed
    | OffersImpossible
    | OfferShown
    | TieBroken
    | AuctionWon
    | AuctionShared
    | SpecialLacking
    | MoneyInstead
    | GoodsReturned
    | GoodsCovered
    | AuctionBegun
    | AuctionsEnded
    | PilePicked
    | SpecialTaken
    | DraftBegun
)
