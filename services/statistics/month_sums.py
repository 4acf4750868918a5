"""Sums of the figures of public games by month, for questions about all games of a large service.

`sum_month` writes the rows of a game and a month. Questions use them until a figure of that month changes
(`read_models.note_change`). `split_filter` divides a question: months with sums are answered by their rows, the games of
other months and the viewer's private games one by one. So an answer is the same with and without sums. Questions by
person have sums of their own (`services.statistics.person_sums`).
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.game_statistics import Measure
from daybook.domain.kernel.terms import TABLE
from daybook.services.statistics.collect import TYPED, statistics_of
from daybook.services.statistics.filters import Filter, Question
from daybook.services.statistics.queries import Query, Rows, ask_once, run, run_uncached
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import figure_sum, figures_version, seat_summary, summed_month

MIN_GAMES = 2_000  # of one game, before its months are summed
SUMS_AT_ONCE = 50  # jobs in the queue
MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
SPLITS = {
    "seats": "m.seats",
    "seat": "m.seat",
    "won": "m.won",
    "place": "m.place",
    "colour": "m.colour",
    "year": "SUBSTR(m.month, 1, 4)",
    "month": "m.month",
    "ruleset": "m.ruleset",
    "number": "m.number",
    "what": "m.what",
}
PARTS = ("what", "number")
OWN_ROWS = ("place", "colour")  # splits with rows of their own, which have neither seats nor winners
NOT_IN_OWN_ROWS = {"seat", "won"}
WON = "CASE WHEN s.won_60 > 0 THEN 1 ELSE 0 END"
IS_SUMMED = f"s.public = 1 AND s.against_rules = 0 AND s.kind NOT IN ('practice', '{TYPED}')"


# --- writing ---------------------------------------------------------------------------------------------------------


def find_unsummed(book: Daybook) -> list[tuple[str, str]]:
    """Return the rulesets and months without sums, of rulesets that were played often; games by name have none."""
    month = sa.func.substr(seat_summary.c.at, 1, 7).label("month")
    query = (
        sa.select(seat_summary.c.ruleset, month, sa.func.count().label("n"))
        .where(seat_summary.c.seat == 0, seat_summary.c.public == 1, seat_summary.c.kind == "table")
        .group_by(seat_summary.c.ruleset, month)
        .order_by(seat_summary.c.ruleset, month)
    )
    found: list[tuple[str, str]] = []
    for ruleset_id, group in groupby(book.views.rows(query), key=lambda row: row.ruleset):
        months = [*group]
        if not is_by_name(ruleset_id) and sum(row.n for row in months) >= MIN_GAMES:
            found += [(ruleset_id, row.month) for row in months if MONTH.fullmatch(row.month)]
    return without_summed(book, found)


def without_summed(book: Daybook, months: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the games and months that have no sums yet."""
    summed = {tuple(row) for row in book.views.rows(sa.select(summed_month))} if months else set()
    return [month for month in months if month not in summed]


def sum_month(book: Daybook, ruleset_id: str, month: str) -> None:
    """Write the sums of a game's figures in a month."""
    given = {"ruleset": ruleset_id, "month": month, "until": next_month(month)}
    with book.views.begin() as connection:
        # writers of figures wait for this row, and then see that the month has sums
        connection.execute(figures_version.update().values(changes=figures_version.c.changes))
        of_month = figure_sum.c.ruleset == ruleset_id, figure_sum.c.month == month
        connection.execute(figure_sum.delete().where(*of_month))
        for parts, keys, is_whole in measures_to_sum(ruleset_id):
            connection.execute(sa.text(_sums(parts, keys, is_whole)), given)
        read_models.insert_missing(connection, summed_month, [{"ruleset": ruleset_id, "month": month}])


def measures_to_sum(ruleset_id: str) -> Iterator[tuple[tuple[str, ...], list[str], bool]]:
    """Yield parts with the measures that have figures of them, and if these are about whole games."""
    for parts, measures in _measures_by_parts(ruleset_id).items():
        for is_whole in (False, True):
            keys = [measure.key for measure in measures if measure.whole == is_whole]
            if keys:
                yield parts, keys, is_whole


def _measures_by_parts(ruleset_id: str) -> dict[tuple[str, ...], list[Measure]]:
    """Return the measures that have figures of whole games, by thing, by period, and by both."""
    found: dict[tuple[str, ...], list[Measure]] = {(): [], ("what",): [], ("number",): [], PARTS: []}
    for measure in statistics_of(ruleset_id).all:
        found[()].append(measure)
        if measure.things:
            found["what",].append(measure)
        if measure.by:
            found["number",].append(measure)
        if measure.things and measure.by:
            found[PARTS].append(measure)
    return found


