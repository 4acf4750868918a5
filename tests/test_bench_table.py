"""The table of `make bench`, held against an earlier one."""

from __future__ import annotations

import time
from collections.abc import Sequence

from tests.bench import measuring
from tests.bench.measuring import YARDSTICK, Better, Figure, Work, measure
from tests.bench.table import BenchRow, Run, is_worse, load, save, show, times_as_good


def run_of(yardstick: float, rounds: Sequence[float], unit: str = "per CPU s", better: Better = "more") -> Run:
    return Run(
        "2026-01-01T00:00:00.000Z",
        1.0,
        2,
        [
            BenchRow(YARDSTICK, "per CPU s", "more", {"all": Figure.of([yardstick])}),
            BenchRow("audit", unit, better, {"A Game": Figure.of(rounds)}),
        ],
    )


def verdict(run: Run, against: Run) -> tuple[float | None, bool]:
    row = run.rows[-1]
    times = times_as_good(run, against, row, "A Game")
    return times and round(times, 2), is_worse(run, against, row, "A Game")


def test_figure_slower_than_the_noise_of_its_rounds_is_marked():
    before = run_of(1000, [99, 100, 101])
    assert verdict(run_of(1000, [89, 90, 91]), before) == (0.9, True)
    assert verdict(run_of(1000, [70, 90, 110]), before) == (0.9, False)  # these rounds lie too far apart to say so
    assert verdict(run_of(1000, [97.9, 98, 98.1]), before) == (0.98, False)
    assert "90.0 x0.90 SLOWER" in show(run_of(1000, [89, 90, 91]), before)


def test_the_speed_of_the_machine_is_taken_out():
    before = run_of(1000, [100, 100, 100])
    assert verdict(run_of(500, [50, 50, 50]), before) == (1.0, False)
    assert verdict(run_of(2000, [100, 100, 100]), before) == (0.5, True)


def test_bytes_are_the_same_on_every_machine_and_less_is_better():
    before = run_of(1000, [100], "bytes", "less")
    assert verdict(run_of(2000, [100], "bytes", "less"), before) == (1.0, False)
    assert verdict(run_of(2000, [125], "bytes", "less"), before) == (0.8, True)


def test_what_was_not_measured_then_is_not_compared():
    assert verdict(run_of(1000, [1]), Run("", 0, 2, [])) == (None, False)


def test_a_run_is_saved_and_read_again(tmp_path):
    run = run_of(1000, [99, 100, 101])
    save(run, tmp_path / "run.json")
    assert load(tmp_path / "run.json") == run


def test_all_work_takes_turns_and_is_told_by_the_second():
    turns: list[str] = []

    def work(name: str, ms: int) -> Work:
        def run() -> None:
            turns.append(name)
            end = time.process_time_ns() + ms * 1_000_000
            while time.process_time_ns() < end:
                pass

        return Work(name, "all", 10, run)

    least = measuring.LEAST_SECONDS
    slow, quick = measure([work("slow", round(4000 * least)), work("quick", round(2000 * least))], 3)
    assert slow.value < quick.value <= 10 / (2 * least)
    assert turns[-6:] == ["slow", "quick"] * 3
