"""Expectations of Water Frame's rules about a sheet: totals of the box, and orders.

A box that a group can see is right against an assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from daybook.domain.games.water_frame import people
from daybook.domain.games.water_frame.board import Board, Options, opening
from daybook.domain.games.water_frame.printed import GOODS, LEVELS, PRODUCTION_ROWS, tables
from daybook.domain.kernel.sheet import Expectation, Sheet, stated, total
from daybook.domain.kernel.terms import Table

COLUMNS = len(GOODS)
MOST_PLAYERS = 4

# --- sums of numbers ---


def board_with(sheet: Sheet) -> Board:
    """Return the opening board of a game of four with these numbers."""
    table: Table | None = sheet.__dict__.get("table_of_four")
    if table is None:
        table = sheet.__dict__["table_of_four"] = Table(tuple(sheet["seats.colours"][:MOST_PLAYERS]), Options(), sheet)
    return opening(table)


def quality(sheet: Sheet, good: str, level: str) -> int:
    """Return the number of a factory marker: building cost, cost of modernizing and base quality."""
    cost: int = sheet[f"factories.{good}.{level}"]
    return cost


def demand_at_the_end(sheet: Sheet, good: str) -> int:
    """Return the demand when the job market is empty."""
    b = board_with(sheet)
    b.market = 0
    return people.demand(b, good)


def makes(sheet: Sheet, good: str) -> list[int]:
    """Return the output of complete factories of a good, level by level."""
    return [sum(rows) for rows in board_with(sheet).printed.output[good]]


def boxed_tiles(sheet: Sheet) -> int:
    return sum(sheet[f"tiles.{kind}.copies"] for kind in tables(sheet, "tiles"))


# --- kinds of expectation ---


def rising(
    rule: str, sentence: str, path: str, numbers: Callable[[Sheet], list[int]], needed: bool = False
) -> Expectation:
    """Return the expectation that a list of printed numbers rises."""
    return Expectation(rule, sentence, lambda sheet: (sorted(set(numbers(sheet))), numbers(sheet)), (path,))


def falling_nowhere(
    rule: str, sentence: str, path: str, numbers: Callable[[Sheet], list[int]], **figures: str
) -> Expectation:
    return Expectation(rule, sentence, lambda sheet: (sorted(numbers(sheet)), numbers(sheet)), (path,), figures=figures)


def column(sheet: Sheet, table: str, name: str) -> list[int]:
    """Return a column of the bands of a track that are in use."""
    there = [band for band in sorted(tables(sheet, table), key=int) if sheet[f"{table}.{band}.up_to"]]
    return [sheet[f"{table}.{band}.{name}"] for band in there]


# --- totals of the box, and orders ---


def orders() -> Iterator[Expectation]:
    """Yield the expectations about lists that rise or never fall."""
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
    yield stated(
        "WF-2.6.2",
        "at its end the job market demands {expected} of the goods; with these numbers {found}",
        [20, 19, 18, 17],
        lambda sheet: [demand_at_the_end(sheet, good) for good in GOODS],
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


CONSISTENCY: tuple[Expectation, ...] = tuple(orders())
