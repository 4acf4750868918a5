"""The board of Arkwright: Water Frame (WF-4.0)."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from daybook.domain.games.water_frame import printed
from daybook.domain.games.water_frame.callout import CallOut
from daybook.domain.games.water_frame.moves import Primitive, SpecialStep
from daybook.domain.games.water_frame.printed import (
    GOODS,
    PRODUCTION_ROWS,
    ROWS,
    SLOTS,
    Good,
    Marker,
    Printed,
    Tile,
    name_of,
)
from daybook.domain.kernel import terms
from daybook.domain.kernel.terms import Seat, Table, clockwise

Stage = Literal[
    "start_player",
    "mat",
    "tiles",
    "found_first",
    "found_second",
    "capital",
    "special",
    "economy",
    "marker",
    "main",
    "additional",
    "school_first",
    "call_out",
    "school_second",
    "extra_shifts",
    "patron",
    "shipping",
    "storage",
    "cycle_end",
    "firing",
    "event",
    "event_step",
    "broker",
    "charisma",
    "start_named",
    "final_exchange",
    "over",
]
Phase = Literal["setup", "economy", "actions", "production", "cycle_end", "round_end", "over"]
PHASES: dict[Stage, Phase] = {
    "start_player": "setup",
    "mat": "setup",
    "tiles": "setup",
    "found_first": "setup",
    "found_second": "setup",
    "capital": "setup",
    "special": "setup",
    "economy": "economy",
    "marker": "actions",
    "main": "actions",
    "additional": "actions",
    "school_first": "production",
    "call_out": "production",
    "school_second": "production",
    "extra_shifts": "production",
    "patron": "production",
    "shipping": "production",
    "storage": "production",
    "cycle_end": "cycle_end",
    "firing": "round_end",
    "event": "round_end",
    "event_step": "round_end",
    "broker": "round_end",
    "charisma": "round_end",
    "start_named": "round_end",
    "final_exchange": "round_end",
    "over": "over",
}
REVERSED: frozenset[Stage] = frozenset({"found_second", "capital", "special"})  # the last player in order comes first
Asked = Literal["return_tile", "inventor", "relocate", "discard", "start_marker"]


class Options(terms.Options):
    """Options of the preparation round (WF-3.1). patrons: the four patrons are among the tiles.

    shuffled: the predetermined events, three of them shuffled.
    """

    factories: Literal["free", "predetermined"] = "free"
    mat: Literal["random", "patrons", "predetermined"] = "random"
    events: Literal["random", "predetermined", "shuffled"] = "random"


class Factory(msgspec.Struct):
    """Workers and machines by production row. marked: in 1810, by a worker hired when its good had produced."""

    level: int
    price: int
    workers: list[int]
    machines: list[int]
    quality: int = 0  # of its marker
    distribution: int = 0
    obsolete: bool = False
    additional: int = 0  # workers of an obsolete factory
    marked: bool = False

    @property
    def people(self) -> int:
        """All workers of this factory (WF-4.18.1)."""
        return sum(self.workers) + self.additional


class OwnedTile(msgspec.Struct):
    """good: the factory space under a foreman or a workshop; uses: of the inventor, with this owner."""

    kind: Tile
    good: Good | None = None
    uses: int = 0


class Tally(msgspec.Struct):
    """Totals of a player since the game began: the ledger's figures (WF-5.2.6)."""

    income: int = 0  # from sales to the market and to patrons
    shipped: int = 0  # earned with contracts
    wages: int = 0  # of workers in production, in pounds
    upkeep: int = 0  # of machines
    goods: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(GOODS, 0))  # sold in production phases
    appeal_bonuses: int = 0
    sales_bonuses: int = 0
    spaces_up: int = 0  # of the share value track
    spaces_down: int = 0
    contracts: int = 0  # fulfilled


class Held(msgspec.Struct):
    """Share value and holdings before the penalties of the end."""

    space: int
    shares: int


class Player(msgspec.Struct):
    """chart: by row, the marker there. slots: workers of the warehouse, at a column (0, 1) and at its rows.

    contracts: by good, the space of the track; 0: none. tiles: the one taken last stands last.
    """

    cash: int
    shares: int
    bank: int  # own shares that the bank holds, without those laid aside for loans
    space: int  # of the share value track
    factories: dict[str, Factory | None]
    chart: dict[str, Marker | None]
    slots: dict[str, int]
    stored: dict[str, int]
    contracts: dict[str, int]
    loans: int = 0
    crew: int = 0
    markers: list[Marker] = []  # grey ones
    ships: list[int] = []  # capacities, in order
    tiles: list[OwnedTile] = []
    tally: Tally = msgspec.field(default_factory=Tally)
    before_end: Held | None = None

    def tile(self, kind: Tile) -> OwnedTile | None:
        for tile in self.tiles:
            if tile.kind == kind:
                return tile
        return None

    def owns(self, kind: Tile) -> bool:
        return self.tile(kind) is not None

    def works_at(self, kind: Tile, good: str) -> bool:
        """Check if the player's foreman or workshop is on the factory space of a good."""
        return any(tile.kind == kind and tile.good == good for tile in self.tiles)

    @property
    def standing(self) -> list[Good]:
        """The goods this player has a factory of, uppermost first."""
        return [good for good in GOODS if self.factories[good] is not None]


