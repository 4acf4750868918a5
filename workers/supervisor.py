"""`daybook serve`: one supervisor runs every part in its own process.

Parts start in order. A part that ends is restarted: first immediately, then after longer and longer pauses. A part that
hangs is killed and restarted. When the supervisor gets a signal to stop, it stops the parts. When it is killed, Linux
kills the parts; on other systems the watch does. The supervisor has no threads, because Linux ties a child to the thread
that started it.
"""

from __future__ import annotations

import math
import os
import selectors
import signal
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType

from daybook.services.operation import notify
from daybook.services.settings import PREFIX, Settings
from daybook.workers.beats import Beats, read_all
from daybook.workers.children import Child, has_parent_death_signal, start
from daybook.workers.fork_server import ForkServer
from daybook.workers.part_output import PartOutput
from daybook.workers.parts import ServicePart, ServiceProcess
from daybook.workers.sessions import signal_sessions
from daybook.workers.start_checks import CannotServeError
from daybook.workers.watch import Watch

FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 10.0
STEADY_SECONDS = 30.0  # after running this long, a part's earlier failures no longer count
START_PATIENCE_SECONDS = 60.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class PartFailedError(CannotServeError):
    """A part gave up or did not answer while everything was started."""


def environ_of_parts(settings: Settings) -> dict[str, str]:
    """Return the environment of parts: ours, with these settings instead of those that it has."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    environ.pop(notify.VARIABLE, None)
    return environ | settings.environ() | {"PYTHONUNBUFFERED": "1"}


class Supervisor:
    """Starts parts and keeps them running.

    Args:
        member: a process of the pool; `pool_socket` is where the web process requests one.
        lock: of the data folder; every part holds it too.
    """

    def __init__(
        self,
        parts: Sequence[ServicePart],
        environ: Mapping[str, str],
        member: ServicePart | None = None,
        pool_socket: Path | None = None,
        lock: int = -1,
    ) -> None:
        self._environ = dict(environ)
        self._lock = lock
        self._places = [ServiceProcess(part) for part in parts]
        self._stop_requests = 0
        self._selector = selectors.DefaultSelector()
        self._output = PartOutput(self._selector, parts, environ.get(PREFIX + "LOG_FORMAT") == "json")
        self._beats = Beats(self._selector, self._places)
        self._watch = None if has_parent_death_signal() else Watch(lock)
        self._fork_server: ForkServer | None = None
        if member is not None and pool_socket is not None:
            self._fork_server = ForkServer(pool_socket, self._selector, partial(self._spawn, member))

    def run(self, notify_socket: Path, welcome: str = "") -> None:
        """Start everything, and keep it running until asked to stop. Raises PartFailedError.

        notify_socket: for the messages of the parts.
        """
        self._environ[notify.VARIABLE] = str(notify_socket)
        with self._signals(), self._beats.receiving(notify_socket):
            try:
                self._update_watch()  # it runs before any part does: we may be killed in between
                for place in self._places:
                    self._bring_up(place)
                if not self._stop_requests:
                    notify.notify(notify.READY)
                    self._output.say(welcome)
                while not self._stop_requests:
                    self._turn()
                self._output.say("stopping" if self._places else "")
            finally:
                self._stop()

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Count requests to stop, and wake up for them and for a child's end."""
        ours, wakes = socket.socketpair()
        ours.setblocking(False)
        wakes.setblocking(False)
        self._selector.register(ours, selectors.EVENT_READ, partial(read_all, ours))
        before = {
            number: signal.signal(number, self._request_stop) for number in STOP_SIGNALS if not _is_waived(number)
        }
        before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)
        wakeup = signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            self._selector.close()
            ours.close()
            wakes.close()

    def _request_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stop_requests += 1

    # --- one turn of the loop

    def _turn(self, longest_seconds: float = 1.0) -> None:
        """Wait until something happens and handle it; start and end what is due."""
        dues = [] if self._stop_requests else [place.due for place in self._places]
        pause = min([longest_seconds, *(due - time.monotonic() for due in dues)])
        for key, _ in self._selector.select(max(pause, 0.0)):
            if key.fd in self._selector.get_map():  # not closed by an earlier event of this turn
                key.data()
        self._reap()
        if self._output.is_closed:
            self._stop_requests = max(self._stop_requests, 1)
        if not self._stop_requests:
            self._end_hung()
            self._start_due()
        self._beats.ping_due()
        self._beats.send_own()
        self._update_watch()

    def _update_watch(self) -> None:
        if self._watch is not None:
            members = self._fork_server.processes if self._fork_server else ()
            self._watch.update([*(place.process.pid for place in self._places if place.process), *members])

    def _reap(self) -> None:
        """Notice every child that ended, also adopted orphans (this may be process 1)."""
        with suppress(ChildProcessError):
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                place = next((p for p in self._places if p.process and p.process.pid == ended.si_pid), None)
                if place:
                    self._note_end(place)
                elif self._fork_server and ended.si_pid in self._fork_server.processes:
                    self._fork_server.note_end(ended.si_pid)
                else:
                    os.waitpid(ended.si_pid, 0)

    def _note_end(self, place: ServiceProcess) -> None:
        assert place.process is not None
        signal_sessions({place.process.pid}, signal.SIGKILL)  # its children, if it left any
        self._beats.note_end(place)
        place.code, now = place.process.wait(), time.monotonic()
        place.process, is_steady = None, now - place.since > STEADY_SECONDS
        place.failures = 0 if is_steady else place.failures + 1
        may_set_aside = place.code > 0 and not self._stop_requests and (is_steady or place.aside is None)
        place.aside = place.part.set_aside() if may_set_aside else None
        pause = min(FIRST_PAUSE_SECONDS * 2 ** max(place.failures - 1, 0), LONGEST_PAUSE_SECONDS)
        place.due = math.inf if place.part.is_on_demand and place.code == 0 else now + pause
        self._say_end(place, pause, is_renewed=place.code == 0 and is_steady)

    def _say_end(self, place: ServiceProcess, pause: float, is_renewed: bool) -> None:
        name = place.part.name
        how = (
            f"was ended by {signal.Signals(-place.code).name}"
            if place.code < 0
            else f"ended with exit code {place.code}"
        )
        if self._stop_requests and place.was_given_up:
            self._output.say("stopped without waiting any longer", name)
        elif self._stop_requests:
            self._output.say("stopped" if place.code in (0, -signal.SIGTERM) else how, name)
        elif place.due == math.inf:
            self._output.say("stopped until there is work", name)
        elif not is_renewed:
            aside = f"; its files were moved to {place.aside}, and it starts without them" if place.aside else ""
            self._output.say(f"{how}{aside}; again in {pause:.1f} s", name)

    def _end_hung(self) -> None:
        for place in self._beats.find_hung():
            assert place.process is not None
            self._output.say(f"sent no beat for {place.part.hang_seconds:.0f} s: it is killed", place.part.name)
            place.beat_at = math.inf
            signal_sessions({place.process.pid}, signal.SIGKILL)

    # --- starting

    def _spawn(self, part: ServicePart, standard_input: int = -1) -> Child:
        output = self._output.open_pipe(part)
        try:
            return start(f"daybook {part.name}", part.run, part.argv, self._environ, output, standard_input, self._lock)
        finally:
            os.close(output)

    def _start(self, place: ServiceProcess) -> None:
        place.process = self._spawn(place.part)
        place.since, place.due, place.is_ready = time.monotonic(), math.inf, False
        place.beat_at = place.since if place.part.run or place.part.ping else math.inf
        self._update_watch()
        self._output.say(f"started, process {place.process.pid}", place.part.name)

    def _start_due(self) -> None:
        for place in self._places:
            if place.due <= time.monotonic():
                self._start(place)

    def _bring_up(self, place: ServiceProcess) -> None:
        """Start a part and wait until it is ready. Raises PartFailedError.

        A part that a signal ends meanwhile is started again, as later on. So is one whose files were moved away.
        """
        if self._stop_requests or place.part.is_on_demand:
            return
        self._start(place)
        while not self._stop_requests and place.part.is_awaited and not place.is_ready:
            self._turn(0.02)
            if place.process is None and place.code > 0 and place.aside is None:
                raise PartFailedError(f"{place.part.name} ended while it was starting; it says why above")
            if place.process is not None and time.monotonic() > place.since + START_PATIENCE_SECONDS:
                raise PartFailedError(f"{place.part.name} does not answer after {START_PATIENCE_SECONDS:.0f} s")

    # --- stopping

    def _stop(self) -> None:
        """Ask every part to end, and kill those that do not; a second request hurries."""
        self._stop_requests = max(self._stop_requests, 1)
        for outlasting in (False, True):
            wave = [place for place in self._places if place.part.outlasts is outlasting and place.process]
            for place in wave:
                if place.process:  # not terminate(): that may reap it unseen
                    os.kill(place.process.pid, signal.SIGTERM)
            began = time.monotonic()
            while any(place.process for place in wave):
                self._turn(0.05)
                waited = math.inf if self._stop_requests > 1 else time.monotonic() - began
                for place in wave:
                    if place.process and waited > place.part.patience_seconds:
                        place.was_given_up = True
                        signal_sessions({place.process.pid}, signal.SIGKILL)
        if self._fork_server is not None:
            self._fork_server.close()
        end = time.monotonic() + 1
        while self._output.has_pipes() and time.monotonic() < end:
            self._turn(0.05)
        if self._watch is not None:
            self._watch.close()


def _is_waived(number: signal.Signals) -> bool:
    """Check if the caller wants us to continue when the terminal goes (nohup)."""
    return number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN
