"""Invariants of boards, and what must be recomputed after a change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from daybook.domain.kernel.terms import Seat


class Invariant(NamedTuple):
    """A condition that every board meets, and the parts of the board that it reads.

    broken: (board), the part that does not hold; None: all hold. reads: paths, `*` any key.
    """

    broken: Callable[[Any], object]
    reads: tuple[str, ...]


def rows_from(own: tuple[str, ...], shared: tuple[str, ...], seats: int, path: str) -> tuple[Seat, ...]:
    """Return the seats with ledger rows that may change with a path."""
    everybody = tuple(range(seats))
    if any(_meets(path, place) for place in shared):
        return everybody
    keys = path.split("/")
    places = [place.split("/").index("*") for place in own if _meets(path, place)]
    if any(seat >= len(keys) for seat in places):
        return everybody
    return tuple({int(keys[seat]) for seat in places})


def invariants_of(invariants: Sequence[Invariant], path: str) -> tuple[int, ...]:
    """Return the positions of the invariants that read a path."""
    return tuple(
        place for place, invariant in enumerate(invariants) if any(_meets(path, part) for part in invariant.reads)
    )


def _meets(path: str, place: str) -> bool:
    """Check if one of two paths equals, contains or is inside the other."""
    return all(part in ("*", key) for key, part in zip(path.split("/"), place.split("/"), strict=False))
