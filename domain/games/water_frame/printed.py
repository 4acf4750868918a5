"""The component sheet of Arkwright: Water Frame with types (WF-2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args

import msgspec

from daybook.domain.games.water_frame.written import read_effects
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import IllegalDecision, Reason, Table, because

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


class ProductionRow(msgspec.Struct, frozen=True):
    """A production row: its spaces, and how many of them a machine may take."""

    spaces: int
    machines: int

    @property
    def human_only(self) -> int:
        return self.spaces - self.machines


class PrintedShip(msgspec.Struct, frozen=True):
    """row: of the special markers mat, from 0."""

    copies: int
    row: int
    crew: int


class Decade(msgspec.Struct, frozen=True):
    """level: the development level; obsolete: levels that become obsolete when the decade begins."""

    level: int
    obsolete: tuple[int, ...]


class EventMarker(msgspec.Struct, frozen=True):
    """effect: one of EFFECTS, or what it does written out (WF-4.22.6)."""

    two_players: bool
    effect: str
    amount: int
    per_loan: int


class Start(msgspec.Struct, frozen=True):
    """What the predetermined set-up gives one player."""

    factories: tuple[tuple[str, int], ...]  # good and price
    shares: int
    capital: int
    marker: str


class Rulings(msgspec.Struct, frozen=True):
    """What a table may rule otherwise (WF-6)."""

    charisma_beats_importer_tie: bool
    single_digit_space_penalty: str  # "one", "none" or "digit"
    bureaucracy_permanent: bool
    importer_sells_on: bool
    inventor_keep_by_emergency: bool


class Printed(msgspec.Struct, frozen=True, dict=True):
    """Numbers of the sheet for this many seats. Levels count from 1, rows of the special markers mat from 0."""

    fixed_price: dict[str, int]
    unnumbered: dict[str, int]
    costs: dict[str, tuple[int, ...]]  # by good and level: building, modernizing, base quality
    rows: dict[str, tuple[ProductionRow, ...]]
    output: dict[str, tuple[tuple[int, ...], ...]]  # by good, level and row
    workers: int
    fired: int
    box: int
    full_market_wage: int
    wages: tuple[tuple[int, int], ...]  # up to row, wage
    values: tuple[int, ...]  # of a share, by space; that of space 0 stands for nothing
    lowest_space: int
    shares_held: int
    shares_bank: int
    start_space: int
    setup_price: int
    purchase_minimum: int
    minimum_up_to: int  # space
    loan: int
    repay: int
    loan_spaces: int
    least_price: int
    most_price: int
    unaffected_price: int
    most_quality: int
    engineer_quality: int
    most_distribution: int
    distribution_decay: int
    decay_price_falls: int
    decay_spaces_back: int
    chart_rows: tuple[int, ...]
    fee: int
    thresholds: dict[str, tuple[int, ...]]  # by marker: "quality", "quality:light"
    distribution_cap: dict[str, int]  # by marker
    production_rows: dict[str, int]  # by marker
    additional: dict[str, str]  # by marker's name: "price" or "special"
    ships: dict[int, PrintedShip]  # by capacity
    ships_used: tuple[int, ...]  # capacities
    piers: int
    warehouse_rows: int
    contract_track: tuple[int, ...]
    contract_rise: int  # spaces of the track
    full_track_spaces: int
    ship_action_spaces: int
    ship_spaces: int
    decades: dict[int, Decade]
    obsolete_workers: int
    upkeep: int
    rise_one_sold: int
    rise_more_sold: int
    rise_appeal: int
    rise_sales: int
    marked_spaces: int
    marked_shares: int
    economy: dict[str, tuple[tuple[int, int], ...]]  # by good: spaces the importer advances, workers that come back
    economy_taken_out: int  # workers on the markers that some games are played without
    shades: tuple[str, ...]  # of the grey markers, by row of the mat
    grey_sets: int
    laid: int  # grey markers on a row of the mat
    tiles: dict[Tile, int]  # copies
    tiles_first: tuple[Tile, ...]
    tiles_drawn: int
    tiles_with_patrons: int
    patrons: tuple[Tile, ...]
    tile_copies: int  # of a kind that may be laid out
    tile_spaces: int
    next_use: tuple[int, ...]  # of the inventor
    accountant: int
    broker: int
    developer: int
    engineer_paid: int
    engineering_works: int
    agent: int
    extra_shifts: int
    foreman_workers: int
    foreman_less: int
    foreman_least: int
    office: int
    patent_amount: int
    patent_levels: int
    small_warehouse: int
    workshop_machinery: int
    workshop_upkeep: int
    events: dict[Event, EventMarker]
    mat: tuple[tuple[str, ...], ...]  # of the predetermined set-up, by row
    tiles_laid: dict[Tile, int]  # of the predetermined set-up
    events_laid: dict[int, Event]  # of the predetermined set-up, by decade
    starred: tuple[Event, ...]
    starts: dict[str, Start]  # of the predetermined set-up: colours in player order
    rulings: Rulings

    @property
    def highest_space(self) -> int:
        return len(self.values) - 1

    @property
    def all_shares(self) -> int:
        """Of one player."""
        return self.shares_held + self.shares_bank

    @cached_property
    def years(self) -> tuple[int, ...]:
        """The decades, in order."""
        return tuple(sorted(self.decades))

    @property
    def last_decade(self) -> int:
        return self.years[-1]

    def cost(self, good: str, level: int) -> int:
        """What a factory marker prints: building cost, cost of modernizing to it, base quality."""
        return self.costs[good][level - 1]

    def row(self, good: str, row: int) -> ProductionRow:
        return self.rows[good][row - 1]

    def row_output(self, good: str, level: int, row: int) -> int:
        """What a complete row of a factory makes."""
        return self.output[good][level - 1][row - 1]


def printed_numbers(table: Table) -> Printed:
    """The sheet's numbers for this many seats. Raises IllegalDecision where they cannot go together."""
    sheet, seats = table.sheet, f"seats.{table.seats}"
    numbers = Printed(
        fixed_price={good: sheet[f"goods.{good}.fixed_price"] for good in GOODS},
        unnumbered={good: sheet[f"goods.{good}.unnumbered"] for good in GOODS},
        costs={good: tuple(sheet[f"factories.{good}.{level}"] for level in LEVELS) for good in GOODS},
        rows={
            good: tuple(
                ProductionRow(sheet[f"rows.{good}.{row}.spaces"], sheet[f"rows.{good}.{row}.machines"])
                for row in PRODUCTION_ROWS
            )
            for good in GOODS
        },
        output={
            good: tuple(tuple(output_of_row(sheet, good, level, row) for row in PRODUCTION_ROWS) for level in LEVELS)
            for good in GOODS
        },
        workers=sheet["workers.total"],
        fired=sheet[f"{seats}.fired"],
        box=sheet[f"{seats}.box"],
        full_market_wage=sheet["workers.full_market_wage"],
        wages=bands(sheet, "wages", "wage"),
        values=share_values(sheet),
        lowest_space=sheet["share_track.lowest"],
        shares_held=sheet["shares.held"],
        shares_bank=sheet["shares.bank"],
        start_space=sheet["shares.start_space"],
        setup_price=sheet["shares.setup_price"],
        purchase_minimum=sheet["shares.purchase_minimum"],
        minimum_up_to=sheet["shares.minimum_up_to"],
        loan=sheet["loan.amount"],
        repay=sheet["loan.repay"],
        loan_spaces=sheet["loan.spaces"],
        least_price=sheet["price.least"],
        most_price=sheet["price.most"],
        unaffected_price=sheet["price.unaffected"],
        most_quality=sheet["quality.most"],
        engineer_quality=sheet["quality.engineer"],
        most_distribution=sheet["distribution.most"],
        distribution_decay=sheet["distribution.decay"],
        decay_price_falls=sheet["distribution.price_falls"],
        decay_spaces_back=sheet["distribution.spaces_back"],
        chart_rows=tuple(sheet["chart.rows"]),
        fee=sheet["chart.fee"],
        thresholds={
            marker(name, shade): tuple(sheet[f"thresholds.{name}.{shade}"])
            for name in ("machinery", "quality")
            for shade in ("colour", *SHADES)
        },
        distribution_cap={
            marker("distribution", shade): sheet[f"distribution_cap.{shade}"] for shade in ("colour", *SHADES)
        },
        production_rows={marker("production", shade): sheet[f"production_rows.{shade}"] for shade in SHADES},
        additional=sheet.under("additional"),
        ships={int(capacity): ship(sheet, capacity) for capacity in tables(sheet, "ships")},
        ships_used=tuple(sheet[f"{seats}.ships"]),
        piers=sheet["harbour.piers"],
        warehouse_rows=sheet["harbour.rows"],
        contract_track=tuple(sheet[f"{seats}.contract_track"]),
        contract_rise=sheet["harbour.rise"],
        full_track_spaces=sheet["harbour.full_track"],
        ship_action_spaces=sheet["harbour.action_spaces"],
        ship_spaces=sheet["harbour.ship_spaces"],
        decades={
            int(year): Decade(
                level_of(sheet[f"timetable.{year}.level"]), tuple(map(level_of, sheet[f"timetable.{year}.obsolete"]))
            )
            for year in tables(sheet, "timetable")
        },
        obsolete_workers=sheet["obsolescence.workers"],
        upkeep=sheet["machines.upkeep"],
        rise_one_sold=sheet["rise.one_sold"],
        rise_more_sold=sheet["rise.more_sold"],
        rise_appeal=sheet["rise.appeal"],
        rise_sales=sheet["rise.sales"],
        marked_spaces=sheet["end.marked_spaces"],
        marked_shares=sheet["end.marked_shares"],
        economy={good: tuple(economy_marker(text) for text in sheet[f"economy.{good}"]) for good in GOODS},
        economy_taken_out=sheet["economy.taken_out"],
        shades=tuple(sheet[f"mat.{row}.shade"] for row in ROWS),
        grey_sets=sheet[f"{seats}.grey_sets"],
        laid=sheet[f"{seats}.laid"],
        tiles={kind: sheet[f"tiles.{kind}.copies"] for kind in tables(sheet, "tiles")},
        tiles_first=tuple(sheet["tile_rules.laid_first"]),
        tiles_drawn=sheet[f"{seats}.tiles_drawn"],
        tiles_with_patrons=sheet[f"{seats}.tiles_with_patrons"],
        patrons=tuple(sheet["tile_rules.patrons"]),
        tile_copies=sheet[f"{seats}.copies"],
        tile_spaces=sheet["tile_rules.spaces"],
        next_use=tuple(sheet["tiles.inventor.next_use"]),
        accountant=sheet["tiles.accountant.amount"],
        broker=sheet["tiles.broker.shares"],
        developer=sheet["tiles.developer.less"],
        engineer_paid=sheet["tiles.engineer.paid_most"],
        engineering_works=sheet["tiles.engineering_works.pays"],
        agent=sheet["tiles.agent.goods"],
        extra_shifts=sheet["tiles.extra_shifts.goods"],
        foreman_workers=sheet["tiles.foreman.workers"],
        foreman_less=sheet["tiles.foreman.less"],
        foreman_least=sheet["tiles.foreman.least"],
        office=sheet["tiles.office.pays"],
        patent_amount=sheet["tiles.patent.amount"],
        patent_levels=sheet["tiles.patent.levels"],
        small_warehouse=sheet["tiles.small_warehouse.goods"],
        workshop_machinery=sheet["tiles.workshop.machinery"],
        workshop_upkeep=sheet["tiles.workshop.upkeep"],
        events={name: event_marker(sheet, name) for name in tables(sheet, "events")},
        mat=tuple(tuple(sheet[f"predetermined.mat.{table.seats}.{row}"]) for row in ROWS),
        tiles_laid=tiles_laid(sheet, table.seats),
        events_laid={
            int(year): event for year, event in sheet.under("predetermined.events").items() if year.isdecimal()
        },
        starred=tuple(sheet["predetermined.events.starred"]),
        starts={
            colour: start(sheet, f"predetermined.players.{table.seats}.{colour}")
            for colour in sheet[f"predetermined.order.{table.seats}.colours"]
        },
        rulings=Rulings(**sheet.under("rulings")),
    )
    for rule, reason in misfits(numbers, table.seats):
        raise IllegalDecision(rule, reason)
    return numbers


