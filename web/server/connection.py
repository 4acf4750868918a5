"""A connection of the server that its client cannot hold without asking for something."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from daybook.web.server.front import AUTHORITY, Front

HEAD_SECONDS = 20.0  # for the head of a request to come in, and for the first byte of the first one
HEAD_BYTES = 64 * 1024
TOO_SLOW = b"408 Request Timeout"
TOO_LARGE = b"431 Request Header Fields Too Large"


class Connection(HttpToolsProtocol):
    """uvicorn's connection, with a limit in time and size to the head of a request. It has them for what follows alone:
    a time between two requests (timeout_keep_alive) and the size of what it reads ahead of a body."""

    most = 10_000  # connections at once; others are closed unanswered, so that files can still be opened
    of_one = defaultdict[str, dict["Connection", None]](dict)  # by address, oldest first; one has a quarter at most

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.head_bytes = 0  # that have come in since the last whole head or piece of a body
        self.head_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.who = self.whose()
        self.of_one[self.who][self] = None
        if len(self.connections) > self.most or not self._has_room():
            transport.abort()
        else:
            self._await_head()

    def whose(self) -> str:
        """Return the address that the connection comes from; empty if it is a named proxy's, who speaks for many."""
        front: Front = self.config.app  # type: ignore[assignment]
        return "" if not self.client or front.is_proxy(self.client[0]) else front.origin(self.client[0], [])

    def _has_room(self) -> bool:
        """Check if this address may have one more connection; its oldest that no request is at makes room."""
        there = self.of_one[self.who]
        if not self.who or len(there) <= self.most // 4:
            return True
        idle = next((one for one in there if one is not self and one.is_idle()), None)
        if idle is None:
            return False
        idle.transport.abort()
        del there[idle]
        return True

    def is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def connection_lost(self, exc: Exception | None) -> None:
        self._has_come()
        self.of_one[self.who].pop(self, None)
        if not self.of_one[self.who]:
            del self.of_one[self.who]
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
        self._has_come()
        target, separator, rest = self.url.partition(b"://")
        if separator and target.isalpha():
            cast(dict[str, Any], self.scope)[AUTHORITY] = re.split(rb"[/?#]", rest, maxsplit=1)[0]
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.head_bytes = 0
        super().on_body(body)

    def _await_head(self) -> None:
        self.head_due = self.loop.call_later(HEAD_SECONDS, self._refuse, TOO_SLOW)

    def _has_come(self) -> None:
        self.head_bytes = 0
        if self.head_due is not None:
            self.head_due.cancel()
            self.head_due = None

    def _refuse(self, status: bytes) -> None:
        if not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete:
                self.transport.write(b"HTTP/1.1 %s\r\nconnection: close\r\ncontent-length: 0\r\n\r\n" % status)
            self.transport.close()
