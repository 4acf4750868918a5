"""The columns of our tables: texts, unless another type is given."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa


def key(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.Text, **more: Any) -> sa.Column[Any]:
    """A part of what a row is known by; nobody counts it on."""
    return sa.Column(name, kind, primary_key=True, autoincrement=False, **more)


def column(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.Text, **more: Any) -> sa.Column[Any]:
    """What every row says."""
    return sa.Column(name, kind, nullable=False, **more)
