"""Long games on the replay page: the ledger lies at the step at hand, and nothing runs under it."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PHONE, Person, ServedDaybook

WIDE = {"width": 1280, "height": 900}
EXAMPLES = {
    "Six at the long table": (100, 209),
    "Market day": (150, 406),
    "Three portfolios": (115, 287),
    "Four mills on the river": (150, 345),
}
IN_SIGHT = """step => {
  const [ledger, row] = ["ledger-scroll", `step-${step}`]
    .map(id => document.getElementById(id).getBoundingClientRect());
  return ledger.height > 0 && row.top >= ledger.top && row.bottom <= ledger.bottom;
}"""
PAST_THE_PLATE = """() => [...document.querySelectorAll(".phases li")].filter(li => li.offsetWidth)
  .filter(li => { const text = document.createRange(); text.selectNodeContents(li);
    return text.getBoundingClientRect().right > document.getElementById("plate").getBoundingClientRect().right + 1; })
  .map(li => li.textContent)"""


def example(page: Page, title: str) -> str:
    page.goto(f"/?q={quote(title)}")
    href = page.get_by_role("link", name=title).first.get_attribute("href")
    assert href
    return href.split("?")[0]


@pytest.mark.parametrize("script", [True, False], ids=["script", "links"])
@pytest.mark.parametrize("title", EXAMPLES)
def test_the_ledger_opens_at_its_step(person: Person, served_daybook: ServedDaybook, title: str, script: bool) -> None:
    page = person(WIDE, script)
    address = example(page, title)
    for step in EXAMPLES[title]:
        page.goto(f"{address}?step={step}")
        page.wait_for_function(IN_SIGHT, arg=step)
        assert page.evaluate(PAST_THE_PLATE) == [], "the phases of a round stay beside the ledger"


@pytest.mark.parametrize("title", EXAMPLES)
def test_on_a_phone_it_opens_at_its_step_too(person: Person, served_daybook: ServedDaybook, title: str) -> None:
    page = person(PHONE)
    address = example(page, title)
    for step in EXAMPLES[title]:
        page.goto(f"{address}?step={step}")
        assert page.evaluate(PAST_THE_PLATE) == [], "the phases of a round stay on the table's plate"
        page.locator('[data-slide="ledger"]').first.tap()
        page.wait_for_function(IN_SIGHT, arg=step)
