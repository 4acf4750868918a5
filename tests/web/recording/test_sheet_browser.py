"""The component sheet in a browser: without a script, on a small phone, in either light, with nothing axe finds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from daybook.domain.games import RULESETS
from tests.axe import faults, in_both_lights
from tests.browsing import open_folds


def leave_two_rows_of_a_kind(page: Page) -> None:
    """Hundreds of rows hold the same fields with other numbers: to examine each took ten seconds a game."""
    page.evaluate("""() => {
      const seen = {};
      for (const row of document.querySelectorAll("main tr")) {
        const kind = [...row.querySelectorAll("*")].map((one) => `${one.tagName} ${one.type} ${one.className}`).join();
        seen[kind] = (seen[kind] ?? 0) + 1;
        if (seen[kind] > 2) row.remove();
      } }""")


def leave_what_differs(page: Page) -> None:
    """The chapters as they always are have no fault: that is tested of the whole sheet."""
    page.evaluate("""() => document.querySelectorAll(
      "details.chapter:not(:has(.changed, .new, .wrongs, [aria-invalid], .differs))").forEach((one) => one.remove())""")
    leave_two_rows_of_a_kind(page)


@pytest.fixture
def scriptless(browser: Browser, site: str) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("game", RULESETS)
def test_the_sheet_is_no_wider_than_the_screen_and_has_no_fault(page, site, game):
    page.goto(f"{site}/sheets/{game}")
    open_folds(page)
    for width in (360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    leave_two_rows_of_a_kind(page)
    assert in_both_lights(page).faults == []


def test_a_box_is_entered_and_published_without_a_script(scriptless, site, book):
    page = scriptless
    page.goto(f"{site}/sheets/water_frame")
    page.get_by_label("only assumed").check()
    expect(page.get_by_text("Administration chart and markers"), "nothing is assumed there").to_be_hidden()
    page.get_by_role("heading", name="Ships and harbour").click()
    expect(page.get_by_label("8, Crew")).to_be_visible()
    expect(page.get_by_label("6, Crew"), "the rulebook says so").to_be_hidden()
    page.get_by_label("8, Crew").fill("two")
    page.get_by_role("heading", name="Events").click()
    page.get_by_label("Unknown A, Name on the marker").fill("Corn Riots")
    page.get_by_label("Unknown A, Effect", exact=True).select_option(label="everyone pays, and more for each loan")
    page.get_by_label("Name of the sheet").fill("Second printing")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("alert").get_by_text("Write a whole number, not two")).to_be_visible()
    expect(page.get_by_label("8, Crew")).to_have_value("two")
    expect(page.get_by_label("Corn Riots, Name on the marker")).to_have_value("Corn Riots")
    page.get_by_label("8, Crew").fill("2")
    page.get_by_role("button", name="Publish").click()
    page.get_by_text("The sheet is published").wait_for()
    (published,) = book.sheets.list("water_frame")
    assert published.overrides == {
        "ships.8.crew": 2,
        "events.unknown_a.name": "Corn Riots",
        "events.unknown_a.effect": "pay",
    }
    page.get_by_label("only changed").check()
    expect(page.get_by_label("8, Crew")).to_be_visible()
    expect(page.get_by_label("10, Crew")).to_be_hidden()


def test_what_is_wrong_and_what_is_warned_of_has_no_fault(browser, site):
    page = browser.new_page()  # one whose console may speak of a refused form
    page.goto(f"{site}/sheets/water_frame")
    open_folds(page)
    page.locator('[id="factories.food.II"]').fill("eleven")
    page.locator('[id="events.+1.name"]').fill("Lobby")
    page.get_by_role("button", name="Publish").click()
    page.get_by_text("Nothing is published yet").wait_for()
    open_folds(page)
    leave_what_differs(page)
    expect(page.locator("[aria-invalid]")).not_to_have_count(0)
    assert faults(page) == []
    page.goto(f"{site}/sheets/water_frame")
    open_folds(page)
    page.locator('[id="events.+1.name"]').fill("Corn Riots")
    page.get_by_role("button", name="Check first").click()
    page.get_by_text("no longer agrees with itself").wait_for()
    open_folds(page)
    leave_what_differs(page)
    expect(page.locator(".changed, .new")).not_to_have_count(0)
    assert faults(page) == []
    page.close()


def test_what_is_typed_is_marked_at_once_and_not_left_by_mistake(page, site):
    page.goto(f"{site}/sheets/making_profit")
    price = page.get_by_label("R1, Copies in the deck")
    price.fill("20")
    expect(page.locator("td.typed")).to_have_count(1)
    price.fill("21")
    expect(page.locator("td.typed")).to_have_count(0)
    price.fill("20")
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.get_by_role("link", name="Games").click()
    page.wait_for_url(f"{site}/")
    assert asked == ["beforeunload"]