def figures_of_seats(parts: tuple[str, ...], keys: Iterable[str], is_whole: bool, condition: str) -> str:
    """Build the query for the figures of seats, a row for each measure and part."""
    table = "game_part" if parts else "game_fact"
    what, number = "f.what" if "what" in parts else "''", "f.number" if "number" in parts else "0"
    listed = ", ".join(f"'{key}'" for key in keys)
    return (
        f"SELECT s.game, s.seats, s.seat, s.person, s.place, s.colour, {WON} AS won, s.won_60, s.expected_60, f.measure, "
        f"{number} AS number, {what} AS what, CAST(SUM(f.value) AS DOUBLE PRECISION) AS value "
        f"FROM seat_summary s CROSS JOIN {table} f WHERE s.ruleset = :ruleset AND {condition} "
        f"AND {IS_SUMMED} AND f.ruleset = s.ruleset AND f.measure IN ({listed}) AND f.game = s.game "
        f"AND f.seat = {TABLE if is_whole else 's.seat'} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12"
    )


SUMS = "SUM(value), MIN(value), MAX(value), SUM(won_60), SUM(expected_60), SUM(value * value)"


def _sums(parts: tuple[str, ...], keys: Iterable[str], is_whole: bool) -> str:
    """Build the statement that sums measures over the seats of a month."""
    once = (
        "CASE WHEN c.seat = MIN(c.seat) OVER (PARTITION BY c.game, c.measure, c.number, c.what{more}) THEN 1 ELSE 0 END"
    )
    counted = (
        f"SELECT c.*, {once.format(more='')} AS once, {once.format(more=', c.won')} AS once_by_won FROM of_seats c"
    )
    key, parts_key = (
        "SELECT :ruleset, measure, '{parts}', '{split}', :month, seats, {columns}, number, what, COUNT(*), {n}, ",
        key_of_parts(parts),
    )
    queries = [
        key.format(parts=parts_key, split="", columns="seat, won, 0, ''", n="SUM(once), SUM(once_by_won)")
        + f"{SUMS} FROM ({counted}) d GROUP BY measure, seats, seat, won, number, what"
    ]
    if not is_whole and len(parts) < 2:  # a question is split by at most two things
        for split, columns in (("place", "0, 0, place, ''"), ("colour", "0, 0, 0, colour")):
            known = " WHERE colour <> ''" if split == "colour" else ""
            queries.append(
                key.format(parts=parts_key, split=split, columns=columns, n="COUNT(DISTINCT game), 0")
                + f"{SUMS} FROM of_seats{known} GROUP BY measure, seats, {split}, number, what"
            )
    of_seats = figures_of_seats(parts, keys, is_whole, "s.at >= :month AND s.at < :until")
    return (
        "INSERT INTO figure_sum (ruleset, measure, parts, split, month, seats, seat, won, place, colour, number, what, n, "
        "games, games_by_won, total, least, most, won_60, expected_60, squares) "
        f"WITH of_seats AS ({of_seats}) {' UNION ALL '.join(queries)}"
    )


def key_of_parts(parts: Iterable[str]) -> str:
    return " ".join(part for part in PARTS if part in parts)


def next_month(month: str) -> str:
    year, number = int(month[:4]), int(month[5:])
    return f"{year + number // 12:04}-{number % 12 + 1:02}"


def _end_of(month: str) -> str:
    """Return the end of a month, as filters have it."""
    return f"{month}-{monthrange(int(month[:4]), int(month[5:]))[1]}T24"


# --- reading ---------------------------------------------------------------------------------------------------------


class SplitFilter(NamedTuple):
    """A filter, divided: months that have sums, and filters of the games to read one by one."""

    months: tuple[str, ...]
    rest: tuple[Filter, ...]


def is_about_all_games(game_filter: Filter) -> bool:
    """Check if a filter is about all games, so that sums help. It may name a ruleset, days and a number of players."""
    plain = msgspec.structs.replace(
        game_filter, ruleset="", readable=None, seats=0, since="", until="", zone="UTC", cooperative="yes", scored=False
    )
    return game_filter.readable is not None and plain == Filter()


def divide_by_ruleset(book: Daybook, game_filter: Filter) -> list[Filter]:
    """Divide a filter about games of all rulesets: one for each ruleset with sums, and one for the others."""
    if game_filter.ruleset or not is_about_all_games(game_filter):
        return [game_filter]
    rows = run(book, Query("SELECT DISTINCT d.ruleset FROM summed_month d", {}))
    summed = tuple(sorted(ruleset_id for (ruleset_id,) in rows))
    return [
        *(msgspec.structs.replace(game_filter, ruleset=ruleset_id) for ruleset_id in summed),
        msgspec.structs.replace(game_filter, without_rulesets=summed),
    ]


