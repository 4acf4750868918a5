"""A process of the pool (`web/server/pool.py`): answers requests that take long.

It reads requests from its standard input, which is a socket, and writes the answers there, one after the other.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from io import BufferedIOBase, BytesIO
from typing import TYPE_CHECKING

import msgspec
from flask import Flask

from daybook.services.operation.logs import configure_logging
from daybook.services.settings import Settings, read_settings
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from daybook.web.request.long_work import OUT_OF_MEMORY, REPLACEMENT_KEY
from daybook.web.server.front import run_application
from daybook.web.server.pool import LENGTH_BYTES, NICE, LongAnswer, LongRequest, pack
from daybook.web.server.process_limits import limits_of_request, never_dump_core, used_much_memory
from daybook.web.serving import collect_less

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

logger = logging.getLogger(__name__)


def run(settings: Settings) -> None:
    """Answer requests until the server has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the supervisor, which ends this process
    never_dump_core()
    configure_logging(settings)
    try:
        book = open_daybook(settings)
    except UNAVAILABLE as away:
        sys.exit(f"what takes long cannot be answered now: {away}")
    try:
        app = create_app(book)
        collect_less()
        os.setpriority(os.PRIO_PROCESS, 0, NICE)  # only now: the client of the first answer waits for the start too
        with socket.socket(fileno=os.dup(0)) as channel, channel.makefile("rwb") as stream:
            for request in requests_on(stream):
                answer = answer_within_limits(app, request)
                stream.write(pack(answer))
                stream.flush()
                if answer.is_last:
                    return
    except BrokenPipeError:  # the server ended during a request
        pass
    finally:
        book.close()


def requests_on(stream: BufferedIOBase) -> Iterator[LongRequest]:
    """Yield requests until the other end is closed."""
    while (packed := _read_part(stream)) is not None and (body := _read_part(stream)) is not None:
        yield msgspec.structs.replace(msgspec.msgpack.decode(packed, type=LongRequest), body=body)


def _read_part(stream: BufferedIOBase) -> bytes | None:
    """Return the next part of a request; None if the other end is closed."""
    head = stream.read(LENGTH_BYTES)
    length = int.from_bytes(head, "big")
    part = stream.read(length)
    return part if len(head) == LENGTH_BYTES and len(part) == length else None


def answer_within_limits(app: Flask, request: LongRequest) -> LongAnswer:
    """Answer a request, or answer that it takes too much memory. After a request that took much the process ends."""
    environ, began = environ_of(request), time.process_time()
    try:
        with limits_of_request():
            answer = answer_to(app, environ)
    except MemoryError:
        environ[OUT_OF_MEMORY] = True
    if OUT_OF_MEMORY in environ:  # here, where what it read has been freed
        logger.warning("%s takes too much memory", environ["PATH_INFO"])
        return msgspec.structs.replace(
            answer_to(app, {**environ_of(request), REPLACEMENT_KEY: "limit"}),
            is_last=True,
            process_time=time.process_time() - began,
        )
    return msgspec.structs.replace(answer, is_last=used_much_memory(), process_time=time.process_time() - began)


def environ_of(request: LongRequest) -> WSGIEnvironment:
    return {
        **request.environ,
        "wsgi.version": (1, 0),
        "wsgi.input": BytesIO(request.body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


def answer_to(app: Flask, environ: WSGIEnvironment) -> LongAnswer:
    answer = run_application(app, environ)
    assert isinstance(answer.body, bytes), "a stream is no long work"
    return LongAnswer(answer.status, answer.headers, answer.body)


if __name__ == "__main__":
    run(read_settings())
