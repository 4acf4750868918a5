"""Sums of the figures of public games by person, for questions by person about all games of a large service.

They work like sums of months (`services.statistics.month_sums`), with a person instead of a month: a person's sums are
used until a figure of their games changes. Until they are summed again, their games are read one by one. Questions
about some days read all games of these days.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.game_statistics import Measure
from daybook.services.statistics import month_sums
from daybook.services.statistics.filters import Filter, Question
from daybook.services.statistics.month_sums import (
    IS_SUMMED,
    SUMS,
    figures_of_seats,
    given_by,
    is_about_all_games,
    key_of_parts,
    measures_to_sum,
)
from daybook.services.statistics.queries import Query, run, run_uncached
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import figures_version, person_sum, summed_person

MAX_STALE_PEOPLE = 500  # with more people without sums, all games are read
SPLITS = {"person": "m.person", "seats": "m.seats", "ruleset": "m.ruleset", "number": "m.number", "what": "m.what"}
Group = tuple[str, str]  # ruleset and the first digits of digests of people: a job sums a few people


# --- writing ---------------------------------------------------------------------------------------------------------


def find_unsummed(book: Daybook) -> list[Group]:
    """Return the groups of people without sums, of rulesets that were played often; games by name have none."""
    query = f"SELECT s.ruleset, COUNT(*) FROM seat_summary s WHERE {IS_SUMMED} AND s.seat = 0 GROUP BY 1"
    often = [
        ruleset_id
        for ruleset_id, n in run_uncached(book, Query(query, {}))
        if n >= month_sums.MIN_GAMES and not is_by_name(ruleset_id)
    ]
    return sorted((ruleset_id, group) for ruleset_id in often for group in _by_group(book, ruleset_id))


def _by_group(book: Daybook, ruleset_id: str) -> dict[str, list[str]]:
    found = defaultdict[str, list[str]](list)
    for person in _find_stale(book, ruleset_id):
        found[hashlib.sha256(person.encode()).hexdigest()[:2]].append(person)
    return found


def _find_stale(book: Daybook, ruleset_id: str) -> list[str]:
    """Return the people of public games without sums."""
    rows = run(
        book,
        Query(
            f"SELECT DISTINCT s.person FROM seat_summary s WHERE s.ruleset = :ruleset AND {IS_SUMMED} AND NOT EXISTS "
            "(SELECT 1 FROM summed_person d WHERE d.ruleset = s.ruleset AND d.person = s.person)",
            {"ruleset": ruleset_id},
        ),
    )
    return sorted(person for (person,) in rows)


def sum_people(book: Daybook, ruleset_id: str, group: str) -> None:
    """Write the missing sums of a group of people."""
    people = _by_group(book, ruleset_id).get(group, [])
    if not people:
        return
    named = {f"person_{at}": person for at, person in enumerate(people)}
    condition = f"s.person IN ({', '.join(':' + name for name in named)})"
    with book.views.begin() as connection:
        # writers of figures wait for this row, and then see that these people have sums
        connection.execute(figures_version.update().values(changes=figures_version.c.changes))
        for parts, keys, is_whole in _measures_to_sum(ruleset_id):
            columns = person_sum.c
            connection.execute(
                person_sum.delete().where(
                    columns.ruleset == ruleset_id,
                    columns.measure.in_(keys),
                    columns.parts == key_of_parts(parts),
                    columns.person.in_(people),
                )
            )
            statement = _sums(parts, keys, is_whole, condition)
            connection.execute(sa.text(statement), {"ruleset": ruleset_id, **named})
        rows = [{"ruleset": ruleset_id, "person": person} for person in people]
        read_models.insert_missing(connection, summed_person, rows)


def _measures_to_sum(ruleset_id: str) -> Iterator[tuple[tuple[str, ...], list[str], bool]]:
    """Yield parts with their measures. A question by person has at most one of the parts."""
    return (entry for entry in measures_to_sum(ruleset_id) if len(entry[0]) < 2)


def _sums(parts: tuple[str, ...], keys: Collection[str], is_whole: bool, condition: str) -> str:
    """Build the statement that sums measures over the seats of people."""
    return (
        "INSERT INTO person_sum (ruleset, measure, parts, person, seats, number, what, n, games, total, least, most, "
        f"won_60, expected_60, squares) SELECT :ruleset, measure, '{key_of_parts(parts)}', person, seats, number, what, "
        f"COUNT(*), COUNT(DISTINCT game), {SUMS} FROM ({figures_of_seats(parts, keys, is_whole, condition)}) c "
        "GROUP BY measure, person, seats, number, what"
    )


# --- reading ---------------------------------------------------------------------------------------------------------


class SplitByPerson(NamedTuple):
    """A filter, divided: people with stale sums, and filters of the games to read one by one."""

    stale: tuple[str, ...]
    rest: tuple[Filter, ...]


def can_answer(question: Question) -> bool:
    """Check if sums have what a question splits by."""
    return "person" in question.splits and SPLITS.keys() >= {*question.splits}


def split_filter(book: Daybook, game_filter: Filter) -> SplitByPerson | None:
    """Divide a filter about all games of a ruleset; None if sums do not help."""
    if not (game_filter.ruleset and is_about_all_games(game_filter)) or game_filter.since or game_filter.until:
        return None
    marked = "SELECT COUNT(*) FROM summed_person d WHERE d.ruleset = :ruleset"
    if not run(book, Query(marked, {"ruleset": game_filter.ruleset}))[0][0]:
        return None
    stale = tuple(_find_stale(book, game_filter.ruleset))
    if len(stale) > MAX_STALE_PEOPLE:
        return None
    rest = []
    if stale:
        rest.append(msgspec.structs.replace(game_filter, readable=frozenset(), people=stale))
    if game_filter.readable:
        rest.append(msgspec.structs.replace(game_filter, games=game_filter.readable))
    return SplitByPerson(stale, tuple(rest))


def query_sums(question: Question, measure: Measure, stale: Sequence[str]) -> Query:
    """Build the query of a question to the sums of all other people; its columns are those of `query_of`."""
    a, b = [*(SPLITS[split] for split in question.splits), "'-'"][:2]
    named = {f"person_{at}": person for at, person in enumerate(stale)}
    others = f" AND m.person NOT IN ({', '.join(':' + name for name in named)})" if named else ""
    return Query(
        f"SELECT {a}, {b}, CAST(SUM(m.n) AS BIGINT), CAST(SUM(m.games) AS BIGINT), SUM(m.total), MIN(m.least), MAX(m.most), "
        "CAST(SUM(m.won_60) AS BIGINT), CAST(SUM(m.expected_60) AS BIGINT), SUM(m.squares) "
        "FROM person_sum m WHERE m.ruleset = :ruleset AND m.measure = :measure "
        f"AND m.parts = '{key_of_parts(question.splits)}' AND m.seats {'= :seats' if question.filter.seats else '> 1'} "
        "AND m.person IN (SELECT d.person FROM summed_person d WHERE d.ruleset = :ruleset)"
        f"{others} GROUP BY 1, 2",
        {**given_by(question.filter), **named, "measure": measure.key},
    )
