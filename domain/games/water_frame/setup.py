"""The set-up and the preparation round (WF-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from daybook.domain.games.water_frame import bank, moves, people
from daybook.domain.games.water_frame.board import Ask, Board, Turn, new_factory
from daybook.domain.games.water_frame.board import opening as opening
from daybook.domain.games.water_frame.printed import GOODS, MARKER_NAMES, ROWS, Start, Tile, economy_text
from daybook.domain.games.water_frame.turns import begin_actions, begin_decade
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, by_number, first_reason, holds, refuse_unless

# --- display: checks ---


@holds("this grey marker is still available")
def marker_left(b: Board, d: moves.MarkerLaid) -> WhyNot:
    row = next_row(b)
    return refuse_unless(
        markers_left(b, row)[d.name],
        "marker_gone",
        "no {shade} {name} marker is left to lay on row {row}",
        shade=b.printed.shades[row],
        name=d.name,
        row=ROWS[row],
    )


GREY_MARKERS = by_number("laid", "row {row} holds {laid} grey marker", "row {row} holds {laid} grey markers")


@holds("each row has its grey markers")
def rows_full(b: Board, d: moves.LayOutMat) -> WhyNot:
    laid = b.printed.seats_laid
    return first_reason(
        refuse_unless(len(names) == laid, "mat_rows", GREY_MARKERS, row=row, laid=laid)
        for row, names in rows_of(d).items()
    )


@holds("the game has this many markers of each kind")
def markers_there(b: Board, d: moves.LayOutMat) -> WhyNot:
    """Require that the sets have enough markers: one of each kind in each shade (WF-2.18)."""
    laid = Counter(
        (shade, name) for shade, names in zip(b.printed.shades, rows_of(d).values(), strict=True) for name in names
    )
    sets = b.printed.seats_grey_sets
    return first_reason(
        refuse_unless(
            laid[shade, name] <= sets,
            "marker_gone",
            "there are {sets} {shade} {name} markers",
            sets=sets,
            shade=shade,
            name=name,
        )
        for shade in dict.fromkeys(b.printed.shades)
        for name in MARKER_NAMES
    )


@holds("they include the markers that were laid")
def laid_markers_kept(b: Board, d: moves.LayOutMat) -> WhyNot:
    """Require that the whole mat contains the markers drawn singly."""
    return first_reason(
        refuse_unless(
            names.count(name) >= count,
            "already_laid",
            "keep all {name} markers that were laid on row {row}: {count}",
            count=count,
            name=name,
            row=row,
        )
        for (row, names), laid in zip(rows_of(d).items(), b.mat, strict=True)
        for name, count in Counter(laid.markers).items()
    )


ALL_LIE_OUT = by_number(
    "copies", "the {kind} tile is already laid out", "all {copies} {kind} tiles are already laid out"
)


@holds("this tile is still available")
def tile_left(b: Board, d: moves.TileDrawn) -> WhyNot:
    numbers = b.printed
    out, copies = b.tiles.get(d.kind, 0), numbers.tiles.get(d.kind, 0)
    return refuse_unless(out < copies, "tile_unknown", ALL_LIE_OUT, copies=copies, kind=d.kind)


LIMIT_LIES_OUT = by_number(
    "limit",
    "{limit} {kind} tile is laid out, and another one leaves the game",
    "{limit} {kind} tiles are laid out, and another one leaves the game",
)


@holds("this many tiles of the kind can be laid out")
def tile_not_over(b: Board, d: moves.TileDrawn) -> WhyNot:
    """Require a copy within the limit; a copy too many leaves the game and is not recorded (WF-2.17.5)."""
    limit = b.printed.seats_copies
    return refuse_unless(b.tiles[d.kind] < limit, "tile_copies", LIMIT_LIES_OUT, limit=limit, kind=d.kind)


@holds("all tiles are laid out")
def all_tiles(b: Board, d: moves.LayOutTiles) -> WhyNot:
    total = sum(d.tiles.values())
    wanted = tiles_in_play(b)
    return refuse_unless(
        total == wanted, "tile_count", "lay out {wanted} tiles, not {total}", wanted=wanted, total=total
    )


@holds("this many tiles of each kind can be laid out")
def tiles_there(b: Board, d: moves.LayOutTiles) -> WhyNot:
    most = {kind: min(b.printed.tiles.get(kind, 0), b.printed.seats_copies) for kind in d.tiles}
    return first_reason(
        refuse_unless(
            0 <= count <= most[kind],
            "tile_copies",
            "at most {most} {kind} tiles are laid out",
            kind=kind,
            most=most[kind],
        )
        for kind, count in d.tiles.items()
    )


@holds("they include the first tiles")
def first_tiles(b: Board, d: moves.LayOutTiles) -> WhyNot:
    return first_reason(
        refuse_unless(d.tiles.get(kind, 0) > 0, "tile_count", "first lay out {kind}", kind=kind)
        for kind in tiles_laid_first(b)
    )


@holds("they include the tiles that were drawn")
def drawn_tiles_kept(b: Board, d: moves.LayOutTiles) -> WhyNot:
    """Require that the layout contains the tiles drawn singly."""
    return first_reason(
        refuse_unless(
            d.tiles.get(kind, 0) >= count,
            "already_laid",
            "lay out all {kind} tiles that were drawn: {count}",
            count=count,
            kind=kind,
        )
        for kind, count in b.tiles.items()
    )


def rows_of(d: moves.LayOutMat) -> dict[str, tuple[str, ...]]:
    return {"I": d.I, "II": d.II, "III": d.III, "IV": d.IV}


def next_row(b: Board) -> int:
    """Return the row of the mat that is being filled, from 0. Raises LookupError when all are full."""
    for row, mat_row in enumerate(b.mat):
        if len(mat_row.markers) < b.printed.seats_laid:
            return row
    raise LookupError("all rows of the mat are full")


def markers_left(b: Board, row: int) -> dict[str, int]:
    """Grey markers of the row's shade that are not laid out, by name."""
    numbers = b.printed
    laid = [
        name
        for shade, mat_row in zip(numbers.shades, b.mat, strict=True)
        if shade == numbers.shades[row]
        for name in mat_row.markers
    ]
    return {name: numbers.seats_grey_sets - laid.count(name) for name in MARKER_NAMES}


