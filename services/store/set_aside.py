"""Games and clubs that are set aside because they cannot be read now, so that projections continue with all others.

A record may come from a newer version, or be damaged. Health, the doctor and the page of the game name what is set
aside. Followers try it again when they start, for example after an upgrade, and from time to time.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.store.database import StoreEngine, upsert
from daybook.services.store.read_models import set_aside

SEALS = "seals"  # the background check of seals (services.operation.scrub), which is not a projection
MAX_MESSAGE_LENGTH = 300


class SetAside(Frozen):
    """A game or club that is set aside. projections: that skip it; position: of the first entry that was not applied."""

    id: UUID
    projections: tuple[str, ...]
    position: int
    says: str


def add(connection: sa.Connection, projections: Collection[str], game_id: UUID, position: int, message: str) -> None:
    """Set a game or club aside."""
    rows = [
        {"projection": name, "id": game_id, "position": position, "says": message[:MAX_MESSAGE_LENGTH]}
        for name in projections
    ]
    upsert(connection, set_aside, rows, ["projection", "id"])


def remove(connection: sa.Connection, projection: str, game_id: UUID) -> None:
    """Delete the note that a projection left a game out."""
    connection.execute(set_aside.delete().where(set_aside.c.projection == projection, set_aside.c.id == game_id))


def clear_projections(connection: sa.Connection) -> None:
    """Remove what projections have set aside: a rebuild tries all of it again."""
    connection.execute(set_aside.delete().where(set_aside.c.projection != SEALS))


def select_ids(to: StoreEngine, projection: str) -> list[UUID]:
    return [*to.values(sa.select(set_aside.c.id).where(set_aside.c.projection == projection))]


def select_all(to: StoreEngine) -> list[SetAside]:
    """Return everything that is set aside, by position."""
    return _set_aside_rows(to, sa.select(set_aside))


def find(to: StoreEngine, game_id: UUID) -> SetAside | None:
    """Return what is set aside of a game or club; None: nothing, or there are no read models yet, as after a restore."""
    if to.is_empty(set_aside):
        return None
    try:
        return next(iter(_set_aside_rows(to, sa.select(set_aside).where(set_aside.c.id == game_id))), None)
    except sa.exc.ProgrammingError:  # PostgreSQL: no such table
        return None


def _set_aside_rows(to: StoreEngine, query: sa.Select[Any]) -> list[SetAside]:
    rows = to.rows(query.order_by(set_aside.c.position, set_aside.c.projection))
    found: dict[UUID, SetAside] = {}
    for row in rows:
        first = found.get(row.id, SetAside(row.id, (), row.position, row.says))
        found[row.id] = msgspec.structs.replace(first, projections=(*first.projections, row.projection))
    return [*found.values()]
