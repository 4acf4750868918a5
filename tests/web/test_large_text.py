"""Pages with text at 200 % (WCAG 1.4.4) and on a screen of 320 pixels (1.4.10): nothing overlaps or scrolls sideways."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from daybook.domain.games import RULESETS
from tests import servers
from tests.browsing import open_replay, wait_until_drawn
from tests.ink import PLACES, faults_by_step
from tests.web.conftest import Shelf

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
PATHS_WITH_FIGURES = ["/record", "/count", "/compare", "/wrong?step=5"]


@pytest.fixture(scope="module")
def large_text_page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Yield the page of a browser whose user has set text to 200 %: media queries in rem follow it."""
    context = browser.browser_type.launch_persistent_context(
        tmp_path_factory.mktemp("large-text"),
        executable_path=servers.chromium(),
        args=["--blink-settings=defaultFontSize=32"],
        viewport={"width": 390, "height": 844},
        locale="en-GB",
    )
    yield context.pages[0]
    context.close()


def assert_fits(page: Page, address: str) -> None:
    """Check a page on 320 pixels, and with text at 200 %."""
    page.set_viewport_size({"width": 320, "height": 844})
    page.goto(address)
    wait_until_drawn(page)
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if width == 390:
            page.evaluate(ENLARGE)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{address} scrolls sideways"
        assert page.evaluate(OVERLAPS) == [], (address, width)


def test_pages_fit_with_large_text(page, site):
    for path in ("/", "/new", "/new?game=making_profit", "/help", "/clubs", "/statistics"):
        assert_fits(page, f"{site}{path}")


def test_pages_of_a_game_fit_with_large_text(page, site, open_game):
    game = open_game(("Anna", "Ben", "Cleo", "Dora", "Emil", "Fred"))
    game.play(30)
    game.enter(page, site)
    for path in PATHS:
        assert_fits(page, f"{site}{game.path}{path}")


LOOKED_AT_TWICE = {"making_profit", "water_frame", "arkwright_card"}  # tests/web/test_accessible.py enlarges them too


@pytest.mark.parametrize(
    "ruleset", [pytest.param(ruleset, marks=[pytest.mark.drill] * (ruleset in LOOKED_AT_TWICE)) for ruleset in RULESETS]
)
def test_record_pages_fit_if_the_user_enlarges_text(large_text_page, site, open_game, ruleset):
    game = open_game(ruleset_id=ruleset)
    game.play(30)
    game.enter(large_text_page, site)
    for path in PATHS_WITH_FIGURES if ruleset == "london_markets" else PATHS_WITH_FIGURES[:1]:
        large_text_page.goto(f"{site}{game.path}{path}")
        wait_until_drawn(large_text_page)
        assert large_text_page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        below_head = large_text_page.evaluate(
            "(document.querySelector('.record-head')?.getBoundingClientRect() ?? {}).bottom"
        )
        assert below_head is None or below_head < 844 / 2


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("four-mills", 200),
        ("market-day", 200),
        pytest.param("four-boards", 260, marks=pytest.mark.drill),
        pytest.param("friday-four", 85, marks=pytest.mark.drill),
    ],
)
def test_boards_fit_with_large_text(shelf: Shelf, page, name, step):
    """A board that has no room scrolls sideways; its figures stay apart."""
    page.set_viewport_size({"width": 320, "height": 844})
    open_replay(page, f"{shelf.site}{shelf.record(name).path}?step={step - 1}")
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if width == 390:
            page.evaluate(ENLARGE)
        assert faults_by_step(page, [step], PLACES) == {}, width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
