"""The component sheet of Arkwright: Water Frame with types (WF-2)."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, Literal, get_args

import msgspec

from daybook.domain.games.water_frame.written import read_effects
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import Table, unplayable

Good = Literal["food", "clothes", "cutlery", "lamps"]
Shade = Literal["light", "dark"]
Name = Literal["machinery", "quality", "distribution", "production"]  # of a grey marker
Slot = Literal["food", "clothes", "cutlery", "lamps", "row"]  # for a worker of the warehouse: a good's column, or a row
Marker = str  # "workers", "quality:light", "ship:6"
Tile = str  # a kind of development tile
Event = str

GOODS: tuple[Good, ...] = get_args(Good)  # from the uppermost factory; also the columns of the job market
SHADES: tuple[Shade, ...] = get_args(Shade)
MARKER_NAMES: tuple[Name, ...] = get_args(Name)
SLOTS: tuple[Slot, ...] = get_args(Slot)
OWN: tuple[Marker, ...] = ("factory", "workers", "machinery", "quality", "distribution", "stock_exchange")
LEVELS = ("I", "II", "III", "IV")
ROWS = ("I", "II", "III", "IV")  # of the special markers mat
PRODUCTION_ROWS = (1, 2, 3, 4)
ASSIGNED: tuple[Tile, ...] = ("foreman", "workshop")  # tiles that lie on a factory space
EFFECTS = (
    "close_row",
    "final_exchange",
    "special_step",
    "fired_to_box",
    "best_quality",
    "importers_back",
    "importers_on",
    "share_value_back",
    "share_value_on",
    "pay",
    "contracts_up",
    "none",
)


LONGEST_TRACK = 1000  # spaces; the printed one has a tenth of them


class ProductionRow(Frozen):
    """A production row: its spaces, and how many of them a machine may take."""

    spaces: int
    machines: int

    @property
    def human_only(self) -> int:
        return self.spaces - self.machines


class PrintedShip(Frozen):
    copies: int
    crew: int
    roman: str = msgspec.field(name="row")

    @property
    def row(self) -> int:
        """Row on the special markers mat, from 0."""
        return ROWS.index(self.roman)


class Decade(Frozen):
    """level: the development level; obsolete: levels that become obsolete when the decade begins."""

    level: int
    obsolete: tuple[int, ...]


class DecadeRow(Frozen):
    level: str
    obsolete: tuple[str, ...]


class GoodNumbers(Frozen):
    fixed_price: int
    unnumbered: int  # spaces at the top of its column of the job market


class WageBand(Frozen):
    up_to: int
    wage: int


class ShareBand(Frozen):
    up_to: int
    spaces: int


class MatRow(Frozen):
    shade: str


class TileNumbers(Frozen):
    copies: int


class EventMarker(Frozen):
    """effect: one of EFFECTS, or what it does written out (WF-4.22.6)."""

    two_players: bool
    effect: str
    amount: int
    per_loan: int


class Start(Frozen):
    """A player's start in the predetermined set-up."""

    goods: tuple[str, ...]
    prices: tuple[int, ...]
    shares: int
    capital: int
    marker: str

    @property
    def factories(self) -> tuple[tuple[str, int], ...]:
        """Good and price."""
        return tuple(zip(self.goods, self.prices, strict=False))


class Rulings(Frozen):
    """The rulings that a table may change (WF-6)."""

    charisma_beats_importer_tie: bool
    single_digit_space_penalty: str  # "one", "none" or "digit"
    bureaucracy_permanent: bool
    importer_sells_on: bool
    inventor_keep_by_emergency: bool


