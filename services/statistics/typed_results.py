"""Typed results in the statistics: who came where at tables that nobody recorded.

Such a result has no moves, and no score that could be laid beside those of records. Its seats stand in `seat_summary`,
of kind "typed", with places and wins; its places are the only figures it has. So it is in every figure of places and
wins, and in no other. It has an id as a game has, worked out from its table, and its rows follow the club's events:
when the result is made void, or a record replaces it, they go.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID, uuid5

import sqlalchemy as sa

from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.club_events import AnyEvent, ImportUndone, OfTable, PlaysImported, ResultTyped, TextsBlanked
from daybook.services.statistics.collect import TYPED, WIN
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import counted_game, game_fact, seat_summary

KIND = TYPED
PLACE = "place"  # the measure
UNSAID = -2  # the seat of the first whose seat nobody said; the next has one less
Key = tuple[str, str]  # season and table


def typed_result_id(club: UUID, table: SeasonTable) -> UUID:
    """By which the typed result of a table stands in the statistics."""
    return uuid5(club, f"typed {table.result_id}")


def tables(club: Club, seasons: Iterable[Season] | None = None) -> dict[UUID, SeasonTable]:
    """The tables whose result was typed in and stands, by the ids of their results; of these seasons of a club."""
    return {
        typed_result_id(club.id, table): table
        for season in seasons or club.all_seasons()
        for table in season.tables.values()
        if has_typed_result(table)
    }


def first_step(club: Club, table: SeasonTable) -> int:
    """The step at which a result was first typed in for a table: one that is put right keeps its place in the order."""
    return next(step for step in table.steps if isinstance(club.entries[step].event, ResultTyped | PlaysImported))


def has_typed_result(table: SeasonTable) -> bool:
    """Whether a typed result is the result of a table, of a game that was played."""
    typed = table.typed
    return (
        typed is not None
        and not table.game
        and not typed.walkover
        and any(not player.dropped for player in typed.placed)
    )


def tables_touched(events: Collection[AnyEvent], club: Club) -> set[Key]:
    """The tables whose typed results these events of a club may change."""
    blanked = {text.step for event in events if isinstance(event, TextsBlanked) for text in event.texts}
    events = [*events, *(club.entries[step].event for step in sorted(blanked))]
    found = {(event.season, event.table) for event in events if isinstance(event, OfTable)}
    undone = {event.batch for event in events if isinstance(event, ImportUndone)}
    brought = [event for event in events if isinstance(event, PlaysImported)]
    if undone:
        known = (entry.event for entry in club.entries)
        brought += [event for event in known if isinstance(event, PlaysImported) and event.batch in undone]
    return found | {(event.season, play.table) for event in brought for play in event.plays}


def rows_of(club: Club, of: Collection[Key], positions: Sequence[int]) -> read_models.Rows:
    """The rows of these tables, as far as a result was ever typed in for them: none but the note where none stands.

    positions: of the club's steps in the log.
    """
    rows: dict[sa.Table, list[read_models.Row]] = {counted_game: [], seat_summary: [], game_fact: []}
    ever = _ever_typed(club)
    for season, table_id in sorted(set(of) & ever.keys()):
        table = club.season(season).tables.get(table_id, SeasonTable(table_id, season, False))
        game_id = typed_result_id(club.id, table)
        event = table.typed or ever[season, table_id]
        rows[counted_game].append(
            {
                "game": game_id,
                "ruleset": event.ruleset,
                "step": max(table.steps, default=club.step),
                "measures": KIND,
                "seats": len(event.placed) if has_typed_result(table) else 0,
                "setup": "",
                "options": "{}",
            }
        )
        if has_typed_result(table):
            rows[seat_summary] += _seat_rows(club, game_id, event, positions[first_step(club, table)])
    rows[game_fact] = [
        {
            "ruleset": row["ruleset"],
            "measure": PLACE,
            "game": row["game"],
            "seat": row["seat"],
            "value": row["place"],
            "step": 0,
        }
        for row in rows[seat_summary]
    ]
    return rows


def _ever_typed(club: Club) -> dict[Key, ResultTyped]:
    """The newest typed result of each table, whether it stands or not."""
    found = dict[Key, ResultTyped]()
    for entry in club.entries:
        event = entry.event
        if isinstance(event, ResultTyped):
            found[event.season, event.table] = event
        elif isinstance(event, PlaysImported):
            found.update({(event.season, play.table): event.as_typed(play) for play in event.plays})
    return found


def _seat_rows(club: Club, game_id: UUID, event: ResultTyped, position: int) -> list[read_models.Row]:
    """People as they were written down, without who is nobody: who was merged since is for those who ask (`figures.Filter.same`)."""
    seats = len(event.placed)
    winners = sum(player.place == 1 for player in event.placed)
    return [
        {
            "game": game_id,
            "seat": UNSAID - number if one.seat is None else one.seat,
            "ruleset": event.ruleset,
            "kind": KIND,
            "as_played": 0,
            "against_rules": 0,
            "provisional": 0,
            "seats": seats,
            "person": one.person,
            "colour": "",
            "total": one.score,
            "place": one.place,
            "won_60": WIN // winners if one.place == 1 else 0,
            "expected_60": WIN // seats if seats > 1 else 0,
            "at": event.day,
            "position": position,
            "public": 0,
        }
        for number, one in enumerate(event.placed)
        if one.person not in club.nobody
    ]


def remove_unknown(book: Daybook, connection: sa.Connection, to: Mapping[sa.Table, sa.Table] | None = None) -> None:
    """Delete the typed results that no club has any more: those of erased clubs. to: the tables, as for `clear`."""
    known = {
        typed_result_id(club.id, SeasonTable(table, season, False))
        for club in book.clubs.all()
        for season, table in _ever_typed(club)
    }
    counted = (to or {}).get(counted_game, counted_game)
    typed = connection.execute(sa.select(counted.c.game).where(counted.c.measures == KIND)).scalars()
    gone = [{"game": id} for id in typed if id not in known]
    summary = (to or {}).get(seat_summary, seat_summary)
    ids = [row["game"] for row in gone]
    changed = connection.scalars(sa.select(summary.c.position).where(summary.c.game.in_(ids))).all() if ids else []
    clear(connection, {counted_game: gone}, to or {})
    if ids:
        connection.execute(counted.delete().where(counted.c.game.in_(ids)))
    if changed and to is None:
        read_models.note_changes(connection, changed)


def clear(connection: sa.Connection, rows: read_models.Rows, beside: Mapping[sa.Table, sa.Table]) -> None:
    """Take out what stood for the results that these rows are about. beside: the tables, where not the present ones."""
    ids = [row["game"] for row in rows.get(counted_game, ())]
    summary, facts = beside.get(seat_summary, seat_summary), beside.get(game_fact, game_fact)
    counted = beside.get(counted_game, counted_game)  # which games the results were of until now
    for start in range(0, len(ids), read_models.PAGE):
        page = ids[start : start + read_models.PAGE]
        played = connection.scalars(sa.select(counted.c.ruleset).where(counted.c.game.in_(page)).distinct()).all()
        connection.execute(summary.delete().where(summary.c.game.in_(page)))
        connection.execute(
            facts.delete().where(facts.c.ruleset.in_(played), facts.c.measure == PLACE, facts.c.game.in_(page))
        )
