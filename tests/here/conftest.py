"""Daybook for browsers, built once for all tests of a run, and the Python in it, run by Node."""

from __future__ import annotations

import fcntl
import json
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from daybook import browser_build
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook

BUILD = Path(__file__).resolve().parents[2] / "build"


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder that `daybook browser-build` makes; made anew where something in it has changed."""
    BUILD.mkdir(exist_ok=True)
    folder = BUILD / "here"
    with (BUILD / "here.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of several processes one builds
        if not browser_build.is_current(folder):
            browser_build.build(folder)
    return folder


@pytest.fixture
def book(tmp_path: Path, empty_data: Path) -> Iterator[Daybook]:
    """A server's daybook."""
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "server"))))
    yield opened
    opened.close()


def listening_socket() -> socket.socket:
    """On a port of this machine that is free."""
    return socket.create_server(("127.0.0.1", 0), backlog=128)


def run_on_device(built: Path, script: str, data: Path, argument: Any = None) -> Any:
    """Runs a script of this folder in the Python for browsers, with the code of a build; what it printed last."""
    here = Path(__file__).resolve().parent
    done = subprocess.run(
        [str(browser_build.node()), str(here / "device.js"), str(built), str(here / script), str(data),
         json.dumps(argument)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return json.loads(done.stdout.splitlines()[-1])
