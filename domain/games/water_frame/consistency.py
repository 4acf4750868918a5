"""What the rules of Water Frame expect of a sheet's numbers: what a game needs, totals of the box, and the worked
examples of the rulebook (WF-9).

A box that a group can see is right against an assumption; an example that no longer holds says that a number beside
it was read wrongly, or that another assumption goes with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from daybook.domain.games.water_frame import bank, people
from daybook.domain.games.water_frame.board import Board, Options, OwnedTile, opening
from daybook.domain.games.water_frame.machinery import thresholds_reached
from daybook.domain.games.water_frame.playable import playable
from daybook.domain.games.water_frame.printed import GOODS, LEVELS, MARKER_NAMES, PRODUCTION_ROWS, tables
from daybook.domain.kernel.sheet import Expectation, Sheet, Told, at_least
from daybook.domain.kernel.terms import Table

PLAYERS = (2, 3, 4)
COLUMNS = len(GOODS)
LONGEST_TRACK = 1000  # spaces; the printed one has a tenth of them

# --- what numbers come to ---


def board_with(sheet: Sheet) -> Board:
    """A game of four begins with these numbers: the rules play the examples on it."""
    table: Table | None = sheet.__dict__.get("table_of_examples")
    if table is None:
        table = sheet.__dict__["table_of_examples"] = Table(tuple(sheet["seats.colours"]), Options(), sheet)
    return opening(table)


def quality(sheet: Sheet, good: str, level: str) -> int:
    """Building cost, cost of modernizing and base quality at once."""
    cost: int = sheet[f"factories.{good}.{level}"]
    return cost


def board_on_space(sheet: Sheet, space: int) -> Board:
    """With the share value of the first player there, or at the end of a shorter track."""
    b = board_with(sheet)
    b.players[0].space = min(space, b.printed.highest_space)
    return b


def share_value_at(sheet: Sheet, space: int) -> int:
    return board_on_space(sheet, space).share_value(0)


def purchase(sheet: Sheet, space: int) -> int:
    """The price of a share that is bought."""
    return bank.purchase_price(board_on_space(sheet, space), 0)


def emergency(sheet: Sheet, space: int, amount: int) -> list[int]:
    """Shares sold without any cash, the space afterwards, and what is left of the money."""
    b = board_on_space(sheet, space)
    player, held = b.players[0], b.players[0].shares
    bank.pay(b, 0, amount, "wages", "WF-9.48", lambda effect: None)
    return [held - player.shares, player.space, player.cash]


def board_with_empty(sheet: Sheet, empty: int) -> Board:
    """With so many empty spaces of the job market."""
    b = board_with(sheet)
    b.market = b.printed.workers_total - empty
    return b


def wage_when_empty(sheet: Sheet, empty: int) -> int:
    return people.wage(board_with_empty(sheet, empty))


def demand_when_empty(sheet: Sheet, empty: int, good: str) -> int:
    return people.demand(board_with_empty(sheet, empty), good)


def bill_of_lamps(sheet: Sheet, *tiles: str) -> int:
    """Of six workers and three machines while a worker costs £4, with tiles on the factory."""
    b = board_with_empty(sheet, 60)
    b.players[0].tiles = [OwnedTile(kind, "lamps") for kind in tiles]
    return people.factory_bill(b, 0, "lamps", 6, 3).amount


def steps(sheet: Sheet, marker: str, paid: int) -> int:
    """What a machinery or quality marker does for so much."""
    return thresholds_reached(board_with(sheet).printed.thresholds[marker], paid)


def spaces(sheet: Sheet, good: str, *rows: int) -> int:
    """Of these production rows together."""
    return sum(sheet[f"rows.{good}.{row}.spaces"] for row in rows)


def output_of_rows(sheet: Sheet, good: str, level: int, *rows: int) -> int:
    """By these rows, complete."""
    numbers = board_with(sheet).printed
    return sum(numbers.row_output(good, level, row) for row in rows)


def makes(sheet: Sheet, good: str) -> list[int]:
    """What whole factories of a good make, level by level."""
    return [sum(rows) for rows in board_with(sheet).printed.output[good]]


def events_laid(sheet: Sheet) -> list[str]:
    """Of the predetermined set-up, those that may be shuffled too."""
    laid = sheet.under("predetermined.events")
    return [event for key, event in laid.items() if key != "starred"] + list(laid["starred"])


def boxed_tiles(sheet: Sheet) -> int:
    return sum(sheet[f"tiles.{kind}.copies"] for kind in tables(sheet, "tiles"))


# --- kinds of expectation ---


def example(rule: str, says: str, expected: Told, found: Callable[[Sheet], Told], *paths: str) -> Expectation:
    return Expectation(rule, says, lambda sheet: (expected, found(sheet)), paths)


def total(rule: str, says: str, box: str, found: Callable[[Sheet], int], *paths: str) -> Expectation:
    return Expectation(rule, says, lambda sheet: (sheet[box], found(sheet)), (*paths, box))


def words_known(rule: str, path: str, words: tuple[str, ...]) -> Expectation:
    """The words of a list are all known."""
    return Expectation(
        rule,
        "of {found}, the game knows {expected}",
        lambda sheet: (", ".join(word for word in sheet[path] if word in words), ", ".join(sheet[path])),
        (path,),
        needed=True,
    )


def rising(rule: str, says: str, path: str, found: Callable[[Sheet], list[int]], needed: bool = False) -> Expectation:
    return Expectation(rule, says, lambda sheet: (sorted(set(found(sheet))), found(sheet)), (path,), needed)


def falling_nowhere(
    rule: str, says: str, path: str, found: Callable[[Sheet], list[int]], **figures: str
) -> Expectation:
    return Expectation(rule, says, lambda sheet: (sorted(found(sheet)), found(sheet)), (path,), figures=figures)


def column(sheet: Sheet, table: str, name: str) -> list[int]:
    """Of the bands of a track that are there."""
    there = [band for band in sorted(tables(sheet, table), key=int) if sheet[f"{table}.{band}.up_to"]]
    return [sheet[f"{table}.{band}.{name}"] for band in there]


# --- what a game needs ---


def needs() -> Iterator[Expectation]:
    for track in ("wages", "share_track"):
        yield rising(
            "WF-2.6.5" if track == "wages" else "WF-2.7",
            "each band ends further on: {expected}, not {found}",
            f"{track}.",
            lambda sheet, track=track: column(sheet, track, "up_to"),  # type: ignore[misc]
            needed=True,
        )
    yield Expectation(
        "WF-2.7",
        "the share track ends on space {expected} at the latest, not {found}",
        lambda sheet: (min(LONGEST_TRACK, end := max(column(sheet, "share_track", "up_to"), default=0)), end),
        ("share_track.",),
        needed=True,
    )
    yield Expectation(
        "WF-2.2",
        "the goods are {expected}, not {found}",
        lambda sheet: (", ".join(GOODS), ", ".join(sorted(sheet["goods.order"], key=order))),
        ("goods.order",),
        needed=True,
    )
    yield Expectation(
        "WF-2.20",
        "each of {expected} players has a colour; there are {found}",
        lambda sheet: (len(sheet["seats.colours"]), len(set(sheet["seats.colours"]))),
        ("seats.colours",),
        needed=True,
    )
    yield Expectation(
        "WF-3.2.3",
        "of the predetermined events {found}, the sheet has {expected}",
        lambda sheet: (
            ", ".join(event for event in events_laid(sheet) if event in tables(sheet, "events")),
            ", ".join(events_laid(sheet)),
        ),
        ("predetermined.events.",),
        needed=True,
    )
    for seats in PLAYERS:
        yield from of_players(seats)
    yield Expectation(
        "WF-2.16.3",
        "the inventor names the cost of at least {expected} further use; here {found}",
        lambda sheet: at_least(1, len(sheet["tiles.inventor.next_use"])),
        ("tiles.inventor.next_use",),
        needed=True,
    )
    for marker in ("machinery", "quality"):
        for shade in ("colour", "light", "dark"):
            yield Expectation(
                "WF-2.10",
                "a marker has at least {expected} threshold; here {found}",
                lambda sheet, path=f"thresholds.{marker}.{shade}": at_least(1, len(sheet[path])),  # type: ignore[misc]
                (f"thresholds.{marker}.{shade}",),
                needed=True,
            )


def order(good: str) -> int:
    return GOODS.index(good) if good in GOODS else COLUMNS


def of_players(seats: int) -> Iterator[Expectation]:
    of, start = f"seats.{seats}", f"predetermined.players.{seats}"
    yield Expectation(
        "WF-2.20",
        "the predetermined set-up is for {expected}, its order names {found}",
        lambda sheet: (
            ", ".join(sorted(tables(sheet, start))),
            ", ".join(sorted(sheet[f"predetermined.order.{seats}.colours"])),
        ),
        (f"predetermined.order.{seats}",),
        needed=True,
    )
    yield Expectation(
        "WF-2.12.4",
        "the contract track rises: {expected}, not {found}",
        lambda sheet: (sorted({*sheet[f"{of}.contract_track"]} - {0}) or [2], sheet[f"{of}.contract_track"]),
        (f"{of}.contract_track",),
        needed=True,
    )
    for row in LEVELS:
        yield words_known("WF-2.19", f"predetermined.mat.{seats}.{row}", MARKER_NAMES)
    yield Expectation(
        "WF-2.20",
        "two factories and their prices for each player: {expected}, not {found}",
        lambda sheet: (
            [2] * 2 * len(tables(sheet, start)),
            [len(sheet[f"{start}.{colour}.{what}"]) for colour in tables(sheet, start) for what in ("goods", "prices")],
        ),
        (f"{start}.",),
        needed=True,
    )
    yield Expectation(
        "WF-2.20",
        "the predetermined goods and markers are known: {expected}, not {found}",
        lambda sheet: (
            ", ".join(word for word in words_of_starts(sheet, start) if word in (*GOODS, *MARKER_NAMES)),
            ", ".join(words_of_starts(sheet, start)),
        ),
        (f"{start}.",),
        needed=True,
    )


def words_of_starts(sheet: Sheet, start: str) -> list[str]:
    return [
        word
        for colour in tables(sheet, start)
        for word in (*sheet[f"{start}.{colour}.goods"], sheet[f"{start}.{colour}.marker"])
    ]


# --- totals of the box, and orders ---


def orders() -> Iterator[Expectation]:
    yield falling_nowhere(
        "WF-2.6.5",
        "the wages do not fall: {expected}, not {found}",
        "wages.",
        lambda sheet: column(sheet, "wages", "wage"),
    )
    yield falling_nowhere(
        "WF-2.7",
        "the bands of the share track grow wider: {expected}, not {found}",
        "share_track.",
        lambda sheet: column(sheet, "share_track", "spaces"),
    )
    for marker in ("machinery", "quality"):
        for shade in ("colour", "light", "dark"):
            yield rising(
                "WF-2.10.1" if marker == "machinery" else "WF-2.10.2",
                "the thresholds rise: {expected}, not {found}",
                f"thresholds.{marker}.{shade}",
                lambda sheet, path=f"thresholds.{marker}.{shade}": sheet[path],  # type: ignore[misc]
            )
    for number, good in enumerate(GOODS, 1):
        yield rising(
            f"WF-2.3.{number}",
            "a better factory costs more: {expected}, not {found}",
            f"factories.{good}.",
            lambda sheet, good=good: [quality(sheet, good, level) for level in LEVELS],  # type: ignore[misc]
        )
    yield falling_nowhere(
        "WF-2.5",
        "a better factory makes no less: {expected}, not {found}",
        "output.",
        lambda sheet: [sum(sheet[f"output.{level}.{row}"] for row in PRODUCTION_ROWS) for level in LEVELS],
    )
    for good in GOODS:
        yield falling_nowhere(
            "WF-2.5",
            "a better factory of {good} makes no less: {expected}, not {found}",
            f"output.{good}.",
            lambda sheet, good=good: makes(sheet, good) if tables(sheet, f"output.{good}") else [],  # type: ignore[misc]
            good=good,
        )
    yield total(
        "WF-2.6.1",
        "the job market has {expected} spaces; rows down to the last wage make {found}",
        "workers.total",
        lambda sheet: COLUMNS * max(column(sheet, "wages", "up_to"), default=0),
        "wages.4.up_to",
    )
    yield example(
        "WF-2.6.2",
        "at its end the job market demands {expected} of the goods; with these numbers {found}",
        [20, 19, 18, 17],
        lambda sheet: [demand_when_empty(sheet, sheet["workers.total"], good) for good in GOODS],
        "goods.food.unnumbered",
        "goods.clothes.unnumbered",
    )
    yield total(
        "WF-2.1.13",
        "the box holds {expected} development tiles; these numbers make {found}",
        "box.development_tiles",
        boxed_tiles,
        "tiles.",
    )
    yield total(
        "WF-2.1.11",
        "the box holds {expected} event markers; the sheet has {found}",
        "box.event_markers",
        lambda sheet: len(tables(sheet, "events")),
        "events.",
    )
    yield total(
        "WF-2.1.12",
        "the box holds {expected} economy markers; these numbers make {found}",
        "box.economy_markers",
        lambda sheet: sum(len(sheet[f"economy.{good}"]) for good in GOODS),
        "economy.",
    )
    yield total(
        "WF-2.1.14",
        "the box holds {expected} ships; these numbers make {found}",
        "box.ships",
        lambda sheet: sum(sheet[f"ships.{capacity}.copies"] for capacity in tables(sheet, "ships")),
        "ships.",
    )
    yield Expectation(
        "WF-2.7",
        "the share track has the values {expected} on spaces 9, 10, 22, 28, 35, 36 and 41; here {found}",
        lambda sheet: (
            [9, 10, 16, 19, 22, 22, 24],
            [share_value_at(sheet, space) for space in (9, 10, 22, 28, 35, 36, 41)],
        ),
        ("share_track.",),
    )


# --- the worked examples ---


def cash_left(seats: int, colour: str, cash: int) -> Expectation:
    """What a player of the predetermined set-up has when the factories are paid."""
    of = f"predetermined.players.{seats}.{colour}"
    capital, goods = f"{of}.capital", f"{of}.goods"
    return Expectation(
        "WF-9.4",
        "of {seats} players, {colour} begins with £{expected}; with these numbers £{found}",
        lambda sheet: (cash, sheet[capital] - sum(quality(sheet, good, "I") for good in sheet[goods])),
        (capital,),
        figures={"seats": seats, "colour": colour},
    )


MACHINERY, QUALITY = ("thresholds.machinery.colour",), ("thresholds.quality.colour",)

EXAMPLES = (
    example(
        "WF-9.1",
        "food of level I at £6 has an appeal of {expected}; with these numbers {found}",
        2,
        lambda sheet: quality(sheet, "food", "I") - 6,
        "factories.food.I",
    ),
    example(
        "WF-9.1",
        "rows 1 and 2 of food take {expected} workers; with these numbers {found}",
        [2, 2],
        lambda sheet: [spaces(sheet, "food", 1), spaces(sheet, "food", 2)],
        "rows.food.",
    ),
    example(
        "WF-9.2",
        "clothes and lamps of level I cost £{expected}; with these numbers £{found}",
        [9, 11],
        lambda sheet: [quality(sheet, "clothes", "I"), quality(sheet, "lamps", "I")],
        "factories.clothes.I",
    ),
    example(
        "WF-9.3",
        "food and lamps of level I cost £{expected} together; with these numbers £{found}",
        19,
        lambda sheet: quality(sheet, "food", "I") + quality(sheet, "lamps", "I"),
        "factories.food.I",
    ),
    example(
        "WF-9.4",
        "rows 1 and 2 of food, clothes, cutlery and lamps take {expected} workers; here {found}",
        [4, 4, 5, 6],
        lambda sheet: [spaces(sheet, good, 1, 2) for good in GOODS],
        "rows.",
    ),
    *(
        cash_left(seats, colour, cash)
        for seats, colour, cash in (
            (4, "blue", 41),
            (4, "red", 32),
            (4, "green", 40),
            (4, "yellow", 31),
            (3, "blue", 33),
            (3, "red", 42),
            (3, "green", 41),
            (2, "blue", 52),
            (2, "red", 63),
        )
    ),
    example(
        "WF-9.6",
        "the own quality marker for £4 raises quality {expected} times; with these numbers {found}",
        0,
        lambda sheet: steps(sheet, "quality", 4),
        *QUALITY,
    ),
    example(
        "WF-9.7",
        "the own machinery marker, used again on £6, costs £{expected}; with these numbers £{found}",
        8,
        lambda sheet: 6 + sheet["chart.fee"],
        "chart.fee",
    ),
    example(
        "WF-9.8",
        "the own distribution marker for £2 makes {expected} usable; with these numbers {found}",
        2,
        lambda sheet: min(2, sheet["distribution_cap.colour"]),
        "distribution_cap.colour",
    ),
    example(
        "WF-9.9",
        "the own quality marker for £10 raises quality {expected} time; with these numbers {found}",
        1,
        lambda sheet: steps(sheet, "quality", 10),
        *QUALITY,
    ),
    example(
        "WF-9.10",
        "food of level I, built at £5, has an appeal of {expected}; with these numbers {found}",
        3,
        lambda sheet: quality(sheet, "food", "I") - 5,
        "factories.food.I",
    ),
    example(
        "WF-9.11",
        "food from level I to III costs £{expected}; with these numbers £{found}",
        22,
        lambda sheet: quality(sheet, "food", "II") + quality(sheet, "food", "III"),
        "factories.food.II",
    ),
    example(
        "WF-9.12",
        "the same with the developer costs £{expected}; with these numbers £{found}",
        17,
        lambda sheet: quality(sheet, "food", "II") + quality(sheet, "food", "III") - sheet["tiles.developer.less"],
        "tiles.developer.less",
        "factories.food.II",
    ),
    example(
        "WF-9.13",
        "lamps built with the developer, modernized with the inventor, cost £{expected}; here £{found}",
        [9, 17],
        lambda sheet: [quality(sheet, "lamps", "II") - sheet["tiles.developer.less"], quality(sheet, "lamps", "III")],
        "factories.lamps.II",
    ),
    example(
        "WF-9.14",
        "a worker above a column of the warehouse opens {expected} spaces; here {found}",
        5,
        lambda sheet: sheet["harbour.rows"],
        "harbour.rows",
    ),
    example(
        "WF-9.15",
        "the own machinery marker for £6, £4 and £10 brings {expected} machines; here {found}",
        [2, 1, 2],
        lambda sheet: [steps(sheet, "machinery", paid) for paid in (6, 4, 10)],
        *MACHINERY,
    ),
    example(
        "WF-9.16",
        "the same for £10 with the workshop brings {expected} machines; with these numbers {found}",
        3,
        lambda sheet: steps(sheet, "machinery", 10 + sheet["tiles.workshop.machinery"]),
        "tiles.workshop.machinery",
        *MACHINERY,
    ),
    example(
        "WF-9.17",
        "the light machinery marker for £10 and the dark one for £6 bring {expected}; here {found}",
        [3, 3],
        lambda sheet: [steps(sheet, "machinery:light", 10), steps(sheet, "machinery:dark", 6)],
        "thresholds.machinery.light",
    ),
    example(
        "WF-9.19",
        "the light distribution marker for £8, with the patent, makes {expected} usable; here {found}",
        9,
        lambda sheet: min(8, sheet["distribution_cap.light"]) + sheet["tiles.patent.amount"],
        "distribution_cap.light",
    ),
    example(
        "WF-9.20",
        "on space 22 a share is bought for £{expected}; with these numbers £{found}",
        16,
        lambda sheet: purchase(sheet, 22),
        "share_track.",
    ),
    example(
        "WF-9.21",
        "on space 9 a share is sold and bought for £{expected}; with these numbers £{found}",
        [9, 10],
        lambda sheet: [share_value_at(sheet, 9), purchase(sheet, 9)],
        "share_track.",
        "shares.purchase_minimum",
    ),
    example(
        "WF-9.23",
        "a ship action goes {expected} space back; with these numbers {found}",
        1,
        lambda sheet: sheet["harbour.action_spaces"],
        "harbour.action_spaces",
    ),
    example(
        "WF-9.24",
        "the accountant pays up to {expected} more or less; with these numbers {found}",
        2,
        lambda sheet: sheet["tiles.accountant.amount"],
        "tiles.accountant.amount",
    ),
    example(
        "WF-9.26",
        "a contract for four lamps of level II brings £{expected}; with these numbers £{found}",
        56,
        lambda sheet: 4 * quality(sheet, "lamps", "II"),
        "factories.lamps.II",
    ),
    example(
        "WF-9.27",
        "the same with the office brings £{expected}; with these numbers £{found}",
        61,
        lambda sheet: 4 * quality(sheet, "lamps", "II") + sheet["tiles.office.pays"],
        "tiles.office.pays",
    ),
    example(
        "WF-9.29",
        "row 1 of food of level III, with a worker and a machine, makes {expected}; here {found}",
        2,
        lambda sheet: output_of_rows(sheet, "food", 3, 1),
        "output.III.1",
        "output.food.III.1",
    ),
    example(
        "WF-9.29",
        "that row has {expected} spaces, of which machines take; with these numbers {found}",
        [2, 1],
        lambda sheet: [sheet["rows.food.1.spaces"], sheet["rows.food.1.machines"]],
        "rows.food.1",
    ),
    example(
        "WF-9.30",
        "a distribution level and three prices cost £{expected}; with these numbers £{found}",
        4,
        lambda sheet: 2 + 2 * sheet["price.unaffected"],
        "price.unaffected",
    ),
    example(
        "WF-9.32",
        "ships of capacity 4 and 6 have a crew of {expected}; with these numbers {found}",
        3,
        lambda sheet: sheet["ships.4.crew"] + sheet["ships.6.crew"],
        "ships.4.crew",
        "ships.6.crew",
    ),
    example(
        "WF-9.33",
        "rows 1 and 2 of clothes of level I make {expected}; with these numbers {found}",
        3,
        lambda sheet: output_of_rows(sheet, "clothes", 1, 1, 2),
        "output.I.",
        "output.clothes.I.",
    ),
    example(
        "WF-9.33",
        "clothes of level I at £7, distribution 2, have an appeal of {expected}; here {found}",
        4,
        lambda sheet: quality(sheet, "clothes", "I") - 7 + 2,
        "factories.clothes.I",
    ),
    example(
        "WF-9.34",
        "with 30, 31, 32 empty spaces the demand for clothes is {expected}; with these numbers {found}",
        [7, 7, 7],
        lambda sheet: [demand_when_empty(sheet, empty, "clothes") for empty in (30, 31, 32)],
        "goods.clothes.unnumbered",
    ),
    example(
        "WF-9.34",
        "with 30, 31, 32 empty spaces the wage is £{expected}; with these numbers £{found}",
        [2, 2, 2],
        lambda sheet: [wage_when_empty(sheet, empty) for empty in (30, 31, 32)],
        "wages.",
    ),
    example(
        "WF-9.37",
        "who sells three, the most, at the highest appeal rises {expected}, who sells two {found}",
        "4, 2",
        lambda sheet: (
            f"{sheet['rise.more_sold'] + sheet['rise.appeal'] + sheet['rise.sales']}, {sheet['rise.more_sold']}"
        ),
        "rise.",
    ),
    example(
        "WF-9.39",
        "rows 1 to 3 of cutlery hold {expected} workers, without row 3; with these numbers {found}",
        [8, 5],
        lambda sheet: [spaces(sheet, "cutlery", 1, 2, 3), spaces(sheet, "cutlery", 1, 2)],
        "rows.cutlery.",
    ),
    example(
        "WF-9.39",
        "at level II rows 1 to 3 make {expected}, without row 3; with these numbers {found}",
        [5, 3],
        lambda sheet: [output_of_rows(sheet, "cutlery", 2, 1, 2, 3), output_of_rows(sheet, "cutlery", 2, 1, 2)],
        "output.II.",
        "output.cutlery.II.",
    ),
    example(
        "WF-9.40",
        "three workers at £2 and a machine cost £{expected}; with these numbers £{found}",
        7,
        lambda sheet: 3 * 2 + sheet["machines.upkeep"],
        "machines.upkeep",
    ),
    example(
        "WF-9.40",
        "rows 1 and 2 of clothes take {expected}, workers and a machine; with these numbers {found}",
        4,
        lambda sheet: spaces(sheet, "clothes", 1, 2),
        "rows.clothes.",
    ),
    example(
        "WF-9.41",
        "rows 1 to 3 of lamps take {expected} workers and machines; with these numbers {found}",
        9,
        lambda sheet: spaces(sheet, "lamps", 1, 2, 3),
        "rows.lamps.",
    ),
    example(
        "WF-9.41",
        "six workers at £4 and three machines cost £{expected} (foreman, workshop); here £{found}",
        [27, 19, 17],
        lambda sheet: [
            bill_of_lamps(sheet),
            bill_of_lamps(sheet, "foreman"),
            bill_of_lamps(sheet, "foreman", "workshop"),
        ],
        "machines.upkeep",
        "tiles.foreman.",
    ),
    example(
        "WF-9.42",
        "a contract for six clothes of level I brings £{expected}; with these numbers £{found}",
        54,
        lambda sheet: 6 * quality(sheet, "clothes", "I"),
        "factories.clothes.I",
    ),
    example(
        "WF-9.42",
        "its two ships go {expected} spaces back; with these numbers {found}",
        2,
        lambda sheet: 2 * sheet["harbour.ship_spaces"],
        "harbour.ship_spaces",
    ),
    example(
        "WF-9.43",
        "with the agent a contract for 6 takes {expected} goods; with these numbers {found}",
        [5, 7],
        lambda sheet: [6 - sheet["tiles.agent.goods"], 6 + sheet["tiles.agent.goods"]],
        "tiles.agent.goods",
    ),
    example(
        "WF-9.44",
        "the small warehouse holds {expected} goods; with these numbers {found}",
        5,
        lambda sheet: sheet["tiles.small_warehouse.goods"],
        "tiles.small_warehouse.goods",
    ),
    example(
        "WF-9.45",
        "the crews of ships 2 and 4 cost £{expected} at a wage of £4; with these numbers £{found}",
        4,
        lambda sheet: 4 * (sheet["ships.2.crew"] + sheet["ships.4.crew"]),
        "ships.2.crew",
        "ships.4.crew",
    ),
    example(
        "WF-9.46",
        "three shares on space 36 cost £{expected}; with these numbers £{found}",
        66,
        lambda sheet: 3 * purchase(sheet, 36),
        "share_track.",
    ),
    example(
        "WF-9.47",
        "a worker that an empty job market lacks costs £{expected}; with these numbers £{found}",
        5,
        lambda sheet: wage_when_empty(sheet, sheet["workers.total"]),
        "wages.",
    ),
    example(
        "WF-9.47",
        "an obsolete factory takes {expected} more workers; with these numbers {found}",
        2,
        lambda sheet: sheet["obsolescence.workers"],
        "obsolescence.workers",
    ),
    example(
        "WF-9.48",
        "an emergency sale for £30 on space 28 (shares, space, £ left): {expected}; here {found}",
        [2, 24, 8],
        lambda sheet: emergency(sheet, 28, 30),
        "share_track.",
    ),
    example(
        "WF-9.49",
        "contracts lie on {expected} among the spaces of the track; with these numbers on {found}",
        [6, 10],
        lambda sheet: [space for space in (6, 10) if space in sheet["seats.4.contract_track"]],
        "seats.4.contract_track",
    ),
    example(
        "WF-9.50",
        "19 shares on space 35, and on space 41, are worth £{expected}; with these numbers £{found}",
        [418, 456],
        lambda sheet: [19 * share_value_at(sheet, 35), 19 * share_value_at(sheet, 41)],
        "share_track.",
    ),
    example(
        "WF-9.51",
        "the own quality marker for £12 raises quality {expected} times; with these numbers {found}",
        2,
        lambda sheet: steps(sheet, "quality", 12),
        *QUALITY,
    ),
)

CONSISTENCY: tuple[Expectation, ...] = (*needs(), *playable(), *orders(), *EXAMPLES)
