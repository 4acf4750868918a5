"""Sessions of processes: each part runs in its own session, so that its children end with it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def members(sessions: Collection[int]) -> list[int]:
    """Return the living processes in these sessions."""
    return [process for process, session in _living_processes() if session in sessions]


def signal_sessions(sessions: Collection[int], number: int) -> bool:
    """Send a signal to every process in these sessions; return whether there were any."""
    processes = members(sessions)
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)
    return bool(processes)


def _living_processes() -> Iterator[tuple[int, int]]:
    """Yield every process that is not a zombie, with its session."""
    if not PROC.joinpath("self").exists():  # no procfs
        yield from _processes_by_listing()
        return
    for name in os.listdir(PROC):
        if not name.isdigit():
            continue
        with suppress(FileNotFoundError, ProcessLookupError):
            state, _, _, session = PROC.joinpath(name, "stat").read_text().rpartition(")")[2].split()[:4]  # proc(5)
            if state not in "ZX":
                yield int(name), int(session)


def _processes_by_listing() -> Iterator[tuple[int, int]]:
    lines = subprocess.run(["ps", "-A", "-o", "pid=,stat="], check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        process, state = line.split()[:2]
        with suppress(ProcessLookupError, PermissionError):
            if not state.startswith("Z"):
                yield int(process), os.getsid(int(process))
