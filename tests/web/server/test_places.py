"""Places for long work: a fair order, a share for each, and no more that wait than there is room for."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from daybook.web.server.places import Full, Places
from tests.servers import run_async


async def settle() -> None:
    """Let everything go as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)


class Work:
    """Requests that hold a place until they are told to end."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.begun: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}

    async def ask(self, who: str, name: str) -> None:
        self.ends[name] = asyncio.Event()
        async with self.places.place(who):
            self.begun.append(name)
            await self.ends[name].wait()

    async def begin(self, *names: str) -> list[asyncio.Task[None]]:
        """Each asked for by who its first letter says."""
        tasks = [asyncio.create_task(self.ask(name[0], name)) for name in names]
        await settle()
        return tasks

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await settle()


def run(test: Coroutine[Any, Any, None]) -> None:
    run_async(test)


def test_who_asks_once_does_not_wait_behind_all_that_another_asked_before():
    async def test() -> None:
        work = Work(Places(1, 1, 9, 9))
        await work.begin("a1", "a2", "a3", "b1", "c1")
        for name in ("a1", "a2", "b1", "c1"):
            await work.end(name)
        assert work.begun == ["a1", "a2", "b1", "c1", "a3"]

    run(test())


def test_one_takes_no_more_than_their_share_although_a_place_is_free():
    async def test() -> None:
        work = Work(Places(2, 1, 9, 9))
        await work.begin("a1", "a2", "b1")
        assert work.begun == ["a1", "b1"]
        await work.end("b1")
        assert work.begun == ["a1", "b1"]
        await work.end("a1")
        assert work.begun == ["a1", "b1", "a2"]

    run(test())


def test_beyond_what_may_wait_is_refused_of_one_and_of_all():
    async def test() -> None:
        work = Work(Places(1, 1, 3, 2))
        _, _, latest, _ = await work.begin("a1", "a2", "a3", "b1")
        with pytest.raises(Full):
            await work.ask("a", "a4")
        await work.begin("c1")
        assert isinstance(latest.exception(), Full), "who has most waiting makes room for who has less"
        with pytest.raises(Full):
            await work.ask("d", "d1")
        await work.end("a1")
        await work.begin("d2")
        assert work.places.count_waiting() == 3

    run(test())


def test_holders_at_one_address_take_turns():
    async def test() -> None:
        places, begun = Places(1, 1, 9, 9), list[str]()

        async def ask(holder: str) -> None:
            async with places.place("club", holder):
                begun.append(holder)

        async with places.place("club", "hostile"):
            asked = [asyncio.create_task(ask(holder)) for holder in ["hostile"] * 4 + ["phone", "another"]]
            await settle()
        await asyncio.gather(*asked)
        assert begun == ["hostile", "phone", "another", "hostile", "hostile", "hostile"]

    run(test())


def test_who_leaves_the_line_takes_no_place():
    async def test() -> None:
        work = Work(Places(1, 1, 9, 9))
        await work.begin("a1")
        left, stays = await work.begin("b1", "c1")
        left.cancel()
        await settle()
        await work.end("a1")
        assert work.begun == ["a1", "c1"]
        stays.cancel()
        await settle()
        assert (work.places.free, work.places.count_waiting()) == (1, 0)

    run(test())


def test_who_leaves_just_as_it_is_their_turn_gives_it_on():
    async def test() -> None:
        work = Work(Places(1, 1, 9, 9))
        await work.begin("a1")
        (left,) = await work.begin("b1")
        await work.begin("c1")
        work.places._release("a")  # as at the end of a1, before anybody else runs
        left.cancel()
        await settle()
        assert work.begun == ["a1", "c1"]

    run(test())
