"""Insights: what needs more than one question of `services.statistics.figure_questions`, as tables.

winners(book, filter)                   what winners do differently, the surest difference first
records(book, filter)                   highest and lowest figures, each with its game and step
head_to_head(book, filter)              each pair of people: who came before whom; `filter.people`: theirs alone
meetings(book, filter, one, other)      the games behind a row of it
rivals(table, person)                   of that table: whom one met, beat and lost to most often
streaks(book, filter)                   the longest run of wins of each person, and the running one
of_person(book, filter)                 the tables of a person's page
of_games(book, filter)                  those of a season's, or of a club's
people_in(tables)                       the ids of everybody whose name they need
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import partial
from math import sqrt
from typing import Literal
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.statistics import Added, Greatest, Measure
from daybook.domain.kernel.terms import TABLE
from daybook.services.certainty import sample_from_sums, welch
from daybook.services.statistics import runs_of_wins
from daybook.services.statistics.collect import WIN, statistics_of
from daybook.services.statistics.figure_questions import (
    BadQuestion,
    Filter,
    Question,
    Split,
    answer,
    answers,
    ask,
    count_games,
    count_typed_results,
    counted_seats,
    facts_of_counted_seats,
    measures,
    person_of,
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

RESULTS = ("score", "place", "margin", "share", "rounds_ahead")  # they say that somebody won, not how


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


def winners(book: Daybook, of: Filter) -> FigureTable:
    """Every measure of a game, of winners and of the others, in the order of how sure it is that they differ (Welch's
    t); what rests on fewer than FEW of either comes last, and is not compared. Raises BadQuestion for no game."""
    if not of.ruleset:
        raise BadQuestion("what winners do differently is asked about one game")
    rows = []
    for measure in statistics_of(of.ruleset).all:
        if measure.whole or measure.key in RESULTS:
            continue
        (n_0, total_0, squares_0), (n_1, total_1, squares_1) = _others_and_winners(book, measure, of)
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
    rows.sort(key=lambda found: (found[1].cells[6] is None, -found[0]))
    return FigureTable(
        "winners",
        "What winners do differently",
        DIFFERENCES,
        tuple(row for _, row in rows),
        count_games(book, without_typed_results(of)),
    )


def _others_and_winners(book: Daybook, measure: Measure, of: Filter) -> list[tuple[int, int, int]]:
    """Of the seats that did not win, and of those that did: how many, the sum, the sum of squares."""
    found = answers(book, Question(measure.key, ("won",), of), measure)
    by_won = {won: (n, total, squares) for won, _, n, _, total, _, _, _, _, squares in found}
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


def record_query(measure: Measure, order: Literal["DESC", "ASC"], of: Filter) -> Additive:
    """The most, or the least, of a measure; of several the one that came first."""
    text, given = facts_of_counted_seats("game_fact", measure, ("person",) if not measure.whole else (), of)
    return Additive(
        "SELECT stretch, seats, value, game, seat, person, at, step, position FROM ("
        f"SELECT {APART}, f.value AS value, s.game AS game, s.seat AS seat, {person_of(of)} AS person, "
        "s.at AS at, f.step AS step, s.position AS position, ROW_NUMBER() OVER ("
        f"PARTITION BY {STRETCH}, {PLAYERS} ORDER BY f.value {order}, s.at, s.position, s.seat) AS place {text}{WITHIN}"
        ") AS ranked WHERE place = 1",
        given,
        first_by(0, 4, 6, 2, descending=order == "DESC"),
    )


def records(book: Daybook, of: Filter) -> FigureTable:
    """Records, each with its game and step: the highest of what can be had much of, the lowest where little is rare."""
    rows = []
    for measure in measures(of.ruleset):
        ways: list[Literal["DESC", "ASC"]] = []
        if measure.key in HIGHEST or isinstance(measure.reading, Added | Greatest):
            ways.append("DESC")
        if measure.key in LOWEST:
            ways.append("ASC")
        for way in ways:
            for value, game, seat, person, at, step, _ in answer(book, of, partial(record_query, measure, way)):
                if value or way == "ASC":
                    nobody = measure.whole and not of.people
                    rows.append(
                        FigureRow(
                            (
                                measure.key,
                                "most" if way == "DESC" else "least",
                                value,
                                "" if nobody else of.whole(person),
                                TABLE if nobody else seat,
                                at,
                            ),
                            1,
                            measure.key,
                            UUID(str(game)),
                            step,
                        )
                    )
    return FigureTable("records", "Records", RECORDS, tuple(rows), count_games(book, without_typed_results(of)))


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

MOST_NAMED = 500  # people in one query


def pairs_query(of: Filter) -> Query:
    condition, given = counted_seats(of)
    return Query(
        f"SELECT {person_of(of)}, {person_of(of, 'o')}, COUNT(*), "
        "CAST(SUM(CASE WHEN s.place < o.place THEN 1 ELSE 0 END) AS BIGINT), "
        "CAST(SUM(CASE WHEN s.place > o.place THEN 1 ELSE 0 END) AS BIGINT), "
        "CAST(SUM(s.won_60) AS BIGINT), CAST(SUM(o.won_60) AS BIGINT) "
        "FROM seat_summary s JOIN seat_summary o ON o.game = s.game AND o.seat <> s.seat "
        f"WHERE {condition} GROUP BY 1, 2",
        given,
    )


def head_to_head(book: Daybook, of: Filter) -> FigureTable:
    """Each pair of people that met: how often, and who came before whom. With `of.people`: their meetings alone."""
    found: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 5)
    for one, other, *figures in run(book, pairs_query(of)):
        pair = of.whole(one), of.whole(other)
        if pair[0] != pair[1]:
            found[pair] = [so_far + more for so_far, more in zip(found[pair], figures, strict=True)]
    rows = [
        FigureRow(
            (
                one,
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
            f"{one}|{other}",
            games=n,
        )
        for (one, other), (n, ahead, behind, won, lost) in sorted(
            found.items(), key=lambda item: (-item[1][0], item[0])
        )
    ]
    return FigureTable(
        "head_to_head",
        "Head to head",
        MEETINGS,
        tuple(rows),
        count_games(book, of),
        typed=count_typed_results(book, of),
    )


def meetings(book: Daybook, of: Filter, one: str, other: str) -> list[UUID]:
    """The games in which two people met, the first ones first: what is behind a row of `head_to_head`. Of results that
    were typed in the ids by which `services.statistics.typed_results` knows them."""
    condition, given = counted_seats(of)
    names: dict[str, int | str] = {}
    lists = []
    for who, person in (("one", one), ("other", other)):
        ids = {f"{who}_{n}": id for n, id in enumerate(of.ids_of(person))}
        names.update(ids)
        lists.append(", ".join(f":{name}" for name in ids))
    found = run(
        book,
        Query(
            f"SELECT s.game FROM seat_summary s JOIN seat_summary o ON o.game = s.game AND o.seat <> s.seat "
            f"WHERE {person_of(of)} IN ({lists[0]}) AND {person_of(of, 'o')} IN ({lists[1]}) AND {condition} "
            "GROUP BY s.game, s.at, s.position ORDER BY s.at, s.position",
            {**given, **names},
        ),
    )
    return [UUID(str(game)) for (game,) in found]


class Rivals(Frozen):
    """Rows of `head_to_head` about one person: met, beaten and lost to most often; None where there is nobody."""

    companion: FigureRow | None
    rival: FigureRow | None
    nemesis: FigureRow | None


def rivals(table: FigureTable, person: str) -> Rivals:
    """rival: whom one beat most often; nemesis: whom one lost to most often; companion: whom one met most often."""
    rows = [row for row in table.rows if row.cells[0] == person]

    def most(place: int) -> FigureRow | None:
        best = max(rows, key=lambda row: (row.cells[place], row.cells[2], row.cells[1]), default=None)
        return best if best is not None and best.cells[place] else None

    return Rivals(most(2), most(3), most(4))


def runs_query(of: Filter) -> Additive:
    """Everybody's games in order. Numbers of players are not told apart: a run goes on from one to another."""
    condition, given = counted_seats(of)
    return Additive(
        f"SELECT {TOGETHER}, {person_of(of)}, s.at, s.position, s.seat, s.game, s.won_60 FROM seat_summary s "
        f"WHERE {condition}{WITHIN}",
        given,
        runs_of_wins.put_together,
        runs_of_wins.of_seats,
        BY_PERSON,
    )


