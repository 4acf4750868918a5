"""Which counted games may be shown, those that may be read, and when they were played."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import sqlalchemy as sa

from daybook.services.statistics.typed_results import KIND
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_game
from daybook.services.store.read_models import seat_summary


def days_played(book: Daybook, games: Collection[UUID]) -> dict[UUID, str]:
    """When counted games were played, as their records say: a record may have come here long after."""
    query = sa.select(seat_summary.c.game, seat_summary.c.at).where(
        seat_summary.c.seat == 0, seat_summary.c.game.in_(games))
    with book.views.connect() as c:
        return {row.game: row.at for row in c.execute(query)}


def readable_games(book: Daybook, own: Collection[UUID] = ()) -> frozenset[UUID] | None:
    """The counted games that everybody may read, and of `own` those that were counted; None: all there are."""
    with book.views.connect() as c:
        counted = set(c.scalars(sa.select(seat_summary.c.game).where(
            seat_summary.c.seat == 0, seat_summary.c.kind != KIND)))
    with book.kept.engine.connect() as c:
        public = set(c.scalars(sa.select(kept_game.c.id).where(kept_game.c.public)))
    hidden = counted - public - set(own)
    return frozenset(counted - hidden) if hidden else None
