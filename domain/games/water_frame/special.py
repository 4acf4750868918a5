"""Special markers: development tiles, grey markers and ships, and the broker in their place (WF-4.14)."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.water_frame import bank, inventor, moves, people, stock_exchange, storage, tiles
from daybook.domain.games.water_frame.board import Ask, Board, OwnedTile
from daybook.domain.games.water_frame.chart import lies_on, ship_marker
from daybook.domain.games.water_frame.deciding import no_decision_pending, stage_is
from daybook.domain.games.water_frame.printed import ASSIGNED, GOODS, MARKER_NAMES, ROWS, SHADES, Marker, name_of
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, holds, refuse_unless


def in_additional(b: Board) -> bool:
    return b.stage == "additional" and b.printed.additional[name_of(b.turn.marker)] == "special"


def taking(b: Board) -> bool:
    """Check if a special marker may be taken: in a turn, in the set-up, or by an event."""
    if b.asked or b.turn.marker_taken:
        return False
    return b.stage in ("special", "event_step") or in_additional(b)


# --- checks: all of them ---


@holds("the marker offers a special marker")
def special_open(b: Board) -> WhyNot:
    offered = b.stage in ("special", "event_step") or in_additional(b)
    return (
        no_decision_pending(b)
        or stage_is(b, offered or b.stage == "additional")
        or refuse_unless(offered, "wrong_action", "the {marker} marker offers no special marker", marker=b.turn.marker)
    )


@holds("no special marker was taken yet")
def one_marker(b: Board) -> WhyNot:
    return refuse_unless(not b.turn.marker_taken, "marker_taken", "one special marker was taken")


@holds("the set-up is over")
def in_turn(b: Board) -> WhyNot:
    """Refuse anything but a special marker in the set-up (WF-3.6.3)."""
    return refuse_unless(b.stage != "special", "setup", "in the set-up a player takes one special marker or none")


@holds("no event offers the marker instead")
def within_turn(b: Board) -> WhyNot:
    return refuse_unless(b.stage == "additional", "event", "the event offers a special marker, not the broker")


# --- checks: tiles ---


@holds("the tile is in the supply")
def tile_in_supply(b: Board, d: moves.TakeTile) -> WhyNot:
    return refuse_unless(b.tiles.get(d.kind, 0), "tile_gone", "the supply has no {kind} tile", kind=d.kind)


@holds("the player does not have the tile")
def tile_not_owned(b: Board, seat: Seat, d: moves.TakeTile) -> WhyNot:
    return refuse_unless(
        not b.players[seat].owns(d.kind), "tile_twice", "the player already has the {kind} tile", kind=d.kind
    )


@holds("the decision names a factory space if the tile needs one")
def assignment_named(d: moves.TakeTile) -> WhyNot:
    if d.kind in ASSIGNED:
        return refuse_unless(d.assign, "assign", "the {kind} goes on a factory space", kind=d.kind)
    return refuse_unless(d.assign is None, "assign", "the {kind} does not go on a factory space", kind=d.kind)


@holds("the tile is one of the four older ones")
def older_tile(b: Board, seat: Seat, d: moves.ReturnTile) -> WhyNot:
    """One of those owned before the new one (WF-4.14.1)."""
    return refuse_unless(
        any(tile.kind == d.kind for tile in b.players[seat].tiles[:-1]),
        "old_tile",
        "return one of the four older tiles; {kind} is not one of them",
        kind=d.kind,
    )


@holds("the tile is on a factory space")
def assigned_tile(b: Board, seat: Seat, d: moves.Reassign) -> WhyNot:
    return refuse_unless(
        d.kind in ASSIGNED, "assign", "the {kind} does not go on a factory space", kind=d.kind
    ) or refuse_unless(b.players[seat].owns(d.kind), "no_tile", "the player has no {kind} tile", kind=d.kind)


@holds("the space is a different one")
def another_space(b: Board, seat: Seat, d: moves.Reassign) -> WhyNot:
    return refuse_unless(
        not b.players[seat].works_at(d.kind, d.good),
        "same_space",
        "the {kind} is already on the space for {good}",
        kind=d.kind,
        good=d.good,
    )


# --- checks: grey markers ---


@holds("the player can reach the marker on the mat")
def marker_reachable(b: Board, seat: Seat, d: moves.TakeMarker) -> WhyNot:
    """Require a row of the development level, or the next one with the inventor (WF-4.14.3)."""
    row = marker_row(b, d)
    if row is None:
        return refuse_unless(False, "marker_gone", "the mat has no {shade} {name} marker", shade=d.shade, name=d.name)
    return beyond_reach(b, seat, row)


def marker_row(b: Board, d: moves.TakeMarker) -> int | None:
    """Return the lowest row of the mat with the marker, from 0, or None."""
    shades = b.printed.shades
    return next(
        (row for row, mat_row in enumerate(b.mat) if shades[row] == d.shade and d.name in mat_row.markers), None
    )


def beyond_reach(b: Board, seat: Seat, row: int) -> WhyNot:
    reach = b.level + b.players[seat].owns("inventor")
    return refuse_unless(
        row < reach,
        "level",
        "this is on row {row}, and the player can only reach row {reach}",
        row=ROWS[row],
        reach=ROWS[min(reach, len(ROWS)) - 1],
    )


def needs_inventor(b: Board, row: int) -> bool:
    return row >= b.level


@holds("the player does not have the marker")
def marker_not_owned(b: Board, seat: Seat, d: moves.TakeMarker) -> WhyNot:
    return refuse_unless(
        grey_marker_of(d) not in b.players[seat].markers,
        "marker_twice",
        "the player already owns the {shade} {name} marker",
        shade=d.shade,
        name=d.name,
    )


def grey_marker_of(d: moves.TakeMarker) -> Marker:
    return f"{d.name}:{d.shade}"


# --- checks: ships ---


@holds("the player can reach the ship on the mat")
def ship_reachable(b: Board, seat: Seat, d: moves.TakeShip) -> WhyNot:
    row = ship_row(b, d.capacity)
    if row is None:
        return refuse_unless(False, "ship_gone", "the mat has no ship of capacity {capacity}", capacity=d.capacity)
    return beyond_reach(b, seat, row)


def ship_row(b: Board, capacity: int) -> int | None:
    return next((row for row, mat_row in enumerate(b.mat) if capacity in mat_row.ships), None)


@holds("the player has a pier for the ship")
def pier_free(b: Board, seat: Seat, d: moves.TakeShip) -> WhyNot:
    """Require a replaced ship if and only if no pier is free (WF-4.14.4)."""
    ships, piers = b.players[seat].ships, b.printed.harbour_piers
    if len(ships) < piers:
        return refuse_unless(d.replace is None, "pier_free", "a pier is free: no ship has to be replaced")
    return refuse_unless(d.replace is not None, "piers_full", "all {piers} piers have ships", piers=piers)


@holds("a smaller ship is replaced")
def smaller_replaced(b: Board, seat: Seat, d: moves.TakeShip) -> WhyNot:
    if d.replace is None:
        return None
    return refuse_unless(
        d.replace in b.players[seat].ships,
        "no_ship",
        "the player has no ship of capacity {capacity}",
        capacity=d.replace,
    ) or refuse_unless(
        d.replace < d.capacity,
        "smaller",
        "a ship of capacity {old} is not replaced by one of {new}",
        old=d.replace,
        new=d.capacity,
    )


@holds("the decision names the ship that goes back")
def replaced_told_apart(b: Board, seat: Seat, d: moves.TakeShip) -> WhyNot:
    """Require the place of the replaced ship where two are equal."""
    return refuse_unless(
        d.row in replaceable(b, seat, d.replace),
        "which_ship",
        "name the ship of capacity {capacity} that goes back",
        capacity=d.replace or 0,
    )


def replaceable(b: Board, seat: Seat, replace: int | None) -> list[int | None]:
    """Return the possible rows of a ship to be replaced; None: the one at the pier, or the only one.

    Of a single ship nothing has to be told.
    """
    player = b.players[seat]
    if replace is None or player.ships.count(replace) < 2:
        return [None]
    rows: list[int | None] = [*lies_on(player, ship_marker(replace))]
    return rows if len(rows) == player.ships.count(replace) else [None, *rows]


@holds("enough workers are available for the crew")
def crew_available(b: Board, seat: Seat, d: moves.TakeShip) -> WhyNot:
    missing = crew_needed(b, ship_capacities_after(b, seat, d)) - b.players[seat].crew
    return people.none_to_hire(b, missing) if missing > 0 else None


def ship_capacities_after(b: Board, seat: Seat, d: moves.TakeShip) -> list[int]:
    """Return the capacities of the seat's ships once it has taken this one, smallest first."""
    ships = list(b.players[seat].ships)
    if d.replace is not None:
        ships.remove(d.replace)
    return sorted([*ships, d.capacity])