def tiles_laid_first(b: Board) -> tuple[Tile, ...]:
    numbers = b.printed
    return numbers.tile_rules_laid_first + (numbers.tile_rules_patrons if b.options.mat == "patrons" else ())


def tiles_in_play(b: Board) -> int:
    numbers = b.printed
    drawn = numbers.seats_tiles_with_patrons if b.options.mat == "patrons" else numbers.seats_tiles_drawn
    return len(tiles_laid_first(b)) + drawn


# --- display: actions ---


def start_player(b: Board, seat: Seat, d: moves.StartPlayer, tell: Tell) -> None:
    b.start = d.seat
    b.stage = "mat"
    tell(moves.StartPlayerNamed("WF-3.3.2", d.seat, None, "drawn"))


def marker_laid(b: Board, seat: Seat, d: moves.MarkerLaid, tell: Tell) -> None:
    row = next_row(b)
    b.mat[row].markers.append(d.name)
    tell(moves.MatMarkerLaid("WF-3.4.2", ROWS[row], d.name, b.printed.shades[row]))  # type: ignore[arg-type]


def lay_out_mat(b: Board, seat: Seat, d: moves.LayOutMat, tell: Tell) -> None:
    lay_mat(b, rows_of(d), "WF-3.4.2", tell)


def lay_mat(b: Board, rows: Mapping[str, tuple[str, ...]], rule: str, tell: Tell) -> None:
    for mat_row, names in zip(b.mat, rows.values(), strict=True):
        mat_row.markers = list(names)
    tell(moves.MatLaidOut(rule, dict(rows)))


def tile_drawn(b: Board, seat: Seat, d: moves.TileDrawn, tell: Tell) -> None:
    b.tiles[d.kind] += 1
    tell(moves.TileLaidOut("WF-3.4.3", d.kind, b.tiles[d.kind], tiles_in_play(b) - sum(b.tiles.values())))


def lay_out_tiles(b: Board, seat: Seat, d: moves.LayOutTiles, tell: Tell) -> None:
    lay_tiles(b, d.tiles, "WF-3.4.3", tell)


def lay_tiles(b: Board, tiles: Mapping[Tile, int], rule: str, tell: Tell) -> None:
    for kind in b.tiles:
        b.tiles[kind] = tiles.get(kind, 0)
    tell(moves.TilesLaidOut(rule, {kind: count for kind, count in b.tiles.items() if count}))


