"""Invariants of every board (WF-7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from daybook.domain.games.water_frame import storage
from daybook.domain.games.water_frame.board import Board, Factory, Player
from daybook.domain.games.water_frame.printed import (
    ASSIGNED,
    GOODS,
    LEVELS,
    MARKER_NAMES,
    PRODUCTION_ROWS,
    SHADES,
    Tile,
    economy_text,
    marker,
)
from daybook.domain.kernel.invariants import Invariant
from daybook.domain.kernel.rule_parts import Ever
from daybook.domain.kernel.terms import Breach, Seat, WhyNot, because

OfBoard = Callable[[Board], WhyNot]
OfPlayer = Callable[[Board, Seat, Player], WhyNot]
OfFactory = Callable[[Board, Seat, str, Factory], WhyNot]

CHOSEN = [marker(name, shade) for name in MARKER_NAMES for shade in SHADES]  # grey markers


def breaches(b: Board) -> Iterator[Breach]:
    for rule, invariant, _ in TABLE:
        reason = invariant(b)
        if reason is not None:
            yield Breach(rule, reason)
    for seat, player in enumerate(b.players):
        for rule, of_player, _ in PLAYERS:
            reason = of_player(b, seat, player)
            if reason is not None:
                yield Breach(rule, reason)
        for good in GOODS:
            factory = player.factories[good]
            if factory is None:
                continue
            for rule, of_factory, _ in FACTORIES:
                reason = of_factory(b, seat, good, factory)
                if reason is not None:
                    yield Breach(rule, reason)


def invariants(seats: int) -> list[Invariant]:
    """Return the invariants by the parts of the board that they read."""
    found = [Invariant(invariant, reads) for _, invariant, reads in TABLE]
    for seat in range(seats):
        found += [
            Invariant(partial(find_player_breach, of_player, seat), tuple(part.format(seat=seat) for part in reads))
            for _, of_player, reads in PLAYERS
        ]
        found += [
            Invariant(
                partial(find_factory_breach, of_factory, seat, good),
                tuple(part.format(seat=seat, good=good) for part in reads),
            )
            for good in GOODS
            for _, of_factory, reads in FACTORIES
        ]
    return found


def find_player_breach(invariant: OfPlayer, seat: Seat, b: Board) -> WhyNot:
    return invariant(b, seat, b.players[seat])


def find_factory_breach(invariant: OfFactory, seat: Seat, good: str, b: Board) -> WhyNot:
    factory = b.players[seat].factories[good]
    return None if factory is None else invariant(b, seat, good, factory)


# --- the table ---


def workers_add_up(b: Board) -> WhyNot:
    total = b.market + b.fired + b.box
    for player in b.players:
        total += player.crew + sum(player.slots.values())
        for factory in player.factories.values():
            if factory is not None:
                total += sum(factory.workers) + factory.additional
    right = b.printed.workers_total
    return (
        None if total == right else because("workers", "there are {total} workers, not {all}", total=total, all=right)
    )


def piles_hold(b: Board) -> WhyNot:
    if b.market >= 0 and b.fired >= 0 and b.box >= 0:
        return None
    return because("workers", "the number of workers on the job market, on the fired space or in the box is below 0")


def ships_add_up(b: Board) -> WhyNot:
    """Each on its row of the mat or with a player (WF-7.12)."""
    there: Counter[int] = Counter(ship for player in b.players for ship in player.ships)
    for number, row in enumerate(b.mat):
        there.update(row.ships)
        if any(ship not in b.printed.ships or b.printed.ships[ship].row != number for ship in row.ships):
            return because("ships", "a ship is on row {row} of the mat, where it does not belong", row=number + 1)
    right = {capacity: b.printed.ships[capacity].copies for capacity in b.printed.seats_ships}
    return None if there == right else because("ships", "the ships are not those of the game")


def tiles_hold(b: Board) -> WhyNot:
    """No more of a kind than there are; during the game the number of each kind is that laid out (WF-7.13)."""
    held = Counter(tile.kind for player in b.players for tile in player.tiles)
    for kind, count in b.tiles.items():
        total = count + held.pop(kind, 0)
        if count < 0:
            return because("tiles", "fewer than 0 {kind} tiles are laid out", kind=kind)
        if total > b.printed.tiles[kind]:
            return because(
                "tiles",
                "there are {total} {kind} tiles, of {copies}",
                total=total,
                kind=kind,
                copies=b.printed.tiles[kind],
            )
    return because("tiles", "a tile does not belong to this game") if held else None


def grey_markers_hold(b: Board) -> WhyNot:
    """Check the number of grey markers of a name and shade, on the mat and with players (WF-7.14)."""
    there = Counter(held for player in b.players for held in player.markers)
    for number, row in enumerate(b.mat):
        there.update(marker(name, b.printed.shades[number]) for name in row.markers)
    extra = b.options.factories == "predetermined"  # one light marker may be given besides those laid out
    for kind, count in there.items():
        if kind not in CHOSEN or count > b.printed.seats_grey_sets + extra * b.seats:
            return because("grey_markers", "there are {count} {kind} markers", count=count, kind=kind)
    return None


def importers_stand(b: Board) -> WhyNot:
    low = next((good for good, space in b.importers.items() if space < 0), None)
    return None if low is None else because("importer", "the importer of {good} is below 0", good=low)


def economy_fits(b: Board) -> WhyNot:
    """One marker a decade, no more of a kind than there are (WF-7.16)."""
    for good, revealed in b.economy.items():
        printed = Counter(economy_text(*marker) for marker in b.printed.economy[good])
        if not Counter(revealed) <= printed or len(revealed) >= len(b.printed.decades):
            return because("economy", "the markers revealed for {good} are not possible", good=good)
    return None


def chart_open(b: Board) -> WhyNot:
    if any(until < b.decade for until in b.closed_rows.values()):
        return None
    return because("chart", "every row of the chart is closed")


def has_start_player(b: Board) -> WhyNot:
    if b.start in range(b.seats) or (b.start is None and b.stage == "start_player"):
        return None
    return because("start", "no player of this game is the start player")


# --- a player ---


def shares_add_up(b: Board, seat: Seat, player: Player) -> WhyNot:
    """Shares of the bank mark loans, while there are any (WF-7.3)."""
    right = b.printed.all_shares
    total = player.shares + player.bank + min(player.loans, right)
    if total != right or min(player.shares, player.bank, player.loans) < 0:
        return because(
            "shares",
            "seat {seat} has {held} shares, {bank} in the bank and {loans} loans, of {all}",
            seat=seat,
            held=player.shares,
            bank=player.bank,
            loans=player.loans,
            all=right,
        )
    return (
        because("shares", "seat {seat} has both loans and shares", seat=seat)
        if player.loans and player.shares
        else None
    )


def cash_held(b: Board, seat: Seat, player: Player) -> WhyNot:
    return None if player.cash >= 0 else because("cash", "the cash of seat {seat} is below 0", seat=seat)


def space_on_track(b: Board, seat: Seat, player: Player) -> WhyNot:
    if b.printed.share_track_lowest <= player.space <= b.printed.highest_space:
        return None
    return because("space", "seat {seat} is on no space of the share value track", seat=seat)


def goods_stored(b: Board, seat: Seat, player: Player) -> WhyNot:
    """Check that stored goods are in order, unless a storage decision is open (WF-7.10)."""
    if min(player.stored.values()) < 0:
        return because("storage", "seat {seat} stores fewer than 0 goods", seat=seat)
    if b.asked or b.stage in ("main", "firing"):
        return None
    wrong = storage.misplaced_good(b, seat)
    return None if wrong is None else because("storage", "seat {seat} stores too many {good}", seat=seat, good=wrong)


def slots_filled(b: Board, seat: Seat, player: Player) -> WhyNot:
    right = dict.fromkeys(player.slots, 1) | {"row": b.printed.harbour_rows}
    if all(0 <= player.slots[slot] <= most for slot, most in right.items()):
        return None
    return because("slots", "the warehouse workers of seat {seat} are not on its spaces", seat=seat)


def chart_lies(b: Board, seat: Seat, player: Player) -> WhyNot:
    """Every marker once and owned; empty when no cycle is running (WF-7.11)."""
    lying = [lies for lies in player.chart.values() if lies is not None]
    ships = Counter(f"ship:{ship}" for ship in player.ships)
    for lies, count in Counter(lying).items():
        if count > (ships[lies] if lies.startswith("ship:") else 1) or (lies in CHOSEN and lies not in player.markers):
            return because("chart", "marker {marker} of seat {seat} cannot be there", marker=lies, seat=seat)
    if len(lying) > b.cycle:
        return because("chart", "{count} markers of seat {seat} are on the chart", count=len(lying), seat=seat)
    return None


def ships_manned(b: Board, seat: Seat, player: Player) -> WhyNot:
    crew = sum(b.printed.ships[ship].crew for ship in player.ships)
    if len(player.ships) > b.printed.harbour_piers:
        return because(
            "crew",
            "seat {seat} has {ships} ships but {piers} piers",
            seat=seat,
            ships=len(player.ships),
            piers=b.printed.harbour_piers,
        )
    return (
        None
        if player.crew == crew
        else because(
            "crew",
            "the ships of seat {seat} need a crew of {crew}, not {there}",
            seat=seat,
            crew=crew,
            there=player.crew,
        )
    )


def tiles_fit(b: Board, seat: Seat, player: Player) -> WhyNot:
    """One of a kind, on as many spaces as there are; one too many while it is decided which goes (WF-7.13)."""
    kinds = [tile.kind for tile in player.tiles]
    pending = any(ask.seat == seat and ask.what == "return_tile" for ask in b.asked)
    if len(set(kinds)) < len(kinds) or len(kinds) > b.printed.tile_rules_spaces + pending:
        return because("tiles", "seat {seat} cannot have these tiles", seat=seat)
    lost = next((tile.kind for tile in player.tiles if (tile.good is None) == (tile.kind in ASSIGNED)), None)
    return (
        None
        if lost is None
        else because("tiles", "the {kind} of seat {seat} is in the wrong place", kind=lost, seat=seat)
    )


def markers_once(b: Board, seat: Seat, player: Player) -> WhyNot:
    return (
        None
        if len(set(player.markers)) == len(player.markers)
        else because("grey_markers", "seat {seat} has a grey marker twice", seat=seat)
    )


def contracts_lie(b: Board, seat: Seat, player: Player) -> WhyNot:
    track = (0, *b.printed.seats_contract_track)
    wrong = next((space for space in player.contracts.values() if space not in track), None)
    return (
        None if wrong is None else because("contracts", "there is no space {space} on the contract track", space=wrong)
    )


# --- a factory ---


def price_on_scale(b: Board, seat: Seat, good: str, factory: Factory) -> WhyNot:
    appeal = b.appeal(seat, good)
    if appeal < 0:
        return because("appeal", "the appeal of {good} of seat {seat} is {appeal}", good=good, seat=seat, appeal=appeal)
    open_storage = b.asked or b.stage in ("main", "firing")
    highest = b.printed.price_most if open_storage else storage.highest_price(b, seat, good)
    return (
        None
        if b.printed.price_least <= factory.price <= highest
        else because(
            "price", "the price of {good} of seat {seat} is {price}", good=good, seat=seat, price=factory.price
        )
    )


def markers_on_factory(b: Board, seat: Seat, good: str, factory: Factory) -> WhyNot:
    numbers = b.printed
    if 0 <= factory.quality <= numbers.quality_engineer and 0 <= factory.distribution <= numbers.distribution_most:
        return None
    return because("markers", "seat {seat} cannot have this quality or distribution of {good}", good=good, seat=seat)


def rows_filled(b: Board, seat: Seat, good: str, factory: Factory) -> WhyNot:
    """Check that machines have a worker in their row, and that row 1 is complete (WF-7.7)."""
    for row in PRODUCTION_ROWS:
        workers, machines, printed = factory.workers[row - 1], factory.machines[row - 1], b.printed.row(good, row)
        full = workers + machines
        held = workers >= 0 and 0 <= machines <= printed.machines and full <= printed.spaces
        if not held or (machines and not workers) or (row == 1 and full < printed.spaces):
            return because(
                "rows",
                "row {row} of {good} of seat {seat} cannot hold {workers} workers and {machines} machines",
                row=row,
                good=good,
                seat=seat,
                workers=workers,
                machines=machines,
            )
    return None


def level_reached(b: Board, seat: Seat, good: str, factory: Factory) -> WhyNot:
    return (
        None
        if 1 <= factory.level <= min(b.level + 1, len(LEVELS))
        else because(
            "level", "{good} of seat {seat} cannot be of level {level}", good=good, seat=seat, level=factory.level
        )
    )


def additional_fit(b: Board, seat: Seat, good: str, factory: Factory) -> WhyNot:
    """Check the additional workers of a factory: only an obsolete one may have some (WF-7.9)."""
    if factory.obsolete:
        fits = 0 <= factory.additional <= b.printed.obsolescence_workers and factory.level < b.level
    else:
        fits = factory.additional == 0
    return (
        None
        if fits
        else because(
            "additional",
            "{good} of seat {seat} cannot have {count} additional workers",
            good=good,
            seat=seat,
            count=factory.additional,
        )
    )


def marked_late(b: Board, seat: Seat, good: str, factory: Factory) -> WhyNot:
    """Check that a factory is marked only in the last decade, after its production (WF-7.27)."""
    produced = not b.cycle or good in GOODS[: b.cycle - 1]
    if not factory.marked or (b.decade == b.printed.last_decade and produced):
        return None
    return because("marked", "{good} of seat {seat} cannot be marked", good=good, seat=seat)


# --- an adjustment ---


def adjustable(b: Board, adjusted: Board, ever: Ever) -> Iterator[Breach]:
    """Yield what forbids an adjustment although its board could be reached by play."""
    for seat, (player, after) in enumerate(zip(b.players, adjusted.players, strict=True)):
        for good in GOODS:
            if quality_rises_above(player.factories[good], after.factories[good], b.printed.quality_most) and not (
                after.owns("engineer") or engineer_ever(ever, seat)
            ):
                yield Breach(
                    "WF-7.6",
                    because(
                        "engineer",
                        "quality goes above {most} only with an engineer, and seat {seat} never had one",
                        most=b.printed.quality_most,
                        seat=seat,
                    ),
                )
    yield from tiles_laid_out(b, adjusted)


def quality_rises_above(before: Factory | None, after: Factory | None, limit: int) -> bool:
    """Check if the factory's quality goes up, and ends above the limit."""
    return after is not None and after.quality > max(limit, 0 if before is None else before.quality)


