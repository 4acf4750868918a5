"""Pages for everybody: no fault that axe knows, in either light, and one live sentence for what happens."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import Page as BrowserPage

from tests.axe import faults
from tests.web.conftest import Opened


@pytest.mark.parametrize("light", ["light", "dark"])
def test_no_page_has_a_fault(page: BrowserPage, served: str, friday: Opened, light: str) -> None:
    page.emulate_media(color_scheme=light)
    page.goto(f"{served}/")
    assert faults(page) == []
    page.goto(f"{served}/join#{friday.key('scorekeeper')}")
    page.locator("#desk").wait_for()
    friday.decide(0, type="develop", card="R2")
    paths = [
        "/", "/new", "/new?game=making_profit", "/import", "/practice?game=making_profit", "/help", "/join",
        "/sheets/making_profit", f"{friday.path}/links", f"{friday.path}/score",
        f"{friday.path}/about", f"{friday.path}/record", f"{friday.path}/record?kind=run",
        f"{friday.path}/undo?to=5", f"{friday.path}/adjust"]
    for path in paths:
        page.goto(f"{served}{path}")
        for closed in page.locator("details:not([open]) > summary").all():
            if closed.is_visible():
                closed.click()
        assert faults(page) == [], path


def test_a_form_with_something_wrong_has_no_fault(browser: Browser, served: str) -> None:
    page = browser.new_page()  # one whose console may speak of a refused form
    page.goto(f"{served}/new?game=making_profit")
    page.get_by_label("Name at seat A").fill("Anna")
    page.get_by_text("Open the game").click()
    page.get_by_text("The game is not opened yet").wait_for()
    assert faults(page) == []
    page.close()


def test_no_page_is_wider_than_a_small_phone(page: BrowserPage, served: str, friday: Opened) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{served}/join#{friday.key('scorekeeper')}")
    page.locator("#desk").wait_for()
    paths = [
        "/", "/new", "/new?game=making_profit", "/import", "/practice?game=making_profit", "/help", "/join",
        "/sheets/making_profit",
        *(f"{friday.path}/{part}" for part in ("links", "score", "about", "record", "undo?to=5", "adjust"))]
    for path in paths:
        page.goto(f"{served}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
