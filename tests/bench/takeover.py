"""How long until another follower takes over when the active one's host loses its network, in seconds.

Three hosts in network namespaces of their own, joined by a bridge: a real PostgreSQL and two real followers. The link
of the follower whose turn it is is set down, a game is recorded, and the seconds are counted until its row is there;
then the link comes back, and the old one is seen to move nothing on. Needs root and `ip` (iproute2).

    python -m tests.bench.takeover [--rounds 3]
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

from daybook.services import projections
from daybook.services.league import results
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.workers.children import start_child, stop
from tests import servers
from tests.played import open_table_of

PATIENCE_SECONDS = 300.0
HOSTS = {"db": "10.213.7.1", "one": "10.213.7.2", "two": "10.213.7.3"}
PROJECTIONS = (projections.GAMES, results.RESULTS, projections.SCORES)


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


@contextmanager
def network() -> Iterator[dict[str, str]]:
    """Namespaces of these hosts, by host, on a bridge in one of its own: nothing reaches this machine's network."""
    mark = secrets.token_hex(2)
    middle, spaces = f"dbk{mark}-br", {host: f"dbk{mark}-{host}" for host in HOSTS}
    try:
        ip("netns", "add", middle)
        ip("-n", middle, "link", "add", "bridge", "type", "bridge")
        ip("-n", middle, "link", "set", "bridge", "up")
        for host, space in spaces.items():
            ip("netns", "add", space)
            ip("-n", middle, "link", "add", host, "type", "veth", "peer", "name", "eth0", "netns", space)
            ip("-n", middle, "link", "set", host, "master", "bridge", "up")
            ip("-n", space, "addr", "add", f"{HOSTS[host]}/24", "dev", "eth0")
            ip("-n", space, "link", "set", "eth0", "up")
            ip("-n", space, "link", "set", "lo", "up")
        yield {**spaces, "middle": middle}
    finally:
        for space in (*spaces.values(), middle):
            subprocess.run(["ip", "netns", "del", space], check=False)


@contextmanager
def follower(space: str, url: str, folder: Path, queue: str) -> Iterator[Path]:
    """A follower on a host of its own; where its log is written."""
    folder.mkdir()
    environ = os.environ | {
        "DAYBOOK_DATA": str(folder), "DAYBOOK_DATABASE_URL": url, "DAYBOOK_REDIS_URL": queue}
    said = folder / "follow.log"
    with said.open("wb") as out:
        process = start_child(
            ["ip", "netns", "exec", space, sys.executable, "-m", "daybook", "follow"], environ, stdout=out, stderr=out)
        try:
            yield said
        finally:
            stop(process, patience_seconds=3)


def seconds_until_caught_up(book: Daybook, names: tuple[str, ...], since: float) -> dict[str, float]:
    """Seconds since then until each projection stands at the newest entry."""
    newest, found = book.log.newest(), dict[str, float]()
    while len(found) < len(names):
        if time.monotonic() - since > PATIENCE_SECONDS:
            raise TimeoutError(f"not within {PATIENCE_SECONDS:.0f} s: {sorted({*names} - {*found})}")
        for name in names:
            if name not in found and read_models.position_of(book.views, name) >= newest:
                found[name] = time.monotonic() - since
        time.sleep(0.05)
    return found


def one_round(spaces: dict[str, str], folder: Path, queue: str) -> dict[str, float]:
    with ExitStack() as there:
        own = there.enter_context(servers.postgres(
            {"listen_addresses": HOSTS["db"], "fsync": "on", "full_page_writes": "on"}, spaces["db"]))
        url = f"postgresql://postgres@{HOSTS['db']}/postgres"
        book = open_daybook(Settings(data=folder / "watch", database_url=own), create=True)
        there.callback(book.close)
        open_table_of(book)
        first = there.enter_context(follower(spaces["one"], url, folder / "one", queue))
        seconds_until_caught_up(book, PROJECTIONS, time.monotonic())
        there.enter_context(follower(spaces["two"], url, folder / "two", queue))
        time.sleep(3)  # it asks for its turn, in vain
        ip("-n", spaces["middle"], "link", "set", "one", "down")
        cut = time.monotonic()
        open_table_of(book)
        seconds = seconds_until_caught_up(book, PROJECTIONS, cut)
        ip("-n", spaces["middle"], "link", "set", "one", "up")
        marks = _marks(own)
        open_table_of(book)
        seconds_until_caught_up(book, PROJECTIONS, time.monotonic())
        time.sleep(12)
        assert _marks(own) == marks, "the old one has taken the turn back"
        fares = read_models.projection_health(book)
        assert all(health.state == "running" for health in fares), fares
        assert "Traceback" not in first.read_text(), first.read_text()
        return seconds


def _marks(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT projection, turn FROM daybook_views.position ORDER BY 1").fetchall()


def main() -> None:
    arguments = argparse.ArgumentParser(prog="takeover", description=__doc__)
    arguments.add_argument("--rounds", type=int, default=3)
    rounds = arguments.parse_args().rounds
    if os.getuid() != 0 or shutil.which("ip") is None:
        sys.exit("this needs root, and the command `ip` of iproute2")
    with servers.queue() as queue:
        for number in range(1, rounds + 1):
            with network() as spaces, tempfile.TemporaryDirectory() as folder:
                seconds = one_round(spaces, Path(folder), queue)
            print(f"round {number}: " + ", ".join(f"{name} {took:.1f} s" for name, took in seconds.items()), flush=True)


if __name__ == "__main__":
    main()
