"""Two web hosts behind nginx with the configuration of docs/deploy: one is frozen, cut from the network, or killed.

As root on Linux each web host is a network namespace on a bridge, so that a cut is a pulled cable. Programs record through
the proxy meanwhile. For each stage the drill prints the longest time without an acknowledgement, what was lost, and
what is there twice.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from daybook.services.settings import Settings, read_settings
from daybook.services.store.daybook import open_daybook
from daybook.workers.children import start_child, stop
from tests.bench.drill.count import count
from tests.bench.drill.hosts import NETWORK, can_be_cut, namespaces
from tests.bench.drill.writers import Writers
from tests.proxies import NAME, nginx
from tests.servers import free_port, postgres, queue, wait_until

STAGES = ("freeze", "cut", "kill")
AFTER_SECONDS = 3.0
LEFT_OUT_SECONDS = 32.0  # a host that failed gets no requests for 30 seconds


@dataclass
class WebHost:
    """A host with `daybook web`. space: its network namespace; empty: this machine."""

    settings: Settings
    log: Path
    space: str = ""
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"{self.settings.host}:{self.settings.port}"

    def start(self, *words: str) -> None:
        argv = [sys.executable, "-m", "daybook", "web", *words]
        within = ["ip", "netns", "exec", self.space] if self.space else []
        with self.log.open("ab") as log:
            self.process = start_child([*within, *argv], os.environ | self.settings.environ(), stdout=log, stderr=log)

    def answers(self) -> bool:
        done = subprocess.run(["curl", "-sf", "-m", "5", f"http://{self.address}/api/v1/health"], capture_output=True)
        return done.returncode == 0

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the web process and to everything that it started."""
        assert self.process is not None
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout
        for pid in (str(self.process.pid), *children.split()):
            os.kill(int(pid), number)

    def link(self, state: str) -> None:
        subprocess.run(["ip", "link", "set", f"v{self.space}", state], check=True)

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            stop(self.process)


@dataclass
class Scene:
    settings: Settings
    hosts: list[WebHost]
    writers: Writers
    lost: int = 0
    twice: int = 0

    def run(self, stage: str, seconds: float) -> tuple[float, int, int]:
        """Run a stage; return the longest silence, what was lost, and what is there twice."""
        host, begun = self.hosts[0], time.monotonic()
        if stage == "cut":
            host.link("down")
        else:
            host.signal(signal.SIGSTOP if stage == "freeze" else signal.SIGKILL)
        self.writers.done.wait(seconds)
        if stage == "cut":
            host.link("up")
        elif stage == "freeze":
            host.signal(signal.SIGCONT)
        else:
            host.start()
        wait_until(host.answers, "the host", 60)
        self.writers.done.wait(AFTER_SECONDS)
        silence = self.writers.longest_silence(begun, time.monotonic())
        with closing(open_daybook(self.settings)) as book:
            there = count(book, self.writers.game, [words for _, words in self.writers.told], self.writers.played)
        lost, twice = there["missing"] - self.lost, there["twice"] - self.twice
        self.lost, self.twice = there["missing"], there["twice"]
        return silence, lost, twice


@contextmanager
def scene(folder: Path, writers: int, players: int, separate: bool) -> Iterator[Scene]:
    """Run PostgreSQL, two web hosts and nginx, and begin to record.

    Args:
        apart: each web host in a network namespace of its own.
    """
    with ExitStack() as held:
        spaces = held.enter_context(namespaces(2)) if separate else ["", ""]
        url = held.enter_context(
            postgres({"fsync": "on", "full_page_writes": "on"})
        )  # its socket is reached from every namespace
        (folder / "secret").write_text(uuid4().hex)
        (folder / "secret").chmod(0o600)
        settings = read_settings(
            {
                "DAYBOOK_DATABASE_URL": url,
                "DAYBOOK_REDIS_URL": held.enter_context(queue()),
                "DAYBOOK_DATA": str(folder / "data"),
                "DAYBOOK_SECRET_FILE": str(folder / "secret"),
                "DAYBOOK_TRUSTED_PROXIES": f"127.0.0.1,{NETWORK}.1",
                "DAYBOOK_BASE_URL": f"https://{NAME}",
            }
        )
        hosts = []
        for number, space in enumerate(spaces):
            address = f"{NETWORK}.{10 + number}" if space else "127.0.0.1"
            own = replace(settings, host=address, port=free_port(), data=folder / f"data-{number}")
            hosts.append(WebHost(own, folder / f"web-{number}.log", space))
            held.callback(hosts[-1].stop)
            hosts[-1].start(*(["--create"] if number == 0 else []))
            wait_until(hosts[-1].answers, f"web host {number}", 90)
        port, _ = held.enter_context(nginx(folder, [host.address for host in hosts], tls=False))
        load = Writers([f"http://127.0.0.1:{port}"], host=NAME, pause=0.25)  # a link may write 600 times a minute
        load.begin(writers, players=players)
        held.callback(load.end)
        wait_until(lambda: len(load.told) > 5, "some notes", 60)
        yield Scene(settings, hosts, load)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=15.0, help="that a host is away")
    parser.add_argument("--writers", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=STAGES, default=[*STAGES])


def run(options: argparse.Namespace) -> None:
    apart = can_be_cut()
    with (
        tempfile.TemporaryDirectory(prefix="daybook-drill-") as name,
        scene(Path(name), options.writers, 1, apart) as running,
    ):
        print(f"{'web host':10} {'longest':>9} {'acknowl.':>8} {'lost':>6} {'twice':>6}  answers other than 2xx")
        for stage in options.only:
            if stage == "cut" and not apart:
                print(f"{stage:10} left out: be root on Linux")
                continue
            if stage != options.only[0]:
                running.writers.done.wait(LEFT_OUT_SECONDS)
            before = len(running.writers.told)
            running.writers.refused.clear()
            silence, lost, twice = running.run(stage, options.seconds)
            acknowledged = len(running.writers.told) - before
            print(
                f"{stage:10} {silence:7.1f} s {acknowledged:8} {lost:6} {twice:6}  {dict(running.writers.refused)}",
                flush=True,
            )
