"""Typed and imported results in the statistics: places and scores at tables without a record.

Such a result has no moves. It has rows of kind "typed" in `seat_summary`, and facts of places and scores, so it counts
for figures of places, wins, scores and lengths only. Its id is derived from its table. Its rows follow the club's events: they are deleted when the result is voided or replaced by a record.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from uuid import UUID, uuid5

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.terms import TABLE
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.club_events import (
    AnyEvent,
    GameEntered,
    ImportUndone,
    OfTable,
    PlaysImported,
    PlaysMerged,
    PlaySplit,
    PlaysUpdated,
    RecordedElsewhere,
    ResultTyped,
    TextsBlanked,
    TimeZoneSet,
)
from daybook.domain.league.scores import as_score
from daybook.services.days import moment_in_order
from daybook.services.statistics.collect import TYPED, WIN
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import counted_game, counted_table, game_fact, seat_summary

KIND = TYPED
PLACE, SCORE, WINNING_SCORE, WINNING_MARGIN = "place", "score", "winning_score", "winning_margin"  # its measures
LENGTH = "length"
OF_SCORES = (SCORE, WINNING_SCORE, WINNING_MARGIN)
MEASURES = (PLACE, LENGTH, *OF_SCORES)
SECONDS_PER_MINUTE = 60
UNKNOWN_SEAT = -2  # of the first player without a seat; the next one has -3
FIRST_SEAT = f"s.seat IN (0, {UNKNOWN_SEAT})"  # one row of every game, as a condition about a row of seat_summary
BRINGS_RESULT = ResultTyped | PlaysImported | RecordedElsewhere
Key = tuple[str, str]  # season and table


def typed_result_id(club: UUID, table: SeasonTable) -> UUID:
    """Return the id of a table's typed result in the statistics."""
    return uuid5(club, f"typed {table.result_id}")


def typed_tables(book: Daybook, club: Club, games: Collection[UUID]) -> dict[UUID, SeasonTable]:
    """Return the tables of a club with typed results among these plays, by result id."""
    query = sa.select(counted_table).where(counted_table.c.club == club.id)
    tables = {
        row.game: club.season(row.season).tables.get(row.table)
        for row in book.views.rows_where_in(query, counted_table.c.game, games)
    }
    return {game: table for game, table in tables.items() if table is not None and has_typed_result(club, table)}


def order_of_entry(club: Club, table: SeasonTable, positions: Sequence[int]) -> int:
    """Return the number that orders a table by its first entry, and by its row of an imported file.

    A corrected result keeps its place; a previewed one is the last. positions: of the club's steps in the log.
    """
    step = next((step for step in table.steps if isinstance(club.entries[step].event, GameEntered | BRINGS_RESULT)), 0)
    number = table.id.rpartition("-")[2] if isinstance(club.entries[step].event, PlaysImported) else ""
    position = positions[step] if step < len(positions) else sys.maxsize
    return read_models.order_of_entry(position, int(number) if number.isdecimal() else 0)


def has_typed_result(club: Club, table: SeasonTable) -> bool:
    """Check if a table's result is typed, was played (no walkover), is approved, and counts."""
    typed = table.typed
    return (
        typed is not None
        and not table.game
        and not typed.walkover
        and not table.is_unapproved
        and not typed.details.uncounted
        and (table.recorded is None or _counts_elsewhere(club, table.recorded))
        and any(not player.dropped for player in typed.placed)
    )


def _counts_elsewhere(club: Club, record: RecordedElsewhere) -> bool:
    """Check if the result of a record on another Daybook counts in statistics."""
    marks = {*record.marks} - ({"against_rules"} if record.accepted else {*()})
    return not marks - {*club.counted_marks}


