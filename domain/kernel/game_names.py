"""Keys of games: the id of the rules, or a colon and a name if each sheet is its own game.

A game known only by name also has such a key. A sheet published with that name later continues its history.
"""

from __future__ import annotations

from collections.abc import Collection

MARK = ":"  # no id of rules contains it
ANY = MARK  # among the games of a league: every game that is known by name only


def key_of_title(name: str) -> str:
    """Build the key of a game that has only a title: a colon and the title."""
    return f"{MARK}{name}"


def is_by_name(key: str) -> bool:
    return key.startswith(MARK)


def is_among(key: str, games: Collection[str]) -> bool:
    """Check if a game is in a league's list; an empty list holds every game."""
    return not games or key in games or (is_by_name(key) and ANY in games)


def name_in_key(key: str) -> str:
    """Return the name in a game's key, or "" if the rules are the game."""
    return key.removeprefix(MARK) if is_by_name(key) else ""
