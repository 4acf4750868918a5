"""One evening that stands twice in a club: two records of it, a record and a typed result, or two typed results.

Both count until somebody has looked: an organiser or scorekeeper removes one, or says that they were two evenings
(`clubs.say_apart`). A record that is entered whole is asked about at once (`clubs.enter_game`). Outside clubs whoever may
read two records of one evening is told of the other, and of who says that they are two (`told_apart`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.results import Result
from daybook.services.clock import later_time
from daybook.services.disputes import compare
from daybook.services.league import results, told_apart
from daybook.services.league.told_apart import SaidApart
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import readable_games
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import UNREADABLE
from daybook.services.store.kept import GameKept, kept_seat
from daybook.services.store.read_models import game_row

FEW_STEPS = 20  # with fewer two records can be alike by chance
NEARLY = 0.75  # of the steps of the shorter record
LOOKED_AT = 30  # tables, the newest first; of a season as many of the same people
WITHIN = timedelta(days=1)  # one may say when it was typed in, the other the hour


class Evening(Frozen):
    """One game as a record or a typed result tells it.

    people: by the club's ids. result: how it ended, if it did. says: the record step by step, if there is one.
    """

    ruleset: str
    people: tuple[str, ...]
    result: Result | None = None
    says: Sequence[str] = ()


Pair = tuple[SeasonTable, SeasonTable]


def evening_of(game: Game, people: tuple[str, ...], result: Result | None = None) -> Evening:
    """Return the evening that a record tells of. A simulated game is like no other."""
    says = [] if game.opening.kind == "practice" else compare.step_contents(game)
    return Evening(game.game_key, people, result, says)


def is_same_evening(one: Evening, other: Evening) -> bool:
    """Check if two look like one evening: nearly the same decisions, or the same people, day and scores."""
    if one.ruleset != other.ruleset or len(one.people) != len(other.people):
        return False
    return decide_alike(one.says, other.says) or _end_alike(one.result, other.result)


def decide_alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Check if two records have nearly the same decisions. Short records say too little."""
    shorter = min(len(one), len(other))
    return shorter >= FEW_STEPS and compare.share_steps(one, other, NEARLY * shorter)


def _end_alike(one: Result | None, other: Result | None) -> bool:
    if one is None or other is None or {"practice", "walkover"} & {*one.marks, *other.marks}:
        return False
    apart = datetime.fromisoformat(one.at) - datetime.fromisoformat(other.at)
    scores = [{placed.person: placed.score for placed in result.placed} for result in (one, other)]
    return abs(apart) < WITHIN and None not in scores[0].values() and scores[0] == scores[1]


def evening_at(book: Daybook, club: Club, table: SeasonTable, ended: Sequence[Result]) -> Evening:
    """Return the evening that a table tells of.

    ended: the club's results.
    """
    result = next((one for one in ended if one.id == table.result_id), None)
    people = tuple(map(club.person, table.people))
    if not table.game:
        return Evening(table.ruleset, people, result)
    try:
        return evening_of(book.games.get(UUID(table.game)), people, result)
    except UNREADABLE:  # the result is told by its row
        return Evening(table.ruleset, people, result)


def tables_of_game(book: Daybook, club: Club, game: Game, people: tuple[str, ...]) -> list[SeasonTable]:
    """Return the tables whose records look like a game that is to be entered, the newest first.

    people: its players as they will be entered.
    """
    tables = [table for table in _played(club) if table.game and table.game != str(game.id)]
    return _telling(book, club, evening_of(game, people), tables)


def twins_of(book: Daybook, club: Club, table: SeasonTable) -> list[SeasonTable]:
    """Return the tables that look like the evening of a table, the newest first."""
    if not _is_played(table):
        return []
    tables = [other for other in _played(club) if _may_be_one(club, table, other)]
    return _telling(book, club, evening_at(book, club, table, results.club_results(book, club)), tables)


def _telling(book: Daybook, club: Club, evening: Evening, tables: Sequence[SeasonTable]) -> list[SeasonTable]:
    alike = [table for table in tables if table.ruleset == evening.ruleset and len(table.people) == len(evening.people)]
    ended = results.club_results(book, club)
    return [table for table in _newest(alike) if is_same_evening(evening, evening_at(book, club, table, ended))]


