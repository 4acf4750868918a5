"""JSON in which each key stands once in its object. Readers of JSON keep the last value of a repeated key."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import msgspec


class RepeatedKeyError(msgspec.DecodeError, ValueError):
    """An object of a JSON text has a key more than once."""

    def __init__(self, key: str) -> None:
        super().__init__(f"an object has {key[:40]!a} more than once")
        self.key = key


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object from its keys and values. Raises RepeatedKeyError."""
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise RepeatedKeyError(next(key for key, n in counts.items() if n > 1))
    return found


def load_json(text: str | bytes) -> Any:
    """Parse a JSON text with the standard library. Raises ValueError, RecursionError."""
    return json.loads(text, object_pairs_hook=object_of)


def decode_json(content: str | bytes, kind: Any = Any) -> Any:
    """Decode a JSON text into a type with msgspec. Raises msgspec.DecodeError, RecursionError."""
    value = msgspec.json.decode(content, type=kind)
    json.loads(content, object_pairs_hook=object_of, parse_int=str, parse_float=str)
    return value
