"""Our types made out of what has fields of the same names: of a row of a table, or of another type."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


def struct_of(kind: type[S], of: Any, **more: Any) -> S:
    """A Struct with what is called the same in `of`, and with `more`."""
    return kind(**{name: getattr(of, name) for name in kind.__struct_fields__ if name not in more}, **more)
