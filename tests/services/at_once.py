"""Run the same work in several threads at one moment."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from tests.servers import PATIENCE_SECONDS

SEVERAL, ROUNDS = 4, 12


def at_once(act: Callable[[int], object], rounds: int = ROUNDS) -> None:
    """Several threads do something at one moment, again and again; what one raises is raised. act: gets the round."""
    begin = Barrier(SEVERAL)

    def again_and_again() -> None:
        for number in range(rounds):
            begin.wait(PATIENCE_SECONDS)
            try:
                act(number)
            except BaseException:
                begin.abort()
                raise

    with ThreadPoolExecutor(SEVERAL) as threads:
        done = [threads.submit(again_and_again) for _ in range(SEVERAL)]
        for item in done:
            item.result()
