"""An evening of 12 phones behind one address, one of them hostile; and two web processes that share their counts."""

from __future__ import annotations

import http.client
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Event
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import msgspec
import pytest

from daybook.services import limits
from daybook.services.people import accounts
from daybook.web.app import create_app
from tests.servers import PATIENCE_SECONDS, wait_until
from tests.web.people.test_sign_in import PASSWORD

pytestmark = pytest.mark.slow

TABLES, SEATS, TAPS = 6, 2, 3
GUESSERS = 12
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}


class Phone:
    """A client at 127.0.0.1, with the key of a link or with a cookie."""

    def __init__(self, site: str, key: str = "", **headers: str) -> None:
        self.host = urlsplit(site).netloc
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.headers |= headers

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> int:
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE_SECONDS)
        try:
            connection.request(method, path, body, self.headers | headers)
            answer = connection.getresponse()
            answer.read()
        finally:
            connection.close()
        if cookie := answer.headers["Set-Cookie"]:
            self.headers["Cookie"] = cookie.partition(";")[0]
        return answer.status

    def tap(self, path: str) -> int:
        note = msgspec.json.encode({"about_step": 0, "text": "x"})
        headers = {"Idempotency-Key": uuid4().hex * 2, "Content-Type": "application/json"}
        return self.ask("POST", f"/api/v1{path}/notes", note, **headers)

    def send(self, path: str, **form: str) -> int:
        if "Cookie" not in self.headers:
            self.ask("GET", "/sign-in")
        return self.ask("POST", path, urlencode(form).encode(), **SAME_ORIGIN)

    def sign_in(self, name: str, password: str) -> int:
        return self.send("/sign-in", sign_in=name, password=password)

    def open_game(self) -> int:
        game = {"ruleset": "making_profit", "title": "Monday", "options": {}, "players": PLAYERS}
        headers = {"Idempotency-Key": uuid4().hex * 2, "Content-Type": "application/json"}
        return self.ask("POST", "/api/v1/games", msgspec.json.encode(game), **headers)

    @contextmanager
    def stream(self, path: str) -> Iterator[int]:
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE_SECONDS)
        connection.request("GET", f"{path}/events", headers=self.headers)
        try:
            yield connection.getresponse().status
        finally:
            connection.close()


PLAYERS = [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]


SMALL_LIMITS = {  # a tenth of most: a flood is over them in a moment
    "write": {"account": 60, "link": 60, "browser": 60, "address": 60},  # fewer than all taps of the evening
    "game": {"account": 12, "link": 6, "browser": 6, "address": 60},
    "wrong_key": {"browser": 3, "address": 30},
}


