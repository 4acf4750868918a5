"""Count closed games into read models, one game at a time.

A job counts a game in its present state: figures by `domain.kernel.game_statistics`, a summary row per seat, and its first
decisions for the opening explorer. Counting is idempotent. A reopened game has no figures until it is closed again. All
games are counted, including practice games, games with illegal moves, and results under dispute; each query decides
what to exclude (`services.statistics.figure_questions.Filter`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.disputes import open_claims
from daybook.domain.games import STATISTICS, rules_of
from daybook.domain.kernel.events import Entry, GameAbandoned, GameClosed, GameReopened
from daybook.domain.kernel.game_statistics import Statistics, closing, facts, is_countable
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.times import moment_of_play
from daybook.services.days import moment_in_order
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

WIN = 60  # units per win: divisible by two to six winners
TYPED = "typed"  # instead of the measures' hash, for typed results (services.statistics.typed_results)
DUE_LIMIT = 500  # games per query

GENERAL_STATISTICS = Statistics()  # of games that are not installed, and across games


def statistics_of(ruleset_id: str) -> Statistics:
    """Return the measures that are counted for a game."""
    rules = rules_of(ruleset_id)
    return GENERAL_STATISTICS if rules is None else STATISTICS[rules.id]


@cache
def declaration_hash(ruleset_id: str) -> str:
    """Return a short hash of a game's measures; it changes when a measure does."""
    return hashlib.sha256(msgspec.json.encode(statistics_of(ruleset_id))).hexdigest()[:16]


# --- counting --------------------------------------------------------------------------------------------------------


def count_game(book: Daybook, game_id: UUID) -> None:
    """Count a game in its present state. Raises UnknownGameError."""
    game, position, public = book.games.get(game_id), book.log.position(game_id, 0), _is_public(book, game_id)
    people = book.kept.people_of_imports([game_id]).get(game_id)
    rows = rows_of(game, position, public, people, disagreements.select_of_game(book.kept, game_id))
    with book.views.begin() as connection:
        before = read_models.summed_of(connection, [game_id])
        write_rows(connection, game, rows)
        summed = before | read_models.summed_of(connection, [game_id])
        connection.execute(
            uncounted_game.delete().where(uncounted_game.c.game == game_id, uncounted_game.c.step <= game.step)
        )
        read_models.note_change(connection, summed)
    if (shown := _is_public(book, game_id)) != public:  # it was changed in the meantime
        note_public(book, game_id, shown)
    if (people_now := book.kept.people_of_imports([game_id]).get(game_id)) != people:
        note_people(book, game_id, people_now or ())


def _is_public(book: Daybook, game_id: UUID) -> bool:
    return bool(book.kept.engine.value(sa.select(kept_game.c.public).where(kept_game.c.id == game_id)))


def note_public(book: Daybook, game_id: UUID, public: bool) -> None:
    """Mark the rows of a counted game as public or not."""
    of_game = seat_summary.c.game == game_id
    with book.views.begin() as connection:
        connection.execute(seat_summary.update().where(of_game).values(public=int(public)))
        read_models.note_change(connection, read_models.summed_of(connection, [game_id]))


def note_people(book: Daybook, game_id: UUID, people: Sequence[str]) -> None:
    """Set the people of a counted game's rows."""
    of_game = seat_summary.c.game == game_id
    with book.views.begin() as connection:
        before = read_models.summed_of(connection, [game_id])
        for seat, person in enumerate(people):
            connection.execute(seat_summary.update().where(of_game, seat_summary.c.seat == seat).values(person=person))
        read_models.note_change(connection, before | read_models.summed_of(connection, [game_id]))


def rows_of(
    game: Game,
    position: int,
    public: bool,
    people: Sequence[str] | None = None,
    recorded_disagreements: Sequence[Disagreement] = (),
) -> read_models.Rows:
    """Return all rows of a game. A game that is open or has uncountable figures gets only its `counted_game` row.

    Args:
        position: of the game's opening in the log.
        public: all viewers may read the record.
        people: the players by seat; None: as in the record.
        recorded_disagreements: of the rules with the record.
    """
    opening, figures = game.opening, facts(game, statistics_of(game.ruleset.id)) if game.status == "closed" else []
    counts = bool(figures) and is_countable(figures)
    setup, options = openings.setup_of(opening)
    rows: dict[sa.Table, list[read_models.TableRow]] = {table: [] for table in read_models.COUNTED}
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
        rows[seat_summary] = seat_rows(game, position, public, people, recorded_disagreements)
        rows[opening_step] = openings.rows_of(game, setup)
        for fact in figures:
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


