"""Ends what the supervisor leaves behind when it is killed.

A part's own children (a request server's, a job's) hear nothing of the supervisor's death. Each part therefore
runs in a session of its own, and this process is told the sessions, one line of numbers on its standard input
for every change. When the input ends, the supervisor has ended: whoever is left in those sessions is asked to
end, and is ended five seconds later. Until then the lock it inherited keeps the data folder closed to others.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

PATIENCE_SECONDS = 5
PROC = Path("/proc")


def members(sessions: Collection[int]) -> list[int]:
    """The processes alive in these sessions."""
    return [process for process, session in _living_processes() if session in sessions]


def signal_sessions(sessions: Collection[int], number: int) -> bool:
    """Send a signal to everyone in these sessions; was anyone there?"""
    there = members(sessions)
    for process in there:
        with suppress(ProcessLookupError):
            os.kill(process, number)
    return bool(there)


def _living_processes() -> Iterator[tuple[int, int]]:
    """Every process that is not a zombie, with its session."""
    if not PROC.joinpath("self").exists():  # no procfs: ask ps
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


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends when the supervisor has ended, not before
    sessions: set[int] = set()
    for line in sys.stdin:
        sessions = {int(word) for word in line.split()}
    end = time.monotonic() + PATIENCE_SECONDS
    there = signal_sessions(sessions, signal.SIGTERM)
    while there and time.monotonic() < end:
        time.sleep(0.05)
        there = bool(members(sessions))
    while there:
        there = signal_sessions(sessions, signal.SIGKILL)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
