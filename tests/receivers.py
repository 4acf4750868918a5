"""A real receiver of webhooks on loopback, which answers as a test says."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Received:
    """A request that reached the receiver."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> Any:
        return json.loads(self.body)


@dataclass
class Receiver:
    """The requests so far, and the answer to the next ones."""

    address: str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    answer: bytes = b"{}"
    delay_seconds: float = 0.0  # between two bytes of the answer
    received: list[Received] = field(default_factory=list)


@contextmanager
def receiver() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            here.received.append(Received(self.command, self.path, {**self.headers}, body))
            self.send_response(here.status)
            for name, value in here.headers.items():
                self.send_header(name, value)
            self.end_headers()
            for byte in here.answer:
                self.wfile.write(bytes([byte]))
                if here.delay_seconds:
                    self.wfile.flush()
                    time.sleep(here.delay_seconds)

        do_POST = do_PATCH = do_GET = answer

        def log_message(self, format: str, *arguments: Any) -> None: ...

        def handle(self) -> None:
            with suppress(OSError):  # the sender has gone
                super().handle()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    here = Receiver(f"http://127.0.0.1:{server.server_port}/hook")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