class MatRow(msgspec.Struct):
    """A row of the special markers mat; the row says the shade of its grey markers."""

    markers: list[str] = []  # names: "quality"
    ships: list[int] = []


class Turn(msgspec.Struct):
    """One player's turn, from the marker on (WF-4.0.4). Rows of factories are written "food:2"."""

    marker: Marker = ""
    row: int = 0  # of the chart
    paid: int = 0  # what the action works with, without a fee
    steps: int = 0  # machines installed, levels of quality raised
    spent: int = 0  # administrative costs used up by distribution and by prices that nothing else affected
    affected: list[Good] = []  # goods with a free change of price
    repriced: list[Good] = []
    built: list[Good] = []
    closed: list[str] = []  # factories, "food:1" for level I
    developed: list[Good] = []  # goods the developer was used for
    hired_into: list[str] = []
    fired_from: list[str] = []
    relocated: list[str] = []  # rows that a worker was moved into by the school, once for each
    free_levels: int = 0  # levels of distribution still due for the returned patent
    load: int = 0  # goods delivered by the ship of this action
    delivered: bool = False
    agent: bool = False  # whether the agent was used
    produced: bool = False
    marker_taken: bool = False  # the special marker, or the broker in its place


class Sale(msgspec.Struct):
    """The production phase of the active good, each list by seat; empty lists in all other phases (WF-4.0.5)."""

    made: list[int] = []  # by the complete rows that are not closed
    at_hand: list[int] = []  # made and not sold
    sold: list[int] = []  # in the call-out, from the rows' production
    extra: list[int] = []  # in the call-out, made by extra shifts
    from_store: list[int] = []  # in the call-out
    patron: list[int] = []
    closed: list[int] = []  # the row closed by the school; 0: none
    stopped: list[bool] = []
    offered: list[bool] = []  # whether the extra shifts had their call
    importer: int = 0  # goods sold by the importer
    call: CallOut = msgspec.field(default_factory=CallOut)
    storing: bool = False  # the player in turn has stored what he did not sell

    def total(self, seat: Seat) -> int:
        """All goods a player sold, to the market and to a patron."""
        return self.sold[seat] + self.extra[seat] + self.from_store[seat] + self.patron[seat]


class Ask(msgspec.Struct):
    """A decision that a player has to make before the game continues."""

    seat: Seat
    what: Asked


