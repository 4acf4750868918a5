"""Win chances over many games: luck and play apart by person, the moves that cost most and the largest swings.

    luck_and_play(book, filter)     by person, what chance brought and what decisions did
    costly_moves(book, filter)      the moves that cost most, each with its game and step
    turning_points(book, filter)    the largest swings
    count_analysed(book, filter)    of how many games chances are known, and how many want none

They are tables as other answers of statistics, out of rows that `services.analysis.summaries` keeps of each game. A
game counts if it is closed, where it was analysed up to its newest step by today's rules and policy, and where nobody
switched chances off. Who asks gives a filter of games that may be read: what these tables tell stands in the records.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.services.analysis import switches
from daybook.services.analysis.luck import CHANGES
from daybook.services.analysis.summaries import PARTS, CostlyMoveKept, SwingKept, mark
from daybook.services.certainty import mean_interval, sample
from daybook.services.statistics.figure_questions import (
    Filter,
    count_games,
    counted_seats,
    person_of,
    without_typed_results,
)
from daybook.services.statistics.queries import Query, run_uncached
from daybook.services.statistics.table import FEW, FigureRow, FigureTable, Heading
from daybook.services.store.daybook import Daybook

MOST_MOMENTS = 20  # of a table
POINTS = 100  # of a hundred, in which tables have shares

LUCK = (
    Heading("person", "Person", "person"),
    Heading("n", "Games", "count"),
    Heading("drawn", "Luck, all games", "gain"),
    Heading("drawn_mean", "Luck, a game", "gain"),
    Heading("drawn_low", "Likely at least", "gain"),
    Heading("drawn_high", "Likely at most", "gain"),
    Heading("decided", "Play, all games", "gain"),
    Heading("decided_mean", "Play, a game", "gain"),
    Heading("decided_low", "Likely at least", "gain"),
    Heading("decided_high", "Likely at most", "gain"),
    Heading("together", "Both, all games", "gain"),
    Heading("together_mean", "Both, a game", "gain"),
    Heading("together_low", "Likely at least", "gain"),
    Heading("together_high", "Likely at most", "gain"),
)
MOMENT = (
    Heading("ruleset", "Game", "ruleset"),
    Heading("at", "On", "at"),
    Heading("person", "Person", "person"),
    Heading("seat", "Seat", "seat"),
)
MOVES = (
    *MOMENT,
    Heading("played", "Played", "decision"),
    Heading("better", "The practice player instead", "decision"),
    Heading("cost", "Cost", "gain"),
    Heading("low", "Likely at least", "gain"),
    Heading("high", "Likely at most", "gain"),
)
SWINGS = (
    *MOMENT,
    Heading("gain", "Chances changed by", "gain"),
    Heading("first", "From step", "number"),
    Heading("change", "Changed by", "change"),
)


class AnalysedGames(Frozen):
    """Of the games that count: how many, of how many chances are known, and of how many none are wanted."""

    games: int
    known: int
    unwanted: int


def count_analysed(book: Daybook, of: Filter) -> AnalysedGames:
    """Counts the games of a filter whose chances are known; none where the service reckons none."""
    of = without_typed_results(of)
    condition, given = counted_seats(of)
    games = "SELECT COUNT(DISTINCT s.game) FROM seat_summary s"
    unwanted = _where_unwanted(book)
    return AnalysedGames(
        count_games(book, of),
        _number(book, f"{games}{ANALYSED} WHERE {condition}{_where_known(book)}", given),
        _number(book, f"{games} WHERE {condition} AND ({unwanted})", given) if unwanted else 0,
    )


def luck_and_play(book: Daybook, of: Filter) -> FigureTable:
    """What chance brought each person and what decisions did, in points of a hundred, who played best first; nothing is
    told of fewer than FEW games.
    """
    of = without_typed_results(of)
    condition, given = counted_seats(of)
    sums = ", ".join(
        f"CAST(SUM(p.{change}) AS BIGINT), CAST(SUM(p.{change} * p.{change}) AS BIGINT)" for change in CHANGES
    )
    found: dict[str, list[int]] = defaultdict(lambda: [0] * (1 + 2 * len(CHANGES)))
    for person, *figures in run_uncached(
        book,
        Query(
            f"SELECT {person_of(of)}, COUNT(*), {sums} FROM seat_summary s JOIN analysed_seat p ON p.game = s.game "
            f"AND p.seat = s.seat{ANALYSED} WHERE {condition}{_where_known(book)} GROUP BY 1",
            given,
        ),
    ):
        so_far = found[of.whole(person)]
        found[of.whole(person)] = [one + more for one, more in zip(so_far, figures, strict=True)]
    rows = [
        FigureRow((person, n, *_figures(n, figures)), n, person, games=n) for person, (n, *figures) in found.items()
    ]
    rows.sort(key=lambda row: (row.cells[7] is None, -(row.cells[7] or 0.0), row.cells[0]))
    return FigureTable("luck", "Luck and play", LUCK, tuple(rows), count_analysed(book, of).known)


def costly_moves(book: Daybook, of: Filter, limit: int = MOST_MOMENTS) -> FigureTable:
    """The moves that cost most, each with its game and step."""
    rows = []
    for game, step, seat, person, ruleset, at, size, found in _moments(book, of, "move", limit):
        move = msgspec.json.decode(found, type=CostlyMoveKept)
        rows.append(
            FigureRow(
                (
                    ruleset,
                    at,
                    of.whole(person),
                    seat,
                    move.played,
                    move.better,
                    _points(size / PARTS),
                    _points(move.low),
                    _points(move.high),
                ),
                1,
                "",
                UUID(str(game)),
                step,
            )
        )
    return FigureTable("moves", "The moves that cost most", MOVES, tuple(rows), count_analysed(book, of).known)


def turning_points(book: Daybook, of: Filter, limit: int = MOST_MOMENTS) -> FigureTable:
    """The largest swings, each with its game and its last step, of whoever's chances changed most."""
    rows = []
    for game, step, seat, person, ruleset, at, _, found in _moments(book, of, "swing", limit):
        swing = msgspec.json.decode(found, type=SwingKept)
        rows.append(
            FigureRow(
                (ruleset, at, of.whole(person), seat, _points(swing.gains[seat]), swing.first, swing.change),
                1,
                "",
                UUID(str(game)),
                step,
            )
        )
    return FigureTable("swings", "The largest swings", SWINGS, tuple(rows), count_analysed(book, of).known)


