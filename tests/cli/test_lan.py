"""Served to the local network: asked once on a terminal, remembered, and told with a code for phones."""

from __future__ import annotations

import os
import pty
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from daybook.cli import main
from daybook.services.operation import network
from tests.servers import PATIENCE_SECONDS, free_port

pytestmark = [pytest.mark.server, pytest.mark.slow]

ASKS = "Let phones on this network open it?"


class Terminal:
    """A person at a terminal who runs `daybook serve`."""

    def __init__(self, process: int, handle: int) -> None:
        self.process = process
        self.handle = handle
        self.shown = ""

    def reads(self, text: str) -> None:
        """Wait until the terminal shows this."""
        end = time.monotonic() + PATIENCE_SECONDS
        while text not in self.shown:
            assert time.monotonic() < end, self.shown
            if select.select([self.handle], [], [], 1)[0]:
                self.shown += os.read(self.handle, 65536).decode()

    def types(self, text: str) -> None:
        os.write(self.handle, f"{text}\n".encode())


@contextmanager
def terminal(data: Path, port: int, *options: str) -> Iterator[Terminal]:
    process, handle = pty.fork()
    if not process:
        os.execv(
            sys.executable,
            [
                sys.executable,
                "-m",
                "daybook",
                "serve",
                "--data",
                str(data),
                "--port",
                str(port),
                "--no-examples",
                *options,
            ],
        )
    try:
        yield Terminal(process, handle)
    finally:
        os.kill(process, signal.SIGINT)
        end = time.monotonic() + 30
        while os.waitpid(process, os.WNOHANG) == (0, 0) and time.monotonic() < end:
            if select.select([handle], [], [], 0.1)[0]:  # what nobody reads would hold it up
                try:
                    os.read(handle, 65536)
                except OSError:
                    break
        os.close(handle)


def test_a_terminal_is_asked_once_and_phones_find_the_address(tmp_path, monkeypatch):
    monkeypatch.setenv("DAYBOOK_WORKERS", "0")  # only the pages have a part in it
    monkeypatch.setenv("DAYBOOK_WIN_CHANCES_SECONDS_PER_DAY", "off")
    port = free_port()
    with terminal(tmp_path / "data", port) as first:
        first.reads(ASKS)
        first.types("y")
        told_to_phones(first, port)
    assert network.read_answer(tmp_path / "data") is True
    with terminal(tmp_path / "data", port) as again:
        told_to_phones(again, port)
        assert ASKS not in again.shown
    with terminal(tmp_path / "data", port, "--no-lan") as alone:
        alone.reads("only on this machine")
        assert ASKS not in alone.shown
    assert network.read_answer(tmp_path / "data") is False


def test_two_answers_to_where_pages_are_served_are_refused(tmp_path):
    for options, environ in ((["--host", "127.0.0.1"], {}), ([], {"DAYBOOK_HOST": "127.0.0.1"})):
        refused = CliRunner().invoke(main, ["serve", "--data", str(tmp_path), "--lan", *options], env=environ)
        assert refused.exit_code == 2 and "give one of them" in refused.output


def told_to_phones(somebody: Terminal, port: int) -> None:
    addresses = network.local_addresses()
    if not addresses:
        somebody.reads("in no network now")
        return
    somebody.reads(f"on phones in this network open http://{addresses[0]}:{port}")
    somebody.reads("▄▄▄▄▄")  # the code
    with urlopen(f"http://{addresses[0]}:{port}/", timeout=PATIENCE_SECONDS) as answer:
        assert answer.status == 200