def tables_touched(events: Collection[AnyEvent], club: Club) -> set[Key]:
    """Return the tables with typed results that these events of a club may change."""
    blanked = {text.step for event in events if isinstance(event, TextsBlanked) for text in event.texts}
    events = [*events, *(club.entries[step].event for step in sorted(blanked))]
    touched = {(event.season, event.table) for event in events if isinstance(event, OfTable)}
    if any(isinstance(event, TimeZoneSet) for event in events):  # the days of all plays may be others
        touched |= {(season.id, table) for season in club.all_seasons() for table in season.tables}
    undone = {event.batch for event in events if isinstance(event, ImportUndone)}
    split = {event.table for event in events if isinstance(event, PlaySplit)}
    merges = [event for event in events if isinstance(event, PlaysMerged)]
    imports = [event for event in events if isinstance(event, PlaysImported | PlaysUpdated)]
    if undone or split:
        for entry in club.entries:
            event = entry.event
            if isinstance(event, PlaysImported | PlaysUpdated) and event.batch in undone:
                imports.append(event)
            if isinstance(event, PlaysMerged):  # a chain of merges can change all its tables
                merges.append(event)
            if isinstance(event, PlaysImported):
                for play in event.plays:
                    if play.same_as and (undone or play.table in split):
                        touched |= {(event.season, play.table), _key_of(play.same_as)}
    for event in merges:
        touched |= {(event.season, event.table), (event.into_season, event.into_table)}
    for event in imports:
        touched |= {(event.season, play.table) for play in event.plays}
        touched |= {_key_of(play.same_as) for play in event.plays if play.same_as}
        touched |= {(event.season, table) for table in getattr(event, "deleted", ())}
    return touched


def _key_of(result_id: str) -> Key:
    season, _, table = result_id.rpartition(".")
    return season, table


def typed_rows(club: Club, keys: Collection[Key], positions: Sequence[int]) -> read_models.Rows:
    """Return the rows of these tables: which play counts there, and the figures of a typed result.

    A result that is no longer valid has only a `counted_game` row. `positions` are those of the club's steps in the log.
    """
    rows: dict[sa.Table, list[read_models.TableRow]] = {counted_game: [], seat_summary: [], game_fact: []}
    rows[counted_table] = [
        {
            "club": club.id,
            "season": season,
            "table": table,
            "game": _counted_id(club, season, table),
            "ruleset": _typed_ruleset(club, season, table),
        }
        for season, table in keys
    ]
    ever = _ever_typed(club)
    for season, table_id in sorted(set(keys) & ever.keys()):
        table = club.season(season).tables.get(table_id, SeasonTable(table_id, season, False))
        game_id = typed_result_id(club.id, table)
        event = table.typed or ever[season, table_id]
        rows[counted_game].append(
            {
                "game": game_id,
                "ruleset": event.ruleset,
                "step": max(table.steps, default=club.step),
                "measures": KIND,
                "seats": len(event.placed) if has_typed_result(club, table) else 0,
                "setup": "",
                "options": "{}",
            }
        )
        if has_typed_result(club, table):
            seats = _seat_rows(club, game_id, event, order_of_entry(club, table, positions))
            rows[seat_summary] += seats
            rows[game_fact] += _facts(game_id, event, seats)
    return rows


def _counted_id(club: Club, season: str, table_id: str) -> UUID | None:
    """Return the id of a table's play in the statistics; None if no play counts there."""
    table = club.season(season).tables.get(table_id)
    if table is None or (table.game and table.voided):
        return None
    if table.game:
        return UUID(table.game)
    return typed_result_id(club.id, table) if has_typed_result(club, table) else None


def _typed_ruleset(club: Club, season: str, table_id: str) -> str:
    """Return the game of a table's typed result; empty if a record counts."""
    table = club.season(season).tables.get(table_id)
    return "" if table is None or table.game or table.typed is None else table.typed.ruleset


def _facts(game_id: UUID, event: ResultTyped, seats: Sequence[read_models.TableRow]) -> Iterator[read_models.TableRow]:
    """Yield the figures of a result. The winning score and margin need the scores of all players."""
    figures = [(PLACE, row["seat"], row["place"]) for row in seats]
    figures += [(SCORE, row["seat"], row["total"]) for row in seats if row["total"] is not None]
    scores = [event.details.score_of(player) for player in sorted(event.placed, key=lambda player: player.place)]
    known = [score for score in scores if score is not None]
    if len(known) == len(scores) > 1:
        figures.append((WINNING_SCORE, TABLE, known[0]))
        figures.append((WINNING_MARGIN, TABLE, as_score(abs(known[0] - known[1]))))
    if event.details.minutes:
        figures.append((LENGTH, TABLE, SECONDS_PER_MINUTE * event.details.minutes))
    for measure, seat, value in figures:
        fact = {"measure": measure, "seat": seat, "value": value}
        yield {"ruleset": event.ruleset, "game": game_id, "step": 0, **fact}