# --- foundations, capital and payment: checks ---


@holds("the factory does not exist yet")
def not_founded(b: Board, seat: Seat, d: moves.Found) -> WhyNot:
    return refuse_unless(
        b.players[seat].factories[d.good] is None, "same_good", "the {good} factory already exists", good=d.good
    )


@holds("the factory can have this price")
def price_fits(b: Board, d: moves.Found) -> WhyNot:
    least, most = b.printed.price_least, min(b.printed.price_most, b.printed.cost(d.good, 1))
    return refuse_unless(
        least <= d.price <= most,
        "price",
        "the price of {good} is from £{least} to its quality {most}",
        good=d.good,
        least=least,
        most=most,
    )


@holds("the player holds the shares")
def shares_held(b: Board, seat: Seat, d: moves.SellShares) -> WhyNot:
    held = b.players[seat].shares
    return refuse_unless(0 <= d.count <= held, "shares", bank.SHARES_HELD, held=held)


BILL = by_number(
    "count",
    "the factories cost £{bill}, and {count} share brings £{amount}",
    "the factories cost £{bill}, and {count} shares bring £{amount}",
)


@holds("the shares bring enough for the factories")
def bill_covered(b: Board, seat: Seat, d: moves.SellShares) -> WhyNot:
    bill, price = building_bill(b, seat), b.printed.shares_setup_price
    return refuse_unless(d.count * price >= bill, "bill", BILL, bill=bill, count=d.count, amount=d.count * price)


def building_bill(b: Board, seat: Seat) -> int:
    """Return the cost of a player's first factories."""
    return sum(b.base_quality(seat, good) for good in b.players[seat].standing)


# --- foundations, capital and payment: actions ---


def found_first_factory(b: Board, seat: Seat, d: moves.Found, tell: Tell) -> None:
    found_factory(b, seat, d.good, d.price, "WF-3.5.2", tell)
    b.turns += 1


def found_factory(b: Board, seat: Seat, good: str, price: int, rule: str, tell: Tell) -> None:
    """Level I, rows 1 and 2 filled from the job market, nothing paid yet (WF-3.5.2)."""
    factory = b.players[seat].factories[good] = new_factory(1, price)
    for row in (1, 2):
        factory.workers[row - 1] = b.printed.row(good, row).spaces
    workers = sum(factory.workers)
    b.market -= workers
    tell(moves.FactoryFounded(rule, seat, good, b.printed.cost(good, 1), price, b.appeal(seat, good), workers))  # type: ignore[arg-type]


def sell_shares(b: Board, seat: Seat, d: moves.SellShares, tell: Tell) -> None:
    player, each = b.players[seat], b.printed.shares_setup_price
    player.shares -= d.count
    player.bank += d.count
    player.cash += d.count * each
    tell(moves.SharesSold("WF-3.6.2", seat, d.count, each, d.count * each))
    b.stage = "special"


def pass_special(b: Board, seat: Seat, d: moves.Pass, tell: Tell) -> None:
    b.turn.marker_taken = True  # there is nothing to take any more


# --- what follows by itself ---


def start_known(b: Board, tell: Tell) -> bool:
    """Make the first colour the start player in the predetermined set-up (WF-3.3.2)."""
    if b.options.factories != "predetermined":
        return False
    b.start = seats_of_starts(b)[0]
    b.stage = "mat"
    tell(moves.StartPlayerNamed("WF-3.3.2", b.start, None, "drawn"))
    return True


def mat_laid(b: Board, tell: Tell) -> bool:
    """Go on to the tiles once the mat is complete; lay a predetermined mat."""
    numbers = b.printed
    if b.options.mat == "predetermined":
        lay_mat(b, dict(zip(ROWS, numbers.mat, strict=True)), "WF-2.19", tell)
    elif any(len(row.markers) < numbers.seats_laid for row in b.mat):
        return False
    b.stage = "tiles"
    if b.options.mat != "predetermined":
        for kind in tiles_laid_first(b):
            b.tiles[kind] += 1
    return True


