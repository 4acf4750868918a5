"""The application as a function from request to response, for a worker of the browser.

A service worker neither gets nor may set the browser's cookies. So the only session of this device is in a file
next to
the log.
"""

from __future__ import annotations

import json
import os
import random
import secrets
import sys
from collections.abc import Mapping
from http.cookies import SimpleCookie
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

from flask import Flask

from daybook.services.settings import SECRET_BYTES, Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import begin, create_pages
from daybook.web.pages import ON_A_DEVICE

FILES = (  # of the data folder; in the browser's storage, and flushed before each response
    *(f"{store}.db{part}" for store in ("log", "kept", "views") for part in ("", "-wal", "-journal")),
    "secret",
    "cookies",
)
NOT_FOR_A_FRAME = frozenset({"x-frame-options", "content-length", "set-cookie"})

Answer = tuple[int, list[tuple[str, str]], bytes]


class Device:
    """The application of a device, and its daybook after `open`.

    The state before `open` is the same at every start, because a browser may restore a snapshot of that memory later.

    Args:
        base: the address below which its pages are, such as /here/app.
    """

    def __init__(self, data: Path, origin: str, base: str) -> None:
        self.origin = urlsplit(origin)
        self.settings = Settings(data=data, base_url=origin + base)
        self.app: Flask = create_pages(self.settings, ON_A_DEVICE)

    def open(self) -> None:
        """Open the daybook in the data folder."""
        random.seed()  # restored memory would repeat the same random numbers
        data = self.settings.data
        self.cookies = Jar(data / "cookies")
        self.book: Daybook = open_daybook(self.settings, create=True)  # first: a secret without a log is a lost log
        _make_secret(data / "secret")
        begin(self.app, self.book)
        self.app.extensions[
            "streams"
        ].room.size = 0  # without threads there are no streams; pages poll for the newest step

    def answer(self, method: str, url: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """Return status, headers and body of the response to a request.

        Args:
            url: path and query.
        """
        status_and_headers: list[tuple[int, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], _wrong: object = None) -> None:
            status_and_headers[:] = [(int(status.split()[0]), headers)]

        pieces = self.app.wsgi_app(self._environ(method, url, headers, body), start)  # type: ignore[arg-type]
        try:
            content = b"".join(pieces)
        finally:
            if hasattr(pieces, "close"):
                pieces.close()
        ((status, given),) = status_and_headers
        self.cookies.take(given)
        return status, [_in_a_frame(name, text) for name, text in given if name.lower() not in NOT_FOR_A_FRAME], content

    def _environ(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> dict[str, object]:
        path, _, query = url.partition("?")
        environ: dict[str, object] = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "SERVER_NAME": self.origin.hostname or "",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "SERVER_PORT": str(self.origin.port or (443 if self.origin.scheme == "https" else 80)),
            "HTTP_HOST": self.origin.netloc,
            "REMOTE_ADDR": "",  # no network: nothing is limited
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": self.origin.scheme,
            "wsgi.input": BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        for name, text in headers.items():
            key = name.upper().replace("-", "_")
            if key == "CONTENT_TYPE":
                environ[key] = text
            elif key not in ("CONTENT_LENGTH", "COOKIE", "HOST", "ACCEPT_ENCODING"):  # nothing is packed on the way
                environ[f"HTTP_{key}"] = text
        if self.cookies.kept:
            environ["HTTP_COOKIE"] = "; ".join(f"{name}={text}" for name, text in self.cookies.kept.items())
        return environ

    def close(self) -> None:
        self.book.close()


class Jar:
    """The cookies of the device's only session, in a file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.kept: dict[str, str] = {}
        if file.exists() and (text := file.read_text()):
            try:
                self.kept = json.loads(text)
            except ValueError:  # the file was cut off while it was written; links restore the session
                self.kept = {}

    def take(self, headers: list[tuple[str, str]]) -> None:
        """Store the cookies that a response sets."""
        before = dict(self.kept)
        for name, text in headers:
            if name.lower() == "set-cookie":
                for key, morsel in SimpleCookie(text).items():
                    self.kept[key] = morsel.coded_value
                    if morsel["max-age"] == "0":
                        del self.kept[key]
        if self.kept != before:
            self.file.write_text(json.dumps(self.kept))


def _in_a_frame(name: str, text: str) -> tuple[str, str]:
    """Adapt a header of a response that the shell shows in a frame."""
    if name.lower() == "content-security-policy":
        return name, text.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    return name, text


def _make_secret(file: Path) -> None:
    """Create the device's secret. The storage provides an empty file if there was none."""
    if not file.exists() or file.stat().st_size < SECRET_BYTES:
        file.write_text(secrets.token_hex(SECRET_BYTES))
        os.chmod(file, 0o600)
