"""Daybook is replaced by a later version, part by part, while people record and read: what was refused, and for how long
nothing was acknowledged.

The older version runs two web processes, a follower and a worker. Then the newer one comes, in the order of
docs/deploy. In between, parts of the older version are killed and started again, as a supervisor would do it. The older
version is this tree; the newer one is this tree with kept tables one step on and read models of the next number.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import psycopg

from daybook.services.settings import Settings
from daybook.workers.children import start_child, stop
from tests import data_folder, servers
from tests.bench.drill.writers import TRUSTED, Writers
from tests.servers import free_port, listens, wait_until

TREE = Path(__file__).resolve().parents[3]
TODAY, TOMORROW = "today", "tomorrow"
STAGE_SECONDS = 3.0
CSRF, MARK = re.compile(r'name="csrf" value="([^"]+)"'), re.compile(r'/note"[^>]*>.*?name="key" value="([^"]+)"', re.S)


@dataclass
class Version:
    """code: the folder that its modules are found in first; None: this tree's alone."""

    name: str
    code: Path | None = None

    def environ(self, settings: Mapping[str, str]) -> dict[str, str]:
        others = {name: value for name, value in os.environ.items() if not name.startswith("DAYBOOK_")}
        return {**others, **settings, "PYTHONPATH": os.pathsep.join(map(str, filter(None, (self.code, TREE))))}


@dataclass
class Service:
    """Processes of several versions on one database; logs: a file for each part and version."""

    settings: Mapping[str, str]
    folder: Path
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, version: Version, part: str, port: int | None = None) -> None:
        """Start a part, named by its command; web is waited for."""
        environ = version.environ(self.settings) | ({} if port is None else {"DAYBOOK_PORT": str(port)})
        with (self.folder / f"{part}-{version.name}.log").open("ab") as log:
            command = [sys.executable, "-m", "daybook", part.split()[0]]
            self.running[part] = started = start_child(command, environ, stdout=log, stderr=log, cwd=self.folder)
        if port is not None:
            wait_until(lambda: listens(port) or started.poll() is not None, part, 60)
        assert started.poll() is None, f"{part} of {version.name} does not run"

    def stop(self, part: str, number: signal.Signals = signal.SIGTERM) -> None:
        stop(self.running.pop(part), number)

    def stop_all(self) -> None:
        for part in [*self.running]:
            self.stop(part)

    def command(self, version: Version, *command: str, module: str = "daybook", given: str = "") -> tuple[int, str]:
        """Run a command; return its exit code and output."""
        done = subprocess.run(
            [sys.executable, "-m", module, *command],
            env=version.environ(self.settings),
            input=given,
            capture_output=True,
            text=True,
            cwd=self.folder,
        )
        return done.returncode, done.stdout if done.returncode == 0 else done.stdout + done.stderr

    def run(self, version: Version, *command: str, module: str = "daybook", given: str = "") -> str:
        status, says = self.command(version, *command, module=module, given=given)
        assert status == 0, says
        return says


@dataclass
class Form:
    """A form for a note, on a record page that is open in a browser."""

    browser: urllib.request.OpenerDirector
    path: str
    fields: dict[str, str]

    @classmethod
    def found(cls, load: Writers) -> Form:
        """Return what a page of a running web process has."""
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        api = load.apis[0]
        csrf = CSRF.search(browser.open(f"{api}/join").read().decode())
        assert csrf is not None
        joined = browser.open(f"{api}/join", urllib.parse.urlencode({"csrf": csrf[1], "key": load.key}).encode())
        page = browser.open(f"{api}/games/{load.game}/record").read().decode() if joined.status == 200 else ""
        csrf, mark = CSRF.search(page), MARK.search(page)
        assert csrf is not None and mark is not None
        return cls(browser, f"/games/{load.game}/note", {"csrf": csrf[1], "key": mark[1], "about_step": "0"})

    def send(self, api: str, words: str) -> int:
        """The status of the answer to it, given to a web process."""
        body = urllib.parse.urlencode(self.fields | {"text": words}).encode()
        try:
            with self.browser.open(api + self.path, body) as sent:
                return int(sent.status)
        except HTTPError as no:
            return no.code


