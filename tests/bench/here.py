"""Starts built folders of Daybook in a browser, in turns, and prints how long each start and each decision takes.

    python -m tests.bench.here FOLDER [FOLDER ...] --times 3
    git worktree add /tmp/before HEAD~1; (cd /tmp/before && PYTHON -m daybook browser-build /tmp/here-before)

Seconds from the navigation to the first page: with an empty browser from a server of this machine (first), closed and
opened again without a network (again), and that with the whole browser stopped 15 ms of every 20 (a quarter), as are
then the decisions of a game. Beside it the processor seconds of the whole browser, which a busy machine changes less.
CDP's setCPUThrottlingRate slows pages and not workers, so it says nothing here.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from daybook.domain.kernel.board import plain
from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.workers.children import start_child, stop
from tests import servers
from tests.bench.slow_clients import processor_seconds
from tests.services.fixture_files import read_fixture

QUARTER_SECONDS = 0.005, 0.015  # it runs, it is stopped
SETTLED_MILLISECONDS = 9000  # until a start has written down what helps the next
PATIENCE_SECONDS = 300
DECISIONS = 40
FIRST, AGAIN, QUARTER = "first start", "start again", "start at a quarter"
DECISION_MILLISECONDS = 80.0
TARGETS = {FIRST: 4.0, AGAIN: 2.0, QUARTER: 8.0}
BEGIN = """async (fields) => {
  const text = (answer) => new TextDecoder().decode(answer.content);
  const form = new DOMParser().parseFromString(text(await ask("GET", "/here/app/new?game=making_profit")), "text/html")
    .querySelector("main form[method=post]");
  const given = new URLSearchParams(new FormData(form));
  for (const name of [...given.keys()]) if (name.startsWith("name.")) given.set(name, fields[name] ?? "");
  given.set("title", "An evening");
  const answer = await ask("POST", "/here/app/new", { "Content-Type": "application/x-www-form-urlencoded" },
    new TextEncoder().encode(given.toString()).buffer);
  return answer.headers.find(([name]) => name === "Location")[1].match(/games\\/([0-9a-f-]{36})/)[1]; }"""
RECORD = """async (game) => [...(await ask("GET", `/here/app/games/${game}/export`)).content]"""
DECIDE = """async ([game, decisions]) => {
  const text = (answer) => new TextDecoder().decode(answer.content);
  const page = new DOMParser().parseFromString(text(await ask("GET", `/here/app/games/${game}/record`)), "text/html");
  const csrf = page.querySelector("[name=csrf]").value;
  const took = [];
  for (const [at, [seat, decision]] of decisions.entries()) {
    const body = new URLSearchParams({ csrf, seat, at, key: `bench-${at}`, decision: JSON.stringify(decision) });
    const begun = performance.now();
    const answer = await ask("POST", `/here/app/games/${game}/record`,
      { "Content-Type": "application/x-www-form-urlencoded" }, new TextEncoder().encode(body.toString()).buffer);
    took.push(performance.now() - begun);
    if (answer.status !== 303) throw new Error(`${at}: ${answer.status} ${text(answer).slice(0, 2000)}`);
  }
  return took; }"""


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """A server of our own with a built folder; the address of the folder."""
    with tempfile.TemporaryDirectory() as data:
        settings = Settings(data=Path(data) / "data", port=servers.free_port())
        open_daybook(settings, create=True).close()
        (settings.data / "here").symlink_to(folder.resolve())
        server = start_child(
            [sys.executable, "-m", "daybook", "web"],
            os.environ | settings.environ(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            servers.wait_until(lambda: servers.listens(settings.port), "the server")
            yield f"http://127.0.0.1:{settings.port}/here/"
        finally:
            stop(server)


@contextmanager
def browser_of(playwright: Playwright, profile: Path, quarter: bool = False) -> Iterator[tuple[Page, int]]:
    """A page of a browser of its own, and the number of its session. quarter: all of it runs a quarter of the time."""
    port, program = servers.free_port(), servers.chromium()
    assert program
    process = subprocess.Popen(
        [
            program,
            "--headless",
            "--no-sandbox",
            f"--user-data-dir={profile}",
            f"--remote-debugging-port={port}",
            "--no-first-run",
            "about:blank",
        ],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    done = Event()

    def hold() -> None:
        running, stopped = QUARTER_SECONDS
        while not done.wait(running):
            os.killpg(process.pid, signal.SIGSTOP)
            done.wait(stopped)
            os.killpg(process.pid, signal.SIGCONT)

    holding = Thread(target=hold, daemon=True)
    try:
        servers.wait_until(lambda: servers.listens(port), "the browser")
        browser: Browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        page = browser.contexts[0].new_page()
        page.set_default_timeout(PATIENCE_SECONDS * 1000)
        if quarter:
            holding.start()
        yield page, process.pid
    finally:
        done.set()
        if holding.ident:
            holding.join()
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def start(page: Page, address: str) -> dict[str, float]:
    """Opens the shell; seconds from the navigation to each stage."""
    page.goto(address)
    while not page.evaluate("window.marks?.page || window.failed || window.refused"):
        page.wait_for_timeout(100)
    wrong = page.evaluate("window.failed ?? window.refused")
    assert wrong is None, wrong
    marks: dict[str, float] = page.evaluate("marks")
    return {name: told / 1000 for name, told in marks.items()}


def first_decisions(record: bytes, count: int) -> list[tuple[int, Any]]:
    """What is decided first in a game that has just been opened, as forms send it."""
    game = read_fixture(record).game
    board, dealer, found = game.board, Dealer(1), []
    for _ in range(count):
        chosen = dealer.next_decision(game.ruleset, board)
        assert chosen
        found.append((chosen[0], plain(chosen[1])))
        board = game.ruleset.play(board, *chosen)[0]
    return found


def decide(page: Page) -> list[float]:
    """Milliseconds of each of the first decisions of a new game."""
    game = page.evaluate(BEGIN, {f"name.{seat}": name for seat, name in enumerate(("Anna", "Ben", "Cleo"))})
    record = bytes(page.evaluate(RECORD, game))
    return list(page.evaluate(DECIDE, [game, first_decisions(record, DECISIONS)]))


def main() -> None:
    asked = argparse.ArgumentParser(prog="here", description=__doc__.partition("\n")[0])
    asked.add_argument("folders", nargs="+", type=Path)
    asked.add_argument("--times", type=int, default=3, choices=range(1, 21))
    asked.add_argument("--stages", action="store_true", help="when each stage of each start began, too")
    given = asked.parse_args()
    starts = {folder: {name: [] for name in TARGETS} for folder in given.folders}
    worked = {folder: {name: [] for name in TARGETS} for folder in given.folders}
    took: dict[Path, list[float]] = {folder: [] for folder in given.folders}
    with sync_playwright() as playwright, ExitStack() as stack:
        addresses = {folder: stack.enter_context(serve_folder(folder)) for folder in given.folders}
        for _ in range(given.times):
            for folder, address in addresses.items():
                profile = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
                for name in TARGETS:
                    with browser_of(playwright, profile, quarter=name == QUARTER) as (page, session):
                        before = processor_seconds(session)
                        marks = start(page, address)
                        starts[folder][name].append(marks["page"])
                        worked[folder][name].append(processor_seconds(session) - before)
                        if name == FIRST:
                            page.wait_for_timeout(SETTLED_MILLISECONDS)
                        if given.stages:
                            print(
                                f"  {folder.name}: {name}: "
                                + ", ".join(
                                    f"{stage} {at:.2f}" for stage, at in sorted(marks.items(), key=lambda one: one[1])
                                )
                            )
                        if name == QUARTER:
                            took[folder] += decide(page)
    for folder in given.folders:
        print(folder)
        for name, limit in TARGETS.items():
            print_times(name, starts[folder][name], limit, "s")
            print(f"  {'':<24}{statistics.median(worked[folder][name]):>8.2f} s of processors")
        print_times("decision at a quarter", took[folder], DECISION_MILLISECONDS, "ms")


def print_times(name: str, times: list[float], limit: float, unit: str) -> None:
    median = statistics.median(times)
    print(
        f"  {name:<24}{median:>8.2f} {unit} (best {min(times):.2f}, worst {max(times):.2f}; at most {limit:g}: "
        f"{'reached' if median <= limit else 'MISSED'})"
    )


if __name__ == "__main__":
    main()
