"""How soon somebody who opens a game's record page can tap: a phone on a slow network with a slow processor, nothing in
its cache, in real Chromium.

For each game a row, by the link and as who has joined before: the milliseconds until something is painted, until a tap
is taken (painted, and all scripts have run), and the bytes that came until then. The median of so many times.

    python -m tests.bench.first_tap [--game water_frame] [--times 5]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from tests.bench.taps import EVENINGS, NAMES
from tests.servers import chromium
from tests.web.conftest import Opened, open_table, served

BYTES_A_SECOND, WAIT_MS, SLOWED = 100_000, 300, 4
STEPS = 30
SIZE = {"width": 390, "height": 844}

USABLE = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const painted = performance.getEntriesByName("first-contentful-paint")[0];
  if (!painted || !page.domContentLoadedEventEnd || !document.querySelector("#desk")) return null;
  return { painted: painted.startTime, usable: Math.max(painted.startTime, page.domContentLoadedEventEnd) };
}"""


class Opening(NamedTuple):
    """What one opening took: milliseconds; bytes as they were sent, until a tap is taken."""

    painted: float
    usable: float
    bytes: float


def main() -> None:
    arguments = argparse.ArgumentParser(prog="first_tap", description=__doc__)
    arguments.add_argument("--game", choices=tuple(EVENINGS), help="one game alone")
    arguments.add_argument("--times", type=int, default=5)
    asked = arguments.parse_args()
    print(f"{'':<16}{'':<10}{'painted':>9}{'usable':>9}{'kB':>7}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        for name in [asked.game] if asked.game else EVENINGS:
            with serve_game(name) as (site, game):
                for way, linked in (("joined", False), ("by a link", True)):
                    found = [measure(browser, site, game, linked) for _ in range(asked.times)]
                    painted, usable, size = (statistics.median(column) for column in zip(*found, strict=True))
                    print(f"{name:<16}{way:<10}{painted:>9.0f}{usable:>9.0f}{size / 1000:>7.0f}", flush=True)
        browser.close()


@contextmanager
def serve_game(name: str) -> Iterator[tuple[str, Opened]]:
    """A game after some steps, on a server of this process."""
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        app = create_app(book)
        table = EVENINGS[name]
        game = open_table(book, app, NAMES[: table.seats], ruleset_id=name, **table.options)
        game.play(STEPS)
        with served(app) as address:
            yield address, game
        book.close()


def measure(browser: Browser, site: str, game: Opened, linked: bool) -> Opening:
    link = f"{site}/join#{game.key('scorekeeper')}"
    if linked:
        phone = browser.new_context(viewport=SIZE)
    else:
        before = browser.new_context()
        page = before.new_page()
        page.goto(link)
        page.wait_for_url("**/games/**")
        phone = browser.new_context(viewport=SIZE, storage_state=before.storage_state())
        before.close()
    page = phone.new_page()
    came = slow_down(page)
    page.goto(link if linked else f"{site}{game.path}/record", wait_until="commit")
    told = page.wait_for_function(USABLE, polling=50).json_value()
    first = page.evaluate("performance.timeOrigin") - came.began if linked else 0.0
    phone.close()
    return Opening(told["painted"] + first, told["usable"] + first, came.bytes)


class Came:
    """What a page was sent. began: when it asked for the first, in milliseconds of the day."""

    def __init__(self) -> None:
        self.bytes = 0.0
        self.began = 0.0

    def begin(self, told: dict[str, float]) -> None:
        self.began = self.began or told["wallTime"] * 1000

    def take(self, told: dict[str, float]) -> None:
        self.bytes += told["encodedDataLength"]


def slow_down(page: Page) -> Came:
    cdp, came = page.context.new_cdp_session(page), Came()
    cdp.send("Network.enable")
    cdp.on("Network.requestWillBeSent", came.begin)
    cdp.on("Network.dataReceived", came.take)
    cdp.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": WAIT_MS,
            "downloadThroughput": BYTES_A_SECOND,
            "uploadThroughput": BYTES_A_SECOND,
        },
    )
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    return came


if __name__ == "__main__":
    main()