def engineer_ever(ever: Ever, seat: Seat) -> bool:
    return any(tile["kind"] == "engineer" for tiles in ever(f"/players/{seat}/tiles") for tile in tiles)


def tiles_laid_out(b: Board, adjusted: Board) -> Iterator[Breach]:
    """Check that an adjustment adds no tile beyond the possible layout (WF-2.17.5).

    The kinds laid out may have been recorded wrongly, so that one may replace another.
    """
    was, lie = count_tiles(b), count_tiles(adjusted)
    if b.stage not in ("start_player", "mat", "tiles") and lie.total() != was.total():
        yield Breach(
            "WF-7.13",
            because(
                "tiles_laid_out",
                "{count} tiles were laid out, but the players and the board have {there}",
                count=was.total(),
                there=lie.total(),
            ),
        )
    for kind, places in lie.items():
        most = max(most_laid_out(b, kind), was[kind])
        if places > most:
            yield Breach(
                "WF-7.13", because("tile_copies", "at most {most} {kind} tiles are laid out", kind=kind, most=most)
            )


def most_laid_out(b: Board, kind: Tile) -> int:
    """Return the most tiles of a kind in the set-up of this game."""
    return b.printed.tiles_laid.get(kind, 0) if b.options.mat == "predetermined" else b.printed.seats_copies


