"""Has one visitor ask for what takes long, as often as they like, and prints what everybody else waits meanwhile.

    python -m tests.bench.attacks --database sqlite postgres --seconds 12

A whole `daybook serve` on loopback. Somebody records a game by the form of the record page and somebody reads a
replay, each with a short pause; before each attack they are timed alone, and then beside it. Attacks come one after
another out of a process of their own, each with so many connections that ask again as soon as they are answered. Each
visitor has an address of their own, which a proxy tells; `--unknown`: nobody has, so that all are one to Daybook.
Loopback only, at most 96 connections and 60 seconds an attack.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from html import unescape
from itertools import count
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlencode
from uuid import uuid4

from daybook.domain.kernel.record import Game
from daybook.services.settings import Settings
from daybook.workers.children import start_child, stop
from tests.bench.http import CSRF, DURABLE, database_in, decisions_of
from tests.bench.long_games import long_game
from tests.servers import free_port, postgres, wait_until

CONNECTIONS_LIMIT, SECONDS_LIMIT = 96, 60.0
PAUSE_SECONDS = 0.1  # of who records and who reads, between two requests
SETTLE_SECONDS = 2.0  # for what an attack left under way, before others are timed alone
FACTOR = 3.0  # nobody waits longer than so many times what they wait alone
FILE = Path("fixtures/four-mills.daybook")
ATTACKER, RECORDER, READER = "198.51.100.7", "192.0.2.1", "192.0.2.2"
KEPT = re.compile(r"([^=;, ]+=[^;]*)")


class Visitor:
    """A browser without scripts, or a program, on one connection."""

    def __init__(self, port: int, address: str) -> None:
        self.port = port
        self.address = address
        self.cookies: dict[str, str] = {}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def ask(self, method: str, path: str, body: str | bytes | None = None, **headers: str) -> tuple[int, bytes]:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.address:
            sent["X-Forwarded-For"] = self.address
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            self.connection.request(method, path, body, sent)
            answer = self.connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            return 0, b""
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie" and (kept := KEPT.match(value)):
                key, _, text = kept[1].partition("=")
                self.cookies[key] = text
        self.location = answer.headers.get("Location", "")
        return answer.status, content

    def read(self, path: str) -> bytes:
        return self.ask("GET", path, Accept="text/html", Sec_Fetch_Site="same-origin")[1]

    def send(self, path: str, fields: dict[str, object]) -> int:
        return self.ask("POST", path, urlencode(fields), Content_Type="application/x-www-form-urlencoded")[0]

    def csrf(self, path: str) -> str:
        found = CSRF.search(self.read(path))
        assert found is not None, path
        return unescape(found[1].decode())

    def api(self, path: str, body: dict[str, object], **headers: str) -> tuple[int, bytes]:
        return self.ask(
            "POST",
            f"/api/v1{path}",
            json.dumps(body),
            Content_Type="application/json",
            Idempotency_Key=str(uuid4()),
            **headers,
        )


# --- what is asked for ----------------------------------------------------------------------------------------------

Asks = Callable[[], int]  # asks once; the status


def _get(*paths: str) -> Callable[[Visitor, str], Asks]:
    """Asks for addresses in turn, with a number that grows."""

    def begin(visitor: Visitor, game: str) -> Asks:
        numbers = count(os.getpid() % 7)
        return lambda: visitor.ask(
            "GET", paths[(n := next(numbers)) % len(paths)].format(game=game, n=1 + n * 13 % 200), Accept="*/*"
        )[0]

    return begin


def _check(visitor: Visitor, game: str) -> Asks:
    csrf, border = visitor.csrf("/check"), uuid4().hex
    says = f"--{border}\r\nContent-Disposition: form-data; name="
    body = b"".join(
        (
            f'{says}"csrf"\r\n\r\n{csrf}\r\n{says}"record"; filename="a.daybook"\r\n\r\n'.encode(),
            FILE.read_bytes(),
            f"\r\n--{border}--\r\n".encode(),
        )
    )
    return lambda: visitor.ask("POST", "/check", body, Content_Type=f"multipart/form-data; boundary={border}")[0]


def _simulate(visitor: Visitor, game: str) -> Asks:
    return lambda: visitor.api(
        "/practice", {"ruleset": "water_frame", "seats": 4, "seed": int(time.time() * 1e6) % 10**6, "level": "steady"}
    )[0]


def _play_on(visitor: Visitor, game: str) -> Asks:
    """A what-if of a practice game of one's own, played on and taken back again."""
    status, said = visitor.api("/practice", {"ruleset": "arkwright_card", "seats": 4, "seed": 7})
    if status != 201:
        return lambda: status
    opened = json.loads(said)
    own, key = opened["game"], opened["links"][0]["key"]
    fork = json.loads(visitor.api(f"/games/{own}/forks", {"at": 1}, Authorization=f"Bearer {key}")[1])["id"]
    steps = count()

    def ask() -> int:
        if next(steps) % 2:
            return visitor.api(f"/games/{own}/forks/{fork}/undo", {"moves": 0}, Authorization=f"Bearer {key}")[0]
        return visitor.api(
            f"/games/{own}/forks/{fork}/play-on", {"steps": 200, "seed": 1}, Authorization=f"Bearer {key}"
        )[0]

    return ask