def tables(sheet: Sheet, path: str) -> list[str]:
    """The names of the tables below a path, in the order of the sheet."""
    return list(dict.fromkeys(key.split(".")[0] for key in sheet.under(path) if "." in key))


@lru_cache
def name_of(marker: Marker) -> str:
    """What a marker is, whatever its shade: "quality", "ship"."""
    return marker.partition(":")[0]


def marker(name: str, shade: str) -> Marker:
    """A marker as it is written down: the player's own is named plainly, "quality:light"."""
    return name if shade == "colour" else f"{name}:{shade}"


def level_of(roman: str) -> int:
    if roman not in LEVELS:
        raise IllegalDecision("WF-2.13", because("sheet", "{level} is no level: I to IV are", level=roman))
    return LEVELS.index(roman) + 1


def row_of(sheet: Sheet, path: str) -> int:
    row = sheet[path]
    if row not in ROWS:
        raise IllegalDecision("WF-2.11", because("sheet", "{row} is no row of the mat: I to IV are", row=row))
    return ROWS.index(row)


def output_of_row(sheet: Sheet, good: str, level: str, row: int) -> int:
    """By a complete row: what the good's own output says, where it has one, or that of all goods."""
    own = f"output.{good}.{level}.{row}"
    return sheet[own if own in sheet.numbers else f"output.{level}.{row}"]  # type: ignore[no-any-return]


