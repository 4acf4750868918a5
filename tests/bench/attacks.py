"""Let one visitor send expensive requests without pause, and print how long everybody else waits.

    python -m tests.bench.attacks --database sqlite postgres --seconds 6 --rounds 3

A whole `daybook serve` on loopback. Somebody records a game by the form of the record page and somebody reads a
replay, each with a short pause. They are timed alone and beside an attack in turns, and the median of the rounds is
printed: on a busy machine one round says little. Attacks come one after another out of a process of their own, each
with so many connections that ask again as soon as they are answered. Each visitor has an address of their own, which
a proxy tells; `--unknown`: nobody has, so that all are one to Daybook. `--group` prints instead how long a group of
twelve phones behind one router waits that open a page at once, with the share of their address and without one.
Loopback only, at most 96 connections and 60 seconds a round.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from itertools import count
from pathlib import Path
from threading import Barrier, Event, Thread
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from flask import Flask

from daybook.domain.kernel.record import Game
from daybook.services.files.recordfile.files import write_full_file
from daybook.services.files.recordfile.headers import build_header
from daybook.services.settings import Settings, read_settings
from daybook.services.store.daybook import open_daybook
from daybook.web.api.files import RECORD
from daybook.workers.children import start_child, stop
from tests.bench.http import CSRF, DURABLE, database_in, decisions_of
from tests.bench.long_games import long_game
from tests.servers import free_port, postgres, wait_until
from tests.web.leagues import PASSWORD, ClubAtHand

CONNECTIONS_LIMIT, SECONDS_LIMIT = 96, 60.0
PAUSE_SECONDS = 0.1  # of who records and who reads, between two requests
SETTLE_SECONDS = 2.0  # for what an attack left under way, before others are timed alone
FACTOR = 3.0  # nobody waits longer than so many times what they wait alone
OWN_STEPS = 300  # of a game that an attacker brings
PLAYERS, ROUNDS = 40, 10  # of a season of theirs
TABLES_OPENED = 8  # against practice players
FILE = Path("fixtures/four-mills.daybook")
ATTACKER, RECORDER, READER = "198.51.100.7", "192.0.2.1", "192.0.2.2"
PHONES, PHONE_CONNECTIONS = 12, 6
PARTS_OF_PAGE = re.compile(rb'(?:src|href)="(/static/[^"]+)"')
KEPT = re.compile(r"([^=;, ]+=[^;]*)")


class Visitor:
    """A browser without scripts, or a program, on one connection."""

    def __init__(self, port: int, address: str, cookies: Mapping[str, str] = MappingProxyType({})) -> None:
        self.port = port
        self.address = address
        self.cookies = {**cookies}
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

Ask = Callable[["Visitor"], int]  # asks once, over a connection; the status
Begin = Callable[["Visitor", str], Ask]  # gets ready what is asked for, given the game that is attacked


def _get(*paths: str) -> Begin:
    """Asks for addresses in turn, with a number that grows."""

    def begin(visitor: Visitor, game: str) -> Ask:
        numbers = count()
        return lambda one: one.ask(
            "GET", paths[(n := next(numbers)) % len(paths)].format(game=game, n=1 + n * 13 % 200), Accept="*/*"
        )[0]

    return begin


def _check(visitor: Visitor, game: str) -> Ask:
    csrf, border = visitor.csrf("/check"), uuid4().hex
    says = f"--{border}\r\nContent-Disposition: form-data; name="
    body = b"".join(
        (
            f'{says}"csrf"\r\n\r\n{csrf}\r\n{says}"record"; filename="a.daybook"\r\n\r\n'.encode(),
            FILE.read_bytes(),
            f"\r\n--{border}--\r\n".encode(),
        )
    )
    return lambda one: one.ask("POST", "/check", body, Content_Type=f"multipart/form-data; boundary={border}")[0]


def _simulate(visitor: Visitor, game: str) -> Ask:
    return lambda one: one.api(
        "/practice", {"ruleset": "water_frame", "seats": 4, "seed": int(time.time() * 1e6) % 10**6, "level": "steady"}
    )[0]


def _bring(visitor: Visitor, ruleset: str) -> tuple[str, dict[str, str], int]:
    """The address of a long game of one's own in the API, what shows that one keeps it, and its newest step."""
    brought = long_game(ruleset, OWN_STEPS)
    names = [f"Player {n}" for n in range(len(brought.opening.seats))]
    file = b"".join(write_full_file(build_header(brought, "Eve's", names), brought.entries))
    status, said = visitor.ask(
        "POST", "/api/v1/games/import", file, Content_Type=RECORD, Idempotency_Key=secrets.token_urlsafe(24)
    )
    assert status == 201, said
    opened = json.loads(said)
    return f"/games/{opened['game']}", {"Authorization": f"Bearer {opened['links'][0]['key']}"}, opened["step"]


