"""Names of places on the board for corrections and counts, and reading of typed values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from daybook.domain.kernel.by_hand import causes_on, places_of_patterns
from daybook.domain.kernel.chronicle import NUMBER_LIMIT
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points, is_half
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.domain.league.scores import read_score
from daybook.services.disputes import counting
from daybook.services.permissions.sights import Sight
from daybook.web import words
from daybook.web.words.say import Names, say
from daybook.web.words.typed import read_text, split_pieces

POSSESSIVE = re.compile(r"['’]s?\b")  # Anna's money
PARTS = re.compile(r",| (?:and|그리고) ")
VALUE_SEPARATOR = re.compile(r"[ :=]")  # between a place and its value: Anna's money 12
MAX_DIGITS = len(str(NUMBER_LIMIT)) - 1  # numbers with fewer digits always fit into a record


class AdjustablePlace(Frozen):
    """Place on the board that can be corrected.

    Args:
        seat: it holds a seat, or none.
    """

    path: str
    label: str
    value: Any
    text: str
    seat: bool


def text_of(value: Any) -> str:
    """Format a value for a form field: lists with commas, tables as JSON, "" for None."""
    if value is None or value == []:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(part, str | int) and "," not in str(part) for part in value):
        return ", ".join(map(str, value))
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return str(value)


def adjustable_places(game: Game, names: Names, step: int | None = None) -> dict[str, list[AdjustablePlace]]:
    """Return everything an adjustment may change, by owner: the seat's letter, or "" for the table.

    Args:
        step: as of this step.
    """
    groups: dict[str, list[AdjustablePlace]] = {}
    places, causes = words.GAMES[game.ruleset.id].board, game.ruleset.integrity.causes
    document = game.document if step is None else game.document_at(step)
    parts = causes_on(document, [pattern for pattern in causes if pattern not in places.unseen_places])
    board_places = BoardPlaces(game, names)
    for path, value in [leaf for around, part in parts.items() for leaf in iter_leaves(around, part)]:
        if place := board_places.place(path, value):
            groups.setdefault(_owner_of(game, path), []).append(place)
    return groups


class BoardPlaces:
    """Names of places on a game's board."""

    def __init__(self, game: Game, names: Names) -> None:
        vocabulary = words.GAMES[game.ruleset.id].board
        self._board, self._names = game.board, names
        self._called, self._labels = vocabulary.called, words.PathLabels(game.ruleset.id, names)
        self._seats = places_of_patterns(vocabulary.seat_paths)

    def label(self, path: str) -> str:
        """Return a place's name; "" if no one at this table has anything there. Raises KeyError."""
        called = None if self._called is None else self._called(self._board, path, self._names)
        return self._labels.label(path) if called is None else called

    def place(self, path: str, value: Any) -> AdjustablePlace | None:
        """Return a place with its value; None if no one at this table has anything there. Raises KeyError."""
        label = self.label(path)
        return AdjustablePlace(path, label, value, text_of(value), bool(self._seats.match(path))) if label else None


def place_on_board(game: Game, path: str, names: Names) -> str:
    """Return a place's name; "" if no one at this table has anything there. Raises KeyError."""
    return BoardPlaces(game, names).label(path)


def name_on_board(game: Game, path: str, names: Names) -> str:
    """Return a place's name; "" also if the game has no words for it."""
    try:
        return place_on_board(game, path, names)
    except KeyError:
        return ""


def label_on_board(game: Game, path: str, names: Names) -> str | None:
    """Return a place's name on this board, by default the game's name for it; None if there is none."""
    return name_on_board(game, path, names) or words.place_label(game.ruleset.id, path, names)


def _owner_of(game: Game, path: str) -> str:
    """Return the seat that owns a place, as a list index; "" for shared places."""
    first, *further = path.strip("/").split("/")
    by_seat = isinstance(game.document[first], list) and len(game.document[first]) == len(game.opening.seats)
    return further[0] if by_seat and further else ""


def iter_leaves(path: str, part: Any) -> Iterator[tuple[str, Any]]:
    """Yield the values of a part of the board with their paths; lists are whole."""
    if isinstance(part, dict) and part:
        for key, value in part.items():
            yield from iter_leaves(f"{path}/{key}", value)
    else:
        yield path, part


def countable_places(game: Game, names: Names, sight: Sight) -> list[tuple[Seat | None, AdjustablePlace]]:
    """Return everything countable for a viewer with its owner, as far as it has a name."""
    owned_places, board_places = [], BoardPlaces(game, names)
    for countable in counting.countable_places(game, sight):
        try:
            place = board_places.place(countable.path, countable.value)
        except KeyError:  # the game has no words for it
            continue
        if place is not None:
            owned_places.append((countable.seat, place))
    return owned_places


def parse_values(text: str, places: Sequence[AdjustablePlace]) -> tuple[dict[str, Any], str]:
    """Parse typed values of places: "Anna's money 12, Ben's money 7".

    Returns:
        values by path, and the part that could not be parsed.
    """
    values = dict[str, Any]()
    labels = [place.label for place in places]
    for part in filter(None, map(str.strip, PARTS.split(" ".join(text.split())))):
        *name_parts, value_text = VALUE_SEPARATOR.split(POSSESSIVE.sub("", part))
        place = read_text(" ".join(name_parts), labels).taken
        value = None if place is None else _parse_value(value_text, places[place].value)
        if place is None or value is None:
            return values, part
        values[places[place].path] = value
    return values, ""


def _parse_value(text: str, like: Any) -> Points | bool | str | None:
    """Parse a value of the same type as the present one; None if invalid."""
    if isinstance(like, bool):
        return {split_pieces(say("yes")): True, split_pieces(say("no")): False}.get(split_pieces(text))
    if isinstance(like, int | float):
        number = text.replace("−", "-").strip("£$€")
        digits = number.removeprefix("-")
        if is_half(score := read_score(number)):
            return score
        return int(number) if digits.isdecimal() and len(digits) <= MAX_DIGITS else None
    return text if isinstance(like, str) else None