class Board(terms.Board):
    """The board. `turns` counts players that finished the running stage; unused fields are empty or 0."""

    players: list[Player]
    market: int  # workers on the job market
    fired: int
    box: int
    importers: dict[str, int]
    tiles: dict[Tile, int]  # in the supply
    mat: list[MatRow]
    economy: dict[str, list[str]]  # by good, the markers revealed: "1/3", spaces and workers
    closed_rows: dict[str, int]  # by row of the chart, the last decade in which it is closed; 0: open
    stage: Stage
    decade: int
    events: list[str] = []  # revealed
    start: Seat | None = None
    cycle: int = 0  # from 1; 0 outside of the cycles
    turns: int = 0
    asked: list[Ask] = []  # the last one first
    turn: Turn = msgspec.field(default_factory=Turn)
    sale: Sale = msgspec.field(default_factory=Sale)
    to_happen: list[Primitive] = []  # what the event still does, first things first

    printed: ClassVar[Printed]  # of the board's table

    def on(self, table: Table) -> None:
        super().on(table)
        self.__dict__["printed"] = printed.of(table)

    @property
    def awaits(self) -> str:
        """The first open question, else the stage; of the main action, the kind of its marker."""
        if self.asked:
            return self.asked[-1].what
        return name_of(self.turn.marker) if self.stage == "main" else self.stage

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
    def starter(self) -> Seat:
        """The start player. Raises LookupError before the set-up."""
        if self.start is None:
            raise LookupError("nobody is the start player yet")
        return self.start

    @property
    def mover(self) -> Seat:
        """The seat in turn in the running stage."""
        seats = self.seats
        place = seats - 1 - self.turns if self.stage in REVERSED else self.turns
        return (self.starter + place) % seats

    @property
    def decider(self) -> Seat:
        """The player to decide in the running stage (WF-4.0.6). Raises LookupError if the table decides."""
        match self.stage:
            case "call_out" if self.sale.call.asked is not None:
                return self.sale.call.asked
            case "event_step" if isinstance(self.to_happen[0], SpecialStep):
                return self.to_happen[0].seat
            case "cycle_end" | "charisma":
                owners = (seat for seat, player in enumerate(self.players) if player.owns("charisma"))
                return next(owners, self.mover)
            case "start_named":
                return self.poorest
        return self.mover

    @property
    def poorest(self) -> Seat:
        """The player with the choice of start player.

        That is the lowest portfolio, then less cash, then the last in order (WF-4.22.9).
        """
        return min(reversed(self.in_order()), key=lambda seat: (self.portfolio(seat), self.players[seat].cash))

    def in_order(self) -> tuple[Seat, ...]:
        """Return the seats in player order: clockwise from the start player."""
        return clockwise(self.starter, self.seats)

    @property
    def good(self) -> Good:
        """The active good. Raises LookupError outside of the cycles."""
        if not self.cycle:
            raise LookupError("no good is active")
        return GOODS[self.cycle - 1]

    @property
    def level(self) -> int:
        """The development level of the decade (WF-2.13)."""
        return self.printed.decades[self.decade].level

    @property
    def next_decade(self) -> int:
        """Raises ValueError in the last one."""
        return min(decade for decade in self.printed.decades if decade > self.decade)

    @property
    def empty(self) -> int:
        """Empty spaces of the job market: N of WF-2.6.7."""
        return self.printed.workers_total - self.market

    def factory(self, seat: Seat, good: str) -> Factory:
        """Return a factory. Raises LookupError."""
        factory = self.players[seat].factories[good]
        if factory is None:
            raise LookupError(f"seat {seat} has no {good} factory")
        return factory

    def base_quality(self, seat: Seat, good: str) -> int:
        return self.printed.cost(good, self.factory(seat, good).level)

    def quality(self, seat: Seat, good: str) -> int:
        """Return base quality plus marker."""
        return self.base_quality(seat, good) + self.factory(seat, good).quality

    def appeal(self, seat: Seat, good: str) -> int:
        """Quality and distribution less the price; 0 without a factory (WF-4.1.6)."""
        factory = self.players[seat].factories[good]
        if factory is None:
            return 0
        return self.printed.cost(good, factory.level) + factory.quality + factory.distribution - factory.price

    def complete(self, seat: Seat, good: str, row: int) -> bool:
        factory = self.factory(seat, good)
        return factory.workers[row - 1] + factory.machines[row - 1] == self.printed.row(good, row).spaces

    def share_value(self, seat: Seat) -> int:
        return self.printed.values[self.players[seat].space]

    def portfolio(self, seat: Seat) -> int:
        """Shares held times their value."""
        return self.players[seat].shares * self.share_value(seat)


def place(good: str, row: int) -> str:
    """Return the notation of a row of a factory."""
    return f"{good}:{row}"


def new_factory(level: int, price: int) -> Factory:
    return Factory(level, price, [0] * len(PRODUCTION_ROWS), [0] * len(PRODUCTION_ROWS))


def opening(table: Table) -> Board:
    """Return the board before the start player is drawn (WF-3.2, WF-3.3.1, WF-3.4.1)."""
    numbers = printed.of(table)
    mat = [MatRow() for _ in ROWS]
    for capacity in numbers.seats_ships:
        ship = numbers.ships[capacity]
        mat[ship.row].ships += [capacity] * ship.copies
    board = Board(
        players=[
            Player(
                cash=0,
                shares=numbers.shares_held,
                bank=numbers.shares_bank,
                space=numbers.shares_start_space,
                factories=dict.fromkeys(GOODS),
                chart={str(row): None for row in numbers.chart_rows},
                slots=dict.fromkeys(SLOTS, 0),
                stored=dict.fromkeys(GOODS, 0),
                contracts=dict.fromkeys(GOODS, 0),
            )
            for _ in table.colours
        ],
        market=numbers.workers_total - numbers.seats_fired - numbers.seats_box,
        fired=numbers.seats_fired,
        box=numbers.seats_box,
        importers=dict.fromkeys(GOODS, 0),
        tiles=dict.fromkeys(numbers.tiles, 0),
        mat=mat,
        economy={good: [] for good in GOODS},
        closed_rows={str(row): 0 for row in numbers.chart_rows},
        stage="start_player",
        decade=min(numbers.decades),
    )
    board.on(table)
    return board
