"""Detect duplicates: two records or typed results of one evening in a club.

Both count until a user decides: an organiser or scorekeeper removes one, or says that they were two evenings
(`clubs.say_apart`). A record that is entered whole is checked at once (`clubs.enter_game`). Outside clubs, a viewer of
two records of one evening is shown the other, and statements that they are two (`told_apart`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import combinations
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Result
from daybook.services.clock import later_time
from daybook.services.days import day_of
from daybook.services.disputes import compare
from daybook.services.league import results, told_apart
from daybook.services.league.told_apart import SaidApart
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import readable_games
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UNREADABLE
from daybook.services.store.kept import GameKept, kept_seat
from daybook.services.store.read_models import game_row

MIN_STEPS = 20  # shorter records may be alike at random
MIN_SHARED_STEPS = 0.75  # of the shorter record
MAX_COMPARED_TABLES = 30  # the newest ones; in a season, per group of people
MAX_TIME_DIFFERENCE = timedelta(days=1)  # one result may have the time of typing, the other that of the game


class Evening(Frozen):
    """Game as a record or a typed result describes it."""

    ruleset: str
    people: tuple[str, ...]  # by the club's ids
    result: Result | None = None  # None: not ended
    contents: Sequence[str] = ()  # of the record's steps, if there is one


Pair = tuple[SeasonTable, SeasonTable]


def evening_of(game: Game, people: tuple[str, ...], result: Result | None = None) -> Evening:
    """Describe the evening of a record. A simulated game has no contents, so it matches no other."""
    contents = [] if game.opening.kind == "practice" else compare.step_contents(game)
    return Evening(game.game_key, people, result, contents)


def is_same_evening(first: Evening, second: Evening) -> bool:
    """Check if two look like one evening: nearly the same decisions, or the same people, day and scores."""
    if first.ruleset != second.ruleset or len(first.people) != len(second.people):
        return False
    return decide_alike(first.contents, second.contents) or _end_alike(first.result, second.result)


def decide_alike(first: Sequence[str], second: Sequence[str]) -> bool:
    """Check if two records have nearly the same decisions. Short records say too little."""
    shorter = min(len(first), len(second))
    return shorter >= MIN_STEPS and compare.share_steps(first, second, MIN_SHARED_STEPS * shorter)


def _end_alike(first: Result | None, second: Result | None) -> bool:
    if first is None or second is None or {"practice", "walkover"} & {*first.marks, *second.marks}:
        return False
    apart = datetime.fromisoformat(first.at) - datetime.fromisoformat(second.at)
    scores = [{placed.person: result.score_of(placed) for placed in result.placed} for result in (first, second)]
    return abs(apart) < MAX_TIME_DIFFERENCE and None not in scores[0].values() and scores[0] == scores[1]


def evening_at(book: Daybook, club: Club, table: SeasonTable, ended: Mapping[str, Result]) -> Evening:
    """Describe the evening of a table. ended: results by their ids."""
    result = ended.get(table.result_id)
    people = tuple(map(club.person, table.people))
    if not table.game:
        return Evening(table.ruleset, people, result)
    try:
        return evening_of(book.games.get(UUID(table.game)), people, result)
    except UNREADABLE:  # the row still has the result
        return Evening(table.ruleset, people, result)


def tables_of_game(book: Daybook, club: Club, game: Game, people: tuple[str, ...]) -> list[SeasonTable]:
    """Return tables with records similar to a game that is about to be entered, the newest first.

    `people` are its players as they will be entered.
    """
    tables = [table for table in _played_tables(club) if table.game and table.game != str(game.id)]
    return _tables_of_evening(book, club, evening_of(game, people), tables)


def twins_of(book: Daybook, club: Club, table: SeasonTable) -> list[SeasonTable]:
    """Return tables that look like the same evening as this table, the newest first."""
    if not _is_played(table):
        return []
    tables = [
        other for other in _played_tables(club) if other.ruleset == table.ruleset and _may_be_one(club, table, other)
    ]
    ended = results.results_of_tables(book, club, [table])
    return _tables_of_evening(book, club, evening_at(book, club, table, ended), tables)


def _tables_of_evening(book: Daybook, club: Club, evening: Evening, tables: Sequence[SeasonTable]) -> list[SeasonTable]:
    alike = _newest_tables(
        [table for table in tables if table.ruleset == evening.ruleset and len(table.ids) == len(evening.people)]
    )
    ended = results.results_of_tables(book, club, alike)
    return [table for table in alike if is_same_evening(evening, evening_at(book, club, table, ended))]


class PossibleDuplicate(Frozen):
    """Another play that may be the same as the play of a table.

    Args:
        table: of the other play.
        to_merge: the table that becomes part of the other one in a merge; None: neither can.
        is_sure: people, game, day and scores agree, or nearly all decisions.
    """

    table: SeasonTable
    to_merge: SeasonTable | None
    is_sure: bool


def find_possible_duplicates(book: Daybook, club: Club, table: SeasonTable) -> list[PossibleDuplicate]:
    """Return possible duplicates of the play of a table, the sure ones first.

    They have the same game and people, at most a day apart. Their scores may differ.
    """
    sure = twins_of(book, club, table)
    return [
        PossibleDuplicate(other, choose_table_to_merge(table, other), number < len(sure))
        for number, other in enumerate(
            [*sure, *(near for near in _find_plays_nearby(book, club, table) if near not in sure)]
        )
    ]


def choose_table_to_merge(table: SeasonTable, other: SeasonTable) -> SeasonTable | None:
    """Choose the play that becomes part of the other one; None if neither can.

    A record stays, and so does a season's result. Otherwise the first of the two stays.
    """
    return next((each for each in (other, table) if can_become_part(each)), None)


def can_become_part(table: SeasonTable) -> bool:
    """Check if the play of a table can become part of another one: typed or imported, outside the seasons."""
    return table.season == BESIDE and not table.game and table.typed is not None and not table.is_unapproved


def _find_plays_nearby(book: Daybook, club: Club, table: SeasonTable) -> list[SeasonTable]:
    """Return the mergeable plays of the same game and people within a day of a table, newest first."""
    if not _is_played(table) or table.is_unapproved:
        return []
    people = club.named_people(table)
    alike = [
        other
        for other in _played_tables(club)
        if other.ruleset == table.ruleset
        and other.result_id != table.result_id
        and choose_table_to_merge(table, other)
        and not other.is_unapproved
        and len(other.ids) == len(people)
        and club.named_people(other) == people
        and not are_apart(table, other)
    ]
    ended = results.results_of_tables(book, club, [table, *alike])
    if table.result_id not in ended:
        return []
    day = date.fromisoformat(day_of(ended[table.result_id].at, club.zone))
    near = [
        other
        for other in alike
        if other.result_id in ended
        and abs(date.fromisoformat(day_of(ended[other.result_id].at, club.zone)) - day) <= MAX_TIME_DIFFERENCE
    ]
    return _newest_tables(near)


def twins_in(book: Daybook, club: Club, season: str) -> list[Pair]:
    """Return pairs of tables that look like the same evening, at least one of a season, the newest first."""
    found = list[Pair]()
    by_people: dict[tuple[str, frozenset[str]], list[SeasonTable]] = defaultdict(list)
    for table in _played_tables(club):
        by_people[table.ruleset, _people_of(club, table)].append(table)
    groups = [
        _newest_tables(tables)
        for tables in by_people.values()
        if len(tables) > 1 and any(table.season == season for table in tables)
    ]
    ended = results.results_of_tables(book, club, [table for tables in groups for table in tables])
    for tables in groups:
        told = [(table, evening_at(book, club, table, ended)) for table in tables]
        found += [
            (first, other)
            for (first, texts), (other, theirs) in combinations(told, 2)
            if season in (first.season, other.season) and not are_apart(first, other) and is_same_evening(texts, theirs)
        ]
    return sorted(found, key=lambda pair: pair[0].steps[-1], reverse=True)


class GameAlike(Frozen):
    """Another record that looks like the same evening as a game."""

    kept: GameKept
    statements: Sequence[SaidApart] = ()  # by keepers of either game
    clubs: Sequence[Club] = ()  # that have both games and say that they are two evenings

    @property
    def is_apart(self) -> bool:
        """True if a scorekeeper or a club says that they are two evenings."""
        return bool(self.clubs) or any(statement.back_at is None for statement in self.statements)


def games_alike(
    book: Daybook, game: Game, people: Sequence[str], linked: Collection[UUID], grant_of: Callable[[UUID], Grant | None]
) -> list[GameAlike]:
    """Return other readable games that look like the same evening, including those marked as different.

    Candidates are the games of the same people, and those to which the visitor holds links. They were recorded at about
    the same time or played on the same day.

    Args:
        linked: the games to which the visitor holds links.
        grant_of: returns the visitor's grant in a game.
    """
    if game.opening.kind == "practice" or game.status == "abandoned":
        return []
    others = (_games_of(book, people) | {*linked}) - {game.id}
    near = _recorded_near(book, game, others) if others else []
    if not near:
        return []
    readable, contents = readable_games(book, near, grant_of), compare.step_contents(game)
    alike = [kept for kept in book.kept.games_of(sorted(readable)) if _has_similar_decisions(book, kept.id, contents)]
    said = told_apart.said_of(book, game.id) if alike else {}
    return [GameAlike(kept, said.get(kept.id, ()), _clubs_apart(book, game.id, kept.id)) for kept in alike]


def _has_similar_decisions(book: Daybook, game_id: UUID, contents: Sequence[str]) -> bool:
    """Check if a readable game has nearly these step contents."""
    try:
        return decide_alike(contents, compare.step_contents(book.games.get(game_id)))
    except UNREADABLE:
        return False


def _games_of(book: Daybook, people: Sequence[str]) -> set[UUID]:
    """Return the games with exactly these players."""
    query = (
        sa.select(kept_seat.c.game)
        .group_by(kept_seat.c.game)
        .where(kept_seat.c.person.in_(people))
        .having(sa.func.count() == len(people))
    )
    return {*book.kept.engine.values(query)}


def _recorded_near(book: Daybook, game: Game, games: Collection[UUID]) -> list[UUID]:
    """Return the games of the same rules that were recorded at about the same time, or played on the same day."""
    row, played, day = game_row.c, game.day_of_play(), MAX_TIME_DIFFERENCE.total_seconds() / 3600
    first, last = game.opening.at, game.entries[-1].event.at
    together = sa.and_(row.opened_at < later_time(last, hours=day), row.last_at > later_time(first, hours=-day))
    query = (
        sa.select(row.game)
        .where(row.game.in_(games), row.ruleset == game.game_key, row.kind == "table", row.status != "abandoned")
        .where(sa.or_(together, row.played_on == played) if played else together)
        .order_by(row.position.desc())
        .limit(MAX_COMPARED_TABLES)
    )
    return [*book.views.values(query)]


def _clubs_apart(book: Daybook, game_id: UUID, other_id: UUID) -> list[Club]:
    """Return the clubs that have both games and say that they were two evenings."""
    book.clubs.catch_up()
    found = []
    for club in book.clubs.with_game(game_id):
        tables = [table for table in _played_tables(club) if table.game in (str(game_id), str(other_id))]
        if len(tables) == 2 and are_apart(*tables):
            found.append(club)
    return found


def _played_tables(club: Club) -> list[SeasonTable]:
    return [table for season in club.all_seasons() for table in season.tables.values() if _is_played(table)]


def _is_played(table: SeasonTable) -> bool:
    return bool(table.game or table.typed) and not table.voided


def _newest_tables(tables: Sequence[SeasonTable]) -> list[SeasonTable]:
    return sorted(tables, key=lambda table: table.steps[-1], reverse=True)[:MAX_COMPARED_TABLES]


def _people_of(club: Club, table: SeasonTable) -> frozenset[str]:
    return frozenset(map(club.person, table.people))


def _may_be_one(club: Club, first: SeasonTable, second: SeasonTable) -> bool:
    alike = _people_of(club, first) == _people_of(club, second)
    return first.result_id != second.result_id and alike and not are_apart(first, second)


def are_apart(first: SeasonTable, second: SeasonTable) -> bool:
    """Check if a club says that two tables were two evenings."""
    return (first.evening, second.evening) in first.apart or (second.evening, first.evening) in second.apart
