"""Measure what a replay's viewer is sent for each step, and how soon: the largest recorded game of each kind in
Chromium.

For each game at each size a row: the share of the places that a step changed which are in view, those that are not but
which an arrow at the edge names, how often the sentence of the step is in view, what part of the screen is neither
board nor sentence, the smallest type, and the milliseconds from a key until the frame that shows it is painted and
handed over, by the browser's own trace. The frame is made at once, not at the next beat of a screen: what is measured
is the work. A key follows the other as when it is held down. In brackets the processor time of it in the page's main
thread, which a busy machine disturbs less.

    python -m tests.bench.replay_view [--game water_frame] [--size 390x844] [--pictures FOLDER] [--steps 50]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from bisect import bisect
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from daybook.services.files.import_export import import_file
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from tests.browsing import wait_until_drawn
from tests.servers import chromium
from tests.web.conftest import served

FIXTURES = Path(__file__).parents[2] / "fixtures"
LARGEST = {
    "making_profit": "six-to-the-limit",
    "london_markets": "market-day",
    "water_frame": "four-mills",
    "arkwright_card": "four-boards",
}
SIZES = ((1280, 900), (1920, 1080), (390, 844))
PHONE = 600  # narrower than this, in CSS pixels
JUMPS = ("PageDown", "Home", "End", "PageUp")

HELD_MS = 33  # until a key that is held down repeats

TIMED = """
addEventListener("keydown", (event) => {
  performance.mark("key", { startTime: event.timeStamp });
  const frame = new MessageChannel();
  window.painted = new Promise((done) => (frame.port1.onmessage = done));
  requestAnimationFrame(() => {
    performance.mark("frame");
    frame.port2.postMessage(0);
  });
}, true);
"""

SEEN = """() => {
  const within = (box) => box.width > 0.5 && box.height > 0.5 && box.left >= -1 && box.right <= innerWidth + 1
    && box.top >= -1 && box.bottom <= innerHeight + 1;
  const OVER = ".transport, .masthead, .slide, .sheet-over, .edges button";
  const seenThere = (one, box) => {
    const covered = (x, y) => {
      const [top] = document.elementsFromPoint(box.left + box.width * x, box.top + box.height * y);
      const over = top?.closest(OVER);
      return over && !over.contains(one);
    };
    const spots = [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]];
    if (spots.some(([x, y]) => covered(x, y))) return false;
    const [top] = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const area = top?.closest("[data-area]");
    return !area || area === one.closest("[data-area]");
  };
  const seen = (one) => {
    const box = one.getBoundingClientRect();
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || !within(box)) return false;
    if (getComputedStyle(one).position === "fixed") return seenThere(one, box);
    for (let above = one.parentElement; above && above !== document.body; above = above.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(above);
      if (position === "fixed") break; // what is around it cuts nothing off
      if (overflowX === "visible" && overflowY === "visible") continue;
      const room = above.getBoundingClientRect();
      const beside = box.right < room.left + 2 || box.left > room.right - 2;
      if (beside || box.bottom < room.top + 2 || box.top > room.bottom - 2) return false;
    }
    return seenThere(one, box);
  };
  const places = new Map();
  for (const one of document.querySelectorAll("#replay [data-part] .changed[data-at]:not(.aloud, .aloud *)")) {
    const at = one.dataset.at.replace(/^\\/brief/, "");
    places.set(at, places.get(at) || seen(one));
  }
  const named = new Set();
  for (const arrow of document.querySelectorAll("[data-leads]")) {
    if (seen(arrow)) for (const at of arrow.dataset.leads.split(" ")) named.add(at);
  }
  const out = [...places].filter(([, there]) => !there).map(([at]) => at);
  const says = document.querySelector("#caption .says p, #caption .says summary b");
  const line = document.createRange();
  line.selectNodeContents(says);
  const first = line.getClientRects()[0];
  const plate = document.querySelector("#plate").getBoundingClientRect();
  const said = document.querySelector("#caption").getBoundingClientRect();
  const high = (box) => Math.max(0, Math.min(innerHeight, box.bottom) - Math.max(0, box.top));
  let smallest = 99, where = "";
  const walk = document.createTreeWalker(document.querySelector("#replay"), NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const one = text.parentElement;
    if (!text.data.trim() || one.closest(".aloud, symbol, defs, dialog, title, option")) continue;
    // Asked first: to ask how large something is that is skipped has it laid out, on its own.
    if (!one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue;
    const box = one.getBoundingClientRect();
    if (box.width < 2) continue;
    if (box.top > innerHeight || box.bottom < 0) continue;
    let size = parseFloat(getComputedStyle(one).fontSize);
    size *= one.ownerSVGElement ? one.getScreenCTM().d : (one.currentCSSZoom ?? 1);
    const name = one.className.baseVal ?? one.className;
    if (size < smallest - 0.01) [smallest, where] = [size, `${name}: ${text.data.trim()}`];
  }
  return {
    places: places.size, out: out.length, named: out.filter((at) => named.has(at)).length,
    lost: out.filter((at) => !named.has(at)),
    sentence: Boolean(first) && first.top >= 0 && first.bottom <= innerHeight && first.height > 0,
    above: said.top <= plate.top, chrome: 1 - (high(plate) + high(said)) / innerHeight, smallest, where,
    sideways: document.documentElement.scrollWidth > innerWidth,
  };
}"""


class ViewRow(NamedTuple):
    """The measurements of one game at one screen size. Shares are of 1; times in milliseconds; bytes as sent."""

    places: int
    in_view: float
    named: float
    sentence: float
    chrome: float
    smallest: float
    where: str
    single: str
    jump: str
    requests: int
    lost: list[str]
    sideways: bool


def main() -> None:
    arguments = argparse.ArgumentParser(prog="replay_view", description=__doc__)
    arguments.add_argument("--game", choices=list(LARGEST), action="append")
    arguments.add_argument("--size", action="append", help="e.g. 390x844")
    arguments.add_argument("--steps", type=int, default=50)
    arguments.add_argument("--pictures", type=Path, help="a folder for a picture of the middle of each")
    arguments.add_argument("--language", default="en-GB")
    arguments.add_argument("--dark", action="store_true")
    asked = arguments.parse_args()
    sizes = [tuple(map(int, size.split("x"))) for size in asked.size or ()] or SIZES
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--disable-frame-rate-limit", "--disable-gpu-vsync"]
        )
        for ruleset in asked.game or LARGEST:
            with serve_largest(ruleset) as (address, newest):
                first_page(browser, address)
                for width, height in sizes:
                    context = browser.new_context(
                        viewport={"width": width, "height": height},
                        locale=asked.language,
                        color_scheme="dark" if asked.dark else "light",
                        reduced_motion="no-preference",
                        is_mobile=width < PHONE,
                        has_touch=width < PHONE,
                    )
                    row = measure_view(context, address, newest, asked.steps)
                    print_row(ruleset, width, height, row)
                    if asked.pictures:
                        pictures(context, address, newest, asked.pictures / f"{ruleset}-{width}")
                    context.close()
        browser.close()


@contextmanager
def serve_largest(ruleset: str) -> Iterator[tuple[str, int]]:
    """The largest recorded game on a port of this machine: its address and its newest step."""
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        game = import_file(book, (FIXTURES / f"{LARGEST[ruleset]}.daybook").read_bytes(), public=True)
        with served(create_app(book)) as address:
            yield f"{address}/games/{game}", book.games.get(game).step
        book.close()


def open_drawn(page: Page, address: str) -> None:
    page.goto(address)
    wait_until_drawn(page)


class Weight(NamedTuple):
    """Compressed bytes: of the page, of styles, scripts and type, and of the answer with all steps."""

    page: int
    rest: int
    steps: int


def weight_of(page: Page, address: str) -> Weight:
    """Return the bytes that a first visit receives until a step shows."""
    open_drawn(page, address)
    page.wait_for_function("""() => performance.getEntriesByType("resource")
      .some((one) => one.name.includes("replay.json") && one.responseEnd)""")  # told later than the page has it
    sent: list[list[Any]] = page.evaluate("""() => ["navigation", "resource"].flatMap((kind) =>
      performance.getEntriesByType(kind).map((one) => [one.name, one.encodedBodySize]))""")
    steps = sum(size for url, size in sent if "replay.json" in url)
    html = sum(size for url, size in sent if url == address)
    return Weight(html, sum(size for _, size in sent) - steps - html, steps)


def first_page(browser: Browser, address: str) -> None:
    """Print the compressed bytes until the page shows and until every step is loaded."""
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    open_drawn(page, address)  # once before
    weight = weight_of(page, f"{address}?step=1")
    timing = page.evaluate("""() => { const [page] = performance.getEntriesByType("navigation");
      const paint = performance.getEntriesByName("first-contentful-paint")[0];
      return paint.startTime - page.responseStart; }""")
    print(
        f"{address.rpartition('/')[2][:8]}: first page {(weight.page + weight.rest) / 1000:.0f} KB of at most 150: "
        f"page {weight.page / 1024:.0f} KiB, styles, scripts and type {weight.rest / 1024:.0f}; "
        f"all steps {weight.steps / 1024:.0f}; "
        f"shown {timing:.0f} ms after the first byte",
        flush=True,
    )
    context.close()


def measure_view(context: BrowserContext, address: str, newest: int, count: int) -> ViewRow:
    page = context.new_page()
    page.add_init_script(TIMED)
    requests: list[str] = []
    open_drawn(page, f"{address}?step=0")
    page.on("request", lambda request: requests.append(request.url))
    seen: list[dict[str, Any]] = []
    count = min(count, newest)
    sample = {1 + number * (newest - 1) // max(1, count - 1) for number in range(count)}
    with trace_keys(context) as single:
        for step in range(1, newest + 1):
            press(page, "ArrowRight")
            if step in sample:
                page.wait_for_timeout(60)  # arrows point where they point a frame later
                page.evaluate(
                    "() => Promise.allSettled(document.getAnimations().filter((one) => one.timeline === document.timeline).map((one) => one.finished))"
                )
                seen.append(page.evaluate(SEEN))
    with trace_keys(context) as jump:
        for number in range(count):
            press(page, JUMPS[number % len(JUMPS)] if number % 8 else "Home")
    assert len(single) == newest and len(jump) == count, "each key has its frame"
    places = sum(view["places"] for view in seen)
    out = sum(value["out"] for value in seen)
    least = min(seen, key=lambda view: float(view["smallest"]))
    page.close()
    return ViewRow(
        places,
        1 - out / places,
        sum(item["named"] for item in seen) / max(1, out),
        sum(view["sentence"] and view["above"] for view in seen) / len(seen),
        max(each_item["chrome"] for each_item in seen),
        least["smallest"],
        least["where"],
        spread(single),
        spread(jump),
        len(requests),
        sorted({at for view in seen for at in view["lost"]}),
        any(view["sideways"] for view in seen),
    )


def press(page: Page, key: str) -> None:
    page.keyboard.press(key)
    page.evaluate("window.painted")
    page.wait_for_timeout(HELD_MS)


class Took(NamedTuple):
    """Milliseconds from a key to the end of the task that made its frame; `processor` in the page's main thread."""

    wall: float
    processor: float


