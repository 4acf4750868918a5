"""The figures of a game after each of its steps: the columns of the ledger, and the marks that say where the game is.

An opening has them whole, and so has every entry of format 1. Since format 2 an entry holds the difference from the
entry before, so that one pass over the lines from the top has them all, whatever a record took back on its way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from daybook.domain.kernel.chronicle import BadLine
from daybook.domain.kernel.errors import fault
from daybook.domain.kernel.events import FULL, BoardStep, GameOpened

V = TypeVar("V")


class Figures(NamedTuple):
    """columns: a figure for each seat, by name; marks: by name. Not to be changed."""

    columns: dict[str, list[int]]
    marks: dict[str, int]

    @classmethod
    def of(cls, event: BoardStep | GameOpened) -> Figures:
        """Those that an entry holds whole. Raises BadLine."""
        for name in ("columns", "marks"):
            if getattr(event, name) is None:
                raise BadLine("{wrong}", wrong=fault("the field '{field}' is missing", field=name))
        return cls(_laid_over({}, event.columns), _laid_over({}, event.marks))


def figures_after(
    before: Figures, columns: Mapping[str, list[int] | None] | None, marks: Mapping[str, int | None] | None
) -> Figures:
    """The figures after an entry that says these differences."""
    if not columns and not marks:
        return before
    return Figures(_laid_over(before.columns, columns), _laid_over(before.marks, marks))


def figure_fields(before: Figures, now: Figures, format: int) -> dict[str, Any]:
    """The fields with which an entry of a format says the figures after it."""
    if format == FULL:
        return now._asdict()
    columns, marks = _difference(before.columns, now.columns), _difference(before.marks, now.marks)
    return {"columns": columns or None, "marks": marks or None}


def _laid_over(before: dict[str, V], given: Mapping[str, V | None] | None) -> dict[str, V]:
    """What is there with what is given, without what is given as none; by name, as a line has it."""
    if not given:
        return before
    after = {**before, **given}
    if len(after) == len(before) and None not in given.values():
        return after  # type: ignore[return-value]
    return {name: value for name, value in sorted(after.items()) if value is not None}


def _difference(before: Mapping[str, V], now: Mapping[str, V]) -> dict[str, V | None]:
    """What has to be laid over the one for the other."""
    changed: dict[str, V | None] = {name: value for name, value in now.items() if before.get(name) != value}
    return changed | dict.fromkeys(before.keys() - now.keys())
