"""A PostgreSQL primary goes while people record: what was acknowledged, how long nothing was, and what came after.

Two real servers, the second one a synchronous standby. Programs record by the API of a real `daybook web`, whose
address names both hosts; a follower follows. The primary is killed, frozen, or cut from the network, and the standby
takes over, as whoever watches such a pair would have it (`pg_promote`). A while after that the old one comes back as
the primary that it was. Then it begins anew as the standby of the new one, and the next round goes the other way.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from uuid import uuid4

from daybook.services.settings import read_settings
from daybook.services.store.daybook import open_daybook
from daybook.workers.children import start_child, stop
from tests.bench.drill.count import count, derived
from tests.bench.drill.hosts import Host, can_be_cut, namespaces, pair
from tests.bench.drill.writers import TRUSTED, Writers
from tests.servers import free_port, listens, queue, wait_until

NOTICED_SECONDS = 3.0  # until whoever watches has the standby take over
LATE_SECONDS = 8.0  # until the old one comes back, after that
AFTER_SECONDS = 6.0
HOW = ("kill", "freeze", "cut")
REPORTED = ("psycopg", "sqlalchemy", "daybook.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--how", nargs="+", choices=HOW, default=[*HOW])
    parser.add_argument("--writers", type=int, default=6)


def run(options: argparse.Namespace) -> None:
    if "cut" in options.how and not can_be_cut():
        sys.exit("a host is cut from the network in a network namespace: be root on Linux, or leave `cut` out")
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="daybook-drill-")))
        spaces = held.enter_context(namespaces(2)) if can_be_cut() else ["", ""]
        primary, standby = held.enter_context(pair(folder, spaces))
        port = free_port()
        hosts = ",".join(f"{host.address}:{host.port}" for host in (primary, standby))
        environ = {
            "DAYBOOK_DATABASE_URL": f"postgresql://postgres@{hosts}/postgres",
            **TRUSTED,
            "DAYBOOK_PORT": str(port),
            "DAYBOOK_DATA": str(folder / "data"),
            "DAYBOOK_REDIS_URL": held.enter_context(queue()),
        }
        (folder / "data").mkdir()
        (folder / "data" / "secret").write_bytes(uuid4().bytes * 2)
        (folder / "data" / "secret").chmod(0o600)
        for part in (["web", "--create"], ["follow"], ["work"]):
            log = held.enter_context((folder / f"{part[0]}.log").open("wb"))
            process = start_child(
                [sys.executable, "-m", "daybook", *part], os.environ | environ, stdout=log, stderr=log
            )
            held.callback(stop, process)
            if part[0] == "web":
                wait_until(lambda: listens(port), "web", 60)
        writers = Writers([f"http://127.0.0.1:{port}"])
        writers.begin(options.writers, players=1)
        held.callback(writers.end)
        print(f"{'how':8} {'longest silence':>15} {'acknowledged':>13}  sent again with the same key")
        for how in options.how * options.times:
            primary, standby = one_round(how, primary, standby, writers)
        writers.end()
        with closing(open_daybook(read_settings(environ))) as book:
            words = [words for _, words in writers.told]
            print(count(book, writers.game, words, writers.played) | derived(book))
        print(f"refused for good: {writers.lost or 'nothing'}")
        told = (folder / "web.log").read_text().splitlines()
        print(*[line for line in told if "Traceback" in line or line.startswith(REPORTED)], sep="\n")


def one_round(how: str, primary: Host, standby: Host, writers: Writers) -> tuple[Host, Host]:
    """The new primary, and its standby. Prints how it went."""
    before = len(writers.told)
    wait_until(lambda: len(writers.told) > before + 20, "some notes", 60)
    writers.refused.clear()
    begun = time.monotonic()
    if how == "cut":
        primary.link("down")
    else:
        primary.signal(signal.SIGKILL if how == "kill" else signal.SIGSTOP)
    writers.done.wait(NOTICED_SECONDS)
    standby.ask("SELECT pg_promote()")
    writers.done.wait(LATE_SECONDS)
    if how == "cut":
        primary.link("up")
    elif how == "freeze":
        primary.signal(signal.SIGCONT)
    else:
        primary.start()
    wait_until(primary.answers, "the old primary", 120)  # what was not on disk it takes from its log first
    alone = primary.acknowledges_alone()
    writers.done.wait(AFTER_SECONDS)
    silence = writers.longest_silence(begun, time.monotonic())
    says = "; THE OLD PRIMARY ACKNOWLEDGES" if alone else ""
    print(f"{how:8} {silence:13.1f} s {len(writers.told):13}  {dict(writers.refused)}{says}", flush=True)
    primary.stop()
    primary.follow(standby)
    return standby, primary
