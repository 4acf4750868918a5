"""Put turns together by taps on a phone, for the games whose turns are many decisions."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import tap_at_desk
from tests.browser.test_evening import step_of

ASKED = """[...document.querySelectorAll("#desk h1, #desk .path:has([data-back]) h2")]
  .map((one) => one.textContent).join(" ")"""
ABOUT_TO_TAP = f"""what => {{
  what.scrollIntoViewIfNeeded();
  const {{ width, height }} = what.getBoundingClientRect();
  const all = [...document.querySelectorAll("#desk [data-place]")], at = all.indexOf(what.closest("[data-place]"));
  const places = at < 0 ? [] : all.slice(at).map((one) => [one.dataset.place, one.getBoundingClientRect().top]);
  return [width, height, {ASKED}, places];
}}"""  # places: what is tapped, and what lies after it
TAPPED = f"""([asked, places]) => {{
  const page = document.documentElement, same = {ASKED} === asked;
  const placeOf = (name) => document.querySelector(`#desk [data-place="${{CSS.escape(name)}}"]`);
  const [name, top] = places.find(([name]) => placeOf(name)) ?? [];
  const moved = same && name ? placeOf(name).getBoundingClientRect().top - top : 0;
  return [page.scrollWidth <= page.clientWidth, Math.abs(moved) > 1 ? name : null];
}}"""


class TappingPhone:
    """A player at a phone, with a count of the taps."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, what: Locator) -> None:
        """Tap a thing and wait for the desk it leads to."""
        expect(self.page.locator(".spent")).to_have_count(0)  # it takes taps where the last one was
        width, height, asked, places = what.evaluate(ABOUT_TO_TAP)
        assert height >= 48, what
        assert width >= 40, what
        tap_at_desk(self.page, what)
        self.taps += 1
        fits, moved = self.page.evaluate(TAPPED, [asked, places])
        assert fits, self.page.url
        assert moved is None, f"{moved} has moved under the thumb"

    def on(self, text: str) -> Locator:
        """A place of a chart, or a button, that says this."""
        places = self.page.locator(".cell").and_(self.page.get_by_label(re.compile(f"^{re.escape(text)}")))
        return places.or_(self.page.locator(".choices .pick").filter(has_text=text)).first

    def turn(self, *says: str) -> int:
        """Put a turn together by tapping these, and write it down where the last one has not; the number of taps."""
        before, step = self.taps, step_of(self.page)
        for say in says:
            assert step_of(self.page) == step, "the turn goes on"
            self.tap(self.on(say))
        if step_of(self.page) == step:
            self.tap(self.page.locator("[data-write]"))
        assert step_of(self.page) > step, "one tap writes all of it"
        return self.taps - before

    @property
    def heading(self) -> str:
        return self.page.locator("#desk h1").inner_text()
