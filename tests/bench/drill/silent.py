"""Parts fall silent or die, and a former primary comes back that no one fenced.

Two real PostgreSQL servers, the second one a synchronous standby, two `daybook web`, a follower, a worker and a queue.
While programs record, one part after another is frozen (SIGSTOP), killed or cut from the network, and comes back. For each stage
the drill prints the longest time without an acknowledgement, what was lost, what is there twice, and what health and
metrics said.

In the stage `former` the standby is promoted while the old primary acknowledges alone. Then the new primary stops, and a
web process is started that has met neither: every step that it acknowledges would be lost.
"""

from __future__ import annotations

import argparse
import os
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

from redis import Redis

from daybook.services.settings import Settings, read_settings
from daybook.services.store.daybook import open_daybook
from daybook.workers.children import start_child, stop
from tests.bench.drill.count import count
from tests.bench.drill.hosts import Host, can_be_cut, pair
from tests.bench.drill.looks import Looks
from tests.bench.drill.writers import TRUSTED, Writers
from tests.servers import NotReady, free_port, listens, queue, wait_until

STAGES = (
    "standby",
    "cut standby",
    "killed standby",
    "queue",
    "follower",
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
AGAIN_SECONDS = 30.0  # for the new primary to be used


@dataclass
class Scene:
    """Everything that runs. folder: where each part writes its log."""

    folder: Path
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
        argv = [sys.executable, "-m", "daybook", *words]
        self.parts[part] = start_child(argv, os.environ | settings.environ() | TRUSTED, stdout=log, stderr=log)
        self.held.callback(stop, self.parts[part])

    def run(self, stage: str, act: Callable[[], object]) -> None:
        """Run a stage, and print how it went."""
        self.looks.clear()
        self.writers.refused.clear()
        before, begun = len(self.writers.told), time.monotonic()
        act()
        self.writers.done.wait(AFTER_SECONDS)
        silence = self.writers.longest_silence(begun, time.monotonic())
        with closing(open_daybook(self.settings)) as book:
            words = [words for _, words in self.writers.told]
            there = count(book, self.writers.game, words, self.writers.played)
        lost, twice = there["missing"] - self.lost, there["twice"] - self.twice
        self.lost, self.twice = there["missing"], there["twice"]
        acknowledged = len(words) - before
        print(f"{stage:15} {silence:7.1f} s {acknowledged:8} {lost:6} {twice:6}  {self.looks.said()}", flush=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=12.0, help="that a part is silent")
    parser.add_argument("--writers", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=STAGES, default=[*STAGES])
    parser.add_argument("--logs", action="store_true", help="print the last lines of each part")


def run(arguments: argparse.Namespace) -> None:
    cut = can_be_cut()
    with ExitStack() as held, scene(held, arguments.writers, cut) as stage:
        print(f"{'silent':15} {'longest':>9} {'acknowl.':>8} {'lost':>6} {'twice':>6}")
        for name in arguments.only:
            if name == "cut standby" and not cut:
                print(f"{name:15} left out: be root on Linux")
                continue
            stage.run(name, partial(_silence, stage, name, arguments.seconds))
        stage.writers.end()
        for part in stage.parts if arguments.logs else ():
            print(f"--- {part}", *(stage.folder / f"{part}.log").read_text().splitlines()[-8:], sep="\n")


@contextmanager
def scene(stack: ExitStack, writers: int, separate: bool) -> Iterator[Scene]:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="daybook-drill-")))
    primary, standby = stack.enter_context(pair(folder, separate))
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
            "DAYBOOK_REDIS_URL": stack.enter_context(queue()),
            "DAYBOOK_DATA": str(folder / "data"),
            "DAYBOOK_SECRET_FILE": str(folder / "secret"),
            "DAYBOOK_METRICS_TOKEN_FILE": str(folder / "token"),
            "DAYBOOK_PORT": str(ports[0]),
        }
    )
    apis = [f"http://127.0.0.1:{port}" for port in ports]
    load = Writers(apis)
    found = Scene(folder, settings, primary, standby, {}, load, Looks(apis[1], token, load), stack)
    found.start("web 1")
    wait_until(lambda: listens(ports[0]), "web", 60)
    for part in ("follow", "work"):
        found.start(part)
    found.start("web 2", ports[1])
    wait_until(lambda: listens(ports[1]), "web", 60)
    load.begin(writers, players=1)
    stack.callback(load.end)
    found.looks.begin()
    wait_until(lambda: len(load.told) > 5, "some notes", 60)
    yield found


def _silence(scene: Scene, what: str, seconds: float) -> None:
    def pause() -> None:
        scene.writers.done.wait(seconds)

    if what == "cut standby":
        scene.standby.link("down")
        pause()
        scene.standby.link("up")
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
        pid = _queue_pid(scene.settings) if what == "queue" else scene.parts[NAMES[what]].pid
        os.kill(pid, signal.SIGSTOP)
        pause()
        os.kill(pid, signal.SIGCONT)


def _queue_pid(settings: Settings) -> int:
    with Redis.from_url(settings.queue_url) as queue:
        info: dict[str, int] = queue.info("server")  # type: ignore[assignment]
        return int(info["process_id"])


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
