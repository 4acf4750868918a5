"""Boards as plain documents, and the changes of a step, which can be applied forward and back.

A document has only JSON values: dicts with string keys, lists, whole numbers, strings, booleans, None.
`Changes` maps a path to [before, after]. A path is a JSON pointer: "/players/0/money".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any

import msgspec

Document = dict[str, Any]
Changes = dict[str, list[Any]]

NESTING = frozenset({list, dict})  # types with parts
Key = tuple[str, int]  # key of a part in a dict, and its index in a list
INDEX = re.compile(r"[0-9]{1,9}")
NOWHERE = 1 << 62  # no list has a part there
LONGEST_PATH = 1000  # characters: longer than any path; parsed paths are cached, so their size is limited

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()
_sorted = msgspec.json.Encoder(order="sorted")


def plain(value: Any) -> Any:
    """Return a value as JSON stores it: Structs as dicts, tuples as lists."""
    return _decoder.decode(_encoder.encode(value))


def alike(first: Any, second: Any) -> bool:
    """Check if two values have the same JSON; quicker than comparing their `plain` forms."""
    return _sorted.encode(first) == _sorted.encode(second)


def difference(before: Document, after: Document) -> Changes:
    """Return the changes that lead from one document to the other.

    Dicts with the same keys and lists of the same length are compared part by part; where keys or
    length differ the whole part is written, before and after.
    """
    changes: Changes = {}
    if before != after:
        _compare("", before, after, changes)
    return changes


def _compare(path: str, before: Any, after: Any, changes: Changes) -> None:
    """Write down how two unequal parts differ."""
    if type(before) is dict and type(after) is dict and before.keys() == after.keys():
        for key, value in before.items():
            if value != after[key]:
                _compare(f"{path}/{_escape(key)}", value, after[key], changes)
    elif type(before) is list and type(after) is list and len(before) == len(after):
        for index, value in enumerate(before):
            if value != after[index]:
                _compare(f"{path}/{index}", value, after[index], changes)
    else:
        changes[path] = [before, after]


def changes_between(before: msgspec.Struct, after: msgspec.Struct) -> Changes:
    """Return the changes between two boards of a type, without making their documents."""
    changes: Changes = {}
    if before != after:
        _compare_parts("", before, after, changes)
    return changes


def _compare_parts(path: str, before: Any, after: Any, changes: Changes) -> None:
    """Write down how two unequal parts of boards differ."""
    fields = _fields_of(type(before))  # type: ignore[arg-type]  # every class can be hashed
    if type(before) is not type(after):
        _compare(path, msgspec.to_builtins(before), msgspec.to_builtins(after), changes)
    elif fields is not None:
        for name, below in fields:
            value, now = getattr(before, name), getattr(after, name)
            if value != now:
                _compare_parts(path + below, value, now, changes)
    elif type(before) is dict and before.keys() == after.keys():
        for key, value in before.items():
            if value != after[key]:
                _compare_parts(f"{path}/{_escape(key)}", value, after[key], changes)
    elif type(before) is list and len(before) == len(after):
        for index, value in enumerate(before):
            if value != after[index]:
                _compare_parts(f"{path}/{index}", value, after[index], changes)
    else:
        changes[path] = [msgspec.to_builtins(before), msgspec.to_builtins(after)]


@cache
def _fields_of(kind: type[Any]) -> tuple[tuple[str, str], ...] | None:
    """Return the fields of a Struct type, each with the end of its path; None for other types."""
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return None
    written = kind.__struct_config__
    assert not (written.omit_defaults or written.array_like), f"{kind} writes its fields otherwise than by their names"
    keys = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    return tuple((name, f"/{_escape(key)}") for name, key in keys)


def follow(behind: msgspec.Struct, ahead: msgspec.Struct, changes: Changes) -> bool:
    """Apply changes to one board so that it equals another; return False if they do not lead there.

    This is faster than a search for differences: the changes name the places, and then the boards are compared once.
    If the changes do not lead there, discard the board.
    """
    parts: dict[str, Any] = {"": behind}  # by their paths
    try:
        for path, (_, after) in changes.items():
            around, (last, index) = _parent_and_key(path)
            part = parts.get(around)
            if part is None:
                part = _find_part(parts, around)
            if type(after) in NESTING:
                after = _typed_copy(ahead, path, after)
            kind = type(part)
            if kind is list:
                part[index] = after
            elif kind is dict:
                part[last] = after
            elif last in kind.__struct_fields__:
                msgspec.structs.force_setattr(part, last, after)
            else:
                return False
    except (LookupError, TypeError, AttributeError):  # a place that such a board does not have
        return False
    return behind == ahead


def _find_part(parts: dict[str, Any], path: str) -> Any:
    """Return the part of a board at a path, starting from the nearest part found before."""
    around, last = _parent_and_key(path)
    whole = parts.get(around)
    parts[path] = part = _part(_find_part(parts, around) if whole is None else whole, last)
    return part


def _typed_copy(board: msgspec.Struct, path: str, value: Any) -> Any:
    """Return a typed copy of a value for a path of the board. Raises LookupError for an unknown path."""
    if type(value) is list and NESTING.isdisjoint(map(type, value)):
        return value[:]
    part: Any = board
    for key in _keys(path):
        part = _part(part, key)
    if msgspec.to_builtins(part) != value:
        raise LookupError(path)
    return _copy_part(part)


def _part(parent: Any, at: Key) -> Any:
    """Return a part of a Struct, a dict or a list. Raises LookupError, TypeError or AttributeError."""
    key, index = at
    if type(parent) is list:
        return parent[index]
    if type(parent) is dict:
        return parent[key]
    if key not in parent.__struct_fields__:
        raise KeyError(key)
    return getattr(parent, key)


def _copy_part(value: Any) -> Any:
    """Return a copy of a part of a board that shares nothing mutable."""
    if type(value) is list:
        return [_copy_part(part) for part in value]
    if type(value) is dict:
        return {key: _copy_part(part) for key, part in value.items()}
    if isinstance(value, msgspec.Struct):
        return msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=type(value))
    return value


def fold(document: Document, changes: Mapping[str, Sequence[Any]]) -> None:
    """Carry one step's changes into the document, in place."""
    _apply_side(document, changes, 1)


