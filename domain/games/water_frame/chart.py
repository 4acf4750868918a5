"""Choosing an action marker and what it costs (WF-4.4)."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.water_frame import bank
from daybook.domain.games.water_frame.board import Board, Player, Turn
from daybook.domain.games.water_frame.moves import MarkerPlaced, MarkerReused, Place, Reuse
from daybook.domain.games.water_frame.printed import OWN, Marker, name_of
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, holds, refuse_unless


def ship_marker(capacity: int) -> Marker:
    return f"ship:{capacity}"


def capacity_of(marker: Marker) -> int:
    """Return the capacity of a ship's marker."""
    return int(marker.partition(":")[2])


def usable_markers(player: Player) -> list[Marker]:
    """Return a player's markers, equal ships once (WF-4.4.1, WF-8.6)."""
    return [*OWN, *player.markers, *dict.fromkeys(ship_marker(capacity) for capacity in player.ships)]


def copies(player: Player, marker: Marker) -> int:
    """Return the number of a player's markers of a kind; there can be several equal ships."""
    if name_of(marker) == "ship":
        return [ship_marker(capacity) for capacity in player.ships].count(marker)
    return int(marker in OWN or marker in player.markers)


def lies_on(player: Player, marker: Marker) -> list[int]:
    """Return the rows of the chart with a marker."""
    return [int(row) for row, lying in player.chart.items() if lying == marker]


def amounts(b: Board, seat: Seat, marker: Marker, row: int) -> list[int]:
    """Return the possible payments on a row, its own costs first (WF-4.4.4)."""
    numbers, player = b.printed, b.players[seat]
    found = [row]
    if player.owns("accountant"):
        found += range(max(0, row - numbers.tiles_accountant_amount), row + numbers.tiles_accountant_amount + 1)
    if name_of(marker) == "quality" and player.owns("engineer"):
        found += range(numbers.tiles_engineer_paid_most + 1)
    return list(dict.fromkeys(found))


def closed_until(b: Board, seat: Seat, row: int) -> int:
    """Return the last decade in which a row of the chart is closed for a player, or 0 (WF-2.15.1, WF-4.15.2)."""
    until = b.closed_rows[str(row)]
    if until < b.decade:
        return 0
    spared = b.players[seat].owns("administrator") and any(
        event.effect == "close_row" and event.amount == row for event in b.printed.events.values()
    )
    return 0 if spared else until


# --- checks ---


@holds("the player has the marker to use")
def marker_owned(b: Board, seat: Seat, d: Place | Reuse) -> WhyNot:
    return refuse_unless(
        copies(b.players[seat], d.marker), "no_marker", "there is no marker {marker} to use", marker=d.marker
    )


@holds("the chart has this row")
def row_there(b: Board, d: Place) -> WhyNot:
    rows = b.printed.chart_rows
    return refuse_unless(d.row in rows, "no_row", "the chart has rows of {rows} pounds", rows=", ".join(map(str, rows)))


@holds("the marker is not on the chart yet")
def marker_free(b: Board, seat: Seat, d: Place) -> WhyNot:
    player = b.players[seat]
    return refuse_unless(
        [*player.chart.values()].count(d.marker) < copies(player, d.marker),
        "marker_on_chart",
        "the {marker} marker is on the £{row} row",
        marker=d.marker,
        row=next(iter(lies_on(player, d.marker)), None),
    )


@holds("the row has no marker of the player")
def row_free(b: Board, seat: Seat, d: Place) -> WhyNot:
    lying = b.players[seat].chart[str(d.row)]
    return refuse_unless(
        lying is None, "row_taken", "the £{row} row already holds the {marker} marker", row=d.row, marker=lying
    )


@holds("the row is not closed")
def row_open(b: Board, seat: Seat, d: Place) -> WhyNot:
    until = closed_until(b, seat, d.row)
    return refuse_unless(not until, "row_closed", "the £{row} row is closed until {until}", row=d.row, until=until)


