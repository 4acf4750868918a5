"""Starts everything with `daybook serve` on a new data folder, and prints what that costs.

    python -m tests.bench.starting --times 3

Processor time (user and system) of the whole tree of processes, from the first until two seconds after it says that it
is open; and the memory they hold, each page that several share counted once (PSS). Modules are compiled before, as
`make setup` does it.
"""

from __future__ import annotations

import argparse
import compileall
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.servers import free_port

ROOT = Path(__file__).resolve().parents[2]
PROC = Path("/proc")
SETTLED_SECONDS = 2.0


def tree(process: int) -> list[int]:
    """A process and all that it has started."""
    found = [process]
    for one in found:
        for children in PROC.joinpath(str(one), "task").glob("*/children"):
            found += map(int, children.read_text().split())
    return found


def cost(process: int) -> tuple[str, float, float]:
    """What a process is called, its processor seconds with those of children it has waited for, and its megabytes."""
    called, _, rest = PROC.joinpath(str(process), "stat").read_text().partition("(")[2].rpartition(")")
    ticks = sum(map(int, rest.split()[11:15]))
    shared = PROC.joinpath(str(process), "smaps_rollup").read_text()
    kilobytes = next(int(line.split()[1]) for line in shared.splitlines() if line.startswith("Pss:"))
    return called, ticks / os.sysconf("SC_CLK_TCK"), kilobytes / 1024


def start_once(folder: Path) -> None:
    port = free_port()
    begun = time.monotonic()
    served = subprocess.Popen(
        [sys.executable, "-m", "daybook", "serve", "--no-examples", "--data", str(folder), "--port", str(port)],
        stderr=subprocess.PIPE)
    assert served.stderr is not None
    try:
        next(line for line in served.stderr if b"open http://" in line)
        up = time.monotonic() - begun
        time.sleep(SETTLED_SECONDS)
        costs = [cost(process) for process in tree(served.pid)]
    finally:
        served.terminate()
        served.stderr.read()
        served.wait()
    print(f"{sum(seconds for _, seconds, _ in costs):.2f} processor seconds, open after {up:.1f} s, "
          f"{len(costs)} processes, {sum(megabytes for *_, megabytes in costs):.0f} MB: "
          + ", ".join(f"{name} {seconds:.2f} s" for name, seconds, _ in costs))


def main() -> None:
    asked = argparse.ArgumentParser(prog="starting", description=__doc__.partition("\n")[0])
    asked.add_argument("--times", type=int, default=3, choices=range(1, 21))
    times = asked.parse_args().times
    compileall.compile_dir(ROOT / "daybook", maxlevels=0, quiet=1)
    for folder in ("domain", "services", "web", "workers"):
        compileall.compile_dir(ROOT / folder, quiet=1)
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder:
            start_once(Path(folder) / "data")


if __name__ == "__main__":
    main()
