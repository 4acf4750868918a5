"""Processes that do not outlive the one that started them."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

PR_SET_PDEATHSIG = 1  # prctl(2), Linux
LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def started(
    argv: Sequence[str], environ: Mapping[str, str] | None = None, last_signal: int = signal.SIGTERM, **options: Any,
) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own. On Linux it gets `last_signal` when the thread that started it ends.

    Elsewhere it is told by nobody; there the supervisor's watch alone cleans up.
    """
    parent = os.getpid()

    def tied_to_parent() -> None:
        if LIBC is not None:
            LIBC.prctl(PR_SET_PDEATHSIG, last_signal)
        if os.getppid() != parent:  # it died in between, so no signal will come
            os._exit(1)

    return subprocess.Popen(
        argv, env=environ, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=tied_to_parent, **options)


def stop(child: subprocess.Popen[bytes], asked: int = signal.SIGTERM, patience_seconds: float = 10) -> int:
    """Ask a process to end, end it if it does not, and return its exit code."""
    child.send_signal(asked)
    try:
        return child.wait(patience_seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()
