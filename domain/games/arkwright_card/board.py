"""The board of Arkwright: The Card Game (ACG-4.0). Nothing is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

import msgspec

from daybook.domain.games.arkwright_card import printed
from daybook.domain.games.arkwright_card.printed import ACHIEVEMENTS, GOODS, TRACKS, Good, Mode, Printed, Tile
from daybook.domain.kernel import terms
from daybook.domain.kernel.terms import Seat, Table, clockwise

Stage = Literal[
    "start_player",
    "start_factory",
    "supply",
    "start_development",
    "start_foreman",
    "start_shares",
    "action",
    "build",
    "employ",
    "automate",
    "quality",
    "distribution",
    "buy_shares",
    "take_loans",
    "regain_ships",
    "extra_production",
    "early_shipping",
    "price",
    "development",
    "take_card",
    "foreman",
    "replace",
    "produce",
    "sell",
    "ship",
    "store",
    "top_point",
    "round_end",
    "decade_end",
    "grid",
    "discs",
    "factory_drawn",
    "automa_markers",
    "automa",
    "achievements",
    "over",
]
Phase = Literal["setup", "action", "production", "preparation", "over"]
PHASES: dict[Stage, Phase] = {
    "start_player": "setup",
    "start_factory": "setup",
    "supply": "setup",
    "start_development": "setup",
    "start_foreman": "setup",
    "start_shares": "setup",
    "action": "action",
    "build": "action",
    "employ": "action",
    "automate": "action",
    "quality": "action",
    "distribution": "action",
    "buy_shares": "action",
    "take_loans": "action",
    "regain_ships": "action",
    "extra_production": "action",
    "early_shipping": "action",
    "price": "action",
    "development": "action",
    "take_card": "action",
    "foreman": "action",
    "replace": "action",
    "produce": "production",
    "sell": "production",
    "ship": "production",
    "store": "production",
    "top_point": "production",
    "round_end": "preparation",
    "decade_end": "preparation",
    "grid": "setup",
    "discs": "setup",
    "factory_drawn": "setup",
    "automa_markers": "setup",
    "automa": "action",
    "achievements": "over",
    "over": "over",
}


class Options(terms.Options):
    """The expert variants (ACG-3.1), then the rulings a table may decide otherwise (ACG-7.1), then the solo game's."""

    restrictions: bool = False
    choose_factories: bool = False
    no_ships: bool = False
    random_supply: bool = False
    start_shares: bool = False
    extra_actions: bool = False
    patron_needs_sale: bool = False
    top_point_optional: bool = False
    extra_decay: bool = False
    start_choice_reverse: bool = False
    same_turn_by_copy: bool = False
    solo_idle_share: bool = False
    solo_automa_bonus: bool = True
    solo_start_development: Literal["free", "board", "none"] = "free"
    solo_random_factories: bool = False  # ACG-6.2.6
    solo_pick_achievements: bool = False  # ACG-6.6.3


class WorkerCard(msgspec.Struct):
    """side: the decade on it. machines: if there are some, but fewer than fit on it, the machine token is there."""

    side: int
    machines: int = 0


class QualityCard(msgspec.Struct):
    value: int
    mode: Mode


class DistributionCard(msgspec.Struct):
    card: str
    value: int


class Factory(msgspec.Struct):
    """An open factory with the cards next to it. appeal: place of its marker on the market board."""

    side: int  # of the tile: 1 or 2
    slot: int  # of the factory token: 1 to 4
    office: Mode = "price"
    appeal: int = 0
    workers: list[WorkerCard] = []  # position 1, position 2
    quality: dict[str, QualityCard] = {}
    distribution: DistributionCard | None = None
    storehouses: dict[str, int] = {}  # goods in each
    foreman: bool = False

    @property
    def goods_stored(self) -> int:
        return sum(self.storehouses.values())

    @property
    def quality_value(self) -> int:
        return sum([card.value for card in self.quality.values()])

    @property
    def distribution_value(self) -> int:
        return 0 if self.distribution is None else self.distribution.value

    @property
    def machines(self) -> int:
        return sum([card.machines for card in self.workers])


