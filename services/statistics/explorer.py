"""Opening explorer: for games with the same beginning, their number, winners, scores and next decisions.

Two games have the same opening if ruleset, options, number of seats, printed numbers and first decisions are equal.
Decisions are compared in two ways:

- `every`: all decisions, including what the table turned up, seat by seat.

- `seats`: only the players' decisions, with seats counted from the first to decide. A decision that names a player's
colour names the seat instead ("seat:1"). Draws differ from game to game, so this way matches more games.

The first DEPTH standing decisions of each game are stored for each way, each under a hash of all decisions before it.
`at` is the key of a row of `Node.next`, or "" for the start.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.services.statistics.collect import WIN
from daybook.services.statistics.figure_questions import Filter, counted_seats, without_typed_results
from daybook.services.statistics.openings import DEPTH as DEPTH  # for pages
from daybook.services.statistics.openings import Way, root_key
from daybook.services.statistics.queries import Query, run
from daybook.services.statistics.table import FigureRow, FigureTable, Heading, mean, rate
from daybook.services.store.daybook import Daybook


class UnknownOpeningError(LookupError):
    """No game that counts has this opening."""


class OpeningStep(Frozen):
    """Decision on the path to a node."""

    seat: Seat
    decision: dict[str, Any]
    key: str  # of the node that it leads to


class Node(Frozen):
    """Position in the tree of openings."""

    ruleset: str
    way: Way
    path: tuple[OpeningStep, ...]
    n: int  # games that reached it
    seats: FigureTable  # results by seat, in the way's numbering
    next: FigureTable  # the next decisions with their results, the commonest first
    deepest: bool  # at the explorer's maximum depth


SETUPS = (
    Heading("ruleset", "Game", "ruleset"),
    Heading("seats", "Players", "seats"),
    Heading("options", "Options", "options"),
    Heading("n", "Games", "count"),
)
FARED = (
    Heading("seat", "Seat", "seat"),
    Heading("n", "Games", "count"),
    Heading("mean", "Average score", "mean"),
    Heading("wins", "Wins", "wins"),
    Heading("rate", "Won", "rate"),
)
NEXT = (
    Heading("seat", "Seat", "seat"),
    Heading("decision", "Decision", "decision"),
    Heading("n", "Games", "count"),
    Heading("mean", "Average score of those who decided this", "mean"),
    Heading("wins", "Wins", "wins"),
    Heading("rate", "Won", "rate"),
)


def find_setups(book: Daybook, game_filter: Filter) -> FigureTable:
    """Return the set-ups of games (ruleset, players, options), the commonest first."""
    rows_found = sorted(run(book, setups_query(without_typed_results(game_filter))), key=lambda row: (-row[4], row[0]))
    rows = tuple(
        FigureRow((ruleset, seats, msgspec.json.decode(options), n), n, setup)
        for setup, ruleset, seats, options, n in rows_found
    )
    return FigureTable("setups", "How games began", SETUPS, rows, sum(row.n for row in rows))


def setups_query(game_filter: Filter) -> Query:
    condition, given = counted_seats(game_filter)
    return Query(
        f"SELECT c.setup, s.ruleset, c.seats, c.options, COUNT(*) FROM seat_summary s "
        "CROSS JOIN counted_game c "
        f"WHERE c.game = s.game AND s.seat = 0 AND {condition} GROUP BY 1, 2, 3, 4",
        given,
    )


def explore_opening(book: Daybook, setup: str, way: Way, at: str, game_filter: Filter) -> Node:
    """Return the node of a set-up and path. Raises UnknownOpeningError."""
    path = _path(book, setup, way, at)
    seats = sorted(run(book, seats_query(setup, way, at, game_filter)), key=itemgetter(0))
    if not seats:
        raise UnknownOpeningError(at or setup)
    games = max(n for _, n, _, _, _ in seats)
    fared = tuple(
        FigureRow((seat, n, mean(total, n), round(won / WIN, 2), rate(won / WIN, n, n)), n)
        for seat, n, won, total, _ in seats
    )
    return Node(
        seats[0][4],
        way,
        path,
        games,
        FigureTable("opening_seats", "How the seats fared", FARED, fared, games),
        _next_decisions(book, at or root_key(setup, way), game_filter, games),
        len(path) >= DEPTH,
    )


def following_decisions(book: Daybook, node: Node, game_filter: Filter, limit: int) -> dict[str, FigureTable]:
    """Return what followed each of the `limit` commonest decisions at a node, by row key."""
    if node.deepest:
        return {}
    return {row.key: _next_decisions(book, row.key, game_filter, row.n) for row in node.next.rows[:limit]}


def _next_decisions(book: Daybook, parent: str, game_filter: Filter, games: int) -> FigureTable:
    rows = []
    decisions = sorted(run(book, next_query(parent, game_filter)), key=lambda row: (-row[3], row[0]))
    for prefix, seat, decision, n, won, total in decisions:
        by_table = seat == TABLE
        rows.append(
            FigureRow(
                (
                    seat,
                    msgspec.json.decode(decision),
                    n,
                    None if by_table else mean(total, n),
                    None if by_table else round(won / WIN, 2),
                    None if by_table else rate(won / WIN, n, n),
                ),
                n,
                prefix,
            )
        )
    return FigureTable("opening_next", "What came next", NEXT, tuple(rows), games)


def games_at(book: Daybook, setup: str, way: Way, at: str, game_filter: Filter, limit: int = 200) -> list[UUID]:
    """Return the games that reached a node, the newest first."""
    at_node, given = _rows_of_node(setup, way, at)
    condition, counted = counted_seats(game_filter)
    rows = run(
        book,
        Query(
            f"SELECT s.game FROM opening_step o JOIN seat_summary s ON s.game = o.game WHERE {at_node} AND {condition} "
            "GROUP BY s.game, s.in_order, s.position ORDER BY s.in_order DESC, s.position DESC LIMIT :limit",
            {**counted, **given, "limit": limit},
        ),
    )
    return [UUID(str(game)) for (game,) in rows]


def next_query(parent: str, game_filter: Filter) -> Query:
    """Build the query for the decisions at a node, their number and results."""
    condition, given = counted_seats(game_filter)
    return Query(
        f"SELECT o.prefix, MIN(o.seat), MIN(o.decision), COUNT(*), CAST(SUM(s.won_60) AS BIGINT), "
        "CAST(SUM(s.total) AS DOUBLE PRECISION) FROM opening_step o JOIN seat_summary s ON s.game = o.game "
        "AND s.seat = CASE WHEN o.decider < 0 THEN 0 ELSE o.decider END "
        f"WHERE o.parent = :parent AND {condition} GROUP BY 1",
        {**given, "parent": parent},
    )


def seats_query(setup: str, way: Way, at: str, game_filter: Filter) -> Query:
    """Build the query for the results by seat of games that reached a node, in the way's numbering."""
    at_node, place = _rows_of_node(setup, way, at)
    condition, given = counted_seats(game_filter)
    seat = "(s.seat - o.decider + o.seat + 2 * s.seats) % s.seats"
    return Query(
        f"SELECT {seat}, COUNT(*), CAST(SUM(s.won_60) AS BIGINT), CAST(SUM(s.total) AS DOUBLE PRECISION), "
        f"MIN(s.ruleset) FROM opening_step o JOIN seat_summary s ON s.game = o.game "
        f"WHERE {at_node} AND {condition} GROUP BY 1",
        {**given, **place},
    )


def _rows_of_node(setup: str, way: Way, at: str) -> tuple[str, dict[str, int | str]]:
    """Return the SQL condition for the rows of games that reached a node: leading to it, or from the root."""
    return ("o.prefix = :here", {"here": at}) if at else ("o.parent = :here", {"here": root_key(setup, way)})


def _path(book: Daybook, setup: str, way: Way, at: str) -> tuple[OpeningStep, ...]:
    """Return the decisions that lead to a node, read from one game that reached it. Raises UnknownOpeningError."""
    if not at:
        return ()
    steps = {
        prefix: (parent, seat, decision)
        for prefix, parent, seat, decision in run(
            book,
            Query(
                "SELECT o.prefix, o.parent, o.seat, o.decision FROM opening_step o WHERE o.game IN "
                "(SELECT p.game FROM opening_step p WHERE p.prefix = :here LIMIT 1)",
                {"here": at},
            ),
        )
    }
    path, node, root = [], at, root_key(setup, way)
    while node != root:
        if node not in steps:
            raise UnknownOpeningError(at)
        parent, seat, decision = steps[node]
        path.append(OpeningStep(seat, msgspec.json.decode(decision), node))
        node = parent
    return tuple(reversed(path))
