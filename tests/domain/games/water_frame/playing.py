"""Tables, positions and a random player for the tests of Water Frame."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from daybook.domain.games.water_frame import WATER_FRAME, moves
from daybook.domain.games.water_frame.board import Board, Factory, OwnedTile, Turn, opening
from daybook.domain.games.water_frame.printed import GOODS, MARKER_NAMES, OWN, ROWS, SHADES, SLOTS
from daybook.domain.kernel.sheet import overridden, parse
from daybook.domain.kernel.terms import TABLE, Decision, Seat, Table
from tests.domain.games.moves import Moves

FOLDER = Path(__file__).parents[4] / "domain/games/water_frame"
SHEET = parse("water_frame", (FOLDER / "sheet.toml").read_text("utf-8"))
COLOURS = ("blue", "red", "green", "yellow")
DONE = (0, moves.Done())


def table(seats: int = 3, numbers: Mapping[str, Any] | None = None, **options: str) -> Table:
    return WATER_FRAME.table(COLOURS[:seats], options, overridden(SHEET, numbers or {}))


def opening_board(seats: int = 3, numbers: Mapping[str, Any] | None = None, **options: str) -> Board:
    return WATER_FRAME.opening_board(table(seats, numbers, **options))


def on_the_list(board: Board, seat: Seat, decision: Decision) -> bool:
    """Decisions too many to list are on none."""
    kind = WATER_FRAME.kinds[type(decision)]
    return kind.open_form or WATER_FRAME.as_listed(board.table, seat, decision) in kind.offers(board, seat)


def is_listed_or_refused(board: Board, seat: Seat, decision: Decision) -> bool:
    """WF-8.2: what is on no list is refused."""
    return on_the_list(board, seat, decision) or refusal(board, seat, decision) is not None


MOVES = Moves(WATER_FRAME, also=is_listed_or_refused)
play, after, effects_after, refusal = MOVES.play, MOVES.after, MOVES.effects_after, MOVES.refusal
broken, to_act = MOVES.broken, WATER_FRAME.course.to_act


def legal(board: Board, seat: Seat, *kinds: type) -> list[Decision]:
    return [d for d in WATER_FRAME.legal(board, seat) if not kinds or isinstance(d, kinds)]


# --- from the opening on ---


def predetermined_board(
    seats: int = 3, numbers: Mapping[str, Any] | None = None, events: str = "predetermined"
) -> Board:
    """The first economy phase after the predetermined set-up."""
    return opening_board(seats, numbers, factories="predetermined", mat="predetermined", events=events)


def some_mat(board: Board) -> moves.LayOutMat:
    return moves.LayOutMat(*board.printed.mat)


def candidate_tiles(board: Board) -> moves.LayOutTiles:
    """The first tiles, and others in the order of the sheet."""
    return next(d for d in WATER_FRAME.legal(board, TABLE) if isinstance(d, moves.LayOutTiles))


def founding(seats: int = 3, start: Seat = 0, numbers: Mapping[str, Any] | None = None) -> Board:
    """A free set-up, up to the first foundation."""
    b = after(opening_board(seats, numbers), (TABLE, moves.StartPlayer(start)))
    b = after(b, (TABLE, some_mat(b)))
    return after(b, (TABLE, candidate_tiles(b)))


def first_turn(seats: int = 3, **kwargs: Any) -> Board:
    """The first turn after the predetermined set-up."""
    return after(predetermined_board(seats, **kwargs), (TABLE, moves.RevealEconomy(0, 1)))


# --- positions made by hand ---


def plant(
    level: int = 1,
    price: int = 6,
    rows: str = "",
    machines: str = "0 0 0 0",
    quality: int = 0,
    distribution: int = 0,
    obsolete: bool = False,
    additional: int = 0,
    marked: bool = False,
) -> Factory:
    """rows: workers in each, "2 2 0 0"; left out: the first two are complete."""
    workers = [int(count) for count in rows.split()]
    return Factory(
        level,
        price,
        workers,
        [int(count) for count in machines.split()],
        quality,
        distribution,
        obsolete,
        additional,
        marked,
    )


def player(
    cash: int = 50,
    shares: int = 10,
    space: int = 10,
    loans: int = 0,
    tiles: str = "",
    markers: str = "",
    ships: str = "",
    stored: str = "",
    slots: str = "",
    contracts: str = "",
    chart: str = "",
    **factories: Factory,
) -> dict[str, Any]:
    """tiles: "school foreman:food"; stored, slots and contracts: "3 food 2 lamps"; chart: "2 quality 4 ship:2"."""
    return {
        "cash": cash,
        "shares": shares,
        "space": space,
        "loans": loans,
        "tiles": tiles.split(),
        "markers": markers.split(),
        "ships": [int(ship) for ship in ships.split()],
        "stored": parse_counts(stored),
        "slots": parse_counts(slots),
        "contracts": parse_counts(contracts),
        "chart": chart.split(),
        "factories": factories,
    }


def parse_counts(named: str) -> dict[str, int]:
    words = named.split()
    return {what: int(count) for count, what in zip(words[::2], words[1::2], strict=True)}


def set_up(
    *players: dict[str, Any],
    decade: int = 1770,
    cycle: int = 1,
    stage: str = "marker",
    start: Seat = 0,
    fired: int = 4,
    empty: int | None = None,
    numbers: Mapping[str, Any] | None = None,
    tiles: int = 1,
    options: Mapping[str, str] | None = None,
    **fields: Any,
) -> Board:
    """A position made by hand; seat 0 is to act unless told otherwise, and what is not named lies where it must.

    players: those not given are like the first, without anything; empty: spaces of the job market, which else are what
    the workers elsewhere leave; tiles: of each kind in the supply.
    """
    given = [*players, *(player() for _ in range(3 - len(players)))]
    b = opening(table(len(given), numbers, **(options or {})))
    b.stage, b.decade, b.cycle, b.start, b.fired = stage, decade, cycle, start, fired  # type: ignore[assignment]
    b.events = []
    for kind in b.tiles:
        b.tiles[kind] = min(tiles, b.printed.tiles[kind])
    for row in b.mat:
        row.markers = []
    for names, row in zip(b.printed.mat, b.mat, strict=True):
        row.markers = list(names)
    for seat, named in enumerate(given):
        seat_player(b, seat, named)
    for name, value in fields.items():
        setattr(b, name, value)
    employed = sum(p.crew + sum(p.slots.values()) + sum(f.people for f in p.factories.values() if f) for p in b.players)
    if empty is None:
        b.market = b.printed.workers_total - b.fired - b.box - employed
    else:
        b.market = b.printed.workers_total - empty
        b.box = b.printed.workers_total - b.market - b.fired - employed
    assert list(WATER_FRAME.integrity.breaches(b)) == []
    return b


def seat_player(b: Board, seat: Seat, named: dict[str, Any]) -> None:
    p = b.players[seat]
    p.cash, p.shares, p.space, p.loans = named["cash"], named["shares"], named["space"], named["loans"]
    if p.loans:
        p.shares = 0
    p.bank = b.printed.all_shares - p.shares - p.loans
    for tile in named["tiles"]:
        kind, _, good = tile.partition(":")
        p.tiles.append(OwnedTile(kind, good or None))  # type: ignore[arg-type]
        b.tiles[kind] = max(0, min(b.tiles[kind], b.printed.tiles[kind] - total_owned(b, kind)))
    p.markers = named["markers"]
    for grey in p.markers:
        name, _, shade = grey.partition(":")
        for row, of in zip(b.printed.shades, b.mat, strict=True):
            if row == shade and name in of.markers:
                of.markers.remove(name)
                break
    p.ships = sorted(named["ships"])
    for ship in p.ships:
        b.mat[b.printed.ships[ship].row].ships.remove(ship)
        p.crew += b.printed.ships[ship].crew
    p.stored |= named["stored"]
    p.slots |= named["slots"]
    p.contracts |= named["contracts"]
    words = named["chart"]
    p.chart |= dict(zip(words[::2], words[1::2], strict=True))
    for good, factory in named["factories"].items():
        if not factory.workers:
            spaces = [b.printed.row(good, row).spaces for row in (1, 2)]
            factory.workers = [spaces[0] - factory.machines[0], spaces[1] - factory.machines[1], 0, 0]
        p.factories[good] = factory
    assert set(p.stored) | set(p.contracts) == set(GOODS) and set(p.slots) == set(SLOTS)


def total_owned(b: Board, kind: str) -> int:
    return sum(p.owns(kind) for p in b.players)


def doing(marker: str, row: int, *players: dict[str, Any], paid: int | None = None, **position: Any) -> Board:
    """The main action of a marker that seat 0 has just placed on a row; cash is what is given, after the costs."""
    costs = row if paid is None else paid
    first = {**players[0], "cash": players[0]["cash"] + costs}
    return after(set_up(first, *players[1:], **position), (0, moves.Place(marker, row, costs)))


def cycle_ended(*players: dict[str, Any], **position: Any) -> tuple[Board, list[Any]]:
    """The last turn of a cycle ends, and its production phase goes on as far as it does by itself."""
    last = max(3, len(players)) - 1
    b = set_up(*players, stage="additional", turns=last, turn=Turn(marker="workers"), **position)
    return play(b, ((b.starter + last) % (last + 1), moves.Done()))


def after_production(*players: dict[str, Any], **position: Any) -> Board:
    return cycle_ended(*players, **position)[0]


def adjusting(marker: str, row: int, *players: dict[str, Any], **position: Any) -> Board:
    """The additional action, the main action being forgone."""
    b = doing(marker, row, *players, **position)
    return b if b.stage == "additional" else after(b, DONE)


def mat_rows(b: Board) -> dict[str, list[str]]:
    return {row: of.markers for row, of in zip(ROWS, b.mat, strict=True)}


# --- random games ---


def random_game(
    board: Board, seed: int, taste: Mapping[type, int] | None = None
) -> Iterator[tuple[Board, Seat, Decision]]:
    """Yield the steps of a random game: board, seat, decision. taste: weights of kinds, 10 by default."""
    chance = random.Random(seed)
    for _ in range(3000):
        seats = WATER_FRAME.course.to_act(board)
        if not seats:
            return
        decision = choice(board, seats[0], chance, taste or {})
        yield board, seats[0], decision
        board = WATER_FRAME.play(board, seats[0], decision)[0]
    raise AssertionError("the game does not end")


def choice(board: Board, seat: Seat, chance: random.Random, taste: Mapping[type, int]) -> Decision:
    if seat == TABLE:
        facts = WATER_FRAME.facts(board)
        return chance.choices([fact for fact, _ in facts], [weight for _, weight in facts])[0]
    found = WATER_FRAME.legal(board, seat)
    kinds = list(dict.fromkeys(type(d) for d in found))
    kind = chance.choices(kinds, [taste.get(kind, 10) for kind in kinds])[0]
    return chance.choice([d for d in found if type(d) is kind])


# --- decisions one can write down ---


def everything(board: Board, chance: random.Random) -> list[Decision]:
    """All small forms, samples of the large ones, and some nonsense; no open forms."""
    small = [-1, 0, 1, 2, 3, 4, 5, 30]
    marks = [*OWN, "quality:light", "machinery:dark", "production:light", "ship:2", "ship:6", "ship:x", "", "x"]
    kinds = [*board.tiles, "banker"]
    goods = [*GOODS]
    seats = range(-1, board.seats + 1)
    flags = [False, True]
    return [
        *map(moves.StartPlayer, seats),
        *map(moves.MarkerLaid, MARKER_NAMES),
        *map(moves.TileDrawn, kinds),
        *(moves.RevealEconomy(a, w) for a in (-1, 0, 2, 3) for w in (0, 1, 3)),
        *map(moves.RevealEvent, [*board.printed.events, "party"]),
        *(moves.Found(good, price) for good in goods for price in (0, 4, 5, 8, 11, 12)),
        *map(moves.SellShares, small),
        moves.Pass(),
        *(moves.Place(mark, row, paid) for mark in marks for row in (0, 2, 3, 6, 10) for paid in {row, row + 2, -1}),
        *(moves.Reuse(mark, paid) for mark in marks for paid in (-2, 0, 2, 6, 10)),
        *(
            moves.Build(good, level, price, flag)
            for good in goods
            for level in (0, 1, 2, 5)
            for price in (4, 5, 12)
            for flag in flags
        ),
        *(moves.Modernize(good, item, two) for good in goods for item in flags for two in flags),
        *map(moves.Close, goods),
        moves.InventorKeep(),
        moves.InventorReturn(),
        moves.Dismiss(),
        moves.PatentLevels(),
        moves.Done(),
        moves.CloseRow(),
        moves.SellStored(),
        moves.ExtraShift(),
        moves.Stop(),
        moves.Keep(),
        moves.PatronSale("production"),
        moves.PatronSale("storage"),
        *(
            kind(good, row)
            for kind in (moves.Hire, moves.Install, moves.Relocate)
            for good in goods
            for row in (-1, 0, 1, 2, 3, 4, 5)
        ),
        *map(moves.HireWarehouse, SLOTS),
        *map(moves.FireWarehouse, SLOTS),
        *map(moves.Fire, goods),
        *(moves.MoveWarehouse(origin, to) for origin in SLOTS for to in SLOTS),
        *map(moves.RaiseQuality, goods),
        *(moves.RaiseDistribution(good, flag) for good in goods for flag in flags),
        *(
            kind(count)
            for kind in (moves.Buy, moves.Sell, moves.Repay, moves.Broker, moves.ReturnShip)
            for count in small
        ),
        *(moves.SellGoods(good, count) for good in goods for count in small),
        *(moves.Contract(good, space) for good in goods for space in (-2, 0, 2, 3, 10)),
        *(moves.Fulfil(good, delta) for good in goods for delta in (-2, -1, 0, 1, 2)),
        *(moves.Produce(good, rows, flag) for good in goods for rows in (0, 1, 2, 4, 5) for flag in flags),
        *(moves.SetPrice(good, price) for good in goods for price in (-5, 4, 5, 8, 25, 26)),
        *(moves.TakeTile(kind, good) for kind in chance.sample(kinds, 8) for good in (None, "food")),
        *map(moves.ReturnTile, kinds),
        *(moves.Reassign(kind, "food") for kind in kinds),
        *map(moves.Discard, goods),
        *(moves.TakeMarker(name, shade) for name in MARKER_NAMES for shade in SHADES),
        *(
            moves.TakeShip(capacity, replace, row)
            for capacity in (1, 2, 4, 10)
            for replace in (None, 0, 2, 4)
            for row in (None, 2, 3)
        ),
        *(
            moves.ShipContract(ships, delta)
            for ships in ((), (2,), (4,), (2, 4), (4, 2), (2, 2), (9,), (2, 2, 2))
            for delta in (-1, 0, 1, 2)
        ),
        *map(moves.Charisma, seats),
        *map(moves.NameStartPlayer, seats),
    ]
