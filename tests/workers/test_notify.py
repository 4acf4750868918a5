"""Parts tell systemd that they are ready and alive."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from daybook.workers.children import start_child, stop
from tests.servers import PATIENCE_SECONDS, free_port

pytestmark = pytest.mark.slow


@pytest.mark.sqlite_suffices
@pytest.mark.parametrize("command", ["follow", "work", "analyse", "web"])
def test_part_sends_ready_and_then_beats(settings, queue_url, tmp_path, command):
    subprocess.run([sys.executable, "-m", "daybook", "init", "--data", str(settings.data)], check=True)
    environ = os.environ | settings.environ() | {"DAYBOOK_REDIS_URL": queue_url, "DAYBOOK_PORT": str(free_port())}
    path = tmp_path / "systemd.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(path))
        systemd.settimeout(PATIENCE_SECONDS)
        part = start_child([sys.executable, "-m", "daybook", command], environ | {"NOTIFY_SOCKET": str(path)})
        try:
            received = [systemd.recv(4096).decode().split("\n") for _ in range(3)]
        finally:
            stop(part)
    assert {pid for pid, *_ in received} == {f"MAINPID={part.pid}"}
    assert any("READY=1" in states for states in received)
    assert "WATCHDOG=1" in received[-1]
