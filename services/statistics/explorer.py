"""The opening explorer: games that began alike. How often, who won, what they scored, which games.

Two games began alike when they are of the same ruleset with the same options, number of seats and printed numbers,
and their first decisions are the same. There are two ways to compare decisions:

    every   all of them, what the table turned up included, seat by seat;
    seats   the players' decisions alone, with seats counted from the one that decides first; a decision that names
            another's colour names the seat instead, "seat:1". What was drawn differs from game to game, so this
            tells more.

Each game's first DEPTH standing decisions are kept in each way, each under a hash of all decisions up to it; deeper
than that the explorer does not look.

    setups(book, filter)                  what games began with, the commonest first; a row's key is the set-up
    explore(book, setup, way, at, filter) a Node: the way there, how the seats fared, and which decisions came next
    next_of_next(book, node, filter, most) what came after each of those decisions
    games_at(book, setup, way, at, filter) the games that went there

`at` is the key of a row of `Node.next`, "" where games begin. `services.statistics.figure_questions.Filter` says which
games count.
"""

from __future__ import annotations

from functools import partial
from operator import itemgetter
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.services.statistics.collect import WIN
from daybook.services.statistics.figure_questions import Filter, answer, counted_seats, without_typed_results
from daybook.services.statistics.openings import DEPTH as DEPTH  # for pages
from daybook.services.statistics.openings import Way, root_of
from daybook.services.statistics.partial_answers import ADDED, APART, LEAST, WITHIN, Additive, sums
from daybook.services.statistics.queries import Query, run
from daybook.services.statistics.table import FigureRow, FigureTable, Heading, mean, rate
from daybook.services.store.daybook import Daybook


class UnknownOpening(LookupError):
    """No game that counts began like that."""


class OpeningStep(Frozen):
    """A decision on the way to a node. key: of the node it leads to."""

    seat: Seat
    decision: dict[str, Any]
    key: str


class Node(Frozen):
    """A place in an opening. n: games that went there; deepest: the explorer does not look further.

    seats: how each seat fared, in the way's numbering of seats. next: what was decided then, the commonest first, with
    how those fared who decided so.
    """

    ruleset: str
    way: Way
    path: tuple[OpeningStep, ...]
    n: int
    seats: FigureTable
    next: FigureTable
    deepest: bool


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


def setups(book: Daybook, of: Filter) -> FigureTable:
    """What games began with: the game, how many players, the options."""
    found = sorted(answer(book, without_typed_results(of), setups_query), key=lambda row: (-row[4], row[0]))
    rows = tuple(
        FigureRow((ruleset, seats, msgspec.json.decode(options), n), n, setup)
        for setup, ruleset, seats, options, n in found
    )
    return FigureTable("setups", "How games began", SETUPS, rows, sum(row.n for row in rows))


def setups_query(of: Filter) -> Additive:
    condition, given = counted_seats(of)
    return Additive(
        f"SELECT {APART}, c.setup, s.ruleset, c.seats, c.options, COUNT(*) FROM seat_summary s "
        "CROSS JOIN counted_game c "
        f"WHERE c.game = s.game AND s.seat = 0 AND {condition}{WITHIN} GROUP BY 1, 2, 3, 4, 5, 6",
        given,
        sums(4, ADDED),
    )


def explore(book: Daybook, setup: str, way: Way, at: str, of: Filter) -> Node:
    """A place in the openings of a set-up. Raises UnknownOpening."""
    path = _path(book, setup, way, at)
    seats = sorted(answer(book, of, partial(seats_query, setup, way, at)), key=itemgetter(0))
    if not seats:
        raise UnknownOpening(at or setup)
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
        _next_decisions(book, at or root_of(setup, way), of, games),
        len(path) >= DEPTH,
    )


def next_of_next(book: Daybook, node: Node, of: Filter, most: int) -> dict[str, FigureTable]:
    """What came after each of the commonest decisions at a place, by the keys of their rows."""
    if node.deepest:
        return {}
    return {row.key: _next_decisions(book, row.key, of, row.n) for row in node.next.rows[:most]}


def _next_decisions(book: Daybook, parent: str, of: Filter, games: int) -> FigureTable:
    rows = []
    found = sorted(answer(book, of, partial(next_query, parent)), key=lambda row: (-row[3], row[0]))
    for prefix, seat, decision, n, won, total in found:
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


def games_at(book: Daybook, setup: str, way: Way, at: str, of: Filter, limit: int = 200) -> list[UUID]:
    """The games that went to a place, the newest first."""
    here, given = _rows_of_node(setup, way, at)
    condition, counted = counted_seats(of)
    found = run(
        book,
        Query(
            f"SELECT s.game FROM opening_step o JOIN seat_summary s ON s.game = o.game WHERE {here} AND {condition} "
            "GROUP BY s.game, s.at, s.position ORDER BY s.at DESC, s.position DESC LIMIT :limit",
            {**counted, **given, "limit": limit},
        ),
    )
    return [UUID(str(game)) for (game,) in found]


def next_query(parent: str, of: Filter) -> Additive:
    """What was decided at a place, how often, and how those fared who did."""
    condition, given = counted_seats(of)
    return Additive(
        f"SELECT {APART}, o.prefix, MIN(o.seat), MIN(o.decision), COUNT(*), CAST(SUM(s.won_60) AS BIGINT), "
        "CAST(SUM(s.total) AS BIGINT) FROM opening_step o JOIN seat_summary s ON s.game = o.game "
        "AND s.seat = CASE WHEN o.decider < 0 THEN 0 ELSE o.decider END "
        f"WHERE o.parent = :parent AND {condition}{WITHIN} GROUP BY 1, 2, 3",
        {**given, "parent": parent},
        sums(1, LEAST, LEAST, ADDED, ADDED, ADDED),
    )


def seats_query(setup: str, way: Way, at: str, of: Filter) -> Additive:
    """How the seats fared in the games that went to a place, in the way's numbering."""
    here, place = _rows_of_node(setup, way, at)
    condition, given = counted_seats(of)
    seat = "(s.seat - o.decider + o.seat + 2 * s.seats) % s.seats"
    return Additive(
        f"SELECT {APART}, {seat}, COUNT(*), CAST(SUM(s.won_60) AS BIGINT), CAST(SUM(s.total) AS BIGINT), "
        f"MIN(s.ruleset) FROM opening_step o JOIN seat_summary s ON s.game = o.game "
        f"WHERE {here} AND {condition}{WITHIN} GROUP BY 1, 2, 3",
        {**given, **place},
        sums(1, ADDED, ADDED, ADDED, LEAST),
    )


def _rows_of_node(setup: str, way: Way, at: str) -> tuple[str, dict[str, int | str]]:
    """The rows of games that went to a place: those that lead to it, or at the beginning those that lead from it."""
    return ("o.prefix = :here", {"here": at}) if at else ("o.parent = :here", {"here": root_of(setup, way)})


def _path(book: Daybook, setup: str, way: Way, at: str) -> tuple[OpeningStep, ...]:
    """The decisions that lead to a place, read from one of the games that went there. Raises UnknownOpening."""
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
    path, here, root = [], at, root_of(setup, way)
    while here != root:
        if here not in steps:
            raise UnknownOpening(at)
        parent, seat, decision = steps[here]
        path.append(OpeningStep(seat, msgspec.json.decode(decision), here))
        here = parent
    return tuple(reversed(path))
