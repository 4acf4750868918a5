"""`daybook serve`: everything on one machine, under one process.

Parts start in order, each when the one before it answers. A part that ends is started again, at once at first
and then ever later; when the supervisor is asked to stop, it asks the parts. Nothing outlives it: not after
Ctrl-C, not after kill -9 (see `started` in children.py and watch.py). There are no threads here, on purpose: a
child is tied to the thread that started it.
"""

from __future__ import annotations

import fcntl
import http.client
import io
import json
import math
import os
import selectors
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import BinaryIO

from daybook.services.operation import network, unnamed_proxy
from daybook.services.settings import PREFIX, BadSettingError, Settings
from daybook.workers import queue_server, watch
from daybook.workers.children import Child, can_fork, fork_child, start_child
from daybook.workers.fork_server import ForkServer

FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 10.0
STEADY_SECONDS = 30.0  # having run so long, a part is forgiven its earlier failures
START_PATIENCE_SECONDS = 60.0
STOP_PATIENCE_SECONDS = 15.0
YIELDING_PATIENCE_SECONDS = 2.0  # for what gives way to all others: on a busy machine it may not hear that it is asked
GUARD_PAUSE_SECONDS = 1.0  # between two starts of the watch
LONGEST_LINE = 65536
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class CannotServe(Exception):
    """Why serving did not begin; the message says what to do."""


class AlreadyServing(CannotServe):
    """Another supervisor serves this data folder."""


class CannotListen(CannotServe):
    """The address is taken or is not this machine's."""


class PartFailed(CannotServe):
    """A part gave up or stayed silent when everything was started."""


@dataclass(frozen=True, slots=True)
class ServicePart:
    """One process of ours. ready: does it answer yet?

    outlasts: the others need it to end in good order, so it is stopped after them.
    patience_seconds: after being asked to stop; then it is ended.
    set_aside: called when it ended with an error: what it keeps on disk may be why. Where that lies now; None: there is none.
    hidden: output lines that contain one of these are not shown.
    """

    name: str
    argv: Sequence[str]
    ready: Callable[[], bool] = lambda: True
    outlasts: bool = False
    patience_seconds: float = STOP_PATIENCE_SECONDS
    set_aside: Callable[[], Path | None] = lambda: None
    hidden: Sequence[bytes] = ()


POOL = ServicePart("pool", [])  # processes that the fork server starts


def parts(settings: Settings) -> list[ServicePart]:
    """What runs on one machine, in the order of starting."""

    def daybook(command: str) -> list[str]:
        return [sys.executable, "-m", "daybook", command, "--data", str(settings.data)]

    own_queue = (
        []
        if settings.redis_url
        else [
            ServicePart(
                "queue",
                queue_server.command(settings.folder() / "queue", settings.queue_socket),
                ready=lambda: queue_server.server_answers(settings.queue_url),
                outlasts=True,
                set_aside=lambda: queue_server.set_aside(settings.folder() / "queue"),
                hidden=queue_server.ADVICE,
            )
        ]
    )
    analyse = ServicePart("analyse", daybook("analyse"), patience_seconds=YIELDING_PATIENCE_SECONDS)
    return [
        *own_queue,
        ServicePart("follow", daybook("follow")),
        *(ServicePart(f"work-{number}", daybook("work")) for number in range(1, settings.workers + 1)),
        *([analyse] if settings.chances_seconds else []),
        ServicePart("web", daybook("web"), ready=lambda: _serves_pages(settings)),
    ]


def serve(settings: Settings, prepare: Callable[[], object] = lambda: None) -> None:
    """Run everything until told to stop. Raises CannotServe.

    prepare: done first, once the data folder and the port are ours.
    """
    environ = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    environ |= settings.environ() | {"PYTHONUNBUFFERED": "1"}
    with only_one(settings.folder()) as lock:
        refuse_taken(settings)
        refuse_bad_certificate(settings)
        prepare()
        supervisor = Supervisor(_parts_here(settings), environ, lock)
        if can_fork():
            supervisor.fork_server = ForkServer(settings.pool_socket, environ)
        supervisor.run(welcome(settings))


def welcome(settings: Settings) -> str:
    """What is said once everything runs: where to open it, and for phones a code, where somebody sees it."""
    advice = f"\n{unnamed_proxy.ADVICE}" if unnamed_proxy.is_unnamed(settings) else ""
    return _where_to_open(settings) + advice