def test_one_hostile_phone_stops_no_one_of_a_club(site, open_game, book, monkeypatch):
    for name, small in SMALL_LIMITS.items():
        monkeypatch.setitem(limits.LIMITS, name, msgspec.structs.replace(limits.LIMITS[name], **small))
    for n in range(3):
        accounts.make_account(book, f"Member {n}", sign_in=f"member{n}", password=PASSWORD)
    tables = [open_game() for _ in range(TABLES)]
    keys = [(table, table.key("seat", seat)) for table in tables for seat in range(SEATS)]
    (own_table, own_key), *others = keys
    hostile, over = Phone(site, own_key), Event()
    seen: dict[str, Counter[int]] = {}

    def flood(name: str, act: Callable[[int], int]) -> None:
        seen[name] = Counter()
        while not over.is_set():
            seen[name][act(seen[name].total())] += 1

    browser = Phone(site)
    floods: dict[str, Callable[[int], int]] = {
        "taps": lambda n: hostile.tap(own_table.path),
        "passwords": lambda n: browser.sign_in(f"name{n}", "not the password"),
        "wrong keys": lambda n: Phone(site).send("/join", key=f"wrong{n}"),
        "games": lambda n: Phone(site).open_game(),
        "pages": lambda n: Phone(site).ask("GET", "/statistics"),
    }
    slowest = 0.0
    with ThreadPoolExecutor(len(floods)) as pool, ExitStack() as held:
        running = [pool.submit(flood, name, act) for name, act in floods.items()]
        try:
            assert {held.enter_context(hostile.stream(own_table.path)) for _ in range(limits.STREAMS_PER_HOLDER)} == {
                200
            }
            assert held.enter_context(hostile.stream(own_table.path)) == 503, "it has its share"
            for table, key in others:
                phone = Phone(site, key)
                assert held.enter_context(phone.stream(table.path)) == 200
                for _ in range(TAPS):
                    began = time.monotonic()
                    assert phone.tap(table.path) == 201
                    slowest = max(slowest, time.monotonic() - began)
            while seen["games"][429] == 0 or seen["taps"][429] == 0 or seen["wrong keys"][429] == 0:
                time.sleep(0.01)
            table, key = others[0]
            assert Phone(site, key).tap(table.path) == 201
            began = time.monotonic()
            for n in range(3):
                assert Phone(site).sign_in(f"member{n}", PASSWORD) == 303
            assert time.monotonic() - began < 30
            newcomer = Phone(site)
            assert newcomer.send("/sign-up", name="Cid", sign_in="cid", password=PASSWORD, again=PASSWORD) == 303
            right = Phone(site).send("/join", key=own_key)
            assert right == 303, "a right key opens among wrong ones"
        finally:
            over.set()
        for flooding in running:
            flooding.result(PATIENCE_SECONDS)
    print({name: dict(statuses) for name, statuses in seen.items()}, f"slowest tap {slowest:.2f} s")
    assert slowest < 5


def test_owner_signs_in_while_many_networks_guess(site, app, book, monkeypatch):
    """All turns of those who have guessed before are taken; a phone that has never been here has its own."""
    from dataclasses import replace
    from ipaddress import ip_network

    monkeypatch.setattr(limits, "MAX_TURN_WAIT_SECONDS", 2.0)  # fewer turns than guessers
    settings = replace(book.settings, trusted_proxies=(ip_network("127.0.0.0/8"),))
    app.extensions["daybook"] = replace(book, settings=settings)
    accounts.make_account(book, "Anna", sign_in="anna", password=PASSWORD)
    over, answered = Event(), list[int]()

    def guess(network: int) -> None:
        while not over.is_set():
            phone = Phone(site, **{"X-Forwarded-For": f"198.51.{network}.7"})
            answered.append(phone.sign_in("anna", "not the password"))

    with ThreadPoolExecutor(GUESSERS) as pool:
        running = [pool.submit(guess, network) for network in range(GUESSERS)]
        try:
            enough = limits.FAILURES_PER_NAME_BEFORE_TURNS + GUESSERS
            wait_until(lambda: len(answered) > enough, "the guessers to take turns")
            assert Phone(site, **{"X-Forwarded-For": "203.0.113.1"}).sign_in("anna", PASSWORD) == 303
        finally:
            over.set()
        for guessing in running:
            guessing.result(PATIENCE_SECONDS)
    print("the guessers were answered", Counter(answered))


def test_two_web_processes_admit_what_one_would(book, open_game, monkeypatch):
    """Two applications on one data folder have nothing in common but the kept tables."""
    table = open_game()
    key = table.key("seat", 0)
    clients: list[Any] = [create_app(book).test_client() for _ in range(2)]

    def tap(client: Any) -> int:
        headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": uuid4().hex * 2}
        note = {"about_step": 0, "text": "x"}
        return int(client.post(f"/api/v1{table.path}/notes", json=note, headers=headers).status_code)

    monkeypatch.setitem(
        limits.LIMITS, "write", msgspec.structs.replace(limits.LIMITS["write"], link=48, window_seconds=600)
    )
    statuses = Counter(tap(clients[n % 2]) for n in range(60))
    assert set(statuses) == {201, 429} and 48 <= statuses[201] <= 50
