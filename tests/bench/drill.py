"""A PostgreSQL primary dies while people record: what was acknowledged, how long nothing was, and what came after.

    python -m tests.bench.drill --times 3 --how kill freeze

Two real servers on this machine, the second one a synchronous standby. Some programs record notes by the API of a real
`daybook web`, whose address names both hosts. The primary is killed, or frozen and woken again a while after the standby
took over, as whoever watches such a pair would have it take over (`pg_promote`). Then the old one begins anew as the
standby of the new one, and the next round goes the other way.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.error import HTTPError, URLError
from uuid import uuid4

import psycopg

from daybook.workers.children import start_child, stop
from tests import servers
from tests.servers import free_port, listens, queue, wait_until

WRITERS = 6
NOTICED_SECONDS = 3.0  # until whoever watches has the standby take over
LATE_SECONDS = 8.0  # until a frozen one is woken, after that
AFTER_SECONDS = 10.0
REPLICATED = (
    "fsync=on",
    "full_page_writes=on",
    "wal_level=replica",
    "hot_standby=on",
    "synchronous_commit=on",
    "wal_keep_size=256MB",
)


@dataclass
class Host:
    """One of the two servers."""

    programs: Path
    user: dict[str, Any]
    data: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def run(self, program: str, *arguments: str) -> None:
        subprocess.run([self.programs / program, *arguments], check=True, capture_output=True, cwd="/", **self.user)

    def start(self) -> None:
        options = {**servers.POSTGRES_OPTIONS, "listen_addresses": "127.0.0.1", "port": str(self.port)}
        options |= dict(word.split("=") for word in REPLICATED) | {"max_wal_senders": "4"}
        words = [word for key, value in options.items() for word in ("-c", f"{key}={value}")]
        self.process = start_child(
            [str(self.programs / "postgres"), "-D", str(self.data), "-k", str(self.data.parent), *words],
            last_signal=signal.SIGQUIT,
            stderr=subprocess.DEVNULL,
            cwd="/",
            **self.user,
        )

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def ask(self, statement: str) -> Any:
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(statement)  # type: ignore[call-overload]
            found = cursor.fetchone() if cursor.description else None
            return found and found[0]

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        pids = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        for pid in (str(self.process.pid), *pids):
            with suppress(ProcessLookupError):
                os.kill(int(pid), number)

    def follow(self, primary: Host) -> None:
        """From now on what the other one has, begun anew from it."""
        at = f"host=127.0.0.1 port={primary.port} user=postgres"
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


@dataclass
class Writers:
    """Programs that record without end. told: what was acknowledged, with when."""

    api: str
    key: str
    game: str
    done: Event = field(default_factory=Event)
    told: list[tuple[float, str]] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    def record(self) -> None:
        while not self.done.is_set():
            words, once = uuid4().hex, uuid4().hex
            while not self.done.is_set():
                body = json.dumps({"about": 0, "text": words}).encode()
                headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": once}
                headers["Content-Type"] = "application/json"
                asked = urllib.request.Request(f"{self.api}/games/{self.game}/notes", body, headers)
                try:
                    with urllib.request.urlopen(asked, timeout=30):
                        self.told.append((time.monotonic(), words))
                        break
                except HTTPError as no:
                    self.refused[str(no.code)] += 1
                    no.close()
                    time.sleep(0.5)
                except (URLError, TimeoutError, ConnectionError) as no:
                    self.refused[type(no).__name__] += 1
                    time.sleep(0.5)

    def longest_silence(self, since: float) -> float:
        times = sorted([since, *(at for at, _ in self.told if at >= since)])
        return max(later - at for at, later in pairwise(times))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--how", nargs="+", choices=["kill", "freeze"], default=["kill", "freeze"])
    asked = parser.parse_args()
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o777)
        user = servers._user()
        programs = servers._programs(folder, user)
        one, two = (Host(programs, user, folder / name, free_port()) for name in ("one", "two"))
        one.run("initdb", "-D", str(one.data), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync")
        for host in (one, two):
            held.callback(lambda host=host: host.process and stop(host.process, signal.SIGQUIT))
        one.start()
        wait_until(one.answers, "PostgreSQL")
        two.follow(one)
        port = free_port()
        hosts = f"postgresql://postgres@127.0.0.1:{one.port},127.0.0.1:{two.port}/postgres"
        environ = os.environ | {"DAYBOOK_DATABASE_URL": hosts, "DAYBOOK_PORT": str(port)}
        environ |= {"DAYBOOK_DATA": str(folder / "data"), "DAYBOOK_REDIS_URL": held.enter_context(queue())}
        (folder / "data").mkdir()
        (folder / "data" / "secret").write_bytes(b"only for this drill, and long enough")
        (folder / "data" / "secret").chmod(0o600)
        for part in (["web", "--create"], ["follow"]):
            log = held.enter_context((folder / f"{part[0]}.log").open("wb"))
            process = start_child([sys.executable, "-m", "daybook", *part], environ, stdout=log, stderr=log)
            held.callback(stop, process)
            if part[0] == "web":
                wait_until(lambda: listens(port), "web", 60)
        api = f"http://127.0.0.1:{port}/api/v1"
        opened = _open_game(api)
        key = next(link["key"] for link in opened["links"] if link["role"] == "scorekeeper")
        writers = Writers(api, key, opened["game"])
        threads = [Thread(target=writers.record, daemon=True) for _ in range(WRITERS)]
        for thread in threads:
            thread.start()
        primary, standby = one, two
        print(f"{'how':8} {'longest silence':>16} {'acknowledged':>13}  refused meanwhile")
        for how in asked.how * asked.times:
            before, begun = len(writers.told), time.monotonic()
            writers.refused.clear()
            wait_until(lambda before=before: len(writers.told) > before + 20, "some notes", 60)
            begun = time.monotonic()
            primary.signal(signal.SIGKILL if how == "kill" else signal.SIGSTOP)
            time.sleep(NOTICED_SECONDS)
            standby.ask("SELECT pg_promote()")
            if how == "freeze":
                time.sleep(LATE_SECONDS)
                primary.signal(signal.SIGCONT)
            time.sleep(AFTER_SECONDS)
            silence = writers.longest_silence(begun)
            print(f"{how:8} {silence:14.1f} s {len(writers.told):13}  {dict(writers.refused)}", flush=True)
            assert primary.process is not None
            stop(primary.process, signal.SIGINT)
            primary, standby = standby, primary
            standby.follow(primary)
        writers.done.set()
        for thread in threads:
            thread.join()
        _count(api, writers, primary)
        told = (folder / "web.log").read_text().splitlines()
        print(
            *[line for line in told if "Traceback" in line or line.startswith(("psycopg", "sqlalchemy", "daybook."))],
            sep="\n",
        )


def _open_game(api: str) -> Any:
    players = [
        {"name": name, "colour": colour} for name, colour in (("Anna", "red"), ("Ben", "blue"), ("Cleo", "green"))
    ]
    body = {"ruleset": "making_profit", "title": "Drill", "players": players}
    headers = {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
    with urllib.request.urlopen(urllib.request.Request(f"{api}/games", json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


def _count(api: str, writers: Writers, primary: Host) -> None:
    """What the database has of what was acknowledged."""
    with psycopg.connect(primary.url) as connection:
        rows = connection.execute("SELECT state FROM daybook_log.games_events").fetchall()
    kept = Counter(words for (state,) in rows for words in [json.loads(bytes(state)).get("text")] if words)
    told = [words for _, words in writers.told]
    missing, doubled = [one for one in told if not kept[one]], [one for one, many in kept.items() if many > 1]
    print(f"{len(told)} acknowledged; missing {len(missing)}, twice {len(doubled)}")


if __name__ == "__main__":
    main()
