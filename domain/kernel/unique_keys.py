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
    check_keys(pairs)
    return dict(pairs)


def check_keys(pairs: list[tuple[str, Any]]) -> None:
    """Raise RepeatedKeyError if a key occurs twice."""
    if len({key for key, _ in pairs}) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise RepeatedKeyError(next(key for key, n in counts.items() if n > 1))


def load_json(text: str | bytes) -> Any:
    """Parse a JSON text with the standard library. Raises ValueError, also for one that is nested too deeply."""
    try:
        return json.loads(text, object_pairs_hook=object_of)
    except RecursionError as deep:
        raise ValueError("it is nested too deeply") from deep


def decode_json(content: str | bytes, kind: Any = Any) -> Any:
    """Decode a JSON text into a type with msgspec. Raises msgspec.DecodeError, RecursionError."""
    value = msgspec.json.decode(content, type=kind)
    json.loads(content, object_pairs_hook=check_keys, parse_int=str, parse_float=str)  # keeps no object in memory
    return value
