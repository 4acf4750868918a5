"""Numbers of Water Frame without which a game begins and breaks off: a sheet that can be published can be played.

Each is asked of every sheet before a game can be opened with it, beside what the set-up needs (`consistency.needs`).
Games by chance try a sheet too (`services/play/sheet_trials.py`): beside each check stands why they do not do for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from daybook.domain.games.water_frame.printed import GOODS, LEVELS, MARKER_NAMES, ROWS, SHADES, tables
from daybook.domain.kernel.sheet import Expectation, Sheet, at_least

PLAYERS = (2, 3, 4)


def playable() -> Iterator[Expectation]:
    yield from timetable()
    yield from money()
    for seats in PLAYERS:
        yield from mat(seats)
        yield from tiles(seats)
        yield from starts(seats)
    # met only where a factory is modernized whose price is above the new quality: none of nine games by chance met it
    for number, good in enumerate(GOODS, 1):
        yield Expectation(
            f"WF-2.3.{number}",
            "a better factory has no lower quality: {expected}, not {found}",
            lambda sheet, good=good: (sorted(costs(sheet, good)), costs(sheet, good)),  # type: ignore[misc]
            (f"factories.{good}.",),
            needed=True,
        )


def costs(sheet: Sheet, good: str) -> list[int]:
    return [sheet[f"factories.{good}.{level}"] for level in LEVELS]


# --- the decades ---


def timetable() -> Iterator[Expectation]:
    # a level that falls early is met by every game, one that falls late (IV in 1800) by none of nine: nobody had built it
    yield Expectation(
        "WF-2.13",
        "the development level does not fall from decade to decade: {expected}, not {found}",
        lambda sheet: (sorted(levels(sheet)), levels(sheet)),
        ("timetable.",),
        needed=True,
    )
    # none of nine games had such a factory and no better one when the level became obsolete
    yield Expectation(
        "WF-2.13",
        "a level becomes obsolete when a better one can be built: {expected}, not {found}",
        lambda sheet: (", ".join(year for year in years(sheet) if not too_early(sheet, year)), ", ".join(years(sheet))),
        ("timetable.",),
        needed=True,
    )


def years(sheet: Sheet) -> list[str]:
    return sorted(tables(sheet, "timetable"), key=int)


def levels(sheet: Sheet) -> list[int]:
    return [place_of(sheet[f"timetable.{year}.level"]) for year in years(sheet)]


def too_early(sheet: Sheet, year: str) -> list[str]:
    """Levels that become obsolete in a decade although none better can be built in it."""
    level = place_of(sheet[f"timetable.{year}.level"])
    return [obsolete for obsolete in sheet[f"timetable.{year}.obsolete"] if place_of(obsolete) >= level]


def place_of(level: str) -> int:
    """From 1 on; beyond them what is no level: the set-up says so by its own rule."""
    return LEVELS.index(level) + 1 if level in LEVELS else len(LEVELS) + 1


# --- money ---


def money() -> Iterator[Expectation]:
    # met only by who has to take a loan: one game of nine
    yield Expectation(
        "WF-2.21.4",
        "a loan brings at least £{expected}, not £{found}",
        lambda sheet: at_least(1, sheet["loan.amount"]),
        ("loan.amount",),
        needed=True,
    )
    # met only where both dearest factories are founded: with a set-up price of £2 by none of nine games
    yield Expectation(
        "WF-2.21.2",
        "the shares of the set-up pay for two factories: £{expected} at least, not £{found}",
        lambda sheet: at_least(
            sum(sorted(sheet[f"factories.{good}.I"] for good in GOODS)[-2:]),
            sheet["shares.held"] * sheet["shares.setup_price"],
        ),
        ("shares.held", "shares.setup_price", "factories."),
        needed=True,
    )
    # met only where the small warehouse is full and a price is set above it: by none of nine games
    yield Expectation(
        "WF-2.8.1",
        "the price scale ends at £{expected} or higher, not £{found}",
        lambda sheet: at_least(sheet["price.least"] + sheet["tiles.small_warehouse.goods"], sheet["price.most"]),
        ("price.", "tiles.small_warehouse.goods"),
        needed=True,
    )


# --- the set-up for so many players ---


def mat(seats: int) -> Iterator[Expectation]:
    """As many grey markers as the rows of a shade hold.

    The random mat is met by every game of so many players; the predetermined one was laid out in none of nine.
    """
    laid, sets = f"seats.{seats}.laid", f"seats.{seats}.grey_sets"
    for shade in SHADES:
        yield Expectation(
            "WF-2.18",
            "the {shade} rows of the mat hold {found} markers, and there are {expected}",
            lambda sheet, shade=shade: (  # type: ignore[misc]
                min(len(MARKER_NAMES) * sheet[sets], held := rows_of(sheet, shade) * sheet[laid]),
                held,
            ),
            (laid, sets, "mat."),
            needed=True,
            figures={"shade": shade},
        )
        yield Expectation(
            "WF-2.19",
            "the {shade} rows of the predetermined mat hold {found} of a marker, and there are {expected}",
            lambda sheet, shade=shade: (  # type: ignore[misc]
                min(sheet[sets], most := most_of_a_name(sheet, seats, shade)),
                most,
            ),
            (f"predetermined.mat.{seats}.", sets, "mat."),
            needed=True,
            figures={"shade": shade},
        )


def most_of_a_name(sheet: Sheet, seats: int, shade: str) -> int:
    rows = [row for row in ROWS if sheet[f"mat.{row}.shade"] == shade]
    return max(Counter(name for row in rows for name in sheet[f"predetermined.mat.{seats}.{row}"]).values(), default=0)


def tiles(seats: int) -> Iterator[Expectation]:
    """The tiles of the predetermined set-up are in the box. One game of nine was laid out so."""

    def of(sheet: Sheet) -> tuple[str, str]:
        laid = Counter(
            kind
            for players, kinds in sheet.under("predetermined.tiles").items()
            if int(players) <= seats
            for kind in kinds
            if kind in tables(sheet, "tiles")
        )
        there = laid & Counter({kind: sheet[f"tiles.{kind}.copies"] for kind in laid})
        return ", ".join(sorted(there.elements())), ", ".join(sorted(laid.elements()))

    yield Expectation(
        "WF-2.19.5",
        "of the tiles laid out for {seats} players, {found}, the box holds {expected}",
        of,
        ("predetermined.tiles.", "tiles."),
        needed=True,
        figures={"seats": seats},
    )


def rows_of(sheet: Sheet, shade: str) -> int:
    return sum(sheet[f"mat.{row}.shade"] == shade for row in ROWS)


def starts(seats: int) -> Iterator[Expectation]:
    """Prices and shares that a player of the predetermined set-up can have. Each colour has its own, and few games by
    chance begin so: of the shares none of nine told, of the prices one.
    """
    of = f"predetermined.players.{seats}"
    yield Expectation(
        "WF-2.20",
        "predetermined prices lie on the scale and not above the quality: {expected} of them, not {found}",
        lambda sheet: (
            len(prices_of(sheet, of)),
            sum(
                sheet["price.least"] <= price <= min(sheet["price.most"], sheet[f"factories.{good}.I"])
                for good, price in prices_of(sheet, of)
            ),
        ),
        (f"{of}.",),
        needed=True,
    )
    yield Expectation(
        "WF-2.21.1",
        "a player of the predetermined set-up has {expected} shares at the most, not {found}",
        lambda sheet: (min(sheet["shares.held"] + sheet["shares.bank"], most := most_shares(sheet, of)), most),
        (f"{of}.", "shares."),
        needed=True,
    )


def prices_of(sheet: Sheet, of: str) -> list[tuple[str, int]]:
    return [
        (good, price)
        for colour in tables(sheet, of)
        for good, price in zip(sheet[f"{of}.{colour}.goods"], sheet[f"{of}.{colour}.prices"], strict=False)
        if good in GOODS
    ]


def most_shares(sheet: Sheet, of: str) -> int:
    return max(int(sheet[f"{of}.{colour}.shares"]) for colour in tables(sheet, of))
