"""A phone's browser with Daybook in it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, BrowserType, Error, Frame, Page

from tests import servers

PHONE = {"width": 390, "height": 844}
MEMORY_IS_KEPT = "window.marks?.kept"
ARGUMENTS = ["--no-sandbox", "--js-flags=--liftoff-only"]  # to compile Python for speed took a third of the time


@contextmanager
def opened_phone(chromium: BrowserType, profile: Path) -> Iterator[BrowserContext]:
    context = chromium.launch_persistent_context(
        str(profile),
        executable_path=servers.chromium(),
        viewport=PHONE,
        locale="en-GB",  # type: ignore[arg-type]
        args=ARGUMENTS,
        accept_downloads=True,
    )
    context.set_default_timeout(servers.PATIENCE_SECONDS * 1000)
    yield context
    context.close()


def open_application(page: Page, address: str) -> Frame:
    """The frame with the application's pages, once it is there."""
    page.goto(address)
    until(page, "window.marks?.page || window.failed || window.refused")
    wrong = page.evaluate("window.failed ?? window.refused ?? ''")
    assert wrong == "", wrong
    return frame_of(page)


HOLDS_SOON = """async () => {
  for (let asked = 0; asked < 40; asked++) {
    if (await (%s)) return true;
    await new Promise((next) => setTimeout(next, 50));
  }
  return false; }"""


def until(page: Page, what: str) -> None:
    """Wait until an expression holds.

    The page's policy forbids scripts made of text; the page itself repeats the check, which takes less processor time
    than repeated calls.
    """

    def holds() -> bool:
        try:
            return bool(page.evaluate(HOLDS_SOON % what))
        except Error as wrong:  # it is just being loaded, or its files are just being thrown away
            passing = "context was destroyed", "ask is not", "navigation", "NotFoundError"
            if any(says in str(wrong) for says in passing):
                return False
            raise

    end = time.monotonic() + servers.PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end, what
        page.wait_for_timeout(50)


def is_no_wider_than_the_screen(frame: Frame) -> bool:
    """Return whether a page fits, once it has its styles."""
    frame.wait_for_load_state()
    return bool(frame.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def frame_of(page: Page) -> Frame:
    frame = page.frame(url=re.compile("/here/app/"))
    assert frame is not None
    return frame
