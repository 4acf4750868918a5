"""The board of Making Profit, and what the record does not know about it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar, Literal

import msgspec

from daybook.domain.kernel import terms
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import TABLE, Seat, Table, clockwise

Card = Literal["R1", "R2", "M1", "M2", "?"]
CARDS: tuple[Card, ...] = ("R1", "R2", "M1", "M2")
TYPES = set(CARDS)
UNKNOWN: Literal["?"] = "?"  # a card the record has not seen
SEEN_OR_NOT: tuple[Card, ...] = (*CARDS, UNKNOWN)  # also the order in which cards are written down


class Options(terms.Options):
    """hands: open, every drawn card is recorded; hidden, a card is named when it leaves the hand."""

    hands: Literal["open", "hidden"] = "open"


class CardNumbers(Frozen):
    """The yield of a card in a running factory: money per certificate, cards for the owner; and the copies."""

    money: int
    resources: int
    copies: int


class Printed(Frozen, dict=True):
    """The component sheet with types (MP-2)."""

    factories_colours: tuple[str, ...]
    factories_last_level: int
    certificates_each_colour: int
    certificates_lowest_price: int
    certificates_lowest_worth: int
    start_certificates: int
    start_hand: int
    start_money: int
    turn_actions: int
    turn_set_cards: int
    turn_set_price: int
    turn_hand_limit: int
    cards: dict[str, CardNumbers]

    @cached_property
    def copies(self) -> dict[str, int]:
        return {card: self.cards[card].copies for card in CARDS}

    @cached_property
    def all_cards(self) -> int:
        return sum(self.copies.values())


def printed_numbers(table: Table) -> Printed:
    return table.printed(lambda table: table.sheet.typed(Printed))


def counts() -> dict[str, int]:
    return dict.fromkeys(SEEN_OR_NOT, 0)


class Player(msgspec.Struct):
    money: int
    certificates: dict[str, int]  # by colour
    hand: dict[str, int]  # by type
    factory: list[Card]  # the cards developed, all seen, in the order laid
    shown: int = 0  # R1s in hand that all players have seen (MP-3.2.2)
    owes: int = 0  # cards to discard after a sale

    @property
    def level(self) -> int:
        return len(self.factory)

    @property
    def cards(self) -> int:
        return sum(self.hand.values())


class Batch(msgspec.Struct):
    """Cards that a player named since the shuffle, the last of them after this many draws."""

    drawn: int
    cards: dict[str, int]


class Stocks(msgspec.Struct):
    """The possible origins of unseen hand cards since the last shuffle (MP-3.4.6, MP-4.7.2).

    With open hands it is what every player knows, who sees the discards and the cards that leave hands.
    """

    new: dict[str, int]  # shuffled into the deck, by type
    old: dict[str, int]  # unseen in all hands at the shuffle, by type
    held: list[int]  # unseen cards of each player at the shuffle
    drawn: list[int]  # cards drawn by each player since
    named: list[list[Batch]]  # of each player since, in order
    drawn_cards: list[dict[str, int]] = []  # with open hands: what each player drew since, by type

    def __post_init__(self) -> None:
        """Raise ValueError if an adjustment left out a type or a player."""
        parts = [self.new, self.old, *(batch.cards for own in self.named for batch in own)]
        if any(part.keys() != TYPES for part in parts):
            raise ValueError("each part of the stocks names the types R1, R2, M1 and M2")
        if any(part.keys() != {*SEEN_OR_NOT} for part in self.drawn_cards):
            raise ValueError("each part of the drawn cards names all types and ?")
        if not len(self.held) == len(self.drawn) == len(self.named) or len(self.drawn_cards) not in (0, len(self.held)):
            raise ValueError("the stocks have as many players in each part")


class Board(terms.Board):
    players: list[Player]
    bank: dict[str, int]  # certificates by colour in play
    aside: dict[str, int]  # certificates of unused colours
    deck: dict[str, int]  # by type
    discard: dict[str, int]  # the pile, by type
    start: int | None = None  # the starting player, once drawn
    turn: int = 0  # of the game, from 1; 0 in the set-up
    actions: int = 0  # left in this turn
    asked: int = 0  # number of players, from the starting player, who can no longer claim a third card
    developer: int | None = None  # the last one to develop
    sale: dict[str, int] = {}  # certificates put up for sale, by colour
    drawer: int = 0  # the current or last player to draw
    draws: int = 0  # cards the drawer still has to draw
    nationalising: bool = False
    ended: Literal["level_ten", "no_development"] | None = None
    stocks: Stocks | None = None  # None: only the open cards are known

    printed: ClassVar[Printed]  # of the board's table, as are the next ones
    hands_are_hidden: ClassVar[bool]

    def on(self, table: Table) -> None:
        super().on(table)
        self.__dict__["printed"] = printed_numbers(table)
        self.__dict__["hands_are_hidden"] = table.options.hands == "hidden"

    @property
    def seats(self) -> int:
        return len(self.players)

    def clockwise(self, first: Seat) -> Iterator[tuple[Seat, Player]]:
        for seat in clockwise(first, len(self.players)):
            yield seat, self.players[seat]

    @property
    def mover(self) -> Seat:
        """The seat in turn; TABLE in the set-up."""
        return TABLE if self.start is None else (self.start + self.turn - 1) % len(self.players)

    @property
    def follower(self) -> Seat:
        """The seat next to the mover, clockwise."""
        return (self.mover + 1) % len(self.players)

    @property
    def round(self) -> int:
        return (self.turn - 1) // len(self.players) + 1

    @property
    def selling(self) -> bool:
        return any(self.sale.values())

    @property
    def first_action_begun(self) -> bool:
        """True once the first action of the game has begun, or the first turn is over."""
        return self.turn > 1 or (self.turn == 1 and (self.selling or self.actions < self.printed.turn_actions))

    @property
    def deck_size(self) -> int:
        return sum(self.deck.values())

    @property
    def discarder(self) -> Seat | None:
        """The seat that has to discard next, after a sale or at nationalisation."""
        if self.nationalising:
            limit = self.printed.turn_hand_limit
            return next((seat for seat, player in self.clockwise(self.drawer) if player.cards > limit), None)
        if self.start is None or not any(player.owes for player in self.players):
            return None
        return next(seat for seat, player in self.clockwise(self.mover) if player.owes)

    def owner(self, colour: str) -> Player:
        return self.players[self.table.colours.index(colour)]

    def price(self, colour: str) -> int:
        """Return the price of a certificate at the bank (MP-4.2.2)."""
        return max(self.printed.certificates_lowest_price, self.owner(colour).level)

    def worth(self, colour: str) -> int:
        """Return the bank's price for a certificate, which is also its final value (MP-4.3.2, MP-5.2)."""
        return self.worth_of(self.owner(colour))

    def worth_of(self, owner: Player) -> int:
        """Return the value of certificates of a player's factory."""
        return max(self.printed.certificates_lowest_worth, owner.level)


def opening(table: Table) -> Board:
    """Return the board before the first card is dealt (MP-3.1.2, MP-3.1.3, MP-3.1.8)."""
    numbers = printed_numbers(table)
    players = [
        Player(
            money=numbers.start_money,
            certificates={colour: numbers.start_certificates if colour == own else 0 for colour in table.colours},
            hand=counts(),
            factory=[],
        )
        for own in table.colours
    ]
    deck: dict[str, int] = counts()
    if table.options.hands == "hidden":
        deck[UNKNOWN] = numbers.all_cards
    else:
        deck.update(numbers.copies)
    board = Board(
        players=players,
        bank=dict.fromkeys(table.colours, numbers.certificates_each_colour - numbers.start_certificates),
        aside={
            colour: numbers.certificates_each_colour
            for colour in numbers.factories_colours
            if colour not in table.colours
        },
        deck=deck,
        discard=counts(),
        sale=dict.fromkeys(table.colours, 0),
    )
    board.on(table)
    return board