def split_filter(book: Daybook, game_filter: Filter) -> SplitFilter | None:
    """Divide a filter about all games of a ruleset; None if sums do not help."""
    if not game_filter.ruleset or not is_about_all_games(game_filter):
        return None
    rows = run(
        book, Query("SELECT d.month FROM summed_month d WHERE d.ruleset = :ruleset", {"ruleset": game_filter.ruleset})
    )
    since, until = game_filter.since, game_filter.until
    months = tuple(month for (month,) in sorted(rows) if month >= since and (not until or _end_of(month) <= until))
    if not months:
        return None
    public = msgspec.structs.replace(game_filter, readable=frozenset())
    gaps, start = [], since
    for month in months:
        if start < month:
            gaps.append((start, month))
        start = next_month(month)
    gaps.append((start, until))
    rest = [msgspec.structs.replace(public, since=start, until=end) for start, end in gaps if not end or start < end]
    if game_filter.readable:
        rest.append(msgspec.structs.replace(game_filter, games=game_filter.readable))
    return SplitFilter(months, tuple(rest))


def can_answer(question: Question) -> bool:
    """Check if sums have what a question splits by."""
    splits = {*question.splits}
    if _own_rows_of(question) and (splits & NOT_IN_OWN_ROWS or splits >= {*OWN_ROWS}):
        return False
    return SPLITS.keys() >= splits and not (splits & {"month", "year"} and question.filter.zone != "UTC")


def _own_rows_of(question: Question) -> str:
    """Return the split of a question that has rows of its own, or an empty text."""
    return next((split for split in OWN_ROWS if split in question.splits), "")


def query_sums(question: Question, measure: Measure, of_seats: bool, months: Iterable[str]) -> Query:
    """Build the query of a question to the sums of some months; its columns are those of `query_of`."""
    a, b = [*(SPLITS[split] for split in question.splits), "'-'", "'-'"][:2]
    own_rows = _own_rows_of(question)
    if "seat" in question.splits or (measure.whole and not of_seats):
        games = "m.n"
    else:
        games = "m.games_by_won" if "won" in question.splits else "m.games"
    return Query(
        f"SELECT {a}, {b}, CAST(SUM(m.n) AS BIGINT), CAST(SUM({games}) AS BIGINT), SUM(m.total), MIN(m.least), MAX(m.most), "
        "CAST(SUM(m.won_60) AS BIGINT), CAST(SUM(m.expected_60) AS BIGINT), SUM(m.squares) "
        f"FROM figure_sum m WHERE {_of_months(question.filter, months)} AND m.measure = :measure "
        f"AND m.parts = '{key_of_parts(question.splits)}' AND m.split = '{own_rows}'{' AND m.seat = 0' if measure.whole and not of_seats else ''} "
        "GROUP BY 1, 2",
        {**given_by(question.filter), "measure": measure.key},
    )


class Extremes(NamedTuple):
    """The months with the lowest and with the highest value of a measure, the first ones first."""

    months_of_least: tuple[str, ...]
    months_of_most: tuple[str, ...]


def find_extremes(book: Daybook, game_filter: Filter, months: Sequence[str]) -> dict[str, Extremes]:
    """Return where the extreme values of each measure are among months that have sums."""
    query = Query(
        "SELECT m.measure, m.month, MIN(m.least), MAX(m.most) FROM figure_sum m "
        f"WHERE {_of_months(game_filter, months)} AND m.parts = '' AND m.split = '' "
        "GROUP BY 1, 2 ORDER BY 1, 2",
        given_by(game_filter),
    )

    def compute() -> dict[str, Extremes]:
        by_measure = groupby(run_uncached(book, query), key=lambda row: row[0])
        found = {measure: [row[1:] for row in rows] for measure, rows in by_measure}
        return {
            measure: Extremes(_months_with(rows, 1, min), _months_with(rows, 2, max)) for measure, rows in found.items()
        }

    return ask_once(["extremes", query.text, game_filter], compute)


def _months_with(rows: Rows, column: int, best: Callable[[Iterable[Any]], Any]) -> tuple[str, ...]:
    """Return the months with the best value in a column."""
    value = best(row[column] for row in rows)
    return tuple(row[0] for row in rows if row[column] == value)


def _of_months(game_filter: Filter, months: Iterable[str]) -> str:
    listed = ", ".join(f"'{month}'" for month in months)
    return f"m.ruleset = :ruleset AND m.month IN ({listed}) AND m.seats {'= :seats' if game_filter.seats else '> 1'}"


def given_by(game_filter: Filter) -> dict[str, int | str]:
    return {"ruleset": game_filter.ruleset, **({"seats": game_filter.seats} if game_filter.seats else {})}
