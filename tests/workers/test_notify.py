"""Parts tell systemd that they are ready and alive."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from daybook.workers.children import start_child, stop
from tests.servers import PATIENCE_SECONDS, free_port

pytestmark = pytest.mark.slow


@pytest.mark.sqlite_suffices
def test_parts_send_ready_and_then_beat(settings, queue_url, tmp_path):
    subprocess.run([sys.executable, "-m", "daybook", "init", "--data", str(settings.data)], check=True)
    environ = os.environ | settings.environ() | {"DAYBOOK_REDIS_URL": queue_url, "DAYBOOK_PORT": str(free_port())}
    with ExitStack() as running:
        parts = [begin_part(running, command, environ, tmp_path) for command in ("follow", "work", "analyse", "web")]
        for pid, systemd in parts:
            received = [systemd.recv(4096).decode().split("\n") for _ in range(3)]
            assert {sender for sender, *_ in received} == {f"MAINPID={pid}"}
            assert any("READY=1" in states for states in received)
            assert "WATCHDOG=1" in received[-1]


def begin_part(running: ExitStack, command: str, environ: dict[str, str], folder: Path) -> tuple[int, socket.socket]:
    """Start a part; return its process id and the socket on which it tells systemd its states."""
    systemd = running.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
    systemd.bind(str(folder / command))
    systemd.settimeout(PATIENCE_SECONDS)
    part = start_child([sys.executable, "-m", "daybook", command], environ | {"NOTIFY_SOCKET": str(folder / command)})
    running.callback(stop, part)
    return part.pid, systemd
