"""Fork server: each connection to its socket gets a pool process, forked from the supervisor.

The supervisor keeps its end of a connection until the process has ended. Then it writes the exit code and closes it, so
the web process knows both that and why the process was lost.
"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from daybook.workers.children import can_fork, fork_child

MEMBER = "daybook.web.member"
NUMBER_BYTES = 8  # of a process id, written first, and of an exit code, written last


class ForkServer:
    """Listens in the data folder, which only its owner can enter."""

    def __init__(self, path: Path, environ: Mapping[str, str]) -> None:
        self.path = path
        self.environ = environ
        self.connections: dict[int, socket.socket] = {}  # by process
        path.unlink(missing_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.setblocking(False)
        self.listener.bind(str(path))
        path.chmod(0o600)
        self.listener.listen(16)

    def fork(self, output: int) -> int | None:
        """Fork a process for the next connection; None if the client has gone. output: a file for all it prints."""
        try:
            connection, _ = self.listener.accept()
        except OSError:
            return None
        if not can_fork():
            connection.close()
            return None
        connection.setblocking(True)
        process = fork_child(MEMBER, [], self.environ, "daybook pool", output, connection.fileno())
        self.connections[process.pid] = connection
        with suppress(OSError):
            connection.send(process.pid.to_bytes(NUMBER_BYTES, "big", signed=True), socket.MSG_DONTWAIT)
        return process.pid

    def note_end(self, process: int) -> None:
        """Reap a process and tell the web process why it ended."""
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        connection = self.connections.pop(process)
        with suppress(OSError):
            connection.send(code.to_bytes(NUMBER_BYTES, "big", signed=True), socket.MSG_DONTWAIT)
        connection.close()

    def close(self) -> None:
        """End all processes, and stop listening."""
        self.listener.close()
        self.path.unlink(missing_ok=True)
        for process in [*self.connections]:
            os.kill(process, signal.SIGKILL)  # not reaped yet, so the number is its own
            self.note_end(process)