class Player(msgspec.Struct):
    money: int
    shares: int
    share_value: int
    loans: int
    shipping_tokens: int
    ships: int  # ready
    levels: dict[str, int]  # by track: 0 to 2
    quality_cap: int  # what the engineer token shows
    factories: dict[str, Factory | None]
    cards: list[str] = []  # development cards
    rotated: list[str] = []  # those of them that are used in this decade
    bankrupt: bool = False

    @property
    def portfolio(self) -> int:
        """The official comparison (ACG-4.18.4); the bankrupt have none."""
        return 0 if self.bankrupt else self.share_value * self.shares

    def open(self) -> Iterator[tuple[Good, Factory]]:
        """Yield the open factories, in the order of the goods."""
        for good in GOODS:
            factory = self.factories[good]
            if factory is not None:
                yield good, factory

    def factory(self, good: str) -> Factory:
        """Return an open factory. Raises LookupError."""
        factory = self.factories[good]
        if factory is None:
            raise LookupError(f"no {good} factory")
        return factory

    def where(self, card: str) -> Good | None:
        """Return the factory of a quality, distribution or storehouse card; None: it is in the reserve."""
        for good in GOODS:
            factory = self.factories[good]
            if factory is None:
                continue
            lying = factory.distribution
            if card in factory.quality or card in factory.storehouses or (lying is not None and lying.card == card):
                return good
        return None

    def has(self, card: str) -> bool:
        """Check if the player owns a quality, distribution or storehouse card; three are development cards."""
        development = printed.FROM_DEVELOPMENTS.get(card)
        return development is None or development in self.cards

    def ready(self, card: str) -> bool:
        """Check if a development card is owned and not used in this decade."""
        return card in self.cards and card not in self.rotated


class Turn(msgspec.Struct):
    """The state of the running turn; these are its values when a turn begins."""

    acted: bool = False  # an effective step of the action is done
    newcomers: bool = False  # new workers have come, so demand falls and wages rise
    inventor: list[str] | None = None  # factories upgraded by the Inventor; None: not used in this action
    allowance: int = 0  # machines, or points of quality or distribution, that the action adds at most
    before: dict[str, int] = {}  # by good: quality or distribution when the action began
    lifted: list[str] = []  # cards taken back in this action
    laid: list[str] = []  # cards placed or turned in this action
    bought: int = 0  # shares in this action
    produced: list[str] = []  # factories that have worked in this action
    shipping: dict[str, int] = {}  # goods chosen for the ships
    customs: bool = False  # the Customs Office works for them
    changed: list[str] = []  # "slot", "office" and the quality cards set in step B
    discarded: list[str] = []  # development cards
    returned: list[int] = []  # where they lie in the grid of a solo game, from 1
    good: str | None = None  # the factory with goods to sell, or with the quality to replace
    points: int = 0  # of quality that may replace the Engineer


class Production(msgspec.Struct):
    """A factory at work, in the production phase or in an extra production."""

    made: int = 0
    patrons: int = 0  # goods more that Patrons let be sold
    most: int = 0  # that the home market takes
    sold: int = 0  # at home
    left: int = 0  # made, and neither sold, shipped nor stored yet
    assigned: list[str] = []  # storehouses added


State = Literal["open", "reached", "lost"]  # of an achievement: "reached" and "lost" stay so


class Automa(msgspec.Struct):
    """An opponent in the solo game. appeal: of its markers on the tracks, by good; the others are in its stock."""

    shares: int
    share_value: int
    appeal: dict[str, int] = {}

    @property
    def score(self) -> int:
        return self.share_value * self.shares


class Solo(msgspec.Struct):
    """The parts of the board that only the solo game has (ACG-6). Grid places count from 1, in reading order."""

    automas: dict[str, Automa]  # by colour
    bag: dict[str, int]  # markers by colour
    achievements: dict[str, State]
    drawn: list[str] = []  # markers drawn, next to the decade track
    grid: list[str | None] = []  # development cards; None: an empty place
    discs: dict[str, int] = {}  # colour -> place of the card under the money disc
    removed: list[str] = []  # cards that are not used
    first: bool = False  # the automas come before the player in this round
    shippings: int = 0  # shipping events with a ship
    automated: bool = False  # the machinery action was chosen
    brokered: bool = False  # the Broker was used
    helped: bool = False  # the Patent or the Engineer was used
    penniless: bool = False  # all money went into shares before the game
    earned: list[str] = []  # achievements, when the game is over

    def card(self, place: int) -> str | None:
        """Return the card at a place, or None."""
        return self.grid[place - 1] if 0 < place <= len(self.grid) else None

    def free(self) -> dict[int, str]:
        """Cards without a disc, by place (ACG-6.2.4)."""
        covered = self.discs.values()
        return {place: card for place, card in enumerate(self.grid, 1) if card is not None and place not in covered}


