"""A process of the pool with small limits and usual priority, and requests that exceed the limits."""

from __future__ import annotations

import time
import zlib

from flask import Flask

from daybook.services.store.daybook import Daybook
from daybook.web import member
from daybook.web.app import create_app
from daybook.web.server import process_limits

ZEROS = zlib.compress(bytes(1024**3))


def burn_python() -> str:
    while True:
        pass


def burn_briefly() -> str:
    ends = time.process_time() + 0.1
    while time.process_time() < ends:
        pass
    return ""


def burn_c() -> str:
    """Take long within one call that never returns to the interpreter."""
    return str(9 ** (10**8))


def fill_with_lists() -> str:
    found: list[object] = []
    while True:
        found.append([found])


def fill_at_once() -> str:
    return str(len(zlib.decompress(ZEROS)))


def greedy_app(book: Daybook) -> Flask:
    app = create_app(book)
    for view in (burn_python, burn_briefly, burn_c, fill_with_lists, fill_at_once):
        for path in (f"/{view.__name__}", f"/api/v1/{view.__name__}"):
            app.add_url_rule(path, path, view)
    return app


def set_small_limits() -> None:
    process_limits.CPU_SECONDS = 1
    process_limits.MEMORY_BYTES = 128 * 1024**2
    member.create_app = greedy_app
    member.NICE = 0  # other tests would take its share of the processor
