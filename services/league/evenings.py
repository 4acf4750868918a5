"""One evening that stands twice in a club: two records of it, a record and a typed result, or two typed results.

Both count until somebody has looked: an organiser or scorekeeper removes one, or says that they were two evenings
(`clubs.say_apart`). A record that is entered whole is asked about at once (`clubs.enter_game`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from daybook.domain.kernel.record import Game
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.results import Result
from daybook.services.disputes import compare
from daybook.services.league import results
from daybook.services.store.daybook import Daybook

FEW_STEPS = 20  # with fewer two records can be alike by chance
NEARLY = 0.75  # of the steps of the shorter record
LOOKED_AT = 30  # tables, the newest first
WITHIN = timedelta(days=1)  # one may say when it was typed in, the other the hour


class Evening(msgspec.Struct, frozen=True):
    """What is told of one game. people: by the club's ids. result: how it ended, if it did; game: the record behind it,
    if there is one."""

    ruleset: str
    people: tuple[str, ...]
    result: Result | None
    game: Game | None


def is_same_evening(one: Evening, other: Evening) -> bool:
    """Whether two tell of one evening: they have nearly the same decisions; or the same people, on the same day, with
    the same scores."""
    if one.ruleset != other.ruleset or len(one.people) != len(other.people):
        return False
    return _decide_alike(one.game, other.game) or _end_alike(one.result, other.result)


def _decide_alike(one: Game | None, other: Game | None) -> bool:
    """What has hardly begun says too little, and what was simulated is nobody's evening."""
    if one is None or other is None or "practice" in (one.opening.kind, other.opening.kind):
        return False
    shorter = min(one.step, other.step)
    return shorter >= FEW_STEPS and compare.records(one, other).alike >= NEARLY * shorter


def _end_alike(one: Result | None, other: Result | None) -> bool:
    if one is None or other is None or {"practice", "walkover"} & {*one.marks, *other.marks}:
        return False
    apart = datetime.fromisoformat(one.at) - datetime.fromisoformat(other.at)
    scores = [{placed.person: placed.score for placed in result.placed} for result in (one, other)]
    return abs(apart) < WITHIN and None not in scores[0].values() and scores[0] == scores[1]


def evening_at(book: Daybook, club: Club, table: SeasonTable, ended: Sequence[Result]) -> Evening:
    """What a table tells. ended: the club's results."""
    result = next((one for one in ended if one.id == table.result_id), None)
    game = book.games.get(UUID(table.game)) if table.game else None
    return Evening(table.ruleset, tuple(map(club.person, table.people)), result, game)


def tables_of(book: Daybook, club: Club, evening: Evening, but: SeasonTable | None = None) -> list[SeasonTable]:
    """The tables of a club that tell of an evening too, the newest first.

    but: the table that the evening is of: neither it nor what is apart from it, and only tables of the same people. Of a
    record that is to be entered the ids may still be others.
    """
    ended = results.club_results(book, club)
    found = [
        table
        for season in club.all_seasons()
        for table in season.tables.values()
        if table.ruleset == evening.ruleset
        and len(table.people) == len(evening.people)
        and (table.game or table.typed)
        and not table.voided
        and (but is None or _may_be_one(club, table, but))
        and not (table.game and evening.game is not None and table.game == str(evening.game.id))
    ]
    newest = sorted(found, key=lambda table: table.steps[-1], reverse=True)[:LOOKED_AT]
    return [table for table in newest if is_same_evening(evening, evening_at(book, club, table, ended))]


def _may_be_one(club: Club, one: SeasonTable, other: SeasonTable) -> bool:
    people = [{club.person(id) for id in table.people} for table in (one, other)]
    return one.result_id != other.result_id and people[0] == people[1] and not are_apart(one, other)


def twins_of(book: Daybook, club: Club, table: SeasonTable) -> list[SeasonTable]:
    """The tables that tell of the evening of a table, too."""
    if table.voided or not (table.game or table.typed):
        return []
    return tables_of(book, club, evening_at(book, club, table, results.club_results(book, club)), table)


def are_apart(one: SeasonTable, other: SeasonTable) -> bool:
    """Whether somebody said that these were two evenings."""
    return (other.season, other.id) in one.apart or (one.season, one.id) in other.apart
