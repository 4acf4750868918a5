"""Places on the board in words: what can be put right or counted there, and what somebody types of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from daybook.domain.kernel.by_hand import causes_on, places_of_patterns
from daybook.domain.kernel.chronicle import NUMBER_LIMIT
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.services.disputes import counting
from daybook.services.permissions.sights import Sight
from daybook.web import words
from daybook.web.words.say import Names, say
from daybook.web.words.typed import pieces, read

OF = re.compile(r"['’]s?\b")  # Anna's money
PARTS = re.compile(r",| (?:and|그리고) ")
BETWEEN = re.compile(r"[ :=]")  # a place and what lies there: Anna's money 12
MOST_DIGITS = len(str(NUMBER_LIMIT)) - 1  # whatever they are, a record holds the number


class AdjustablePlace(Frozen):
    """A place on the board that can be put right. seats: it holds one of these seats, or nobody."""

    path: str
    label: str
    value: Any
    text: str
    seat: bool


def text_of(value: Any) -> str:
    """A value as a form field shows it: lists with commas, tables as JSON, nothing for None."""
    if value is None or value == []:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(part, str | int) and "," not in str(part) for part in value):
        return ", ".join(map(str, value))
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return str(value)


def places_of(game: Game, names: Names, step: int | None = None) -> dict[str, list[AdjustablePlace]]:
    """Everything an adjustment may change, by whose it is: by seat's letter, or "" for the table. step: as it lay then."""
    groups: dict[str, list[AdjustablePlace]] = {}
    places, causes = words.GAMES[game.ruleset.id].board, game.ruleset.integrity.causes
    document = game.document if step is None else game.document_at(step)
    asked = causes_on(document, [pattern for pattern in causes if pattern not in places.unasked])
    called = BoardPlaces(game, names)
    for path, value in [leaf for around, part in asked.items() for leaf in leaves(around, part)]:
        if place := called.place(path, value):
            groups.setdefault(_owner(game, path), []).append(place)
    return groups


class BoardPlaces:
    """The places of a game's board in words, for whoever asks about many."""

    def __init__(self, game: Game, names: Names) -> None:
        vocabulary = words.GAMES[game.ruleset.id].board
        self._board, self._names = game.board, names
        self._called, self._labels = vocabulary.called, words.PathLabels(game.ruleset.id, names)
        self._seats = places_of_patterns(vocabulary.seat_paths)

    def label(self, path: str) -> str:
        """What a place is called; "" where nobody at this table has anything there. Raises KeyError."""
        called = None if self._called is None else self._called(self._board, path, self._names)
        return self._labels.label(path) if called is None else called

    def place(self, path: str, value: Any) -> AdjustablePlace | None:
        """A place and what lies there; None where nobody at this table has anything there. Raises KeyError."""
        label = self.label(path)
        return AdjustablePlace(path, label, value, text_of(value), bool(self._seats.match(path))) if label else None


def place_on_board(game: Game, path: str, names: Names) -> str:
    """What a place of this game's board is called; "" where nobody at this table has anything there. Raises KeyError."""
    return BoardPlaces(game, names).label(path)


def name_on_board(game: Game, path: str, names: Names) -> str:
    """As `place_on_board`, and "" also where the game has no words for a place."""
    try:
        return place_on_board(game, path, names)
    except KeyError:
        return ""


def _owner(game: Game, path: str) -> str:
    """The seat that a place belongs to, as its list on the board has it; "" for what is everybody's."""
    first, *further = path.strip("/").split("/")
    by_seat = isinstance(game.document[first], list) and len(game.document[first]) == len(game.opening.seats)
    return further[0] if by_seat and further else ""


def leaves(path: str, part: Any) -> Iterator[tuple[str, Any]]:
    """What a part of the board consists of, each with its path; a list is written as a whole."""
    if isinstance(part, dict) and part:
        for key, value in part.items():
            yield from leaves(f"{path}/{key}", value)
    else:
        yield path, part


def countable_places(game: Game, names: Names, sight: Sight) -> list[tuple[Seat | None, AdjustablePlace]]:
    """Everything that can be counted as somebody sees it, and has a name; each with the seat in front of whom it is."""
    found, called = [], BoardPlaces(game, names)
    for one in counting.countable_places(game, sight):
        try:
            place = called.place(one.path, one.value)
        except KeyError:  # the game has no words for it
            continue
        if place is not None:
            found.append((one.seat, place))
    return found


def lies_typed(text: str, places: Sequence[AdjustablePlace]) -> tuple[dict[str, Any], str]:
    """What lies where, as somebody typed it, by its path: “Anna’s money 12, Ben’s money 7”; and the part that says no
    place, or no figure that can lie there.
    """
    values = dict[str, Any]()
    labels = [one.label for one in places]
    for part in filter(None, map(str.strip, PARTS.split(" ".join(text.split())))):
        *said, lies = BETWEEN.split(OF.sub("", part))
        place = read(" ".join(said), labels).taken
        value = None if place is None else _value_typed(lies, places[place].value)
        if place is None or value is None:
            return values, part
        values[places[place].path] = value
    return values, ""


def _value_typed(text: str, like: Any) -> int | bool | str | None:
    """What a word says that lies where such a value did; None: nothing that can."""
    if isinstance(like, bool):
        return {pieces(say("yes")): True, pieces(say("no")): False}.get(pieces(text))
    if isinstance(like, int):
        number = text.replace("−", "-").strip("£$€")
        digits = number.removeprefix("-")
        return int(number) if digits.isdecimal() and len(digits) <= MOST_DIGITS else None
    return text if isinstance(like, str) else None
