"""Long games on the replay page: the ledger lies at the step at hand, and nothing runs under it."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PHONE, Person, ServedDaybook
from tests.web.conftest import links_of

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


VIEWS = {"script": (WIDE, True, 0), "links": (WIDE, False, 1), "phone": (PHONE, True, 1)}


def example(page: Page, title: str) -> str:
    """The address of an example, as the first page links it."""
    found = page.request.get(f"/?q={quote(title)}").text()
    return next(href for words, href in links_of(found) if words.startswith(title)).split("?")[0]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("title", EXAMPLES)
def test_the_ledger_opens_at_its_step(person: Person, served_daybook: ServedDaybook, title: str, view: str) -> None:
    """On a phone it is one of the tabs."""
    viewport, script, place = VIEWS[view]
    page, step = person(viewport, script), EXAMPLES[title][place]
    page.goto(f"{example(page, title)}?step={step}")
    assert page.evaluate(PAST_THE_PLATE) == [], "the phases of a round stay beside the ledger, or on the table's plate"
    if view == "phone":
        page.locator('[data-slide="ledger"]').first.tap()
    page.wait_for_function(IN_SIGHT, arg=step)