def crew_needed(b: Board, ships: list[int]) -> int:
    return sum(b.printed.ships[capacity].crew for capacity in ships)


# --- checks: the broker ---


@holds("the player has the broker")
def broker_owned(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(b.players[seat].owns("broker"), "no_tile", "the player has no broker")


@holds("the broker can buy this many shares")
def broker_shares(b: Board, seat: Seat, d: moves.Broker) -> WhyNot:
    most = min(b.printed.tiles_broker_shares, b.players[seat].bank)
    return refuse_unless(1 <= d.count <= most, "bank_shares", "the broker buys from 1 to {most} shares now", most=most)


@holds("the player can pay half the price")
def half_price_covered(b: Board, seat: Seat, d: moves.Broker) -> WhyNot:
    return bank.too_dear(b, seat, d.count * half_price(b, seat))


def half_price(b: Board, seat: Seat) -> int:
    """Return half the price of a share, rounded up (WF-4.14.6, WF-6.26)."""
    return -(-bank.purchase_price(b, seat) // 2)


# --- actions ---


def rule_here(b: Board, rule: str) -> str:
    return "WF-3.6.3" if b.stage == "special" else rule


def take_tile(b: Board, seat: Seat, d: moves.TakeTile, tell: Tell) -> None:
    player = b.players[seat]
    b.tiles[d.kind] -= 1
    player.tiles.append(OwnedTile(d.kind, d.assign))
    b.turn.marker_taken = True
    tell(moves.TileTaken(rule_here(b, "WF-4.14.1"), seat, d.kind, d.assign))
    if len(player.tiles) > b.printed.tile_rules_spaces:
        b.asked.append(Ask(seat, "return_tile"))


def return_tile(b: Board, seat: Seat, d: moves.ReturnTile, tell: Tell) -> None:
    """Its effect ends at once (WF-4.14.1)."""
    b.asked.pop()
    tiles.give_back(b, seat, d.kind, "WF-4.14.1", tell)
    if d.kind == "small_warehouse":
        storage.fix(b, seat, tell)


def reassign(b: Board, seat: Seat, d: moves.Reassign, tell: Tell) -> None:
    """Assign a special tile to another good (WF-4.14.2)."""
    tile = b.players[seat].tile(d.kind)
    assert tile is not None
    before, tile.good = tile.good, d.good
    b.turn.marker_taken = True
    tell(moves.TileReassigned("WF-4.14.2", seat, d.kind, before, d.good))


def take_marker(b: Board, seat: Seat, d: moves.TakeMarker, tell: Tell) -> None:
    row = marker_row(b, d)
    assert row is not None
    b.mat[row].markers.remove(d.name)
    b.players[seat].markers.append(grey_marker_of(d))
    b.turn.marker_taken = True
    beyond = needs_inventor(b, row)
    tell(moves.GreyMarkerTaken(rule_here(b, "WF-4.14.3"), seat, d.name, d.shade, ROWS[row], beyond))
    if beyond:
        inventor.use(b, seat, "WF-4.14.3", tell)


def take_ship(b: Board, seat: Seat, d: moves.TakeShip, tell: Tell) -> None:
    """Take a ship with its crew, in the place of a replaced ship on the chart (WF-4.14.4, WF-4.14.5)."""
    row = ship_row(b, d.capacity)
    assert row is not None
    player, beyond = b.players[seat], needs_inventor(b, row)
    chart_row = row_of_replaced(b, seat, d)
    player.ships = ship_capacities_after(b, seat, d)
    b.mat[row].ships.remove(d.capacity)
    b.turn.marker_taken = True
    if d.replace is not None:
        back_to_mat(b, d.replace)
    if chart_row:
        player.chart[str(chart_row)] = ship_marker(d.capacity)
    tell(moves.ShipTaken(rule_here(b, "WF-4.14.4"), seat, d.capacity, d.replace, chart_row, beyond))
    man_ships(b, seat, tell)
    if beyond:
        inventor.use(b, seat, "WF-4.14.4", tell)


def row_of_replaced(b: Board, seat: Seat, d: moves.TakeShip) -> int:
    """Return the row of the chart of the replaced ship; 0: at the pier."""
    if d.replace is None or d.row is not None:
        return d.row or 0
    player = b.players[seat]
    rows = lies_on(player, ship_marker(d.replace))
    return rows[0] if rows and player.ships.count(d.replace) == 1 else 0


def back_to_mat(b: Board, capacity: int) -> None:
    ships = b.mat[b.printed.ships[capacity].row].ships
    ships.append(capacity)
    ships.sort()


def man_ships(b: Board, seat: Seat, tell: Tell) -> None:
    """Set the crew to what the ships need (WF-4.14.5)."""
    player = b.players[seat]
    missing = crew_needed(b, player.ships) - player.crew
    player.crew += missing
    if missing > 0:
        market, fired = people.hire_some(b, missing)
        tell(moves.CrewHired("WF-4.14.5", seat, market, fired, player.crew))
    elif missing < 0:
        b.fired -= missing
        tell(moves.CrewDismissed("WF-4.14.5", seat, -missing, player.crew))


def broker(b: Board, seat: Seat, d: moves.Broker, tell: Tell) -> None:
    """Buy shares at half price and give the broker tile back (WF-4.14.6)."""
    each = half_price(b, seat)
    stock_exchange.take_shares(b, seat, d.count, each)
    b.turn.marker_taken = True
    tell(moves.SharesBought("WF-4.14.6", seat, d.count, each, d.count * each, True))
    tiles.give_back(b, seat, "broker", "WF-4.14.6", tell)


# --- candidates ---


MARKERS = tuple(moves.TakeMarker(name, shade) for shade in SHADES for name in MARKER_NAMES)
REASSIGNMENTS = tuple(moves.Reassign(kind, good) for kind in ASSIGNED for good in GOODS)


def candidate_tiles(b: Board, seat: Seat) -> Iterable[Decision]:
    if not taking(b):
        return ()
    return [
        moves.TakeTile(kind, good)
        for kind, count in b.tiles.items()
        if count
        for good in (GOODS if kind in ASSIGNED else (None,))
    ]


def candidate_tile_returns(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.ReturnTile(tile.kind) for tile in b.players[b.asked[-1].seat].tiles[:-1]]


def candidate_reassignments(b: Board, seat: Seat) -> Iterable[Decision]:
    return REASSIGNMENTS if taking(b) else ()


def candidate_markers(b: Board, seat: Seat) -> Iterable[Decision]:
    return MARKERS if taking(b) else ()


def candidate_ships(b: Board, seat: Seat) -> Iterable[Decision]:
    if not taking(b):
        return ()
    on_mat = dict.fromkeys(capacity for row in b.mat for capacity in row.ships)
    old = list(dict.fromkeys(b.players[seat].ships))
    return [
        moves.TakeShip(capacity, replace, row)
        for capacity in on_mat
        for replace in (None, *old)
        for row in replaceable(b, seat, replace)
    ]


def candidate_brokers(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.Broker(count) for count in range(1, b.printed.tiles_broker_shares + 1)] if taking(b) else ()
