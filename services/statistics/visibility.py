"""Visibility of counted games to viewers, and when they were played.

Whether a record is public is stored with the kept tables. The rows of counted games repeat it, so that one query can
ask for all public games, however many there are. Functions here change both.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import sqlalchemy as sa

from daybook.services.statistics.collect import note_people, note_public
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_brought, kept_game, kept_merged_account, kept_seat
from daybook.services.store.read_models import counted_table, game_row, seat_summary

_kept_schema = sa.MetaData()  # the names that `database.search_engine` uses
_game, _seat, _brought, _merged = (
    table.to_metadata(_kept_schema, schema="kept")
    for table in (kept_game, kept_seat, kept_brought, kept_merged_account)
)


def days_played(book: Daybook, games: Collection[UUID]) -> dict[UUID, str]:
    """Return when counted games were played, according to their records, which may be imported later."""
    query = sa.select(seat_summary.c.game, seat_summary.c.at).where(seat_summary.c.seat == 0)
    return {row.game: row.at for row in book.views.rows_where_in(query, seat_summary.c.game, games)}


def show_game(book: Daybook, game_id: UUID, public: bool) -> None:
    """Make a game public or private, in its figures too. Raises WithheldError.

    If it is interrupted, no private game is among the public figures.
    """
    if not public:
        note_public(book, game_id, public)
    book.kept.show(game_id, public)
    note_as_kept(book, game_id)


def note_as_kept(book: Daybook, game_id: UUID) -> None:
    """Mark a game's rows as its kept row says, regardless of concurrent changes."""
    note_public(book, game_id, bool(book.kept.public_of([game_id])))


def update_changed_games(book: Daybook) -> None:
    """Update the rows of games after a part of another version changed visibility or people.

    That version writes read models of its own.
    """
    shown, seated = _counted_otherwise(book, seat_summary)
    for game in shown:
        note_as_kept(book, game)
    for game, people in book.kept.people_of_imports(seated).items():
        note_people(book, game, people)


def update_new_summary(book: Daybook, connection: sa.Connection, summary: sa.Table) -> None:
    """Update visibility and people in a new summary table, while no other process writes read models."""
    shown, seated = _counted_otherwise(book, summary)
    public = book.kept.public_of(shown)
    for game in shown:
        connection.execute(summary.update().where(summary.c.game == game).values(public=int(game in public)))
    for game, people in book.kept.people_of_imports(seated).items():
        for seat, person in enumerate(people):
            seat_row = sa.and_(summary.c.game == game, summary.c.seat == seat)
            connection.execute(summary.update().where(seat_row).values(person=person))


def _counted_otherwise(book: Daybook, summary: sa.Table) -> tuple[set[UUID], set[UUID]]:
    """Return games with outdated visibility, and games with outdated people, compared with the kept tables."""
    shown = (
        sa.select(summary.c.game)
        .join(_game, _game.c.id == summary.c.game)
        .where(summary.c.seat == 0, _game.c.public != (summary.c.public == 1))
    )
    seated = (
        sa.select(summary.c.game)
        .join(_seat, sa.and_(_seat.c.game == summary.c.game, _seat.c.seat == summary.c.seat))
        .where(
            _seat.c.person != summary.c.person,
            sa.or_(
                _seat.c.game.in_(sa.select(_brought.c.game).where(_brought.c.first == 0)),
                _seat.c.person.in_(sa.select(_merged.c.kept)),
            ),
        )
        .distinct()
    )
    with book.search.connect() as c:
        return {*c.scalars(shown)}, {*c.scalars(seated)}


def private_games(book: Daybook, own: Collection[UUID]) -> frozenset[UUID]:
    """Return those of the visitor's games that are counted and not public."""
    query = sa.select(seat_summary.c.game).where(seat_summary.c.public == 0)
    return frozenset(row.game for row in book.views.rows_where_in(query, seat_summary.c.game, own))


def has_others(book: Daybook, readable: frozenset[UUID]) -> bool:
    """Check if a record was counted that is neither public nor among these."""
    query = (
        sa.select(seat_summary.c.game)
        .where(seat_summary.c.public == 0, seat_summary.c.kind == "table", seat_summary.c.seat == 0)
        .limit(len(readable) + 1)
    )
    return not readable >= {*book.views.values(query)}


def count_running(book: Daybook, club: UUID, season: str | None = None, ruleset_id: str = "") -> int:
    """Count the games of a club that are still being played, optionally of one season and ruleset."""
    of_club = sa.select(counted_table.c.game).where(counted_table.c.club == club)
    if season is not None:
        of_club = of_club.where(counted_table.c.season == season)
    query = sa.select(sa.func.count()).where(game_row.c.status == "running", game_row.c.game.in_(of_club))
    return int(book.views.value(query.where(game_row.c.ruleset == ruleset_id) if ruleset_id else query) or 0)