@dataclass
class Told:
    """The result of a whole drill.

    stages: what was done, and for how many seconds nothing was acknowledged meanwhile. form: the answer to a form of an
    older page. refused: whether a part of the older version is refused at the end. found: `tests.bench.drill.count`.
    """

    writers: Writers
    stages: list[tuple[str, float]] = field(default_factory=list)
    form: int = 0
    refused: bool = False
    found: dict[str, Any] = field(default_factory=dict)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--logs", type=Path, help="keep what the processes say in this folder")


def run(arguments: argparse.Namespace) -> None:
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="daybook-drill-")))
        url = held.enter_context(servers.postgres({"fsync": "on", "full_page_writes": "on"}))
        with psycopg.connect(url, autocommit=True) as server:
            server.execute("CREATE DATABASE daybook")
        url = urllib.parse.urlsplit(url)._replace(path="/daybook").geturl()
        logs = arguments.logs or folder / "logs"
        logs.mkdir(exist_ok=True)
        told = drill(
            Version(TODAY), tomorrow(), logs, url, held.enter_context(servers.queue()), writers=arguments.writers
        )
    writers = told.writers
    print(f"from {TODAY} to {TOMORROW}\n\n{'longest silence':>16}  what was done")
    for what, silence in told.stages:
        print(f"{silence:14.2f} s  {what}")
    print(f"\nacknowledged: {len(writers.told)} notes, {sum(writers.played.values())} decisions; there: {told.found}")
    print(f"refused for good: {writers.lost or 'nothing'}")
    print(f"sent again with the same key: {dict(writers.refused) or 'nothing'}")
    print(f"pages: {dict(writers.pages)}")
    print(f"a form of an older page: {told.form}; an older part at the end: {'refused' if told.refused else 'runs'}")


def tomorrow() -> Version:
    return Version(TOMORROW, TREE / "tests" / "tomorrow")


def drill(old: Version, new: Version, folder: Path, url: str, queue: str, *, writers: int, full: bool = True) -> Told:
    """Run the upgrade drill.

    url: an empty database. whole: if false, one web process of each version, no kill, no score, no finish, and each
    stage ends at once.
    """
    settings = Settings(
        data=folder / "data", database_url=url, redis_url=queue, workers=1, win_chances_seconds_per_day=0
    )
    data_folder.fill_new_folder(settings)
    service = Service(settings.environ() | TRUSTED, folder)
    web = {"web 1": free_port(), "web 2": free_port()}
    with ExitStack() as held:
        held.callback(service.stop_all)
        service.run(old, "init")
        for part in ("follow", "work", *web) if full else ("follow", "web 1"):
            service.start(old, part, web.get(part))
        pause = 0.0 if full else 0.1
        told = Told(Writers([f"http://127.0.0.1:{port}" for port in web.values()], pause=pause))
        load = told.writers
        load.begin(writers, players=int(full), readers=1)
        held.callback(load.end)
        form = Form.found(load)

        def stage(what: str, act: Callable[[], object] = bool) -> None:
            begun = time.monotonic()
            act()
            load.done.wait(STAGE_SECONDS if full else 0)
            before = len(load.told)
            wait_until(lambda: len(load.told) > before, "a note", 60)
            told.stages.append((what, load.longest_silence(begun, time.monotonic())))

        def again(version: Version, part: str, number: signal.Signals = signal.SIGTERM) -> None:
            if part in service.running:
                service.stop(part, number)
            service.start(version, part, web.get(part))

        stage(f"{old.name} alone")
        stage(f"daybook init of {new.name}", lambda: service.run(new, "init"))
        for part in ("follow", "web 1") if full else ():
            stage(f"{part} of {old.name} is killed and started again", partial(again, old, part, signal.SIGKILL))
        for part in ("follow", "work", *web) if full else ("follow", "web 2"):
            stage(f"{part} is replaced", partial(again, new, part))
        told.form = form.send(load.apis[-1], "from an older page")
        if not full:
            stage(f"web 1 of {old.name} ends", partial(service.stop, "web 1"))
        else:
            stage(f"daybook init --finish of {new.name}", lambda: service.run(new, "init", "--finish"))
            told.refused = service.command(old, "rebuild")[0] == 2
        load.end()
        told.found = json.loads(service.run(new, module="tests.bench.drill.count", given=load.acknowledged()))
    return told
