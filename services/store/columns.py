"""The columns of our tables: texts, unless another type is given."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa


def key(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.Text, **more: Any) -> sa.Column[Any]:
    """Return a column of the primary key, without autoincrement."""
    return sa.Column(name, kind, primary_key=True, autoincrement=False, **more)


def column(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.Text, **more: Any) -> sa.Column[Any]:
    """Return a column that is never null."""
    return sa.Column(name, kind, nullable=False, **more)
