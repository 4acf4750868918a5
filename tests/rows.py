"""Whole tables as lists, to be compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from daybook.services.store.read_models import FROM_LOG


def all_rows(engine: sa.Engine, tables: Iterable[sa.Table] = FROM_LOG) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in these tables, in the order of their keys."""
    with engine.connect() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(sa.select(table).order_by(*table.primary_key))]
            for table in tables
        }
