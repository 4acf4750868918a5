"""Names of places on the board for corrections and counts, and reading of typed values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from daybook.domain.kernel.by_hand import causes_on, is_cause, places_of_patterns
from daybook.domain.kernel.chronicle import NUMBER_LIMIT
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.naming import Known
from daybook.domain.kernel.points import Points, is_half, is_points
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
NOTHING = "–"

Shape = Literal["number", "choice", "numbers", "choices", "text", "fixed"]
# plurals: a list with a field for each part; fixed: a form names it and leaves it to other pages


class AdjustablePlace(Frozen):
    """Place on the board that can be corrected.

    Args:
        seat: it holds a seat, or none.
        choices: values that it can have, as the form sends them, with their labels.
        least, most: limits of a number.
        grows: a list that can have more parts than now.
        part: name of the part of the board that a form folds it into; "" for none.
        like: a value of the type that is typed here; None: any.
        was: the recorded text, once another one is typed.
        covered: the viewer does not see the value, so its text is empty.
    """

    path: str
    label: str
    value: Any
    text: str
    seat: bool
    shape: Shape = "text"
    choices: list[tuple[str, str]] = []
    least: int = 0
    most: int = NUMBER_LIMIT
    grows: bool = False
    part: str = ""
    like: Any = None
    was: str = ""
    covered: bool = False

    @property
    def texts(self) -> list[str]:
        """The texts of its fields: for a list one for each part, and an empty one for another part."""
        if self.shape not in ("numbers", "choices"):
            return [self.text]
        return [*filter(None, self.text.split(", ")), *([""] if self.grows else [])]


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
    for path, value in [leaf for around, part in parts.items() for leaf in board_places.iter_named(around, part)]:
        if place := board_places.place(path, value):
            groups.setdefault(_owner_of(game, path), []).append(board_places.shape(place))
    return groups


class BoardPlaces:
    """Names of places on a game's board."""

    def __init__(self, game: Game, names: Names) -> None:
        vocabulary = words.GAMES[game.ruleset.id].board
        self._board, self._names = game.board, names
        self._called, self._labels = vocabulary.called, words.PathLabels(game.ruleset.id, names)
        self._ruleset, self._known_names, self._parts = game.ruleset.id, game.ruleset.integrity.names, vocabulary.parts
        self._lists = tuple(pattern.removesuffix("/*") for pattern in vocabulary.paths if pattern.endswith("/*"))
        self._seats = places_of_patterns(vocabulary.seat_paths)

    def label(self, path: str) -> str:
        """Return a place's name; "" if no one at this table has anything there. Raises KeyError."""
        called = None if self._called is None else self._called(self._board, path, self._names)
        return self._labels.label(path) if called is None else called

    def place(self, path: str, value: Any) -> AdjustablePlace | None:
        """Return a place with its value; None if no one at this table has anything there. Raises KeyError."""
        label = self.label(path)
        if not label:
            return None
        seat = bool(self._seats.match(path))
        return AdjustablePlace(path, label, value, text_of(value), seat, like=None if seat else value)

    def iter_named(self, path: str, part: Any) -> Iterator[tuple[str, Any]]:
        """Yield the values of a part of the board with their paths; also of lists of lists and of objects if named."""
        for inner_path, value in iter_leaves(path, part):
            if isinstance(value, list) and value and isinstance(value[0], dict | list) and self._is_named(inner_path):
                for place, inside in enumerate(value):
                    yield from self.iter_named(f"{inner_path}/{place}", inside)
            elif isinstance(value, list) and self._seats.match(f"{inner_path}/0"):
                yield from ((f"{inner_path}/{place}", inside) for place, inside in enumerate(value))
            else:
                yield inner_path, value

    def _is_named(self, path: str) -> bool:
        """Check if the game names the parts of a list."""
        return any(pattern.count("/") == path.count("/") and is_cause(path, (pattern,)) for pattern in self._lists)

    def shape(self, place: AdjustablePlace) -> AdjustablePlace:
        """Return a place with the fields of a form for it: numbers, choices in words, or lists of these."""
        hints = _members(_type_at(type(self._board), tuple(place.path.strip("/").split("/"))))
        shaped = msgspec.structs.replace(place, part=self._part_of(place.path))
        lists = [hint for hint in hints if get_origin(hint) in (list, tuple)]
        inside = _members(get_args(lists[0])[0]) if lists else hints
        options = self._options(
            place.path, [value for hint in inside if get_origin(hint) is Literal for value in get_args(hint)]
        )
        if place.seat:
            options = [(str(seat), name) for seat, name in enumerate(self._names)]
            return msgspec.structs.replace(shaped, shape="choice", choices=[("", say("no one")), *options])
        if lists and {int, str} & {*inside}:  # the parts of an empty list too
            shaped = msgspec.structs.replace(shaped, like=[0 if int in inside else ""])
        if bool in hints:
            return msgspec.structs.replace(shaped, shape="choice", choices=[("no", say("no")), ("yes", say("yes"))])
        if options and (lists or type(None) in hints or place.text not in dict(options)):
            options.insert(0, ("", NOTHING))
        if options and type(None) in hints:
            shaped = msgspec.structs.replace(shaped, like=None)
        if options:
            return msgspec.structs.replace(
                shaped, shape="choices" if lists else "choice", choices=options, grows=bool(lists)
            )
        if int in inside:
            least, most = self._limits(place)
            grows = bool(lists) and not self._is_named(place.path)
            return msgspec.structs.replace(
                shaped, shape="numbers" if lists else "number", least=least, most=most, grows=grows
            )
        typed = str in hints or (hints == [Any] and not isinstance(place.value, dict | list))
        return msgspec.structs.replace(shaped, shape="text" if typed else "fixed")

    def _options(self, path: str, values: list[Any]) -> list[tuple[str, str]]:
        """Return the values that a place, or a part of its list, can have; none for amounts."""
        values = values or [name for names in self._known(path) if not isinstance(names, range) for name in names]
        return [
            (text_of(value), words.value_at_place(self._ruleset, path.rstrip("/0123456789"), value, self._names))
            for value in (values if len(values) == len({*values}) else dict.fromkeys(values))
            if value != ""
        ]

    def _limits(self, place: AdjustablePlace) -> tuple[int, int]:
        for names in self._known(place.path):
            if isinstance(names, range) and names:
                return names[0], names[-1]
        return (-NUMBER_LIMIT if is_points(place.value) and place.value < 0 else 0), NUMBER_LIMIT

    def _known(self, path: str) -> Iterator[Known]:
        for named in self._known_names:
            if not named.keys and is_cause(path, named.places):
                yield named.known(self._board)

    def _part_of(self, path: str) -> str:
        """Return the name of the part of the board around a place; "" for a place of its own."""
        keys = path.strip("/").split("/")
        for around in ("/" + "/".join(keys[:end]) for end in range(1, len(keys))):
            for pattern, name in self._parts.items():
                if pattern.count("/") == around.count("/") and is_cause(around, (pattern,)):
                    return say(name) if name else self.label(around)
        return ""


@cache
def _type_at(board_type: Any, keys: tuple[str, ...]) -> Any:
    """Return the type of a place on a board; Any where the board's types do not tell."""
    hint = board_type
    for key in keys:
        for member in _members(hint):
            if isinstance(member, type) and issubclass(member, msgspec.Struct):
                hint = get_type_hints(member).get(key, Any)
            elif get_origin(member) in (dict, list, tuple):
                hint = get_args(member)[1 if get_origin(member) is dict else 0]
            else:
                continue
            break
        else:
            return Any
    return hint


def _members(hint: Any) -> list[Any]:
    return list(get_args(hint)) if get_origin(hint) in (Union, UnionType) else [hint]


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
    by_seat = first in ("players", *words.GAMES[game.ruleset.id].seat_fields)
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
