"""Processes that answer requests that take long: each has the whole application.

The supervisor forks them (`workers/fork_server.py`), which takes a tenth of a second. A process that was lost or ended
is replaced by the next request. None outlives the web process: it is killed when its connection is closed.
"""

from __future__ import annotations

import asyncio
import logging
import select
import signal
import socket
import time
from collections.abc import Mapping
from io import SEEK_END
from pathlib import Path
from typing import IO, Any

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.services.cpu_debts import CpuDebts, Visitor
from daybook.web.server.fair_queue import FairQueue

MEMBERS = 2
QUEUE_LIMIT = 256
QUEUE_LIMIT_PER_HOLDER = 24  # a group behind one router opens its score sheets at the same moment
MAX_REQUEST_SECONDS = 120.0
NICE = 10  # after all processes that answer taps, and before win chances
LENGTH_BYTES = 8  # before each message, and before the body of a request
BODY_PIECE_BYTES = 256 * 1024
NUMBER_BYTES = 8  # of a process id and of an exit code, as `workers/fork_server.py` writes them
FORK_SECONDS = 20.0  # for the supervisor to fork a process
EXIT_CODE_SECONDS = 5.0  # for the supervisor to say why a process ended

logger = logging.getLogger(__name__)


class LongRequest(Frozen):
    """A WSGI request without the objects of the server's process."""

    environ: dict[str, str]
    body: bytes = b""  # sent after the rest, a piece at a time: copying all of it at once would keep taps waiting


class LongAnswer(Frozen):
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    is_last: bool = False  # the process ends after it
    process_time: float = 0.0  # CPU seconds


class MemberLostError(Exception):
    """The process that answered a request ended. What it wrote is written."""


class OverLimitError(Exception):
    """A request exceeded its time, and its process was ended. What it wrote is written."""


def pack_length(length: int) -> bytes:
    return length.to_bytes(LENGTH_BYTES, "big")


def pack(message: LongRequest | LongAnswer) -> bytes:
    """Encode a message with its length in front."""
    packed = msgspec.msgpack.encode(message)
    return pack_length(len(packed)) + packed


class Member:
    """A process of the pool.

    Args:
        pid: its process id.
        connection: to the supervisor, which kills the process when this is closed, and sends its exit code.
        channel: to the process.
    """

    def __init__(self, pid: int, connection: socket.socket, channel: socket.socket) -> None:
        self.pid = pid
        self._connection = connection
        self._channel = channel
        self._connection.setblocking(False)
        self._channel.setblocking(False)
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    @classmethod
    def fork(cls, path: Path) -> Member:
        """Have the supervisor fork a process. Raises OSError."""
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(FORK_SECONDS)
            connection.connect(str(path))
            number, files, _, _ = socket.recv_fds(connection, NUMBER_BYTES, 1)
            if len(number) < NUMBER_BYTES or not files:
                raise ConnectionResetError("the supervisor forked no process")
            return cls(int.from_bytes(number, "big", signed=True), connection, socket.socket(fileno=files[0]))
        except BaseException:
            connection.close()
            raise

    @property
    def lives(self) -> bool:
        """Check if the supervisor has sent no exit code, and has not gone."""
        poll = select.poll()  # not select(), which takes no file above 1024
        poll.register(self._connection, select.POLLIN)
        return not poll.poll(0)

    async def answer(self, request: LongRequest, body: IO[bytes]) -> LongAnswer:
        """Return the answer; raise OSError or IncompleteReadError if the process ends before it."""
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(sock=self._channel)
        body.seek(0, SEEK_END)
        self._writer.write(pack(request) + pack_length(body.tell()))
        body.seek(0)
        while piece := body.read(BODY_PIECE_BYTES):
            self._writer.write(piece)
            await self._writer.drain()
        length = int.from_bytes(await self._reader.readexactly(LENGTH_BYTES), "big")
        return msgspec.msgpack.decode(await self._reader.readexactly(length), type=LongAnswer)

    async def read_exit_code(self) -> int:
        """Return the exit code of a process that ended; 0 if the supervisor has gone."""
        try:
            async with asyncio.timeout(EXIT_CODE_SECONDS):
                code = await asyncio.get_running_loop().sock_recv(self._connection, NUMBER_BYTES)
        except OSError:
            return 0
        return int.from_bytes(code, "big", signed=True)

    def end(self) -> None:
        """Have the supervisor kill the process now."""
        if self._writer is not None:
            self._writer.close()
        self._channel.close()
        self._connection.close()


class Pool:
    """The processes, and the queue before them.

    Args:
        fork_socket: where the supervisor forks a process.
    """

    def __init__(self, fork_socket: Path, debts: CpuDebts | None = None) -> None:
        self.debts = debts or CpuDebts()
        self.queue = FairQueue(MEMBERS, 1, QUEUE_LIMIT, QUEUE_LIMIT_PER_HOLDER, self.debts)
        self.members: list[Member] = []
        self._fork_socket = fork_socket
        self._idle: list[Member] = []  # the one that worked last is taken first: it has most in its caches

    async def answer(
        self, visitor: Visitor, environ: Mapping[str, Any], body: IO[bytes], begun: asyncio.Event
    ) -> LongAnswer:
        """Return the answer to a request, in a fair order. A request that only reads is retried once.

        Raises QueueFullError, TooMuchDebtError, MemberLostError, OverLimitError.

        Args:
            body: read when the request gets a process.
            begun: set then.
        """
        async with self.queue.slot(visitor):
            begun.set()
            request = LongRequest({key: text for key, text in environ.items() if isinstance(text, str)})
            for is_last in (False, True) if request.environ["REQUEST_METHOD"] in ("GET", "HEAD") else (True,):
                began, used = time.monotonic(), None
                try:
                    answer = await self._answer_once(request, body)
                    used = answer.process_time
                    return answer
                except MemberLostError:
                    if is_last:
                        raise
                finally:  # how much of the time of a lost process was CPU time is unknown
                    self.debts.charge(visitor, time.monotonic() - began if used is None else used)
            raise AssertionError("the last try answers or raises")

    async def _answer_once(self, request: LongRequest, body: IO[bytes]) -> LongAnswer:
        """Return the answer of one process. Raises MemberLostError, OverLimitError."""
        member = await self._take()
        is_kept = False
        try:
            async with asyncio.timeout(MAX_REQUEST_SECONDS):
                answer = await member.answer(request, body)
            is_kept = not answer.is_last
            return answer
        except (OSError, asyncio.IncompleteReadError) as error:  # a TimeoutError is an OSError
            logger.warning("a process of the pool was lost: %s", request.environ["PATH_INFO"])
            if isinstance(error, TimeoutError) or await member.read_exit_code() == -signal.SIGXCPU:
                raise OverLimitError from error
            raise MemberLostError from error
        finally:
            if is_kept:
                self._idle.append(member)
            else:
                self._drop(member)

    async def _take(self) -> Member:
        """Return an idle process or a new one. Raises MemberLostError."""
        while self._idle:
            member = self._idle.pop()
            if member.lives:
                return member
            self._drop(member)
        try:
            member = await asyncio.to_thread(Member.fork, self._fork_socket)
        except OSError as error:
            logger.warning("no process of the pool could be forked: %s", error)
            raise MemberLostError from error
        self.members.append(member)
        return member

    def _drop(self, member: Member) -> None:
        """End a member and remove it from the pool."""
        member.end()
        if member in self.members:  # it is not after `close`
            self.members.remove(member)

    def close(self) -> None:
        """End all processes."""
        for member in self.members:
            member.end()
        self.members.clear()
        self._idle.clear()