def twins_in(book: Daybook, club: Club, season: str) -> list[Pair]:
    """Return the pairs of tables that look like one evening, at least one of a season, the newest first."""
    ended, found = results.club_results(book, club), list[Pair]()
    by_people: dict[tuple[str, frozenset[str]], list[SeasonTable]] = defaultdict(list)
    for table in _played(club):
        by_people[table.ruleset, _people(club, table)].append(table)
    for tables in by_people.values():
        if len(tables) < 2 or all(table.season != season for table in tables):
            continue
        told = [(table, evening_at(book, club, table, ended)) for table in _newest(tables)]
        found += [
            (one, other)
            for (one, mine), (other, theirs) in combinations(told, 2)
            if season in (one.season, other.season) and not are_apart(one, other) and is_same_evening(mine, theirs)
        ]
    return sorted(found, key=lambda pair: pair[0].steps[-1], reverse=True)


class GameAlike(Frozen):
    """Another record that tells of the evening of a game. said: of both, by who keeps one of them; clubs: in which both
    are entered, and that say that they are two evenings."""

    kept: GameKept
    said: Sequence[SaidApart] = ()
    clubs: Sequence[Club] = ()

    @property
    def is_apart(self) -> bool:
        """If a scorekeeper or a club says that they are two evenings."""
        return bool(self.clubs) or any(one.back_at is None for one in self.said)


def games_alike(
    book: Daybook, game: Game, people: Sequence[str], held: Collection[UUID], grant_of: Callable[[UUID], Grant | None]
) -> list[GameAlike]:
    """Return other readable games that look like the evening of a game, also those that are said to be different.

    They are searched among the games of the same people by id, and those to which the visitor holds links (held;
    grant_of: the grant in one). They were recorded at the same time or played on the same day, and have nearly the
    same decisions.
    """
    if game.opening.kind == "practice" or game.status == "abandoned":
        return []
    others = (_games_of(book, people) | {*held}) - {game.id}
    near = _recorded_near(book, game, others) if others else []
    if not near:
        return []
    readable, says = readable_games(book, near, grant_of), compare.step_contents(game)
    alike = [kept for kept in book.kept.games_of(sorted(readable)) if _says_alike(book, kept.id, says)]
    said = told_apart.said_of(book, game.id) if alike else {}
    return [GameAlike(kept, said.get(kept.id, ()), _clubs_apart(book, game.id, kept.id)) for kept in alike]


def _says_alike(book: Daybook, game_id: UUID, says: Sequence[str]) -> bool:
    """Check if a readable game has nearly these decisions."""
    try:
        return decide_alike(says, compare.step_contents(book.games.get(game_id)))
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
    row, played, day = game_row.c, game.day_of_play(), WITHIN.total_seconds() / 3600
    first, last = game.opening.at, game.entries[-1].event.at
    together = sa.and_(row.opened_at < later_time(last, hours=day), row.last_at > later_time(first, hours=-day))
    query = (
        sa.select(row.game)
        .where(row.game.in_(games), row.ruleset == game.game_key, row.kind == "table", row.status != "abandoned")
        .where(sa.or_(together, row.played == played) if played else together)
        .order_by(row.position.desc())
        .limit(LOOKED_AT)
    )
    return [*book.views.values(query)]


def _clubs_apart(book: Daybook, one: UUID, other: UUID) -> list[Club]:
    """Return the clubs that have both games and say that they were two evenings."""
    book.clubs.catch_up()
    found = []
    for club in book.clubs.with_game(one):
        tables = [table for table in _played(club) if table.game in (str(one), str(other))]
        if len(tables) == 2 and are_apart(*tables):
            found.append(club)
    return found


def _played(club: Club) -> list[SeasonTable]:
    return [table for season in club.all_seasons() for table in season.tables.values() if _is_played(table)]


def _is_played(table: SeasonTable) -> bool:
    return bool(table.game or table.typed) and not table.voided


def _newest(tables: Sequence[SeasonTable]) -> list[SeasonTable]:
    return sorted(tables, key=lambda table: table.steps[-1], reverse=True)[:LOOKED_AT]


def _people(club: Club, table: SeasonTable) -> frozenset[str]:
    return frozenset(map(club.person, table.people))


def _may_be_one(club: Club, one: SeasonTable, other: SeasonTable) -> bool:
    alike = _people(club, one) == _people(club, other)
    return one.result_id != other.result_id and alike and not are_apart(one, other)


def are_apart(one: SeasonTable, other: SeasonTable) -> bool:
    """Check if a club says that two tables were two evenings."""
    return (one.evening, other.evening) in one.apart or (other.evening, one.evening) in other.apart