def _where_to_open(settings: Settings) -> str:
    stops = f"(Ctrl-C stops; data in {settings.data})"
    if settings.base_url is not None:
        return f"open {settings.base_url} {stops}"
    if settings.host != network.ALL_ADDRESSES:
        own = f"{settings.scheme}://{settings.bind}"
        alone = (
            "\nfor this machine alone: --lan (make run LAN=1) lets phones in" if network.is_loopback_url(own) else ""
        )
        return f"open {own} {stops}{alone}"
    reached = network.served_urls(settings.host, settings.port, settings.scheme)
    lines = [f"open {settings.scheme}://127.0.0.1:{settings.port} here {stops}"]
    if not reached:
        lines += ["this machine is in no network now: once it is, a game's page of links tells the address for phones"]
    else:
        first, *others = reached
        lines += [f"on phones in this network open {first}", *(f"or {other}" for other in others)]
        lines += terminal_code(first)
    return "\n".join(lines)


def terminal_code(address: str) -> list[str]:
    """An address as a QR code of text, for a terminal; nothing where no terminal shows it."""
    if not sys.stdout.isatty():
        return []
    import segno

    drawn = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n").split("\n")


def _parts_here(settings: Settings) -> list[ServicePart]:
    try:
        return parts(settings)
    except (BadSettingError, queue_server.NoQueueServer) as wrong:
        raise CannotServe(str(wrong)) from wrong


# --- before anything starts -------------------------------------------------------------------------------------


