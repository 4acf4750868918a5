"""Draw Water Frame: job market, market shares, timetable, and the mats of every player."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from daybook.domain.games.water_frame import WATER_FRAME, people, printed
from daybook.domain.games.water_frame.board import Board, Factory, Player
from daybook.domain.games.water_frame.printed import ASSIGNED, GOODS, LEVELS, OWN, PRODUCTION_ROWS, SLOTS, Printed
from daybook.domain.kernel.board import Document
from daybook.domain.kernel.terms import Seat
from daybook.web.boards.drawing import BoardPart, Looks, Scene, macro_drawer
from daybook.web.boards.symbols import SymbolSheet, draw_symbols
from daybook.web.games.arkwright import SYMBOLS_TEMPLATE

TEMPLATE = SYMBOLS_TEMPLATE
STYLES = ("board-mats.css", "board-water.css")  # in addition to board.css
SHARE_VALUES_PER_ROW = 10  # spaces of the track


def symbols(scene: Scene) -> SymbolSheet:
    return draw_symbols(TEMPLATE)


def parts(scene: Scene) -> tuple[BoardPart, ...]:
    """Return the parts of the drawn board, each with the places of the board that it shows."""
    numbers = printed.of(scene.table)
    seats = range(len(scene.names))
    decided_by = places_that_decide(scene)
    drawn = [
        _course(scene, decided_by),
        _demand(scene),
        *(_job_row_part(numbers, row) for row in range(1, rows_of(numbers) + 1)),
        _idle_part(numbers),
        _ruler(numbers),
        *(_shares_part(scene, good) for good in GOODS),
        _sale_part(scene),
        _timetable(),
        *(_decade_part(numbers, decade) for decade in numbers.decades),
        _chart_head(scene),
        *(_chart_row(scene, row) for row in numbers.chart_rows),
        *(_track_row(scene, numbers, first) for first in range(1, numbers.highest_space + 1, SHARE_VALUES_PER_ROW)),
        *(_holding(scene, seat) for seat in seats),
        *(_mat_row_part(numbers, row) for row in range(len(numbers.shades))),
        _tiles(numbers),
    ]
    for seat in seats:
        drawn += [
            _brief_part(scene, seat, decided_by),
            _head(scene, seat, decided_by),
            *(_factory_part(scene, seat, good) for good in GOODS),
            _store(scene, seat),
            _contracts(numbers, seat),
            _piers_part(numbers, seat),
            _owned_tiles(numbers, seat),
            _markers_part(seat),
        ]
    return tuple(drawn)


def board_of(scene: Scene, document: Document) -> Board:
    return WATER_FRAME.typed_board(document, scene.table)


def paths_of_players(scene: Scene, *paths: str) -> tuple[str, ...]:
    """Return these paths for every player."""
    return tuple([f"/players/{seat}/{path}" for seat in range(len(scene.names)) for path in paths])


# --- the course of the game ------------------------------------------------------------------------------------------


def places_that_decide(scene: Scene) -> tuple[str, ...]:
    """Return the paths that determine the deciding seat. Charisma and the lowest portfolio do at certain times."""
    return (
        "/stage",
        "/turns",
        "/start",
        "/asked",
        "/to_happen",
        "/sale/call",
        *paths_of_players(scene, "tiles", "cash", "shares", "space"),
    )


def _course(scene: Scene, decided_by: tuple[str, ...]) -> BoardPart:
    def look(document: Document) -> Looks:
        board, turn = board_of(scene, document), document["turn"]
        acts = WATER_FRAME.waits_for(board)
        return (
            board.decade,
            LEVELS[board.level - 1],
            board.cycle,
            board.phase,
            acts,
            turn["marker"],
            turn["paid"],
            turn["row"],
        )

    paths = ("/decade", "/cycle", "/turn", *decided_by)
    return BoardPart("course", paths, look, macro_drawer(TEMPLATE, "course", scene, GOODS))


# --- the job market --------------------------------------------------------------------------------------------------


def rows_of(numbers: Printed) -> int:
    return -(-numbers.workers_total // len(GOODS))


def _demand(scene: Scene) -> BoardPart:
    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        return [(good, people.demand(board, good)) for good in GOODS], people.wage(board), board.market

    return BoardPart("demand", ("/market",), look, macro_drawer(TEMPLATE, "demand"))


class Space(NamedTuple):
    """A space of the job market. number: printed on it; reads: the demand is read off here."""

    place: int
    worker: bool
    number: int | None
    reads: bool


def job_row(numbers: Printed, row: int, empty: int) -> list[Space]:
    """Return the spaces of a job row: workers leave from the top, and from the left inside a row (WF-2.6.4)."""
    first = (row - 1) * len(GOODS)
    return [
        Space(
            index,
            index >= empty,
            number if (number := row - numbers.goods_rows[good].unnumbered) > 0 else None,
            index < empty <= index + len(GOODS),
        )
        for index, good in enumerate(GOODS, first)
        if index < numbers.workers_total
    ]


def _job_row_part(numbers: Printed, row: int) -> BoardPart:
    """Return the part of a job row with its band's wage."""
    band = next(place for place, (up_to, _) in enumerate(numbers.wages) if row <= up_to)
    begins = row == 1 or row == numbers.wages[band - 1][0] + 1

    def look(document: Document) -> Looks:
        empty = numbers.workers_total - document["market"]
        return job_row(numbers, row, empty), -(-empty // len(GOODS)) == row

    return BoardPart(
        f"jobs-{row}",
        ("/market",),
        look,
        macro_drawer(TEMPLATE, "job_row", numbers.wages[band][1], begins, band % 2 == 1),
    )


def _idle_part(numbers: Printed) -> BoardPart:
    """Return the part with the fired space and the box."""
    return BoardPart(
        "idle",
        ("/fired", "/box"),
        lambda document: (document["fired"], document["box"]),
        macro_drawer(TEMPLATE, "idle"),
    )


# --- market shares ---------------------------------------------------------------------------------------------------


def max_appeal(numbers: Printed) -> int:
    """Return the last space that an appeal can reach (WF-2.8.2)."""
    best = max(chain.from_iterable(numbers.costs.values()))
    return best + numbers.quality_engineer + numbers.distribution_most - numbers.price_least


def _ruler(numbers: Printed) -> BoardPart:
    return BoardPart("ruler", (), lambda document: (), macro_drawer(TEMPLATE, "ruler", max_appeal(numbers)))


def _shares_part(scene: Scene, good: str) -> BoardPart:
    """Return the part with each appeal and the importer for a good; during its sale, the calling token."""
    most = max_appeal(printed.of(scene.table))
    column = GOODS.index(good)

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        lanes = [
            board.appeal(seat, good) if player.factories[good] else None for seat, player in enumerate(board.players)
        ]
        called = board.sale.call.token if board.cycle == column + 1 and board.stage == "call_out" else 0
        return lanes, board.importers[good], board.cycle == column + 1, called

    paths = (
        f"/importers/{good}",
        "/cycle",
        "/sale/call/token",
        "/stage",
        *paths_of_players(
            scene, *(f"factories/{good}/{field}" for field in ("level", "quality", "distribution", "price"))
        ),
    )
    return BoardPart(f"shares-{good}", paths, look, macro_drawer(TEMPLATE, "shares_of", scene, good, most))


def _sale_part(scene: Scene) -> BoardPart:
    """Return the part with goods made and sold, and the remaining demand."""

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        sale = board.sale
        if not sale.made:
            return None, [], 0, None
        lines = [
            (made, sale.total(seat), sale.at_hand[seat]) if board.players[seat].factories[board.good] else None
            for seat, made in enumerate(sale.made)
        ]
        return board.good, lines, sale.importer, sale.call.demand if board.stage == "call_out" else None

    return BoardPart("sale", ("/sale", "/stage", "/cycle"), look, macro_drawer(TEMPLATE, "sale", scene))


# --- timetable, administration chart, share value --------------------------------------------------------------------


def _timetable() -> BoardPart:
    return BoardPart("timetable", (), lambda document: (), macro_drawer(TEMPLATE, "timetable", GOODS))


def _decade_part(numbers: Printed, decade: int) -> BoardPart:
    """Return the part of a decade as far as revealed: level, obsolete levels, economy markers, event."""
    of = numbers.decades[decade]
    place = sorted(numbers.decades).index(decade) - 1  # index of its markers; the preparation round has none

    def look(document: Document) -> Looks:
        now = document["decade"]
        economy = [
            (good, revealed[place] if 0 <= place < len(revealed) else None)
            for good in GOODS
            for revealed in [document["economy"][good]]
        ]
        event = document["events"][place] if 0 <= place < len(document["events"]) else None
        return (
            "now" if now == decade else "past" if now > decade else "",
            document["cycle"] if now == decade else 0,
            economy,
            event,
        )

    return BoardPart(
        f"decade-{decade}",
        ("/decade", "/cycle", "/economy", "/events"),
        look,
        macro_drawer(
            TEMPLATE, "decade", decade, LEVELS[of.level - 1], [LEVELS[level - 1] for level in of.obsolete], place >= 0
        ),
    )


def _chart_head(scene: Scene) -> BoardPart:
    return BoardPart("chart", (), lambda document: (), macro_drawer(TEMPLATE, "chart_head", scene))


def _chart_row(scene: Scene, row: int) -> BoardPart:
    def look(document: Document) -> Looks:
        markers = [player["chart"][str(row)] for player in document["players"]]
        return document["closed_rows"][str(row)] >= document["decade"], markers

    return BoardPart(
        f"chart-{row}",
        ("/decade", f"/closed_rows/{row}", *paths_of_players(scene, f"chart/{row}")),
        look,
        macro_drawer(TEMPLATE, "chart_row", scene, row),
    )


def _track_row(scene: Scene, numbers: Printed, first: int) -> BoardPart:
    """Draw ten spaces of a track, with each value at its first space."""
    spaces = range(first, min(first + SHARE_VALUES_PER_ROW, numbers.highest_space + 1))
    values = [
        (space, numbers.values[space], space == 1 or numbers.values[space] != numbers.values[space - 1])
        for space in spaces
    ]

    def look(document: Document) -> Looks:
        standing: list[list[Seat]] = [[] for _ in spaces]
        for seat, player in enumerate(document["players"]):
            if player["space"] in spaces:
                standing[spaces.index(player["space"])].append(seat)
        return (standing,)

    return BoardPart(
        f"track-{first}", paths_of_players(scene, "space"), look, macro_drawer(TEMPLATE, "track_row", values)
    )


def _holding(scene: Scene, seat: Seat) -> BoardPart:
    def look(document: Document) -> Looks:
        player = document["players"][seat]
        value = printed.of(scene.table).values[player["space"]]
        return player["space"], value, player["shares"], player["shares"] * value, player["bank"], player["loans"]

    at = f"/players/{seat}"
    paths = tuple(f"{at}/{field}" for field in ("space", "shares", "bank", "loans"))
    return BoardPart(f"holding-{seat}", paths, look, macro_drawer(TEMPLATE, "holding", scene, seat))


# --- the supply ------------------------------------------------------------------------------------------------------


def numbered_things(things: Sequence[Any]) -> list[tuple[str, Any]]:
    """Pair things with keys that stay the same while equal things come and go."""
    return [(f"{thing}/{list(things[:place]).count(thing)}", thing) for place, thing in enumerate(things)]


def _mat_row_part(numbers: Printed, row: int) -> BoardPart:
    """Return the part of a row of the special markers mat; its contents are free to take once reached."""

    def look(document: Document) -> Looks:
        lies = document["mat"][row] if row < len(document["mat"]) else {"markers": [], "ships": []}
        level = numbers.decades[document["decade"]].level
        return numbered_things(lies["markers"]), numbered_things(lies["ships"]), row < level

    return BoardPart(
        f"mat-{row}",
        (f"/mat/{row}", "/decade"),
        look,
        macro_drawer(TEMPLATE, "mat_row", LEVELS[row], numbers.shades[row], row),
    )


def _tiles(numbers: Printed) -> BoardPart:
    kinds = [kind for kind, copies in numbers.tiles.items() if copies]

    def look(document: Document) -> Looks:
        return ([(kind, document["tiles"].get(kind, 0)) for kind in kinds],)

    return BoardPart("tiles", ("/tiles",), look, macro_drawer(TEMPLATE, "tiles"))


# --- one player ------------------------------------------------------------------------------------------------------


def _head(scene: Scene, seat: Seat, decided_by: tuple[str, ...]) -> BoardPart:
    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        player = board.players[seat]
        return (
            player.cash,
            player.shares,
            player.bank,
            board.share_value(seat),
            board.portfolio(seat),
            player.loans,
            seat in WATER_FRAME.waits_for(board),
            board.start == seat,
        )

    return BoardPart(
        f"head-{seat}",
        (f"/players/{seat}/loans", f"/players/{seat}/bank", *decided_by),
        look,
        macro_drawer(TEMPLATE, "head", scene, seat),
    )


def _brief_part(scene: Scene, seat: Seat, decided_by: tuple[str, ...]) -> BoardPart:
    """Return the short part of a player for small screens: money, shares and factories in figures."""

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        player = board.players[seat]
        works = [
            (
                good,
                None
                if works is None
                else (works.level, works.appeal, sum(row.output for row in works.rows if row.complete)),
            )
            for good, works in ((good, house(board, seat, good)) for good in GOODS)
        ]
        return (
            player.cash,
            player.shares,
            board.share_value(seat),
            board.portfolio(seat),
            player.loans,
            seat in WATER_FRAME.waits_for(board),
            works,
        )

    at = f"/players/{seat}"
    return BoardPart(
        f"brief-{seat}",
        (f"{at}/loans", f"{at}/factories", *decided_by),
        look,
        macro_drawer(TEMPLATE, "brief", scene, seat),
    )


class ProductionRowDrawing(NamedTuple):
    """A production row. spaces: what stands on each, "worker", "machine", or what may: "free", "for workers"."""

    number: int
    spaces: list[str]
    output: int
    complete: bool


class FactoryDrawing(NamedTuple):
    """A factory as it is drawn. base, quality and distribution, less the price, are the appeal."""

    level: str
    base: int
    quality: int
    distribution: int
    price: int
    appeal: int
    obsolete: bool
    additional: int
    marked: bool
    rows: list[ProductionRowDrawing]


def house(board: Board, seat: Seat, good: str) -> FactoryDrawing | None:
    factory = board.players[seat].factories[good]
    if factory is None:
        return None
    return FactoryDrawing(
        LEVELS[factory.level - 1],
        board.base_quality(seat, good),
        factory.quality,
        factory.distribution,
        factory.price,
        board.appeal(seat, good),
        factory.obsolete,
        factory.additional,
        factory.marked,
        [production_row(board, factory, good, row) for row in PRODUCTION_ROWS],
    )


def production_row(board: Board, factory: Factory, good: str, row: int) -> ProductionRowDrawing:
    """Draw a production row: workers on the left, where machines may not be, and machines on the right."""
    workers, machines = factory.workers[row - 1], factory.machines[row - 1]
    of = board.printed.row(good, row)
    human_only = of.human_only
    spaces = [
        "worker"
        if space < workers
        else "machine"
        if space >= of.spaces - machines
        else "for workers"
        if space < human_only
        else "free"
        for space in range(of.spaces)
    ]
    makes = board.printed.row_output(good, factory.level, row)
    return ProductionRowDrawing(row, spaces, makes, workers + machines == of.spaces)


def _factory_part(scene: Scene, seat: Seat, good: str) -> BoardPart:
    """Return the part of a factory, or what its levels cost, with the tiles on its space."""
    at = f"/players/{seat}"
    costs = list(zip(LEVELS, printed.of(scene.table).costs[good], strict=True))

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        player = board.players[seat]
        return house(board, seat, good), [kind for kind in ASSIGNED if player.works_at(kind, good)]

    return BoardPart(
        f"factory-{seat}-{good}",
        (f"{at}/factories/{good}", f"{at}/tiles"),
        look,
        macro_drawer(TEMPLATE, "factory", seat, good, costs),
    )


class WarehouseCell(NamedTuple):
    """A place of the large warehouse, in a square of one by one. holds: "good", "open" or "shut"."""

    x: int
    y: int
    holds: str


class Store(NamedTuple):
    """A player's warehouses. slots: of workers, whether they are there; over: goods in the small one, by kind."""

    cells: list[WarehouseCell]
    slots: list[tuple[str, int, int, bool]]
    stored: list[tuple[str, int, int]]  # goods, and how many the large warehouse takes
    over: list[str]
    small: int | None  # places of the small warehouse; None: there is none


def store(player: Player, numbers: Printed) -> Store:
    """Return the warehouses for drawing: column slots above, row slots on the left (WF-2.12)."""
    rows, staffed = numbers.harbour_rows, player.slots["row"]
    room = {good: rows if player.slots[good] else staffed for good in GOODS}
    cells = [
        WarehouseCell(
            x, y, "good" if y <= min(player.stored[good], room[good]) else "open" if y <= room[good] else "shut"
        )
        for x, good in enumerate(GOODS, 1)
        for y in range(1, rows + 1)
    ]
    slots = [(f"{good}", x, 0, bool(player.slots[good])) for x, good in enumerate(GOODS, 1)]
    slots += [(f"{SLOTS[-1]}/{y}", 0, y, y <= staffed) for y in range(1, rows + 1)]
    over: list[str] = [good for good in GOODS for _ in range(player.stored[good] - room[good])]
    return Store(
        cells,
        slots,
        [(good, player.stored[good], room[good]) for good in GOODS],
        over,
        numbers.tiles_small_warehouse_goods if player.owns("small_warehouse") or over else None,
    )


def _store(scene: Scene, seat: Seat) -> BoardPart:
    at, numbers = f"/players/{seat}", printed.of(scene.table)
    return BoardPart(
        f"store-{seat}",
        (f"{at}/slots", f"{at}/stored", f"{at}/tiles"),
        lambda document: store(msgspec.convert(document["players"][seat], Player), numbers),
        macro_drawer(TEMPLATE, "store", seat),
    )


def _contracts(numbers: Printed, seat: Seat) -> BoardPart:
    def look(document: Document) -> Looks:
        return ([(good, document["players"][seat]["contracts"][good]) for good in GOODS],)

    return BoardPart(
        f"contracts-{seat}",
        (f"/players/{seat}/contracts",),
        look,
        macro_drawer(TEMPLATE, "contracts", seat, numbers.seats_contract_track),
    )


def _piers_part(numbers: Printed, seat: Seat) -> BoardPart:
    """Return the part with ships at the piers and their crews."""
    at = f"/players/{seat}"

    def look(document: Document) -> Looks:
        ships = document["players"][seat]["ships"]
        crews = [numbers.ships[capacity].crew for capacity in ships]
        return list(zip(numbered_things(ships), crews, strict=True)), document["players"][seat]["crew"]

    return BoardPart(
        f"piers-{seat}",
        (f"{at}/ships", f"{at}/crew"),
        look,
        macro_drawer(TEMPLATE, "piers", seat, numbers.harbour_piers),
    )


def _owned_tiles(numbers: Printed, seat: Seat) -> BoardPart:
    """Draw a player's development tiles, and how often the inventor was used."""
    most = len(numbers.tiles_inventor_next_use) + 1

    def look(document: Document) -> Looks:
        tiles = document["players"][seat]["tiles"]
        return ([(tile["kind"], tile["good"], tile["uses"] if tile["kind"] == "inventor" else None) for tile in tiles],)

    return BoardPart(
        f"owned-{seat}",
        (f"/players/{seat}/tiles",),
        look,
        macro_drawer(TEMPLATE, "owned", seat, numbers.tile_rules_spaces, most),
    )


def _markers_part(seat: Seat) -> BoardPart:
    """Return the part with a player's usable markers, and those on the administration chart with rows."""
    at = f"/players/{seat}"

    def look(document: Document) -> Looks:
        player = document["players"][seat]
        rows = {marker: row for row, marker in player["chart"].items() if marker}
        return ([(marker, rows.get(marker)) for marker in chain(OWN, player["markers"])],)

    return BoardPart(f"markers-{seat}", (f"{at}/chart", f"{at}/markers"), look, macro_drawer(TEMPLATE, "markers", seat))
