"""Games that came in a file: when their win chances are due.

Computing win chances takes long. Games recorded here come first, and of the games that one visitor imports three a day.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta
from uuid import UUID

import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.limits import IMPORTS_WITH_CHANCES_PER_DAY, digest_of_subject, locked_row, write_rows
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_import


def note_import(book: Daybook, game_id: UUID, importer: str) -> None:
    """Note that a game is about to be imported, before it is written.

    Args:
        importer: an account or an address; empty for the operator, whose games are due at once.
    """
    at = now()
    today = at[:10]
    who = digest_of_subject(book, f"importer {importer}") if importer else ""
    with book.kept.engine.begin() as c:
        due_on = today
        if who:
            write_rows(c, {**locked_row(c, who), "last_at": at})  # one import of an importer at a time
            due_on = _first_free_day(c, who, today)
        insert_once(c, kept_import, {"game": game_id, "importer": who, "due_on": due_on})


def _first_free_day(c: sa.Connection, importer: str, today: str) -> str:
    latest = c.scalar(sa.select(sa.func.max(kept_import.c.due_on)).where(kept_import.c.importer == importer))
    if latest is None or latest < today:
        return today
    of_day = kept_import.c.importer == importer, kept_import.c.due_on == latest
    count = c.scalars(sa.select(sa.func.count()).select_from(kept_import).where(*of_day)).one()
    is_full = count >= IMPORTS_WITH_CHANCES_PER_DAY
    return (date.fromisoformat(latest) + timedelta(days=1)).isoformat() if is_full else latest


def due_days(book: Daybook, games: Collection[UUID]) -> dict[UUID, str]:
    """Return the days on which the win chances of imported games are due; games recorded here are left out."""
    return {
        row.game: row.due_on
        for row in book.kept.engine.rows_where_in(sa.select(kept_import), kept_import.c.game, games)
    }