def _table(visitor: Visitor, level: str) -> str:
    """The address of a practice table that one opens."""
    path = "/practice/table?game=arkwright_card"
    visitor.send(
        "/practice/table",
        {
            "csrf": visitor.csrf(path),
            "game": "arkwright_card",
            "key": uuid4().hex,
            "name": "Eve",
            "seats": 4,
            "seat": 4,
            "level": level,
            "option.solo_start_development": "free",
        },
    )
    return visitor.location.removesuffix("/record")


def _strong(visitor: Visitor, game: str) -> Asks:
    return lambda: 303 if _table(visitor, "strong") else 422


def _why(visitor: Visitor, game: str) -> Asks:
    at = _table(visitor, "steady")
    for _ in range(100):  # until a practice player has moved
        if visitor.ask("GET", f"{at}/practice-why", Accept="*/*")[0] == 200:
            break
        time.sleep(0.1)
    return lambda: visitor.ask("GET", f"{at}/practice-why", Accept="*/*")[0]


ATTACKS: dict[str, tuple[int, Callable[[Visitor, str], Asks]]] = {
    "pictures, 96 at once": (96, _get("/games/{game}/steps/{n}.png")),
    "pictures, 16 at once": (16, _get("/games/{game}/steps/{n}.png")),
    "score sheets": (16, _get("/games/{game}/score")),
    "frames, moments, chances": (
        16,
        _get(
            "/games/{game}/embed?step={n}",
            "/games/{game}/moments",
            "/games/{game}/chances",
            "/games/{game}/chances/band",
        ),
    ),
    "comparisons": (16, _get("/games/{game}/compare?a={n}&b=200")),
    "audits, seals": (16, _get("/api/v1/games/{game}/audit", "/api/v1/games/{game}/verify")),
    "files checked": (8, _check),
    "practice games": (8, _simulate),
    "what-ifs played on": (8, _play_on),
    "why practice players decide": (8, _why),
    "tables with strong players": (8, _strong),
    "replays": (16, _get("/games/{game}?step={n}")),
}


def attack(name: str, port: int, game: str, address: str, seconds: float) -> Counter[int]:
    """How often each status was answered."""
    connections, begin = ATTACKS[name]
    end, answered = time.monotonic() + seconds, Counter[int]()

    def go_on() -> None:
        ask = begin(Visitor(port, address), game)
        while time.monotonic() < end:
            answered[ask()] += 1

    threads = [Thread(target=go_on, daemon=True) for _ in range(min(connections, CONNECTIONS_LIMIT))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end + 5 - time.monotonic()))
    return answered


# --- who waits ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Everybody:
    """Who records and who reads, each in a thread; how long each answer took goes where `into` says."""

    port: int
    game: str
    known: bool
    into: dict[str, list[float]] = field(default_factory=dict)
    over: Event = field(default_factory=Event)

    def record(self, long: Game) -> None:
        """One decision and the page that follows, again and again, in one game after another."""
        decided, visitor = decisions_of(long), Visitor(self.port, RECORDER if self.known else "")
        while not self.over.is_set():
            status, said = visitor.api(
                "/games",
                {
                    "ruleset": long.ruleset.id,
                    "title": "Bench",
                    "options": long.opening.options,
                    "players": [
                        {"name": f"Player {n}", "colour": seat.colour} for n, seat in enumerate(long.opening.seats)
                    ],
                },
            )
            assert status == 201, said
            opened = json.loads(said)
            page = f"/games/{opened['game']}/record"
            visitor.send("/join", {"key": opened["links"][0]["key"], "csrf": visitor.csrf("/join")})
            csrf = visitor.csrf(page)
            for step, (seat, decision) in enumerate(decided):
                if self.over.is_set():
                    return
                began = time.perf_counter()
                status = visitor.send(
                    page, {"seat": seat, "decision": json.dumps(decision), "at": step, "key": uuid4().hex, "csrf": csrf}
                )
                visitor.read(page)
                self._note("records", time.perf_counter() - began, status == 303)

    def look(self) -> None:
        visitor = Visitor(self.port, READER if self.known else "")
        for step in count(1):
            if self.over.is_set():
                return
            began = time.perf_counter()
            status, _ = visitor.ask("GET", f"/games/{self.game}?step={1 + step % 100}", Accept="text/html")
            self._note("reads", time.perf_counter() - began, status == 200)

    def _note(self, who: str, seconds: float, is_right: bool) -> None:
        self.into.setdefault(who, []).append(seconds if is_right else float("inf"))
        time.sleep(PAUSE_SECONDS)

    def timed(self, work: Callable[[], object]) -> dict[str, list[float]]:
        """How long they waited while something was done."""
        self.into = timed = {}
        work()
        self.into = {}
        return timed


