"""Causes what each alert of docs/deploy is for, and waits until a real Prometheus says so.

    python -m tests.bench.alerts [--prometheus PROGRAM]
    python -m tests.bench.alerts --unchanged --only DaybookSilent

Needs Prometheus (Debian's package `prometheus`) and somebody who may mount. The rules are those of docs/deploy without
their waiting times, and with 15 seconds where they have minutes, asked every second. --unchanged: the rules as they are.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from uuid import uuid4

from daybook.services.settings import read_settings
from daybook.workers import jobs
from daybook.workers.children import start_child, stop
from tests.bench.prometheus import Prometheus
from tests.servers import free_port, listens, queue, wait_until
from tests.small_disk import disk, fill

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "docs" / "deploy"
GAMES = [ROOT / "fixtures" / f"{name}.daybook" for name in ("four-mills", "four-boards", "market-day")]
TOKEN = "only-for-this-drill-0123456789abcdef"
PATIENCE_SECONDS = 60.0
UNCHANGED_PATIENCE_SECONDS = 1200.0
UNCHANGED_READ_SECONDS = 15  # as in docs/deploy/prometheus.yml
SOON_SECONDS = 15  # more than the 10 between two beats of the follower
STRANGERS = 120
NOT_CAUSED = {"DaybookErrors", "DaybookSlow", "DaybookCertificate"}  # they take a fault of our code, load, or a year


def fire_soon(rule: dict[str, Any]) -> None:
    """Let a rule fire after seconds."""
    rule.pop("for", None)
    rule["expr"] = re.sub(r"(?<!backup_age)_seconds(\S*\)) > \d+", rf"_seconds\1 > {SOON_SECONDS}", rule["expr"])


class Drill:
    """A Daybook in parts on a small disk, and a Prometheus that reads it."""

    def __init__(self, folder: Path, prometheus: str, environ: dict[str, str], is_unchanged: bool) -> None:
        self.folder, self.environ, self.port = folder, environ, int(environ["DAYBOOK_PORT"])
        self.web, self.follower = self.start("web"), self.start("follow")
        self.locks: list[sqlite3.Connection] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        wait_until(lambda: listens(self.port), "web")
        token = environ["DAYBOOK_METRICS_TOKEN_FILE"]
        self.prometheus = (
            Prometheus(folder, prometheus, token, [self.port], read_seconds=UNCHANGED_READ_SECONDS)
            if is_unchanged
            else Prometheus(folder, prometheus, token, [self.port], fire_soon, read_seconds=1)
        )
        wait_until(lambda: bool(self.prometheus.query("daybook_up")), "its first figures")

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        return start_child(
            [sys.executable, "-m", "daybook", *command],
            self.environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def run(self, *command: str) -> None:
        subprocess.run([sys.executable, "-m", "daybook", *command], env=self.environ, check=True, capture_output=True)

    def fires(self, name: str) -> bool:
        return bool(self.prometheus.query(f'ALERTS{{alertname="{name}",alertstate="firing"}}'))

    def end(self) -> None:
        self.prometheus.stop()
        for process in (self.web, self.follower, *self.workers):
            stop(process)

    # --- what each is for

    def copy_backup_in_vain(self) -> None:
        """Create a backup that the operator's command does not copy."""
        environ = self.environ | {"DAYBOOK_BACKUP_COMMAND": shutil.which("false") or ""}
        argv = [sys.executable, "-m", "daybook", "automatic-backup"]
        assert subprocess.run(argv, env=environ, capture_output=True).returncode == 1

    def try_passwords(self) -> None:
        """Many addresses, as a proxy names them: one alone is slowed down long before."""
        jar = urllib.request.HTTPCookieProcessor(CookieJar())
        browser, page = urllib.request.build_opener(jar), f"http://127.0.0.1:{self.port}/sign-in"
        for stranger in range(STRANGERS):
            browser.addheaders = [("X-Forwarded-For", f"198.51.{stranger}.7")]
            with browser.open(page) as answer:
                token = re.search(r'name="csrf" value="([^"]+)"', answer.read().decode())
            assert token is not None
            form = {"csrf": token[1], "sign_in": "anna", "password": "a wrong one"}
            try:
                browser.open(page, urlencode(form).encode()).close()
            except HTTPError as refused:
                refused.close()

    def stop_follower(self) -> None:
        wait_until(lambda: bool(self.prometheus.query('daybook_part_silent_seconds{part="follow"}')), "the follower")
        stop(self.follower)

    def record_one_game(self) -> None:
        """Record a game that no follower reads: the entries grow old, however few they are."""
        self.run("import", str(GAMES[0]))

    def leave_jobs(self) -> None:
        """The follower lays jobs, and no worker runs."""
        self.follower = self.start("follow")
        self.run("import", *map(str, GAMES[1:]))

    def give_bad_job(self) -> None:
        jobs.enqueue(jobs.queue_at(read_settings(self.environ)), jobs.score, uuid4(), 1)
        self.workers.append(self.start("work"))

    def hold_lock(self) -> None:
        """Everything can be read, and nothing is acknowledged."""
        holder = sqlite3.connect(Path(self.environ["DAYBOOK_DATA"]) / "log.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        self.locks.append(holder)

    def damage_game(self) -> None:
        self.locks.pop().close()
        with sqlite3.connect(Path(self.environ["DAYBOOK_DATA"]) / "log.db") as log:
            log.execute("DROP TRIGGER games_events_never_changed")
            log.execute("UPDATE games_events SET state = x'00' WHERE originator_version = 200")
        stop(self.follower)
        self.follower = self.start("follow")

    def fill_disk(self) -> None:
        fill(Path(self.environ["DAYBOOK_DATA"]).parent, leave=50_000_000)

    def stop_queue(self) -> None:
        (server,) = subprocess.run(
            ["pgrep", "-f", self.environ["DAYBOOK_REDIS_URL"].removeprefix("unix://")], capture_output=True, text=True
        ).stdout.split()[:1]
        os.kill(int(server), signal.SIGKILL)

    def stop_web(self) -> None:
        self.web.kill()

    def causes(self) -> Iterator[tuple[str, Callable[[], None]]]:
        yield "DaybookBackupOld", self.copy_backup_in_vain
        yield "DaybookSignIns", self.try_passwords
        yield "DaybookSilent", self.stop_follower
        yield "DaybookBehind", self.record_one_game
        yield "DaybookJobsWait", self.leave_jobs
        yield "DaybookJobsFail", self.give_bad_job
        yield "DaybookUnanswered", self.hold_lock
        yield "DaybookSetAside", self.damage_game
        yield "DaybookDisk", self.fill_disk
        yield "DaybookQueueAway", self.stop_queue
        yield "DaybookAway", self.stop_web


@contextmanager
def drill(prometheus: str, is_unchanged: bool) -> Iterator[Drill]:
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        data = held.enter_context(disk(folder / "disk", "1300m")) / "data"
        (folder / "token").write_text(TOKEN)
        environ = os.environ | {
            "DAYBOOK_DATA": str(data),
            "DAYBOOK_PORT": str(free_port()),
            "DAYBOOK_REDIS_URL": held.enter_context(queue()),
            "DAYBOOK_METRICS_TOKEN_FILE": str(folder / "token"),
            "DAYBOOK_TRUSTED_PROXIES": "127.0.0.1",
        }
        read_settings(environ)
        subprocess.run([sys.executable, "-m", "daybook", "init"], env=environ, check=True, capture_output=True)
        one = Drill(folder, prometheus, environ, is_unchanged)
        held.callback(one.end)
        yield one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prometheus", default="prometheus", help="the program")
    parser.add_argument("--unchanged", action="store_true", help="use the rules of docs/deploy as they are")
    parser.add_argument("--only", nargs="+", help="some of the alerts")
    options = parser.parse_args()
    patience = UNCHANGED_PATIENCE_SECONDS if options.unchanged else PATIENCE_SECONDS
    with drill(options.prometheus, options.unchanged) as tried:
        causes = dict(tried.causes())
        assert set(causes) | NOT_CAUSED == set(tried.prometheus.names), "each alert has its cause here"
        for name, cause in causes.items():
            if options.only and name not in options.only:
                continue
            assert not tried.fires(name), f"{name} before there was a reason"
            cause()
            began = time.monotonic()
            wait_until(lambda name=name: tried.fires(name), name, patience)  # type: ignore[misc]
            print(f"{name:18} fires {time.monotonic() - began:.0f} s after {cause.__name__}", flush=True)


if __name__ == "__main__":
    main()
