"""Reports that need more than one question of `services.statistics.figure_questions`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import partial
from math import sqrt
from typing import Literal
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_statistics import Added, Greatest, Measure
from daybook.domain.kernel.terms import TABLE
from daybook.services.certainty import sample_from_sums, welch
from daybook.services.statistics import runs_of_wins
from daybook.services.statistics.collect import WIN, statistics_of
from daybook.services.statistics.figure_questions import (
    Filter,
    InvalidQuestionError,
    Question,
    Split,
    additive_rows,
    compute_table,
    count_games,
    count_typed_results,
    counted_seats,
    facts_of_counted_seats,
    measures,
    person_of,
    question_rows,
    without_typed_results,
)
from daybook.services.statistics.partial_answers import (
    APART,
    BY_PERSON,
    PLAYERS,
    STRETCH,
    TOGETHER,
    WITHIN,
    Additive,
    first_by,
)
from daybook.services.statistics.queries import Query, run
from daybook.services.statistics.runs_of_wins import WinRuns
from daybook.services.statistics.table import FEW, FigureRow, FigureTable, Heading, mean, rate
from daybook.services.store.daybook import Daybook

# --- what winners do differently -------------------------------------------------------------------------------------

RESULTS = ("score", "place", "margin", "share", "rounds_ahead")  # they follow from winning


DIFFERENCES = (
    Heading("measure", "Measure", "measure"),
    Heading("n_winners", "Winners", "count"),
    Heading("winners", "Average of winners", "mean"),
    Heading("n_others", "Others", "count"),
    Heading("others", "Average of the others", "mean"),
    Heading("difference", "Difference", "mean"),
    Heading("effect", "Relative to how much it varies", "effect"),
    Heading("effect_low", "Likely at least", "effect"),
    Heading("effect_high", "Likely at most", "effect"),
)


def compare_winners(book: Daybook, game_filter: Filter) -> FigureTable:
    """Compare winners with the others in every measure of a game, the most certain difference first (Welch's t).

    A measure with fewer than FEW of either comes last, without a comparison. Raises InvalidQuestionError without a
    game.
    """
    if not game_filter.ruleset:
        raise InvalidQuestionError("what winners do differently is asked about one game")
    rows = []
    for measure in statistics_of(game_filter.ruleset).all:
        if measure.whole or measure.key in RESULTS:
            continue
        (n_0, total_0, squares_0), (n_1, total_1, squares_1) = _others_and_winners(book, measure, game_filter)
        if not n_0 or not n_1:
            continue
        n, total, squares = n_0 + n_1, total_0 + total_1, squares_0 + squares_1
        spread = sqrt(sample_from_sums(n, total, squares).variance)
        difference = welch(sample_from_sums(n_1, total_1, squares_1), sample_from_sums(n_0, total_0, squares_0))
        compared = (
            (None, None, None)
            if min(n_0, n_1) < FEW or difference is None
            else tuple(round(value / spread, 2) for value in (difference.apart, difference.low, difference.high))
        )
        rows.append(
            (
                0.0 if difference is None or compared[0] is None else difference.sureness,
                FigureRow(
                    (
                        measure.key,
                        n_1,
                        mean(total_1, n_1),
                        n_0,
                        mean(total_0, n_0),
                        round(total_1 / n_1 - total_0 / n_0, 2),
                        *compared,
                    ),
                    n,
                    measure.key,
                ),
            )
        )
    rows.sort(key=lambda entry: (entry[1].cells[6] is None, -entry[0]))
    return FigureTable(
        "winners",
        "What winners do differently",
        DIFFERENCES,
        tuple(row for _, row in rows),
        count_games(book, without_typed_results(game_filter)),
    )


def _others_and_winners(book: Daybook, measure: Measure, game_filter: Filter) -> list[tuple[int, int, int]]:
    """Return (count, sum, sum of squares) of the seats that did not win, and of those that did."""
    rows = question_rows(book, Question(measure.key, ("won",), game_filter), measure)
    by_won = {won: (n, total, squares) for won, _, n, _, total, _, _, _, _, squares in rows}
    return [by_won.get(won, (0, 0, 0)) for won in (0, 1)]


# --- records ---------------------------------------------------------------------------------------------------------

HIGHEST = ("score", "winning_margin", "lead_changes", "steps", "rounds", "length", "taken_back")
LOWEST = ("winning_score", "winning_margin", "lead_settled", "steps", "rounds", "length")
RECORDS = (
    Heading("measure", "Measure", "measure"),
    Heading("which", "Most or least", "which"),
    Heading("value", "Value", "amount"),
    Heading("person", "Person", "person"),
    Heading("seat", "Seat", "seat"),
    Heading("at", "On", "at"),
)


def record_query(measure: Measure, order: Literal["DESC", "ASC"], game_filter: Filter) -> Additive:
    """Build the query for the highest or lowest value of a measure; the earliest of equals."""
    text, given = facts_of_counted_seats("game_fact", measure, ("person",) if not measure.whole else (), game_filter)
    return Additive(
        "SELECT stretch, seats, value, game, seat, person, at, step, position FROM ("
        f"SELECT {APART}, f.value AS value, s.game AS game, s.seat AS seat, {person_of(game_filter)} AS person, "
        "s.at AS at, f.step AS step, s.position AS position, ROW_NUMBER() OVER ("
        f"PARTITION BY {STRETCH}, {PLAYERS} ORDER BY f.value {order}, s.at, s.position, s.seat) AS place {text}{WITHIN}"
        ") AS ranked WHERE place = 1",
        given,
        first_by(0, 4, 6, 2, descending=order == "DESC"),
    )


def record_values(book: Daybook, game_filter: Filter) -> FigureTable:
    """Return the record values, each with its game and step: the highest, or the lowest where that is rare."""
    rows = []
    for measure in measures(game_filter.ruleset):
        ways: list[Literal["DESC", "ASC"]] = []
        if measure.key in HIGHEST or isinstance(measure.reading, Added | Greatest):
            ways.append("DESC")
        if measure.key in LOWEST:
            ways.append("ASC")
        for way in ways:
            for value, game, seat, person, at, step, _ in additive_rows(
                book, game_filter, partial(record_query, measure, way)
            ):
                if value or way == "ASC":
                    of_whole_game = measure.whole and not game_filter.people
                    rows.append(
                        FigureRow(
                            (
                                measure.key,
                                "most" if way == "DESC" else "least",
                                value,
                                "" if of_whole_game else game_filter.counted_id(person),
                                TABLE if of_whole_game else seat,
                                at,
                            ),
                            1,
                            measure.key,
                            UUID(str(game)),
                            step,
                        )
                    )
    return FigureTable(
        "records", "Records", RECORDS, tuple(rows), count_games(book, msgspec.structs.replace(game_filter, scored=True))
    )


# --- people ----------------------------------------------------------------------------------------------------------

MEETINGS = (
    Heading("person", "Person", "person"),
    Heading("other", "Other", "person"),
    Heading("n", "Games together", "count"),
    Heading("ahead", "Before the other", "count"),
    Heading("behind", "Behind the other", "count"),
    Heading("level", "Level", "count"),
    Heading("rate", "Share of games before the other", "rate"),
    Heading("wins", "Wins", "wins"),
    Heading("other_wins", "Wins of the other", "wins"),
)
RUNS = (
    Heading("person", "Person", "person"),
    Heading("n", "Games", "count"),
    Heading("longest", "Longest run of wins", "count"),
    Heading("since", "Since", "at"),
    Heading("until", "Until", "at"),
    Heading("now", "Current run of wins", "count"),
    Heading("without", "Most games without a win", "count"),
)

MAX_PEOPLE_PER_QUERY = 500


def pairs_query(game_filter: Filter) -> Query:
    condition, given = counted_seats(game_filter)
    return Query(
        f"SELECT {person_of(game_filter)}, {person_of(game_filter, 'o')}, COUNT(*), "
        "CAST(SUM(CASE WHEN s.place < o.place THEN 1 ELSE 0 END) AS BIGINT), "
        "CAST(SUM(CASE WHEN s.place > o.place THEN 1 ELSE 0 END) AS BIGINT), "
        "CAST(SUM(s.won_60) AS BIGINT), CAST(SUM(o.won_60) AS BIGINT) "
        "FROM seat_summary s JOIN seat_summary o ON o.game = s.game AND o.seat <> s.seat "
        f"WHERE {condition} GROUP BY 1, 2",
        given,
    )


def head_to_head(book: Daybook, game_filter: Filter) -> FigureTable:
    """Return each pair of people that met, with their places against each other; with `people`, only their pairs."""
    figures_by_pair: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 5)
    for person, other, *figures in run(book, pairs_query(game_filter)):
        pair = game_filter.counted_id(person), game_filter.counted_id(other)
        if pair[0] != pair[1]:
            figures_by_pair[pair] = [so_far + more for so_far, more in zip(figures_by_pair[pair], figures, strict=True)]
    rows = [
        FigureRow(
            (
                person,
                other,
                n,
                ahead,
                behind,
                n - ahead - behind,
                rate(ahead, n, n),
                round(won / WIN, 2),
                round(lost / WIN, 2),
            ),
            n,
            f"{person}|{other}",
            games=n,
        )
        for (person, other), (n, ahead, behind, won, lost) in sorted(
            figures_by_pair.items(), key=lambda item: (-item[1][0], item[0])
        )
    ]
    return FigureTable(
        "head_to_head",
        "Head to head",
        MEETINGS,
        tuple(rows),
        count_games(book, game_filter),
        typed=count_typed_results(book, game_filter),
    )


def games_of_pair(book: Daybook, game_filter: Filter, first: str, second: str) -> list[UUID]:
    """Return the games behind a row of `head_to_head`, the earliest first; typed results by their own ids."""
    condition, given = counted_seats(game_filter)
    names: dict[str, int | str] = {}
    lists = []
    for who, member in (("first", first), ("second", second)):
        ids = {f"{who}_{n}": person_id for n, person_id in enumerate(game_filter.ids_of(member))}
        names.update(ids)
        lists.append(", ".join(f":{name}" for name in ids))
    rows = run(
        book,
        Query(
            f"SELECT s.game FROM seat_summary s JOIN seat_summary o ON o.game = s.game AND o.seat <> s.seat "
            f"WHERE {person_of(game_filter)} IN ({lists[0]}) AND {person_of(game_filter, 'o')} IN ({lists[1]}) AND {condition} "
            "GROUP BY s.game, s.at, s.position ORDER BY s.at, s.position",
            {**given, **names},
        ),
    )
    return [UUID(str(game)) for (game,) in rows]


class Rivals(Frozen):
    """Rows of `head_to_head` about one person; None if there is no such row."""

    companion: FigureRow | None  # met most often
    rival: FigureRow | None  # beaten most often
    nemesis: FigureRow | None  # lost to most often


def find_rivals(table: FigureTable, person: str) -> Rivals:
    """Return the person's companion, rival and nemesis from a `head_to_head` table."""
    rows = [row for row in table.rows if row.cells[0] == person]

    def most(place: int) -> FigureRow | None:
        best = max(rows, key=lambda row: (row.cells[place], row.cells[2], row.cells[1]), default=None)
        return best if best is not None and best.cells[place] else None

    return Rivals(most(2), most(3), most(4))


def runs_query(game_filter: Filter) -> Additive:
    """Build the query for everyone's games in order; runs continue across numbers of players."""
    condition, given = counted_seats(game_filter)
    return Additive(
        f"SELECT {TOGETHER}, {person_of(game_filter)}, s.at, s.position, s.seat, s.game, s.won_60 FROM seat_summary s "
        f"WHERE {condition}{WITHIN}",
        given,
        runs_of_wins.merge_runs,
        runs_of_wins.runs_of_seats,
        BY_PERSON,
    )


def win_streaks(book: Daybook, game_filter: Filter) -> FigureTable:
    """Return each person's longest and current run of wins, including shared wins."""
    rows = [
        FigureRow(
            (run.person, run.n, run.longest, run.since, run.until, run.at_last, run.without),
            run.n,
            run.person,
            UUID(str(run.game)) if run.game else None,
        )
        for run in sorted(_runs_of_people(book, game_filter), key=lambda run: (-run.longest, run.person))
    ]
    return FigureTable(
        "streaks",
        "Runs of wins",
        RUNS,
        tuple(rows),
        count_games(book, game_filter),
        typed=count_typed_results(book, game_filter),
    )


def _runs_of_people(book: Daybook, game_filter: Filter) -> list[WinRuns]:
    """Return the runs of each person; those of tangled people are read from every seat in order."""
    merged = additive_rows(book, game_filter, runs_query, by_seats=False)
    merged = runs_of_wins.merge_runs((game_filter.counted_id(person), *one) for person, *one in merged)
    runs = {run.person: run for run in map(WinRuns._make, merged)}
    if tangled := {person for person, one in runs.items() if one.tangled}:
        runs |= {run.person: run for run in _runs_read_in_order(book, game_filter, tangled)}
    return list(runs.values())


def _runs_read_in_order(book: Daybook, game_filter: Filter, people: Collection[str]) -> list[WinRuns]:
    """Return the runs of these people, read seat by seat."""
    ids = [*people, *(gone for gone, into in game_filter.same.items() if into in people)]
    narrowed = (
        msgspec.structs.replace(game_filter, people=tuple(ids))
        if len(ids) <= MAX_PEOPLE_PER_QUERY and not game_filter.people
        else game_filter
    )
    seats = [(game_filter.counted_id(row[2]), *row[3:]) for row in run(book, runs_query(narrowed).whole())]
    return [WinRuns._make(row) for row in runs_of_wins.runs_of_seats(seats) if row[0] in people]


# --- whole pages -----------------------------------------------------------------------------------------------------


def tables_of_person(book: Daybook, game_filter: Filter) -> list[FigureTable]:
    """Return the tables of a person's page."""
    splits: tuple[tuple[str, tuple[Split, ...]], ...] = (
        ("score", ("ruleset",)),
        ("place", ("ruleset", "seats")),
        ("score", ("colour",)),
        ("place", ("seats", "seat")),
    )
    return [
        *(compute_table(book, Question(measure, by, game_filter)) for measure, by in splits),
        head_to_head(book, game_filter),
        win_streaks(book, game_filter),
        record_values(book, game_filter),
    ]


def tables_of_games(book: Daybook, game_filter: Filter) -> list[FigureTable]:
    """Return the tables of a season's or club's page; the filter has its games."""
    splits: tuple[tuple[str, tuple[Split, ...]], ...] = (
        ("place", ("person",)),
        ("place", ("seats", "seat")),
        ("score", ("person",)),
        ("winning_score", ("ruleset",)),
        ("winning_margin", ("ruleset",)),
        ("length", ("ruleset",)),
        ("lead_changes", ("ruleset",)),
    )
    return [
        *(compute_table(book, Question(measure, by, game_filter)) for measure, by in splits),
        head_to_head(book, game_filter),
        win_streaks(book, game_filter),
        record_values(book, game_filter),
    ]


def people_in(tables: Iterable[FigureTable]) -> set[str]:
    """Return all people named in these tables."""
    return {
        row.cells[place]
        for table in tables
        for place, heading in enumerate(table.headings)
        if heading.kind == "person"
        for row in table.rows
        if row.cells[place]
    }