def fold_own(document: Document, changes: Mapping[str, tuple[Any, Any]]) -> None:
    """Apply changes as `fold` does, without copying the values."""
    for path, (_, value) in changes.items():
        around, key, index = way(path)
        part: Any = document
        for name, place in around:
            part = part[place] if type(part) is list else part[name]
        part[index if type(part) is list else key] = value


def unfold(document: Document, changes: Mapping[str, Sequence[Any]]) -> None:
    """Step back: the same changes the other way round, in place."""
    _apply_side(document, changes, 0)


def _apply_side(document: Document, changes: Mapping[str, Sequence[Any]], side: int) -> None:
    """Lay one side of each change in its place: 0, what was there before; 1, what was there after."""
    for path, sides in changes.items():
        around, key, index = way(path)
        part: Any = document
        for name, place in around:
            part = part[place] if type(part) is list else part[name]
        value = sides[side]
        part[index if type(part) is list else key] = deep_copy(value) if type(value) in NESTING else value


def mismatches(document: Document, changes: Changes) -> Iterator[str]:
    """Yield the paths where the document differs from the changes' old values."""
    for path, (before, _) in changes.items():
        if not is_at(document, path) or value_at(document, path) != before:
            yield path


def value_at(document: Document, path: str) -> Any:
    """Return the part of the document at a path. Raises KeyError or IndexError."""
    part: Any = document
    for key, index in _keys(path):
        part = part[index] if type(part) is list else part[key]
    return part


def is_at(document: Document, path: str) -> bool:
    try:
        value_at(document, path)
    except (KeyError, IndexError, TypeError, ValueError):
        return False
    return True


def deep_copy(value: Any) -> Any:
    """Return a copy of a document or a part of it that shares nothing mutable."""
    return msgspec.to_builtins(value)


def touches(changes: Iterable[str], path: str) -> bool:
    """Check if changes at these paths reach into the part of the document at `path`, or replace a part around it."""
    return any(
        changed == path or changed.startswith(path + "/") or path.startswith(changed + "/") for changed in changes
    )


def holds(document: Any, part: Any) -> bool:
    """Check if a document contains another one; extra fields, added later, do not matter."""
    if isinstance(document, dict) and isinstance(part, dict):
        return all(key in document and holds(document[key], value) for key, value in part.items())
    if isinstance(document, list) and isinstance(part, list):
        return len(document) == len(part) and all(map(holds, document, part))
    return type(document) is type(part) and bool(document == part)


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


@lru_cache(maxsize=65536)
def _keys(path: str) -> tuple[Key, ...]:
    """Return the keys that lead to a place. Raises KeyError for an invalid path."""
    if not path.startswith("/") or len(path) > LONGEST_PATH:
        raise KeyError(path)
    return tuple(
        (key.replace("~1", "/").replace("~0", "~"), int(key) if INDEX.fullmatch(key) else NOWHERE)
        for key in path[1:].split("/")
    )


@lru_cache(maxsize=65536)
def way(path: str) -> tuple[tuple[Key, ...], str, int]:
    """Return the keys to the parent of a place, and the place in it, as a key and as an index."""
    *around, (key, index) = _keys(path)
    return tuple(around), key, index


@lru_cache(maxsize=65536)
def ways_down(path: str) -> tuple[str, ...]:
    """Return the paths of the whole board, of every part around a place, and of the place."""
    return tuple(accumulate(path.split("/"), "{}/{}".format))


@cache
def _parent_and_key(path: str) -> tuple[str, Key]:
    """Return the path of a place's parent, and the key in it."""
    return path.rpartition("/")[0], _keys(path)[-1]
