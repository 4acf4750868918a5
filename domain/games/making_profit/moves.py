"""The decisions of Making Profit and what follows from them."""

from __future__ import annotations

from typing import Literal

from daybook.domain.games.making_profit.board import Card
from daybook.domain.kernel.terms import Decision, Effect, Seat, SeatEffect

# --- the table's facts ---


class Drawn(Decision, tag="drawn"):
    """A card from the deck for the hand of the drawing player."""

    card: Card


class StartPlayerDrawn(Decision, tag="start_player_drawn"):
    seat: Seat


# --- the players' decisions ---


class ThirdCard(Decision, tag="third_card"):
    """Two R1 are shown and a third card is drawn, or the player says no to it."""

    claimed: bool


class BuyStock(Decision, tag="buy_stock"):
    colour: str


class SellAdd(Decision, tag="sell_add"):
    """One more certificate for the sale that is being put together."""

    colour: str


class SellDone(Decision, tag="sell_done"):
    pass


class Develop(Decision, tag="develop", omit_defaults=True):
    """factory: it goes without saying, for it is the own one; another colour is refused (MP-4.1.6)."""

    card: Card
    factory: str | None = None


class Run(Decision, tag="run", omit_defaults=True):
    """factory: it goes without saying, for it is the own one; another colour is refused (MP-4.1.6)."""

    factory: str | None = None


class SellResources(Decision, tag="sell_resources"):
    """cards: one set; written down in the order R1, R2, M1, M2, ?."""

    cards: tuple[Card, ...]


class EndTurn(Decision, tag="end_turn"):
    pass


class DiscardHand(Decision, tag="discard_hand"):
    card: Card


class DiscardFactory(Decision, tag="discard_factory"):
    card: Card


class Nationalise(Decision, tag="nationalise"):
    """keep: the cards that stay in hand; written down in the order R1, R2, M1, M2."""

    keep: tuple[Card, ...]


AnyDecision = (
    Drawn
    | StartPlayerDrawn
    | ThirdCard
    | BuyStock
    | SellAdd
    | SellDone
    | Develop
    | Run
    | SellResources
    | EndTurn
    | DiscardHand
    | DiscardFactory
    | Nationalise
)


# --- effects ---


class StartPlayerChosen(SeatEffect, tag="start_player_chosen"):
    pass


class ThirdCardClaimed(SeatEffect, tag="third_card_claimed"):
    pass


class ThirdCardDeclined(SeatEffect, tag="third_card_declined"):
    pass


class CardDrawn(SeatEffect, tag="card_drawn"):
    """A card was drawn. count: more than one only for unseen cards."""

    card: Card
    count: int


class DrawsLost(SeatEffect, tag="draws_lost"):
    count: int


class DeckReshuffled(Effect, tag="deck_reshuffled"):
    cards: int


class Nationalised(SeatEffect, tag="nationalised"):
    """The deck and the pile are used up; seat: the player of the last card."""


class HandCut(SeatEffect, tag="hand_cut"):
    """cards: what was discarded at nationalisation."""

    cards: tuple[Card, ...]


class StockBought(SeatEffect, tag="stock_bought"):
    """A certificate was bought. owner: the seat of the factory."""

    colour: str
    price: int
    level: int
    owner: Seat


class StockOffered(SeatEffect, tag="stock_offered"):
    """count: of this colour in the sale so far."""

    colour: str
    count: int


class StockSold(SeatEffect, tag="stock_sold"):
    colour: str
    count: int
    price: int
    amount: int


class DiscardsOwed(SeatEffect, tag="discards_owed"):
    """count: cards to discard; waived: what hand and factory together cannot cover."""

    count: int
    waived: int


class CardDiscarded(SeatEffect, tag="card_discarded"):
    card: Card
    source: Literal["hand", "factory"]
    count: int


class CardDeveloped(SeatEffect, tag="card_developed"):
    """level: of the factory, with this card."""

    card: Card
    level: int


class FactoryRun(SeatEffect, tag="factory_run"):
    """money: for each certificate; resources: cards the owner draws."""

    money: int
    resources: int


class DividendPaid(SeatEffect, tag="dividend_paid"):
    colour: str
    certificates: int
    per_certificate: int
    amount: int


class ResourcesSold(SeatEffect, tag="resources_sold"):
    cards: tuple[Card, ...]
    amount: int


class RoundEnded(Effect, tag="round_ended"):
    round: int


class TurnPassed(SeatEffect, tag="turn_passed"):
    """turn: the number of the one that begins."""

    to: Seat
    turn: int


class GameEnded(Effect, tag="game_ended"):
    """The game is over.

    seat: the player whose factory reached the last level, or to whom a round without development came back.
    """

    cause: Literal["level_ten", "no_development"]
    seat: Seat


AnyEffect = (
    StartPlayerChosen
    | ThirdCardClaimed
    | ThirdCardDeclined
    | CardDrawn
    | DrawsLost
    | DeckReshuffled
    | Nationalised
    | HandCut
    | StockBought
    | StockOffered
    | StockSold
    | DiscardsOwed
    | CardDiscarded
    | CardDeveloped
    | FactoryRun
    | DividendPaid
    | ResourcesSold
    | RoundEnded
    | TurnPassed
    | GameEnded
)
