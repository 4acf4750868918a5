"""Names on a board, by place: goods, cards, markers, spaces of a track.

Values that are entered by hand are checked against these names. An unknown value would go unnoticed until a rule reads
it, and could be neither drawn nor explained.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from daybook.domain.kernel.board import Document
from daybook.domain.kernel.frozen import Frozen

Known = Collection[Any]


class NamedThings(Frozen):
    """A kind of name, and its places on a board.

    places: "/players/*/cards", `*` any key; if a list is there, each of its parts is a name; None is no name.
    known: (board) -> all valid names. keys: the names are the keys of the dict at the place.
    """

    places: tuple[str, ...]
    known: Callable[[Any], Known]
    keys: bool = False


class Stranger(Frozen):
    """A name that the game does not know."""

    path: str
    value: int | str
    known: str


def strangers(named: Iterable[NamedThings], board: Any, document: Document) -> Iterator[Stranger]:
    """Yield the names on a board that its game does not know."""
    for kind in named:
        known = kind.known(board)
        for place in kind.places:
            for path, part in at_places(place, document):
                for value in _names(part, kind.keys):
                    if value not in known:
                        yield Stranger(path, value, list_known(known))


def at_places(place: str, document: Document) -> Iterator[tuple[str, Any]]:
    """Yield the values at the places of a pattern, with their paths."""
    return _at(place.split("/")[1:], "", document)


def _at(keys: list[str], path: str, part: Any) -> Iterator[tuple[str, Any]]:
    """Yield path and value of every part of a document that the keys lead to."""
    if not keys:
        yield path, part
    elif isinstance(part, dict):
        for key in part if keys[0] == "*" else part.keys() & {keys[0]}:
            yield from _at(keys[1:], f"{path}/{key}", part[key])
    elif isinstance(part, list) and keys[0] == "*":
        for index, item in enumerate(part):
            yield from _at(keys[1:], f"{path}/{index}", item)


def _names(part: Any, keys: bool) -> Iterator[int | str]:
    """Yield the names inside a part: its keys, or its texts and numbers."""
    if keys:
        yield from part if isinstance(part, dict) else ()
    elif isinstance(part, list):
        for item in part:
            yield from _names(item, keys)
    elif isinstance(part, int | str):
        yield part


def list_known(names: Known) -> str:
    """All that there are, to be read."""
    if isinstance(names, range):
        return f"{names[0]} to {names[-1]}" if names else "none"
    return ", ".join(sorted(map(str, names))) or "none"
