"""Work measured by processor time: rounds in which all take turns, and of each the median with its spread.

A machine's own speed moves by half between runs, and between minutes of one: only what was measured in turns says
something about one another. Every run therefore times a yardstick too, a fixed piece of work that has nothing to do
with Daybook, and what is held against an earlier run is first divided by it.
"""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

ROUNDS = 9
LEAST_SECONDS = 0.02  # a measurement takes at least so long: shorter work is done several times in a row
YARDSTICK = "yardstick: a fixed loop of Python and JSON"

Better = Literal["more", "less"]
Progress = Callable[[int, int], object]


class Figure(msgspec.Struct, frozen=True):
    """A measured figure. low, high: between them lies the middle half of the rounds."""

    value: float
    low: float
    high: float

    @property
    def noise(self) -> float:
        """Return the spread of the middle half of the rounds, as a share of the figure."""
        return (self.high - self.low) / self.value if self.value else 0.0

    @classmethod
    def of(cls, rounds: Sequence[float]) -> Figure:
        """Return the figure of these rounds."""
        if len(rounds) < 2:
            return cls(rounds[0], rounds[0], rounds[0])
        low, middle, high = statistics.quantiles(rounds, n=4, method="inclusive")
        return cls(middle, low, high)


@dataclass(frozen=True)
class Work:
    """Something to do again and again. count: how much of it one run does, which its figure says a second of."""

    row: str
    column: str
    count: int
    run: Callable[[], object]


def measure(works: Sequence[Work], rounds: int = ROUNDS, progress: Progress = lambda done, total: None) -> list[Figure]:
    """Measure the work that a second of the processor does.

    All take turns in each round, after one round to warm up.
    """
    runs = [_runs_in_a_row(work.run) for work in works]
    gc.collect()
    gc.freeze()  # what the bench itself holds is no garbage to look through, for the floors as little as for us
    found: list[list[float]] = [[] for _ in works]
    for done in range(rounds):
        progress(done, rounds)
        for work, again, rates in zip(works, runs, found, strict=True):
            rates.append(work.count * again / _processor_seconds(work.run, again))
    progress(rounds, rounds)
    gc.unfreeze()
    return [Figure.of(rates) for rates in found]


def _runs_in_a_row(run: Callable[[], object]) -> int:
    """Return the number of repetitions that takes long enough to be timed."""
    run()
    return max(1, round(LEAST_SECONDS / max(_processor_seconds(run, 1), 1e-6)))


def _processor_seconds(run: Callable[[], object], again: int) -> float:
    start = time.process_time_ns()
    for _ in range(again):
        run()
    return (time.process_time_ns() - start) / 1e9


def milliseconds(rounds: Iterable[float]) -> Figure:
    """Convert seconds to milliseconds."""
    return Figure.of([1000 * seconds for seconds in rounds])


def yardstick() -> None:
    """Run a fixed loop. It never changes, so runs of different days can be compared."""
    found = {"board": {str(place): [place, "stall", {"money": place * 7}] for place in range(40)}, "sum": 0}
    for turn in range(20):
        text = json.dumps(found)
        found = json.loads(text)
        found["sum"] = sum(len(key) + turn for key in found["board"])
