"""Beats: parts report that they are ready, that they are alive, and that another part has work.

Our own parts send messages (`services/operation/notify.py`). Foreign parts, such as the queue server, are pinged, and the
answer counts as a beat. A part without a beat for too long counts as hanging.
"""

from __future__ import annotations

import math
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from daybook.services.operation import notify
from daybook.workers.parts import ServiceProcess

PING_SECONDS = 5.0  # between two pings
OWN_PAUSE_SECONDS = 5.0  # between two looks: the supervisor itself was stopped, so missing beats mean nothing


class Beats:
    """Receives the beats of parts."""

    def __init__(self, selector: selectors.BaseSelector, places: Sequence[ServiceProcess]) -> None:
        self._selector = selector
        self._places = places
        self._looked_at = 0.0
        self._own_due = 0.0

    @contextmanager
    def receiving(self, path: Path) -> Iterator[None]:
        """Receive messages at this path inside the block."""
        path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
            receiver.bind(str(path))
            receiver.setblocking(False)
            self._selector.register(receiver, selectors.EVENT_READ, partial(self._take, receiver))
            yield
        path.unlink(missing_ok=True)

    def send_own(self) -> None:
        """Tell the process that started us that we are alive."""
        if time.monotonic() >= self._own_due:
            notify.notify(notify.ALIVE)
            self._own_due = time.monotonic() + notify.BEAT_SECONDS

    def find_hung(self) -> list[ServiceProcess]:
        """Return the parts that sent no beat for too long."""
        now = time.monotonic()
        if now - self._looked_at > OWN_PAUSE_SECONDS:
            for place in self._places:
                place.beat_at = max(place.beat_at, now)
        self._looked_at = now
        return [place for place in self._places if place.process and now - place.beat_at > place.part.hang_seconds]

    def ping_due(self) -> None:
        """Ping the parts that are not ready, and those with an old last answer."""
        for place in self._places:
            is_due = not place.is_ready or time.monotonic() - place.beat_at > PING_SECONDS
            if place.process and place.part.ping and place.pinged is None and is_due:
                place.pinged = place.part.ping()
                if place.pinged is not None:
                    self._selector.register(place.pinged, selectors.EVENT_READ, partial(self._take_answer, place))

    def note_end(self, place: ServiceProcess) -> bytes:
        """Forget the ping of a process that ended, or was answered; return the answer."""
        if place.pinged is None:
            return b""
        with place.pinged as pinged:
            self._selector.unregister(pinged)
            place.pinged = None
            return b"".join(read_all(pinged, 1))

    def _take_answer(self, place: ServiceProcess) -> None:
        if answer := self.note_end(place):
            place.beat_at = time.monotonic()
            place.is_ready = place.is_ready or answer.startswith(b"+")  # an error, such as "loading", is a beat only

    def _take(self, receiver: socket.socket) -> None:
        for message in read_all(receiver):
            pid, *states = message.decode(errors="replace").split("\n")
            for place in self._places:
                if place.process and pid == f"MAINPID={place.process.pid}":
                    place.beat_at, place.is_ready = time.monotonic(), place.is_ready or notify.READY in states
                elif notify.START + place.part.name in states and not place.process and place.due == math.inf:
                    place.due = time.monotonic()


def read_all(reads: socket.socket, count: int = 1000) -> list[bytes]:
    """Return the messages that can be read now."""
    messages: list[bytes] = []
    with suppress(OSError):
        while len(messages) < count and (message := reads.recv(4096)):
            messages.append(message)
    return messages