def tiles_laid(b: Board, tell: Tell) -> bool:
    """Begin the first decade or the foundations once the supply of tiles is complete; lay predetermined ones."""
    if b.options.mat == "predetermined":
        lay_tiles(b, b.printed.tiles_laid, "WF-2.19.5", tell)
    elif sum(b.tiles.values()) < tiles_in_play(b):
        return False
    if b.options.factories == "predetermined":
        prepare(b, tell)
        begin_decade(b, tell)
    else:
        b.stage = "found_first"
        tell(moves.PhaseBegun("WF-3.5.1", "found_first"))
    return True


def found_first(b: Board, tell: Tell) -> bool:
    """Go on to the second foundations once every player has founded a factory."""
    if b.turns < b.seats:
        return False
    b.stage, b.turns = "found_second", 0
    tell(moves.PhaseBegun("WF-3.5.3", "found_second"))
    return True


def found_second(b: Board, tell: Tell) -> bool:
    """Go on to the capital once every player has founded a second factory."""
    if b.turns < b.seats:
        return False
    b.stage, b.turns = "capital", 0
    tell(moves.PhaseBegun("WF-3.6.1", "capital"))
    return True


def capital(b: Board, tell: Tell) -> bool:
    """Pay for the factories once all players have capital and a special marker (WF-3.7.1)."""
    if b.turns < b.seats:
        return False
    for seat in b.in_order():
        bank.pay(b, seat, building_bill(b, seat), "foundation", "WF-3.7.1", tell)
    begin_decade(b, tell)
    return True


def special(b: Board, tell: Tell) -> bool:
    """Pass the turn once the player has taken a special marker."""
    if not b.turn.marker_taken:
        return False
    before = b.mover
    b.turn = Turn()
    b.turns += 1
    b.stage = "capital"
    if b.turns < b.seats:
        tell(moves.TurnPassed("WF-3.6.1", before, b.mover))
    return True


# --- the predetermined preparation round ---


def seats_of_starts(b: Board) -> list[Seat]:
    """Return the seat of each printed start, in player order: by colour, or clockwise for other colours."""
    colours = list(b.printed.starts)
    if set(colours) == set(b.table.colours):
        return [b.table.colours.index(colour) for colour in colours]
    return list(range(b.seats))


def prepare(b: Board, tell: Tell) -> None:
    """Set up factories, shares, capital after payment and a grey marker for everyone (WF-3.8.1).

    On a random mat (WF-3.1.4) the printed marker may be missing. Its player takes another one, after all others.
    """
    for seat, start in zip(seats_of_starts(b), b.printed.starts.values(), strict=True):
        for good, price in start.factories:
            found_factory(b, seat, good, price, "WF-3.8.1", tell)
        give_capital(b, seat, start, tell)
        give_marker(b, seat, start.marker, tell)
    for seat in b.in_order():
        bank.pay(b, seat, building_bill(b, seat), "foundation", "WF-3.8.1", tell)
    b.asked += [Ask(seat, "start_marker") for seat in reversed(b.in_order()) if not b.players[seat].markers]


def give_capital(b: Board, seat: Seat, start: Start, tell: Tell) -> None:
    player = b.players[seat]
    sold = player.shares - start.shares
    player.shares -= sold
    player.bank += sold
    player.cash += start.capital
    tell(moves.SharesSold("WF-3.8.1", seat, sold, b.printed.shares_setup_price, start.capital))


def give_marker(b: Board, seat: Seat, name: str, tell: Tell) -> None:
    """Give a light grey marker from its lowest row."""
    row = row_of_light(b, name)
    if row is not None:
        b.mat[row].markers.remove(name)
        b.players[seat].markers.append(f"{name}:light")
        tell(moves.GreyMarkerTaken("WF-3.8.1", seat, name, "light", ROWS[row], False))  # type: ignore[arg-type]


def row_of_light(b: Board, name: str) -> int | None:
    shades = b.printed.shades
    return next((row for row, mat_row in enumerate(b.mat) if shades[row] == "light" and name in mat_row.markers), None)


@holds("the mat has this light marker")
def light_marker_there(b: Board, d: moves.StartMarker) -> WhyNot:
    return refuse_unless(
        row_of_light(b, d.name) is not None,
        "marker_gone",
        "the mat has no {shade} {name} marker",
        shade="light",
        name=d.name,
    )


def start_marker(b: Board, seat: Seat, d: moves.StartMarker, tell: Tell) -> None:
    b.asked.pop()
    give_marker(b, seat, d.name, tell)


