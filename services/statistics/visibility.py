"""Which counted games may be shown: those that everybody may read, and those that one may; when they were played.

Whether everybody may read a record is kept beside the log. The rows of what is counted repeat it, so that one query
can ask for all public games however many there are: it is changed here, in both places.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import sqlalchemy as sa

from daybook.services.statistics.collect import note_people, note_public
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_brought, kept_game, kept_merged_account, kept_seat
from daybook.services.store.read_models import game_row, seat_summary

_beside = sa.MetaData()  # as `database.search_engine` has them
_game, _seat, _brought, _merged = (
    table.to_metadata(_beside, schema="kept") for table in (kept_game, kept_seat, kept_brought, kept_merged_account)
)


def days_played(book: Daybook, games: Collection[UUID]) -> dict[UUID, str]:
    """When counted games were played, as their records say: a record may have come here long after."""
    query = sa.select(seat_summary.c.game, seat_summary.c.at).where(seat_summary.c.seat == 0)
    return {row.game: row.at for row in book.views.rows_where_in(query, seat_summary.c.game, games)}


def show(book: Daybook, game_id: UUID, public: bool) -> None:
    """Show a game to everybody, or only to those with a link; in its figures too. Raises WithheldError.

    Wherever this is broken off, figures hold no game that is not public.
    """
    if not public:
        note_public(book, game_id, public)
    book.kept.show(game_id, public)
    note_as_kept(book, game_id)


def note_as_kept(book: Daybook, game_id: UUID) -> None:
    """Count a game as it is shown now, whoever changed it meanwhile."""
    note_public(book, game_id, bool(book.kept.public_of([game_id])))


def take_up(book: Daybook) -> None:
    """Count games as they are shown and seated now where a part of another version, which has read models of its own,
    changed that."""
    shown, seated = _counted_otherwise(book, seat_summary)
    for game in shown:
        note_as_kept(book, game)
    for game, people in book.kept.people_of_imports(seated).items():
        note_people(book, game, people)


def take_over(book: Daybook, connection: sa.Connection, summary: sa.Table) -> None:
    """Have all games that are counted in a table beside the present one be as public as they are now, and their seats
    those of the people of now, while nobody else writes read models."""
    shown, seated = _counted_otherwise(book, summary)
    public = book.kept.public_of(shown)
    for game in shown:
        connection.execute(summary.update().where(summary.c.game == game).values(public=int(game in public)))
    for game, people in book.kept.people_of_imports(seated).items():
        for seat, person in enumerate(people):
            here = sa.and_(summary.c.game == game, summary.c.seat == seat)
            connection.execute(summary.update().where(here).values(person=person))


def _counted_otherwise(book: Daybook, summary: sa.Table) -> tuple[set[UUID], set[UUID]]:
    """The games that are counted as shown to others, and with other people, than is kept beside the log."""
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
    """The counted ones of some games that not everybody may read."""
    query = sa.select(seat_summary.c.game).where(seat_summary.c.public == 0)
    return frozenset(row.game for row in book.views.rows_where_in(query, seat_summary.c.game, own))


def has_others(book: Daybook, readable: frozenset[UUID]) -> bool:
    """Whether a record was counted that neither everybody may read, nor is one of these."""
    query = (
        sa.select(seat_summary.c.game)
        .where(seat_summary.c.public == 0, seat_summary.c.kind == "table", seat_summary.c.seat == 0)
        .limit(len(readable) + 1)
    )
    return not readable >= {*book.views.values(query)}


def count_running(book: Daybook, games: Collection[UUID], ruleset_id: str = "") -> int:
    """How many of some games are still being played; only those of a ruleset, if one is named."""
    of_ruleset = [game_row.c.ruleset == ruleset_id] if ruleset_id else []
    query = sa.select(sa.func.count().label("n")).where(game_row.c.status == "running", *of_ruleset)
    return sum(row.n for row in book.views.rows_where_in(query, game_row.c.game, games))
