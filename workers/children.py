"""Processes that do not outlive the one that started them."""

from __future__ import annotations

import ctypes
import gc
import os
import runpy
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, Protocol

from setproctitle import setproctitle

PR_SET_PDEATHSIG = 1  # prctl(2), Linux
LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
LAST = 19  # the nicest that a process can be


class Child(Protocol):
    """A process that was started here."""

    @property
    def pid(self) -> int: ...

    def wait(self) -> int:
        """Wait for its end. The exit code; of a signal, its number below zero."""


def start_child(
    argv: Sequence[str], environ: Mapping[str, str] | None = None, last_signal: int = signal.SIGTERM, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own. On Linux it gets `last_signal` when the thread that started it ends.

    Elsewhere it is told by nobody; there the supervisor's watch alone cleans up.
    """
    parent = os.getpid()
    return subprocess.Popen(
        argv,
        env=environ,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: _tie_to(parent, last_signal),
        **options,
    )


def _tie_to(parent: int, last_signal: int) -> None:
    """In a new process: end with the one that started it."""
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, last_signal)
    if os.getppid() != parent:  # it died in between, so no signal will come
        os._exit(1)


# --- a process that shares what this one has imported -----------------------------------------------------------


class Forked:
    """A fork of this process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def wait(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def yield_processor() -> None:
    """Have this process run where no other wants to.

    Linux may divide the processor among sessions first, and among the processes of each then (sched(7), autogroup):
    what has a session of its own has to be nice as a session too. That of a terminal is left as it is.
    """
    os.nice(LAST)
    if os.getsid(0) != os.getpid():
        return
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(LAST))


def can_fork() -> bool:
    """Whether a fork of this process can go on by itself: a lock that another thread holds would never be released."""
    return sys.platform == "linux" and threading.active_count() == 1


def fork_child(
    module: str, arguments: Sequence[str], environ: Mapping[str, str], name: str, output: int, standard_input: int = -1
) -> Forked:
    """Does what `python -m module arguments` does, in a fork of this process: what is imported here is there already.

    A session of its own and tied to this process, like what `start_child` starts. Nothing that is open here is open
    there.
    name: what the system shows. output: a file for all it prints. standard_input: a file, or none.
    """
    parent = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    gc.freeze()  # what is here now stays in memory that both share
    pid = os.fork()
    if pid:
        return Forked(pid)
    code = 1
    try:
        os.setsid()
        _tie_to(parent, signal.SIGTERM)
        _begin_anew(environ, name, output, standard_input)
        _run(module, arguments)
        code = 0
    except SystemExit as end:
        code = _exit_code(end)
    except BaseException:
        traceback.print_exc()
    finally:  # whatever happens: the fork must not go on with what its parent was doing
        _leave(code)


def _begin_anew(environ: Mapping[str, str], name: str, output: int, standard_input: int) -> None:
    """Undo in a fork what belongs to its parent: signals, files, settings."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for file, to in ((nothing if standard_input < 0 else standard_input, 0), (output, 1), (output, 2)):
        os.dup2(file, to)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    setproctitle(name)  # before the environment is cleared, next to which the system keeps the title
    os.environ.clear()
    os.environ.update(environ)


def _run(module: str, arguments: Sequence[str]) -> None:
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _exit_code(end: SystemExit) -> int:
    """As the interpreter has it: a text is printed."""
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    print(end.code, file=sys.stderr)
    return 1


def _leave(code: int) -> NoReturn:
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def stop(child: subprocess.Popen[bytes], asked: int = signal.SIGTERM, patience_seconds: float = 10) -> int:
    """Ask a process to end, end it if it does not, and return its exit code."""
    child.send_signal(asked)
    try:
        return child.wait(patience_seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()
