"""Two database hosts, the second one a synchronous standby: killed, frozen, cut from the network, and back.

As root on Linux each is a network namespace with an address of its own on a bridge, so that a cut is a cable pulled:
packets vanish, and nobody says good-bye. Elsewhere both are this machine, and none can be cut.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from daybook.services.store import postgres
from daybook.workers.children import start_child, stop
from tests import servers
from tests.servers import free_port, wait_until

BRIDGE, NETWORK = "dbdrill", "10.213.77"
REPLICATED = (
    "fsync=on",
    "full_page_writes=on",
    "wal_level=replica",
    "hot_standby=on",
    "synchronous_commit=on",
    "wal_keep_size=256MB",
    "max_wal_senders=4",
    "wal_sender_timeout=5s",
    "wal_receiver_timeout=5s",
)


@dataclass
class Host:
    """One of the two. space: its network namespace; empty: it is this machine."""

    name: str
    programs: Path
    user: dict[str, Any]
    data: Path
    address: str
    port: int
    space: str = ""
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql://postgres@{self.address}:{self.port}/postgres"

    def within(self, *argv: str) -> list[str]:
        """A command as it is run on this host."""
        if not self.space:
            return [*argv]
        rights = [f"--reuid={self.user['user']}", f"--regid={self.user['group']}", "--clear-groups", "--pdeathsig=QUIT"]
        return ["ip", "netns", "exec", self.space, "setpriv", *rights, *argv]

    def run(self, program: str, *arguments: str) -> None:
        user = {} if self.space else self.user
        argv = self.within(str(self.programs / program), *arguments)
        subprocess.run(argv, check=True, capture_output=True, cwd="/", **user)

    def start(self) -> None:
        options = {**servers.POSTGRES_OPTIONS, "listen_addresses": self.address, "port": str(self.port)}
        options |= dict(word.split("=") for word in REPLICATED)
        words = [word for key, value in options.items() for word in ("-c", f"{key}={value}")]
        argv = self.within(str(self.programs / "postgres"), "-D", str(self.data), "-k", str(self.data.parent), *words)
        user = {} if self.space else self.user
        with self.data.with_suffix(".log").open("ab") as log:
            self.process = start_child(argv, last_signal=signal.SIGQUIT, stdout=log, stderr=log, cwd="/", **user)

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        if self.process is not None:
            stop(self.process, number)

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def ask(self, statement: str) -> Any:
        with psycopg.connect(self.url, autocommit=True, connect_timeout=10) as connection:
            cursor = connection.execute(statement)  # type: ignore[call-overload]
            found = cursor.fetchone() if cursor.description else None
            return found and found[0]

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        pids = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        for pid in (str(self.process.pid), *pids):
            with suppress(ProcessLookupError):
                os.kill(int(pid), number)

    def link(self, state: str) -> None:
        link(self.space, state)

    def acknowledges_alone(self) -> bool:
        """Return whether the host acknowledges a write of Daybook's although its standby has gone."""
        try:
            with postgres.connect(self.url) as session:
                session.execute("CREATE TABLE IF NOT EXISTS public.alone (n int)")
        except psycopg.OperationalError:
            return False
        return True

    def follow(self, primary: Host) -> None:
        """Become a fresh standby of the other host."""
        at = f"host={primary.address} port={primary.port} user=postgres"
        shutil.rmtree(self.data, ignore_errors=True)
        self.run("pg_basebackup", "-D", str(self.data), "-d", f"{at} dbname=postgres", "-X", "stream", "-c", "fast")
        (self.data / "standby.signal").touch()
        (self.data / "postgresql.auto.conf").write_text(f"primary_conninfo = '{at} application_name=other'\n")
        for file in (self.data / "standby.signal", self.data / "postgresql.auto.conf"):
            os.chmod(file, 0o666)
        self.start()
        primary.ask("ALTER SYSTEM SET synchronous_standby_names = 'other'")
        primary.ask("SELECT pg_reload_conf()")
        state = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        wait_until(lambda: primary.ask(state) == 1, "a synchronous standby", 60)


@contextmanager
def pair(folder: Path, spaces: Sequence[str] = ("", "")) -> Iterator[tuple[Host, Host]]:
    """Run a primary and its synchronous standby.

    Args:
        spaces: the network namespace of each, the first two of `namespaces`; empty: this machine.
    """
    folder.chmod(0o777)
    user = servers._user()
    programs = servers._programs(folder, user)
    with ExitStack() as held:
        one, two = (
            Host(name, programs, user, folder / name, address_in(space), free_port(), space)
            for name, space in zip(("one", "two"), spaces, strict=True)
        )
        one.run("initdb", "-D", str(one.data), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync")
        with (one.data / "pg_hba.conf").open("a") as rights:
            rights.write(f"host all,replication all {NETWORK}.0/24 trust\n")
        for host in (one, two):
            held.callback(host.stop, signal.SIGQUIT)
        one.start()
        wait_until(one.answers, "PostgreSQL")
        two.follow(one)
        yield one, two


def link(space: str, state: str) -> None:
    """Pull the cable of a namespace ("down"), or put it in ("up")."""
    subprocess.run(["ip", "link", "set", f"v{space}", state], check=True)


def address_in(space: str) -> str:
    """Return the address of a namespace; of this machine without one."""
    return f"{NETWORK}.{10 + int(space.removeprefix(BRIDGE))}" if space else "127.0.0.1"


def can_be_cut() -> bool:
    """Return whether hosts can be network namespaces on this machine."""
    if os.getuid() != 0 or shutil.which("ip") is None or shutil.which("setpriv") is None:
        return False
    made = subprocess.run(["ip", "netns", "add", f"{BRIDGE}0"], capture_output=True).returncode == 0
    return made and subprocess.run(["ip", "netns", "del", f"{BRIDGE}0"], capture_output=True).returncode == 0


@contextmanager
def namespaces(count: int) -> Iterator[list[str]]:
    """Network namespaces on a bridge, which this machine is on as well."""

    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True)

    names = [f"{BRIDGE}{number}" for number in range(count)]
    with ExitStack() as held:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was made goes again
        ip("link", "add", BRIDGE, "type", "bridge")
        held.callback(ip, "link", "del", BRIDGE)
        ip("addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for name in names:
            ip("netns", "add", name)
            held.callback(ip, "netns", "del", name)
            ip("link", "add", f"v{name}", "type", "veth", "peer", "name", f"p{name}")
            held.callback(lambda name=name: subprocess.run(["ip", "link", "del", f"v{name}"], capture_output=True))
            ip("link", "set", f"p{name}", "netns", name)
            ip("link", "set", f"v{name}", "master", BRIDGE)
            ip("link", "set", f"v{name}", "up")
            for words in (
                ["addr", "add", f"{address_in(name)}/24", "dev", f"p{name}"],
                ["link", "set", f"p{name}", "up"],
                ["link", "set", "lo", "up"],
            ):
                ip("-n", name, *words)
        yield names
