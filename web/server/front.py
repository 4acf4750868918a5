"""Pass requests to the application: read in the event loop, answered by a thread, written in the loop.

A thread works only on a request that was received completely. A client that sends or reads slowly costs a connection and
a little memory, but no thread. A response whose body is an asynchronous iterator, such as an event stream, needs no
thread.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sys
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Iterator, MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from daybook.services.cpu_debts import CpuDebts, TooMuchDebtError, Visitor
from daybook.services.fair_room import Entry, FairRoom
from daybook.services.operation.logs import access, request_id
from daybook.web.request.long_work import REPLACEMENT_KEY, RETRY_SECONDS_KEY, LongView
from daybook.web.request.origin import INVALID_HOST, is_valid_host
from daybook.web.request.route import NO_ROUTE, REQUEST_ID, ROUTE_HEADER
from daybook.web.request.turns import CAN_WAIT, HAS_WAITED, WAIT_HEADER
from daybook.web.server.fair_queue import QueueFullError
from daybook.web.server.long_requests import ORIGIN, ClientDisconnectedError, EarlyResponseError, LongRequests
from daybook.web.server.shares import Shares

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

    from daybook.services.operation.metrics import Metrics

THREADS = 16  # that answer requests
THREADS_PER_ADDRESS = 2  # more would not be faster, since Python runs one at a time
THREADS_OF_HEAVY = 2  # for all addresses with a large CPU debt together
MAX_READ_THREADS = 4  # for requests that only read, so that recording competes with few of them
READS = ("GET", "HEAD")
LONG_QUEUE_PER_ADDRESS = 4  # waiting requests: more than a page of one browser sends
QUEUE_LIMIT_PER_HOLDER = 512  # requests of one link or session; of all others at an address together
REFUSAL_DELAY_SECONDS = 2.0  # an immediate retry would cost everyone
MEMORY_BYTES = 64 * 1024  # of a body; a longer one is in a temporary file until it is complete
BODY_LIMIT = 64 * 1024**2  # bytes; views have limits of their own below it, and answer what is longer unread
LARGE_BODIES = 32  # beyond MEMORY_BYTES, read at once
LARGE_BODIES_PER_HOLDER = 8  # of one link or session; of all others at an address together
BODY_PAUSE_SECONDS = 20.0  # between two pieces of a body
BODY_SECONDS = 300.0  # for a complete body
PIECE_BYTES = 64 * 1024  # of a response, written at once
PIECE_SECONDS = 60.0  # for a reader to take it
UNREAD_BYTES = 512 * 1024**2  # of responses that wait for slow readers
UNREAD_BYTES_PER_HOLDER = 64 * 1024**2  # of one link or session; of all others at an address together
HEADERS_LIMIT = 32 * 1024  # bytes: a cookie takes four thousand
ADDRESS_LIMIT = 8190  # bytes: the address holds a turn while a user composes it

TOO_MUCH_CPU_TIME = "what you sent and opened before took much CPU time; try again later"
MANY_FILES = "too many large files are being sent at the moment; try again in a minute"
VERSIONS = ("1.0", "1.1")
AUTHORITY = "daybook.authority"  # in a request's scope: the host of a first line with a complete address
CLOSE = (b"connection", b"close")
SLOW_SECONDS = 2.0  # from which on the log says what a request waited for
DURATIONS = "daybook.durations"  # in the environ of the application

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

logger = logging.getLogger(__name__)


class ClientGoneError(Exception):
    """The client has disconnected, or reads no more."""


class UnreadRequestError(Exception):
    """A request was not read to its end, and gets this status and message."""

    def __init__(self, status: int, message: str, retry_after: int = 60) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.status = status
        self.message = message


@dataclass(slots=True)
class WsgiAnswer:
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes | AsyncIterable[bytes]


@dataclass(slots=True)
class Durations:
    """Durations in seconds of the stages of a request.

    Args:
        read: of its body.
        turn: the wait after wrong passwords.
        run: in the application; `cpu` is the processor's share of it.
        answered: from the start until the response is there.
        is_long: the pool answers it.
    """

    read: float = 0.0
    turn: float = 0.0
    run: float = 0.0
    cpu: float = 0.0
    answered: float = 0.0
    is_long: bool = False


class Front:
    """An ASGI application around a WSGI one.

    Args:
        origin: returns the client's address, given the peer's and its X-Forwarded-For.
        long_requests: answers requests that take long; None: threads do.
        metrics: counts the responses.
        holder: returns the link or session of a request, or an empty text.
        is_proxy: checks if a peer is a named proxy.
    """

    def __init__(
        self,
        application: WSGIApplication,
        origin: Callable[[str, Sequence[str]], str],
        long_requests: LongRequests | None = None,
        threads: int = THREADS,
        metrics: Metrics | None = None,
        holder: Callable[[WSGIEnvironment], str] = lambda environ: "",
        is_proxy: Callable[[str], bool] = lambda peer: False,
    ) -> None:
        self.application = application
        self.origin = origin
        self.holder = holder
        self.is_proxy = is_proxy
        self.long_requests = long_requests
        self.metrics = metrics
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self.debts = CpuDebts() if long_requests is None else long_requests.pool.debts
        self.shares = Shares[WsgiAnswer](
            self.pool,
            THREADS_PER_ADDRESS,
            LONG_QUEUE_PER_ADDRESS,
            QUEUE_LIMIT_PER_HOLDER,
            THREADS_OF_HEAVY,
            MAX_READ_THREADS,
            self.debts,
        )
        self.large = FairRoom(LARGE_BODIES, LARGE_BODIES_PER_HOLDER, LARGE_BODIES_PER_HOLDER, LARGE_BODIES_PER_HOLDER)
        self.unread = FairRoom(UNREAD_BYTES, UNREAD_BYTES_PER_HOLDER, UNREAD_BYTES_PER_HOLDER, UNREAD_BYTES_PER_HOLDER)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.monotonic()
        status, sent, kind, route, durations = 0, 0, "", NO_ROUTE, Durations()
        name = secrets.token_hex(8)
        request_id.set(name)
        try:
            try:
                answer = await self._answer(scope, receive, name, durations)
            except asyncio.CancelledError:
                answer = plain_answer(503, "the server stops; send it again in a minute")
            answer, route = split_route(answer)
            durations.answered = time.monotonic() - began
            with self._while_unread(scope, answer) as answer:
                status, kind = answer.status, kind_of(answer)
                headers = [*answer.headers, (b"x-request-id", name.encode())]
                await send({"type": "http.response.start", "status": answer.status, "headers": headers})
                if isinstance(answer.body, bytes):
                    sent = len(answer.body)
                    await _write(answer.body, send)
                else:
                    await _stream(answer.body, receive, send)
        except (ClientGoneError, TimeoutError):  # no one reads; the server closes the connection
            pass
        finally:
            seconds = time.monotonic() - began
            log_access(scope, status, sent, seconds)
            if self.metrics is not None and kind:
                self.metrics.count_response(kind, scope["method"], status, seconds, route)
            if seconds > SLOW_SECONDS and kind and kind != "stream":
                log_slow_request(scope, route, status, seconds, durations)

    async def _answer(self, scope: Scope, receive: Receive, name: str, durations: Durations) -> WsgiAnswer:
        began = time.monotonic()
        length = len(scope["raw_path"]) + len(scope["query_string"])
        if length > ADDRESS_LIMIT:
            return plain_answer(414, f"this address is {length} bytes long; {ADDRESS_LIMIT} are read")
        length = sum(len(name) + len(value) for name, value in scope["headers"])
        if length > HEADERS_LIMIT:
            return plain_answer(431, f"the headers are {length} bytes long; {HEADERS_LIMIT} are read")
        if scope["http_version"] not in VERSIONS:
            return plain_answer(505, "send the request as HTTP/1.1")
        if error := host_objection(scope):
            return plain_answer(400, error)
        with SpooledTemporaryFile(MEMORY_BYTES) as body:
            try:
                is_complete = await self._read_body(scope, receive, body)
            except UnreadRequestError as why:
                return plain_answer(why.status, why.message, why.retry_after)
            origin = self._origin(scope)
            environ = {**environ_of(scope, body), REQUEST_ID: name, ORIGIN: origin, DURATIONS: durations}
            durations.read = time.monotonic() - began
            if (
                self.long_requests is not None
                and is_complete
                and (long := self.long_requests.views.view_of(environ)) is not None
            ):
                durations.is_long = True
                return await self._answer_long(self.long_requests, long, environ, body, receive)
            try:
                answer = await self._run_in_turn(origin, {**environ, CAN_WAIT: "yes"})
                if (seconds := seconds_to_wait(answer)) is not None:
                    durations.turn = seconds
                    await asyncio.sleep(seconds)
                    body.seek(0)
                    answer = await self._run_in_turn(origin, {**environ, HAS_WAITED: "yes"})
            except QueueFullError:
                await asyncio.sleep(REFUSAL_DELAY_SECONDS)
                return plain_answer(503, f"{QUEUE_LIMIT_PER_HOLDER} requests of yours wait already; try again later")
            return answer if is_complete else replace(answer, headers=[*answer.headers, CLOSE])

    async def _run_in_turn(self, origin: str, environ: WSGIEnvironment) -> WsgiAnswer:
        """Return the application's response, after the wait for a thread. Raises QueueFullError."""
        return await asyncio.wrap_future(
            self.shares.submit(
                origin,
                partial(run_application, self.application, environ),
                partial(self.holder, environ),
                environ["REQUEST_METHOD"] in READS,
            )
        )

    async def _run(self, environ: WSGIEnvironment) -> WsgiAnswer:
        """Return the application's response, from a thread of this process."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, run_application, self.application, environ)

    async def _answer_long(
        self, long_requests: LongRequests, long: LongView, environ: WSGIEnvironment, body: IO[bytes], receive: Receive
    ) -> WsgiAnswer:
        try:
            answer = await long_requests.answer(long, environ, body, _until_gone(receive))
        except ClientDisconnectedError:
            raise ClientGoneError from None
        except EarlyResponseError as early:
            return await self._run({**environ, REPLACEMENT_KEY: early.what, RETRY_SECONDS_KEY: early.seconds})
        return WsgiAnswer(answer.status, answer.headers, answer.body)

    async def _read_body(self, scope: Scope, receive: Receive, body: IO[bytes]) -> bool:
        """Read the body; return False if it is longer than BODY_LIMIT. Raises ClientGoneError, UnreadRequestError."""
        if content_length(scope) > BODY_LIMIT:
            return False
        ends = time.monotonic() + BODY_SECONDS
        with ExitStack() as received:
            ended = asyncio.Event()
            while True:
                message = await _receive_by(receive, ends)
                if ended.is_set():
                    raise UnreadRequestError(503, MANY_FILES)
                piece = message.get("body", b"")
                if body.tell() <= MEMORY_BYTES < body.tell() + len(piece):
                    received.enter_context(self._large_body(scope, ended.set))
                body.write(piece)
                if not message.get("more_body"):
                    return True
                if body.tell() > BODY_LIMIT:
                    return False

    def _origin(self, scope: Scope) -> str:
        return self.origin(
            client(scope), [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
        )

    def _enter(self, room: FairRoom, scope: Scope, size: int, end: Callable[[], object]) -> Entry | None:
        origin, holder = self._origin(scope), self.holder(environ_of(scope, BytesIO()))
        return room.enter(origin, holder, bool(holder), size, end)

    @contextmanager
    def _large_body(self, scope: Scope, end: Callable[[], object]) -> Iterator[None]:
        """Hold a place for a large body. Raises UnreadRequestError if there is none, or if the client has a large CPU debt."""
        try:
            self.debts.refuse_debtor(Visitor(self._origin(scope), self.holder(environ_of(scope, BytesIO()))))
        except TooMuchDebtError as debt:
            raise UnreadRequestError(503, TOO_MUCH_CPU_TIME, debt.seconds) from None
        entry = self._enter(self.large, scope, 1, end)
        if entry is None:
            raise UnreadRequestError(503, MANY_FILES)
        try:
            yield
        finally:
            self.large.leave(entry)

    @contextmanager
    def _while_unread(self, scope: Scope, answer: WsgiAnswer) -> Iterator[WsgiAnswer]:
        """Yield the response to write; a refusal instead of a long one if slow readers left too much unread."""
        length = len(answer.body) if isinstance(answer.body, bytes) else 0
        if length <= PIECE_BYTES:
            yield answer
            return
        ended = asyncio.Event()
        writing = asyncio.current_task()

        def end() -> None:
            ended.set()
            if writing is not None:
                writing.cancel()

        entry = self._enter(self.unread, scope, min(length, UNREAD_BYTES_PER_HOLDER), end)
        if entry is None:
            yield plain_answer(503, "what was asked for before has not been read yet; read it, and try again")
            return
        try:
            yield answer
        except asyncio.CancelledError:
            if ended.is_set():  # another client with less unread got the room
                raise ClientGoneError from None
            raise
        finally:
            self.unread.leave(entry)


def seconds_to_wait(answer: WsgiAnswer) -> float | None:
    """Return how long the application wants a request to wait before it runs again; None: it has answered."""
    header = next((value for name, value in answer.headers if name == WAIT_HEADER.encode()), None)
    return None if header is None else float(header)


async def _receive_by(receive: Receive, until: float) -> Message:
    """Return the next piece of a request. Raises ClientGoneError, UnreadRequestError."""
    try:
        async with asyncio.timeout(min(BODY_PAUSE_SECONDS, until - time.monotonic())):
            message = await receive()
    except TimeoutError:
        raise UnreadRequestError(408, "the request did not come in whole in time; send it again") from None
    if message["type"] == "http.disconnect":
        raise ClientGoneError
    return message


async def _until_gone(receive: Receive) -> None:
    """Return when the client of a completely read request has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