def seat_rows(
    game: Game,
    position: int,
    public: bool,
    people: Sequence[str] | None = None,
    recorded_disagreements: Sequence[Disagreement] = (),
) -> list[read_models.TableRow]:
    """Return a row for each seat of a closed game."""
    opening, closed, seats = game.opening, closing(game), len(game.opening.seats)
    day = game.day_of_play()
    at = moment_of_play(day) if day else opening.at
    won = WIN // closed.ranks.count(1) if 1 in closed.ranks else 0
    disagreement_count = len(disagreements.filter_standing(game, recorded_disagreements))
    provisional = len(open_claims(game))
    return [
        {
            "game": game.id,
            "seat": seat,
            "ruleset": game.game_key,
            "kind": opening.kind,
            "as_played": read_models.count_illegal_moves(game, game.step),
            "against_rules": disagreement_count,
            "provisional": provisional,
            "seats": seats,
            "person": people[seat] if people else taken.person,
            "colour": taken.colour,
            "total": closed.totals[seat],
            "place": closed.ranks[seat],
            "won_60": won if closed.ranks[seat] == 1 else 0,
            "expected_60": WIN // seats if seats > 1 else 0,
            "at": at,
            "in_order": moment_in_order(at),
            "position": read_models.order_of_entry(position),
            "public": int(public),
        }
        for seat, taken in enumerate(opening.seats)
    ]


def write_rows(
    connection: sa.Connection,
    game: Game,
    rows: read_models.Rows,
    replacements: Mapping[sa.Table, sa.Table] | None = None,
) -> None:
    """Replace the rows of a game, unless a later step of it has been counted.

    `replacements` maps tables to the tables to write instead.
    """
    tables = {table: (replacements or {}).get(table, table) for table in rows}
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
    for table, new_rows in rows.items():
        to = tables[table]
        if table is counted_game:
            continue
        where = [to.c.game == game.id]
        if "measure" in to.c:
            where += [to.c.ruleset == game.game_key, to.c.measure.in_(measures)]
        connection.execute(to.delete().where(*where))
        if new_rows:
            connection.execute(to.insert(), new_rows)


def may_change_figures(entry: Entry) -> bool:
    """Check if an entry may create or remove figures."""
    return isinstance(entry.event, GameClosed | GameReopened | GameAbandoned)


# --- games to count ------------------------------------------------------------------------------------------------


def uncounted_rows(games: Sequence[read_models.TableRow], touched: Collection[UUID]) -> list[read_models.TableRow]:
    """Select the games to count: the closed ones, and those in `touched`, since their figures may have changed."""
    return [
        {"game": row["game"], "step": row["step"]}
        for row in games
        if row["status"] == "closed" or row["game"] in touched
    ]


def write_uncounted(connection: sa.Connection, rows: Sequence[read_models.TableRow]) -> None:
    """Queue games to be counted, except those that a worker has already counted."""
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
    """Return games to count: changed since they were counted, or counted with other measures.

    The cost depends on the number of such games, not of all games.
    """
    game_id = uncounted_game.c.game
    query = (
        sa.select(game_id)
        .where(
            sa.or_(  # two lookups per game, so that closed games are not scanned
                sa.exists().where(game_row.c.game == game_id, game_row.c.status == "closed"),
                sa.exists().where(counted_game.c.game == game_id, counted_game.c.seats > 0),
            )
        )
        .order_by(game_id)
        .limit(limit)
    )
    with book.views.connect() as connection:
        due = list(connection.scalars(query))
        for ruleset_id in STATISTICS:
            for between in _other_measures(ruleset_id):
                due += connection.scalars(
                    sa.select(counted_game.c.game).where(counted_game.c.ruleset == ruleset_id, *between).limit(limit)
                )
    return list(dict.fromkeys(due))[:limit]


def _other_measures(ruleset_id: str) -> Iterator[list[sa.ColumnElement[bool]]]:
    """Yield conditions for games counted with outdated measures, without typed results.

    They are the ranges between the current hashes, each of which the index can look up.
    """
    column, current = counted_game.c.measures, sorted([declaration_hash(ruleset_id), TYPED])
    for low, high in pairwise([None, *current, None]):
        yield [*([column > low] if low else []), *([column < high] if high else [])]


def count_all(book: Daybook, games: Sequence[UUID] | None = None) -> int:
    """Count these games, or all that are due, in this process; return how many."""
    if games is not None:
        for game_id in games:
            count_game(book, game_id)
        return len(games)
    counted = 0
    while due := games_due(book):
        counted += count_all(book, due)
    return counted
