"""Boards as plain documents: what a step changed, folded forward and back.

A document is what JSON can hold: dicts with string keys, lists, whole numbers, strings, booleans, None.
`Changes` maps a path to [before, after]. A path is a JSON pointer: "/players/0/money".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

Document = dict[str, Any]
Changes = dict[str, list[Any]]

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()


def plain(value: Any) -> Any:
    """A value as JSON holds it and a record gives it back: Structs as dicts, tuples as lists."""
    return _decoder.decode(_encoder.encode(value))


def difference(before: Document, after: Document) -> Changes:
    """What leads from one document to the other.

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
                _compare(f"{path}/{_escaped(key)}", value, after[key], changes)
    elif type(before) is list and type(after) is list and len(before) == len(after):
        for index, value in enumerate(before):
            if value != after[index]:
                _compare(f"{path}/{index}", value, after[index], changes)
    else:
        changes[path] = [before, after]


def catch_up(behind: msgspec.Struct, ahead: msgspec.Struct) -> Changes:
    """Have one board lie as another of its type does. Returns the difference of their documents, made without them."""
    changes: Changes = {}
    _catch_up("", behind, ahead, changes)
    return changes


def _catch_up(path: str, behind: Any, ahead: Any, changes: Changes) -> None:
    """The same of two parts, which are Structs of a type, dicts with the same keys or lists of the same length."""
    for key, before, after in _parts(behind, ahead):
        if before == after:
            continue
        place = f"{path}/{_escaped(key)}" if type(key) is str else f"{path}/{key}"
        if _built_alike(before, after):
            _catch_up(place, before, after, changes)
            continue
        changes[place] = [msgspec.to_builtins(before), msgspec.to_builtins(after)]
        if isinstance(behind, msgspec.Struct):
            msgspec.structs.force_setattr(behind, key, _apart(after))
        else:
            behind[key] = _apart(after)


def _parts(behind: Any, ahead: Any) -> Iterator[tuple[Any, Any, Any]]:
    """What two parts are made of: the key, and what each has there."""
    if type(behind) is list:
        return zip(range(len(behind)), behind, ahead, strict=True)
    if type(behind) is dict:
        return zip(behind, behind.values(), map(ahead.__getitem__, behind), strict=True)
    return zip(
        behind.__struct_fields__, msgspec.structs.astuple(behind), msgspec.structs.astuple(ahead), strict=True)


def _built_alike(one: Any, other: Any) -> bool:
    """Whether two parts are compared part by part."""
    if type(one) is not type(other):
        return False
    if type(one) is list:
        return len(one) == len(other)
    if type(one) is dict:
        return bool(one.keys() == other.keys())
    return isinstance(one, msgspec.Struct)


def _apart(value: Any) -> Any:
    """A copy of a part of a board that shares nothing that can change."""
    if type(value) is list:
        return [_apart(part) for part in value]
    if type(value) is dict:
        return {key: _apart(part) for key, part in value.items()}
    if isinstance(value, msgspec.Struct):
        return msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=type(value))
    return value


def fold(document: Document, changes: Changes) -> None:
    """Carry one step's changes into the document, in place."""
    for path, (_, after) in changes.items():
        _put(document, path, after)


def unfold(document: Document, changes: Changes) -> None:
    """Step back: the same changes the other way round, in place."""
    for path, (before, _) in changes.items():
        _put(document, path, before)


def mismatches(document: Document, changes: Changes) -> Iterator[str]:
    """Paths whose `before` is not what the document holds: the changes do not belong on it."""
    for path, (before, _) in changes.items():
        if not is_at(document, path) or value_at(document, path) != before:
            yield path


def value_at(document: Document, path: str) -> Any:
    """The part of the document at a path. Raises KeyError or IndexError where there is none."""
    part: Any = document
    for key in _keys(path):
        part = part[_index(key)] if type(part) is list else part[key]
    return part


def is_at(document: Document, path: str) -> bool:
    try:
        value_at(document, path)
    except (KeyError, IndexError, TypeError, ValueError):
        return False
    return True


def copied(value: Any) -> Any:
    """A copy of a document or a part of it that shares nothing that can change."""
    return msgspec.to_builtins(value)


def touches(changes: Changes, path: str) -> bool:
    """Whether the changes reach into the part of the document at `path`, or replace a part around it."""
    return any(
        changed == path or changed.startswith(path + "/") or path.startswith(changed + "/") for changed in changes
    )


def _put(document: Document, path: str, value: Any) -> None:
    part: Any = document
    parents, last = _place(path)
    for key in parents:
        part = part[_index(key)] if type(part) is list else part[key]
    if type(value) is dict or type(value) is list:
        value = copied(value)
    part[_index(last) if type(part) is list else last] = value


@lru_cache(maxsize=65536)
def _index(key: str) -> int:
    if not key.isascii() or not key.isdigit():
        raise KeyError(key)
    return int(key)


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


@lru_cache(maxsize=65536)
def _keys(path: str) -> tuple[str, ...]:
    if not path.startswith("/"):
        raise KeyError(path)
    return tuple(key.replace("~1", "/").replace("~0", "~") for key in path[1:].split("/"))


@lru_cache(maxsize=65536)
def _place(path: str) -> tuple[tuple[str, ...], str]:
    *parents, last = _keys(path)
    return tuple(parents), last
