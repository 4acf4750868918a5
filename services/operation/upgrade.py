"""Rolling upgrades: keep data for parts of an older Daybook, and clean up when none runs any more.

On PostgreSQL, parts of two versions run at once, each with its own read models and queues. The
log and the kept tables are the same for both (`services.store.migrations`).
"""

from __future__ import annotations

import sqlalchemy as sa

from daybook.services.statistics import visibility
from daybook.services.store import migrations, read_models
from daybook.services.store.database import schemas_of_others
from daybook.services.store.daybook import KEPT, Daybook


def kept_for_older_versions(book: Daybook) -> list[str]:
    """Return the data that parts of another version still need; empty if no upgrade is in progress."""
    with book.kept.engine.connect() as connection:
        needed, current = migrations.read_versions(connection)
    kept = [f"kept tables as of version {needed}"] if current > needed else []
    return kept + schemas_of_others(book.views)


def finish_upgrade(book: Daybook) -> list[str]:
    """Finish an upgrade: remove what only older versions read, and return the removed schemas.

    Raises UnfitTablesError if a newer Daybook has begun.
    """
    others = schemas_of_others(book.views)
    if newer := [name for name in others if _schema_number(name) > read_models.SCHEMA]:
        raise migrations.NewerTablesError(f"a newer Daybook has {', '.join(newer)}", "say so with that one")
    migrations.migrate(book.kept.engine, KEPT, alone=True)
    visibility.update_changed_games(book)
    for name in others:
        book.views.write(sa.schema.DropSchema(name, cascade=True))
    return others


def _schema_number(schema: str) -> int:
    """Return the number in a schema's name; 0 for that of 0.2.0, which has none."""
    return int(schema.rpartition("_")[2]) if schema[-1].isdigit() else 0