@contextmanager
def only_one(folder: Path) -> Iterator[int]:
    """Hold the data folder's lock. Raises AlreadyServing.

    When the last supervisor was killed, its watch holds the lock until everything it left has ended; wait for that.
    """
    lock = os.open(folder / "serve.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        end = time.monotonic() + watch.PATIENCE_SECONDS + 5
        while not _try_lock(lock):
            holder = os.pread(lock, 20, 0).decode()
            if not holder or _is_alive(int(holder)) or time.monotonic() > end:
                raise AlreadyServing(
                    f"{folder} is served already (process {holder or 'unknown'}): stop that, or give another --data"
                )
            time.sleep(0.05)
        os.ftruncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
        yield lock
    finally:
        os.close(lock)


def _try_lock(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's
        return True
    return True


def refuse_taken(settings: Settings) -> None:
    """Raises CannotListen if nobody could listen there now."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)  # and no more: who came now to a port that listens would be turned away
    except OSError as wrong:
        raise CannotListen(
            f"cannot listen on {settings.bind} ({wrong.strerror}): "
            "give another with --port (DAYBOOK_PORT) or --host (DAYBOOK_HOST)"
        ) from wrong


def refuse_bad_certificate(settings: Settings) -> None:
    """Raises CannotServe where TLS is asked for with what is no certificate and its key."""
    if settings.tls_certificate is None or settings.tls_key is None:
        return
    from daybook.services.operation import certificates

    try:
        certificates.tls_context(settings.tls_certificate, settings.tls_key)
    except certificates.BadCertificateError as wrong:
        raise CannotServe(str(wrong)) from wrong


def _serves_pages(settings: Settings) -> bool:
    """Does anything come back over HTTP? What, is for the pages' own health check to say."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    connection = (
        http.client.HTTPConnection(host, settings.port, timeout=5)
        if settings.tls_certificate is None
        else (http.client.HTTPSConnection(host, settings.port, timeout=5, context=_trusting()))
    )
    try:
        connection.request("HEAD", "/")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def _trusting() -> ssl.SSLContext:
    """For a question to ourselves on this machine: whoever vouches for the certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _is_waived(number: signal.Signals) -> bool:
    """Whether who started us wants us to go on when the terminal goes (nohup)."""
    return number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN


# --- while it runs ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class ServiceProcess:
    """Where a part runs: its process now, and how it fared."""

    part: ServicePart
    process: Child | None = None  # None: it is started when it is due
    since: float = 0.0
    due: float = math.inf
    failures: int = 0
    code: int = 0  # of its last end; of a signal, its number below zero
    aside: Path | None = None  # where what it kept lies since then


@dataclass(slots=True)
class Supervisor:
    parts: Sequence[ServicePart]
    environ: Mapping[str, str]
    lock: int  # the data folder's, held by the watch as well
    log: BinaryIO = field(default_factory=lambda: sys.stderr.buffer)
    places: list[ServiceProcess] = field(init=False)
    asked: int = 0  # how often it was asked to stop
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    rests: dict[int, bytes] = field(default_factory=dict)  # by pipe: the start of a line that has not ended
    guard: subprocess.Popen[bytes] | None = None  # the watch
    guard_since: float = 0.0
    guard_due: float = math.inf
    tells: int = -1  # the pipe to it
    fork_server: ForkServer | None = None

    def __post_init__(self) -> None:
        self.places = [ServiceProcess(part) for part in self.parts]

    def run(self, welcome: str) -> None:
        """Start everything, say the welcome, keep it running until asked to stop. Raises PartFailed."""
        with self._signals():
            try:
                self._guard()
                if self.fork_server is not None:
                    self.selector.register(self.fork_server.listener, selectors.EVENT_READ, self.fork_server)
                for place in self.places:
                    self._bring_up(place)
                if not self.asked:
                    self.say(welcome)
                while not self.asked:
                    self._turn()
                self.say("stopping")
            finally:
                self._stop()
                self._dismiss_guard()

    def say(self, lines: str, name: str = "daybook") -> None:
        for line in lines.split("\n"):
            self._write(name, line.encode())

    def _write(self, name: str, line: bytes) -> None:
        try:
            self.log.write(self._told(name, line) + b"\n")
            self.log.flush()
        except BrokenPipeError:  # nobody reads the log any more
            self.log = open(os.devnull, "wb")  # noqa: SIM115
            self.asked = max(self.asked, 1)
        except OSError:  # such as a full disk: people still read, and record once there is room
            pass

    def _told(self, name: str, line: bytes) -> bytes:
        """A line under its part's name; as JSON what is none yet, such as the last words of a process."""
        if self.environ.get(PREFIX + "LOG") != "json":
            width = max(len("daybook"), *(len(part.name) for part in self.parts))
            return f"{name:{width}} | ".encode() + line
        if line.startswith(b"{"):
            return line
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        return json.dumps(
            {"at": at, "part": name, "message": line.decode(errors="replace")}, ensure_ascii=False
        ).encode()

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Count requests to stop, and wake up for them and for a child's end."""
        ours, wakes = socket.socketpair()
        ours.setblocking(False)
        wakes.setblocking(False)
        self.selector.register(ours, selectors.EVENT_READ)
        before = {number: signal.signal(number, self._ask) for number in STOP_SIGNALS if not _is_waived(number)}
        before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)
        wakeup = signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            self.selector.close()
            ours.close()
            wakes.close()

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        self.asked += 1

    # --- one turn of the loop

    def _turn(self, longest_seconds: float = 1.0) -> None:
        """Wait until something happens; pass on what the parts print; notice who ended; start what is due."""
        dues = [] if self.asked else [self.guard_due, *(place.due for place in self.places)]
        pause = min([longest_seconds, *(due - time.monotonic() for due in dues)])
        for key, _ in self.selector.select(max(pause, 0.0)):
            if key.data is None:
                with suppress(BlockingIOError):
                    while key.fileobj.recv(4096):  # type: ignore[union-attr]  # only wakes us up
                        pass
            elif isinstance(key.data, ForkServer):
                self._fork_member(key.data)
            else:
                self._pass_on(key.fd, key.data)
        self._reap()
        if not self.asked:
            self._start_due()

    def _fork_member(self, fork_server: ForkServer) -> None:
        reads, writes = os.pipe()
        process = fork_server.fork(writes)
        os.close(writes)
        if process is None:
            os.close(reads)
            return
        self.selector.register(reads, selectors.EVENT_READ, POOL)
        self._tell_guard()

    def _pass_on(self, pipe: int, part: ServicePart) -> None:
        """Print the whole lines that came through a pipe under its part's name, without those it hides."""
        chunk = os.read(pipe, LONGEST_LINE)
        *lines, rest = (self.rests.pop(pipe, b"") + chunk).split(b"\n")
        if rest and (not chunk or len(rest) > LONGEST_LINE):
            lines, rest = [*lines, rest], b""
        for line in lines:
            if not any(text in line for text in part.hidden):
                self._write(part.name, line)
        if chunk:
            self.rests[pipe] = rest
        else:
            self.selector.unregister(pipe)
            os.close(pipe)

    def _reap(self) -> None:
        """Notice every child that ended, also one that came to us as an orphan (we may be process 1)."""
        with suppress(ChildProcessError):
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                place = next((p for p in self.places if p.process and p.process.pid == ended.si_pid), None)
                if place:
                    self._note_end(place)
                elif self.guard and self.guard.pid == ended.si_pid:
                    self.guard.wait()
                    self.guard_due = self.guard_since + GUARD_PAUSE_SECONDS
                elif self.fork_server and ended.si_pid in self.fork_server.connections:
                    self.fork_server.note_end(ended.si_pid)
                    self._tell_guard()
                else:
                    os.waitpid(ended.si_pid, 0)

    def _note_end(self, place: ServiceProcess) -> None:
        assert place.process is not None
        watch.signal_sessions({place.process.pid}, signal.SIGKILL)  # its children, if it left any
        place.code, now = place.process.wait(), time.monotonic()
        place.process, is_steady = None, now - place.since > STEADY_SECONDS
        place.failures = 0 if is_steady else place.failures + 1
        may_set_aside = place.code > 0 and not self.asked and (is_steady or place.aside is None)
        place.aside = place.part.set_aside() if may_set_aside else None
        pause = min(FIRST_PAUSE_SECONDS * 2 ** max(place.failures - 1, 0), LONGEST_PAUSE_SECONDS)
        place.due = now + pause
        how = (
            f"was ended by {signal.Signals(-place.code).name}"
            if place.code < 0
            else f"ended with exit code {place.code}"
        )
        anew = f"; what it kept is in {place.aside} now, and it begins anew" if place.aside else ""
        self.say(how if self.asked else f"{how}{anew}; again in {pause:.1f} s", place.part.name)
        self._tell_guard()

    # --- starting

    def _start(self, place: ServiceProcess) -> None:
        reads, writes = os.pipe()
        own = place.part.argv[:2] == [sys.executable, "-m"]
        if own and can_fork():  # what it needs is imported here already
            module, *arguments = place.part.argv[2:]
            place.process = fork_child(module, arguments, self.environ, f"daybook {place.part.name}", writes)
        else:
            place.process = start_child(place.part.argv, self.environ, stdout=writes, stderr=writes)
        os.close(writes)
        self.selector.register(reads, selectors.EVENT_READ, place.part)
        place.since, place.due = time.monotonic(), math.inf
        self.say(f"started, process {place.process.pid}", place.part.name)
        self._tell_guard()

    def _start_due(self) -> None:
        now = time.monotonic()
        if self.guard_due <= now:
            self._guard()
        for place in self.places:
            if place.due <= now:
                self._start(place)

    def _bring_up(self, place: ServiceProcess) -> None:
        """Start a part and wait until it answers. Raises PartFailed.

        A part that somebody ends meanwhile is started again, as later on: what says why it ends does so by its code. So is
        one that could not read what it kept.
        """
        if self.asked:
            return
        self._start(place)
        while not self.asked and not place.part.ready():
            self._turn(0.02)
            if place.process is None and place.code > 0 and place.aside is None:
                raise PartFailed(f"{place.part.name} ended while it was starting; it says why above")
            if place.process is not None and time.monotonic() > place.since + START_PATIENCE_SECONDS:
                raise PartFailed(f"{place.part.name} does not answer after {START_PATIENCE_SECONDS:.0f} s")

    # --- stopping

    def _stop(self) -> None:
        """Ask every part to end, and end those that do not; a second request hurries."""
        self.asked = max(self.asked, 1)
        for outlasting in (False, True):
            wave = [place for place in self.places if place.part.outlasts is outlasting and place.process]
            for place in wave:
                if place.process:  # not terminate(): that may reap it unseen
                    os.kill(place.process.pid, signal.SIGTERM)
            begun = time.monotonic()
            while any(place.process for place in wave):
                self._turn(0.05)
                waited = math.inf if self.asked > 1 else time.monotonic() - begun
                late = {one.process.pid for one in wave if one.process and waited > one.part.patience_seconds}
                if late:
                    watch.signal_sessions(late, signal.SIGKILL)
        if self.fork_server is not None:
            self.selector.unregister(self.fork_server.listener)
            self.fork_server.close()
        end = time.monotonic() + 1
        while len(self.selector.get_map()) > 1 and time.monotonic() < end:  # their last words
            self._turn(0.05)

    # --- the watch

    def _guard(self) -> None:
        """Start the watch. It is told before it is started: we may die in between."""
        self.guard_since, self.guard_due = time.monotonic(), math.inf
        if self.tells >= 0:
            os.close(self.tells)
        reads, self.tells = os.pipe()
        self._tell_guard()
        self.guard = subprocess.Popen(
            [sys.executable, "-m", watch.__name__], stdin=reads, start_new_session=True, pass_fds=[self.lock]
        )
        os.close(reads)

    def _tell_guard(self) -> None:
        """Tell the watch whose sessions to end should we die now."""
        members = self.fork_server.connections if self.fork_server else ()
        sessions = " ".join(map(str, [*(place.process.pid for place in self.places if place.process), *members]))
        with suppress(BrokenPipeError):  # it died; its end is noticed and another is started and told
            os.write(self.tells, f"{sessions}\n".encode())

    def _dismiss_guard(self) -> None:
        os.close(self.tells)
        if self.guard:
            self.guard.wait()
