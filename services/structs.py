"""Build our types from objects with fields of the same names: a row of a table, or another type."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


def copy_fields(kind: type[S], source: Any, **more: Any) -> S:
    """Build a Struct from the fields of the same names in `source`, and from `more`."""
    return kind(**{name: getattr(source, name) for name in kind.__struct_fields__ if name not in more}, **more)
