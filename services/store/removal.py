"""Removal of a game with all its data, on a device only: the log of a service only grows."""

from __future__ import annotations

from uuid import UUID

import sqlalchemy as sa

from daybook.services.store import read_models
from daybook.services.store.daybook import KEPT, Daybook
from daybook.services.store.kept import kept_game, kept_lease, kept_look, kept_person, kept_seat
from daybook.services.store.log_sqlite import SQLiteLogRecorder


def remove_game(book: Daybook, game_id: UUID) -> None:
    """Remove a game from SQLite files, its record last, so that an interrupted removal can be repeated."""
    for engine, tables in ((book.views, read_models.metadata.sorted_tables), (book.kept.engine, KEPT)):
        with engine.begin() as c:
            for table in tables:
                for name in ("game", "other"):
                    if name in table.c and isinstance(table.c[name].type, sa.Uuid):
                        c.execute(table.delete().where(table.c[name] == game_id))
    with book.kept.engine.begin() as c:
        c.execute(
            kept_person.delete().where(
                kept_person.c.id.not_in(sa.select(kept_seat.c.person)),
                kept_person.c.id.not_in(sa.select(kept_lease.c.person)),
            )
        )
        c.execute(kept_look.delete().where(kept_look.c.person.not_in(sa.select(kept_person.c.id))))
        c.execute(kept_game.delete().where(kept_game.c.id == game_id))
    recorder = book.log.recorder
    assert isinstance(recorder, SQLiteLogRecorder)
    recorder.remove(game_id)
    book.games.cache.forget(game_id)
