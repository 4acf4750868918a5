"""Serve the application: an event loop for connections and streams, and a few threads that answer requests."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import signal
import socket
import ssl
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from flask import Flask

from daybook.services.cpu_debts import Visitor
from daybook.services.operation import notify, unnamed_proxy
from daybook.services.operation.logs import configure_logging
from daybook.services.play.live import Streams
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from daybook.web.request.long_work import LongViews
from daybook.web.request.origin import holder_of, is_named_proxy, origin_of
from daybook.web.server.connection import Connection
from daybook.web.server.front import Front
from daybook.web.server.long_requests import ORIGIN, LongRequests
from daybook.web.server.pool import Pool

FILES = 65536  # that may be open at once, connections among them, if the system lets us
FILES_OF_OURS = 256  # that are no connection: databases, temporary files
KEEP_ALIVE_SECONDS = 20
GARBAGE = 10_000  # objects that were made and not yet freed, before they are looked through
SWITCH_SECONDS = 0.001  # of Python's processor that a thread may take while others wait: a decision waits once a query
CERTIFICATE_SECONDS = 60.0  # between two looks whether it was renewed
GRACE_SECONDS = 2  # for answers that are being written when we are asked to stop

logger = logging.getLogger(__name__)


class Server(uvicorn.Server):
    """uvicorn on one application, which lets its event streams go when it is asked to stop: a browser asks again.

    pool: answers what takes long; where there is none, this process does.
    """

    def __init__(self, app: Flask, host: str = "127.0.0.1", port: int = 0, pool: Pool | None = None) -> None:
        self.app = app
        settings: Settings = app.extensions["daybook"].settings
        proxies = settings.trusted_proxies
        self.long_work = pool
        self.front = Front(
            app,
            lambda peer, forwarded: origin_of(peer, forwarded, proxies),
            None if pool is None else LongRequests(pool, LongViews(app), self._visitor_of),
            metrics=app.extensions["metrics"],
            holder=partial(holder_of, app),
            is_proxy=lambda peer: is_named_proxy(peer, proxies),
        )
        super().__init__(
            uvicorn.Config(
                self.front,
                host=host,
                port=port,
                http=Connection,
                ws="none",
                lifespan="off",
                interface="asgi3",
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=GRACE_SECONDS,
                backlog=1024,
                proxy_headers=False,
                server_header=False,
                access_log=False,
                log_config=None,
                ssl_certfile=settings.tls_certificate,
                ssl_keyfile=settings.tls_key,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.config.ssl is not None:
            self.renewing = asyncio.create_task(self._take_up_certificate(self.config.ssl))
        self.beating = asyncio.create_task(self._beat())

    async def _beat(self) -> None:
        """Tell the supervisor that requests are taken, and that the event loop runs."""
        while True:
            notify.notify(notify.READY, notify.ALIVE)
            await asyncio.sleep(notify.BEAT_SECONDS)

    async def _take_up_certificate(self, served: ssl.SSLContext) -> None:
        """Serve with what is in the files of the certificate and its key by now: whoever renews it does so by the clock."""
        from daybook.services.operation import certificates

        settings: Settings = self.app.extensions["daybook"].settings
        assert settings.tls_certificate is not None and settings.tls_key is not None
        pair = settings.tls_certificate, settings.tls_key
        taken: list[tuple[int, int]] | None = None
        while True:
            there = [(file.stat().st_mtime_ns, file.stat().st_ino) for file in pair if file.exists()]
            if taken is not None and there != taken:
                try:
                    certificates.tls_context(*pair)
                    served.load_cert_chain(*pair)
                    logger.info("the certificate was renewed")
                except certificates.BadCertificateError as wrong:  # one of them may have come before the other
                    logger.warning("the certificate of before is served: %s", wrong)
            taken = there
            await asyncio.sleep(CERTIFICATE_SECONDS)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        streams: Streams = self.app.extensions["streams"]
        streams.close_all()
        await super().shutdown(sockets)
        if self.config.ssl is not None:
            self.renewing.cancel()
        self.beating.cancel()
        if self.long_work is not None:
            self.long_work.close()
        self.front.shares.close()  # what is being written gets done, also where nobody waits for the answer

    async def _visitor_of(self, environ: Mapping[str, Any]) -> Visitor:
        """Return whose slot a request takes; found out in a thread, since a secret may have to be read."""
        loop = asyncio.get_running_loop()
        holder = await loop.run_in_executor(self.front.pool, holder_of, self.app, environ)
        return Visitor(environ[ORIGIN], holder)


def run(settings: Settings, pool_socket: Path) -> None:
    """Serve until asked to stop. pool_socket: where processes of the pool are forked."""
    configure_logging(settings)
    files = raise_file_limit()
    Connection.most = max(files - FILES_OF_OURS, files // 2)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # uvicorn answers them while it serves and sends them again afterwards
    if unnamed_proxy.is_unnamed(settings):
        logger.warning("%s", unnamed_proxy.ADVICE)
    book = open_daybook(settings)
    try:
        server = Server(create_app(book), settings.host, settings.port, Pool(pool_socket))
        collect_less()
        sys.setswitchinterval(SWITCH_SECONDS)
        server.run()
    finally:
        book.close()


def warm_up(settings: Settings) -> None:
    """Open the application, answer a page, and close it: processes that are forked from this one share what that loaded."""
    book = open_daybook(settings)
    try:
        create_app(book).test_client().get("/help")
    finally:
        book.close()
    gc.collect()


def collect_less() -> None:
    """What is here now stays for good: the garbage collector looks through what requests make alone, and less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE, 20, 50)


def raise_file_limit() -> int:
    """How many files this process may have open from now on: each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return FILES if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted
