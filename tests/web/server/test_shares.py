"""A visitor with very many ordinary requests gets a share of the server's threads; others are answered meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import Any

import pytest

from daybook.services.cpu_debts import HEAVY_DEBT_SECONDS, CpuDebts, Visitor
from daybook.web.request.turns import HAS_WAITED, WAIT_HEADER
from daybook.web.server import front
from daybook.web.server.front import Front
from daybook.web.server.shares import Shares
from tests.servers import PATIENCE_SECONDS, run_async

MANY = 3 * front.THREADS
PHONES, CONNECTIONS = 12, 6  # of a group, and those that a browser has to one server

MEGABYTE = 1024**2

Ask = Callable[..., Awaitable[dict[str, Any]]]


def scope_of(who: str) -> dict[str, Any]:
    return {
        "method": "GET",
        "scheme": "http",
        "http_version": "1.1",
        "raw_path": b"/",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "client": (who, 1),
    }


def with_front(test: Callable[[Ask, Event], Awaitable[None]]) -> None:
    """Yield a server whose pages wait for an event; the beginning of each answer goes by its visitor."""
    go_on = Event()

    def application(environ: Any, start_response: Any) -> list[bytes]:
        assert environ["REMOTE_ADDR"] == "at once" or go_on.wait(PATIENCE_SECONDS)
        start_response("200 OK", [])
        return [b""]

    async def run() -> None:
        served = Front(application, lambda peer, _: peer, holder=lambda environ: environ.get("HTTP_COOKIE", ""))

        async def ask(who: str, cookie: str = "") -> dict[str, Any]:
            sent: list[Any] = []

            async def send(message: Any) -> None:
                sent.append(message)

            scope = scope_of(who)
            scope["headers"].append((b"cookie", cookie.encode()))
            await served(scope, nothing, send)
            return dict(sent[0])

        try:
            await test(ask, go_on)
        finally:
            go_on.set()
            served.shares.close()

    run_async(run())


def test_one_address_does_not_take_every_thread():
    async def test(ask: Ask, go_on: Event) -> None:
        asked = [asyncio.create_task(ask("198.51.100.7")) for _ in range(MANY)]
        await asyncio.sleep(0)
        assert (await ask("at once"))["status"] == 200
        assert not any(item.done() for item in asked)
        go_on.set()
        assert {(await value)["status"] for value in asked} == {200}

    with_front(test)


def test_a_group_behind_one_router_is_answered_whole():
    """Each phone with as many connections as browsers have, all at once."""

    async def test(ask: Ask, go_on: Event) -> None:
        go_on.set()
        answers = await asyncio.gather(*(ask("192.0.2.7") for _ in range(PHONES * CONNECTIONS)))
        assert [answer["status"] for answer in answers] == [200] * PHONES * CONNECTIONS

    with_front(test)


def test_phones_at_one_address_are_answered_in_turns():
    """A phone does not wait behind all requests of another one, nor does that fill its queue."""
    go_on, answered = Event(), list[str]()

    def answer(phone: str) -> None:
        go_on.wait(PATIENCE_SECONDS)
        answered.append(phone)

    with ThreadPoolExecutor(2) as threads:
        shares = Shares[None](threads, 2, 4, MANY, 2, 2)
        asked = [shares.submit("192.0.2.7", partial(answer, "hostile"), lambda: "hostile") for _ in range(MANY)]
        asked.append(shares.submit("192.0.2.7", partial(answer, "tap"), lambda: "tap"))
        go_on.set()
        for request in asked:
            request.result(PATIENCE_SECONDS)
        shares.close()
    assert answered.index("tap") < MANY // 4


def test_a_request_that_waits_for_its_turn_holds_no_thread():
    """It is sent to the application again, with its body."""
    seen: list[tuple[bytes, bool]] = []

    def application(environ: Any, start_response: Any) -> list[bytes]:
        has_waited = HAS_WAITED in environ
        seen.append((environ["wsgi.input"].read(), has_waited))
        start_response("200 OK" if has_waited else "503", [] if has_waited else [(WAIT_HEADER, "0.050")])
        return [b""]

    async def run() -> None:
        served = Front(application, lambda peer, _: peer, threads=1)
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"sign_in=anna"}

        await asyncio.gather(*(served(scope_of("192.0.2.7"), receive, send) for _ in range(5)))
        assert [value["status"] for value in sent if "status" in value] == [200] * 5
        assert not any(name == WAIT_HEADER.encode() for item in sent for name, _ in item.get("headers", []))
        served.shares.close()

    run_async(run())
    assert seen == [(b"sign_in=anna", False)] * 5 + [(b"sign_in=anna", True)] * 5


def test_who_asks_for_more_than_may_wait_is_told_so(monkeypatch):
    monkeypatch.setattr(front, "QUEUE_LIMIT_PER_HOLDER", 2)
    monkeypatch.setattr(front, "REFUSAL_DELAY_SECONDS", 0)

    async def test(ask: Ask, go_on: Event) -> None:
        asked = [asyncio.create_task(ask("198.51.100.7")) for _ in range(front.THREADS_PER_ADDRESS + 2)]
        await asyncio.sleep(0)
        refused = await ask("198.51.100.7")
        assert (refused["status"], dict(refused["headers"])[b"retry-after"]) == (503, b"60")
        assert (await ask("at once"))["status"] == 200
        go_on.set()
        assert {(await value)["status"] for value in asked} == {200}

    with_front(test)


def test_unread_answers_of_one_address_fill_no_memory(monkeypatch):
    monkeypatch.setattr(front, "UNREAD_BYTES_PER_HOLDER", 3 * MEGABYTE)
    monkeypatch.setattr(front, "UNREAD_BYTES", 5 * MEGABYTE)

    def application(environ: Any, start_response: Any) -> list[bytes]:
        start_response("200 OK", [])
        return [b"x" * MEGABYTE]

    async def run() -> None:
        served = Front(application, lambda peer, _: peer)
        reads = asyncio.Event()
        answered: list[int] = []

        async def ask(who: str) -> None:
            async def send(message: Any) -> None:
                if "status" in message:
                    answered.append(message["status"])
                elif message.get("more_body"):
                    await reads.wait()

            await served(scope_of(who), nothing, send)

        held = [asyncio.create_task(ask("192.0.2.1")) for _ in range(6)]
        await until(lambda: len(answered) == 6)
        assert sorted(answered) == [200] * 3 + [503] * 3
        held += [asyncio.create_task(ask(f"198.51.100.{who}")) for who in range(4)]
        await until(lambda: len(answered) == 10)
        assert answered[6:] == [200] * 4, "who has most unread loses some of it to others"
        assert served.unread.used() == 5 * MEGABYTE
        reads.set()
        await asyncio.gather(*held)
        assert served.unread.used() == 0
        await ask("192.0.2.1")
        assert answered[10:] == [200]
        served.shares.close()

    run_async(run())


async def nothing() -> dict[str, Any]:
    return {"type": "http.request", "body": b""}


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():
            await asyncio.sleep(0.001)


def test_heavy_addresses_leave_threads_to_others():
    finished, debts = Event(), CpuDebts()
    with ThreadPoolExecutor(4) as threads:
        shares = Shares[bool](threads, 2, 4, 9, 2, 4, debts)
        heavy = [f"192.0.2.{number}" for number in range(4)]
        for address in heavy:
            debts.charge(Visitor(address), HEAVY_DEBT_SECONDS + 1)
        asked = [
            shares.submit(address, partial(finished.wait, PATIENCE_SECONDS)) for address in heavy for _ in range(3)
        ]
        assert shares.submit("light", lambda: True).result(PATIENCE_SECONDS)
        assert shares._running_heavy == 2
        finished.set()
        assert all(answer.result(PATIENCE_SECONDS) for answer in asked)
        shares.close()
    assert (shares._running_heavy, shares._delayed, shares._queues) == (0, set(), {})


def test_threads_charge_cpu_seconds_to_address_and_holder():
    debts = CpuDebts()
    with ThreadPoolExecutor(1) as threads:
        shares = Shares[int](threads, 1, 1, 9, 1, 1, debts)
        assert shares.submit("a", lambda: sum(range(3_000_000)), lambda: "link").result() > 0
        shares.close()
    assert debts.of_address("a") > 0.01
    assert debts.of_visitor(Visitor("elsewhere", "link")) == pytest.approx(debts.of_address("a"), rel=0.01)


def test_writes_pass_reads_that_wait_and_reads_come_in_turn():
    finished, answered = Event(), list[int]()

    def read(number: int) -> None:
        finished.wait(PATIENCE_SECONDS)
        answered.append(number)

    with ThreadPoolExecutor(4) as threads:
        shares = Shares[None](threads, 2, 4, 9, 2, 1)
        reads = [shares.submit(f"192.0.2.{n}", partial(read, n), is_read=True) for n in range(12)]
        for n in range(12):
            shares.submit(f"192.0.2.{n}", lambda: None).result(PATIENCE_SECONDS)
        assert answered == []
        finished.set()
        for waiting in reads:
            waiting.result(PATIENCE_SECONDS)
        assert answered == [*range(12)]
        shares.close()
    assert (shares._running_reads, len(shares._reads), shares._queues) == (0, 0, {})


def test_read_that_fails_or_lost_its_client_frees_its_thread():
    finished = Event()
    with ThreadPoolExecutor(2) as threads:
        shares = Shares[Any](threads, 2, 4, 9, 2, 1)
        first = shares.submit("a", partial(finished.wait, PATIENCE_SECONDS), is_read=True)
        gone, wrong, last = (
            shares.submit(address, call, is_read=True)
            for address, call in (("b", lambda: 1), ("c", lambda: 1 // 0), ("d", lambda: 2))
        )
        assert gone.cancel()
        finished.set()
        assert first.result(PATIENCE_SECONDS) and last.result(PATIENCE_SECONDS) == 2
        with pytest.raises(ZeroDivisionError):
            wrong.result(PATIENCE_SECONDS)
        shares.close()
    assert shares._running_reads == 0
