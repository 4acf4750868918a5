"""Boards corrected by hand: allowed values, and reasons against them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from daybook.domain.kernel.board import Changes, Document, deep_copy, difference, fold, is_at, touches, value_at
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import BoardStep, GameOpened
from daybook.domain.kernel.naming import strangers
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.terms import Board, Breach, because


def board_with(game: Game, document: Document, values: Mapping[str, Any]) -> Board:
    """Return the board with these values in their places. Raises Refused."""
    for path, value in values.items():
        if not is_at(document, path):
            raise Refused(because("no_such_place", "the board has no place {path}", path=path))
        fold(document, {path: [None, value]})
    board = board_by_hand(game, document, values)
    ask_all(game, board)
    return board


def ask_all(game: Game, board: Board) -> None:
    """Ask the rules every usual question about a board. Raises Refused if they have no answer."""
    try:
        game.ruleset.ask_all(board)
    except CANNOT_GO_ON as wrong:
        raise Refused(
            because(
                "cannot_go_on",
                "the rules cannot continue from such a board: {wrong}",
                wrong=f"{type(wrong).__name__} {wrong}",
            )
        ) from wrong


def board_by_hand(game: Game, document: Document, values: Iterable[str]) -> Board:
    """Return the typed board of a document that was changed by hand at these paths. Raises Refused."""
    try:
        board: Board = game.ruleset.typed_board(document, game.table)
    except msgspec.ValidationError as wrong:
        raise Refused(because("wrong_type", "{wrong}", wrong=str(wrong))) from wrong
    if board.document() != document:
        raise Refused(because("wrong_type", "the board has no place for a part of what was given"))
    for name in strangers(game.ruleset.integrity.names, board, document):
        if touches(values, name.path):
            raise Refused(
                because(
                    "unknown_name",
                    "{path} cannot be {value}: there is {known}",
                    path=name.path,
                    value=str(name.value),
                    known=name.known,
                )
            )
    return board


def adjusted_board(game: Game, values: Mapping[str, Any]) -> tuple[Board, Changes]:
    """Return the board with adjusted causes, and the changes. Raises Refused with the rule that forbids it."""
    document: Document = game.board.document()  # an older record's may lack fields that came later
    put_causes(game, document, values)
    board = board_by_hand(game, document, values)
    changes = difference(game.document, board.document())
    if board.document() == game.board.document():
        raise Refused(because("nothing_adjusted", "the board is already like that"))
    ask_all(game, board)
    for breach in (
        *game.ruleset.unknown_breaches(board, game.known_breaches()),
        *adjusted_amiss(game, game.board, board),
    ):
        raise Refused(breach.reason, breach.rule)
    return board, changes


def adjusted_amiss(game: Game, before: Board, after: Board, step: int | None = None) -> Iterable[Breach]:
    """Return what forbids an adjustment although the board could exist.

    step: after which it is made; None: now.
    """
    if game.ruleset.integrity.adjustable is None:
        return ()
    return game.ruleset.integrity.adjustable(before, after, lambda path: ever(game, path, step))


def ever(game: Game, path: str, step: int | None = None) -> Iterator[Any]:
    """Yield the values of a place after each step that led to a later one, by default to the newest."""
    document: Document = {}
    for line_step in game.line(step):
        event = game.entries[line_step].event
        if isinstance(event, BoardStep):
            fold(document, event.changes)
        elif isinstance(event, GameOpened):
            document = deep_copy(event.board)
        yield value_at(document, path)


def put_causes(game: Game, document: Document, values: Mapping[str, Any]) -> None:
    """Put values into a document, where causes lie. Raises Refused for any other place."""
    for path, value in values.items():
        if not is_cause(path, game.ruleset.integrity.causes) or not is_at(document, path):
            raise Refused(
                because(
                    "not_a_cause",
                    "{path} cannot be adjusted: it is worked out, or the board has no such place",
                    path=path,
                )
            )
        fold(document, {path: [None, value]})


def places_below(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths of values; of an object, the paths of its parts."""
    for path, value in values.items():
        if isinstance(value, dict) and value:
            yield from places_below({f"{path}/{key}": part for key, part in value.items()})
        else:
            yield path


def drawn_on_supplies(game: Game, differences: Mapping[str, Sequence[Any]]) -> dict[str, int]:
    """Return the changes of the supplies that follow from a count: a surplus elsewhere is missing there.

    Supplies that the count itself names are left out.
    """
    taken: Counter[str] = Counter()
    for path, (recorded, counted) in differences.items():
        for pattern, supply in game.ruleset.integrity.supplies:
            found = re.fullmatch(re.escape(pattern).replace(r"\*", "([^/]*)"), path)
            if found:
                taken[supply.format(*found.groups())] += _pieces(counted) - _pieces(recorded)
    return {
        path: value_at(game.document, path) - n
        for path, n in taken.items()
        if n and path not in differences and is_at(game.document, path)
    }


def _pieces(value: Any) -> int:
    """Return the number of pieces in a field of the board."""
    return sum(value) if isinstance(value, list) else int(value)


def is_cause(path: str, patterns: tuple[str, ...]) -> bool:
    """Check if a path is one of the patterns or below one; `*` stands for one key."""
    return places_of_patterns(patterns).match(path) is not None


@cache
def places_of_patterns(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Compile patterns of paths, to match many paths."""
    whole = (re.escape(pattern).replace(r"\*", "[^/]*") for pattern in patterns)
    return re.compile(f"(?:{'|'.join(whole)})(?:/|\\Z)" if patterns else "(?!)")


def causes_on(document: Document, patterns: Iterable[str]) -> dict[str, Any]:
    """Return the parts of a board that patterns name, by path, in the order of the patterns."""
    found: dict[str, Any] = {}
    for pattern in patterns:
        parts: dict[str, Any] = {"": document}
        for key in pattern.strip("/").split("/"):
            parts = {
                f"{path}/{own}": inside
                for path, part in parts.items()
                for own, inside in _inside(part)
                if key in ("*", own)
            }
        found |= parts
    return found


def _inside(part: Any) -> Iterable[tuple[str, Any]]:
    """Yield the children of a part of a board, by key."""
    if isinstance(part, dict):
        return part.items()
    return [(str(place), inside) for place, inside in enumerate(part)] if isinstance(part, list) else ()
