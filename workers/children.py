"""Start processes that end with this one: forks, and other programs."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, Protocol

from setproctitle import setproctitle

PR_SET_PDEATHSIG = 1  # prctl(2), Linux
LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
INHERITED_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGINT)  # whose handlers a fork resets
LOWEST_PRIORITY = 19  # the largest nice value


class Child(Protocol):
    """A process that this one started."""

    @property
    def pid(self) -> int: ...

    def wait(self) -> int:
        """Wait for its end. Return the exit code; for a signal, its negative number."""


def start(
    title: str,
    run: Callable[[], object] | None,
    argv: Sequence[str],
    environ: Mapping[str, str],
    output: int,
    standard_input: int = -1,
    lock: int = -1,
) -> Child:
    """Start a process that is killed when this one ends.

    Args:
        title: what `ps` shows.
        run: called in a fork of this process, which shares what is imported here.
        argv: the program to start if there is no `run`, or if this process cannot fork.
        output: the file for all that it prints.
        standard_input, lock: files that it has open; -1: none.
    """
    if run is not None and can_fork():
        return fork_child(run, environ, title, output, standard_input, lock)
    return start_child(
        argv,
        environ,
        last_signal=signal.SIGKILL,
        stdin=subprocess.DEVNULL if standard_input < 0 else standard_input,
        stdout=output,
        stderr=output,
        pass_fds=[lock] if lock >= 0 else [],
    )


def has_parent_death_signal() -> bool:
    """Check if the system ends processes with the one that started them."""
    return LIBC is not None


def start_child(
    argv: Sequence[str], environ: Mapping[str, str] | None = None, last_signal: int = signal.SIGTERM, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own. On Linux it gets `last_signal` when the thread that started it ends."""
    parent = os.getpid()
    return subprocess.Popen(
        argv,
        env=environ,
        start_new_session=True,
        preexec_fn=lambda: _tie_to(parent, last_signal),
        **{"stdin": subprocess.DEVNULL, **options},
    )


def _tie_to(parent: int, last_signal: int) -> None:
    """Make a new process end with its parent."""
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, last_signal)
    if os.getppid() != parent:  # it died in between, so no signal will come
        os._exit(1)


def yield_processor() -> None:
    """Run this process only when no other wants the processor.

    Linux may divide the processor among sessions first, and then among the processes of each (sched(7), autogroup). A
    process with its own session therefore has to be nice as a session too. The session of a terminal is left as it is.
    """
    os.nice(LOWEST_PRIORITY)
    if os.getsid(0) != os.getpid():
        return
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(LOWEST_PRIORITY))


# --- a process that shares what this one has imported -----------------------------------------------------------


class Forked:
    """A fork of this process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def wait(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def can_fork() -> bool:
    """Check if a fork of this process can run by itself: a lock that another thread holds is never released there."""
    return sys.platform == "linux" and threading.active_count() == 1


def fork_child(
    run: Callable[[], object],
    environ: Mapping[str, str],
    title: str,
    output: int,
    standard_input: int = -1,
    lock: int = -1,
) -> Forked:
    """Call a function in a fork of this process, in a session of its own. Only the given files stay open there."""
    parent = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    gc.freeze()  # what is here now stays in memory that both share
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, INHERITED_SIGNALS)  # until the fork has handlers of its own
    pid = os.fork()
    if pid:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        return Forked(pid)
    code = 1
    try:
        os.setsid()
        _tie_to(parent, signal.SIGKILL)
        _forget_parent(environ, title, output, standard_input, lock)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        run()
        code = 0
    except SystemExit as end:
        code = _exit_code(end)
    except BaseException:
        traceback.print_exc()
    finally:  # the fork must never continue with what its parent was doing
        _leave(code)


def _forget_parent(environ: Mapping[str, str], title: str, output: int, standard_input: int, lock: int) -> None:
    """Reset signals, files and settings in a fork."""
    signal.set_wakeup_fd(-1)
    for number in INHERITED_SIGNALS:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for file, copy in ((nothing if standard_input < 0 else standard_input, 0), (output, 1), (output, 2)):
        os.dup2(file, copy)
    if lock >= 0:
        os.dup2(lock, 3)
    os.closerange(4 if lock >= 0 else 3, os.sysconf("SC_OPEN_MAX"))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    setproctitle(title)  # before the environment is cleared, next to which the system keeps the title
    os.environ.clear()
    os.environ.update(environ)


def _exit_code(end: SystemExit) -> int:
    """Return the exit code as the interpreter does, which prints a text."""
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    print(end.code, file=sys.stderr)
    return 1


def _leave(code: int) -> NoReturn:
    """Flush the output and end this process without Python's clean-up."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def stop(child: subprocess.Popen[bytes], number: int = signal.SIGTERM, patience_seconds: float = 10) -> int:
    """Ask a process to end, kill it if it does not, and return its exit code."""
    child.send_signal(number)
    try:
        return child.wait(patience_seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()
