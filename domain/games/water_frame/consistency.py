"""Expectations of Water Frame's rules about a sheet: totals of the box, and orders.

A box that a group can see is right against an assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from daybook.domain.games.water_frame import people
from daybook.domain.games.water_frame.board import Board, Options, opening
from daybook.domain.games.water_frame.playable import playable
from daybook.domain.games.water_frame.printed import GOODS, LEVELS, MARKER_NAMES, PRODUCTION_ROWS, tables
from daybook.domain.kernel.sheet import Expectation, Sheet, at_least, stated, total
from daybook.domain.kernel.terms import Table

PLAYERS = (2, 3, 4)
COLUMNS = len(GOODS)
LONGEST_TRACK = 1000  # spaces; the printed one has a tenth of them

# --- what numbers come to ---


def board_with(sheet: Sheet) -> Board:
    """Return the opening board of a game of four with these numbers."""
    table: Table | None = sheet.__dict__.get("table_of_four")
    if table is None:
        table = sheet.__dict__["table_of_four"] = Table(tuple(sheet["seats.colours"]), Options(), sheet)
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


def events_laid(sheet: Sheet) -> list[str]:
    """Return the events of the predetermined set-up that may also be shuffled."""
    laid = sheet.under("predetermined.events")
    return [event for key, event in laid.items() if key != "starred"] + list(laid["starred"])


def boxed_tiles(sheet: Sheet) -> int:
    return sum(sheet[f"tiles.{kind}.copies"] for kind in tables(sheet, "tiles"))


# --- kinds of expectation ---


def words_known(rule: str, path: str, words: tuple[str, ...]) -> Expectation:
    """Return the expectation that all words of a list are known."""
    return Expectation(
        rule,
        "of {found}, the game knows {expected}",
        lambda sheet: (", ".join(word for word in sheet[path] if word in words), ", ".join(sheet[path])),
        (path,),
        needed=True,
    )


def rising(
    rule: str, sentence: str, path: str, numbers: Callable[[Sheet], list[int]], needed: bool = False
) -> Expectation:
    return Expectation(rule, sentence, lambda sheet: (sorted(set(numbers(sheet))), numbers(sheet)), (path,), needed)


def falling_nowhere(
    rule: str, sentence: str, path: str, numbers: Callable[[Sheet], list[int]], **figures: str
) -> Expectation:
    return Expectation(rule, sentence, lambda sheet: (sorted(numbers(sheet)), numbers(sheet)), (path,), figures=figures)


def column(sheet: Sheet, table: str, name: str) -> list[int]:
    """Return a column of the bands of a track that are in use."""
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


CONSISTENCY: tuple[Expectation, ...] = (*needs(), *playable(), *orders())