def run_application(application: WSGIApplication, environ: WSGIEnvironment) -> WsgiAnswer:
    """Return the application's response, complete unless its body is an asynchronous iterator."""
    request_id.set(environ.get(REQUEST_ID, ""))
    began, cpu_began = time.monotonic(), time.thread_time()
    begun: list[tuple[str, list[tuple[str, str]]]] = []
    written: list[bytes] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], exc_info: object = None
    ) -> Callable[[bytes], object]:
        begun.append((status, headers))
        return written.append

    body: Iterable[bytes] = application(environ, start_response)
    try:
        content = body if isinstance(body, AsyncIterable) else b"".join([*body, *written])
    finally:
        if not isinstance(body, AsyncIterable) and hasattr(body, "close"):
            body.close()
    if (durations := environ.get(DURATIONS)) is not None:
        durations.run, durations.cpu = time.monotonic() - began, time.thread_time() - cpu_began
    status, headers = begun[-1]
    encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return WsgiAnswer(int(status[:3]), encoded, content)


async def _write(content: bytes, send: Send) -> None:
    """Write a response in pieces. Raises TimeoutError if the client does not read them."""
    pieces = range(PIECE_BYTES, len(content), PIECE_BYTES)
    for end in pieces:
        async with asyncio.timeout(PIECE_SECONDS):
            await send({"type": "http.response.body", "body": content[end - PIECE_BYTES : end], "more_body": True})
    await send({"type": "http.response.body", "body": content[len(pieces) * PIECE_BYTES :]})


