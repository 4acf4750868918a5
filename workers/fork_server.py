"""Fork server: each connection to its socket gets a pool process.

The connection stays between the web process and this one. Through it the web process receives the process id, and a
socket to the new process. When the web process closes the connection, the pool process is killed. When the pool process
ends, the web process reads its exit code and then an end of file.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from daybook.workers.children import Child

NUMBER_BYTES = 8  # of a process id, sent first, and of an exit code, sent last
LISTEN_BACKLOG = 16


class ForkServer:
    """Listens in the data folder, which only its owner can enter.

    Args:
        start: starts a pool process with this file as its standard input.
    """

    def __init__(self, path: Path, selector: selectors.BaseSelector, start: Callable[[int], Child]) -> None:
        self.processes: dict[int, tuple[Child, socket.socket]] = {}
        self._path = path
        self._selector = selector
        self._start = start
        path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.setblocking(False)
        self._listener.bind(str(path))
        path.chmod(0o600)
        self._listener.listen(LISTEN_BACKLOG)
        selector.register(self._listener, selectors.EVENT_READ, self._accept)

    def note_end(self, pid: int) -> None:
        """Reap a process, and send its exit code."""
        process, connection = self.processes.pop(pid)
        code = process.wait()
        with connection:
            with suppress(KeyError):  # its client has gone
                self._selector.unregister(connection)
            with suppress(OSError):
                connection.send(_pack_number(code))

    def close(self) -> None:
        """Stop listening and kill all processes."""
        self._selector.unregister(self._listener)
        self._listener.close()
        self._path.unlink(missing_ok=True)
        for pid in [*self.processes]:
            os.kill(pid, signal.SIGKILL)  # not reaped yet, so the number is its own
            self.note_end(pid)

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:  # the client has gone
            return
        channel, theirs = socket.socketpair()
        with channel, theirs:
            process = self._start(theirs.fileno())
            connection.setblocking(False)
            self.processes[process.pid] = process, connection
            self._selector.register(connection, selectors.EVENT_READ, partial(self._kill, process.pid, connection))
            with suppress(OSError):
                socket.send_fds(connection, [_pack_number(process.pid)], [channel.fileno()])

    def _kill(self, pid: int, connection: socket.socket) -> None:
        """Kill a process without a client."""
        self._selector.unregister(connection)
        os.kill(pid, signal.SIGKILL)


def _pack_number(number: int) -> bytes:
    return number.to_bytes(NUMBER_BYTES, "big", signed=True)