def _play_on(visitor: Visitor, game: str) -> Ask:
    """A line of each connection that leaves one's own game, is played on, and is taken back again."""
    own, key, _ = _bring(visitor, "arkwright_card")
    lines: dict[Visitor, str] = {}

    def ask(visitor: Visitor) -> int:
        if visitor not in lines:
            status, said = visitor.api(f"{own}/forks", {"at": 1}, **key)
            if status == 201:
                lines[visitor] = f"{own}/forks/{json.loads(said)['id']}"
            return status
        visitor.api(f"{lines[visitor]}/undo", {"moves": 0}, **key)
        return visitor.api(f"{lines[visitor]}/play-on", {"steps": 200, "seed": 1}, **key)[0]

    return ask


def _explain(visitor: Visitor, game: str) -> Ask:
    """Request the explanation of a count in the visitor's own game that is wrong by one."""
    own, key, step = _bring(visitor, "water_frame")
    places = json.loads(visitor.ask("GET", f"/api/v1{own}/counts", **key)[1])["countable"]
    path, value = next((place["path"], place["value"]) for place in places if isinstance(place["value"], int))
    status, said = visitor.api(f"{own}/counts", {"values": {path: value + 1}, "at": step}, **key)
    assert status == 201, said
    counted = f"/api/v1{own}/counts/{json.loads(said)['step']}/explanations"
    return lambda one: one.ask("GET", counted, **key)[0]


def _draw(visitor: Visitor, game: str) -> Ask:
    """Schedules of a season of one's own; the club is made in the service's data."""
    book = open_daybook(read_settings())
    club = ClubAtHand(book, Flask(__name__))
    club.open_season(names=" ".join(f"Guest{n}" for n in range(PLAYERS)), rounds=ROUNDS)
    path = club.at("/draw")
    book.close()
    visitor.send("/sign-in", {"csrf": visitor.csrf("/sign-in"), "sign_in": "olga", "password": PASSWORD})
    numbers = count()
    return lambda one: one.ask("GET", f"{path}?seed={next(numbers)}", Accept="*/*")[0]


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


def _strong(visitor: Visitor, game: str) -> Ask:
    return lambda one: 303 if _table(one, "strong") else 422


def _why(visitor: Visitor, game: str) -> Ask:
    """Open tables until a practice player decides first: at one in four the person does, and no one moves before."""
    tables = list[str]()

    def has_move() -> bool:
        if len(tables) < TABLES_OPENED:
            tables.append(_table(visitor, "strong"))
        return any(visitor.ask("GET", f"{at}/practice-why", Accept="*/*")[0] == 200 for at in tables)

    wait_until(has_move, "a practice player's move")
    at = next(at for at in tables if visitor.ask("GET", f"{at}/practice-why", Accept="*/*")[0] == 200)
    return lambda one: one.ask("GET", f"{at}/practice-why", Accept="*/*")[0]


ATTACKS: dict[str, tuple[int, Begin]] = {
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
    "counts explained": (16, _explain),
    "schedules drawn": (16, _draw),
    "why practice players decide": (8, _why),
    "tables with strong players": (8, _strong),
    "replays, 16 at once": (16, _get("/games/{game}?step={n}")),
    "replays, 96 at once": (96, _get("/games/{game}?step={n}")),
    "statistics, 96 at once": (96, _get("/statistics/water_frame?last={n}", "/statistics/making_profit?last={n}")),
}


