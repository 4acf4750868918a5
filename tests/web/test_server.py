"""The server as it runs: one process, threads for open streams, a log without secrets."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
from pathlib import Path

from services.daybook import open_daybook
from services.settings import Settings
from tests.servers import wait_until
from web.server import THREADS, configuration
from workers.children import started, stop

PROGRAM = "from services.settings import read; from web.server import run; run(read())"


def test_pages_are_served_and_the_log_keeps_no_query_and_no_header(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = Settings(data=tmp_path / "data", port=port)
    open_daybook(settings, create=True).close()
    with (tmp_path / "log").open("wb") as log:
        server = started(
            [sys.executable, "-c", PROGRAM], os.environ | settings.environ(), stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_until(lambda: answers(port), "the server")
            asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            asked.request("GET", "/help?secret=one", headers={"Authorization": "Bearer two", "Referer": "three"})
            assert asked.getresponse().status == 200
            asked.close()
        finally:
            assert stop(server) == 0
    written = (tmp_path / "log").read_text()
    assert '"GET /help" 200' in written
    assert not [secret for secret in ("secret", "two", "three") if secret in written]


def answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def test_one_process_holds_a_hundred_open_streams() -> None:
    set_up = configuration(Settings(data=Path("/nowhere")))
    assert (set_up["workers"], set_up["worker_class"]) == (1, "gthread")
    assert set_up["threads"] == THREADS > 100
