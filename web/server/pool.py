"""Processes that answer requests that take long: each has the whole application.

Under `daybook serve` the supervisor forks them (`workers/fork_server.py`), which takes a tenth of a second. Without it
they are started, the first one before there is work. A process that was lost or ended is replaced by the next request.
None outlives the web process: it ends when its connection is closed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import IO, Any, Protocol

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.services.cpu_debts import CpuDebts, Visitor
from daybook.web.server.fair_queue import FairQueue

MEMBER = "daybook.web.member"
MEMBERS = 2
WAITING = 256
WAITING_OF_ONE = 24  # a group behind one router asks for its score sheets at once
LONGEST_SECONDS = 120.0  # for one request; whatever takes longer has gone astray
END_SECONDS = 2.0  # for a process to end by itself
NICE = 10  # behind all that answers taps, and before win chances
LENGTH_BYTES = 8  # before each message, and before the body of a request
BODY_PIECE_BYTES = 256 * 1024
NUMBER_BYTES = 8  # of a process id and of an exit code, as `workers/fork_server.py` writes them
FORK_SECONDS = 2.0  # for the supervisor to fork a process

logger = logging.getLogger(__name__)


class LongRequest(Frozen):
    """A request as WSGI has it, without what belongs to the server's process."""

    environ: dict[str, str]
    body: bytes = b""  # sent after the rest, a piece at a time: copying all of it at once would keep taps waiting


class LongAnswer(Frozen):
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    is_last: bool = False  # the process ends after it
    process_time: float = 0.0  # CPU seconds


ARE_YOU_READY = LongRequest({})
READY = LongAnswer(204, [], b"")


class MemberLost(Exception):
    """The process that was at a request ended. What it wrote down is written down."""


class OverLimitError(Exception):
    """A request took more time than one may; its process was ended. What it wrote down is written down."""


def pack_length(length: int) -> bytes:
    return length.to_bytes(LENGTH_BYTES, "big")


def pack(message: LongRequest | LongAnswer) -> bytes:
    packed = msgspec.msgpack.encode(message)
    return pack_length(len(packed)) + packed


class PoolProcess(Protocol):
    """A process of the pool, as a child or as one that the supervisor forked."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None: ...

    def kill(self) -> None: ...

    def send_signal(self, number: int, /) -> None: ...

    def wait(self, timeout: float | None = None) -> int: ...


class ForkedProcess:
    """A process that the supervisor forked and reaps."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None  # known once the supervisor has told
        self._file = os.pidfd_open(pid)  # stays this process's, whatever its number is used for later

    def poll(self) -> int | None:
        return (self.returncode or 0) if self._has_ended(0) else None

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int, /) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._file, number)

    def wait(self, timeout: float | None = None) -> int:
        if not self._has_ended(None if timeout is None else timeout * 1000):
            raise subprocess.TimeoutExpired("pool", timeout or 0)
        return self.returncode or 0

    def _has_ended(self, milliseconds: float | None) -> bool:
        poll = select.poll()  # not select(), which takes no file above 1024
        poll.register(self._file, select.POLLIN)
        return bool(poll.poll(milliseconds))

    def __del__(self) -> None:
        with suppress(AttributeError):
            os.close(self._file)


class Member:
    """One of the processes, and the socket to it."""

    def __init__(self, process: PoolProcess, channel: socket.socket) -> None:
        self.process = process
        self._channel = channel
        self._channel.setblocking(False)
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    @classmethod
    def start(cls, environ: Mapping[str, str]) -> Member:
        """Start a process of our own."""
        ours, theirs = socket.socketpair()
        with theirs:
            return cls(subprocess.Popen([sys.executable, "-m", MEMBER], stdin=theirs.fileno(), env=environ), ours)

    @classmethod
    def fork(cls, path: Path) -> Member:
        """Have the supervisor fork a process. Raises OSError if none listens there."""
        channel = socket.socket(socket.AF_UNIX)
        try:
            channel.settimeout(FORK_SECONDS)
            channel.connect(str(path))
            number = channel.recv(NUMBER_BYTES, socket.MSG_WAITALL)
            if len(number) < NUMBER_BYTES:
                raise ConnectionResetError("the supervisor forked no process")
            return cls(ForkedProcess(int.from_bytes(number, "big", signed=True)), channel)
        except BaseException:
            channel.close()
            raise

    @property
    def lives(self) -> bool:
        return self.process.poll() is None

    async def answer(self, asked: LongRequest, body: IO[bytes]) -> LongAnswer:
        """Return the answer; raise OSError or IncompleteReadError if the process ends before it."""
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(sock=self._channel)
        body.seek(0, SEEK_END)
        self._writer.write(pack(asked) + pack_length(body.tell()))
        body.seek(0)
        while piece := body.read(BODY_PIECE_BYTES):
            self._writer.write(piece)
            await self._writer.drain()
        try:
            length = int.from_bytes(await self._reader.readexactly(LENGTH_BYTES), "big", signed=True)
            if length <= 0:  # an exit code, which the supervisor wrote
                raise asyncio.IncompleteReadError(length.to_bytes(LENGTH_BYTES, "big", signed=True), None)
            return msgspec.msgpack.decode(await self._reader.readexactly(length), type=LongAnswer)
        except asyncio.IncompleteReadError as lost:
            if isinstance(self.process, ForkedProcess) and len(lost.partial) >= NUMBER_BYTES:
                self.process.returncode = int.from_bytes(lost.partial[-NUMBER_BYTES:], "big", signed=True)
            raise

    def end(self) -> None:
        """End it now, whatever it does."""
        self.process.kill()
        self.close()
        self.process.wait()

    def close(self) -> None:
        """Close the connection, which ends an idle process."""
        if self._writer is not None:
            self._writer.close()
        self._channel.close()


class Pool:
    """The processes, and the line before them."""

    def __init__(
        self, environ: Mapping[str, str], debts: CpuDebts | None = None, fork_server: Path | None = None
    ) -> None:
        self.environ = {**os.environ, **environ}
        self.debts = debts or CpuDebts()
        self._fork_server = fork_server
        self.queue = FairQueue(MEMBERS, 1, WAITING, WAITING_OF_ONE, self.debts)
        self.members: list[Member] = []
        self._starting: Member | None = None  # before there is any work
        self._idle: list[Member] = []  # the last one that worked is taken first: it has most at hand

    async def answer(
        self, visitor: Visitor, environ: Mapping[str, Any], body: IO[bytes], begun: asyncio.Event
    ) -> LongAnswer:
        """The answer to a request, in a fair order.

        Raises QueueFullError, TooMuchDebtError, MemberLost, OverLimitError.

        body: read when it is this one's turn. begun: set then. What only reads is tried a second time where its process
        ended.
        """
        async with self.queue.slot(visitor):
            begun.set()
            asked = LongRequest({key: text for key, text in environ.items() if isinstance(text, str)})
            for is_last in (False, True) if asked.environ["REQUEST_METHOD"] in ("GET", "HEAD") else (True,):
                member = await self._take()
                began, used = time.monotonic(), None
                try:
                    async with asyncio.timeout(LONGEST_SECONDS):
                        answer = await member.answer(asked, body)
                except (OSError, asyncio.IncompleteReadError) as lost:  # a TimeoutError is an OSError
                    self._drop(member)
                    logger.warning("a process that answers what takes long has ended: %s", asked.environ["PATH_INFO"])
                    if isinstance(lost, TimeoutError) or member.process.returncode == -signal.SIGXCPU:
                        raise OverLimitError from lost
                    if is_last:
                        raise MemberLost from lost
                except asyncio.CancelledError:
                    self._drop(member)
                    raise
                else:
                    used = answer.process_time
                    if answer.is_last:
                        self._drop(member)
                    else:
                        self._idle.append(member)
                    return answer
                finally:  # of a process that was lost the time is known, not how much of it was CPU time
                    self.debts.charge(visitor, time.monotonic() - began if used is None else used)
            raise AssertionError("the last try answers or raises")

    async def start_one(self) -> None:
        """Have a process ready before there is work, unless there is one; it starts when nothing else wants to run.

        Whoever asks meanwhile has another one started, which does not wait for it.
        """
        if self.members or (self._fork_server is not None and self._fork_server.exists()):
            return
        async with self.queue.slot(Visitor("nobody yet")):
            self._starting = member = await self._start()
            os.setpriority(os.PRIO_PROCESS, member.process.pid, NICE)
            try:
                await member.answer(ARE_YOU_READY, BytesIO())
            except (OSError, asyncio.IncompleteReadError):  # it says why; the next request starts another
                self._drop(member)
            else:
                self._idle.append(member)
            finally:
                self._starting = None

    async def _take(self) -> Member:
        while self._idle:
            member = self._idle.pop()
            if member.lives:
                return member
            self._drop(member)
        return await self._start()

    async def _start(self) -> Member:
        member = await asyncio.to_thread(self._fork) or Member.start(self.environ)
        self.members.append(member)
        return member

    def _fork(self) -> Member | None:
        """Return a process that the supervisor forked; None if there is no supervisor."""
        if self._fork_server is None:
            return None
        try:
            return Member.fork(self._fork_server)
        except OSError:
            return None

    def _drop(self, member: Member) -> None:
        member.end()
        self.members.remove(member)

    def close(self) -> None:
        """End all, in good order where they are idle."""
        if self._starting is not None:
            self._starting.process.kill()
        for member in self.members:
            member.close()
        for member in self.members:
            try:
                member.process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                member.process.kill()
                member.process.wait()
        self.members.clear()
        self._idle.clear()
