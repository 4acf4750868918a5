"""Statements by keepers that two similar records are of different plays.

Readers of both records see a statement and its withdrawal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.chronicle import Refused, checked_text
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import because
from daybook.services.clock import now
from daybook.services.people.writers import opening_writer, writer_of
from daybook.services.permissions.access import Grant
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_apart, lock_game
from daybook.services.structs import copy_fields

SAID_LIMIT = 20  # times of two records


class SaidApart(Frozen):
    """A statement that two records are two evenings.

    game: the game whose scorekeeper says so. by, back_by: as a record names its writers.
    """

    game: UUID
    other: UUID
    by: str
    why: str
    at: str
    back_by: str | None = None
    back_at: str | None = None


def said_of(book: Daybook, game_id: UUID) -> dict[UUID, list[SaidApart]]:
    """Return the statements about a game and each other one, the oldest first."""
    query = sa.select(kept_apart).where(sa.or_(kept_apart.c.game == game_id, kept_apart.c.other == game_id))
    found: dict[UUID, list[SaidApart]] = {}
    for row in book.kept.engine.rows(query.order_by(kept_apart.c.id)):
        found.setdefault(row.other if row.game == game_id else row.game, []).append(_of_row(row))
    return found


def said_by(book: Daybook, person: str) -> list[SaidApart]:
    """Return what a person stated or took back, the oldest first."""
    by = opening_writer(person)
    query = sa.select(kept_apart).where(sa.or_(kept_apart.c.by == by, kept_apart.c.back_by == by))
    return [_of_row(row) for row in book.kept.engine.rows(query.order_by(kept_apart.c.id))]


def names_of_authors(book: Daybook, statements: Iterable[SaidApart]) -> Mapping[str, str]:
    """Return the names of the authors of statements and of their withdrawals, by id."""
    ids = {writer_of(by) for statement in statements for by in (statement.by, statement.back_by or "")}
    return book.kept.names(ids - {""})


def say_apart(book: Daybook, games: tuple[UUID, UUID], why: str, keeper: Grant) -> None:
    """State that two records are two evenings, if no one has yet. Raises Refused.

    keeper: the grant in one of them.
    """
    why = checked_text(why)
    if not why:
        raise Refused(because("why_missing", "give a reason"))
    with book.kept.engine.begin() as c:
        lock_game(c, min(games))
        before = c.scalars(sa.select(kept_apart.c.back_at).where(_between(games))).all()
        if None in before:
            return
        if len(before) >= SAID_LIMIT:
            raise Refused(because("said_often", "this was confirmed and undone {n} times already", n=len(before)))
        other = games[games[0] == keeper.game]
        c.execute(kept_apart.insert().values(game=keeper.game, other=other, by=keeper.by, why=why, at=now()))


def take_back(book: Daybook, games: tuple[UUID, UUID], keeper: Grant) -> None:
    """Take back that two records are two evenings, if it was stated."""
    stands = sa.and_(_between(games), kept_apart.c.back_at.is_(None))
    book.kept.engine.write(kept_apart.update().where(stands).values(back_by=keeper.by, back_at=now()))


def _of_row(row: Any) -> SaidApart:
    return copy_fields(SaidApart, row)


def _between(games: tuple[UUID, UUID]) -> sa.ColumnElement[bool]:
    """Return the condition for a pair of games."""
    return sa.and_(kept_apart.c.game.in_(games), kept_apart.c.other.in_(games))