# --- the economy phase ---


@holds("this economy marker is still to come")
def marker_to_come(b: Board, d: moves.RevealEconomy) -> WhyNot:
    return refuse_unless(
        economy_left(b, d.importer, d.workers) > 0,
        "marker_gone",
        "no {good} marker with {importer} spaces and {workers} workers is left to come",
        good=b.good,
        importer=d.importer,
        workers=d.workers,
    )


def economy_left(b: Board, importer: int, workers: int) -> int:
    """Return the number of such markers of the active good that were not revealed (WF-3.2.4)."""
    numbers = b.printed
    few = b.seats == 2 or b.options.events != "random"
    if few and workers == numbers.economy_taken_out:
        return 0
    return numbers.economy[b.good].count((importer, workers)) - b.economy[b.good].count(economy_text(importer, workers))


def reveal_economy(b: Board, seat: Seat, d: moves.RevealEconomy, tell: Tell) -> None:
    b.economy[b.good].append(economy_text(d.importer, d.workers))
    b.importers[b.good] += d.importer
    back = people.to_market(b, d.workers)
    tell(moves.EconomyRevealed("WF-4.3.1", b.good, d.importer, b.importers[b.good], d.workers, back))
    begin_actions(b, tell)


# --- candidates ---


def candidate_starts(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.StartPlayer(other) for other in range(b.seats)]


def candidate_markers(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.MarkerLaid(name) for name in MARKER_NAMES]


def candidate_mats(b: Board, seat: Seat) -> Iterable[Decision]:
    """Return the predetermined mat as an example, or one that contains the markers laid out."""
    printed = moves.LayOutMat(*b.printed.mat)  # type: ignore[arg-type]
    return [printed if laid_markers_kept(b, printed) is None else filled_mat(b)]


def filled_mat(b: Board) -> moves.LayOutMat:
    twin = b.twin()
    for row, mat_row in enumerate(twin.mat):
        while len(mat_row.markers) < b.printed.seats_laid:
            mat_row.markers.append(next(name for name, left in markers_left(twin, row).items() if left))
    return moves.LayOutMat(*(tuple(mat_row.markers) for mat_row in twin.mat))  # type: ignore[arg-type]


def candidate_tiles(b: Board, seat: Seat) -> Iterable[Decision]:
    """Return the tiles that may be drawn next, as facts of the table."""
    return [moves.TileDrawn(kind) for kind in b.tiles]


def candidate_layouts(b: Board, seat: Seat) -> Iterable[Decision]:
    """Return an example: the tiles laid out, completed by the kinds named first."""
    numbers, tiles = b.printed, dict(b.tiles)
    lacking = tiles_in_play(b) - sum(tiles.values())
    for kind in tiles:
        more = min(lacking, numbers.seats_copies - tiles[kind], numbers.tiles[kind] - tiles[kind])
        tiles[kind] += more
        lacking -= more
    return [moves.LayOutTiles(tiles)]


def candidate_foundations(b: Board, seat: Seat) -> Iterable[Decision]:
    numbers = b.printed
    return [
        moves.Found(good, price) for good in GOODS for price in range(numbers.price_least, numbers.cost(good, 1) + 1)
    ]


def candidate_share_sales(b: Board, seat: Seat) -> Iterable[Decision]:
    return share_sales(b.players[seat].shares)


@lru_cache
def share_sales(maximum: int) -> tuple[moves.SellShares, ...]:
    return tuple(moves.SellShares(count) for count in range(maximum + 1))


def candidate_economy(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.RevealEconomy(*marker) for marker in dict.fromkeys(b.printed.economy[b.good])]


def most_tiles(b: Board, seat: Seat) -> dict[str, int]:
    """Return the most tiles of each kind in the layout."""
    numbers = b.printed
    return {f"tiles.{tile}": min(copies, numbers.seats_copies) for tile, copies in numbers.tiles.items()}


# --- how likely ---


def copies_of_marker_left(b: Board, d: moves.MarkerLaid) -> int:
    return markers_left(b, next_row(b))[d.name]


def copies_of_tile_left(b: Board, d: moves.TileDrawn) -> int:
    return b.printed.tiles[d.kind] - b.tiles[d.kind]


def copies_of_economy_left(b: Board, d: moves.RevealEconomy) -> int:
    return economy_left(b, d.importer, d.workers)