def _ever_typed(club: Club) -> dict[Key, ResultTyped]:
    """Return the newest typed result of each table, including invalid ones."""
    newest = dict[Key, ResultTyped]()
    for entry in club.entries:
        event = entry.event
        if isinstance(event, ResultTyped):
            newest[event.season, event.table] = event
        elif isinstance(event, RecordedElsewhere):
            newest[event.season, event.table] = event.as_typed()
        elif isinstance(event, PlaysImported | PlaysUpdated):
            newest.update({(event.season, play.table): event.as_typed(play) for play in event.plays})
    return newest


def _seat_rows(club: Club, game_id: UUID, event: ResultTyped, position: int) -> list[read_models.TableRow]:
    """Return the rows of players as they were entered, without anonymous ones; queries resolve merged ids."""
    seats = len(event.placed)
    winners = sum(player.place == 1 for player in event.placed)
    players = [player for player in event.placed if player.person not in club.anonymous_ids]
    numbers = count(UNKNOWN_SEAT, -1)
    if any(player.seat == 0 for player in players):
        next(numbers)
    elif not any(player.seat is None for player in players):  # the first seat is an unknown player's
        players = [msgspec.structs.replace(player, seat=None) for player in players]
    return [
        {
            "game": game_id,
            "seat": next(numbers) if player.seat is None else player.seat,
            "ruleset": event.ruleset,
            "kind": KIND,
            "as_played": 0,
            "against_rules": 0,
            "provisional": 0,
            "seats": seats,
            "person": player.person,
            "colour": "",
            "total": event.details.score_of(player),
            "place": player.place,
            "won_60": WIN // winners if player.place == 1 else 0,
            "expected_60": WIN // seats if seats > 1 and not event.details.cooperative else 0,
            "at": event.day,
            "in_order": moment_in_order(event.day, club.zone, event.details.hour),
            "position": position,
            "public": 0,
        }
        for player in players
    ]


def remove_unknown(book: Daybook, connection: sa.Connection, to: Mapping[sa.Table, sa.Table] | None = None) -> None:
    """Delete typed results that no club has: those of erased clubs. `to` maps tables as for `clear_typed_results`."""
    existing = {
        typed_result_id(club.id, SeasonTable(table, season, False))
        for club in book.clubs.all()
        for season, table in _ever_typed(club)
    }
    counted = (to or {}).get(counted_game, counted_game)
    typed = connection.execute(sa.select(counted.c.game).where(counted.c.measures == KIND)).scalars()
    gone = [{"game": result_id} for result_id in typed if result_id not in existing]
    clear_typed_results(connection, {counted_game: gone}, to or {})
    if gone:
        connection.execute(counted.delete().where(counted.c.game.in_([row["game"] for row in gone])))
    if gone and to is None:
        read_models.note_change(connection)


def clear_typed_results(
    connection: sa.Connection, rows: read_models.Rows, replacements: Mapping[sa.Table, sa.Table]
) -> None:
    """Delete the rows of these typed results; `replacements` maps tables to the tables to use instead."""
    ids = [row["game"] for row in rows.get(counted_game, ())]
    summary, facts = replacements.get(seat_summary, seat_summary), replacements.get(game_fact, game_fact)
    counted = replacements.get(counted_game, counted_game)  # still has the rulesets of the old results
    for start in range(0, len(ids), read_models.PAGE):
        page = ids[start : start + read_models.PAGE]
        played = connection.scalars(sa.select(counted.c.ruleset).where(counted.c.game.in_(page)).distinct()).all()
        connection.execute(summary.delete().where(summary.c.game.in_(page)))
        connection.execute(
            facts.delete().where(facts.c.ruleset.in_(played), facts.c.measure.in_(MEASURES), facts.c.game.in_(page))
        )
