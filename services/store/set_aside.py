"""Games and clubs that cannot be read now: they are set aside, one by one, so that all others go on.

A record that this version cannot read (one made by a newer one, one that was damaged) is no reason to hold anything
else up. What is set aside is told in health, by the doctor and on the page of the game, and is tried again when a
follower begins, as after a new version was installed, and from time to time.
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

SEALS = "seals"  # set aside because a seal is wrong (services.operation.scrub), and not by a projection
SAYS_LIMIT = 300  # characters of what was wrong


class SetAside(Frozen):
    """A game or club that is left out. projections: of what; position: in the log, the first that was not taken in."""

    id: UUID
    projections: tuple[str, ...]
    position: int
    says: str


def note(connection: sa.Connection, projections: Collection[str], game_id: UUID, position: int, says: str) -> None:
    """Set a game or club aside."""
    rows = [{"projection": one, "id": game_id, "position": position, "says": says[:SAYS_LIMIT]} for one in projections]
    upsert(connection, set_aside, rows, ["projection", "id"])


def take_up(connection: sa.Connection, projection: str, game_id: UUID) -> None:
    connection.execute(set_aside.delete().where(set_aside.c.projection == projection, set_aside.c.id == game_id))


def clear(connection: sa.Connection) -> None:
    """Forget what projections left out: a rebuild tries all of it again."""
    connection.execute(set_aside.delete().where(set_aside.c.projection != SEALS))


def of_projection(to: StoreEngine, projection: str) -> list[UUID]:
    return [*to.values(sa.select(set_aside.c.id).where(set_aside.c.projection == projection))]


def all_of_them(to: StoreEngine) -> list[SetAside]:
    """Everything that is set aside, by its place in the log."""
    return _set_aside_rows(to, sa.select(set_aside))


def find_one(to: StoreEngine, game_id: UUID) -> SetAside | None:
    """What is left out of a game or club; None: nothing."""
    if to.is_empty(set_aside):
        return None
    return next(iter(_set_aside_rows(to, sa.select(set_aside).where(set_aside.c.id == game_id))), None)


def _set_aside_rows(to: StoreEngine, query: sa.Select[Any]) -> list[SetAside]:
    rows = to.rows(query.order_by(set_aside.c.position, set_aside.c.projection))
    found: dict[UUID, SetAside] = {}
    for row in rows:
        first = found.get(row.id, SetAside(row.id, (), row.position, row.says))
        found[row.id] = msgspec.structs.replace(first, projections=(*first.projections, row.projection))
    return [*found.values()]
