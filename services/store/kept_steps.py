"""The steps of the kept tables: step n leads from version n - 1 to version n.

Until 1.0.0 the first schema is a draft: it is whatever `services.store.kept` and `services.store.sheets` declare. From
1.0.0 on no released step changes. A new step goes to the end, does the same on SQLite and PostgreSQL, and leaves what the
declarations say. All pending steps run in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sqlalchemy as sa

from daybook.services.store import kept, sheets

Step = Callable[[sa.Connection], object]

# Pairs of letters, because most Korean names have two letters and pg_trgm needs three.
LETTER_PAIRS = """
CREATE FUNCTION letter_pairs(said TEXT) RETURNS TEXT[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(
        SELECT DISTINCT substr(lower(said), place, 2) FROM generate_series(1, length(lower(said)) - 1) place) $$;
CREATE INDEX ix_kept_game_title_pairs ON kept_game USING gin (letter_pairs(title)) WITH (fastupdate = off);
CREATE INDEX ix_kept_person_name_pairs ON kept_person USING gin (letter_pairs(name)) WITH (fastupdate = off);
CREATE INDEX ix_kept_seat_name_pairs ON kept_seat USING gin (letter_pairs(name)) WITH (fastupdate = off)
    WHERE name IS NOT NULL
"""


def create_first_schema(connection: sa.Connection) -> None:
    """Create all kept tables; on PostgreSQL also the search of titles and names by pairs of letters."""
    for metadata in (kept.metadata, sheets.metadata):
        metadata.create_all(connection, checkfirst=False)
    if connection.dialect.name == "postgresql":
        for statement in LETTER_PAIRS.split(";"):
            connection.exec_driver_sql(statement)


STEPS: tuple[Step, ...] = (create_first_schema,)

# The oldest version whose parts may keep running after a step, if it adds a table or a nullable column, or removes what
# that version does not read. Before every other step, all older parts have to stop.
GO_ON_FROM: Mapping[Step, int] = {}
