"""Moving from page to page in a real browser."""

from __future__ import annotations

import os
import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

SLOWED = float(os.environ.get("SLOW_BROWSER", "1"))  # by how much its processor is slowed: 4 leaves a quarter


def slow(page: Page) -> None:
    """Slow the network through a protocol session beside Playwright's, whose medium "none" would stay for the next
    page."""
    session, emulate = page.context.new_cdp_session(page), page.emulate_media
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})

    def emulate_media(**options: Any) -> None:
        emulate(**options)
        if "media" in options:
            session.send("Emulation.setEmulatedMedia", {"media": options["media"].replace("null", "")})

    page.emulate_media = emulate_media  # type: ignore[method-assign]


def errors_of(page: Page) -> list[str]:
    """Collect the page's errors from now on: of its scripts and in its console."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    return errors


def open_replay(page: Page, address: str) -> None:
    """Opens a replay, and waits until its script has every step: until then it would have to ask for what is shown.

    Silence on the network is no sign of it: what is asked for once the page is painted may not have begun.
    """
    with page.expect_response("**/replay.json*"):
        page.goto(address)
    expect(page.locator("#replay")).to_have_class(re.compile("scripted"))


def wait_for_step(page: Page, step: int) -> None:
    """Wait until a replay has finished a step. The ledger moves last, after flights, marks and layout."""
    page.wait_for_function("step => document.getElementById(`step-${step}`)?.ariaCurrent === 'step'", arg=step)


SCRUBBED_TO = """step => {
  const scrubber = document.getElementById("scrubber");
  scrubber.value = step;
  scrubber.dispatchEvent(new Event("input"));
}"""


def scrub_to(page: Page, step: int) -> None:
    """Move to a step with the scrubber; loading the page for each step takes longer."""
    page.evaluate(SCRUBBED_TO, step)
    wait_for_step(page, step)


DRAWN = """() => document.readyState === "complete" && document.fonts.status === "loaded"
  && !document.querySelector("#replay:not(.scripted)")
  && [...document.querySelectorAll("[data-chances]")].every((place) => performance.getEntriesByType("resource").some(
    (one) => one.responseEnd && one.name === new URL(place.dataset.chances, location).href))"""


def wait_until_drawn(page: Page) -> None:
    """Wait until a page has its fonts, and a replay its steps and the chances below its chart."""
    page.wait_for_function(DRAWN)


def open_folds(page: Page) -> None:
    """Opens whatever is folded up, once the page has loaded: what is not read yet stays closed."""
    page.wait_for_load_state()
    page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true })")


def click_through(control: Locator) -> None:
    """Clicks a link or a button that leads to another page, and waits until that page has loaded.

    A page first asks whether anybody answers. Until then the page before it still stands, and whatever is on both pages
    would be found on the wrong one.
    """
    with control.page.expect_navigation():
        control.click()
