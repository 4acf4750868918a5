"""Messages to the process that started this one, in the protocol of systemd (sd_notify(3)).

Under `daybook serve` the supervisor reads them, under systemd units systemd does, and elsewhere no one.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress

VARIABLE = "NOTIFY_SOCKET"
BEAT_SECONDS = 5.0  # between two messages that this process is alive
READY = "READY=1"
ALIVE = "WATCHDOG=1"
START = "X_START="  # followed by the name of a part for which work waits


def notify(*states: str) -> None:
    """Send states without waiting; a message that cannot be delivered is dropped."""
    if not (path := os.environ.get(VARIABLE)):
        return
    address = "\0" + path[1:] if path.startswith("@") else path
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender, suppress(OSError):
        sender.setblocking(False)
        sender.sendto("\n".join((f"MAINPID={os.getpid()}", *states)).encode(), address)
