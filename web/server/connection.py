"""Connections of the server: a client cannot hold one without sending requests."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from daybook.web.server.front import AUTHORITY, Front

HEAD_SECONDS = 20.0  # for the complete head of a request, and for the first byte of a connection
HEAD_BYTES = 64 * 1024
TOO_SLOW = b"408 Request Timeout"
TOO_LARGE = b"431 Request Header Fields Too Large"


class Connection(HttpToolsProtocol):
    """uvicorn's connection with limits on the time and size of a request's head, and on connections of one address."""

    max_connections = 10_000  # others are closed at once, so that files can still be opened; a quarter for one address
    by_address = defaultdict[str, dict["Connection", None]](dict)  # oldest first

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.head_bytes = 0  # received since the last complete head or piece of a body
        self.head_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self._find_address()
        self.by_address[self.address][self] = None
        if len(self.connections) > self.max_connections or not self._has_room():
            transport.abort()
        else:
            self._await_head()

    def _find_address(self) -> str:
        """Return the address that the connection comes from; empty for a named proxy, which serves many clients."""
        front: Front = self.config.app  # type: ignore[assignment]
        return "" if not self.client or front.is_proxy(self.client[0]) else front.origin(self.client[0], [])

    def _has_room(self) -> bool:
        """Check if this address may have one more connection; close its oldest idle one if necessary."""
        connections = self.by_address[self.address]
        if not self.address or len(connections) <= self.max_connections // 4:
            return True
        idle = next((other for other in connections if other is not self and other.is_idle()), None)
        if idle is None:
            return False
        idle.transport.abort()
        del connections[idle]
        return True

    def is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_head()
        self.by_address[self.address].pop(self, None)
        if not self.by_address[self.address]:
            del self.by_address[self.address]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.head_due is None and (self.cycle is None or self.cycle.response_complete):
            self._await_head()
        self.head_bytes += len(data)
        super().data_received(data)
        if self.head_bytes > HEAD_BYTES:
            self._refuse(TOO_LARGE)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self.cycle is None or self.cycle.scope is not self.scope:  # else a trailer: it would pass for a header
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """End the limit for the head, and note the host of a request line with a whole address."""
        self._end_head()
        target, separator, rest = self.url.partition(b"://")
        if separator and target.isalpha():
            cast(dict[str, Any], self.scope)[AUTHORITY] = re.split(rb"[/?#]", rest, maxsplit=1)[0]
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.head_bytes = 0
        super().on_body(body)

    def _await_head(self) -> None:
        self.head_due = self.loop.call_later(HEAD_SECONDS, self._refuse, TOO_SLOW)

    def _end_head(self) -> None:
        self.head_bytes = 0
        if self.head_due is not None:
            self.head_due.cancel()
            self.head_due = None

    def _refuse(self, status: bytes) -> None:
        """Answer with a status and close the connection, unless a response has begun."""
        if not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete:
                self.transport.write(b"HTTP/1.1 %s\r\nconnection: close\r\ncontent-length: 0\r\n\r\n" % status)
            self.transport.close()
