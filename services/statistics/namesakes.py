"""Names on pages about many games; namesakes get numbers.

The numbers are the same on all pages about the same games, independent of the other people on a page. The cost depends
on the named people and their namesakes. For a group's games, all its people are read.
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
    """Name of a person, and how a page shows it."""

    name: str
    shown: str  # with a number if others look alike


def name_people(book: Daybook, game_filter: Filter, people: Collection[str]) -> dict[str, PersonNamed]:
    """Return the names of people among all players of these games. Anonymous people have none."""
    own = book.kept.names(people)
    if game_filter.games is not None:
        first = first_games(book, game_filter)
        names = book.kept.names(first.keys()) | own
    else:
        first, names = _look_alike(book, game_filter, own)
    shown = number_namesakes(names, first)
    return {person: PersonNamed(name, shown[person]) for person, name in own.items()}


def _look_alike(book: Daybook, game_filter: Filter, own: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return first games of people with namesakes, and all names that must be distinguished."""
    looks = {appearance_key(name) for name in own.values()}
    alike = book.kept.names_that_look(looks) | own
    several = {look for look, n in Counter(map(appearance_key, alike.values())).items() if n > 1}
    first = _first_games_of(
        book, game_filter, (person for person, name in alike.items() if appearance_key(name) in several)
    )
    names = {person: name for person, name in alike.items() if person in own or person in first}
    seen = set[str]()
    while new := _looks_with_number(names, looks) - seen:  # a person's real name may look like a numbered one
        seen |= new
        namesakes = book.kept.names_that_look(new)
        names |= {person: namesakes[person] for person in _first_games_of(book, game_filter, namesakes)}
    return first, names


def _looks_with_number(names: dict[str, str], looks: Collection[str]) -> set[str]:
    """Return the numbered names that namesakes may get."""
    counts = Counter(map(appearance_key, names.values()))
    return {
        with_number(look, number)
        for look in looks
        if counts[look] > 1
        for number in range(1, 1 + counts[look] + sum(name.startswith(f"{look} (") for name in counts))
    }


def _first_games_of(book: Daybook, game_filter: Filter, people: Iterable[str]) -> dict[str, str]:
    ids, first_times = [*people], dict[str, str]()
    for start in range(0, len(ids), PAGE):
        first_times |= first_games(book, msgspec.structs.replace(game_filter, people=tuple(ids[start : start + PAGE])))
    return first_times
