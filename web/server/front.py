"""Carries requests to the application: read in the event loop, answered by a thread, written in the loop.

A thread is held only while the application works on a request that has come in whole. Whoever sends or reads slowly
costs a connection and a little memory, and nobody else's turn. An answer whose body is an asynchronous iterator, such
as an event stream, holds no thread at all.
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
from daybook.web.request.turns import CAN_WAIT, HAS_WAITED, WAIT_HEADER
from daybook.web.server.apart import ORIGIN, Apart, ClientDisconnectedError, EarlyResponseError
from daybook.web.server.fair_queue import QueueFullError
from daybook.web.server.shares import Shares

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

    from daybook.services.operation.metrics import Metrics

THREADS = 16  # that answer requests
THREADS_OF_ONE = 2  # address: more would not be faster, since Python runs one at a time
THREADS_OF_HEAVY = 2  # for all addresses that used much CPU time lately
LONG_LINE_OF_ONE = 4  # requests that wait: more than the page of one browser asks for
WAITING_OF_ONE = 512  # requests of one link or session; of all others at an address, such as a whole convention's
FULL_SECONDS = 2.0  # until whoever asks for more is told so: to ask at once again would cost everybody something
MEMORY_BYTES = 64 * 1024  # of a body; what is longer lies in a temporary file until it is complete
BODY_LIMIT = 64 * 1024**2  # bytes; views have limits of their own below it, and answer what is longer unread
LARGE_BODIES = 32  # beyond MEMORY_BYTES, read at once
LARGE_BODIES_OF_ONE = 8  # holder of a link or a session; of all others at an address together
BODY_PAUSE_SECONDS = 20.0  # between two pieces of a body
BODY_SECONDS = 300.0  # for a whole one
PIECE_BYTES = 64 * 1024  # of an answer, written at once
PIECE_SECONDS = 60.0  # for a reader to take it
UNREAD_BYTES = 512 * 1024**2  # of answers that lie here until slow readers have taken them
UNREAD_BYTES_OF_ONE = 64 * 1024**2  # holder of a link or a session; of all others at an address together
HEADERS_LIMIT = 32 * 1024  # bytes: a cookie takes four thousand
ADDRESS_LIMIT = 8190  # bytes: a turn that is being put together stands in the address

TOO_MUCH_CPU_TIME = "what you sent and opened before took much CPU time; try again later"
MANY_FILES = "too many large files are being sent at the moment; try again in a minute"
VERSIONS = ("1.0", "1.1")
AUTHORITY = "daybook.authority"  # in a request's scope: the host of a first line that names a whole address
CLOSE = (b"connection", b"close")
REQUEST_ID = "daybook.request_id"  # in what an application is given

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

logger = logging.getLogger(__name__)


class Gone(Exception):
    """The client has gone away."""


class Unread(Exception):
    """A request that was not read to its end. status: what it is answered."""

    def __init__(self, status: int, says: str, retry_after: int = 60) -> None:
        super().__init__(says)
        self.retry_after = retry_after
        self.status = status
        self.says = says


@dataclass(slots=True)
class WsgiAnswer:
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes | AsyncIterable[bytes]


class Front:
    """An ASGI application around a WSGI one.

    origin: the client's address, given the peer's and its X-Forwarded-For. apart: answers what takes long; where there
    is none, threads do. metrics: what counts the answers. holder: what tells clients at one address apart; empty:
    nothing does. is_proxy: says of a peer that it speaks for many.
    """

    def __init__(
        self,
        application: WSGIApplication,
        origin: Callable[[str, Sequence[str]], str],
        apart: Apart | None = None,
        threads: int = THREADS,
        metrics: Metrics | None = None,
        holder: Callable[[WSGIEnvironment], str] = lambda environ: "",
        is_proxy: Callable[[str], bool] = lambda peer: False,
    ) -> None:
        self.application = application
        self.origin = origin
        self.holder = holder
        self.is_proxy = is_proxy
        self.apart = apart
        self.metrics = metrics
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self.debts = CpuDebts() if apart is None else apart.pool.debts
        self.shares = Shares[WsgiAnswer](
            self.pool, THREADS_OF_ONE, LONG_LINE_OF_ONE, WAITING_OF_ONE, THREADS_OF_HEAVY, self.debts
        )
        self.large = FairRoom(LARGE_BODIES, LARGE_BODIES_OF_ONE, LARGE_BODIES_OF_ONE, LARGE_BODIES_OF_ONE)
        self.unread = FairRoom(UNREAD_BYTES, UNREAD_BYTES_OF_ONE, UNREAD_BYTES_OF_ONE, UNREAD_BYTES_OF_ONE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.monotonic()
        status, sent, kind = 0, 0, ""
        asked = secrets.token_hex(8)
        request_id.set(asked)
        try:
            try:
                answer = await self._answer(scope, receive, asked)
            except asyncio.CancelledError:
                answer = plain_answer(503, "the server stops; send it again in a minute")
            with self._while_unread(scope, answer) as answer:
                status, kind = answer.status, kind_of(answer)
                headers = [*answer.headers, (b"x-request-id", asked.encode())]
                await send({"type": "http.response.start", "status": answer.status, "headers": headers})
                if isinstance(answer.body, bytes):
                    sent = len(answer.body)
                    await _write(answer.body, send)
                else:
                    await _stream(answer.body, receive, send)
        except (Gone, TimeoutError):  # nobody reads; the server closes what is left of the connection
            pass
        finally:
            seconds = time.monotonic() - began
            log_access(scope, status, sent, seconds)
            if self.metrics is not None and kind:
                self.metrics.count_response(kind, scope["method"], status, seconds)

    async def _answer(self, scope: Scope, receive: Receive, asked: str) -> WsgiAnswer:
        length = len(scope["raw_path"]) + len(scope["query_string"])
        if length > ADDRESS_LIMIT:
            return plain_answer(414, f"this address is {length} bytes long; {ADDRESS_LIMIT} are read")
        length = sum(len(name) + len(value) for name, value in scope["headers"])
        if length > HEADERS_LIMIT:
            return plain_answer(431, f"the headers are {length} bytes long; {HEADERS_LIMIT} are read")
        if scope["http_version"] not in VERSIONS:
            return plain_answer(505, "send the request as HTTP/1.1")
        if wrong := host_objection(scope):
            return plain_answer(400, wrong)
        with SpooledTemporaryFile(MEMORY_BYTES) as body:
            try:
                whole = await self._read_body(scope, receive, body)
            except Unread as why:
                return plain_answer(why.status, why.says, why.retry_after)
            origin = self._origin(scope)
            environ = {**environ_of(scope, body), REQUEST_ID: asked, ORIGIN: origin}
            if self.apart is not None and whole and (long := self.apart.views.view_of(environ)) is not None:
                return await self._answer_apart(self.apart, long, environ, body, receive)
            try:
                answer = await self._run_in_turn(origin, {**environ, CAN_WAIT: "yes"})
                if (seconds := seconds_to_wait(answer)) is not None:
                    await asyncio.sleep(seconds)
                    body.seek(0)
                    answer = await self._run_in_turn(origin, {**environ, HAS_WAITED: "yes"})
            except QueueFullError:
                await asyncio.sleep(FULL_SECONDS)
                return plain_answer(503, f"{WAITING_OF_ONE} requests of yours wait already; try again later")
            return answer if whole else replace(answer, headers=[*answer.headers, CLOSE])

    async def _run_in_turn(self, origin: str, environ: WSGIEnvironment) -> WsgiAnswer:
        """Return the application's answer, once it is the turn of an address and of a holder there. Raises QueueFullError."""
        return await asyncio.wrap_future(
            self.shares.submit(
                origin, partial(run_application, self.application, environ), partial(self.holder, environ)
            )
        )

    async def _run(self, environ: WSGIEnvironment) -> WsgiAnswer:
        """The application's answer, by a thread of this process."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, run_application, self.application, environ)

    async def _answer_apart(
        self, apart: Apart, long: LongView, environ: WSGIEnvironment, body: IO[bytes], receive: Receive
    ) -> WsgiAnswer:
        try:
            answer = await apart.answer(long, environ, body, _until_gone(receive))
        except ClientDisconnectedError:
            raise Gone from None
        except EarlyResponseError as early:
            return await self._run({**environ, REPLACEMENT_KEY: early.what, RETRY_SECONDS_KEY: early.seconds})
        return WsgiAnswer(answer.status, answer.headers, answer.body)

    async def _read_body(self, scope: Scope, receive: Receive, body: IO[bytes]) -> bool:
        """Whether the whole body was read; what is longer than any that is taken is not. Raises Gone, Unread."""
        if content_length(scope) > BODY_LIMIT:
            return False
        ends = time.monotonic() + BODY_SECONDS
        with ExitStack() as held:
            ended = asyncio.Event()
            while True:
                message = await _receive_by(receive, ends)
                if ended.is_set():
                    raise Unread(503, MANY_FILES)
                piece = message.get("body", b"")
                if body.tell() <= MEMORY_BYTES < body.tell() + len(piece):
                    held.enter_context(self._large_body(scope, ended.set))
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
        """Hold a place for a large body. Raises Unread if all are taken, or if its client used too much CPU time."""
        try:
            self.debts.refuse_debtor(Visitor(self._origin(scope), self.holder(environ_of(scope, BytesIO()))))
        except TooMuchDebtError as debt:
            raise Unread(503, TOO_MUCH_CPU_TIME, debt.seconds) from None
        entry = self._enter(self.large, scope, 1, end)
        if entry is None:
            raise Unread(503, MANY_FILES)
        try:
            yield
        finally:
            self.large.leave(entry)

    @contextmanager
    def _while_unread(self, scope: Scope, answer: WsgiAnswer) -> Iterator[WsgiAnswer]:
        """An answer that is being written; a long one is refused where slow readers leave too much lying here."""
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

        entry = self._enter(self.unread, scope, min(length, UNREAD_BYTES_OF_ONE), end)
        if entry is None:
            yield plain_answer(503, "what was asked for before has not been read yet; read it, and try again")
            return
        try:
            yield answer
        except asyncio.CancelledError:
            if ended.is_set():  # another client, who has less unread, got the room
                raise Gone from None
            raise
        finally:
            self.unread.leave(entry)


def seconds_to_wait(answer: WsgiAnswer) -> float | None:
    """Return how long the application wants a request to wait before it is sent again; None: it has answered."""
    told = next((value for name, value in answer.headers if name == WAIT_HEADER.encode()), None)
    return None if told is None else float(told)


async def _receive_by(receive: Receive, until: float) -> Message:
    """The next piece of a request. Raises Gone, Unread."""
    try:
        async with asyncio.timeout(min(BODY_PAUSE_SECONDS, until - time.monotonic())):
            message = await receive()
    except TimeoutError:
        raise Unread(408, "the request did not come in whole in time; send it again") from None
    if message["type"] == "http.disconnect":
        raise Gone
    return message


async def _until_gone(receive: Receive) -> None:
    """Until the client of a request that was read to its end has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def run_application(application: WSGIApplication, environ: WSGIEnvironment) -> WsgiAnswer:
    """The application's answer, whole unless it is an asynchronous iterator."""
    request_id.set(environ.get(REQUEST_ID, ""))
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
    status, headers = begun[-1]
    encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return WsgiAnswer(int(status[:3]), encoded, content)