class Printed(Frozen, dict=True):
    """Numbers of the sheet for this many seats. Levels count from 1, rows of the special markers mat from 0."""

    goods_rows: dict[str, GoodNumbers]
    factories: dict[str, dict[str, int]]  # by good and level
    rows: dict[str, dict[int, ProductionRow]]
    output_tables: dict[str, dict[str, Any]] = msgspec.field(name="output")
    workers_total: int
    workers_full_market_wage: int
    wage_bands: dict[int, WageBand] = msgspec.field(name="wages")
    share_track_rows: dict[int, ShareBand]
    share_track_lowest: int
    shares_held: int
    shares_bank: int
    shares_start_space: int
    shares_setup_price: int
    shares_purchase_minimum: int
    shares_minimum_up_to: int  # space
    loan_amount: int
    loan_repay: int
    loan_spaces: int
    price_least: int
    price_most: int
    price_unaffected: int
    quality_most: int
    quality_engineer: int
    distribution_most: int
    distribution_decay: int
    distribution_price_falls: int
    distribution_spaces_back: int
    chart_rows: tuple[int, ...]
    chart_fee: int
    thresholds_by_shade: dict[str, dict[str, tuple[int, ...]]] = msgspec.field(name="thresholds")
    distribution_cap_by_shade: dict[str, int] = msgspec.field(name="distribution_cap")
    production_rows_by_shade: dict[str, int] = msgspec.field(name="production_rows")
    additional: dict[str, str]  # by marker's name: "price" or "special"
    ships: dict[int, PrintedShip]  # by capacity
    harbour_piers: int
    harbour_rows: int  # of the large warehouse
    harbour_rise: int  # spaces of the track
    harbour_full_track: int
    harbour_action_spaces: int
    harbour_ship_spaces: int
    timetable: dict[int, DecadeRow]
    obsolescence_workers: int
    machines_upkeep: int
    rise_one_sold: int
    rise_more_sold: int
    rise_appeal: int
    rise_sales: int
    end_marked_spaces: int
    end_marked_shares: int
    economy_table: dict[str, Any] = msgspec.field(name="economy")
    economy_taken_out: int  # workers on the markers that some games are played without
    mat_rows: dict[str, MatRow]
    tiles_rows: dict[Tile, TileNumbers]
    tiles_inventor_next_use: tuple[int, ...]
    tiles_accountant_amount: int
    tiles_broker_shares: int
    tiles_developer_less: int
    tiles_engineer_paid_most: int
    tiles_engineering_works_pays: int
    tiles_agent_goods: int
    tiles_extra_shifts_goods: int
    tiles_foreman_workers: int
    tiles_foreman_less: int
    tiles_foreman_least: int
    tiles_office_pays: int
    tiles_patent_amount: int
    tiles_patent_levels: int
    tiles_small_warehouse_goods: int
    tiles_workshop_machinery: int
    tiles_workshop_upkeep: int
    tile_rules_laid_first: tuple[Tile, ...]
    tile_rules_patrons: tuple[Tile, ...]
    tile_rules_spaces: int
    events: dict[Event, EventMarker]
    seats_fired: int
    seats_box: int
    seats_contract_track: tuple[int, ...]
    seats_ships: tuple[int, ...]  # capacities in the game
    seats_grey_sets: int
    seats_laid: int  # grey markers on a row of the mat
    seats_tiles_drawn: int
    seats_tiles_with_patrons: int
    seats_copies: int  # copies of a kind of tile that may be on display
    predetermined_events: dict[str, Any]
    predetermined_events_starred: tuple[Event, ...]
    predetermined_mat: dict[str, tuple[str, ...]]
    predetermined_tiles: dict[int, tuple[Tile, ...]]  # each number of players has the lists up to its own
    predetermined_order_colours: tuple[str, ...]
    predetermined_players: dict[str, Start]
    rulings: Rulings

    @cached_property
    def costs(self) -> dict[str, tuple[int, ...]]:
        """Building cost, cost of modernizing and base quality, by good and level."""
        return {good: tuple(self.factories[good][level] for level in LEVELS) for good in GOODS}

    @cached_property
    def output(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """Output by good, level and row: the good's own, if it has one, or that of all goods."""
        every = self.output_tables
        return {
            good: tuple(
                tuple(made[str(row)] for row in PRODUCTION_ROWS)
                for made in (every.get(good, {}).get(level) or every[level] for level in LEVELS)
            )
            for good in GOODS
        }

    @cached_property
    def wages(self) -> tuple[tuple[int, int], ...]:
        """Up to which row, and the wage; a band that ends on row 0 is not there."""
        return tuple((band.up_to, band.wage) for _, band in sorted(self.wage_bands.items()) if band.up_to)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """Value of a share on every space, in pounds, band by band (WF-2.7); space 0 is unused."""
        values = [0]
        for _, band in sorted(self.share_track_rows.items()):
            first, base = len(values), values[-1]
            if band.up_to > LONGEST_TRACK:
                raise unplayable(
                    "WF-2.7",
                    "the share track ends on space {expected} at the latest, not {found}",
                    expected=LONGEST_TRACK,
                    found=band.up_to,
                )
            if band.up_to and band.spaces < 1:
                raise unplayable("WF-2.7", "each pound of share value has one space or more")
            values += [base + -(-(space - first + 1) // band.spaces) for space in range(first, band.up_to + 1)]
        return tuple(values)

    @cached_property
    def thresholds(self) -> dict[Marker, tuple[int, ...]]:
        shades = self.thresholds_by_shade
        return {marker(name, shade): costs for name, by_shade in shades.items() for shade, costs in by_shade.items()}

    @cached_property
    def distribution_cap(self) -> dict[Marker, int]:
        return {marker("distribution", shade): cap for shade, cap in self.distribution_cap_by_shade.items()}

    @cached_property
    def production_rows(self) -> dict[Marker, int]:
        return {marker("production", shade): rows for shade, rows in self.production_rows_by_shade.items()}

    @cached_property
    def decades(self) -> dict[int, Decade]:
        return {
            year: Decade(level_of(decade.level), tuple(map(level_of, decade.obsolete)))
            for year, decade in self.timetable.items()
        }

    @cached_property
    def economy(self) -> dict[str, tuple[tuple[int, int], ...]]:
        """Economy markers by good: spaces the importer advances, workers that come back."""
        return {good: tuple(map(economy_marker, self.economy_table[good])) for good in GOODS}

    @cached_property
    def shades(self) -> tuple[str, ...]:
        """Shades of the grey markers, by row of the mat."""
        return tuple(self.mat_rows[row].shade for row in ROWS)

    @cached_property
    def tiles(self) -> dict[Tile, int]:
        """Copies."""
        return {kind: tiles.copies for kind, tiles in self.tiles_rows.items()}

    @cached_property
    def mat(self) -> tuple[tuple[str, ...], ...]:
        """Mat of the predetermined set-up, by row."""
        return tuple(self.predetermined_mat[row] for row in ROWS)

    @cached_property
    def tiles_laid(self) -> dict[Tile, int]:
        """Tiles of the predetermined set-up."""
        lists = [kinds for players, kinds in self.predetermined_tiles.items() if players <= len(self.starts)]
        return dict.fromkeys(self.tiles, 0) | Counter(chain.from_iterable(lists))

    @cached_property
    def events_laid(self) -> dict[int, Event]:
        """Events of the predetermined set-up, by decade."""
        return {int(year): event for year, event in self.predetermined_events.items() if year.isdecimal()}

    @cached_property
    def starts(self) -> dict[str, Start]:
        """Starts of the predetermined set-up: colours in player order."""
        return {colour: self.predetermined_players[colour] for colour in self.predetermined_order_colours}

    @property
    def highest_space(self) -> int:
        return len(self.values) - 1

    @property
    def all_shares(self) -> int:
        """Number of one player's shares."""
        return self.shares_held + self.shares_bank

    @cached_property
    def years(self) -> tuple[int, ...]:
        """The decades, in order."""
        return tuple(sorted(self.decades))

    @property
    def last_decade(self) -> int:
        return self.years[-1]

    def cost(self, good: str, level: int) -> int:
        """Return the number of a factory marker: building cost, cost of modernizing to it, base quality."""
        return self.costs[good][level - 1]

    def row(self, good: str, row: int) -> ProductionRow:
        return self.rows[good][row]

    def row_output(self, good: str, level: int, row: int) -> int:
        """Return the output of a complete row of a factory."""
        return self.output[good][level - 1][row - 1]


SEATS = ("seats", "predetermined_mat", "predetermined_order", "predetermined_players")  # tables by number of players


def printed_numbers(table: Table) -> Printed:
    """Return the sheet's numbers for this many seats. Raises IllegalDecision if they contradict each other."""
    numbers = table.sheet.typed(Printed, {}, **dict.fromkeys(SEATS, str(table.seats)))
    refuse_misfits(numbers, table.seats)
    return numbers


def tables(sheet: Sheet, path: str) -> list[str]:
    """Return the names of the tables below a path, in the order of the sheet."""
    return list(dict.fromkeys(key.split(".")[0] for key in sheet.under(path) if "." in key))


@lru_cache
def name_of(marker: Marker) -> str:
    """Return a marker's name without its shade: "quality", "ship"."""
    return marker.partition(":")[0]


def marker(name: str, shade: str) -> Marker:
    """Return a marker in notation: the player's own is named plainly, others "quality:light"."""
    return name if shade == "colour" else f"{name}:{shade}"


def level_of(roman: str) -> int:
    if roman not in LEVELS:
        raise unplayable("WF-2.13", "{level} is not a level: use I to IV", level=roman)
    return LEVELS.index(roman) + 1


def economy_marker(text: str) -> tuple[int, int]:
    """Parse an economy marker: "1/3" advances the importer 1 space and brings 3 workers back."""
    parts = text.split("/")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 3 for part in parts):
        raise unplayable("WF-2.14.1", "an economy marker is written spaces/workers, not {text}", text=text)
    return int(parts[0]), int(parts[1])


def economy_text(importer: int, workers: int) -> str:
    """Return an economy marker as sheets and boards write it; `economy_marker` parses it."""
    return f"{importer}/{workers}"


def refuse_misfits(numbers: Printed, seats: int) -> None:
    """Raise IllegalDecision for numbers that contradict each other."""
    for good in GOODS:
        if numbers.costs[good][0] < numbers.price_least:
            raise unplayable("WF-2.3", "{good} of level I has a quality below the least price", good=good)
        for number, row in numbers.rows[good].items():
            if not 0 <= row.machines < row.spaces:
                raise unplayable(
                    "WF-2.4",
                    "row {row} of {good} has {spaces} spaces, {machines} for machines: one is for a worker",
                    row=number,
                    good=good,
                    spaces=row.spaces,
                    machines=row.machines,
                )
    if not numbers.wages or -(-numbers.workers_total // len(GOODS)) > max(up_to for up_to, _ in numbers.wages):
        raise unplayable("WF-2.6.5", "the wages do not reach down to the last row of the job market")
    if (
        not numbers.share_track_lowest <= numbers.shares_start_space <= numbers.highest_space
        or numbers.share_track_lowest < 1
    ):
        raise unplayable(
            "WF-2.7.5", "the share value track does not hold its space {space}", space=numbers.shares_start_space
        )
    largest = sorted(sum(numbers.row(good, row).spaces for row in (1, 2)) for good in GOODS)[-2:]
    if numbers.seats_fired + numbers.seats_box + seats * sum(largest) > numbers.workers_total:
        raise unplayable(
            "WF-2.1.1", "{workers} workers are not enough for the first factories", workers=numbers.workers_total
        )
    if not all(0 < row < other for row, other in zip(numbers.chart_rows, numbers.chart_rows[1:], strict=False)):
        raise unplayable("WF-2.9.1", "the rows of the administration chart rise")
    if len(numbers.chart_rows) <= len(GOODS):
        raise unplayable("WF-4.4.9", "the administration chart needs more rows than a decade has cycles")
    for name, what in numbers.additional.items():
        if what not in ("price", "special"):
            raise unplayable("WF-2.10.7", "{name} offers price or special, not {what}", name=name, what=what)
    for event, values in numbers.events.items():
        does = read_effects(values.effect, GOODS)
        if values.effect not in EFFECTS and not does:
            raise unplayable("WF-2.15", "{event} has no effect {effect}", event=event, effect=values.effect)
        for closed in (
            action.n for action in does if action.word == "close_row" and action.n not in numbers.chart_rows
        ):
            raise unplayable("WF-4.22.6", "{event} closes row {row}, which does not exist", event=event, row=closed)
    for shade in numbers.shades:
        if shade not in SHADES:
            raise unplayable("WF-3.4.2", "a row of the mat is light or dark, not {shade}", shade=shade)
    for ship in numbers.ships.values():
        if ship.roman not in ROWS:
            raise unplayable("WF-2.11", "{row} is not a row of the mat: use I to IV", row=ship.roman)
    for capacity in numbers.seats_ships:
        if capacity not in numbers.ships:
            raise unplayable("WF-2.11", "the player has no ship of capacity {capacity}", capacity=capacity)
    if numbers.rulings.single_digit_space_penalty not in ("one", "none", "digit"):
        raise unplayable("WF-6.7", "the penalty on spaces of one digit is one, none or digit")
    most = sum(min(copies, numbers.seats_copies) for copies in numbers.tiles.values())
    if most < len(numbers.tile_rules_laid_first) + numbers.seats_tiles_drawn:
        raise unplayable("WF-2.17", "only {most} tiles can be laid out", most=most)
    for kind, markers in numbers.economy.items():
        if sum(workers != numbers.economy_taken_out for _, workers in markers) < len(numbers.decades) - 1:
            raise unplayable("WF-2.14.2", "there are too few economy markers of {good}", good=kind)
    for kind in numbers.tiles_laid:
        if kind not in numbers.tiles:
            raise unplayable("WF-2.19.5", "there is no tile {kind}", kind=kind)
    for named in (*numbers.tile_rules_laid_first, *numbers.tile_rules_patrons):
        if named not in numbers.tiles:
            raise unplayable("WF-2.16", "there is no tile {kind}", kind=named)


def of(table: Table) -> Printed:
    return table.printed(printed_numbers)
