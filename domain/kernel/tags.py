"""How records name kinds of things: by the tag of their type."""

from __future__ import annotations

import msgspec


def tag_of(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)