async def _stream(body: AsyncIterable[bytes], receive: Receive, send: Send) -> None:
    """Write a stream until it ends or the client disconnects."""

    async def write() -> None:
        async for piece in body:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    writing, watching = asyncio.ensure_future(write()), asyncio.ensure_future(_until_gone(receive))
    try:
        await asyncio.wait({writing, watching}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (writing, watching):
            task.cancel()
        await asyncio.wait({writing, watching})
        if hasattr(body, "aclose"):
            await body.aclose()
    if not writing.cancelled() and (error := writing.exception()):
        logger.warning("a stream was cut: %s", error)
        raise ClientGoneError


# --- the request ----------------------------------------------------------------------------------------------------


def host_objection(scope: Scope) -> str:
    """Return what is wrong with the host that a request names; "" if nothing is."""
    hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    if len(hosts) > 1:
        return "the request has several Host headers; send one"
    if not hosts:
        return "" if scope["http_version"] < "1.1" else "the request has no Host header; send one"
    if not is_valid_host(hosts[0]):
        return INVALID_HOST
    authority = scope.get(AUTHORITY, hosts[0].encode("latin-1"))
    if authority.lower() != hosts[0].encode("latin-1").lower():
        return "the request names one host in its first line and another in its Host header; send one"
    return ""


def client(scope: Scope) -> str:
    """Return the peer's address."""
    return (scope.get("client") or ("",))[0]


def content_length(scope: Scope) -> int:
    """Return the Content-Length of a request; 0 without one."""
    header = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(header) if header.isdigit() else 0


def environ_of(scope: Scope, body: IO[bytes]) -> WSGIEnvironment:
    """Return the WSGI environ of a request with its body."""
    length = max(body.tell(), content_length(scope))
    body.seek(0)
    host, port = scope.get("server") or ("", 0)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": str(host),
        "SERVER_PORT": str(port),
        "REMOTE_ADDR": client(scope),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name:  # could pass for another header here
            continue
        key, text = name.decode("latin-1").upper().replace("-", "_"), value.decode("latin-1")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        joint = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{text}" if key in environ else text
    environ.pop("HTTP_TRANSFER_ENCODING", None)  # it has been decoded
    if length:
        environ["CONTENT_LENGTH"] = str(length)
    return environ


def plain_answer(status: int, message: str, retry_after: int = 60) -> WsgiAnswer:
    content = f"{message}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(content)), CLOSE]
    if status == 503:
        headers.append((b"retry-after", b"%d" % retry_after))
    return WsgiAnswer(status, headers, content)


def split_route(answer: WsgiAnswer) -> tuple[WsgiAnswer, str]:
    """Remove the internal header with the route from a response; return both."""
    header = ROUTE_HEADER.encode()
    route = next((value.decode() for name, value in answer.headers if name == header), NO_ROUTE)
    return replace(answer, headers=[(name, value) for name, value in answer.headers if name != header]), route


def log_slow_request(scope: Scope, route: str, status: int, seconds: float, durations: Durations) -> None:
    """Log what a slow request waited for, in milliseconds. `waiting` is the wait for a thread behind other requests."""
    answered = durations.answered or seconds
    waiting = max(0.0, answered - durations.read - durations.turn - durations.run)
    parts = {
        "body": durations.read,
        "turn": durations.turn,
        "pool" if durations.is_long else "waiting": waiting,
        "database and locks": max(0.0, durations.run - durations.cpu),
        "processor": durations.cpu,
        "sending": max(0.0, seconds - answered),
    }
    fields = {
        "client": client(scope),
        "method": scope["method"],
        "route": route,
        "status": status,
        "ms": round(seconds * 1000),
        "spent": ", ".join(f"{name} {round(part * 1000)}" for name, part in parts.items() if part >= 0.001),
    }
    logger.warning("slow request of %(client)s: %(method)s %(route)s %(status)s took %(ms)s ms (%(spent)s)", fields)


def log_access(scope: Scope, status: int, sent: int, seconds: float) -> None:
    """Log one line for a request: no query, no referrer and no header, so nothing secret."""
    fields = {
        "client": client(scope),
        "time": time.strftime("[%d/%b/%Y:%H:%M:%S %z]"),
        "method": scope["method"],
        "path": scope["raw_path"].decode("ascii", "backslashreplace"),
        "status": status,
        "bytes": sent,
        "ms": round(seconds * 1000),
    }
    access.info('%(client)s %(time)s "%(method)s %(path)s" %(status)s %(bytes)s %(ms)sms', fields)


def kind_of(answer: WsgiAnswer) -> str:
    """Return the kind of a response, as `services.operation.metrics` counts it."""
    if not isinstance(answer.body, bytes):
        return "stream"
    content_type = next((value for name, value in answer.headers if name == b"content-type"), b"").partition(b";")[0]
    return {b"text/html": "page", b"application/json": "data"}.get(content_type, "file")
