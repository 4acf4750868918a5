"""Other processes of a test, forked from one that has imported what they need (tests/known.py).

To begin with nothing takes each more than half a second, and most of them do not live that long.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from subprocess import DEVNULL, PIPE, TimeoutExpired
from typing import IO, Any

from daybook.workers.children import _tie_to
from tests.servers import PATIENCE_SECONDS

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["tests.known"])


def begin() -> None:
    """Have the process there that others are forked from, before Daybook itself begins one that knows less."""
    forkserver.ensure_running()


@contextmanager
def running(work: Callable[..., None], *arguments: Any) -> Iterator[tuple[BaseProcess, Connection]]:
    """Another process that does this work, and what it sends; killed at the end if it has not finished."""
    here, there = processes.Pipe(duplex=False)
    process = processes.Process(target=work, args=(*arguments, there))
    process.start()
    there.close()
    try:
        yield process, here
    finally:
        process.kill()
        process.join()
        here.close()


def all_sent(connection: Connection) -> Iterator[Any]:
    """All that a process sends until it ends or is killed; what it was sending at that moment does not count."""
    while True:
        try:
            yield connection.recv()
        except (EOFError, OSError):
            return


# --- programs -------------------------------------------------------------------------------------------------------


class Program:
    """`python -c code` in a session of its own and tied to this process, as `start_child` starts it.

    log: for all that it prints. stderr: PIPE or DEVNULL.
    """

    def __init__(
        self, code: str, environ: Mapping[str, str], log: IO[bytes] | None = None, stderr: int | None = None
    ) -> None:
        self.stderr: IO[bytes] | None = None
        outputs = dict[int, Connection]()
        if log is not None:
            outputs = {to: Connection(os.dup(log.fileno()), readable=False) for to in (1, 2)}
        elif stderr == PIPE:
            reads, writes = os.pipe()
            self.stderr, outputs[2] = open(reads, "rb"), Connection(writes, readable=False)  # noqa: SIM115
        elif stderr == DEVNULL:
            outputs[2] = Connection(os.open(os.devnull, os.O_WRONLY), readable=False)
        self.process = processes.Process(target=_run, args=(code, dict(environ), outputs))
        self.process.start()
        for output in outputs.values():
            output.close()
        assert self.process.pid is not None
        self.pid: int = self.process.pid

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self.process.join(timeout)
        if (code := self.poll()) is None:
            raise TimeoutExpired("a program", timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def last_words(self) -> tuple[int, bytes]:
        """Return the exit code and all of standard error."""
        assert self.stderr is not None
        code = self.wait(PATIENCE_SECONDS)
        with self.stderr:
            return code, self.stderr.read()


def _run(code: str, environ: Mapping[str, str], outputs: Mapping[int, Connection]) -> None:
    os.setsid()
    _tie_to(os.getppid(), signal.SIGTERM)
    for to, output in outputs.items():
        os.dup2(output.fileno(), to)
        output.close()
    os.environ.clear()
    os.environ.update(environ)
    exec(compile(code, "<program>", "exec"), {"__name__": "__main__"})
