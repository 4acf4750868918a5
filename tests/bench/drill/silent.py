"""Parts fall silent or die, and a former primary comes back that no one fenced.

Two real PostgreSQL servers, the second one a synchronous standby, two `daybook web`, a follower, a worker and a queue.
While programs record, one part after another is frozen (SIGSTOP), killed or cut from the network, and comes back. For
each stage the drill prints the longest time without an acknowledgement, what was lost, what is there twice, how long
lists and scores took to catch up, and what health and metrics said. If Prometheus is installed, it also prints which
alerts of docs/deploy/alerts.yml were pending or fired.

In the stage `former` the standby is promoted while the old primary acknowledges alone. Then the new primary stops, and a
web process is started that has met neither: every step that it acknowledges would be lost.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from uuid import uuid4

from daybook.services.settings import Settings, read_settings
from daybook.services.store.daybook import open_daybook
from daybook.workers import queue_server
from daybook.workers.children import start_child, stop
from tests.bench.drill.count import count, derived
from tests.bench.drill.hosts import Host, address_in, can_be_cut, link, namespaces, pair
from tests.bench.drill.looks import Looks
from tests.bench.drill.writers import TRUSTED, Writers
from tests.bench.prometheus import Prometheus
from tests.queue_servers import OPTIONS, PASSWORD
from tests.servers import NotReady, free_port, listens, wait_until

STAGES = (
    "standby",
    "cut standby",
    "killed standby",
    "queue",
    "cut queue",
    "killed queue",
    "follower",
    "cut follower",
    "killed follower",
    "worker",
    "killed worker",
    "web",
    "killed web",
    "primary",
    "former",
)
NAMES = {"follower": "follow", "worker": "work", "web": "web 1"}  # of the parts
AFTER_SECONDS = 3.0
NOTE_PAUSE_SECONDS = 1.0  # below the rate limit of a link
AGAIN_SECONDS = 30.0  # for the new primary to be used
PAIR, FOLLOWER, QUEUE = slice(0, 2), 2, 3  # the network namespaces of each


@dataclass
class Scene:
    """Everything that runs.

    Args:
        folder: where each part writes its log.
        spaces: network namespaces, or empty texts.
    """

    folder: Path
    spaces: list[str]
    settings: Settings
    primary: Host
    standby: Host
    parts: dict[str, subprocess.Popen[bytes]]
    writers: Writers
    looks: Looks
    held: ExitStack
    lost: int = 0
    twice: int = 0

    def start(self, part: str, port: int = 0, **changed: object) -> None:
        settings = replace(self.settings, port=port or self.settings.port, **changed)  # type: ignore[arg-type]
        words = [part.split()[0], *(["--create"] if part == "web 1" else [])]
        log = self.held.enter_context((self.folder / f"{part}.log").open("wb"))
        space = self.spaces[FOLLOWER] if part == "follow" else ""
        argv = within(space, sys.executable, "-m", "daybook", *words)
        self.parts[part] = start_child(argv, os.environ | settings.environ() | TRUSTED, stdout=log, stderr=log)
        self.held.callback(stop, self.parts[part])

    def start_queue(self) -> None:
        options = OPTIONS | {"bind": address_in(self.spaces[QUEUE]), "dir": str(self.folder)}
        options["port"] = self.settings.queue_url.rpartition(":")[2].partition("/")[0]
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        argv = within(self.spaces[QUEUE], str(queue_server.binary()), *words)
        log = self.held.enter_context((self.folder / "queue.log").open("ab"))
        self.parts["queue"] = start_child(argv, stdout=log, stderr=log)
        self.held.callback(stop, self.parts["queue"])
        wait_until(lambda: queue_server.server_answers(self.settings.queue_url), "the queue server")

    def run(self, stage: str, act: Callable[[], object]) -> None:
        """Run a stage, and print how it went."""
        self.looks.clear()
        self.writers.refused.clear()
        before, begun = len(self.writers.acknowledged_at), time.monotonic()
        act()
        came_back = time.monotonic()
        self.writers.done.wait(AFTER_SECONDS)
        silence = self.writers.longest_silence(begun, time.monotonic())
        with closing(open_daybook(self.settings)) as book:
            derived(book)
            caught_up = time.monotonic() - came_back
            words = [words for _, words in self.writers.told]
            there = count(book, self.writers.game, words, self.writers.played)
        lost, twice = there["missing"] - self.lost, there["twice"] - self.twice
        self.lost, self.twice = there["missing"], there["twice"]
        acknowledged = len(self.writers.acknowledged_at) - before
        refused = {error[:60]: n for error, n in self.writers.refused.items()}
        print(
            f"{stage:15} {silence:7.1f} s {acknowledged:8} {lost:6} {twice:6} {caught_up:9.1f} s  "
            f"sent again: {refused or 'none'}; {self.looks.said()}",
            flush=True,
        )


def within(space: str, *argv: str) -> list[str]:
    """Return a command as it runs in a network namespace."""
    return ["ip", "netns", "exec", space, *argv] if space else [*argv]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=12.0, help="that a part is silent")
    parser.add_argument("--writers", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=STAGES, default=[*STAGES])
    parser.add_argument("--logs", action="store_true", help="print the last lines of each part")


def run(arguments: argparse.Namespace) -> None:
    cut = can_be_cut()
    with ExitStack() as held, scene(held, arguments.writers, cut) as stage:
        print(f"{'silent':15} {'longest':>9} {'acknowl.':>8} {'lost':>6} {'twice':>6} {'caught up':>11}")
        for name in arguments.only:
            if name.startswith("cut ") and not cut:
                print(f"{name:15} left out: be root on Linux")
                continue
            stage.run(name, partial(_silence, stage, name, arguments.seconds))
        stage.writers.end()
        for part in stage.parts if arguments.logs else ():
            print(f"--- {part}", *(stage.folder / f"{part}.log").read_text().splitlines()[-8:], sep="\n")


@contextmanager
def scene(stack: ExitStack, writers: int, separate: bool) -> Iterator[Scene]:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="daybook-drill-")))
    spaces = stack.enter_context(namespaces(4)) if separate else [""] * 4
    primary, standby = stack.enter_context(pair(folder, spaces[PAIR]))
    hosts = ",".join(f"{host.address}:{host.port}" for host in (primary, standby))
    ports, token = (free_port(), free_port()), uuid4().hex
    for data in (folder / "data", folder / "elsewhere"):
        data.mkdir(mode=0o700)
    for name, content in (("secret", uuid4().hex), ("token", token)):
        (folder / name).write_text(content)
        (folder / name).chmod(0o600)
    settings = read_settings(
        {
            "DAYBOOK_DATABASE_URL": f"postgresql://postgres@{hosts}/postgres",
            "DAYBOOK_REDIS_URL": f"redis://:{PASSWORD}@{address_in(spaces[QUEUE])}:{free_port()}/0",
            "DAYBOOK_DATA": str(folder / "data"),
            "DAYBOOK_SECRET_FILE": str(folder / "secret"),
            "DAYBOOK_METRICS_TOKEN_FILE": str(folder / "token"),
            "DAYBOOK_PORT": str(ports[0]),
        }
    )
    apis = [f"http://127.0.0.1:{port}" for port in ports]
    load = Writers(apis)
    prometheus = shutil.which("prometheus")
    alerts = Prometheus(folder, prometheus, folder / "token", ports) if prometheus else None
    if alerts is not None:
        stack.callback(alerts.stop)
    looks = Looks(apis[1], token, load, alerts)
    found = Scene(folder, spaces, settings, primary, standby, {}, load, looks, stack)
    found.start_queue()
    found.start("web 1")
    wait_until(lambda: listens(ports[0]), "web", 60)
    for part in ("follow", "work"):
        found.start(part)
    found.start("web 2", ports[1])
    wait_until(lambda: listens(ports[1]), "web", 60)
    load.pause = NOTE_PAUSE_SECONDS
    load.begin(writers, players=1)
    stack.callback(load.end)
    found.looks.begin()
    wait_until(lambda: len(load.told) > 5, "some notes", 60)
    yield found


def _silence(scene: Scene, what: str, seconds: float) -> None:
    def pause() -> None:
        scene.writers.done.wait(seconds)

    if what.startswith("cut "):
        places = {"standby": 1, "follower": FOLLOWER, "queue": QUEUE}
        space = scene.spaces[places[what.removeprefix("cut ")]]
        link(space, "down")
        pause()
        link(space, "up")
    elif what == "killed queue":
        scene.parts["queue"].kill()
        scene.parts["queue"].wait()
        pause()
        scene.start_queue()
    elif what == "former":
        _former_primary(scene, pause)
    elif what == "killed standby":
        scene.standby.signal(signal.SIGKILL)
        scene.standby.stop()
        pause()
        scene.standby.start()
        wait_until(scene.standby.answers, "the standby", 60)
    elif what.startswith("killed "):
        part = NAMES[what.removeprefix("killed ")]
        scene.parts[part].kill()
        scene.parts[part].wait()
        pause()
        scene.start(part)
    elif what in ("standby", "primary"):
        host = scene.standby if what == "standby" else scene.primary
        host.signal(signal.SIGSTOP)
        pause()
        host.signal(signal.SIGCONT)
    else:
        pid = scene.parts[NAMES.get(what, what)].pid
        os.kill(pid, signal.SIGSTOP)
        pause()
        os.kill(pid, signal.SIGCONT)


def _former_primary(scene: Scene, pause: Callable[[], None]) -> None:
    former, new = scene.primary, scene.standby
    former.ask("ALTER SYSTEM SET synchronous_standby_names = ''")  # it acknowledges alone from now on
    former.ask("SELECT pg_reload_conf()")
    new.ask("SELECT pg_promote()")
    new.ask("ALTER SYSTEM SET synchronous_standby_names = ''")
    new.ask("SELECT pg_reload_conf()")
    pause()
    new.stop(signal.SIGINT)
    port = free_port()
    scene.start("web 3", port, data=scene.folder / "elsewhere")
    scene.writers.apis = [*scene.writers.apis, f"http://127.0.0.1:{port}"]
    pause()
    print(f"{'':12} a web process that started next to the former primary {'SERVES' if listens(port) else 'waits'}")
    new.start()
    wait_until(new.answers, "the new primary", 60)
    before = len(scene.writers.told)
    scene.writers.refused.clear()
    try:
        wait_until(lambda: len(scene.writers.told) > before, "a note", AGAIN_SECONDS)
    except NotReady:
        print(f"{'':12} NOTHING IS ACKNOWLEDGED BY THE NEW PRIMARY: {dict(scene.writers.refused)}")
