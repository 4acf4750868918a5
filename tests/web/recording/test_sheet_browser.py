"""The component sheet in a browser: without a script, on a small phone, in both themes, without faults of axe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.axe import faults, in_both_lights
from tests.browsing import open_folds


def keep_two_rows_of_a_kind(page: Page) -> None:
    """Hundreds of rows differ only in their numbers; axe takes ten seconds a game for all of them."""
    page.evaluate("""() => {
      const seen = {};
      for (const row of document.querySelectorAll("main tr")) {
        const kind = [...row.querySelectorAll("*")].map((one) => `${one.tagName} ${one.className}`).join();
        seen[kind] = (seen[kind] ?? 0) + 1;
        if (seen[kind] > 2) row.remove();
      } }""")


@pytest.fixture
def scriptless(browser: Browser, site: str) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("game", ["water_frame", pytest.param("score_sheet", marks=pytest.mark.drill)])
def test_sheet_fits_the_screen_without_faults(page, site, game):
    page.goto(f"{site}/sheets/{game}")
    open_folds(page)
    for width in (360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    keep_two_rows_of_a_kind(page)
    assert in_both_lights(page).faults == []


def test_box_is_uploaded_and_published_without_a_script(scriptless, site, book, tmp_path: Path):
    page = scriptless
    page.goto(f"{site}/sheets/water_frame")
    page.get_by_role("link", name="only assumed").click()
    expect(page.get_by_text("ships.8.crew")).to_be_visible()
    expect(page.get_by_text("ships.6.crew"), "the rulebook says so").to_have_count(0)
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as a file").click()
    file = tmp_path / "sheet.toml"
    whole = saved.value.path().read_text()
    ship = whole.index("[ships.8]")
    file.write_text(whole[:ship] + whole[ship:].replace("crew = { value = 3", "crew = { value = 2", 1))
    page.get_by_label("Or a saved file (it replaces the text)").set_input_files(file)
    page.get_by_label("Name of the sheet").fill("Second printing")
    page.get_by_role("button", name="Check first").click()
    expect(page.get_by_text("Ships, 8, crew: 3 2")).to_be_visible()
    page.get_by_role("button", name="Publish").click()
    page.get_by_text("The sheet is published").wait_for()
    (published,) = book.sheets.list("water_frame")
    assert published.overrides == {"ships.8.crew": 2}


@pytest.mark.parametrize(
    "numbers", [pytest.param("[turn", marks=pytest.mark.drill), '[events.corn_riots]\nname = "Corn Riots"']
)
def test_mistakes_and_findings_have_no_faults_of_axe(browser, site, numbers):
    page = browser.new_page(viewport={"width": 390, "height": 844})  # its console may report a refused form
    page.goto(f"{site}/sheets/water_frame")
    text = page.get_by_label("Numbers of your box")
    text.fill(f"{text.input_value()}\n{numbers}")
    page.get_by_role("button", name="Check first").click()
    page.get_by_role("alert").first.wait_for()
    keep_two_rows_of_a_kind(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert faults(page) == []
    page.close()