def bands(sheet: Sheet, path: str, name: str) -> tuple[tuple[int, int], ...]:
    """A track in bands: each with where it ends and what it has; one that ends on 0 is not there."""
    found = (
        (sheet[f"{path}.{band}.up_to"], sheet[f"{path}.{band}.{name}"]) for band in sorted(tables(sheet, path), key=int)
    )
    return tuple((up_to, has) for up_to, has in found if up_to)


def share_values(sheet: Sheet) -> tuple[int, ...]:
    """The value of a share on every space: some spaces make a pound, band by band (WF-2.7)."""
    values = [0]
    for up_to, spaces in bands(sheet, "share_track", "spaces"):
        first, base = len(values), values[-1]
        if spaces < 1:
            raise IllegalDecision("WF-2.7", because("sheet", "a pound of share value is one space or more"))
        values += [base + -(-(space - first + 1) // spaces) for space in range(first, up_to + 1)]
    return tuple(values)


def ship(sheet: Sheet, capacity: str) -> PrintedShip:
    of = f"ships.{capacity}"
    return PrintedShip(sheet[f"{of}.copies"], row_of(sheet, f"{of}.row"), sheet[f"{of}.crew"])


def economy_marker(text: str) -> tuple[int, int]:
    """ "1/3": the importer advances 1 space, 3 workers come back."""
    parts = text.split("/")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 3 for part in parts):
        raise IllegalDecision(
            "WF-2.14.1", because("sheet", "an economy marker is written spaces/workers, not {text}", text=text)
        )
    return int(parts[0]), int(parts[1])


def economy_text(importer: int, workers: int) -> str:
    """An economy marker as sheets and boards write it; `economy_marker` reads it."""
    return f"{importer}/{workers}"


def event_marker(sheet: Sheet, name: str) -> EventMarker:
    of = f"events.{name}"
    return EventMarker(*(sheet[f"{of}.{part}"] for part in ("two_players", "effect", "amount", "per_loan")))


def tiles_laid(sheet: Sheet, seats: int) -> dict[Tile, int]:
    """The tiles of the predetermined set-up: the lists up to this number of players."""
    laid = dict.fromkeys(tables(sheet, "tiles"), 0)
    for players, kinds in sheet.under("predetermined.tiles").items():
        for kind in kinds if int(players) <= seats else ():
            if kind not in laid:
                raise IllegalDecision("WF-2.19.5", because("sheet", "there is no tile {kind}", kind=kind))
            laid[kind] += 1
    return laid


def start(sheet: Sheet, path: str) -> Start:
    factories = tuple(zip(sheet[f"{path}.goods"], sheet[f"{path}.prices"], strict=False))
    return Start(factories, sheet[f"{path}.shares"], sheet[f"{path}.capital"], sheet[f"{path}.marker"])


def misfits(numbers: Printed, seats: int) -> Iterator[tuple[str, Reason]]:
    """What makes a sheet unplayable: numbers that contradict each other."""
    for good in GOODS:
        if numbers.costs[good][0] < numbers.least_price:
            yield "WF-2.3", because("sheet", "{good} of level I has a quality below the least price", good=good)
        for number, row in enumerate(numbers.rows[good], 1):
            if not 0 <= row.machines < row.spaces:
                yield (
                    "WF-2.4",
                    because(
                        "sheet",
                        "row {row} of {good} has {spaces} spaces, {machines} for machines: one is for a worker",
                        row=number,
                        good=good,
                        spaces=row.spaces,
                        machines=row.machines,
                    ),
                )
    if not numbers.wages or -(-numbers.workers // len(GOODS)) > max(up_to for up_to, _ in numbers.wages):
        yield "WF-2.6.5", because("sheet", "the wages do not reach down to the last row of the job market")
    if not numbers.lowest_space <= numbers.start_space <= numbers.highest_space or numbers.lowest_space < 1:
        yield (
            "WF-2.7.5",
            because("sheet", "the share value track does not hold its space {space}", space=numbers.start_space),
        )
    largest = sorted(sum(row.spaces for row in numbers.rows[good][:2]) for good in GOODS)[-2:]
    if numbers.fired + numbers.box + seats * sum(largest) > numbers.workers:
        yield "WF-2.1.1", because("sheet", "{workers} workers do not fill the first factories", workers=numbers.workers)
    if not all(0 < row < other for row, other in zip(numbers.chart_rows, numbers.chart_rows[1:], strict=False)):
        yield "WF-2.9.1", because("sheet", "the rows of the administration chart rise")
    if len(numbers.chart_rows) <= len(GOODS):
        yield "WF-4.4.9", because("sheet", "the administration chart needs more rows than a decade has cycles")
    for name, what in numbers.additional.items():
        if what not in ("price", "special"):
            yield "WF-2.10.7", because("sheet", "{name} offers price or special, not {what}", name=name, what=what)
    for event, of in numbers.events.items():
        does = read_effects(of.effect, GOODS)
        if of.effect not in EFFECTS and not does:
            yield "WF-2.15", because("sheet", "{event} has no effect {effect}", event=event, effect=of.effect)
        for closed in (one.n for one in does if one.word == "close_row" and one.n not in numbers.chart_rows):
            yield "WF-4.22.6", because("sheet", "{event} closes row {row}, which is none", event=event, row=closed)
    for shade in numbers.shades:
        if shade not in SHADES:
            yield "WF-3.4.2", because("sheet", "a row of the mat is light or dark, not {shade}", shade=shade)
    for capacity in numbers.ships_used:
        if capacity not in numbers.ships:
            yield "WF-2.11", because("sheet", "there is no ship of capacity {capacity}", capacity=capacity)
    if numbers.rulings.single_digit_space_penalty not in ("one", "none", "digit"):
        yield "WF-6.7", because("sheet", "the penalty on spaces of one digit is one, none or digit")
    most = sum(min(copies, numbers.tile_copies) for copies in numbers.tiles.values())
    if most < len(numbers.tiles_first) + numbers.tiles_drawn:
        yield "WF-2.17", because("sheet", "only {most} tiles can be laid out", most=most)
    for kind, markers in numbers.economy.items():
        if sum(workers != numbers.economy_taken_out for _, workers in markers) < len(numbers.decades) - 1:
            yield "WF-2.14.2", because("sheet", "there are too few economy markers of {good}", good=kind)
    for named in (*numbers.tiles_first, *numbers.patrons):
        if named not in numbers.tiles:
            yield "WF-2.16", because("sheet", "there is no tile {kind}", kind=named)


def of(table: Table) -> Printed:
    """The table's sheet, read once."""
    numbers: Any = table.__dict__.get("water_frame")
    if numbers is None:
        numbers = table.__dict__["water_frame"] = printed_numbers(table)
    return numbers  # type: ignore[no-any-return]
