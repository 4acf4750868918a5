"""The parts of the service, as the supervisor knows them."""

from __future__ import annotations

import math
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from daybook.workers.children import Child

HANG_SECONDS = 60.0  # without a beat
STOP_PATIENCE_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class ServicePart:
    """One kind of process."""

    name: str
    argv: Sequence[str]
    run: Callable[[], object] | None = None  # called in a fork instead of starting `argv`; it sends beats
    ping: Callable[[], socket.socket | None] | None = None  # asks a part that sends no beats; the answer is a beat
    is_awaited: bool = False  # the next part starts when this one is ready
    is_on_demand: bool = False  # starts when another part says that there is work
    outlasts: bool = False  # the others need it to end in good order, so it is stopped after them
    hang_seconds: float = HANG_SECONDS
    patience_seconds: float = STOP_PATIENCE_SECONDS  # after the request to stop; then it is killed
    set_aside: Callable[[], Path | None] = lambda: None  # after an error: move its files away, and return where to
    hidden: Sequence[bytes] = ()  # output lines that contain one of these are not shown


@dataclass(slots=True, eq=False)
class ServiceProcess:
    """The process of a part now, and its history."""

    part: ServicePart
    process: Child | None = None  # None: it is started when it is due
    since: float = 0.0
    due: float = math.inf
    beat_at: float = math.inf  # inf: it sends no beats
    is_ready: bool = False
    pinged: socket.socket | None = None  # a ping that was not answered yet
    failures: int = 0
    code: int = 0  # of its last end; for a signal, its negative number
    was_given_up: bool = False  # killed: it did not stop in time
    aside: Path | None = None  # where its files were moved to after its last end