# --- queries ---------------------------------------------------------------------------------------------------------

ANALYSED = " JOIN analysed_game a ON a.game = s.game JOIN game_row g ON g.game = s.game"


def _moments(book: Daybook, of: Filter, part: str, limit: int) -> list[tuple[Any, ...]]:
    condition, given = counted_seats(without_typed_results(of))
    return run_uncached(
        book,
        Query(
            f"SELECT m.game, m.step, m.seat, {person_of(of)}, s.ruleset, s.at, m.size, m.found FROM analysed_moment m "
            f"JOIN seat_summary s ON s.game = m.game AND s.seat = m.seat{ANALYSED} "
            f"WHERE m.part = :part AND {condition}{_where_known(book)} ORDER BY m.size DESC, s.at, s.position, m.step "
            "LIMIT :limit",
            {**given, "part": part, "limit": limit},
        ),
    )


def _where_known(book: Daybook) -> str:
    """The condition that the chances of a game are known, and may be shown."""
    if not book.settings.chances_seconds:
        return " AND 1 = 0"
    current = " OR ".join(f"(s.ruleset = '{rules.id}' AND a.summary = '{mark(rules)}')" for rules in RULESETS.values())
    unwanted = _where_unwanted(book)
    known = f" AND g.status = 'closed' AND a.step = g.step AND ({current})"
    return f"{known} AND NOT ({unwanted})" if unwanted else known


def _where_unwanted(book: Daybook) -> str:
    """The condition that a game wants no chances, or a club that it is entered in; empty where all want them."""
    without = switches.all_without(book)
    if not without:
        return ""
    listed = _sql_list(without)
    return (
        f"s.game IN ({listed}) OR s.game IN (SELECT c.game FROM club_game c WHERE c.club IN ({listed}) AND c.entered)"
    )


def _sql_list(ids: Iterable[UUID]) -> str:
    return ", ".join(f"'{id.hex}'" for id in sorted(ids))


def _number(book: Daybook, text: str, given: dict[str, int | str]) -> int:
    return int(run_uncached(book, Query(text, given))[0][0])


# --- figures ---------------------------------------------------------------------------------------------------------


def _figures(n: int, sums: list[int]) -> list[float | None]:
    """Of each change its sum, its mean, and between what that likely lies."""
    found: list[float | None] = []
    for total, squares in zip(sums[0::2], sums[1::2], strict=True):
        interval = mean_interval(sample(n, total / PARTS, squares / PARTS**2))
        found += (
            [None] * 4
            if n < FEW or interval is None
            else [_points(value) for value in (total / PARTS, total / PARTS / n, *interval)]
        )
    return found


def _points(share: float) -> float:
    """A share in points of a hundred."""
    return round(POINTS * share, 2)
