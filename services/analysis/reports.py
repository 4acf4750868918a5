"""Win chances over many games: luck and play by person, costliest moves and largest swings.

    luck_and_play(book, filter)     by person, effects of chance and of decisions
    costly_moves(book, filter)      the costliest moves, with game and step
    turning_points(book, filter)    the largest swings
    count_analysed(book, filter)    number of games with known and with unwanted chances

They are statistics tables built from the rows of `services.analysis.summaries`. A game counts if it is closed, analysed
up to its newest step by the current revisions, and has chances switched on. The caller passes a filter of readable
games: these tables show facts of the records.
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
from daybook.services.analysis.summaries import PARTS_PER_VICTORY, CostlyMoveKept, SwingKept, summary_revision
from daybook.services.certainty import mean_interval, sample_from_sums
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

MAX_MOMENTS = 20  # rows of a table
POINTS_PER_VICTORY = 100  # tables show shares in points

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
    """Numbers of games that match, with known chances, and with chances switched off."""

    games: int
    known: int
    unwanted: int


def count_analysed(book: Daybook, games_filter: Filter) -> AnalysedGames:
    """Count the matching games with known chances; none if the service computes none."""
    games_filter = without_typed_results(games_filter)
    condition, given = counted_seats(games_filter)
    games = "SELECT COUNT(DISTINCT s.game) FROM seat_summary s"
    unwanted = _where_unwanted(book)
    return AnalysedGames(
        count_games(book, games_filter),
        _query_number(book, f"{games}{ANALYSED} WHERE {condition}{_where_known(book)}", given),
        _query_number(book, f"{games} WHERE {condition} AND ({unwanted})", given) if unwanted else 0,
    )


def luck_and_play_table(book: Daybook, games_filter: Filter) -> FigureTable:
    """Build the table of luck and play by person, in points; best play first.

    Figures from fewer than FEW games are left out.
    """
    games_filter = without_typed_results(games_filter)
    condition, given = counted_seats(games_filter)
    sums = ", ".join(
        f"CAST(SUM(p.{change}) AS BIGINT), CAST(SUM(p.{change} * p.{change}) AS BIGINT)" for change in CHANGES
    )
    found: dict[str, list[int]] = defaultdict(lambda: [0] * (1 + 2 * len(CHANGES)))
    for person, *figures in run_uncached(
        book,
        Query(
            f"SELECT {person_of(games_filter)}, COUNT(*), {sums} FROM seat_summary s JOIN analysed_seat p ON p.game = s.game "
            f"AND p.seat = s.seat{ANALYSED} WHERE {condition}{_where_known(book)} GROUP BY 1",
            given,
        ),
    ):
        so_far = found[games_filter.counted_id(person)]
        found[games_filter.counted_id(person)] = [total + more for total, more in zip(so_far, figures, strict=True)]
    rows = [
        FigureRow((person, n, *_format_sums(n, figures)), n, person, games=n) for person, (n, *figures) in found.items()
    ]
    rows.sort(key=lambda row: (row.cells[7] is None, -(row.cells[7] or 0.0), row.cells[0]))
    return FigureTable("luck", "Luck and play", LUCK, tuple(rows), count_analysed(book, games_filter).known)


def costly_moves_table(book: Daybook, games_filter: Filter, limit: int = MAX_MOMENTS) -> FigureTable:
    """Build the table of the costliest moves, with game and step."""
    rows = []
    for game, step, seat, person, ruleset, at, size, measured in _read_moments(book, games_filter, "move", limit):
        move = msgspec.json.decode(measured, type=CostlyMoveKept)
        rows.append(
            FigureRow(
                (
                    ruleset,
                    at,
                    games_filter.counted_id(person),
                    seat,
                    move.played,
                    move.better,
                    _to_points(size / PARTS_PER_VICTORY),
                    _to_points(move.low),
                    _to_points(move.high),
                ),
                1,
                "",
                UUID(str(game)),
                step,
            )
        )
    return FigureTable(
        "moves", "The moves that cost most", MOVES, tuple(rows), count_analysed(book, games_filter).known
    )


def turning_points_table(book: Daybook, games_filter: Filter, limit: int = MAX_MOMENTS) -> FigureTable:
    """Build the table of the largest swings, with game, last step and the seat that changed most."""
    rows = []
    for game, step, seat, person, ruleset, at, _, measured in _read_moments(book, games_filter, "swing", limit):
        swing = msgspec.json.decode(measured, type=SwingKept)
        rows.append(
            FigureRow(
                (
                    ruleset,
                    at,
                    games_filter.counted_id(person),
                    seat,
                    _to_points(swing.gains[seat]),
                    swing.first,
                    swing.change,
                ),
                1,
                "",
                UUID(str(game)),
                step,
            )
        )
    return FigureTable("swings", "The largest swings", SWINGS, tuple(rows), count_analysed(book, games_filter).known)


# --- queries ---------------------------------------------------------------------------------------------------------

ANALYSED = " JOIN analysed_game a ON a.game = s.game JOIN game_row g ON g.game = s.game"


def _read_moments(book: Daybook, games_filter: Filter, part: str, limit: int) -> list[tuple[Any, ...]]:
    condition, given = counted_seats(without_typed_results(games_filter))
    return run_uncached(
        book,
        Query(
            f"SELECT m.game, m.step, m.seat, {person_of(games_filter)}, s.ruleset, s.at, m.size, m.found FROM analysed_moment m "
            f"JOIN seat_summary s ON s.game = m.game AND s.seat = m.seat{ANALYSED} "
            f"WHERE m.part = :part AND {condition}{_where_known(book)} ORDER BY m.size DESC, s.in_order, s.position, m.step "
            "LIMIT :limit",
            {**given, "part": part, "limit": limit},
        ),
    )


def _where_known(book: Daybook) -> str:
    """Return the SQL condition that chances exist and may be shown."""
    if not book.settings.win_chances_seconds_per_day:
        return " AND 1 = 0"
    current = " OR ".join(
        f"(s.ruleset = '{rules.id}' AND a.summary = '{summary_revision(rules)}')" for rules in RULESETS.values()
    )
    unwanted = _where_unwanted(book)
    known = f" AND g.status = 'closed' AND a.step = g.step AND ({current})"
    return f"{known} AND NOT ({unwanted})" if unwanted else known


def _where_unwanted(book: Daybook) -> str:
    """Return the SQL condition that a game or one of its clubs has chances switched off; empty if none has."""
    without = switches.ids_without_chances(book)
    if not without:
        return ""
    listed = _sql_list(without)
    return (
        f"s.game IN ({listed}) OR s.game IN (SELECT c.game FROM club_game c WHERE c.club IN ({listed}) AND c.entered)"
    )


def _sql_list(ids: Iterable[UUID]) -> str:
    return ", ".join(f"'{game_id.hex}'" for game_id in sorted(ids))


def _query_number(book: Daybook, text: str, given: dict[str, int | str]) -> int:
    return int(run_uncached(book, Query(text, given))[0][0])


# --- figures ---------------------------------------------------------------------------------------------------------


def _format_sums(n: int, sums: list[int]) -> list[float | None]:
    """Return for each change its sum, mean and interval."""
    figures: list[float | None] = []
    for total, squares in zip(sums[0::2], sums[1::2], strict=True):
        interval = mean_interval(sample_from_sums(n, total / PARTS_PER_VICTORY, squares / PARTS_PER_VICTORY**2))
        figures += (
            [None] * 4
            if n < FEW or interval is None
            else [_to_points(value) for value in (total / PARTS_PER_VICTORY, total / PARTS_PER_VICTORY / n, *interval)]
        )
    return figures


def _to_points(share: float) -> float:
    """Convert a share to points."""
    return round(POINTS_PER_VICTORY * share, 2)
