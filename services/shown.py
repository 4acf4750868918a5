"""Whose figures may be shown: of the games that were counted, those that may be read."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import sqlalchemy as sa

from services.daybook import Daybook
from services.kept import kept_game
from services.typed import KIND
from services.views import seat_summary


def readable(book: Daybook, own: Collection[UUID] = ()) -> frozenset[UUID] | None:
    """The counted games that everybody may read, and of `own` those that were counted; None: all there are."""
    with book.views.connect() as c:
        counted = set(c.scalars(sa.select(seat_summary.c.game).where(
            seat_summary.c.seat == 0, seat_summary.c.kind != KIND)))
    with book.kept.engine.connect() as c:
        public = set(c.scalars(sa.select(kept_game.c.id).where(kept_game.c.public)))
    hidden = counted - public - set(own)
    return frozenset(counted - hidden) if hidden else None
