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

MAX_FILES = 65536  # open at once, with connections, if the system allows it
OWN_FILES = 256  # that are not connections: databases, temporary files
KEEP_ALIVE_SECONDS = 20
GARBAGE_THRESHOLD = 10_000  # new objects between two collections
GIL_SWITCH_INTERVAL_SECONDS = 0.001  # a decision waits for it once for each query
CERTIFICATE_SECONDS = 60.0  # between two checks if it was renewed
GRACE_SECONDS = 2  # at a stop, for responses that are being written

logger = logging.getLogger(__name__)


class Server(uvicorn.Server):
    """uvicorn with one application. At a stop it ends its event streams, and browsers connect again.

    Args:
        pool: answers requests that take long; None: this process does.
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
            self.renewing = asyncio.create_task(self._reload_certificate(self.config.ssl))
        self.beating = asyncio.create_task(self._beat())

    async def _beat(self) -> None:
        """Tell the supervisor that requests are taken, and that the event loop runs."""
        while True:
            notify.notify(notify.READY, notify.ALIVE)
            await asyncio.sleep(notify.BEAT_SECONDS)

    async def _reload_certificate(self, served: ssl.SSLContext) -> None:
        """Load the certificate and its key again when their files changed."""
        from daybook.services.operation import certificates

        settings: Settings = self.app.extensions["daybook"].settings
        assert settings.tls_certificate is not None and settings.tls_key is not None
        pair = settings.tls_certificate, settings.tls_key
        loaded: list[tuple[int, int]] | None = None
        while True:
            current = [(file.stat().st_mtime_ns, file.stat().st_ino) for file in pair if file.exists()]
            if loaded is not None and current != loaded:
                try:
                    certificates.tls_context(*pair)
                    served.load_cert_chain(*pair)
                    logger.info("the certificate was renewed")
                except certificates.BadCertificateError as error:  # one file may be renewed before the other
                    logger.warning("the previous certificate is served: %s", error)
            loaded = current
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
        self.front.shares.close()  # running writes finish, also if their client has gone

    async def _visitor_of(self, environ: Mapping[str, Any]) -> Visitor:
        """Return the visitor of a request; in a thread, because the secret may have to be read."""
        loop = asyncio.get_running_loop()
        holder = await loop.run_in_executor(self.front.pool, holder_of, self.app, environ)
        return Visitor(environ[ORIGIN], holder)


def run(settings: Settings, pool_socket: Path, is_shared: bool = False) -> None:
    """Serve until stopped.

    Args:
        pool_socket: socket through which processes of the pool are forked.
        is_shared: other processes listen on the same address.
    """
    configure_logging(settings)
    files = raise_file_limit()
    Connection.max_connections = max(files - OWN_FILES, files // 2)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # uvicorn handles them while it serves, and sends them again afterwards
    if unnamed_proxy.is_unnamed(settings):
        logger.warning("%s", unnamed_proxy.ADVICE)
    book = open_daybook(settings)
    try:
        server = Server(create_app(book), settings.host, settings.port, Pool(pool_socket))
        collect_less()
        sys.setswitchinterval(GIL_SWITCH_INTERVAL_SECONDS)
        server.run(shared_sockets(settings) if is_shared else None)
    finally:
        book.close()


def shared_sockets(settings: Settings) -> list[socket.socket]:
    """Open sockets of an address for several processes; Linux divides connections among them."""
    found = []
    addresses = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    for family, kind, protocol, _, address in dict.fromkeys(addresses):
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
        found.append(listener)
    return found


def warm_up(settings: Settings) -> None:
    """Answer one page and close the application: forks of this process share what that loaded."""
    book = open_daybook(settings)
    try:
        create_app(book).test_client().get("/help")
    finally:
        book.close()
    gc.collect()


def collect_less() -> None:
    """Have the garbage collector skip all present objects, and run less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD, 20, 50)


def raise_file_limit() -> int:
    """Raise the limit of open files as far as allowed; return it. Each connection is a file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if hard == resource.RLIM_INFINITY else min(MAX_FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MAX_FILES if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted
