"""A few processes beside the server's own, which answer what takes long: each has the whole application.

A request is handed over as it came, and so is its answer. A process is started when there is work and none is idle, and
stays; the first one is started before there is any, since that takes seconds. One that was ended from outside, or takes too long, is replaced when the next request comes; none outlives the
server: its socket ends, and it looks whether who started it is still there. They run where nobody else wants to.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from io import SEEK_END, BytesIO
from typing import IO, Any

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


class Member:
    """One of the processes, and the socket to it."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen([sys.executable, "-m", MEMBER], stdin=theirs.fileno(), env=environ)
        self._ours.setblocking(False)
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    @property
    def lives(self) -> bool:
        return self.process.poll() is None

    async def answer(self, asked: LongRequest, body: IO[bytes]) -> LongAnswer:
        """Raises OSError and IncompleteReadError where the process ends over it."""
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(sock=self._ours)
        body.seek(0, SEEK_END)
        self._writer.write(pack(asked) + pack_length(body.tell()))
        body.seek(0)
        while piece := body.read(BODY_PIECE_BYTES):
            self._writer.write(piece)
            await self._writer.drain()
        length = int.from_bytes(await self._reader.readexactly(LENGTH_BYTES), "big")
        return msgspec.msgpack.decode(await self._reader.readexactly(length), type=LongAnswer)

    def end(self) -> None:
        """End it now, whatever it does."""
        self.process.kill()
        self.close()
        self.process.wait()

    def close(self) -> None:
        """Tell it that nothing more comes."""
        if self._writer is not None:
            self._writer.close()
        self._ours.close()


class Pool:
    """The processes, and the line before them."""

    def __init__(self, environ: Mapping[str, str], debts: CpuDebts | None = None) -> None:
        self.environ = {**os.environ, **environ}
        self.debts = debts or CpuDebts()
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
                member = self._take()
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
        if self.members:
            return
        async with self.queue.slot(Visitor("nobody yet")):
            self._starting = member = self._start()
            os.setpriority(os.PRIO_PROCESS, member.process.pid, NICE)
            try:
                await member.answer(ARE_YOU_READY, BytesIO())
            except (OSError, asyncio.IncompleteReadError):  # it says why; the next request starts another
                self._drop(member)
            else:
                self._idle.append(member)
            finally:
                self._starting = None

    def _take(self) -> Member:
        while self._idle:
            member = self._idle.pop()
            if member.lives:
                return member
            self._drop(member)
        return self._start()

    def _start(self) -> Member:
        member = Member(self.environ)
        self.members.append(member)
        return member

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