class Board(terms.Board):
    """sales: by seat, goods sold at home in this production phase; None: the factory did not produce, or is closed."""

    players: list[Player]
    demand: dict[str, int]  # positions of the markers
    wages: int  # the space of the marker, from 0
    supply: dict[str, int]  # development cards by type
    neutral: dict[str, int]  # appeal of the third player in a game of two
    stage: Stage
    sales: list[int | None]
    turn: Turn
    production: Production
    dealt: list[str] = []  # cards of a supply by chance
    start: Seat | None = None  # the start player, once determined
    mover: Seat | None = None  # the player to decide; None: the table or no one
    decade: int = 1
    round: int = 0  # in the decade; 0 in the set-up
    turns: int = 0  # begun in the whole game
    solo: Solo | None = None  # of a game for one

    printed: ClassVar[Printed]  # of the board's table

    def on(self, table: Table) -> None:
        super().on(table)
        self.__dict__["printed"] = printed.of(table)

    @property
    def awaits(self) -> Stage:
        return self.stage

    @property
    def options(self) -> Options:
        options: Options = self.table.options
        return options

    @property
    def seats(self) -> int:
        return len(self.players)

    @property
    def phase(self) -> Phase:
        return PHASES[self.stage]

    @property
    def active(self) -> Good:
        """The active good. Raises IndexError in the set-up."""
        if not self.round:
            raise IndexError("no round has begun")
        return GOODS[self.round - 1]

    @property
    def acting(self) -> Player:
        """Player to decide next."""
        return self.players[self.moving]

    @property
    def moving(self) -> Seat:
        """Seat to decide next. Raises LookupError if there is none."""
        if self.mover is None:
            raise LookupError("no player is to decide")
        return self.mover

    @property
    def starter(self) -> Seat:
        """The start player. Raises LookupError before there is one."""
        if self.start is None:
            raise LookupError("the start player is not determined")
        return self.start

    @property
    def alone(self) -> Solo:
        """The solo game's parts of the board. Raises LookupError in a game of several."""
        if self.solo is None:
            raise LookupError("this is no solo game")
        return self.solo

    @property
    def opponents(self) -> list[tuple[str, Automa]]:
        """The automas by colour, in the order of the sheet; none in a game of several."""
        numbers = self.printed.solo
        return [] if numbers is None else [(colour, self.alone.automas[colour]) for colour in numbers.automas]

    def from_start(self) -> tuple[Seat, ...]:
        """All seats clockwise from the start player."""
        return clockwise(self.starter, self.seats)

    @property
    def remaining(self) -> list[Seat]:
        """The seats that are not bankrupt."""
        return [seat for seat, player in enumerate(self.players) if not player.bankrupt]

    @property
    def wage(self) -> int:
        """Pounds for a worker (ACG-4.0.5)."""
        return self.printed.market_wages[self.wages]

    def demand_value(self, good: str) -> int:
        """Return the value at a demand marker's place (ACG-4.0.5)."""
        return self.printed.side_demand[self.demand[good]]

    def tile(self, good: str, factory: Factory) -> Tile:
        return self.printed.factories[good][factory.side]

    def level(self, player: Player, track: str) -> int:
        """Return the level of a player's development marker on a track."""
        return self.printed.tracks[track].levels[player.levels[track]]

    @property
    def last_round(self) -> bool:
        return self.printed.last_round(self.decade, self.round)

    def in_time(self, good: str) -> bool:
        """Check if a factory still produces in this decade; it matters only in the last (ACG-4.3.4, ACG-4.4.5)."""
        return self.decade < self.printed.game_decades or GOODS.index(good) + 1 >= self.round


def opening(table: Table) -> Board:
    """Return the board before the start player is determined (ACG-3.2.2 to ACG-3.2.4)."""
    numbers = printed.of(table)
    board = Board(
        players=[
            Player(
                money=numbers.start_money,
                shares=numbers.start_shares,
                share_value=numbers.start_share_value,
                loans=numbers.start_loans,
                shipping_tokens=numbers.start_shipping_tokens,
                ships=0 if table.options.no_ships else numbers.start_ships,
                levels=dict.fromkeys(TRACKS, numbers.start_level),
                quality_cap=numbers.start_quality_cap,
                factories=dict.fromkeys(GOODS),
            )
            for _ in table.colours
        ],
        demand=dict(numbers.demand_start),
        wages=numbers.side_wages_start,
        supply=dict.fromkeys(numbers.cards, 0),
        neutral={},
        stage="start_player",
        sales=[None] * table.seats,
        turn=Turn(),
        production=Production(),
    )
    board.on(table)
    if numbers.solo is not None:
        begin_solo(board, numbers.solo)
    return board


def begin_solo(b: Board, numbers: printed.SoloNumbers) -> None:
    """Prepare a solo game: the player is first, all cards are to be shuffled (ACG-6.2.2, ACG-6.2.3, ACG-6.2.5)."""
    first, second, third = numbers.rivals
    b.solo = Solo(
        automas={colour: Automa(numbers.shares, numbers.share_value) for colour in numbers.automas},
        bag={first: numbers.automa_markers, second: numbers.automa_markers, third: numbers.neutral_markers},
        achievements={**dict.fromkeys(ACHIEVEMENTS, "open")},
    )
    if not b.options.start_shares:
        b.solo.achievements["from_nothing"] = "lost"
    b.start = 0
    by_chance = b.options.random_supply
    b.supply |= b.printed.random.base if by_chance else b.printed.supply
    b.stage = "supply" if by_chance and b.printed.random.dealt else "grid"
