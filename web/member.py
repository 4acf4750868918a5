"""One of the processes that answer what takes long (`web/server/pool.py`): `python -m daybook.web.member`.

It reads requests from the socket that it was started with, one after the other, and writes the answers.
"""

from __future__ import annotations

import logging
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator
from io import BufferedIOBase, BytesIO
from threading import Thread
from typing import TYPE_CHECKING

import msgspec
from flask import Flask

from daybook.services.operation.logs import configure_logging
from daybook.services.settings import read_settings
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from daybook.web.request.long_work import OUT_OF_MEMORY, REPLACEMENT_KEY
from daybook.web.server.front import run_application
from daybook.web.server.pool import ARE_YOU_READY, LENGTH_BYTES, NICE, READY, LongAnswer, LongRequest, pack
from daybook.web.server.process_limits import limits_of_request, never_dump_core, used_much_memory
from daybook.web.serving import collect_less

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

logger = logging.getLogger(__name__)


def run() -> None:
    """Answer until the server has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this one
    never_dump_core()
    settings = read_settings()
    configure_logging(settings)
    try:
        book = open_daybook(settings)
    except UNAVAILABLE as away:
        sys.exit(f"what takes long cannot be answered now: {away}")
    try:
        app = create_app(book)
        collect_less()
        os.setpriority(os.PRIO_PROCESS, 0, NICE)  # from here on: who waits for the first answer waits for the start too
        with socket.socket(fileno=os.dup(0)) as channel, channel.makefile("rwb") as stream:
            Thread(target=end_with, args=(channel.fileno(),), daemon=True).start()
            for asked in requests_on(stream):
                answer = READY if asked == ARE_YOU_READY else answer_within_limits(app, asked)
                stream.write(pack(answer))
                stream.flush()
                if answer.is_last:
                    return
    except BrokenPipeError:  # the server went while this was at work
        pass
    finally:
        book.close()


def end_with(channel: int) -> None:
    """End when the web process closes its end, also in the middle of a request."""
    poll = select.poll()
    poll.register(channel, getattr(select, "POLLRDHUP", 0) | select.POLLHUP)
    poll.poll()
    os._exit(0)


def requests_on(stream: BufferedIOBase) -> Iterator[LongRequest]:
    """Until the other end is closed."""
    while (packed := _read_part(stream)) is not None and (body := _read_part(stream)) is not None:
        yield msgspec.structs.replace(msgspec.msgpack.decode(packed, type=LongRequest), body=body)


def _read_part(stream: BufferedIOBase) -> bytes | None:
    """Return the next part of a request; None if the other end is closed."""
    head = stream.read(LENGTH_BYTES)
    length = int.from_bytes(head, "big")
    part = stream.read(length)
    return part if len(head) == LENGTH_BYTES and len(part) == length else None


def answer_within_limits(app: Flask, asked: LongRequest) -> LongAnswer:
    """Answer a request, or say that it takes too much memory. The process ends after one that took much."""
    environ, began = environ_of(asked), time.process_time()
    try:
        with limits_of_request():
            answer = answer_to(app, environ)
    except MemoryError:
        environ[OUT_OF_MEMORY] = True
    if OUT_OF_MEMORY in environ:  # here, where nothing that it read is kept any more
        logger.warning("%s takes too much memory", environ["PATH_INFO"])
        return msgspec.structs.replace(
            answer_to(app, {**environ_of(asked), REPLACEMENT_KEY: "limit"}),
            is_last=True,
            process_time=time.process_time() - began,
        )
    return msgspec.structs.replace(answer, is_last=used_much_memory(), process_time=time.process_time() - began)


def environ_of(asked: LongRequest) -> WSGIEnvironment:
    return {
        **asked.environ,
        "wsgi.version": (1, 0),
        "wsgi.input": BytesIO(asked.body),
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
    run()
