"""Numbers of things: with their noun, and in order."""

from __future__ import annotations


def counted(n: int, singular: str, plural: str = "") -> str:
    """Format a number with its noun: 1 game, 2 games, 1,200 entries.

    Args:
        plural: by default the singular with an "s".
    """
    return f"{n:,} {singular if n == 1 else plural or f'{singular}s'}"


def by_count(item: tuple[str, int]) -> tuple[int, str]:
    """Return the sort key of a thing and its number: the most frequent first, equally frequent ones by name."""
    return -item[1], item[0]
