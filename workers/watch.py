"""End the parts of a supervisor that was killed, where the system has no parent-death signal (all but Linux).

This process reads the sessions of the parts, one line of numbers for every change. When its input ends, the supervisor
has ended. Then it terminates the processes in those sessions, and kills them five seconds later.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection
from contextlib import suppress

from daybook.workers.sessions import members, signal_sessions

PATIENCE_SECONDS = 5
PAUSE_SECONDS = 1.0  # between two starts


class Watch:
    """The supervisor's end of the watch. lock: stays held until everything has ended."""

    def __init__(self, lock: int) -> None:
        self._lock = lock
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe = -1
        self._since = 0.0
        self._told: frozenset[int] = frozenset()

    def update(self, sessions: Collection[int]) -> None:
        """Tell the watch the sessions if they changed; start it again if it ended."""
        if self._process is None or (
            self._process.poll() is not None and time.monotonic() > self._since + PAUSE_SECONDS
        ):
            self._start_process()
        elif self._told == frozenset(sessions):
            return
        self._told = frozenset(sessions)
        with suppress(BrokenPipeError):  # it has ended, and the next call starts another
            os.write(self._pipe, (" ".join(map(str, sessions)) + "\n").encode())

    def _start_process(self) -> None:
        """Start the watching process, with a new pipe on which it reads the sessions."""
        if self._pipe >= 0:
            os.close(self._pipe)
        reads, self._pipe = os.pipe()
        self._since = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=reads,
            start_new_session=True,
            pass_fds=[self._lock] if self._lock >= 0 else [],
        )
        os.close(reads)

    def close(self) -> None:
        if self._process is not None:
            os.close(self._pipe)
            self._process.wait()


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends when the supervisor has ended, not before
    sessions: set[int] = set()
    for line in sys.stdin:
        sessions = {int(word) for word in line.split()}
    end = time.monotonic() + PATIENCE_SECONDS
    waiting = signal_sessions(sessions, signal.SIGTERM)
    while waiting and time.monotonic() < end:
        time.sleep(0.05)
        waiting = bool(members(sessions))
    while waiting:
        waiting = signal_sessions(sessions, signal.SIGKILL)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