async def _write(content: bytes, send: Send) -> None:
    """Write an answer in pieces. Raises TimeoutError for a reader who does not take them."""
    pieces = range(PIECE_BYTES, len(content), PIECE_BYTES)
    for end in pieces:
        async with asyncio.timeout(PIECE_SECONDS):
            await send({"type": "http.response.body", "body": content[end - PIECE_BYTES : end], "more_body": True})
    await send({"type": "http.response.body", "body": content[len(pieces) * PIECE_BYTES :]})


async def _stream(body: AsyncIterable[bytes], receive: Receive, send: Send) -> None:
    """Write what comes until it ends or the reader has gone."""

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
    if not writing.cancelled() and (wrong := writing.exception()):
        logger.warning("a stream was cut: %s", wrong)
        raise Gone


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
    """The address a request came from."""
    return (scope.get("client") or ("",))[0]


def content_length(scope: Scope) -> int:
    """What a request says is the length of its body; 0 where it does not say."""
    told = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(told) if told.isdigit() else 0


def environ_of(scope: Scope, body: IO[bytes]) -> WSGIEnvironment:
    """A request as WSGI applications take it, with its body read."""
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


def plain_answer(status: int, says: str, retry_after: int = 60) -> WsgiAnswer:
    content = f"{says}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(content)), CLOSE]
    if status == 503:
        headers.append((b"retry-after", b"%d" % retry_after))
    return WsgiAnswer(status, headers, content)


def log_access(scope: Scope, status: int, sent: int, seconds: float) -> None:
    """One line a request: no query, no referrer, no header, so nothing secret."""
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
    """What was answered, as `services.operation.metrics` counts it."""
    if not isinstance(answer.body, bytes):
        return "stream"
    told = next((value for name, value in answer.headers if name == b"content-type"), b"").partition(b";")[0]
    return {b"text/html": "page", b"application/json": "data"}.get(told, "file")