@contextmanager
def trace_keys(context: BrowserContext) -> Iterator[list[Took]]:
    """Return the duration of each key press during the load."""
    assert context.browser
    session, took, done = context.browser.new_browser_cdp_session(), list[Took](), list[str]()
    session.on("Tracing.tracingComplete", lambda told: done.append(told["stream"]))
    session.send(
        "Tracing.start",
        {"transferMode": "ReturnAsStream", "traceConfig": {"includedCategories": ["blink.user_timing", "toplevel"]}},
    )
    yield took
    session.send("Tracing.end")
    while not done:
        context.pages[0].wait_for_timeout(10)
    trace = ""
    while not (part := session.send("IO.read", {"handle": done[0], "size": 1 << 24}))["eof"]:
        trace += part["data"]
    session.detach()
    events = [item for item in json.loads(trace + part["data"])["traceEvents"] if item["ph"] in "XIR"]
    marks = sorted(
        (each_item["ts"], each_item["name"], each_item["tts"])
        for each_item in events
        if each_item["cat"] == "blink.user_timing"
    )
    threads = {(event["pid"], event["tid"]) for event in events if event["cat"] == "blink.user_timing"}
    run = [value for value in events if value["name"] == "ThreadControllerImpl::RunTask" and "tdur" in value]
    tasks = sorted(
        (event["ts"], event["ts"] + event["dur"], event["tts"] + event["tdur"])
        for event in run
        if (event["pid"], event["tid"]) in threads
    )
    key = None
    for at, name, processor in marks:
        if name == "key":
            key = at, processor
        elif name == "frame" and key is not None:
            began, ended, spent = tasks[bisect(tasks, (at, inf)) - 1]
            assert began <= at <= ended, "the task in which the frame was made"
            took.append(Took((ended - key[0]) / 1000, (spent - key[1]) / 1000))
            key = None


