"""Moving from page to page in a real browser."""

from __future__ import annotations

from playwright.sync_api import Locator


def click_through(control: Locator) -> None:
    """Clicks a link or a button that leads to another page, and waits until that page has loaded.

    A page first asks whether anybody answers. Until then the page before it still stands, and whatever is on both pages
    would be found on the wrong one.
    """
    with control.page.expect_navigation():
        control.click()
