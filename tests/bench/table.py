"""The table that `make bench` prints, and how it is saved and held against an earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from tests.bench.measuring import YARDSTICK, Better, Figure

LEAST_NOISE = 0.03  # of a figure: less than this is no difference, however still the rounds were


class BenchRow(msgspec.Struct, frozen=True):
    """One row: a figure for each column that has one. better: which of two figures is the better one."""

    name: str
    unit: str
    better: Better
    figures: dict[str, Figure]


class Run(msgspec.Struct, frozen=True):
    """All of one run. at: when; load: how many wanted a processor then, and how many there are."""

    at: str
    load: float
    processors: int
    rows: list[BenchRow]

    def figure(self, row: str, column: str) -> Figure | None:
        """Return a figure, or None if it was not measured."""
        return next((item.figures.get(column) for item in self.rows if item.name == row), None)

    @property
    def yardstick(self) -> Figure | None:
        """Return the speed of the machine."""
        return next((figure for row in self.rows if row.name == YARDSTICK for figure in row.figures.values()), None)


def save(run: Run, file: Path) -> None:
    file.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n")


def load(file: Path) -> Run:
    """Raises msgspec.ValidationError, OSError."""
    return msgspec.json.decode(file.read_bytes(), type=Run)


def show(run: Run, against: Run | None = None) -> str:
    """The table as text. against: an earlier run, of which each figure says how many times as good it is now."""
    columns = list(dict.fromkeys(column for row in run.rows for column in row.figures))
    widths = [max(len(column), 12 if against is None else 20) + 2 for column in columns]
    first = max(len(f"{row.name}, {row.unit}") for row in run.rows) + 2
    lines = [" " * first + "".join(column.rjust(width) for column, width in zip(columns, widths, strict=True))]
    for row in run.rows:
        cells = [_cell(run, row, column, against) for column in columns]
        lines.append(
            f"{row.name}, {row.unit}".ljust(first)
            + "".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        )
    return "\n".join(line.rstrip() for line in lines)


def _cell(run: Run, row: BenchRow, column: str, against: Run | None) -> str:
    figure = row.figures.get(column)
    if figure is None:
        return ""
    times = None if against is None else times_as_good(run, against, row, column)
    return (
        number(figure.value)
        if times is None
        else f"{number(figure.value)} x{times:.2f}" + (" SLOWER" if is_worse(run, against, row, column) else "")
    )


def number(value: float) -> str:
    """Format a number with its significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:,.1f}" if value >= 10 else f"{value:,.2f}"


def times_as_good(run: Run, against: Run | None, row: BenchRow, column: str) -> float | None:
    """Return how many times better a figure is than in an earlier run, corrected by the machine's speed; None if there
    is no earlier one."""
    figure = row.figures[column]
    before = None if against is None else against.figure(row.name, column)
    if against is None or before is None or not before.value or not figure.value:
        return None
    times = figure.value / before.value if row.better == "more" else before.value / figure.value
    return times / _machine(run, against) if _depends_on_machine(row) else times


def is_worse(run: Run, against: Run | None, row: BenchRow, column: str) -> bool:
    """Return whether a figure is worse than in an earlier run by more than the spread of both."""
    times = times_as_good(run, against, row, column)
    if against is None or times is None:
        return False
    before, figure = against.figure(row.name, column), row.figures[column]
    assert before is not None
    noise = figure.noise + before.noise
    if _depends_on_machine(row):
        noise += sum(item.yardstick.noise for item in (run, against) if item.yardstick)
    return times < 1 - max(noise, LEAST_NOISE)


def _depends_on_machine(row: BenchRow) -> bool:
    return row.name != YARDSTICK and row.unit not in COUNTED


COUNTED = ("bytes", "MiB", "times")  # units that are the same on every machine


def _machine(run: Run, against: Run) -> float:
    """Return how many times faster the machine is than in an earlier run."""
    now, then = run.yardstick, against.yardstick
    return now.value / then.value if now and then else 1.0


def rows_of(names: Iterable[tuple[str, str]], figures: Sequence[Figure], unit: str, better: Better) -> list[BenchRow]:
    """Rows of figures that were measured in turn. names: row and column of each."""
    rows: dict[str, dict[str, Figure]] = {}
    for (row, column), figure in zip(names, figures, strict=True):
        rows.setdefault(row, {})[column] = figure
    return [BenchRow(row, unit, better, of_row) for row, of_row in rows.items()]


def shares(run: Run, row: str, base: tuple[str, str] | str) -> Mapping[str, float]:
    """Return, by column, a row's figures as shares of another row's, or of one figure (row, column)."""
    found = {}
    for column, figure in next((item.figures for item in run.rows if item.name == row), {}).items():
        floor = run.figure(base, column) if isinstance(base, str) else run.figure(*base)
        if floor is not None:
            found[column] = figure.value / floor.value
    return found
