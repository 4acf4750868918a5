"""Number with its noun, for the command line and operators."""

from __future__ import annotations


def counted(n: int, singular: str, plural: str = "") -> str:
    """Format a number with its noun: 1 game, 2 games, 1,200 entries.

    Args:
        plural: by default the singular with an "s".
    """
    return f"{n:,} {singular if n == 1 else plural or f'{singular}s'}"
