"""The board of London Markets, and what the record does not know about it."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from daybook.domain.games.london_markets import printed
from daybook.domain.games.london_markets.printed import CLOSED, GOODS, MARKETS, MERCHANTS, UNKNOWN, Card, Printed
from daybook.domain.kernel import terms
from daybook.domain.kernel.terms import Seat, Table, clockwise

Stage = Literal[
    "deal",
    "offer_cards",
    "bottom_card",
    "special_cards",
    "start_player",
    "setup_bars",
    "merchants",
    "market_card",
    "turn",
    "place",
    "name_goods",
    "draw_goods",
    "replenish",
    "offers",
    "prize",
    "pile",
    "special",
    "draft_pile",
    "draft_special",
    "over",
]
Phase = Literal["setup", "reveal", "actions", "replenish", "auction", "movement", "over"]
PHASES: dict[Stage, Phase] = {
    "deal": "setup",
    "offer_cards": "setup",
    "bottom_card": "setup",
    "special_cards": "setup",
    "start_player": "setup",
    "setup_bars": "setup",
    "merchants": "setup",
    "market_card": "reveal",
    "turn": "actions",
    "place": "actions",
    "name_goods": "actions",
    "draw_goods": "actions",
    "replenish": "replenish",
    "offers": "auction",
    "prize": "auction",
    "pile": "auction",
    "special": "auction",
    "draft_pile": "movement",
    "draft_special": "movement",
    "over": "over",
}
Offered = dict[str, int] | Literal["?"] | None  # None: no offer; "?": sealed, and this board does not show it
NOT_TOLD = 0  # the pile of a special card that the record does not tell
Layer = list[Seat | None]  # owner of the bar in each slot


def stages_of(*phases: Phase) -> list[Stage]:
    return [stage for stage, phase in PHASES.items() if phase in phases]


class Options(terms.Options):
    """hands: open, the deal and every special card are recorded; hidden, cards are named when they are shown."""

    hands: Literal["open", "hidden"] = "hidden"


class Player(msgspec.Struct):
    """A player's cards, bars and money.

    hand: goods cards by type as far as everyone knows them; "?" counts those dealt and not shown since. unseen: the types
    of the "?" cards; None: unknown to the record. piles: for each special card the number of the pile it came from; 0, or
    a shorter list: unknown.
    """

    money: int
    bars: int  # own ones not placed yet
    hand: dict[str, int]
    unseen: dict[str, int] | None
    specials: list[Card] = []  # in hand; "?": a card the record has not seen
    in_play: list[Card] = []
    offer: Offered = None  # cards of a sealed offer are in hand, those of one that is being settled on the table
    specials_from: list[int] = []  # piles of the special cards in hand
    in_play_from: list[int] = []  # and of those in play

    @property
    def cards(self) -> int:
        return sum(self.hand.values())

    def take_special(self, card: Card, pile: int) -> None:
        self.specials_from = [*piles_of(self.specials, self.specials_from), pile]
        self.specials.append(card)

    def part_with(self, card: Card) -> int:
        """Remove a special card from the hand, unseen if necessary; return its pile.

        The record does not know which unseen card it is: if they came from several piles, one card of each of these may be
        the one that is gone.
        """
        piles = piles_of(self.specials, self.specials_from)
        place = self.specials.index(card if card in self.specials else UNKNOWN)
        if self.specials[place] == UNKNOWN:
            unseen = [other for other, held in enumerate(self.specials) if held == UNKNOWN]
            if len({piles[other] for other in unseen}) > 1:
                for pile in {piles[other] for other in unseen}:
                    piles[next(other for other in unseen if piles[other] == pile)] = NOT_TOLD
                place = next(other for other in unseen if piles[other] == NOT_TOLD)
        del self.specials[place]
        gone = piles.pop(place)
        self.specials_from = piles
        return gone

    def lay_down(self, card: Card, pile: int) -> None:
        """Put a special card, taken from `pile`, in front of the player."""
        self.in_play_from = [*piles_of(self.in_play, self.in_play_from), pile]
        self.in_play.append(card)

    def holds(self, goods: str) -> int:
        """Cards of a type in hand, as far as the record knows."""
        return self.hand[goods] + (self.unseen[goods] if self.unseen is not None else 0)


def piles_of(cards: list[Card], piles: list[int]) -> list[int]:
    """Return the pile of each special card, as far as the record knows it."""
    return [*piles, *[NOT_TOLD] * (len(cards) - len(piles))]


class Board(terms.Board):
    """The board. The open parts of the running step come last; unused fields are empty or 0."""

    players: list[Player]
    stacks: dict[str, list[Layer]]  # by market: its layers from the bottom
    piles: dict[str, int]  # goods cards by type
    traded: dict[str, str | None]  # by market: the type sold there, or "general"; None: not known yet
    specials: list[list[Card]]  # the piles of special cards
    merchants: dict[str, str | None]  # merchant -> market
    assistants: dict[str, int]  # track -> space, from 1
    stage: Stage
    removed: list[Card] = []  # special cards that have left the game
    bottom: str | None = None  # the bottom market card; "?": not noted
    revealed: list[str] = []  # market cards, one for each round
    start: Seat | None = None  # the starting player of the round, once drawn
    round: int = 0  # 0 in the set-up
    turn: int = 0  # number of players after their running phase
    used: list[str] = []  # merchants and tracks used this round
    plays: int = 0  # special cards played in this turn
    acted: bool = False  # whether the token of this turn is chosen
    market: str | None = None  # where bars are being placed
    bars: int = 0  # to be placed there
    quota: int = 0  # goods cards still to be drawn
    takes: int = 0  # goods cards still to be replenished
    exchanges: int = 0  # still possible
    auction: int = 0  # of the round, from 1
    covered: list[str] = []  # types auctioned this round
    settling: list[str] = []  # offered types still to be settled
    looking: int | None = None  # the special pile in a player's hands, from 1
    drafted: list[int] = []  # special piles picked in this draft
    money_shown: bool = False  # shown now, and not compared with the record yet

    printed: ClassVar[Printed]  # of the board's table

    def on(self, table: Table) -> None:
        super().on(table)
        self.__dict__["printed"] = printed.of(table)

    @property
    def awaits(self) -> Stage:
        return self.stage

    @property
    def hands_are_hidden(self) -> bool:
        return bool(self.table.options.hands == "hidden")

    @property
    def seats(self) -> int:
        return len(self.players)

    @property
    def phase(self) -> Phase:
        return PHASES[self.stage]

    @property
    def open_types(self) -> list[str]:
        """The types of goods that are up for auction: shown by market cards, and not covered yet (LM-4.7.2)."""
        return [goods for goods in self.face if goods not in self.covered]

    @property
    def mover(self) -> Seat:
        """Seat in turn. Raises LookupError before the starting player is chosen."""
        return (self.starter + self.turn) % len(self.players)

    @property
    def starter(self) -> Seat:
        """The starting player. Raises LookupError before the set-up ends."""
        if self.start is None:
            raise LookupError("the starting player is not drawn")
        return self.start

    def in_order(self) -> tuple[Seat, ...]:
        """Return the seats clockwise from the starting player (LM-4.1.2)."""
        return clockwise(self.starter, len(self.players))

    @property
    def card(self) -> str | None:
        """The current market card, once it is revealed."""
        return self.revealed[-1] if self.revealed and len(self.revealed) == self.round else None

    @property
    def face(self) -> dict[str, int | str]:
        """The types that the current market card shows, each with its pounds or the icon; none if it is closed."""
        card = self.card
        return {} if card is None or card == CLOSED else self.printed.faces[card]

    @property
    def last_round(self) -> bool:
        return self.round == self.printed.game_rounds

    @property
    def stocked_types(self) -> list[str]:
        """The types that have cards in their pile."""
        return [goods for goods in GOODS if self.piles[goods]]


def none_of_each() -> dict[str, int]:
    return dict.fromkeys(GOODS, 0)


def opening(table: Table) -> Board:
    """Return the board before anything is drawn; unrecorded hands are dealt (LM-3.1.1 to LM-3.1.6)."""
    numbers = printed.of(table)
    hidden = table.options.hands == "hidden"
    board = Board(
        players=[
            Player(
                money=numbers.setup_money,
                bars=numbers.bars_each_colour,
                hand=none_of_each() | {UNKNOWN: numbers.setup_hand if hidden else 0},
                unseen=None if hidden else none_of_each(),
            )
            for _ in table.colours
        ],
        stacks={market: [] for market in MARKETS},
        piles=dict.fromkeys(GOODS, numbers.goods_each_type - numbers.seats_dealt),
        traded=dict.fromkeys(MARKETS),
        specials=[[UNKNOWN] * size for size in numbers.specials_piles],
        merchants=dict.fromkeys(MERCHANTS),
        assistants=dict.fromkeys(numbers.tracks, 1),
        stage="offer_cards" if hidden else "deal",
    )
    board.on(table)
    return board