@holds("the row costs this much")
def amount_fits(b: Board, seat: Seat, d: Place) -> WhyNot:
    return refuse_unless(
        d.paid in amounts(b, seat, d.marker, d.row),
        "paid",
        "the £{row} row costs £{row}, not £{paid}",
        row=d.row,
        paid=d.paid,
    )


@holds("the marker is on the chart")
def on_chart(b: Board, seat: Seat, d: Reuse) -> WhyNot:
    return refuse_unless(
        lies_on(b.players[seat], d.marker),
        "marker_off_chart",
        "the {marker} marker is not on the chart",
        marker=d.marker,
    )


@holds("the row of the marker is not closed")
def reuse_row_open(b: Board, seat: Seat, d: Reuse) -> WhyNot:
    rows = lies_on(b.players[seat], d.marker)
    return refuse_unless(
        any(not closed_until(b, seat, row) for row in rows),
        "row_closed",
        "the £{row} row is closed until {until}",
        row=rows[0],
        until=closed_until(b, seat, rows[0]),
    )


@holds("the row of the marker costs this much")
def reuse_amount_fits(b: Board, seat: Seat, d: Reuse) -> WhyNot:
    return refuse_unless(
        reuse_row(b, seat, d) is not None,
        "paid",
        "the £{row} row costs £{row}, not £{paid}",
        row=lies_on(b.players[seat], d.marker)[0],
        paid=d.paid,
    )


@holds("the costs are enough for the ship")
def ship_covered(d: Place | Reuse) -> WhyNot:
    """Require costs of at least the ship's capacity (WF-4.4.5)."""
    capacity = capacity_of(d.marker) if name_of(d.marker) == "ship" else 0
    return refuse_unless(
        d.paid >= capacity,
        "ship_costs",
        "a ship of capacity {capacity} needs costs of £{capacity}, not £{paid}",
        capacity=capacity,
        paid=d.paid,
    )


def reuse_row(b: Board, seat: Seat, d: Reuse) -> int | None:
    """Return the marker's row with these costs, or None."""
    for row in lies_on(b.players[seat], d.marker):
        if not closed_until(b, seat, row) and d.paid in amounts(b, seat, d.marker, row):
            return row
    return None


# --- actions ---


def place_marker(b: Board, seat: Seat, d: Place, tell: Tell) -> None:
    """Put the marker into the chart, begin its action, and pay for its row (WF-4.4.2)."""
    b.players[seat].chart[str(d.row)] = d.marker
    tell(MarkerPlaced("WF-4.4.2", seat, d.marker, d.row, d.paid))
    begin_action(b, d.marker, d.row, d.paid)
    bank.pay(b, seat, d.paid, "administration", "WF-4.4.2", tell)


def reuse(b: Board, seat: Seat, d: Reuse, tell: Tell) -> None:
    """Costs and fee are one payment (WF-4.4.3)."""
    row = reuse_row(b, seat, d)
    assert row is not None
    fee = 0 if b.players[seat].owns("administrator") else b.printed.chart_fee
    tell(MarkerReused("WF-4.4.3", seat, d.marker, row, d.paid, fee))
    begin_action(b, d.marker, row, d.paid)
    bank.pay(b, seat, d.paid + fee, "administration", "WF-4.4.3", tell)


def begin_action(b: Board, marker: Marker, row: int, paid: int) -> None:
    b.turn = Turn(marker, row, paid)
    b.stage = "main"


# --- candidates ---


def candidate_places(b: Board, seat: Seat) -> Iterable[Decision]:
    player = b.players[seat]
    free = [row for row in b.printed.chart_rows if player.chart[str(row)] is None]
    return [
        Place(marker, row, paid)
        for marker in usable_markers(player)
        for row in free
        for paid in amounts(b, seat, marker, row)
    ]


def candidate_reuses(b: Board, seat: Seat) -> Iterable[Decision]:
    player = b.players[seat]
    lying = dict.fromkeys(marker for marker in player.chart.values() if marker is not None)
    return [
        Reuse(marker, paid)
        for marker in lying
        for paid in dict.fromkeys(paid for row in lies_on(player, marker) for paid in amounts(b, seat, marker, row))
    ]
