"""Firefox, driven by the protocol that it brings: no driver has to be installed."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import servers

PROGRAMS = ("firefox-esr", "firefox")
PATIENCE_SECONDS = 240


def firefox() -> str | None:
    """A Firefox of this machine."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Marionette:
    """A connection to a running Firefox: https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html."""

    def __init__(self, port: int) -> None:
        servers.wait_until(lambda: servers.listens(port), "Firefox", PATIENCE_SECONDS)
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.connection.settimeout(PATIENCE_SECONDS)
        self.file = self.connection.makefile("rb")
        self.number = 0
        self._read()  # it greets
        self.send("WebDriver:NewSession", capabilities={})
        self.send("WebDriver:SetTimeouts", script=PATIENCE_SECONDS * 1000, pageLoad=PATIENCE_SECONDS * 1000)

    def _read(self) -> Any:
        length = b""
        while (one := self.file.read(1)) != b":":
            length += one
        return json.loads(self.file.read(int(length)))

    def send(self, command: str, **fields: Any) -> Any:
        self.number += 1
        message = json.dumps([0, self.number, command, fields]).encode()
        self.connection.sendall(b"%d:%s" % (len(message), message))
        _, _, wrong, told = self._read()
        assert wrong is None, wrong
        return told

    def open(self, address: str) -> None:
        self.send("WebDriver:Navigate", url=address)

    def ask(self, what: str) -> Any:
        """The value of an expression on the page, which may be a promise."""
        script = f"const [told] = [...arguments].slice(-1); Promise.resolve().then(() => {what}).then(told)"
        return self.send("WebDriver:ExecuteAsyncScript", script=script, args=[], sandbox=None)["value"]

    def until(self, what: str) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not self.ask(what):
            assert time.monotonic() < end, what
            time.sleep(0.1)

    def close(self) -> None:
        self.file.close()
        self.connection.close()


@contextmanager
def opened_firefox(program: str, profile: Path) -> Iterator[Marionette]:
    """Firefox with a profile of its own, without a window."""
    port = servers.free_port()
    profile.mkdir(exist_ok=True)
    (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
    process = subprocess.Popen(
        [program, "--headless", "--marionette", "--no-remote", "--profile", str(profile)],
        env=os.environ | {"HOME": str(profile)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        browser = Marionette(port)
        yield browser
        browser.close()
    finally:
        process.terminate()
        process.wait()
