"""Puts names that no game knows on a board, for the tests of what each game names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from daybook.domain.kernel.board import Document, value_at
from daybook.domain.kernel.naming import at_places, strangers
from daybook.domain.kernel.ruleset import Ruleset

NOBODY = "nobody"


def unnoticed_names(ruleset: Ruleset[Any], board: Any) -> list[str]:
    """Return places where an unknown name, or a number out of range, is accepted."""
    found = []
    for kind in ruleset.integrity.names:
        known = kind.known(board)
        strange = [known[0] - 1, known[-1] + 1] if isinstance(known, range) and known else [NOBODY]
        for place in kind.places:
            for name in strange:
                for path in [path for path, _ in at_places(place, board.document())]:
                    document = board.document()
                    put(document, path.split("/")[1:], name, kind.keys)
                    if not any(stranger.value == name for stranger in strangers([kind], board, document)):
                        found.append(f"{path}: {name}")
    return found


def known_at(ruleset: Ruleset[Any], board: Any, path: str, names: Iterable[Any]) -> set[Any]:
    """Return the names that the game knows at one place of a board: as a key where it has keys, otherwise as a value."""
    taken = set()
    for name in names:
        document = board.document()
        put(document, path.split("/")[1:], name, isinstance(value_at(document, path), dict))
        if not any(stranger.value == name for stranger in strangers(ruleset.integrity.names, board, document)):
            taken.add(name)
    return taken


def put(document: Document, path: list[str], name: Any, keys: bool) -> None:
    *above, last = path
    part: Any = document
    for key in above:
        part = part[int(key) if isinstance(part, list) else key]
    at: Any = int(last) if isinstance(part, list) else last
    if keys:
        part[at] = {**(part[at] or {}), name: 0}
    elif isinstance(part[at], list):
        part[at].append(name)
    else:
        part[at] = name
