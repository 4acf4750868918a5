"""The steps of the kept tables: step n leads from version n - 1 to version n.

No released step changes. A new step goes to the end, does the same on SQLite and PostgreSQL, and leaves what
`services.store.kept` and `services.store.sheets` declare. All pending steps run in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import sqlalchemy as sa

Step = Callable[[sa.Connection], object]

FIRST_SCHEMA = Path(__file__).parent / "first_schema"


def create_first_schema(connection: sa.Connection) -> None:
    """Create all kept tables; on PostgreSQL also the search of titles and names by pairs of letters."""
    schema = (FIRST_SCHEMA / f"{connection.dialect.name}.sql").read_text(encoding="utf-8")
    for statement in schema.split(";\n"):
        connection.exec_driver_sql(statement)


STEPS: tuple[Step, ...] = (create_first_schema,)

# The oldest version whose parts may keep running after a step, if it adds a table or a nullable column, or removes what
# that version does not read. Before every other step, all older parts have to stop.
GO_ON_FROM: Mapping[Step, int] = {}
