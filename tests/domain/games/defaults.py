"""Default values of the parts of a board."""

from __future__ import annotations

from inspect import isclass
from types import ModuleType

import msgspec


def begins_with(*modules: ModuleType) -> dict[str, int]:
    """Numbers and marks that begin with anything but nothing, by "Kind.field"."""
    kinds = [
        kind
        for module in modules
        for kind in vars(module).values()
        if isclass(kind) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__
    ]
    assert kinds
    return {
        f"{kind.__name__}.{field.name}": field.default
        for kind in kinds
        for field in msgspec.structs.fields(kind)
        if isinstance(field.default, int) and field.default
    }
