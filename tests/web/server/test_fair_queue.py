"""Fair admission of long work: order, shares, limits of waiting work, and debts of CPU time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from daybook.services.cpu_debts import (
    CLEANUP_SIZE,
    HALF_LIFE_SECONDS,
    HEAVY_DEBT_SECONDS,
    MAX_DEBT_SECONDS,
    CpuDebts,
    TooMuchDebtError,
    Visitor,
)
from daybook.web.server.fair_queue import FairQueue, QueueFullError
from tests.servers import run_async


async def settle() -> None:
    """Let everything go as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)


class Work:
    """Requests that hold a place until they are told to end."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue = queue
        self.begun: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}

    async def ask(self, who: str, name: str) -> None:
        self.ends[name] = asyncio.Event()
        async with self.queue.slot(Visitor(who)):
            self.begun.append(name)
            await self.ends[name].wait()

    async def begin(self, *names: str) -> list[asyncio.Task[None]]:
        """Begin requests; the first letter of each is its visitor."""
        tasks = [asyncio.create_task(self.ask(name[0], name)) for name in names]
        await settle()
        return tasks

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await settle()


def run(test: Coroutine[Any, Any, None]) -> None:
    run_async(test)


def test_single_request_does_not_wait_behind_all_of_another():
    async def test() -> None:
        work = Work(FairQueue(1, 1, 9, 9))
        await work.begin("a1", "a2", "a3", "b1", "c1")
        for name in ("a1", "a2", "b1", "c1"):
            await work.end(name)
        assert work.begun == ["a1", "a2", "b1", "c1", "a3"]

    run(test())


def test_client_gets_only_its_share_although_a_slot_is_free():
    async def test() -> None:
        work = Work(FairQueue(2, 1, 9, 9))
        await work.begin("a1", "a2", "b1")
        assert work.begun == ["a1", "b1"]
        await work.end("b1")
        assert work.begun == ["a1", "b1"]
        await work.end("a1")
        assert work.begun == ["a1", "b1", "a2"]

    run(test())


def test_beyond_what_may_wait_is_refused_of_one_and_of_all():
    async def test() -> None:
        work = Work(FairQueue(1, 1, 3, 2))
        _, _, latest, _ = await work.begin("a1", "a2", "a3", "b1")
        with pytest.raises(QueueFullError):
            await work.ask("a", "a4")
        await work.begin("c1")
        assert isinstance(latest.exception(), QueueFullError), "who has most waiting makes room for who has less"
        with pytest.raises(QueueFullError):
            await work.ask("d", "d1")
        await work.end("a1")
        await work.begin("d2")
        assert work.queue.queue_length() == 3

    run(test())


def test_holders_at_one_address_take_turns():
    async def test() -> None:
        queue, begun = FairQueue(1, 1, 9, 9), list[str]()

        async def ask(holder: str) -> None:
            async with queue.slot(Visitor("club", holder)):
                begun.append(holder)

        async with queue.slot(Visitor("club", "hostile")):
            asked = [asyncio.create_task(ask(holder)) for holder in ["hostile"] * 4 + ["phone", "another"]]
            await settle()
        await asyncio.gather(*asked)
        assert begun == ["hostile", "phone", "another", "hostile", "hostile", "hostile"]

    run(test())


def test_who_leaves_the_line_takes_no_place():
    async def test() -> None:
        work = Work(FairQueue(1, 1, 9, 9))
        await work.begin("a1")
        left, stays = await work.begin("b1", "c1")
        left.cancel()
        await settle()
        await work.end("a1")
        assert work.begun == ["a1", "c1"]
        stays.cancel()
        await settle()
        assert (work.queue.free_slots, work.queue.queue_length()) == (1, 0)

    run(test())


def test_who_leaves_just_as_it_is_their_turn_gives_it_on():
    async def test() -> None:
        work = Work(FairQueue(1, 1, 9, 9))
        await work.begin("a1")
        (left,) = await work.begin("b1")
        await work.begin("c1")
        work.queue._release("a")  # as at the end of a1, before anybody else runs
        left.cancel()
        await settle()
        assert work.begun == ["a1", "c1"]

    run(test())


# --- debts ----------------------------------------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_queue_with_debts_serves_least_debt_first():
    async def test() -> None:
        debts = CpuDebts()
        for address, seconds in (("a", 4.0), ("b", 2.0), ("c", 0.5)):
            debts.charge(Visitor(address), seconds)
        work = Work(FairQueue(1, 1, 9, 9, debts))
        await work.begin("x1", "a1", "b1", "c1", "d1")
        for name in ("x1", "d1", "c1", "b1"):
            await work.end(name)
        assert work.begun == ["x1", "d1", "c1", "b1", "a1"]

    run(test())


def test_holders_at_one_address_come_by_their_own_debt():
    async def test() -> None:
        debts, begun = CpuDebts(), list[str]()
        queue = FairQueue(1, 1, 9, 9, debts)
        debts.charge(Visitor("club", "hostile"), 30)
        debts.charge(Visitor("club", "tablet"), 1)

        async def ask(holder: str) -> None:
            async with queue.slot(Visitor("club", holder)):
                begun.append(holder)

        async with queue.slot(Visitor("club", "hostile")):
            asked = [asyncio.create_task(ask(holder)) for holder in ("hostile", "tablet", "phone")]
            await settle()
        await asyncio.gather(*asked)
        assert begun == ["phone", "tablet", "hostile"]

    run(test())


def test_heavy_addresses_leave_one_slot_to_light_ones():
    async def test() -> None:
        debts = CpuDebts(Clock())
        for address in "abcdefghij":
            debts.charge(Visitor(address), HEAVY_DEBT_SECONDS + 1)
        work = Work(FairQueue(2, 1, 99, 9, debts))
        await work.begin(*(f"{address}{number}" for address in "abcdefghij" for number in range(3)))
        assert work.begun == ["a0"]
        await work.begin("z1")
        assert work.begun == ["a0", "z1"]
        await work.end("z1")
        assert work.begun == ["a0", "z1"]
        await work.end("a0")
        assert work.begun == ["a0", "z1", "a1"]

    run(test())


def test_visitor_with_too_much_debt_is_refused_with_retry_time():
    async def test() -> None:
        clock = Clock()
        debts = CpuDebts(clock)
        queue = FairQueue(1, 1, 9, 9, debts)
        debts.charge(Visitor("a", "link"), 2 * MAX_DEBT_SECONDS)
        for address in ("a", "b"):
            with pytest.raises(TooMuchDebtError) as refused:
                async with queue.slot(Visitor(address, "link")):
                    pass
            assert refused.value.seconds == HALF_LIFE_SECONDS
        async with queue.slot(Visitor("a", "another")):
            pass
        clock.seconds += HALF_LIFE_SECONDS
        async with queue.slot(Visitor("a", "link")):
            pass

    run(test())


def test_debt_halves_each_minute_and_settled_accounts_go():
    clock = Clock()
    debts = CpuDebts(clock)
    for number in range(CLEANUP_SIZE):
        debts.charge(Visitor("a", str(number)), 1.0)
    clock.seconds += HALF_LIFE_SECONDS
    assert debts.of_visitor(Visitor("b", "7")) == 0.5
    clock.seconds += 20 * HALF_LIFE_SECONDS
    for number in range(CLEANUP_SIZE + 9):
        debts.charge(Visitor("b", f"new {number}"), 1.0)
    assert (debts.of_visitor(Visitor("b", "7")), debts.of_visitor(Visitor("b", "new 7"))) == (0.0, 1.0)
    assert len(debts._debts) <= CLEANUP_SIZE + 11
