"""Recorded games on the replay page: the ledger shows the current step, nothing runs below it, and every reader gets
in."""

from __future__ import annotations

from typing import Any

import pytest

from tests.axe import in_both_lights
from tests.browser.conftest import PHONE, fits
from tests.browsing import errors_of, open_replay

WIDE = {"width": 1280, "height": 900}
STEPS = {
    "six-to-the-limit": (100, 209),
    "market-day": (150, 406),
    "three-portfolios": (115, 287),
    "four-mills": (150, 345),
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
ON_A_PHONE: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
VIEWS: dict[str, tuple[dict[str, Any], int, tuple[str, ...]]] = {
    "script": ({"viewport": WIDE}, 0, ("six-to-the-limit", "four-mills")),
    "links": ({"viewport": WIDE, "java_script_enabled": False}, 1, ("market-day",)),
    "phone": (ON_A_PHONE, 1, ("three-portfolios",)),
}


@pytest.mark.parametrize("view", VIEWS)
def test_the_ledger_opens_at_its_step(browser, shelf, view):
    """The ledger is one of the tabs of a phone."""
    options, place, games = VIEWS[view]
    with browser.new_context(reduced_motion="reduce", **options) as context:
        page = context.new_page()
        errors = errors_of(page)
        for name in games:
            step = STEPS[name][place]
            page.goto(f"{shelf.site}{shelf.record(name).path}?step={step}")
            assert page.evaluate(PAST_THE_PLATE) == [], f"{name}: phases stay beside the ledger, or on the plate"
            if view == "phone":
                page.locator('[data-slide="ledger"]').first.tap()
            page.wait_for_function(IN_SIGHT, arg=step)
        assert errors == []


def test_a_replay_is_accessible_in_both_lights(browser, shelf):
    """Most other pages are looked at in tests/web/test_accessible.py."""
    with browser.new_context(reduced_motion="reduce", **ON_A_PHONE) as context:
        page = context.new_page()
        open_replay(page, f"{shelf.site}{shelf.record('hidden-trio').path}")
        assert in_both_lights(page).serious == []
        fits(page)
