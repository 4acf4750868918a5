"""Pages with text at 200 % (WCAG 1.4.4) and on a screen of 320 pixels (1.4.10): nothing overlaps or scrolls sideways."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browsing import wait_until_drawn

ENLARGE = "() => document.documentElement.style.setProperty('font-size', '200%', 'important')"
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(
    ".strip .seat, .strip .figure, .masthead a, .transport button, .transport a")]
    .map((each) => [each, each.getBoundingClientRect()]).filter(([, box]) => box.width > 1);
  const faults = boxes.filter(([, box]) => box.right > innerWidth + 1).map(([each]) => `cut off: ${each.outerHTML}`);
  boxes.forEach(([each, box], place) => {
    for (const [other, beside] of boxes.slice(place + 1)) {
      const wide = Math.min(box.right, beside.right) - Math.max(box.left, beside.left);
      const high = Math.min(box.bottom, beside.bottom) - Math.max(box.top, beside.top);
      const inside = each.contains(other) || other.contains(each);
      const covered = each.closest(".transport") !== other.closest(".transport");
      if (wide > 1 && high > 1 && !inside && !covered) faults.push(`${each.outerHTML} over ${other.outerHTML}`);
    }
  });
  return faults;
}"""
PATHS = ["/record", "", "/score", "/links"]


def assert_fits(page: Page, address: str) -> None:
    """Check a page on 320 pixels, and with text at 200 %."""
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(address)
        wait_until_drawn(page)
        if width == 390:
            page.evaluate(ENLARGE)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{address} scrolls sideways"
        assert page.evaluate(OVERLAPS) == [], (address, width)


def test_pages_fit_with_large_text(page, site):
    for path in ("/", "/new", "/new?game=making_profit", "/help", "/clubs", "/statistics"):
        assert_fits(page, f"{site}{path}")


@pytest.mark.parametrize("players", [3, 6])
def test_pages_of_a_game_fit_with_large_text(page, site, open_game, players):
    game = open_game(("Anna", "Ben", "Cleo", "Dora", "Emil", "Fred")[:players])
    game.play(30)
    game.enter(page, site)
    for path in PATHS:
        assert_fits(page, f"{site}{game.path}{path}")