def p95(times: list[float]) -> float:
    return sorted(times)[min(len(times) - 1, round(0.95 * len(times)))]


@contextmanager
def everything(database: str | None, known: bool) -> Iterator[int]:
    """A whole service on new data with the example games; its port."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        settings = Settings(data=Path(folder) / "data", port=free_port(), database_url=database, chances_seconds=0)
        environ = os.environ | settings.environ()
        if known:
            environ["DAYBOOK_TRUSTED_PROXIES"] = "127.0.0.1"
        with (Path(folder) / "log").open("wb") as log:
            served = start_child(
                [sys.executable, "-m", "daybook", "serve"], environ, stdout=log, stderr=subprocess.STDOUT
            )
            try:
                wait_until(lambda: Visitor(settings.port, "").ask("GET", "/help")[0] == 200, "the service")
                yield settings.port
            finally:
                stop(served, patience_seconds=30)


def measure(database: str | None, named: str, names: list[str], seconds: float, known: bool) -> None:
    long = long_game("making_profit", 260)
    with everything(database, known) as port:
        games = json.loads(Visitor(port, READER).ask("GET", "/api/v1/games")[1])["games"]
        game = max(games, key=lambda one: int(one["step"] if one["ruleset"] == "making_profit" else 0))["game"]
        attacked = next(one["game"] for one in games if one["ruleset"] == "water_frame")
        everybody = Everybody(port, game, known)
        threads = [
            Thread(target=everybody.record, args=(long,), daemon=True),
            Thread(target=everybody.look, daemon=True),
        ]
        for thread in threads:
            thread.start()
        everybody.timed(lambda: time.sleep(5))  # everything has been imported and read once
        for name in names:
            quiet = everybody.timed(lambda: time.sleep(seconds / 2))
            said: list[str] = []

            def run(name: str = name, said: list[str] = said) -> None:
                done = subprocess.run(
                    [
                        sys.executable,
                        "-m",
                        "tests.bench.attacks",
                        "--as-attacker",
                        name,
                        str(port),
                        attacked,
                        ATTACKER if known else "",
                        str(seconds),
                    ],
                    check=True,
                    capture_output=True,
                    text=True,
                )
                said.append(done.stdout.strip())

            beside = everybody.timed(run)
            print(line(named, name, quiet, beside, said[0]), flush=True)
            time.sleep(SETTLE_SECONDS)
        everybody.over.set()
        for thread in threads:
            thread.join()


def line(database: str, attack: str, quiet: dict[str, list[float]], beside: dict[str, list[float]], said: str) -> str:
    parts = [f"{database:<9} {attack:<28}"]
    for who in ("records", "reads"):
        alone, then = quiet.get(who, []), beside.get(who, [])
        if not alone or not then:
            parts.append(f" {who}: no answer at all")
            continue
        median = statistics.median(alone)
        factor = statistics.median(then) / median
        parts.append(
            f"{1000 * median:>6.0f} {1000 * p95(alone):>5.0f} {1000 * statistics.median(then):>6.0f} "
            f"{1000 * p95(then):>5.0f} {factor:>5.1f}{'!' if factor > FACTOR else ' '}"
        )
    return " ".join([*parts, " ", said])


HEAD = (
    f"{'in ms: median, p95 alone; beside; times':<38} {'records':>22} {'':>7} {'reads':>21}"
    "         answers to the attack by status"
)


def main() -> None:
    if sys.argv[1:2] == ["--as-attacker"]:
        name, port, game, address, seconds = sys.argv[2:]
        answered = attack(name, int(port), game, address, float(seconds))
        print(", ".join(f"{times} x {status or 'cut off'}" for status, times in sorted(answered.items())))
        return
    arguments = argparse.ArgumentParser(prog="bench.attacks", description=__doc__)
    arguments.add_argument("--database", nargs="+", default=["sqlite"], choices=("sqlite", "postgres"))
    arguments.add_argument("--seconds", type=float, default=12.0, help="of each attack")
    arguments.add_argument("--only", nargs="+", default=[*ATTACKS], choices=ATTACKS)
    arguments.add_argument("--unknown", action="store_true", help="nobody's address is known")
    asked = arguments.parse_args()
    seconds = min(asked.seconds, SECONDS_LIMIT)
    print(HEAD, flush=True)
    for database in asked.database:
        with (
            postgres(DURABLE) if database == "postgres" else nullcontext() as url,
            database_in(url) if url else nullcontext() as address,
        ):
            measure(address, database, asked.only, seconds, not asked.unknown)


if __name__ == "__main__":
    main()