def spread(keys: list[Took]) -> str:
    """The median and the 95th percentile, in brackets those of processor time."""
    wall, processor = (sorted(values) for values in zip(*keys, strict=True))
    middle, late = len(keys) // 2, int(len(keys) * 0.95)
    return f"{wall[middle]:.0f} / {wall[late]:.0f} ms ({processor[middle]:.0f} / {processor[late]:.0f})"


def print_row(ruleset: str, width: int, height: int, row: ViewRow) -> None:
    print(
        f"{ruleset:15} {width}x{height}: "
        f"marks in view {row.in_view:.0%} of {row.places}, the rest named {row.named:.0%}, "
        f"sentence above the board {row.sentence:.0%}, chrome {row.chrome:.0%}, "
        f"smallest type {row.smallest:.1f} px ({row.where}), "
        f"key to paint {row.single}, jumps {row.jump}, "
        f"requests while stepping {row.requests}{', WIDER THAN THE SCREEN' if row.sideways else ''}",
        flush=True,
    )
    if row.lost:
        print("    neither in view nor named:", " ".join(row.lost[:12]), f"({len(row.lost)})", flush=True)


def pictures(context: BrowserContext, address: str, newest: int, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    page = context.new_page()
    for name, step in (("middle", newest // 2), ("late", newest * 9 // 10)):
        open_drawn(page, f"{address}?step={step - 1}")
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(100)
        page.screenshot(path=f"{to}-{name}.png")
    page.close()


if __name__ == "__main__":
    main()