def count_tiles(b: Board) -> Counter[str]:
    return Counter(tile.kind for player in b.players for tile in player.tiles) + Counter(b.tiles)


# Each with its rule and the parts of the board that it reads.
TABLE: tuple[tuple[str, OfBoard, tuple[str, ...]], ...] = (
    (
        "WF-7.1",
        workers_add_up,
        ("/market", "/fired", "/box", "/players/*/crew", "/players/*/slots", "/players/*/factories"),
    ),
    ("WF-7.2", piles_hold, ("/market", "/fired", "/box")),
    ("WF-7.12", ships_add_up, ("/players/*/ships", "/mat")),
    ("WF-7.13", tiles_hold, ("/players/*/tiles", "/tiles")),
    ("WF-7.14", grey_markers_hold, ("/players/*/markers", "/mat")),
    ("WF-7.16", importers_stand, ("/importers",)),
    ("WF-7.16", economy_fits, ("/economy",)),
    ("WF-4.22.6", chart_open, ("/closed_rows", "/decade")),
    ("WF-7.26", has_start_player, ("/start", "/stage")),
)
OWN = "/players/{seat}"
PLAYERS: tuple[tuple[str, OfPlayer, tuple[str, ...]], ...] = (
    ("WF-7.3", shares_add_up, (f"{OWN}/shares", f"{OWN}/bank", f"{OWN}/loans")),
    ("WF-7.4", cash_held, (f"{OWN}/cash",)),
    ("WF-7.17", space_on_track, (f"{OWN}/space",)),
    (
        "WF-7.10",
        goods_stored,
        (f"{OWN}/stored", f"{OWN}/slots", f"{OWN}/tiles", f"{OWN}/factories", "/asked", "/stage"),
    ),
    ("WF-2.12.2", slots_filled, (f"{OWN}/slots",)),
    ("WF-7.11", chart_lies, (f"{OWN}/chart", f"{OWN}/ships", f"{OWN}/markers", "/cycle")),
    ("WF-7.12", ships_manned, (f"{OWN}/ships", f"{OWN}/crew")),
    ("WF-7.13", tiles_fit, (f"{OWN}/tiles", "/asked")),
    ("WF-7.14", markers_once, (f"{OWN}/markers",)),
    ("WF-7.15", contracts_lie, (f"{OWN}/contracts",)),
)
FACTORY = f"{OWN}/factories/{{good}}"
FACTORIES: tuple[tuple[str, OfFactory, tuple[str, ...]], ...] = (
    ("WF-7.5", price_on_scale, (FACTORY, f"{OWN}/stored", f"{OWN}/slots", f"{OWN}/tiles", "/asked", "/stage")),
    ("WF-7.6", markers_on_factory, (FACTORY,)),
    ("WF-7.7", rows_filled, (FACTORY,)),
    ("WF-7.8", level_reached, (FACTORY, "/decade")),
    ("WF-7.9", additional_fit, (FACTORY, "/decade")),
    ("WF-7.27", marked_late, (FACTORY, "/decade", "/cycle")),
)
