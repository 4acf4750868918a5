"""A number with its noun, where no page says it: on the command line, and in what whoever runs Daybook reads."""

from __future__ import annotations


def counted(n: int, one: str, several: str = "") -> str:
    """1 game, 2 games, 1,200 entries. several: what more than one are called, where it does not end in s alone."""
    return f"{n:,} {one if n == 1 else several or f'{one}s'}"
