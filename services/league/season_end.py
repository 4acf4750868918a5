"""The end of a season: its final order, and later changes of results.

Typed results of a closed season are locked, but records and rulings in them can still change. The written final order
stays until an organiser closes the season again, or confirms it. Both are entries of the club.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from threading import Lock

import msgspec
from cachetools import LRUCache

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import because
from daybook.domain.league.club import Club, Season
from daybook.domain.league.club_events import FinalOrderKept, Order
from daybook.domain.league.results import Result
from daybook.domain.league.standings import StandingChange, Standings, standing_changes
from daybook.services.league.results import are_known, season_of, season_results, standings_at, standings_of
from daybook.services.store.daybook import Daybook

KEPT = 5_000  # closed seasons with cached winners
_winners: LRUCache[str, list[list[str]]] = LRUCache(KEPT)  # by the seal of the entry that closed the season
_lock = Lock()


class SinceClosing(Frozen):
    """Changes in a season since it was closed.

    final: the order in which it was closed. orders: those of the standings now. changed: players with other places
    or points. differs: if the orders differ. kept: an organiser's decision that the final order stands, if these
    orders were known then.
    """

    final: tuple[Order, ...]
    orders: tuple[Order, ...]
    changed: tuple[StandingChange, ...]
    differs: bool
    kept: FinalOrderKept | None

    @property
    def is_undecided(self) -> bool:
        return self.differs and self.kept is None


def final_orders(book: Daybook, club: Club, season_id: str) -> list[Order]:
    """Return the order in which a season would be closed now, group by group.

    Raises UnknownSeasonError, and Refused if a game is not over, a claim is open, or a lot has to decide who moves up or
    down.
    """
    one, found = season_of(club, season_id), season_results(book, club, season_id)
    ended = {result.table for result in found}
    for table in one.tables.values():
        if table.game and table.id not in ended:
            raise Refused(
                because(
                    "game_not_closed",
                    "the game of table {table} has not ended: close it, or make the table void",
                    table=table.id,
                )
            )
    for result in found:
        if "provisional" in result.marks:
            raise Refused(
                because(
                    "claim_open",
                    "a claim is open about the game of table {table}: settle it first",
                    table=result.table or "",
                )
            )
    standings = standings_at(book, club, season_id)
    for row in (row for group in standings.groups for row in group.rows):
        if row.move == "open" and one.format.divisions:
            raise Refused(
                because(
                    "lot_needed",
                    "{person} shares a place on the border between two divisions: a lot decides",
                    person=row.person,
                )
            )
    return orders_of(standings)


def orders_of(standings: Standings) -> list[Order]:
    """Return the order of each group in standings."""
    return [
        Order(
            tuple(row.person for row in group.rows),
            group.division,
            group.group,
            tuple(row.person for row in group.rows if row.move == "up"),
            tuple(row.person for row in group.rows if row.move == "down"),
        )
        for group in standings.groups
    ]


def orders_digest(orders: Sequence[Order]) -> str:
    """Return the digest by which a page says which orders it showed."""
    return hashlib.sha256(msgspec.json.encode(list(orders))).hexdigest()


# --- after it was closed ---------------------------------------------------------------------------------------------


def standings_at_closing(book: Daybook, club: Club, season: Season) -> Standings:
    """Return the standings with which a season was closed; those of an open one as they are."""
    written = book.log.positions(club.id)
    return standings_at(book, club, season.id, written[season.closed.step] if season.closed else None)


def winners(book: Daybook, club: Club, season: Season, ended: Sequence[Result]) -> list[list[str]]:
    """Return the first of each group that has begun; of a closed season by its final order, which is cached.

    A club's page names those of every season. ended: the results of an open season.
    """
    if season.cancelled or season.removed:
        return []
    if season.closed is None:
        return _firsts(standings_of(club, club, season.id, ended), {})
    seal = club.entries[season.closed.step].seal
    with _lock:
        found = _winners.get(seal)
    if found is None:
        final = {_group(order): order.people for order in club.orders(season.closed.orders)}
        found = _firsts(standings_at_closing(book, club, season), final)
        if are_known(book, book.log.positions(club.id)[season.closed.step]):
            with _lock:
                _winners[seal] = found
    return [[club.person(person_id) for person_id in first] for first in found]


def _firsts(standings: Standings, final: Mapping[tuple[int, int], Sequence[str]]) -> list[list[str]]:
    """Return the first of each group, without withdrawn players.

    final: the order of each group, if the season was closed.
    """
    found = []
    for group in standings.groups:
        left = [row for row in group.rows if not row.withdrawn]
        if left and any(row.games_played for row in group.rows):
            first = [row.person for row in left if row.place == left[0].place]
            order = final.get((group.division, group.group), ())
            people = [person for person in order if person in {row.person for row in left}]
            found.append([people[0]] if people and people[0] not in first else first)
    return found


def since_closing(book: Daybook, club: Club, season: Season) -> SinceClosing | None:
    """Return what has changed in a closed season; None for an open one, and if nothing has."""
    if season.closed is None:
        return None
    before, now = standings_at_closing(book, club, season), standings_at(book, club, season.id)
    final, orders, changed = club.orders(season.closed.orders), orders_of(now), standing_changes(before, now)
    differs = any(change.place[0] != change.place[1] for change in changed) or not _agree(final, orders, now)
    if not changed and not differs:
        return None
    kept = season.kept if season.kept and club.orders(season.kept.orders) == orders else None
    return SinceClosing(tuple(final), tuple(orders), tuple(changed), differs, kept)


def _agree(final: Sequence[Order], orders: Sequence[Order], now: Standings) -> bool:
    """Check if the final order agrees with the current places, and the same people are promoted and relegated."""
    places = {row.person: row.place for group in now.groups for row in group.rows}
    return len(final) == len(orders) and all(
        (entry.division, entry.group, {*entry.people}, {*entry.promoted}, {*entry.relegated})
        == (other.division, other.group, {*other.people}, {*other.promoted}, {*other.relegated})
        and all(places[first] <= places[second] for first, second in pairwise(entry.people))
        for entry, other in zip(sorted(final, key=_group), sorted(orders, key=_group), strict=True)
    )


def _group(order: Order) -> tuple[int, int]:
    """Return the division and group of a final order."""
    return order.division, order.group


def require_seen_orders(orders: Sequence[Order], seen: str) -> None:
    """Raise Refused if the orders differ from those that the user saw, compared by digest."""
    if orders_digest(orders) != seen:
        raise Refused(because("order_moved", "the standings have changed in the meantime: check them again"))
