"""Tags of types, by which records name kinds of things."""

from __future__ import annotations

import msgspec


def tag_of(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)
