"""Statistics: closed games counted into read models, one game at a time.

A job counts a game as it is now: what `domain.kernel.statistics` reads from its record, a summary of each seat, and its
first decisions for the explorer. Counting it again changes nothing; a game that is opened again loses its figures
until it is closed. Everything is counted, practice games, illegal moves that stood, results that a claim may change;
what is left out is for those who ask (`services.statistics.figure_questions.Filter`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.disputes import claims
from daybook.domain.games import STATISTICS, rules_of
from daybook.domain.kernel.events import Entry, GameAbandoned, GameClosed, GameReopened
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.statistics import Statistics, closing, facts, is_countable
from daybook.domain.kernel.times import moment_of_play
from daybook.services.statistics import openings
from daybook.services.store import disagreements, read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.disagreements import Disagreement
from daybook.services.store.kept import kept_game
from daybook.services.store.read_models import (
    counted_game,
    game_fact,
    game_part,
    game_row,
    opening_step,
    seat_summary,
    uncounted_game,
)

WIN = 60  # parts of a win: it can be shared by two to six, and five or six may sit at a table
TYPED = "typed"  # what stands for the measures of a result that was typed in (services.statistics.typed_results)
DUE_LIMIT = 500  # games that are looked for at a time

ALONE = Statistics()  # of a game that is not installed, and of several games together


def statistics_of(ruleset_id: str) -> Statistics:
    """What is counted of a game."""
    rules = rules_of(ruleset_id)
    return ALONE if rules is None else STATISTICS[rules.id]


@cache
def declaration_hash(ruleset_id: str) -> str:
    """A short hash of what is counted of a game: it changes when a measure does."""
    return hashlib.sha256(msgspec.json.encode(statistics_of(ruleset_id))).hexdigest()[:16]


# --- counting --------------------------------------------------------------------------------------------------------


def count(book: Daybook, game_id: UUID) -> None:
    """Count a game as it is now. Raises UnknownGameError."""
    game, position, public = book.games.get(game_id), book.log.position(game_id, 0), _is_public(book, game_id)
    people = book.kept.people_of_imports([game_id]).get(game_id)
    rows = rows_of(game, position, public, people, disagreements.select_of_game(book.kept, game_id))
    with book.views.begin() as connection:
        write_rows(connection, game, rows)
        connection.execute(
            uncounted_game.delete().where(uncounted_game.c.game == game_id, uncounted_game.c.step <= game.step)
        )
        read_models.note_changes(connection, [position])
    if (shown := _is_public(book, game_id)) != public:  # somebody changed it meanwhile
        note_public(book, game_id, shown)
    if (now := book.kept.people_of_imports([game_id]).get(game_id)) != people:
        note_people(book, game_id, now or ())


def _is_public(book: Daybook, game_id: UUID) -> bool:
    return bool(book.kept.engine.value(sa.select(kept_game.c.public).where(kept_game.c.id == game_id)))


def note_public(book: Daybook, game_id: UUID, public: bool) -> None:
    """Count a game among those that everybody may read, or no longer; nothing happens while it is not counted."""
    here = seat_summary.c.game == game_id
    with book.views.begin() as connection:
        connection.execute(seat_summary.update().where(here).values(public=int(public)))
        read_models.note_changes(connection, connection.scalars(sa.select(seat_summary.c.position).where(here)))


def note_people(book: Daybook, game_id: UUID, people: Sequence[str]) -> None:
    """Count the seats of a game as those of these people; nothing happens while it is not counted."""
    here = seat_summary.c.game == game_id
    with book.views.begin() as connection:
        for seat, person in enumerate(people):
            connection.execute(seat_summary.update().where(here, seat_summary.c.seat == seat).values(person=person))
        read_models.note_changes(connection, connection.scalars(sa.select(seat_summary.c.position).where(here)))


def rows_of(
    game: Game, position: int, public: bool, people: Sequence[str] | None = None, known: Sequence[Disagreement] = ()
) -> read_models.Rows:
    """All rows of a game; but for the note that it was counted there are none while it is not closed, or where its
    figures are none that a table comes to.

    position: of its opening in the log. public: whether everybody may read its record. people: who sits where; None:
    as the record says. known: where the rules disagree with it.
    """
    opening, found = game.opening, facts(game, statistics_of(game.ruleset.id)) if game.status == "closed" else []
    counts = bool(found) and is_countable(found)
    setup, options = openings.setup_of(opening)
    rows: dict[sa.Table, list[read_models.Row]] = {table: [] for table in read_models.COUNTED}
    rows[counted_game] = [
        {
            "game": game.id,
            "ruleset": game.ruleset.id,
            "step": game.step,
            "measures": declaration_hash(game.ruleset.id),
            "seats": len(opening.seats) if counts else 0,
            "setup": setup,
            "options": options,
        }
    ]
    if counts:
        rows[seat_summary] = summaries(game, position, public, people, known)
        rows[opening_step] = openings.rows_of(game, setup)
        for fact in found:
            row = {
                "ruleset": game.game_key,
                "measure": fact.measure,
                "game": game.id,
                "seat": fact.seat,
                "value": fact.value,
                "step": fact.step,
            }
            if fact.is_part:
                rows[game_part].append({**row, "period": fact.period, "number": fact.number, "what": fact.what})
            else:
                rows[game_fact].append(row)
    return rows


def summaries(
    game: Game, position: int, public: bool, people: Sequence[str] | None = None, known: Sequence[Disagreement] = ()
) -> list[read_models.Row]:
    """One row for each seat of a closed game."""
    opening, closed, seats = game.opening, closing(game), len(game.opening.seats)
    day = game.day_of_play()
    won = WIN // closed.ranks.count(1) if 1 in closed.ranks else 0
    against = len(disagreements.filter_standing(game, known))
    open_claims = sum(claim.is_open for claim in claims(game).values())
    return [
        {
            "game": game.id,
            "seat": seat,
            "ruleset": game.game_key,
            "kind": opening.kind,
            "as_played": read_models.count_illegal_moves(game, game.step),
            "against_rules": against,
            "provisional": open_claims,
            "seats": seats,
            "person": people[seat] if people else taken.person,
            "colour": taken.colour,
            "total": closed.totals[seat],
            "place": closed.ranks[seat],
            "won_60": won if closed.ranks[seat] == 1 else 0,
            "expected_60": WIN // seats if seats > 1 else 0,
            "at": moment_of_play(day) if day else opening.at,
            "position": position,
            "public": int(public),
        }
        for seat, taken in enumerate(opening.seats)
    ]


def write_rows(
    connection: sa.Connection, game: Game, rows: read_models.Rows, beside: Mapping[sa.Table, sa.Table] | None = None
) -> None:
    """Write the rows of a game in place of those it had, unless a later step of it has been counted.

    beside: the tables to write in, where it is not the present ones.
    """
    tables = {table: (beside or {}).get(table, table) for table in rows}
    noted = tables[counted_game]
    row = rows[counted_game][0]
    read_models.insert_missing(connection, noted, [{**row, "step": -1}])
    if (
        connection.execute(
            noted.update().where(noted.c.game == game.id, noted.c.step <= game.step).values(**row)
        ).rowcount
        == 0
    ):
        return
    measures = [measure.key for measure in statistics_of(game.ruleset.id).all]
    for table, of_table in rows.items():
        to = tables[table]
        if table is counted_game:
            continue
        where = [to.c.game == game.id]
        if "measure" in to.c:
            where += [to.c.ruleset == game.game_key, to.c.measure.in_(measures)]
        connection.execute(to.delete().where(*where))
        if of_table:
            connection.execute(to.insert(), of_table)


def may_change(entry: Entry) -> bool:
    """Whether figures may come or go with an entry."""
    return isinstance(entry.event, GameClosed | GameReopened | GameAbandoned)


# --- what is still to be counted -------------------------------------------------------------------------------------


def uncounted_rows(games: Sequence[read_models.Row], touched: Collection[UUID]) -> list[read_models.Row]:
    """Which of these rows of games have to be counted: those that are closed, and those that figures may have left.

    touched: games of which an entry may have changed their figures.
    """
    return [
        {"game": row["game"], "step": row["step"]}
        for row in games
        if row["status"] == "closed" or row["game"] in touched
    ]


def write_uncounted(connection: sa.Connection, rows: Sequence[read_models.Row]) -> None:
    """Note that these have to be counted; a worker may have been quicker."""
    read_models.write_rows(connection, {uncounted_game: rows})
    connection.execute(
        uncounted_game.delete().where(
            uncounted_game.c.game.in_([row["game"] for row in rows]),
            sa.exists().where(
                counted_game.c.game == uncounted_game.c.game, counted_game.c.step >= uncounted_game.c.step
            ),
        )
    )


def games_due(book: Daybook, limit: int = DUE_LIMIT) -> list[UUID]:
    """Games that have moved on since they were counted, closed or opened again, or whose measures have changed. It
    costs what is due, however many games there are."""
    here = uncounted_game.c.game
    query = (
        sa.select(here)
        .where(
            sa.or_(  # asked game by game, and not of all that are closed
                sa.exists().where(game_row.c.game == here, game_row.c.status == "closed"),
                sa.exists().where(counted_game.c.game == here, counted_game.c.seats > 0),
            )
        )
        .order_by(here)
        .limit(limit)
    )
    with book.views.connect() as connection:
        found = list(connection.scalars(query))
        for ruleset_id in STATISTICS:
            for between in _other_measures(ruleset_id):
                found += connection.scalars(
                    sa.select(counted_game.c.game).where(counted_game.c.ruleset == ruleset_id, *between).limit(limit)
                )
    return list(dict.fromkeys(found))[:limit]


def _other_measures(ruleset_id: str) -> Iterator[list[sa.ColumnElement[bool]]]:
    """Games that were counted with other measures than today's, results that were typed in left out: the ranges of
    hashes between these, each to be looked up in the index."""
    column, known = counted_game.c.measures, sorted([declaration_hash(ruleset_id), TYPED])
    for least, most in pairwise([None, *known, None]):
        yield [*([column > least] if least else []), *([column < most] if most else [])]


def count_all(book: Daybook, games: Sequence[UUID] | None = None) -> int:
    """Count games here and now, all that are due if none are named; how many."""
    if games is not None:
        for game_id in games:
            count(book, game_id)
        return len(games)
    counted = 0
    while some := games_due(book):
        counted += count_all(book, some)
    return counted