def streaks(book: Daybook, of: Filter) -> FigureTable:
    """Runs of games won one after the other, shared wins included; the longest, from when to when, and the running."""
    rows = [
        FigureRow(
            (run.person, run.n, run.longest, run.since, run.until, run.at_last, run.without),
            run.n,
            run.person,
            UUID(str(run.game)) if run.game else None,
        )
        for run in sorted(_runs_of_people(book, of), key=lambda run: (-run.longest, run.person))
    ]
    return FigureTable(
        "streaks", "Runs of wins", RUNS, tuple(rows), count_games(book, of), typed=count_typed_results(book, of)
    )


def _runs_of_people(book: Daybook, of: Filter) -> list[WinRuns]:
    """Of each person's games; where those of several parts lie between each other, from every seat in order."""
    found = answer(book, of, runs_query, apart=False)
    found = runs_of_wins.put_together((of.whole(person), *one) for person, *one in found)
    runs = {run.person: run for run in map(WinRuns._make, found)}
    if tangled := {person for person, one in runs.items() if one.tangled}:
        runs |= {run.person: run for run in _runs_read_in_order(book, of, tangled)}
    return list(runs.values())


def _runs_read_in_order(book: Daybook, of: Filter, people: Collection[str]) -> list[WinRuns]:
    """Of some people's games, read seat by seat."""
    ids = [*people, *(gone for gone, kept in of.same.items() if kept in people)]
    some = msgspec.structs.replace(of, people=tuple(ids)) if len(ids) <= MOST_NAMED and not of.people else of
    seats = [(of.whole(row[2]), *row[3:]) for row in run(book, runs_query(some).whole())]
    return [WinRuns._make(row) for row in runs_of_wins.of_seats(seats) if row[0] in people]


# --- whole pages -----------------------------------------------------------------------------------------------------


def of_person(book: Daybook, of: Filter) -> list[FigureTable]:
    """What a person's page shows: `of.people` are all ids of one person."""
    splits: tuple[tuple[str, tuple[Split, ...]], ...] = (
        ("score", ("ruleset",)),
        ("place", ("ruleset", "seats")),
        ("score", ("colour",)),
        ("place", ("seats", "seat")),
    )
    return [
        *(ask(book, Question(measure, by, of)) for measure, by in splits),
        head_to_head(book, of),
        streaks(book, of),
        records(book, of),
    ]


def of_games(book: Daybook, of: Filter) -> list[FigureTable]:
    """What a season's page shows: `of.games` are its games."""
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
        *(ask(book, Question(measure, by, of)) for measure, by in splits),
        head_to_head(book, of),
        streaks(book, of),
        records(book, of),
    ]


def people_in(tables: Iterable[FigureTable]) -> set[str]:
    """Everybody whose name these tables need."""
    return {
        row.cells[place]
        for table in tables
        for place, heading in enumerate(table.headings)
        if heading.kind == "person"
        for row in table.rows
        if row.cells[place]
    }