def attack(name: str, port: int, game: str, address: str, seconds: float) -> None:
    """Get ready, report it, and attack once for each line on standard input; print how often each status was answered."""
    connections, begin = ATTACKS[name]
    first = Visitor(port, address)
    ask = begin(first, game)
    visitors = [Visitor(port, address, first.cookies) for _ in range(min(connections, CONNECTIONS_LIMIT))]
    print("ready", flush=True)
    for _ in sys.stdin:
        for visitor in visitors:
            visitor.connection.close()  # the server has given up what nobody used meanwhile
        end, answered = time.monotonic() + seconds, Counter[int]()

        def go_on(visitor: Visitor, end: float = end, answered: Counter[int] = answered) -> None:
            while time.monotonic() < end:
                answered[ask(visitor)] += 1

        run_all([partial(go_on, visitor) for visitor in visitors])
        print(json.dumps(answered), flush=True)


# --- who waits ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Everybody:
    """Recorders and readers, a thread for each; the seconds of each answer go into `into`."""

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
        """Return the waiting times during some work."""
        self.into = timed = {}
        work()
        self.into = {}
        return timed


@contextmanager
def everything(database: str | None, expected: bool) -> Iterator[Settings]:
    """A whole service on new data with the example games."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        settings = Settings(
            data=Path(folder) / "data", port=free_port(), database_url=database, win_chances_seconds_per_day=0
        )
        environ = os.environ | settings.environ()
        if expected:
            environ["DAYBOOK_TRUSTED_PROXIES"] = "127.0.0.1"
        with (Path(folder) / "log").open("wb") as log:
            served = start_child(
                [sys.executable, "-m", "daybook", "serve"], environ, stdout=log, stderr=subprocess.STDOUT
            )
            try:
                wait_until(lambda: Visitor(settings.port, "").ask("GET", "/help")[0] == 200, "the service")
                yield settings
            finally:
                stop(served, patience_seconds=30)


def listed_examples(port: int) -> list[dict[str, Any]]:
    """Return the games of the list, once the examples are on it."""
    games: list[dict[str, Any]] = []

    def are_listed() -> bool:
        games[:] = json.loads(Visitor(port, READER).ask("GET", "/api/v1/games")[1])["games"]
        return any(game["ruleset"] == "water_frame" for game in games)

    wait_until(are_listed, "the example games")
    return games


def measure(database: str | None, named: str, names: list[str], seconds: float, rounds: int, expected: bool) -> None:
    long = long_game("making_profit", 260)
    with everything(database, expected) as settings:
        games = listed_examples(settings.port)
        game = max(games, key=lambda one: int(one["step"] if one["ruleset"] == "making_profit" else 0))["game"]
        attacked = next(item["game"] for item in games if item["ruleset"] == "water_frame")
        everybody = Everybody(settings.port, game, expected)
        threads = [
            Thread(target=everybody.record, args=(long,), daemon=True),
            Thread(target=everybody.look, daemon=True),
        ]
        for thread in threads:
            thread.start()
        everybody.timed(lambda: time.sleep(5))  # everything has been imported and read once
        for name in names:
            command = [sys.executable, "-m", "tests.bench.attacks", "--as-attacker", name]
            command += [str(settings.port), attacked, ATTACKER if expected else "", str(seconds)]
            with subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | settings.environ()
            ) as attacker:
                measured = list(in_turns(everybody, attacker, seconds, rounds))
            print(line(named, name, measured), flush=True)
        everybody.over.set()
        for thread in threads:
            thread.join()


def in_turns(everybody: Everybody, attacker: subprocess.Popen[str], seconds: float, rounds: int) -> Iterator[Round]:
    """Rounds of an attack, each after as long without one."""
    assert attacker.stdin is not None
    assert attacker.stdout is not None
    tells, told = attacker.stdin, attacker.stdout
    assert told.readline() == "ready\n"
    said: list[dict[str, int]] = []

    def run() -> None:
        tells.write("\n")
        tells.flush()
        said.append(json.loads(told.readline()))

    for _ in range(rounds):
        time.sleep(SETTLE_SECONDS)
        quiet = everybody.timed(lambda: time.sleep(seconds))
        yield Round(quiet, everybody.timed(run), said[-1])
    tells.close()


@dataclass(frozen=True)
class Round:
    """Waiting times alone and beside an attack, in seconds, and the number of answers by status."""

    quiet: dict[str, list[float]]
    beside: dict[str, list[float]]
    answered: dict[str, int]

    def factor(self, who: str) -> float:
        return median(self.beside, who) / median(self.quiet, who)


def median(times: dict[str, list[float]], who: str) -> float:
    """Return the median; a request without an answer counts as infinite."""
    return statistics.median(times.get(who, [float("inf")]))


def line(database: str, attack: str, rounds: list[Round]) -> str:
    parts = [f"{database:<9} {attack:<28}"]
    for who in ("records", "reads"):
        factors = sorted(round_.factor(who) for round_ in rounds)
        middle = statistics.median(factors)
        parts.append(
            f"{1000 * statistics.median(median(attempt.quiet, who) for attempt in rounds):>7.0f} "
            f"{1000 * statistics.median(median(attempt.beside, who) for attempt in rounds):>6.0f} "
            f"{middle:>5.1f}{'!' if middle > FACTOR else ' '} ({factors[0]:.1f} to {factors[-1]:.1f})"
        )
    answered = sum((Counter(item.answered) for item in rounds), Counter[str]())
    return "  ".join([*parts, ", ".join(f"{times} x {status}" for status, times in sorted(answered.items()))])


# --- a group at one address -----------------------------------------------------------------------------------------


def print_group(named: str, database: str | None, rounds: int) -> None:
    """Pages that a group opens at once: until the last phone of it has all, and until half of them have."""
    with everything(database, expected=True) as settings:
        games = json.loads(Visitor(settings.port, READER).ask("GET", "/api/v1/games")[1])["games"]
        longest = max(games, key=lambda one: int(one["step"]))["game"]
        for path in ("/", f"/games/{longest}"):
            group_seconds(settings.port, READER, path)  # the first of all
            times: dict[str, list[list[float]]] = {READER: [], "": []}
            for _ in range(rounds):
                for address, of_rounds in times.items():
                    of_rounds.append(group_seconds(settings.port, address, path))
            for address, of_rounds in times.items():
                last, half = (statistics.median(round_[at] for round_ in of_rounds) for at in (-1, PHONES // 2))
                share = "a share" if address else "no share"
                print(f"{named:<9} {path[:7]:<8} {share:<9} half {half:>5.2f} s, last {last:>5.2f} s", flush=True)


def group_seconds(port: int, address: str, path: str) -> list[float]:
    """Return the seconds that each phone of a group took, the quickest first."""
    together, took = Barrier(PHONES), list[float]()

    def fetch(parts: list[str]) -> None:
        connection = Visitor(port, address)
        for part in parts:
            assert connection.ask("GET", part, Accept="*/*")[0] == 200, part

    def open_page() -> None:
        phone = Visitor(port, address)
        together.wait()
        began = time.perf_counter()
        parts = sorted({unescape(part.decode()) for part in PARTS_OF_PAGE.findall(phone.read(path))})
        run_all([partial(fetch, parts[number::PHONE_CONNECTIONS]) for number in range(PHONE_CONNECTIONS)])
        took.append(time.perf_counter() - began)

    run_all([open_page] * PHONES)
    assert len(took) == PHONES
    return sorted(took)


def run_all(works: Sequence[Callable[[], object]]) -> None:
    threads = [Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


HEAD = f"{'in ms, medians of rounds':<38} {'records alone, beside':<32} {'reads alone, beside':<30} attack by status"


def main() -> None:
    if sys.argv[1:2] == ["--as-attacker"]:
        name, port, game, address, seconds = sys.argv[2:]
        attack(name, int(port), game, address, float(seconds))
        return
    arguments = argparse.ArgumentParser(prog="bench.attacks", description=__doc__)
    arguments.add_argument("--database", nargs="+", default=["sqlite"], choices=("sqlite", "postgres"))
    arguments.add_argument("--seconds", type=float, default=6.0, help="of a round, alone and beside an attack")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--only", nargs="+", default=[*ATTACKS], choices=ATTACKS)
    arguments.add_argument("--unknown", action="store_true", help="nobody's address is known")
    arguments.add_argument("--group", action="store_true", help="a group behind one router, and no attack")
    asked = arguments.parse_args()
    seconds = min(asked.seconds, SECONDS_LIMIT)
    if not asked.group:
        print(HEAD, flush=True)
    for database in asked.database:
        with (
            postgres(DURABLE) if database == "postgres" else nullcontext() as url,
            database_in(url) if url else nullcontext() as address,
        ):
            if asked.group:
                print_group(database, address, asked.rounds)
            else:
                measure(address, database, asked.only, seconds, asked.rounds, not asked.unknown)


if __name__ == "__main__":
    main()
