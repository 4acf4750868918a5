"""The whole table in view: each change of a step is seen or named by an arrow, its sentence stands above the board."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from tests.bench.replay_view import LARGEST, SEEN
from tests.browsing import open_replay, scrub_to, wait_for_step
from tests.servers import PATIENCE_SECONDS
from tests.web.conftest import Opened, Shelf

LARGER = (1920, 1080)  # to which the window of the size before is drawn
SIZES = [(1280, 900), LARGER, (390, 844)]
SMALLEST = 11  # CSS pixels of type
STEPS = 1  # at each size, others at each: `python -m tests.bench.replay_view` looks at all
UNDER_AN_ARROW = {"water_frame": (69, 204, 306), "arkwright_card": (150, 177)}  # on a phone something changes there
PATIENCE = 20 * PATIENCE_SECONDS  # looks, of a twentieth of a second each
FITS = """() => document.querySelector("#plate .board").getBoundingClientRect().bottom
  <= document.querySelector(".transport").getBoundingClientRect().top + 1"""
DISPLACED = """() => [...document.querySelectorAll("#plate .figure")].filter((figure) => {
  const [box, card] = [figure, figure.parentElement].map((element) => element.getBoundingClientRect());
  return box.height && card.height && figure.checkVisibility() && (box.bottom < card.top || box.top > card.bottom);
}).map((figure) => figure.dataset.at)"""
Played = Callable[[str], Opened]


@pytest.fixture
def site(shelf: Shelf) -> str:
    return shelf.site


@pytest.fixture
def open_largest(shelf: Shelf) -> Played:
    """The largest recorded game of a ruleset."""
    return lambda ruleset: shelf.record(LARGEST[ruleset])


def once_it_stands(page: Page) -> dict[str, Any]:
    """Wait until the view is stable: arrows get their place some frames later."""
    for _ in range(PATIENCE):
        seen: dict[str, Any] = page.evaluate(SEEN)
        if seen["out"] == seen["named"]:
            break
        page.wait_for_timeout(50)
    return seen


def step_to(page: Page, step: int) -> None:
    """Step forward by a key."""
    scrub_to(page, step - 1)
    page.keyboard.press("ArrowRight")
    wait_for_step(page, step)


@pytest.mark.parametrize(
    "ruleset",
    [pytest.param(ruleset, marks=[] if ruleset in UNDER_AN_ARROW else pytest.mark.drill) for ruleset in LARGEST],
)
def test_each_change_is_in_view_or_named_below_its_sentence(open_largest, site, page, ruleset):
    game = open_largest(ruleset)
    stretch = game.step // (STEPS * len(SIZES) + 1)
    for at, (width, height) in enumerate(SIZES, start=1):
        steps = range(stretch * at, game.step, stretch * len(SIZES))
        page.set_viewport_size({"width": width, "height": height})
        if (width, height) != LARGER:
            page.goto(f"{site}{game.path}?step={steps[0] - 1}")
            expect(page.locator("#replay")).to_have_class(re.compile("scripted"))
        for step in steps:
            step_to(page, step)
            seen = once_it_stands(page)
            here = (ruleset, width, step)
            assert seen["out"] == seen["named"], (here, seen["lost"])
            assert seen["sentence"] and seen["above"] and not seen["sideways"], here
            assert seen["smallest"] >= SMALLEST - 0.01, (here, seen["smallest"], seen["where"])
            if width > 600:
                assert page.evaluate(FITS), here
            else:
                assert seen["chrome"] <= 0.25, (here, seen["chrome"])
    for step in UNDER_AN_ARROW.get(ruleset, ()):
        a_change_under_an_arrow_is_named_by_one(page, step)
    what_slides_over_the_board_on_a_phone_lies_on_top_of_it(page)


def a_change_under_an_arrow_is_named_by_one(page: Page, step: int) -> None:
    step_to(page, step)
    seen = once_it_stands(page)
    expect(page.locator("#edges button")).not_to_have_count(0)
    assert seen["out"] == seen["named"], (step, seen["lost"])
    assert page.evaluate(DISPLACED) == [], step


def what_slides_over_the_board_on_a_phone_lies_on_top_of_it(page: Page) -> None:
    links = page.locator("[data-slide]").filter(visible=True)
    assert links.count() > 2
    for link in links.all():
        link.click()
        sheet = page.locator(".slide.open")
        expect(sheet).to_be_visible()
        others = sheet.evaluate("""async (sheet) => {
          await Promise.allSettled(sheet.getAnimations().map((one) => one.finished));
          const { left, top, right, bottom } = sheet.getBoundingClientRect();
          const found = [];
          for (let x = left + 2; x < right; x += 12) for (let y = top + 2; y < bottom; y += 12) {
            const over = document.elementFromPoint(x, y);
            if (over && !sheet.contains(over)) found.push(`${x} ${y} ${over.outerHTML.slice(0, 80)}`);
          }
          return found; }""")
        assert others == []
        page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)


def test_an_arrow_leads_to_what_it_names(open_largest, site, page):
    mills = open_largest("water_frame")
    page.set_viewport_size({"width": 390, "height": 844})
    open_replay(page, f"{site}{mills.path}?step=0")
    arrow = page.locator("#edges button").first
    for step in range(1, mills.step + 1):
        step_to(page, step)
        if page.evaluate("document.querySelector('#edges button')?.dataset.see") == "market":
            break
    place = arrow.get_attribute("data-leads").split()[0]  # type: ignore[union-attr]
    expect(page.locator(f'[data-area="market"] [data-at="{place}"]').first).not_to_be_visible()
    arrow.click()
    expect(page.locator(f'[data-area="market"] [data-at="{place}"]').first).to_be_in_viewport()


def test_the_mat_of_who_acts_is_on_top_until_a_tap_pins_another(open_largest, site, page):
    mills = open_largest("water_frame")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{site}{mills.path}?step=170")  # Clara's
    expect(page.locator('[data-see="2"]')).to_be_checked()
    page.locator('[data-sees="1"]').click()
    expect(page.locator('[data-see="1"]')).to_be_checked()
    page.keyboard.press("ArrowRight")
    wait_for_step(page, 171)
    expect(page.locator('[data-see="1"]')).to_be_checked()
    page.get_by_role("button", name="Unpin Bert").click()
    expect(page.locator('[data-see="2"]')).to_be_checked()


def test_without_script_the_acting_players_mat_is_open(open_largest, site, browser):
    mills = open_largest("water_frame")
    context = browser.new_context(java_script_enabled=False, locale="en-GB", viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{site}{mills.path}?step=170")
    expect(page.locator('[data-see="2"]')).to_be_checked()
    context.close()


def test_stepping_asks_the_server_for_nothing(open_largest, site, page):
    game = open_largest("making_profit")
    with page.expect_response("**/chances/band"):  # the last that is asked for
        open_replay(page, f"{site}{game.path}?step=0")
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_have_text(re.compile("^step 12 of "))
    assert [request.url for request in asked] == []


FLOWN = """() => { window.flown = []; new MutationObserver((all) => {
  for (const one of all) for (const svg of one.addedNodes)
    window.flown.push(svg.getAnimations()[0]?.effect.getTiming().duration);
}).observe(document.querySelector(".flight"), { childList: true }); }"""
HOME_IN_FLIGHT = """() => new Promise((left) => {
  const layer = document.querySelector(".flight");
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  new MutationObserver((all, observer) => {
    if (!all.some((one) => one.addedNodes.length)) return;
    observer.disconnect();
    press("Home");
    left(layer.childElementCount);
  }).observe(layer, { childList: true });
  press("ArrowLeft");
})"""


def test_pieces_fly_stop_at_the_next_key_and_respect_motion(open_largest, site, browser):
    game = open_largest("water_frame")
    page = browser.new_page(reduced_motion="no-preference", locale="en-GB", viewport={"width": 1280, "height": 900})
    open_replay(page, f"{site}{game.path}?step=60")
    page.evaluate(FLOWN)
    flying = [step for step in range(61, 73) if stepped_flown(page, step)]
    assert flying
    assert all(duration <= 250 for duration in page.evaluate("window.flown"))
    step_to(page, flying[-1])
    assert page.evaluate(HOME_IN_FLIGHT) == 0
    expect(page.locator("[data-part] [style*=visibility]")).to_have_count(0)
    page.emulate_media(reduced_motion="reduce")
    for step in flying[:3]:
        scrub_to(page, step - 1)
        assert not stepped_flown(page, step)
    page.close()


def stepped_flown(page: Page, step: int) -> bool:
    """Return whether a piece flew at the next step. A key that is pressed before a step is painted starts no flight."""
    before = page.evaluate("window.flown.length")
    page.keyboard.press("ArrowRight")
    wait_for_step(page, step)
    return bool(page.evaluate("window.flown.length") > before)
