"""What people are called on pages about many games: of those who look alike each has a number.

It is the same on all pages about these games, whoever else is named. It costs who is named and who looks like them,
however many people there are; of a group's games all people are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

import msgspec

from daybook.services.names import appearance_key, number_namesakes, with_number
from daybook.services.statistics.figure_questions import Filter, first_games
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import PAGE


class PersonNamed(NamedTuple):
    """name: their own; shown: with a number, if others look like them."""

    name: str
    shown: str


def name_people(book: Daybook, of: Filter, asked: Collection[str]) -> dict[str, PersonNamed]:
    """What some people are called beside all others in these games; who was made anonymous has no name."""
    own = book.kept.names(asked)
    if of.games is not None:
        first = first_games(book, of)
        names = book.kept.names(first.keys()) | own
    else:
        first, names = _look_alike(book, of, own)
    shown = number_namesakes(names, first)
    return {id: PersonNamed(name, shown[id]) for id, name in own.items()}


def _look_alike(book: Daybook, of: Filter, own: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """When those came first who look like others in these games; the names of all who have to be told apart."""
    looks = {appearance_key(name) for name in own.values()}
    alike = book.kept.names_that_look(looks) | own
    several = {look for look, n in Counter(map(appearance_key, alike.values())).items() if n > 1}
    first = _first_games_of(book, of, (id for id, name in alike.items() if appearance_key(name) in several))
    names = {id: name for id, name in alike.items() if id in own or id in first}
    known = set[str]()
    while new := _looks_with_number(names, looks) - known:  # somebody may be called as others with a number would be
        known |= new
        found = book.kept.names_that_look(new)
        names |= {id: found[id] for id in _first_games_of(book, of, found)}
    return first, names


def _looks_with_number(names: dict[str, str], looks: Collection[str]) -> set[str]:
    """Those from which the numbers of people who look alike are taken."""
    there = Counter(map(appearance_key, names.values()))
    return {
        with_number(look, number)
        for look in looks
        if there[look] > 1
        for number in range(1, 1 + there[look] + sum(name.startswith(f"{look} (") for name in there))
    }


def _first_games_of(book: Daybook, of: Filter, people: Iterable[str]) -> dict[str, str]:
    ids, found = [*people], dict[str, str]()
    for start in range(0, len(ids), PAGE):
        found |= first_games(book, msgspec.structs.replace(of, people=tuple(ids[start : start + PAGE])))
    return found
